"""Known ids in other spellings, written as they are stored: `lead_01J…`.

A model that was told to hide or to send an id writes it without its prefix, in lower case, with other separators, in
pieces, backwards or encoded. The ids that it can know are those of its prompt, so they are looked for whatever stands
between their characters. Works on a stream: text that may be the beginning of one is held back.
"""

import base64
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from aisha.domain.ids import ULID

MAX_KNOWN = 300
"""Ids that are looked for, the latest ones."""
_MAX_HELD = 800
_PREFIX_LENGTH = 8
"""First letters of a spelling by which it is looked for; every spelling is longer."""
_STORED = re.compile(rf"^([a-z]+)_({ULID})(?:\.({ULID}))?$", re.IGNORECASE)
# What stands for one character of an id; everything else between two of them is passed over. A percent sign before an
# id itself, which begins with 0, is no code.
_UNIT = re.compile(
    r"%[2-7][0-9A-Fa-f]|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})|[^\W_]"
)
_CODES = re.compile(r"[%&\\]")
# The last word with the marks of an address, of Markdown and of encodings, so that an id's prefix is held with it.
_LAST_WORD = re.compile(r"[0-9A-Za-z_.:/%&#;*`~+=\\\u00ad\u200b-\u200f\u2060\ufeff\uff10-\uff5a-]{1,160}$")
_OTHER_KIND = re.compile(r"[A-Za-z]{2,20}\\?_$")
_BASE64 = re.compile(r"[0-9A-Za-z+/=_-]{0,40}")


class Letters(NamedTuple):
    """The letters and digits of a text, decoded, and where each stands in it."""

    text: str
    starts: list[int]
    ends: list[int]


class Spelling(NamedTuple):
    """A way to write an id. With `is_encoded`, letters before and after may belong to the same encoding."""

    stored_id: str
    is_reversed: bool = False
    is_encoded: bool = False


class Found(NamedTuple):
    start: int
    end: int
    stored_id: str


class IdSpellings:
    """Writes the known ids of one text, which comes in pieces, as they are stored.

    The keys of `names` are the ids in lower case; it may grow while the text comes.
    """

    def __init__(self, names: Mapping[str, object]) -> None:
        self._names = names
        self._count = -1
        self._waiting = ""
        # Spellings that hold in any case, by their capitals; and encodings, in which the case counts.
        self._folded: dict[str, Spelling] = {}
        self._exact: dict[str, Spelling] = {}
        self._sorted: tuple[list[str], list[str]] = ([], [])
        self._prefixes: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self._beginnings = self._prefixes
        self._lengths: tuple[int, ...] = ()

    def feed(self, piece: str) -> str:
        """Return the text that can be passed on now; it may be empty."""
        self._read_names()
        if not self._folded:
            return piece
        text = self._waiting + piece
        core = _letters_of(text)
        places = self._places(core)
        cut = self._cut(text, core, places)
        if len(text) - cut > _MAX_HELD:
            cut = len(text)
        found = list(self._found(text, core, places))
        for match in found:
            # Its encoding may go on.
            if match.end > cut:
                cut = min(cut, match.start)
        self._waiting = text[cut:]
        return _replace(text[:cut], [match for match in found if match.end <= cut])

    def flush(self) -> str:
        """Return the text that is still held back."""
        text, self._waiting = self._waiting, ""
        if not self._folded or not text:
            return text
        core = _letters_of(text)
        return _replace(text, list(self._found(text, core, self._places(core))))

    def _read_names(self) -> None:
        if len(self._names) == self._count:
            return
        self._count = len(self._names)
        self._folded, self._exact = {}, {}
        for stored in [*self._names][-MAX_KNOWN:]:
            for folded, exact in _spellings(stored):
                self._folded.update(folded)
                self._exact.update(exact)
        forms = self._folded, self._exact
        self._sorted = sorted(self._folded), sorted(self._exact)
        self._prefixes = _prefixes_of(forms[0], _PREFIX_LENGTH), _prefixes_of(forms[1], _PREFIX_LENGTH)
        self._beginnings = (
            _prefixes_of(forms[0], *range(1, _PREFIX_LENGTH)),
            _prefixes_of(forms[1], *range(1, _PREFIX_LENGTH)),
        )
        self._lengths = tuple(sorted({len(form) for one in forms for form in one}))

    def _places(self, core: Letters) -> list[int]:
        """Return the places where a spelling may begin; a text without ids has nearly none."""
        letters, folded = core.text, core.text.upper()
        in_any_case, as_written = self._prefixes
        return [
            place
            for place in range(len(letters) - _PREFIX_LENGTH + 1)
            if folded[place : place + _PREFIX_LENGTH] in in_any_case
            or letters[place : place + _PREFIX_LENGTH] in as_written
        ]

    def _cut(self, text: str, core: Letters, places: list[int]) -> int:
        """Return the index from which the end of the text may be the beginning of an id."""
        end, cut, folded = len(core.text), len(text), core.text.upper()
        long_tails = [place for place in places if end - place < self._lengths[-1]]
        short_tails = range(max(0, end - _PREFIX_LENGTH + 1), end)
        for forms, beginnings, letters in zip(self._sorted, self._beginnings, (folded, core.text), strict=True):
            begun = next((place for place in long_tails if _continues(letters[place:], forms)), None)
            if begun is None:
                begun = next((place for place in short_tails if letters[place:] in beginnings), None)
            if begun is not None:
                cut = min(cut, core.starts[begun])
        word = _LAST_WORD.search(text, max(0, cut - 160), cut)
        return word.start() if word else cut

    def _found(self, text: str, core: Letters, places: list[int]) -> Iterator[Found]:
        letters, folded, end = core.text, core.text.upper(), 0
        for place in places:
            if place < end:
                continue
            for length in self._lengths:
                form = folded[place : place + length]
                spelling = self._folded.get(form) or self._exact.get(letters[place : place + length])
                if spelling is not None:
                    end = place + length
                    yield _with_kind(text, core, place, end, spelling)
                    break


