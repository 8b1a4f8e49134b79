"""Match phrases of time, whose words and forms are data (`time_words.toml`), against the tokens of a text.

A form has no repetition, and each value is read once at a place: the time that it takes grows with the text's length.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from aisha.domain.dates.tokens import Token, Tokens, ends_freely, is_glued, word_at

DIGITS = "0"
"""Stands for all numbers in digits among the words with which a form may begin."""
_ELEMENT = re.compile(
    r"(?P<not>!)?(?:(?P<name>[a-z_]+)[=:])?(?:<(?P<kind>[a-z_]+)>|(?P<words>[^\s?<>]+))(?P<optional>\?)?"
)
_MAX_TOKENS = 14
"""Maximum number of tokens in a phrase."""

Values = Mapping[str, Any]
Found = tuple[Any, int] | None
"""A value and the place after it, None if there is none."""
Read = Callable[[Tokens, int], Found]


class Kind(Struct, frozen=True):
    """A kind of value in a form. `read` returns the value at a place.

    `first` are the words with which it may begin; None if it takes no token, but looks at those around.
    """

    read: Read
    first: frozenset[str] | None


class Element(Struct, frozen=True):
    """An element of a form: one of some words, or a value of a kind, kept under `name` unless that is empty."""

    words: frozenset[str]
    kind: str
    name: str
    is_optional: bool
    is_negated: bool


class Form(Struct, frozen=True):
    """A form of a phrase. `means` names what resolves its values.

    `needed` are the first words of each element that must be there, for a quick look before matching.
    """

    means: str
    elements: tuple[Element, ...]
    needed: tuple[frozenset[str], ...] = ()


class Phrase(Struct, frozen=True):
    """A phrase at `tokens[first:after]`, with the values of its form."""

    means: str
    values: Values
    first: int
    after: int


class Text:
    """The tokens of a text, with what was read at each place."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.read: dict[tuple[str, int], Found] = {}
        self._keys = tuple(map(_key_of, tokens))
        self._window: tuple[int, frozenset[str]] = (-1, frozenset())

    def key(self, place: int) -> str:
        """Return what a form at a place is looked up by: the word, or `DIGITS` for any number in digits."""
        return self._keys[place]

    def window(self, place: int) -> frozenset[str]:
        """Return the keys from a place on, as far as a phrase can reach."""
        if self._window[0] != place:
            self._window = place, frozenset(self._keys[place : place + _MAX_TOKENS])
        return self._window[1]


