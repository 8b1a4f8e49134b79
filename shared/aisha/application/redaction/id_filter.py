"""Removal of record ids from what the user reads: names take their place (C-X3).

Ordinary numbers, words and Markdown stay unchanged. It works on a stream: text that may be the beginning of an id is
held back until the rest comes. Without ids in the text, that is one word at most.
"""

import re
from collections.abc import Mapping, Sequence

from aisha.domain.ids import KINDS, ULID

# A space or comma before an id goes with it, so that no gap remains: "Ann, lead_01J…" becomes "Ann".
_BEFORE = r"[ \t]{0,8}(?:,[ \t]?)?"
_QUOTES = r"[`*\"']{0,3}"
# "ID: " or "id=" before an id, with quotes or emphasis.
_LABEL = rf"(?:\b[iI][dD]{_QUOTES}[ \t]?[:=#]?{_QUOTES}[ \t]?)"


def _beginnings(words: Sequence[str]) -> str:
    """Return a pattern of all beginnings of the words, in either case.

    A tree without IGNORECASE, since every piece of an answer is searched: five times as fast as an alternation.
    """
    rests: dict[str, list[str]] = {}
    for word in filter(None, words):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(
        f"[{first}{first.upper()}]" + (f"(?:{rest})?" if (rest := _beginnings(of)) else "")
        for first, of in rests.items()
    )


# Brackets, quotes and emphasis around an id, which go with it.
_OPEN, _CLOSE = r"[(\[<`*\"']{0,4}", r"[)\]>`*\"']{0,4}"
_WRAPPED = re.compile(
    rf"(?P<before>{_BEFORE})(?P<open>{_OPEN})(?P<label>{_LABEL})?(?P<quote>{_QUOTES})"
    rf"(?P<id>(?:{'|'.join(KINDS)})\\?_{ULID}(?:\.{ULID})?)(?P<close>{_CLOSE})",
    re.IGNORECASE,
)
_BEGINNINGS, _PART = _beginnings([*KINDS, "id"]), "[0-9A-Za-z]{0,26}"
# The end of a text that may be the beginning of what `_WRAPPED` matches, such as " (ID: `lea" or "lead_01J". A
# backslash before the underscore is Markdown.
_HELD = re.compile(rf"{_BEFORE}{_OPEN}{_LABEL}?{_QUOTES}(?:{_BEGINNINGS})?(?:\\?(?:_{_PART}(?:\.{_PART})?{_CLOSE})?)$")
_MAX_HELD = 128
_PAIRS = {"(": ")", "[": "]", "<": ">", "`": "`", "*": "*", '"': '"', "'": "'"}
_CONTEXT_LENGTH = 200
"""Characters of the preceding text that tell whether an id in brackets only repeats a name."""


class IdFilter:
    """Removes the ids from one text that comes in pieces.

    `names` maps lower-case ids to the records' names; it may grow while the text comes.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._waiting = ""
        self._shown = ""

    def feed(self, piece: str) -> str:
        """Return the text that can be shown now; it may be empty."""
        text = self._waiting + piece
        held = _HELD.search(text, max(0, len(text) - _MAX_HELD))
        cut = held.start() if held else len(text)
        ready, self._waiting = text[:cut], text[cut:]
        return self._clean(ready)

    def flush(self) -> str:
        """Return the text that is still held back."""
        rest, self._waiting = self._waiting, ""
        return self._clean(rest)

    def _clean(self, text: str) -> str:
        # Every id has an underscore. Most texts have none and skip the search.
        if "_" in text:
            text = self._without_ids(text)
        self._shown = (self._shown + text)[-_CONTEXT_LENGTH:]
        return text

    def _without_ids(self, text: str) -> str:
        result, end = "", 0
        for match in _WRAPPED.finditer(text):
            result += text[end : match.start()]
            result += self._replacement(match, (self._shown + result)[-_CONTEXT_LENGTH:])
            end = match.end()
        return result + text[end:]

    def _replacement(self, match: re.Match[str], context: str) -> str:
        name = self._names.get(match["id"].replace("\\", "").lower())
        enclosed = match["label"] or any(bracket in match["open"] for bracket in "([<")
        repeated = name is not None and (context.endswith(name) or (enclosed and name.lower() in context.lower()))
        if name and not repeated:
            return f"{match['before']}{match['open']}{match['quote']}{name}{match['close']}"
        opened, closed = match["open"] + match["quote"], match["close"]
        # Removes brackets and quotes only in pairs; one that encloses more than the id stays.
        while opened and closed and _PAIRS[opened[-1]] == closed[0]:
            opened, closed = opened[:-1], closed[1:]
        return f"{match['before']}{opened}{closed}" if opened else closed


def clean(text: str, names: Mapping[str, str]) -> str:
    """Return a whole text without ids. `names` as for `IdFilter`."""
    if "_" not in text:
        return text
    id_filter = IdFilter(names)
    return id_filter.feed(text) + id_filter.flush()


def clean_value(value: object, names: Mapping[str, str]) -> object:
    """Return a JSON value whose texts are without ids; a text that was only an unknown id is left out."""
    if isinstance(value, str):
        return clean(value, names)
    if isinstance(value, Mapping):
        cleaned = {key: clean_value(item, names) for key, item in value.items()}
        return {key: item for key, item in cleaned.items() if item != "" or value[key] == ""}
    if isinstance(value, list | tuple):
        return [clean_value(item, names) for item in value]
    return value