def _prefixes_of(forms: Iterable[str], *lengths: int) -> frozenset[str]:
    return frozenset(form[:length] for form in forms for length in lengths)


def _continues(beginning: str, forms: list[str]) -> bool:
    """Return whether one of the sorted forms begins like this and is longer."""
    after = bisect_left(forms, beginning)
    return after < len(forms) and forms[after].startswith(beginning) and len(forms[after]) > len(beginning)


@lru_cache(maxsize=2048)
def _spellings(stored: str) -> tuple[tuple[dict[str, Spelling], dict[str, Spelling]], ...]:
    """Return other spellings of each ULID of a stored id: first those that hold in any case."""
    match = _STORED.match(stored)
    if match is None:
        return ()
    return tuple(
        _spellings_of_ulid(f"{match[1]}_{ulid.upper()}", ulid.upper()) for ulid in (match[2], match[3]) if ulid
    )


def _spellings_of_ulid(stored_id: str, ulid: str) -> tuple[dict[str, Spelling], dict[str, Spelling]]:
    encoded = Spelling(stored_id, is_encoded=True)
    in_any_case = {
        ulid: Spelling(stored_id),
        ulid[::-1]: Spelling(stored_id, is_reversed=True),
        ulid.encode().hex().upper(): encoded,
    }
    return in_any_case, {form: encoded for text in (ulid, ulid.lower()) for form in _base64_middles(text.encode())}


def _with_kind(text: str, core: Letters, first: int, after: int, spelling: Spelling) -> Found:
    """Return the place of the id, extended by its prefix and by the rest of its encoding."""
    kind = spelling.stored_id.partition("_")[0].upper()
    start, end = core.starts[first], core.ends[after - 1]
    if spelling.is_encoded:
        while start and _BASE64.fullmatch(text[start - 1]):
            start -= 1
        match = _BASE64.match(text, end)
        end = match.end() if match else end
    elif spelling.is_reversed and core.text[after : after + len(kind)].upper() == kind[::-1]:
        end = core.ends[after + len(kind) - 1]
    elif not spelling.is_reversed and core.text[max(0, first - len(kind)) : first].upper() == kind:
        # "the lead 01J…" is a word and an id.
        if not any(map(str.isspace, text[core.ends[first - 1] : start])):
            start = core.starts[first - len(kind)]
    elif not spelling.is_reversed and (other := _OTHER_KIND.search(text, max(0, start - 24), start)):
        start = other.start()
    return Found(start, end, spelling.stored_id)


def _letters_of(text: str) -> Letters:
    if text.isascii() and not _CODES.search(text):
        plain = [place for place, letter in enumerate(text) if letter.isalnum()]
        return Letters("".join(filter(str.isalnum, text)), plain, [place + 1 for place in plain])
    letters, starts, ends = [], [], []
    for match in _UNIT.finditer(text):
        unit = match[0]
        for letter in unit if unit.isascii() and len(unit) == 1 else _decoded(unit):
            letters.append(letter)
            starts.append(match.start())
            ends.append(match.end())
    return Letters("".join(letters), starts, ends)


def _decoded(unit: str) -> str:
    """Return the ASCII letters and digits that a character or an escape sequence stands for."""
    if unit.startswith("\\"):
        unit = chr(int(unit[2:], 16))
    elif len(unit) > 1:
        unit = unquote(unit) if unit.startswith("%") else unescape(unit)
    return "".join(letter for letter in normalize("NFKC", unit) if letter.isascii() and letter.isalnum())


def _base64_middles(content: bytes) -> Iterator[str]:
    """Yield for each alignment the part of the Base64 encoding that does not depend on the bytes around."""
    for offset in range(3):
        encoded = base64.b64encode(b"\0" * offset + content).decode()
        first, after = -(-8 * offset // 6), 8 * (offset + len(content)) // 6
        yield "".join(filter(str.isalnum, encoded[first:after]))


def _replace(text: str, found: list[Found]) -> str:
    result, end = "", 0
    for match in found:
        # What goes with one id may reach into the next.
        if match.end > end:
            result += text[end : max(end, match.start)] + match.stored_id
            end = match.end
    return result + text[end:]
