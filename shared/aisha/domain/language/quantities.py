"""Read quantities in digits and words: "$1.5m", "EUR 12.500,00", "half a million", "twenty percent"."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from aisha.domain.dates.number_words import ORDINAL_WORDS, below_hundred, cardinal
from aisha.domain.dates.tokens import Tokens, is_glued, word_at

_MAX_DIGITS = 15
_MAX_GROUPS = 6
_THOUSAND = 1_000
_VAGUE = {"couple": 2, "few": 3}
_SHARES = {"half": 0.5, "quarter": 0.25}


class Quantity(Struct, frozen=True):
    """A quantity at `tokens[first:after]`. `scale` is what its last number was multiplied by, 1 without a scale word.

    `is_plain` says that it has neither a mark of thousands nor a fraction, `in_words` that it is not in digits.
    """

    value: float
    first: int
    after: int
    scale: int = 1
    currency: str | None = None
    is_percent: bool = False
    is_plain: bool = True
    in_words: bool = False


@cache
def amount_words() -> Mapping[str, Any]:
    """Return the tables of `amount_words.toml`."""
    text = files("aisha.domain.language").joinpath("amount_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def words_of(name: str) -> frozenset[str]:
    return frozenset(amount_words()["words"][name])


@cache
def _scales() -> Mapping[str, int]:
    return {word: int(scale) for scale, words in amount_words()["scales"].items() for word in words.split()}


@cache
def _currencies() -> Mapping[str, str]:
    return {word: code for code, words in amount_words()["currencies"].items() for word in words.split()}


def read_quantity(tokens: Tokens, place: int) -> Quantity | None:
    """Return the quantity at a place, None if there is none."""
    currency, at = _currency(tokens, place) or (None, place)
    number = _digits(tokens, at, currency) or _words(tokens, at)
    if number is None:
        return None
    value, after, scale, is_plain, in_words = number
    scale, after = _scale(tokens, after, scale)
    suffix = _currency(tokens, after) if currency is None else None
    currency, after = suffix or (currency, after)
    percent = after + _percent_words(tokens, after)
    return Quantity(float(value * scale), place, percent, scale, currency, percent > after, is_plain, in_words)


def _currency(tokens: Tokens, place: int) -> tuple[str, int] | None:
    if word_at(tokens, place) == "us" and word_at(tokens, place + 1) == "$":
        return "USD", place + 2
    code = _currencies().get(word := word_at(tokens, place))
    # "Rs. 5,000" has a point that ends nothing.
    return (code, place + 1 + (word == "rs" and word_at(tokens, place + 1) == ".")) if code else None


def _percent_words(tokens: Tokens, place: int) -> int:
    if word_at(tokens, place) == "per" and word_at(tokens, place + 1) == "cent":
        return 2
    return int(word_at(tokens, place) in words_of("percent"))


def _scale(tokens: Tokens, place: int, scale: int) -> tuple[int, int]:
    """Return the scale with the words for it at a place, and the place after them: "thousand", "hundred grand"."""
    for _ in range(2):
        more = _scales().get(word_at(tokens, place))
        if more is None:
            break
        scale, place = scale * more, place + 1
    return scale, place


_Number = tuple[float, int, int, bool, bool]
"""A number before its scale, the place after it, its scale so far, whether it is plain, and whether it is in words."""


def _digits(tokens: Tokens, place: int, currency: str | None) -> _Number | None:
    if place >= len(tokens) or not tokens[place].is_number or not tokens[place].word.isdecimal():
        return None
    groups, marks = _groups(tokens, place)
    after = place + len(groups) + sum(mark in ".," for mark in marks)
    following = _currency(tokens, after)
    code = currency or (following and following[0])
    has_unit = bool(code) or word_at(tokens, after) in _scales() or _percent_words(tokens, after) > 0
    value = _value(groups, marks, code, has_scale=word_at(tokens, after) in _scales(), has_unit=has_unit)
    if value is None:
        # A list such as "3,5": only the first is read here.
        groups, after, value = groups[:1], place + 1, _value(groups[:1], [], code, has_scale=False, has_unit=False)
        if value is None or (is_glued(tokens, after + 1) and word_at(tokens, after) == "."):
            return None  # a version or an address
    # "2 and a half million".
    if [word_at(tokens, after + step) for step in range(3)] == ["and", "a", "half"] and word_at(
        tokens, after + 3
    ) in _scales():
        value, after = value + 0.5, after + 3
    return value, after, 1, len(groups) == 1, False


def _groups(tokens: Tokens, place: int) -> tuple[list[str], list[str]]:
    """Return the groups of digits of a number, and the marks between them: point, comma, apostrophe or blank."""
    groups, marks = [tokens[place].word], []
    at = place + 1
    while len(groups) < _MAX_GROUPS and at < len(tokens):
        token = tokens[at]
        if token.word in (".", ",") and token.is_glued and is_glued(tokens, at + 1) and tokens[at + 1].word.isdecimal():
            marks.append(token.word)
            at += 1
        # "12 500" or, as an apostrophe is no token, "12'500".
        elif token.word.isdecimal() and len(token.word) == 3 and token.start - tokens[at - 1].end <= 1:
            marks.append("'" if token.is_glued else " ")
        else:
            break
        groups.append(tokens[at].word)
        at += 1
    return groups, marks


def _value(
    groups: Sequence[str], marks: Sequence[str], code: str | None, *, has_scale: bool, has_unit: bool
) -> float | None:
    """Return the value of groups of digits, None if they are no single number."""
    # A code such as "007", or a number longer than any sum.
    if len("".join(groups)) > _MAX_DIGITS or (len(groups[0]) > 1 and groups[0][0] == "0"):
        return None
    if not marks:
        return float(groups[0])
    last, others = marks[-1], set(marks[:-1])
    size = len(groups[-1])
    if len(others) > 1 or (others and last not in others and last not in ".,"):
        return None
    # India parts hundreds of thousands and more by two digits: "1,42,500".
    is_indian = others == {","} and len(groups[0]) <= 2 and all(len(group) == 2 for group in groups[1:-1])
    is_thousands = is_indian or (len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:-1]))
    if last in others or (not others and size == 3 and _parts_thousands(last, groups, code, has_scale=has_scale)):
        # Blanks part thousands only in a sum of money or a round number: "12 500 euros", "50 000".
        is_sum = last != " " or bool(code) or groups[-1] == "000"
        return float("".join(groups)) if is_thousands and size == 3 and is_sum else None
    if (others and not is_thousands) or last not in ".,":
        return None
    # "3,5" may be a list; "3,5 %" and "3,5m" are decimals as continental Europe writes them.
    if last == "," and not others and not has_unit:
        return None
    return float(f"{''.join(groups[:-1])}.{groups[-1]}")


def _parts_thousands(mark: str, groups: Sequence[str], code: str | None, *, has_scale: bool) -> bool:
    """Return whether a mark before three digits parts thousands: a comma does, a point if it can't be a fraction."""
    if groups[0] == "0" or len(groups[0]) > 3:
        return False
    return mark != "." or not has_scale or code in words_of("point_for_thousands")


