"""Read whole numbers in words: "seven", "twenty-five", "a hundred and ten", "two hundred thousand"."""

from aisha.domain.dates.tokens import Tokens, word_at

_SMALL = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
} | {"fourty": 40}
SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
NUMBER_WORDS = frozenset((*_SMALL, *_TENS))
"""The words with which a number may begin."""
_MAX_DIGITS = 4
_ORDINALS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
        " fifteenth sixteenth seventeenth eighteenth nineteenth".split(),
        start=1,
    )
} | {"twentieth": 20, "thirtieth": 30}
ORDINAL_WORDS = frozenset((*_ORDINALS, "twenty", "thirty"))
"""The words with which an ordinal below forty may begin."""
_SUFFIXES = frozenset(("st", "nd", "rd", "th"))

Number = tuple[int, int]
"""A number, and the place after it."""


def digits(tokens: Tokens, place: int) -> Number | None:
    """Return a number of up to four digits."""
    if place >= len(tokens) or not tokens[place].is_number or len(tokens[place].word) > _MAX_DIGITS:
        return None
    return int(tokens[place].word), place + 1


def below_hundred(tokens: Tokens, place: int) -> Number | None:
    """Return a number in words from 0 to 99."""
    word = word_at(tokens, place)
    if word in _SMALL:
        return _SMALL[word], place + 1
    if word not in _TENS:
        return None
    after = place + 1 + (word_at(tokens, place + 1) == "-")
    unit = _SMALL.get(word_at(tokens, after), 0)
    return (_TENS[word] + unit, after + 1) if 0 < unit < 10 else (_TENS[word], place + 1)


def below_thousand(tokens: Tokens, place: int) -> Number | None:
    """Return a number in words from 0 to 999, or a number of hundreds such as "twelve hundred"."""
    # "a" is an article, and a one only before "hundred".
    number = (1, place + 1) if word_at(tokens, place) == "a" else below_hundred(tokens, place)
    if number is None or word_at(tokens, number[1]) not in ("hundred", "hundreds"):
        return None if word_at(tokens, place) == "a" else number
    value, after = number[0] * 100, number[1] + 1
    rest = below_hundred(tokens, after + (word_at(tokens, after) == "and"))
    return (value + rest[0], rest[1]) if rest and rest[0] else (value, after)


def cardinal(tokens: Tokens, place: int) -> Number | None:
    """Return a number in words below a thousand billions: "two hundred thousand", "one million three hundred"."""
    total, after, bound = 0, place, 1_000_000_000_000
    while (part := below_thousand(tokens, after)) is not None:
        scale = SCALES.get(word_at(tokens, part[1]), 1)
        # Scales fall: "two thousand three million" is two numbers.
        if scale >= bound:
            break
        total, bound = total + part[0] * scale, scale
        after = part[1] + (scale > 1)
        if scale == 1:
            break
        if word_at(tokens, after) == "and" and below_thousand(tokens, after + 1):
            after += 1
    return (total, after) if after > place else None


def ordinal(tokens: Tokens, place: int) -> Number | None:
    """Return an ordinal below a hundred in digits ("3rd"), or below forty in words ("twenty-first")."""
    number = digits(tokens, place)
    if number is not None:
        is_ordinal = word_at(tokens, number[1]) in _SUFFIXES and tokens[number[1]].is_glued and number[0] < 100
        return (number[0], number[1] + 1) if is_ordinal else None
    return ordinal_word(tokens, place)


def ordinal_word(tokens: Tokens, place: int) -> Number | None:
    """Return an ordinal below forty in words."""
    word = word_at(tokens, place)
    if word in _ORDINALS:
        return _ORDINALS[word], place + 1
    if word in ("twenty", "thirty"):
        after = place + 1 + (word_at(tokens, place + 1) == "-")
        unit = _ORDINALS.get(word_at(tokens, after), 0)
        return (_TENS[word] + unit, after + 1) if 0 < unit < 10 else None
    return None
