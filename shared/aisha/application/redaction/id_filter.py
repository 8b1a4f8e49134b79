"""The output stage: what the user sees has names in it, never record ids (C-X3).

Ordinary numbers, words and Markdown stay as they are. It works on a stream: what may be the beginning of an id waits for
the rest: mostly nothing, and one word at most while no id comes.
"""

import re
from collections.abc import Mapping, Sequence

from aisha.domain.ids import KINDS, ULID

_BEFORE = r"[ \t]{0,8}(?:,[ \t]?)?"
_QUOTES = r"[`*\"']{0,3}"
_LABEL = rf"(?:\b[iI][dD]{_QUOTES}[ \t]?[:=#]?{_QUOTES}[ \t]?)"


def _begun(words: Sequence[str]) -> str:
    """A pattern of all that the words begin with, in either case.

    A tree, and no IGNORECASE: each piece of an answer is looked at, and this takes a fifth of the time of all beginnings
    side by side.
    """
    rests: dict[str, list[str]] = {}
    for word in filter(None, words):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(
        f"[{first}{first.upper()}]" + (f"(?:{rest})?" if (rest := _begun(of)) else "") for first, of in rests.items()
    )


_OPEN, _CLOSE = r"[(\[<`*\"']{0,4}", r"[)\]>`*\"']{0,4}"
_WRAPPED = re.compile(
    rf"(?P<before>{_BEFORE})(?P<open>{_OPEN})(?P<label>{_LABEL})?(?P<quote>{_QUOTES})"
    rf"(?P<id>(?:{'|'.join(KINDS)})\\?_{ULID}(?:\.{ULID})?)(?P<close>{_CLOSE})",
    re.IGNORECASE,
)
_BEGINNINGS, _PART = _begun([*KINDS, "id"]), "[0-9A-Za-z]{0,26}"
_HELD = re.compile(rf"{_BEFORE}{_OPEN}{_LABEL}?{_QUOTES}(?:{_BEGINNINGS})?(?:\\?(?:_{_PART}(?:\.{_PART})?{_CLOSE})?)$")
_LONGEST_HELD = 128
_PAIRS = {"(": ")", "[": "]", "<": ">", "`": "`", "*": "*", '"': '"', "'": "'"}
_REMEMBERED = 200
"""Characters of the text before that tell whether an id in brackets only repeats a name."""


class OutputFilter:
    """Takes the ids out of one text that comes in pieces.

    `names` maps lower-case ids to what the records are called; it may grow while the text comes.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._waiting = ""
        self._shown = ""

    def feed(self, piece: str) -> str:
        """What can be shown now; it may be empty."""
        text = self._waiting + piece
        held = _HELD.search(text, max(0, len(text) - _LONGEST_HELD))
        cut = held.start() if held else len(text)
        ready, self._waiting = text[:cut], text[cut:]
        return self._clean(ready)

    def finish(self) -> str:
        """The rest."""
        rest, self._waiting = self._waiting, ""
        return self._clean(rest)

    def _clean(self, text: str) -> str:
        if "_" in text:
            text = self._without_ids(text)
        self._shown = (self._shown + text)[-_REMEMBERED:]
        return text

    def _without_ids(self, text: str) -> str:
        shown, end = "", 0
        for match in _WRAPPED.finditer(text):
            shown += text[end : match.start()]
            shown += self._instead_of(match, (self._shown + shown)[-_REMEMBERED:])
            end = match.end()
        return shown + text[end:]

    def _instead_of(self, match: re.Match[str], shown: str) -> str:
        name = self._names.get(match["id"].replace("\\", "").lower())
        enclosed = match["label"] or any(bracket in match["open"] for bracket in "([<")
        repeated = name is not None and (shown.endswith(name) or (enclosed and name.lower() in shown.lower()))
        if name and not repeated:
            return f"{match['before']}{match['open']}{match['quote']}{name}{match['close']}"
        opened, closed = match["open"] + match["quote"], match["close"]
        while opened and closed and _PAIRS[opened[-1]] == closed[0]:
            opened, closed = opened[:-1], closed[1:]
        return f"{match['before']}{opened}{closed}" if opened else closed


def clean(text: str, names: Mapping[str, str]) -> str:
    """A whole text without ids. `names` as for `OutputFilter`."""
    if "_" not in text:
        return text
    stage = OutputFilter(names)
    return stage.feed(text) + stage.finish()


def clean_value(value: object, names: Mapping[str, str]) -> object:
    """A JSON value whose texts are without ids; what was nothing but an unknown id is left out."""
    if isinstance(value, str):
        return clean(value, names)
    if isinstance(value, Mapping):
        cleaned = {key: clean_value(item, names) for key, item in value.items()}
        return {key: item for key, item in cleaned.items() if item != "" or value[key] == ""}
    if isinstance(value, list | tuple):
        return [clean_value(item, names) for item in value]
    return value