def _words(tokens: Tokens, place: int) -> _Number | None:
    """Return a number in words: "fifty thousand", "half a million", "two and a half", "a couple of hundred"."""
    word = word_at(tokens, place)
    after = place + (word in ("a", "an"))
    # "Half a million", before the cardinals, to which "a" would be a one.
    shared = _share(tokens, after)
    if shared is not None:
        return shared
    if word_at(tokens, after) in _VAGUE:
        at = after + 1 + (word_at(tokens, after + 1) == "of")
        return (_VAGUE[word_at(tokens, after)], at, 1, True, True) if word_at(tokens, at) in _scales() else None
    number = cardinal(tokens, place)
    if number is None:
        # "a m" is a part of "eleven a m".
        has_scale = after > place and len(word_at(tokens, after)) > 1 and word_at(tokens, after) in _scales()
        return (1, after, 1, True, True) if has_scale else None
    value, after = number
    following = [word_at(tokens, after + step) for step in range(4)]
    if following[:3] == ["and", "a", "half"] and following[3] in _scales():
        return value + 0.5, after + 3, 1, False, True
    # "Two point five million".
    if following[0] == "point" and (tenths := below_hundred(tokens, after + 1)) is not None:
        return float(f"{value}.{tenths[0]}"), tenths[1], 1, False, True
    if value % 10 == 0 and following[0] in ORDINAL_WORDS:
        return None  # "twenty first"
    scale = _scales().get(word_at(tokens, after - 1), 1)
    return value / scale, after, scale, True, True


def _share(tokens: Tokens, place: int) -> _Number | None:
    """Return a share of a scale: "half a million", "a quarter of a million", "quarter million"."""
    share = _SHARES.get(word_at(tokens, place))
    if share is None:
        return None
    after = place + 1 + (word_at(tokens, place + 1) == "of")
    after += word_at(tokens, after) in ("a", "an")
    return (share, after, 1, False, True) if _scales().get(word_at(tokens, after), 1) >= _THOUSAND else None
