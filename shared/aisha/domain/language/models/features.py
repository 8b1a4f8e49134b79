"""The features of tokens and segments: the same for the training and at run time."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from aisha.domain.language import words
from aisha.domain.language.tokens import Token

WINDOW = 2
NEAR, SOON = 6, 4
"""Words before and after a token that count wherever they stand."""
MAX_DISTANCE = 6
"""Distances are counted to here."""
_DIGIT = re.compile(r"\d")
_LETTER_RUNS = re.compile(r"[a-z]+")
_CAPITAL_RUNS = re.compile(r"[A-Z]+")
_ENDS = frozenset(".?!;")
_PAUSES = frozenset(",:-–—&/") | _ENDS
_JOINING = frozenset("and then also plus but so or oh".split())


@lru_cache(maxsize=20_000)
def _word_features(text: str, word: str, stem: str, kind: str) -> tuple[str, ...]:
    """Return the features of a token by itself."""
    if kind != "word":
        return (f"k={kind}", f"w={word if kind == 'mark' else _DIGIT.sub('0', word)[:8]}")
    features = [f"w={word}", f"s={stem}", f"h={_shape(text)}", "k=word"]
    features.append(f"c={words.clusters().get(word, '-')}")
    if word in words.first_names():
        features.append("first name")
    if words.is_common(word):
        features.append("common")
    else:
        features += [f"p={word[:3]}", f"x={word[-3:]}", "rare"]
    return tuple(features)


def _shape(text: str) -> str:
    """Return the pattern of capitals, letters and digits: "Xx", "X", "x", "Xx0"."""
    return _LETTER_RUNS.sub("x", _CAPITAL_RUNS.sub("X", _DIGIT.sub("0", text)))[:6]


def token_features(tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> list[list[str]]:
    """Return the features of each token in its surroundings.

    `marks` are further features of each token, from what other readers found: times, amounts, known names.
    """
    own = [_word_features(token.text, token.word, token.stem, token.kind) for token in tokens]
    rows = []
    since_end, since_colon, quoted = 0, MAX_DISTANCE, False
    for place, token in enumerate(tokens):
        row = ["bias", *own[place], *(f"m={mark}" for mark in marks[place])]
        for offset in range(-WINDOW, WINDOW + 1):
            other = place + offset
            if offset == 0:
                continue
            if 0 <= other < len(tokens):
                row += [f"{offset}{feature}" for feature in (own[other] if abs(offset) == 1 else own[other][:3])]
                row += [f"{offset}m={mark}" for mark in marks[other]]
            else:
                row.append(f"{offset}end")
        before = tokens[place - 1].word if place else "^"
        after = tokens[place + 1].word if place + 1 < len(tokens) else "$"
        further = tokens[place + 2].word if place + 2 < len(tokens) else "$"
        earlier = tokens[place - 2].word if place > 1 else "^"
        row += [
            f"b={before}|{token.word}",
            f"a={token.word}|{after}",
            f"aa={after}|{further}",
            f"bb={earlier}|{before}",
        ]
        row += [f"ba={before}|{after}", f"t={before}|{token.word}|{after}"]
        row += [f"near={near.word}" for near in tokens[max(0, place - NEAR) : place]]
        row += [f"soon={soon.word}" for soon in tokens[place + 1 : place + 1 + SOON]]
        row += [f"e={min(since_end, MAX_DISTANCE)}", f"l={min(since_colon, MAX_DISTANCE)}", f"q={quoted}"]
        rows.append(row)
        since_end = 0 if token.word in _ENDS else since_end + 1
        since_colon = 0 if token.word == ":" else since_colon + 1
        quoted = not quoted if token.word in ('"', "“", "”") else quoted
    return rows


def boundary_features(tokens: Sequence[Token], tags: Sequence[str]) -> list[list[str]]:
    """Return the features of each token as the first of a new segment."""
    own = [_word_features(token.text, token.word, token.stem, token.kind) for token in tokens]
    rows = []
    length = 0
    for place, token in enumerate(tokens):
        row = ["bias", *own[place], f"tag={tags[place]}", f"n={min(length, 8)}"]
        before = [tokens[place - back] if place >= back else None for back in (1, 2, 3)]
        after = [tokens[place + step] if place + step < len(tokens) else None for step in (1, 2, 3)]
        names = [one.word if one else "^" for one in before], [one.word if one else "$" for one in after]
        for offset, one in enumerate(before, 1):
            row += [f"-{offset}{feature}" for feature in (own[place - offset] if one else ("none",))]
        for offset, one in enumerate(after, 1):
            row += [f"+{offset}{feature}" for feature in (own[place + offset] if one else ("none",))]
            if one:
                row.append(f"+{offset}tag={tags[place + offset]}")
        if place:
            row.append(f"-1tag={tags[place - 1]}")
            inside = tags[place].startswith("I-")
            row.append(f"inside={inside}")
        pause = next((one.word for one in before if one and one.word in _PAUSES), "") if before[0] else "^"
        direct = bool(before[0] and before[0].word in _PAUSES)
        row += [
            f"w1={token.word}|{names[1][0]}",
            f"w2={token.word}|{names[1][0]}|{names[1][1]}",
            f"b1={names[0][0]}|{token.word}",
            f"b2={names[0][0]}|{token.word}|{names[1][0]}",
            f"pause={pause}|{direct}|{token.word}",
            f"joined={before[0] is not None and before[0].word in _JOINING}|{direct}",
            f"cc={words.clusters().get(token.word, '-')}|{names[0][0] if direct else '-'}",
        ]
        rows.append(row)
        length = 0 if token.word in _ENDS else length + 1
    return rows


def segment_features(tokens: Sequence[Token], tags: Sequence[str], *, is_first: bool, is_last: bool) -> list[str]:
    """Return the features of a segment for its act. Slots count by their tags, not by their words."""
    sequence, outside = _delexicalised(tokens, tags)
    features = {
        "bias",
        f"first={is_first}",
        f"last={is_last}",
        f"n={min(len(sequence) // 2, 8)}",
        f"m={min(len(outside), 8)}",
    }
    for token in outside:
        if token.kind == "word":
            features |= {f"w={token.word}", f"s={token.stem}", f"c={words.clusters().get(token.word, '-')}"}
            if not words.is_common(token.word):
                features |= {f"g={token.word[at : at + 4]}" for at in range(max(1, len(token.word) - 3))}
        else:
            features.add(f"w={token.word if token.kind == 'mark' else token.kind}")
    padded = ["^", *sequence, "$"]
    features |= {f"2={one}|{two}" for one, two in pairwise(padded)}
    features |= {f"3={one}|{two}|{three}" for one, two, three in zip(padded, padded[1:], padded[2:], strict=False)}
    features |= {f"k2={one}|{two}" for one, two in zip(padded, padded[2:], strict=False)}
    content = [piece for piece in sequence if piece not in _FILLERS]
    for size in (1, 2, 3):
        features.add(f"start{size}={'|'.join(content[:size])}")
        features.add(f"begin{size}={'|'.join(sequence[:size])}")
    features.add(f"end={'|'.join(sequence[-2:])}")
    present = {tag[2:] for tag in tags if tag != "O"}
    features |= {f"has={tag}" for tag in present} | {
        f"not={tag}" for tag in ("name", "new", "text", "when") if tag not in present
    }
    features.add(f"tags={'+'.join(sorted(present))}")
    features |= {
        f"tc={tag}|{words.clusters().get(token.word, '-')}"
        for tag in present
        for token in outside
        if token.kind == "word"
    }
    return sorted(features)


_FILLERS = frozenset(
    "and so then also please just can could would will you , . ! hey hi ok okay um uh oh well i need want like to "
    "the a an me my for maybe quickly".split()
)


def _delexicalised(tokens: Sequence[Token], tags: Sequence[str]) -> tuple[list[str], list[Token]]:
    """Return the stems with one `<tag>` for each slot, and the tokens outside of slots."""
    sequence: list[str] = []
    outside: list[Token] = []
    for token, tag in zip(tokens, tags, strict=True):
        if tag == "O":
            sequence.append(token.stem if token.kind in ("word", "mark") else f"<{token.kind}>")
            outside.append(token)
        elif tag.startswith("B-") or not sequence or sequence[-1] != f"<{tag[2:]}>":
            sequence.append(f"<{tag[2:]}>")
        if tag in ("B-ref", "I-ref", "B-field", "I-field", "B-value", "I-value"):
            outside.append(token)
    return sequence, outside
