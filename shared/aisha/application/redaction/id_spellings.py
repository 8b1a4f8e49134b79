"""Known ids in other spellings, written as they are stored: `lead_01J…`.

A model that was told to hide or to send an id writes it without its prefix, in lower case, with other separators, in
pieces, backwards or encoded. The ids that it can know are those of its prompt, so they are looked for whatever stands
between their characters. Works on a stream: text that may be the beginning of one is held back.
"""

import base64
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from html import unescape
from itertools import compress, count
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from aisha.domain.ids import ULID

MAX_KNOWN = 300
"""Ids that are looked for, the latest ones."""
_MAX_HELD = 800
_PREFIX_LENGTH, _HEAD_LENGTH = 8, 3
"""First letters of a spelling by which it is looked for, and those by which places are found; all are longer."""
_STORED = re.compile(rf"^([a-z]+)_({ULID})(?:\.({ULID}))?$", re.IGNORECASE)
# What stands for one character of an id; everything else between two of them is passed over. A percent sign before an
# id itself, which begins with 0, is no code.
_UNIT = re.compile(
    r"%[2-7][0-9A-Fa-f]|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});"
    r"|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})|[^\W_]|[\u249c-\u24e9\U0001f110-\U0001f149]"
)
_CUT_UNIT = re.compile(r"(?:%[0-9A-Fa-f]?|&#?[0-9A-Za-z]{0,8}|\\(?:u[0-9A-Fa-f]{0,3}|x[0-9A-Fa-f]?)?)$")
_MAX_UNIT = 10
# What is to be decoded: the beginnings of codes, and letters beyond ASCII.
_CODES, _OTHER_LETTERS = re.compile(r"[%&\\]"), re.compile(r"[^\W\x00-\x7f]|[\u249c-\u24e9\U0001f110-\U0001f149]")
_ASCII_MARKS = bytes(code for code in range(128) if not chr(code).isalnum())
# The last word with the marks of an address, of Markdown and of encodings, so that an id's prefix is held with it.
_LAST_WORD = re.compile(r"[0-9A-Za-z_.:/%&#;*`~+=\\\u00ad\u200b-\u200f\u2060\ufeff\uff10-\uff5a-]{1,160}+$")
_OTHER_KIND = re.compile(r"[A-Za-z]{2,20}\\?_$")
_BASE64 = re.compile(r"[0-9A-Za-z+/=_-]{0,40}")


