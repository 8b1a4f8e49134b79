"""Wishes that no tool fulfils: an honest sentence for each, with the nearest thing that can be done.

A wish is recognised by its words, which `assets/reader/refusals.toml` lists by topic.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from msgspec import Struct
from rapidfuzz.distance import OSA

from aisha.domain.language import words

_MAX_WORDS_APART = 12
_BEGINNING = "^"
_MAX_PHRASE_WORDS = 5
_MIN_STEM_LENGTH, _MAX_STEM_LENGTH = 3, 16
_MAX_WORDS = 1_500
_MAX_NAMED_WORDS = 8
_MIN_CORRECTED_LENGTH = 7
"""Shorter words are one slip away from too many others."""
_MAX_CORRECTED_MESSAGE = 400
"""Longer messages are read as they are spelt, which takes time linear in their length."""
_PIECE = re.compile(
    r"(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)|(?P<number>\d+(?:[.,]\d+)*)|(?P<sign>[%+*×÷])|(?P<end>[.?!;\n])"
)
# In the data, a sign goes on after `|` on an indented line, and ends before a line that is not indented.
_BROKEN, _SIGN_END = re.compile(r"\|\n\s*"), re.compile(r"\n(?=\S)")
_IS = frozenset("what who how where when it that there he she".split())
"""Words after which 's stands for "is"; after any other word it is a possessive."""


class _Data(Struct, frozen=True):
    """The topics by number. Keys are words, stems ("translat*") and phrases ("for_me")."""

    replies: tuple[str, ...]
    topics: tuple[int, ...]
    """Of each sign its topic."""
    sizes: tuple[int, ...]
    """Of each sign how many parts it has."""
    parts: Mapping[str, tuple[tuple[int, tuple[int, ...]], ...]]
    """The signs that a key belongs to, with the parts that it can fill in each."""
    unless: Mapping[str, frozenset[int]]
    """The topics that are not meant where a key stands."""
    keys: frozenset[str]
    first: frozenset[str]
    ordinary: frozenset[int]
    """The topics to which the general exclusions apply."""
    certain: frozenset[int]
    """The topics whose signs mean nothing else, however a message was read."""
    vocabulary: tuple[str, ...]


def refusal_for(text: str, *, is_certain: bool = False) -> str | None:
    """Return why a wish can't be fulfilled and what can be done instead; None if it is no known wish of this kind.

    With `is_certain`, only what can be no other wish is refused.
    """
    topic = _topic_of(text, ())
    if topic is None and len(text) <= _MAX_CORRECTED_MESSAGE:
        topic = _topic_of(text, _data().vocabulary)
    is_refused = topic is not None and (not is_certain or topic in _data().certain)
    return _data().replies[topic] if topic is not None and is_refused else None


def unknown(not_understood: Sequence[str] = ()) -> str:
    """Return a sentence that names the words that were not understood, at most eight, and what can be done."""
    texts = _file()["unknown"]
    if not not_understood:
        return str(texts["reply"])
    shown_words = " ".join(not_understood[:_MAX_NAMED_WORDS])
    ellipsis = "…" if len(not_understood) > _MAX_NAMED_WORDS else ""
    return str(texts["words"]).replace("{words}", shown_words + ellipsis)


def _topic_of(text: str, vocabulary: tuple[str, ...]) -> int | None:
    """Return the topic with the most words in one sentence. Words near those of `vocabulary` are taken for them."""
    best, max_covered = None, 0
    for sentence in _sentences(text, vocabulary):
        topic, covered = _best_sign(sentence)
        if covered > max_covered:
            best, max_covered = topic, covered
    return best


def _best_sign(sentence: Sequence[str]) -> tuple[int | None, int]:
    """Return the topic of the sign that covers most words, the first of equals, and how many it covers."""
    data = _data()
    filled: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    """For each sign: where each part was met last, and how many words it covers."""
    count_by_topic: dict[int, int] = defaultdict(int)
    sizes = data.sizes
    excluded = set(data.ordinary if sentence[1] in data.first else ())
    for place, key, length in _keys(sentence):
        if key in data.unless:
            excluded |= data.unless[key]
        for sign, parts in data.parts.get(key, ()):
            places = filled[sign]
            part = parts[0] if len(parts) == 1 else min(parts, key=lambda number: places.get(number, (-1, 0)))
            places[part] = (place, length)
            if len(places) == sizes[sign] and all(place - other <= _MAX_WORDS_APART for other, _ in places.values()):
                count_by_topic[data.topics[sign]] = max(
                    count_by_topic[data.topics[sign]], sum(count for _, count in places.values())
                )
    allowed = [(covered, -topic) for topic, covered in count_by_topic.items() if topic not in excluded]
    covered, topic = max(allowed, default=(0, 0))
    return (-topic, covered) if covered else (None, 0)