class Grammar:
    """Forms by group. A group is also a kind, whose values are its phrases, so that forms of others can build on it."""

    def __init__(self, groups: Mapping[str, Mapping[str, Sequence[str]]], kinds: Mapping[str, Kind]) -> None:
        """Raise ValueError for a malformed form, and KeyError for an unknown kind."""
        self._kinds = kinds
        self._groups: dict[str, dict[str, list[Form]]] = {}
        for group, phrases in groups.items():
            by_first: dict[str, list[Form]] = defaultdict(list)
            for form in (_form(means, text) for means, texts in phrases.items() for text in texts):
                needed = [
                    self._first_of(element)
                    for element in form.elements
                    if not (element.is_optional or element.is_negated)
                ]
                looked_at = Form(form.means, form.elements, tuple(sorted(filter(None, needed), key=len)))
                for word in self._first_words(form.elements):
                    by_first[word].append(looked_at)
            self._groups[group] = dict(by_first)

    def longest(self, group: str, text: Text, place: int) -> Phrase | None:
        """Return the longest phrase of a group at a place; of several, that of the first form."""
        forms = self._groups[group].get(text.key(place))
        best: Phrase | None = None
        for form in _possible(forms, text.window(place)) if forms else ():
            for after, values in self._match(form.elements, 0, text, place):
                is_longer = after > (best.after if best else place)
                if is_longer and text.key(after - 1) != "," and ends_freely(text.tokens, after):
                    best = Phrase(form.means, values, place, after)
        return best

    def _first_of(self, element: Element) -> frozenset[str] | None:
        """Return the keys with which an element may begin, None if it takes no token."""
        if element.kind in self._groups:
            return frozenset(self._groups[element.kind])
        words = self._kinds[element.kind].first if element.kind else element.words
        return None if words is None else frozenset(DIGITS if word.isdecimal() else word for word in words)

    def _first_words(self, elements: Sequence[Element]) -> frozenset[str]:
        words: frozenset[str] = frozenset()
        for element in elements:
            first = None if element.is_negated else self._first_of(element)
            words |= first or frozenset()
            if first is not None and not element.is_optional:
                break
        return words

    def _match(self, elements: Sequence[Element], at: int, text: Text, place: int) -> Iterator[tuple[int, Values]]:
        """Generate the ends and values of the ways in which the elements from `at` match at a place."""
        if at == len(elements):
            yield place, {}
            return
        element = elements[at]
        if element.is_negated:
            if self._read(element, text, place) is None:
                yield from self._match(elements, at + 1, text, place)
            return
        parsed = self._read(element, text, place)
        if parsed is None and at and self._takes_hyphen(element, text.tokens, place):
            parsed = self._read(element, text, place + 1)
        if parsed is not None:
            for end, values in self._match(elements, at + 1, text, parsed[1]):
                yield end, {**values, element.name: parsed[0]} if element.name else values
        if element.is_optional:
            yield from self._match(elements, at + 1, text, place)

    def _takes_hyphen(self, element: Element, tokens: Tokens, place: int) -> bool:
        """Return whether a hyphen stands before the element: "mid-March", "30-minute"."""
        return word_at(tokens, place) == "-" and is_glued(tokens, place) and self._first_of(element) is not None

    def _read(self, element: Element, text: Text, place: int) -> Found:
        if not element.kind:
            word = word_at(text.tokens, place)
            return (word, place + 1) if word in element.words else None
        key = element.kind, place
        if key not in text.read:
            text.read[key] = self._read_kind(element.kind, text, place)
        return text.read[key]

    def _read_kind(self, kind: str, text: Text, place: int) -> Found:
        if kind not in self._groups:
            return self._kinds[kind].read(text.tokens, place)
        phrase = self.longest(kind, text, place) if place < len(text.tokens) else None
        return (phrase, phrase.after) if phrase else None


def _possible(forms: Sequence[Form], window: frozenset[str]) -> Iterator[Form]:
    """Generate the forms of which all that is needed stands in the window."""
    for form in forms:
        for words in form.needed:
            if window.isdisjoint(words):
                break
        else:
            yield form


def _key_of(token: Token) -> str:
    return DIGITS if token.is_number else token.word


def _form(means: str, text: str) -> Form:
    return Form(means, tuple(map(_element, text.split())))


def _element(text: str) -> Element:
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no element of a form")
    words = frozenset((match["words"] or "").split("|")) - {""}
    name = "" if match["not"] else match["name"] or match["kind"] or ""
    return Element(words, match["kind"] or "", name, bool(match["optional"]), bool(match["not"]))


@cache
def load(name: str) -> dict[str, Any]:
    """Return a TOML file of this package."""
    return tomllib.loads(files("aisha.domain.dates").joinpath(name).read_text(encoding="utf-8"))


@cache
def words_of_times() -> frozenset[str]:
    """Return the words that stand for a value in times: "wks", "fri", "eom"."""
    tables = load("time_words.toml")["words"].values()
    return frozenset(word for table in tables for words in table.values() for word in words.split())


def synonyms(table: Mapping[str, str]) -> dict[str, Any]:
    """Return each word of a table with the value that it stands for, which is an integer if it is a number."""
    return {
        word: int(value) if value.lstrip("-").isdecimal() else value
        for value, words in table.items()
        for word in words.split()
    }
