"""Removal of ids from what the user reads: names take their place (C-X3).

Ordinary numbers, words and Markdown stay unchanged. It works on a stream: text that may be the beginning of an id is
held back until the rest comes. Without ids in the text, that is one word at most.
"""

import re
from collections.abc import Iterable, Mapping

from aisha.application.redaction.id_spellings import IdSpellings
from aisha.domain.ids import ULID, ULID_LENGTH, ULID_SYMBOL

# A space or comma before an id goes with it, so that no gap remains: "Ann, lead_01J…" becomes "Ann".
_BEFORE = r"[ \t]{0,8}(?:,[ \t]?)?"
_QUOTES = r"[`*\"']{0,3}"
# "ID: " or "id=" before an id, with quotes or emphasis.
_LABEL = rf"(?:\b[iI][dD]{_QUOTES}[ \t]?[:=#]?{_QUOTES}[ \t]?)"
# Brackets, quotes and emphasis around an id, which go with it.
_OPEN, _CLOSE = r"[(\[<`*\"']{0,4}", re.compile(r"[)\]>`*\"']{0,4}")
# With any kind before it, or a ULID alone: 26 characters, of which the first is at most 7 and one is a letter. A
# backslash before the underscore is Markdown.
_ID = re.compile(
    rf"(?:[A-Za-z]{{2,20}}+\\?_{ULID}|(?<![0-9A-Za-z])(?![0-9]{{26}})[0-7]{ULID_SYMBOL}{{25}}(?![0-9A-Za-z]))"
    rf"(?:\.{ULID})?",
    re.IGNORECASE,
)
# A part of every id that is found faster: what stands before a ULID or begins one, and its other letters.
_ID_PART = re.compile(rf"[_0-7][^\W_]{{{ULID_LENGTH - 1}}}")
_LEFT = re.compile(rf"(?P<before>{_BEFORE})(?P<open>{_OPEN})(?P<label>{_LABEL})?(?P<quote>{_QUOTES})$")
# Possessive, as the letters of `_ID`: what gives none of them back fails at once where no id begins.
_PART = "[0-9A-Za-z]{0,26}+"
# The end of a text that may be the beginning of an id with what goes with it, such as " (ID: `lea" or "lead_01J".
_HELD = re.compile(
    rf"{_BEFORE}{_OPEN}{_LABEL}?{_QUOTES}"
    rf"(?:[A-Za-z]{{0,20}}+(?:\\?(?:_{_PART}(?:\.{_PART})?{_CLOSE.pattern})?)"
    rf"|(?<![0-9A-Za-z_])[0-7]{_PART}(?:\.{_PART})?{_CLOSE.pattern})$"
)
_MAX_HELD = 128
_HELD_WORDS = 4
"""Words with spaces between them that may belong to an id, such as ", (ID : lead_01J"."""
_MAX_LEFT = 32
_PAIRS = {"(": ")", "[": "]", "<": ">", "`": "`", "*": "*", '"': '"', "'": "'"}
_CONTEXT_LENGTH = 200
"""Characters of the preceding text that tell whether an id in brackets only repeats a name."""


class IdFilter:
    """Removes the ids from one text that comes in pieces.

    `names` maps lower-case ids to the records' names.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._spellings = IdSpellings(names)
        self._waiting = ""
        self._shown = ""

    def feed(self, piece: str) -> str:
        """Return the text that can be shown now; it may be empty."""
        if not (piece := self._spellings.feed(piece)):
            return ""
        text = self._waiting + piece
        held_back = _HELD.search(text, _first_held(text))
        cut = held_back.start() if held_back else len(text)
        # What looks like the beginning of an id may be the end of one.
        cut = min((match.start() for match in _ids_in(text) if match.start() < cut < match.end()), default=cut)
        ready, self._waiting = text[:cut], text[cut:]
        return self._clean(ready)

    def flush(self) -> str:
        """Return the text that is still held back."""
        rest, self._waiting = self._waiting + self._spellings.flush(), ""
        return self._clean(rest)

    def whole(self, text: str) -> str:
        """Return a text that is complete."""
        return self._clean(self._spellings.whole(text))

    def _clean(self, text: str) -> str:
        result, end = "", 0
        for match in _ids_in(text):
            left = _LEFT.search(text, max(end, match.start() - _MAX_LEFT), match.start())
            right = _CLOSE.match(text, match.end())
            if left is None or right is None:
                raise AssertionError("both match at least nothing")
            result += text[end : left.start()]
            result += self._replacement(match[0], left, right[0], (self._shown + result)[-_CONTEXT_LENGTH:])
            end = right.end()
        result += text[end:]
        self._shown = (self._shown + result)[-_CONTEXT_LENGTH:]
        return result

    def _replacement(self, written_id: str, left: re.Match[str], closed: str, context: str) -> str:
        name = self._names.get(written_id.replace("\\", "").lower())
        label = left["label"] or ""
        enclosed = label or any(bracket in left["open"] for bracket in "([<")
        repeated = name is not None and (context.endswith(name) or (enclosed and name.lower() in context.lower()))
        if name and not repeated:
            return f"{left['before']}{left['open']}{left['quote']}{name}{closed}"
        opened = left["open"]
        # Emphasis of the label alone ends with it: "(**ID:** lead_01J…)".
        for mark in filter("`*\"'".__contains__, label):
            opened = opened.removesuffix(mark)
        opened += left["quote"]
        # Removes brackets and quotes only in pairs; one that encloses more than the id stays.
        while opened and closed and _PAIRS[opened[-1]] == closed[0]:
            opened, closed = opened[:-1], closed[1:]
        return f"{left['before']}{opened}{closed}" if opened else closed


def _first_held(text: str) -> int:
    """Return the index from which `_HELD` is looked for: each place that it is tried at takes time."""
    first = max(0, len(text) - _MAX_HELD)
    words = text[first:].rsplit(None, _HELD_WORDS) if len(text) > _MAX_HELD // 4 else []
    return first + len(words[0]) if len(words) > _HELD_WORDS else first


def _ids_in(text: str) -> Iterable[re.Match[str]]:
    return _ID.finditer(text) if _ID_PART.search(text) else ()
