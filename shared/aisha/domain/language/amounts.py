"""Find amounts: sums of money, percentages and other numbers, each with its bound: "over 50k", "40 to 60k", "20%"."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.dates.lengths import read_length
from aisha.domain.dates.parsing import find_times
from aisha.domain.dates.tokens import Tokens, ends_freely, is_glued, split, starts_freely, word_at
from aisha.domain.language.quantities import Quantity, amount_words, read_quantity, words_of

_ANY_DAY = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
"""Any day: the place of a time in a text does not depend on it."""
# Telephone numbers: "+49 30 123456", "07700 900316", "(212) 555 1234" and "555-1234". "1.250.000" is a sum.
_PHONE = re.compile(
    r"(?<![\w.])(?!\d{1,2}(?:\.\d{3}){2,3}(?![\w-]|\.\d))"
    r"(?:\+\d[\d ().-]{5,20}\d|0\d{2,5}(?:[ .-]\d{2,8}){1,4}|\(?\d{1,4}\)?(?:[ .-]\(?\d{2,4}\)?){2,4}"
    r"|\d{3}[ -]\d{4})(?![\w-])"
)
_CONNECTORS = frozenset(["-", "to", "–", "—"])
_MAY_FOLLOW = frozenset(["+", "-", "–", "—"])
_PARTING = frozenset(["/", ":"])
_MAX_BOUND_WORDS = 5
_MAX_WORDS_BETWEEN = 3
_MAX_WORDS_BEFORE = 12
"""A verb of changing is looked for so many words before a range."""
_MIN_IN_WORDS = 13
"""A smaller number in words is an amount only with a unit or a bound: not in "one of the two"."""
_THOUSAND = 1_000
_YEARS = range(1900, 2100)


class Amount(Struct, frozen=True):
    """An amount at `text[start:end]`. `relation` is its bound: more, less or None. `currency` is its code, if any.

    20% has the value 20. A number without a currency is money by its scale ("50k") or a word before it ("worth 900").
    """

    value: float
    relation: str | None
    start: int
    end: int
    is_money: bool
    currency: str | None = None
    is_percent: bool = False
    is_strict: bool = False
    """True for a bound that leaves out the amount itself: "over 50k", not "at least 50k"."""
    reach: tuple[int, int] = (0, 0)
    """The start and end, together with what is counted and the words that make it a bound: "80 points or more"."""


def find_amounts(text: str) -> list[Amount]:
    """Return every amount in `text`, in order. Times, lengths of time, ordinals, years and phone numbers are none."""
    tokens = split(text)
    is_taken = _mask(text)
    amounts: list[Amount] = []
    place = 0
    while place < len(tokens):
        first = _quantity(tokens, place)
        if first is None:
            # The 3 of "3 weeks" is passed together with its unit.
            place = _after_length(tokens, place) or place + 1
            continue
        bounds = _range(tokens, first) or (_bound(tokens, first),)
        parsed = (_amount(tokens, bound, is_taken) for bound in bounds)
        amounts += [amount for amount in parsed if amount]
        place = bounds[-1].quantity.after
    return amounts


class _Bound(Struct, frozen=True):
    """A quantity with its relation, and the places where the words for it begin and end."""

    quantity: Quantity
    relation: str | None
    start: int
    after: int = 0
    is_strict: bool = False


def _mask(text: str) -> bytearray:
    """Return for each character 1 if it is in a time or a telephone number, else 0."""
    mask = bytearray(len(text))
    times = ((span.start, span.end) for span in find_times(text, _ANY_DAY))
    for start, end in (*times, *(match.span() for match in _PHONE.finditer(text))):
        mask[start:end] = b"\1" * (end - start)
    return mask


def _amount(tokens: Tokens, bound: _Bound, is_taken: bytearray) -> Amount | None:
    """Return the amount of a quantity, None if it is none."""
    quantity, relation = bound.quantity, bound.relation
    start, end = tokens[quantity.first].start, tokens[quantity.after - 1].end
    is_worth = _is_worth(tokens, bound.start)
    is_counted = word_at(tokens, quantity.after) in words_of("counted")
    if not _has_unit(quantity) and (any(is_taken[start:end]) or not (is_worth or relation or _stands_alone(quantity))):
        return None
    # "50k" is money, "50k employees" is not.
    has_scale = quantity.scale >= _THOUSAND and not is_counted
    is_money = not quantity.is_percent and (bool(quantity.currency) or has_scale or (is_worth and not is_counted))
    after = max(bound.after, quantity.after + (word_at(tokens, quantity.after) in words_of("counted")))
    reach = tokens[bound.start].start, tokens[after - 1].end
    currency, is_percent = quantity.currency, quantity.is_percent
    return Amount(quantity.value, relation, start, end, is_money, currency, is_percent, bound.is_strict, reach)


def _has_unit(quantity: Quantity) -> bool:
    return bool(quantity.currency) or quantity.is_percent or quantity.scale > 1


def _stands_alone(quantity: Quantity) -> bool:
    """Return whether a number is an amount without a unit or a bound: no year such as 2026, no "one" or "two"."""
    if quantity.in_words:
        return quantity.value >= _MIN_IN_WORDS
    return not (quantity.is_plain and quantity.value in _YEARS)


def _after_length(tokens: Tokens, place: int) -> int | None:
    """Return the place after a length of time, whose number is no amount: "3 weeks"."""
    length = read_length(tokens, place) if starts_freely(tokens, place) else None
    return length[1] if length and ends_freely(tokens, length[1]) else None


def _quantity(tokens: Tokens, place: int) -> Quantity | None:
    """Return the quantity at a place, unless it is a part of another word or number, or a length of time."""
    return _standing_free(tokens, place) if starts_freely(tokens, place) else None


def _standing_free(tokens: Tokens, place: int) -> Quantity | None:
    quantity, after_length = read_quantity(tokens, place), _after_length(tokens, place)
    if quantity is None or (after_length and quantity.after <= after_length):
        return None
    after = quantity.after
    if is_glued(tokens, after) and word_at(tokens, after) not in _MAY_FOLLOW and not ends_freely(tokens, after):
        return None
    # "24/7" and "3:1" have no amounts.
    if is_glued(tokens, after) and word_at(tokens, after) in _PARTING and is_glued(tokens, after + 1):
        return None
    after += word_at(tokens, after) == "-"
    # "Thanks a million", "thanks a ton".
    is_idiom = word_at(tokens, place) == "a" and word_at(tokens, place - 1) in words_of("thanks")
    return None if is_idiom or word_at(tokens, after) in words_of("no_amount") else quantity


def _range(tokens: Tokens, first: Quantity) -> tuple[_Bound, _Bound] | None:
    """Return the ends of a range that begins with a quantity: "40 to 60k", "between $5 and $10", "80-90%"."""
    connector, before = word_at(tokens, first.after), word_at(tokens, first.first - 1)
    if connector not in _CONNECTORS and not (connector == "and" and before == "between"):
        return None
    second = _standing_free(tokens, first.after + 1)
    # The one of "this one to 20%" is a pronoun.
    is_pronoun = first.in_words and first.value == 1 and before not in ("between", "from")
    if second is None or is_pronoun or _is_phone(tokens, first, second):
        return None
    first, second = _with_same_unit(first, second)
    # "From 80 to 40" is a change, or two numbers: no range.
    if first.value > second.value:
        return None
    start = first.first - (before in ("between", "from"))
    # "Raise it from 40k to 60k" names the old and the new sum.
    is_change = before != "between" and connector == "to" and _changes(tokens, first.first)
    relations = (None, None) if is_change else ("more", "less")
    return _Bound(first, relations[0], start), _Bound(second, relations[1], start)


def _with_same_unit(first: Quantity, second: Quantity) -> tuple[Quantity, Quantity]:
    """Return two ends of a range with the same unit: in "40 to 60k" both are thousands."""
    is_percent = first.is_percent or second.is_percent
    currency = first.currency or second.currency
    scale = second.scale if first.scale == 1 and first.value < second.value / second.scale else first.scale
    value = first.value * scale if first.scale == 1 else first.value
    first = replace(first, value=value, scale=scale, currency=currency, is_percent=is_percent)
    return first, replace(second, currency=currency, is_percent=is_percent)


def _is_phone(tokens: Tokens, first: Quantity, second: Quantity) -> bool:
    """Return whether two numbers with a hyphen are a telephone number such as 555-1234."""
    words = tokens[first.after - 1].word, tokens[second.after - 1].word
    return tokens[first.after].is_glued and (len(words[0]), len(words[1])) == (3, 4)


def _changes(tokens: Tokens, place: int) -> bool:
    words = words_of("changing")
    return any(token.word in words for token in tokens[max(0, place - _MAX_WORDS_BEFORE) : place])


def _bound(tokens: Tokens, quantity: Quantity) -> _Bound:
    """Return the quantity with what the words before or after it make of it: "at least 5", "5 or more"."""
    place = quantity.first
    for start in _backwards(tokens, place):
        for size in range(min(_MAX_BOUND_WORDS, start), 0, -1):
            words = tuple(token.word for token in tokens[start - size : start])
            relation = _bounds("before").get(words)
            # "Past 5" may be a time and "from 5" a place: such words are bounds only of "50k" or "5%".
            if relation and (_has_unit(quantity) or words[0] not in words_of("doubtful_bounds")):
                return _Bound(quantity, relation, start - size, is_strict=words in _strict())
    for after in _forwards(tokens, quantity.after):
        for size in range(_MAX_BOUND_WORDS, 0, -1):
            words = tuple(token.word for token in tokens[after : after + size])
            if relation := _bounds("after").get(words):
                return _Bound(quantity, relation, place, after + len(words))
    return _Bound(quantity, None, place)


def _forwards(tokens: Tokens, place: int) -> Iterator[int]:
    """Generate a place and the one after what is counted there: "500 employees and up", "50k or so and up"."""
    yield place
    if word_at(tokens, place) in words_of("counted"):
        yield place + 1
    elif (word_at(tokens, place), word_at(tokens, place + 1)) == ("or", "so"):
        yield place + 2


def _is_worth(tokens: Tokens, place: int) -> bool:
    """Return whether a word before a place makes the number there a sum of money: "worth 900", "budget of 5,000"."""
    return any(word_at(tokens, start - 1) in words_of("worth") for start in _backwards(tokens, place))


def _backwards(tokens: Tokens, place: int) -> Iterator[int]:
    """Generate a place and those before it, past words that may stand between a number and what is said of it."""
    yield place
    for start in range(place - 1, max(-1, place - 1 - _MAX_WORDS_BETWEEN), -1):
        if tokens[start].word not in words_of("between"):
            return
        yield start


@cache
def _strict() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words.split()) for words in amount_words()["strict"]["words"])


@cache
def _bounds(where: str) -> Mapping[tuple[str, ...], str]:
    table = amount_words()[where]
    return {tuple(words.split()): relation for relation in ("more", "less") for words in table[relation]}
