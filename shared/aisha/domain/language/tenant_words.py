"""A tenant's own words for record types: read as the standard words, and said in place of them."""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from aisha.domain.wording import plural

_STANDARD: Mapping[str, tuple[str, ...]] = {
    "lead": ("lead",),
    "contact": ("contact",),
    "account": ("account",),
    "opportunity": ("opportunity", "deal"),
    "activity": ("activity",),
    "note": ("note",),
}
"""The words for each type; the first is the one that a tenant's word is read as."""
# "Contact your admin", "to lead", "the last contact": words that are no record there.
_NO_RECORD = re.compile(r"(?:^|[.!?:\n]\s*|\b(?:to|last|please|in|take)\s+)$", re.IGNORECASE)
_ALSO_VERBS = frozenset(("contact", "lead", "note"))
_NEXT_WORD, _LAST_WORD = re.compile(r"\s{1,9}([\w'’-]{1,40})"), re.compile(r"([\w'’-]{1,40})\s{1,9}$")
_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)


class StandardText(Struct, frozen=True):
    """A text in which a tenant's words are the standard ones. `pieces` are its parts with what the user wrote there."""

    pieces: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        return "".join(standard for standard, _ in self.pieces)

    def original(self, value: str) -> str:
        """Return what the user wrote where `value` stands in the text; the value itself where it does not."""
        return _counterpart(self.pieces, value)

    def standard(self, value: str) -> str:
        """Return the standard words for a value that stands in what the user wrote, the reverse of `original`."""
        return _counterpart([(written, standard) for standard, written in self.pieces], value)


def _counterpart(pieces: Sequence[tuple[str, str]], value: str) -> str:
    """Return the second sides of the pieces in whose first sides a value stands; the value itself without any."""
    start = "".join(first for first, _ in pieces).casefold().find(value.casefold()) if value else -1
    if start < 0 or all(first == second for first, second in pieces):
        return value
    place, parts = 0, list[str]()
    for first, second in pieces:
        begin, end = max(start - place, 0), min(start + len(value) - place, len(first))
        if begin < end:
            # Within a replaced word there are no places in common, so it counts whole.
            parts.append(second[begin:end] if first == second else second)
        place += len(first)
    return "".join(parts)


class TenantWords:
    """The words of a tenant by record type, as in its profile: `{"opportunity": "mandate"}`."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        renamed = {kind: label.lower() for kind, label in labels.items() if kind in _STANDARD}
        self._said: dict[str, str] = {}
        self._read: dict[str, str] = {}
        for kind, label in renamed.items():
            for word in _STANDARD[kind]:
                self._said |= {word: label, plural(word): plural(label)}
            if label not in _STANDARD[kind]:
                self._read |= {label: _STANDARD[kind][0], plural(label): plural(_STANDARD[kind][0])}
        self._said_words, self._read_words = _any_of(self._said), _any_of(self._read)

    def standard(self, text: str) -> StandardText:
        """Return the text with the standard words, except in names."""
        pieces, place = list[tuple[str, str]](), 0
        for match in self._read_words.finditer(text) if self._read else ():
            if not _is_in_name(text, match):
                pieces += [(text[place : match.start()],) * 2, (self._read[match.group().lower()], match.group())]
                place = match.end()
        return StandardText((*pieces, (text[place:],) * 2))

    def own(self, text: str, sources: Iterable[str] = ()) -> str:
        """Return the text with the tenant's words, except in names and in what it quotes from `sources`."""
        if not self._said:
            return text
        quoted, parts, place = " ".join(sources).lower(), list[str](), 0
        for match in self._said_words.finditer(text):
            word = match.group().lower()
            if _is_in_name(text, match) or _is_verb(text, match) or _context(text, match) in quoted:
                continue
            before, label = text[place : match.start()], self._said[word]
            if article := _ARTICLE.search(before):
                fitting = "an" if label[0] in "aeiou" else "a"
                before = f"{before[: article.start()]}{fitting if article[1][0] == 'a' else fitting.title()} "
            parts += [before, label.capitalize() if match.group()[0].isupper() else label]
            place = match.end()
        return "".join([*parts, text[place:]])


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})\b", re.IGNORECASE)


def _is_in_name(text: str, match: re.Match[str]) -> bool:
    """Return whether a word with a capital letter stands beside another one, as in "Lead Systems"."""
    if not match.group()[0].isupper():
        return False
    near = (_LAST_WORD.search(text, 0, match.start()), _NEXT_WORD.match(text, match.end()))
    return any(word is not None and word[1][0].isupper() for word in near)


def _is_verb(text: str, match: re.Match[str]) -> bool:
    return match.group().lower() in _ALSO_VERBS and _NO_RECORD.search(text, 0, match.start()) is not None


def _context(text: str, match: re.Match[str]) -> str:
    """Return a word with its neighbours, in lower case."""
    last, following = _LAST_WORD.search(text, 0, match.start()), _NEXT_WORD.match(text, match.end())
    words = (last[1] if last else "", match.group(), following[1] if following else "")
    return " ".join(filter(None, words)).lower()