def _keys(sentence: Sequence[str]) -> Iterator[tuple[int, str, int]]:
    """Yield the known words, stems and phrases of a sentence: where they begin, the key, and the number of words."""
    data = _data()
    for place, word in enumerate(sentence):
        for end in range(_MIN_STEM_LENGTH, min(len(word), _MAX_STEM_LENGTH) + 1):
            if (stem := f"{word[:end]}*") in data.keys:
                yield place, stem, 1
        phrase = word
        for length in range(1, _MAX_PHRASE_WORDS + 1):
            if phrase in data.keys:
                yield place, phrase, length
            if place + length >= len(sentence):
                break
            phrase = f"{phrase}_{sentence[place + length]}"


def _sentences(text: str, vocabulary: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the words of each sentence in normal form; numbers are "#"."""
    sentence = [_BEGINNING]
    for match in islice(_PIECE.finditer(text), _MAX_WORDS):
        if match["end"]:
            if len(sentence) > 1:
                yield sentence
            sentence = [_BEGINNING]
        elif match["word"]:
            sentence += _normal(_corrected(match["word"].lower(), vocabulary))
        else:
            sentence.append("#" if match["number"] else "percent" if match["sign"] == "%" else match["sign"])
    if len(sentence) > 1:
        yield sentence


def _corrected(word: str, vocabulary: tuple[str, ...]) -> str:
    """Return the word of `vocabulary` that is one slip away, or the word itself."""
    near = words.corrected(word, vocabulary) if vocabulary else word
    return near if OSA.distance(word, near) == 1 else word


def _normal(word: str) -> list[str]:
    """Return a word without chat spelling: "whats" is "what is", "Ann's" is "ann"."""
    normal: list[str] = []
    for piece in words.normal_form(word.replace("’", "'")).split():
        base, apostrophe, ending = piece.partition("'")
        if apostrophe and ending == "s" and base != "let":
            normal += [base, "is"] if base in _IS else [base]
        else:
            normal.append(piece)
    return normal


@cache
def _file() -> dict[str, Any]:
    path = files("aisha").joinpath("assets", "reader", "refusals.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def _data() -> _Data:
    file = _file()
    topics = file["topic"]
    ordinary = frozenset(number for number, topic in enumerate(topics) if not topic.get("always"))
    signs = [(number, pieces) for number, topic in enumerate(topics) for pieces in _signs(topic["signs"])]
    parts = _parts([pieces for _, pieces in signs], file["groups"])
    unless: dict[str, set[int]] = defaultdict(set)
    for number, topic in enumerate(topics):
        for key in topic.get("unless", "").split():
            unless[key].add(number)
    for key in file["unless"].split():
        unless[key] |= ordinary
    return _Data(
        replies=tuple(topic["reply"] for topic in topics),
        topics=tuple(number for number, _ in signs),
        sizes=tuple(len(pieces) for _, pieces in signs),
        parts=parts,
        unless={key: frozenset(numbers) for key, numbers in unless.items()},
        keys=frozenset((*parts, *unless)),
        first=frozenset(file["first"].split()),
        ordinary=ordinary,
        certain=frozenset(number for number, topic in enumerate(topics) if topic.get("certain")),
        vocabulary=tuple(sorted(key for key in parts if key.isalpha() and len(key) >= _MIN_CORRECTED_LENGTH)),
    )


def _parts(
    signs: Sequence[Sequence[str]], groups: Mapping[str, str]
) -> dict[str, tuple[tuple[int, tuple[int, ...]], ...]]:
    """Return the signs that each key belongs to, by number, with the parts that it can fill in each."""
    by_key: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, pieces in enumerate(signs):
        for part, piece in enumerate(pieces):
            for key in _alternatives(piece, groups):
                by_key[key][number].append(part)
    return {key: tuple((sign, tuple(parts)) for sign, parts in of_key.items()) for key, of_key in by_key.items()}


def _signs(text: str) -> Iterator[list[str]]:
    """Yield the parts of each sign. An indented line belongs to the sign before it."""
    for sign in _SIGN_END.split(_BROKEN.sub("|", text.strip())):
        yield sign.split()


def _alternatives(piece: str, groups: Mapping[str, str]) -> Iterator[str]:
    """Yield the words of a part of a sign, with each word of a group in the place of its name."""
    for alternative in piece.split("|"):
        name = next((name for name in groups if f"{{{name}}}" in alternative), None)
        if name is None:
            yield alternative
        else:
            yield from (alternative.replace(f"{{{name}}}", word) for word in groups[name].split())