class Letters:
    """The letters and digits of a text, decoded, and in capitals, and where each stands in the text."""

    def __init__(self, written: str) -> None:
        self._written = written
        self._is_plain = not _CODES.search(written) and (written.isascii() or not _OTHER_LETTERS.search(written))
        if self._is_plain:
            self.text = written.encode("ascii", "ignore").translate(None, _ASCII_MARKS).decode()
        else:
            self.text = "".join(letter for letter, _ in _decoded_letters(written))
        self.folded = self.text.upper()

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The start and the end of each letter in the text; nearly no text has an id for which they are needed."""
        if self._is_plain:
            return [(place, place + 1) for place in compress(count(), map(str.isalnum, self._written))]
        return [place for _, place in _decoded_letters(self._written)]


class Spelling(NamedTuple):
    """A way to write an id. With `is_encoded`, letters before and after may belong to the same encoding."""

    stored_id: str
    is_reversed: bool = False
    is_encoded: bool = False


class Match(NamedTuple):
    """A place of a text that has an id in another spelling."""

    start: int
    end: int
    stored_id: str


class Spellings:
    """All spellings of one kind, which are looked for by their beginnings."""

    def __init__(self, spellings: Mapping[str, Spelling]) -> None:
        self.forms = spellings
        self.beginnings = {form[:length] for form in spellings for length in range(1, _PREFIX_LENGTH + 1)}
        self._heads = {form[:_HEAD_LENGTH] for form in spellings}
        self._sorted = sorted(spellings)

    def places_in(self, text: str) -> list[int]:
        """Return the places where a spelling may begin; a text without ids has nearly none."""
        # A piece of a stream is too short for heads; in a whole text they rule nearly all places out.
        places = range(len(text)) if len(text) < 2 * len(self._heads) else self._places_of_heads(text)
        return [place for place in places if text[place : place + _PREFIX_LENGTH] in self.beginnings]

    def _places_of_heads(self, text: str) -> Iterator[int]:
        for head in self._heads:
            place = text.find(head)
            while place >= 0:
                yield place
                place = text.find(head, place + 1)
        # One or two letters at the end may begin a spelling, too.
        yield from range(max(0, len(text) - _HEAD_LENGTH + 1), len(text))

    def continue_with(self, beginning: str) -> bool:
        """Return whether one of the spellings begins like this and is longer."""
        after = bisect_right(self._sorted, beginning)
        return after < len(self._sorted) and self._sorted[after].startswith(beginning)


class Index(NamedTuple):
    """The spellings of the known ids: those that hold in any case, by their capitals, and those in which it counts.

    `lengths` are those of all spellings, the shortest first.
    """

    folded: Spellings
    exact: Spellings
    lengths: list[int]


class IdSpellings:
    """Writes the known ids of one text, which comes in pieces, as they are stored.

    The keys of `names` are the ids in lower case.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._index = _index_of((*names,)[-MAX_KNOWN:])
        self._waiting = ""

    def feed(self, piece: str) -> str:
        """Return the text that can be passed on now; it may be empty."""
        if not self._index.lengths:
            return piece
        text = self._waiting + piece
        # A single word is held anyway.
        if _LAST_WORD.fullmatch(text):
            self._waiting = text
            return ""
        # The end of a code that is cut off would be read as other letters.
        cut_unit = _CUT_UNIT.search(text, max(0, len(text) - _MAX_UNIT))
        read = text[: cut_unit.start()] if cut_unit else text
        letters = Letters(read)
        places = self._places(letters)
        cut = self._cut(read, letters, places)
        if len(text) - cut > _MAX_HELD:
            cut = len(text)
        matches = list(self._matches(text, letters, places))
        for match in matches:
            # Its encoding may go on.
            if match.end > cut:
                cut = min(cut, match.start)
        self._waiting = text[cut:]
        return _replace(text[:cut], [match for match in matches if match.end <= cut])

    def flush(self) -> str:
        """Return the text that is still held back."""
        text, self._waiting = self._waiting, ""
        return self.whole(text)

    def whole(self, text: str) -> str:
        """Return a text that is complete."""
        if not text or not self._index.lengths:
            return text
        letters = Letters(text)
        return _replace(text, list(self._matches(text, letters, self._places(letters))))

    def _places(self, letters: Letters) -> list[int]:
        in_any_case, as_written = self._index.folded, self._index.exact
        return sorted({*in_any_case.places_in(letters.folded), *as_written.places_in(letters.text)})

    def _cut(self, text: str, letters: Letters, places: list[int]) -> int:
        """Return the index from which the end of the text may be the beginning of an id."""
        cut, longest = len(text), self._index.lengths[-1]
        for place in places:
            if len(letters.text) - place < longest and (
                self._index.folded.continue_with(letters.folded[place:])
                or self._index.exact.continue_with(letters.text[place:])
            ):
                cut = letters.places[place][0]
                break
        word = _LAST_WORD.search(text, max(0, cut - 160), cut)
        return word.start() if word else cut

    def _matches(self, text: str, letters: Letters, places: list[int]) -> Iterator[Match]:
        folded, exact, end = self._index.folded.forms, self._index.exact.forms, 0
        for place in places:
            if place < end:
                continue
            for length in self._index.lengths:
                spelling = folded.get(letters.folded[place : place + length])
                spelling = spelling or exact.get(letters.text[place : place + length])
                if spelling is not None:
                    end = place + length
                    yield _with_kind(text, letters, place, end, spelling)
                    break


@lru_cache(maxsize=4)
def _index_of(stored_ids: tuple[str, ...]) -> Index:
    folded: dict[str, Spelling] = {}
    exact: dict[str, Spelling] = {}
    for stored in stored_ids:
        for in_any_case, as_written in _spellings(stored):
            folded.update(in_any_case)
            exact.update(as_written)
    return Index(Spellings(folded), Spellings(exact), sorted({len(form) for form in (*folded, *exact)}))


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


def _with_kind(text: str, letters: Letters, first: int, after: int, spelling: Spelling) -> Match:
    """Return the place of the id, extended by its prefix and by the rest of its encoding."""
    kind = spelling.stored_id.partition("_")[0].upper()
    start, end = letters.places[first][0], letters.places[after - 1][1]
    if spelling.is_encoded:
        while start and _BASE64.fullmatch(text[start - 1]):
            start -= 1
        match = _BASE64.match(text, end)
        end = match.end() if match else end
    elif spelling.is_reversed and letters.text[after : after + len(kind)].upper() == kind[::-1]:
        end = letters.places[after + len(kind) - 1][1]
    elif not spelling.is_reversed and letters.text[max(0, first - len(kind)) : first].upper() == kind:
        # "the lead 01J…" is a word and an id.
        if not any(map(str.isspace, text[letters.places[first - 1][1] : start])):
            start = letters.places[first - len(kind)][0]
    elif not spelling.is_reversed and (other := _OTHER_KIND.search(text, max(0, start - 24), start)):
        start = other.start()
    return Match(start, end, spelling.stored_id)


def _decoded_letters(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the letters and digits of a text, each with the start and the end of what stands for it."""
    for match in _UNIT.finditer(text):
        unit = match[0]
        for letter in unit if unit.isascii() and len(unit) == 1 else _decoded(unit):
            yield letter, match.span()


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


def _replace(text: str, matches: list[Match]) -> str:
    result, end = "", 0
    for match in matches:
        # What goes with one id may reach into the next.
        if match.end > end:
            result += text[end : max(end, match.start)] + match.stored_id
            end = match.end
    return result + text[end:]
