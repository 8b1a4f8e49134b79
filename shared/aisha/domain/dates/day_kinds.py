"""The kinds of values in phrases of days: ordinals, dates in digits, years, quarters, lengths of time."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from aisha.domain.dates.lengths import FIRST_WORDS, read_length, read_number
from aisha.domain.dates.number_words import ORDINAL_WORDS, digits, ordinal, ordinal_word
from aisha.domain.dates.phrases import DIGITS, Kind
from aisha.domain.dates.tokens import Tokens, ends_freely, is_glued, word_at


def _year(tokens: Tokens, place: int) -> tuple[int, int] | None:
    parsed = digits(tokens, place)
    return parsed if parsed and 1990 <= parsed[0] <= 2099 and ends_freely(tokens, parsed[1]) else None


def _day_of_month(tokens: Tokens, place: int) -> tuple[int, int] | None:
    parsed = ordinal(tokens, place)
    if parsed is None and (parsed := digits(tokens, place)) is not None:
        after = parsed[1]
        # "March 15%" and "May 2026" have no day of the month.
        if len(tokens[place].word) > 2 or not ends_freely(tokens, after) or word_at(tokens, after) == "%":
            return None
        # The 3 of "3:30" and of "3/14" belongs to a clock time or a date.
        if word_at(tokens, after) in (":", "/") and is_glued(tokens, after):
            return None
    return parsed if parsed and 1 <= parsed[0] <= 31 else None


def _nth(tokens: Tokens, place: int) -> tuple[int, int] | None:
    if word_at(tokens, place) == "last":
        return -1, place + 1
    parsed = ordinal(tokens, place)
    # A month has a fifth Friday at most.
    return parsed if parsed and parsed[0] <= 5 else None


def _late_ordinal_word(tokens: Tokens, place: int) -> tuple[int, int] | None:
    """Return an ordinal in words from the fourth on: "the first" to "the third" mostly are no days."""
    parsed = ordinal_word(tokens, place)
    return parsed if parsed and 4 <= parsed[0] <= 31 else None


def _early_ordinal_word(tokens: Tokens, place: int) -> tuple[int, int] | None:
    parsed = ordinal_word(tokens, place)
    return parsed if parsed and parsed[0] < 4 else None


def _ordinal_in_digits(tokens: Tokens, place: int) -> tuple[int, int] | None:
    return ordinal(tokens, place) if place < len(tokens) and tokens[place].is_number else None


def _numeric_date(tokens: Tokens, place: int) -> tuple[tuple[int | None, int, int], int] | None:
    """Return year or None, month and day of 2026-03-14, 3/14/2026 (the month first) or 14.3. (the day first).

    With hyphens the year comes first, or the day is one that no month is: 15-05-2026.
    """
    parts, mark, after = _joined_numbers(tokens, place)
    sizes = tuple(map(len, parts))
    if mark == "-" and sizes == (4, 2, 2):
        return (int(parts[0]), int(parts[1]), int(parts[2])), after
    # "3-4" and "10-12-14" may be ranges, versions or anything.
    is_unclear = mark == "-" and not (sizes[1:] == (2, 4) and len(parts[0]) <= 2 and int(parts[0]) > 12)
    if is_unclear or len(parts) < 2 or max(sizes[:2]) > 2 or (len(parts) == 3 and sizes[2] not in (2, 4)):
        return None
    # "14.3." is a date and "14.3" a number; "14.3.2026" ends without a point.
    if mark == "." and (len(parts) == 2) != (tokens[after - 1].word == "."):
        return None
    if mark == "/" and tokens[after - 1].word == "/":
        return None
    year = int(parts[2]) if len(parts) == 3 else None
    year = year + 2000 if year is not None and year < 100 else year
    first, second = int(parts[0]), int(parts[1])
    is_day_first = mark == "." or (year is not None and first > 12)
    month, day = (second, first) if is_day_first else (first, second)
    try:
        # 2000 has a February 29.
        date(year or 2000, month, day)
    except ValueError:
        return None
    return (year, month, day), after


def _joined_numbers(tokens: Tokens, place: int) -> tuple[list[str], str, int]:
    """Return up to three numbers in digits, the mark that joins them, and the place after them."""
    numbers: list[str] = []
    after, mark = place, ""
    while after < len(tokens) and tokens[after].is_number and (not numbers or is_glued(tokens, after)):
        numbers.append(tokens[after].word)
        after += 1
        following = word_at(tokens, after)
        is_other = following not in ("-", "/", ".") or (mark and following != mark)
        if len(numbers) == 3 or is_other or not is_glued(tokens, after):
            break
        mark = following
        after += 1
    return numbers, mark, after


def _iso(tokens: Tokens, place: int) -> tuple[datetime, int] | None:
    """Return the instant of ISO 8601, which is one token; naive if it has no offset."""
    word = word_at(tokens, place)
    # Only an instant has a colon: dates alone are read by `_numeric_date`.
    if ":" not in word:
        return None
    try:
        # `fromisoformat` takes only a capital Z.
        return datetime.fromisoformat(word.upper()), place + 1
    except ValueError:
        return None


def _quarter(tokens: Tokens, place: int) -> tuple[int, int] | None:
    return _lettered(tokens, place, "q", 4)


def _half_year(tokens: Tokens, place: int) -> tuple[int, int] | None:
    return _lettered(tokens, place, "h", 2)


def _lettered(tokens: Tokens, place: int, letter: str, highest: int) -> tuple[int, int] | None:
    """Return the number after a letter: the 3 of "Q3"."""
    if word_at(tokens, place) != letter or not is_glued(tokens, place + 1):
        return None
    parsed = digits(tokens, place + 1)
    return parsed if parsed and 1 <= parsed[0] <= highest else None


def _short_unit(tokens: Tokens, place: int) -> tuple[str, int] | None:
    word = word_at(tokens, place)
    return (word, place + 1) if word in ("hour", "minute", "fortnight") else None


def _weeks(tokens: Tokens, place: int) -> tuple[Any, int] | None:
    parsed = read_length(tokens, place)
    return parsed if parsed and parsed[0].unit in ("week", "fortnight") else None


_DIGITS = frozenset((DIGITS,))
_ORDINALS = ORDINAL_WORDS | _DIGITS
DAY_KINDS: Mapping[str, Kind] = {
    "digits": Kind(digits, _DIGITS),
    "number": Kind(read_number, FIRST_WORDS),
    "length": Kind(read_length, FIRST_WORDS),
    "weeks": Kind(_weeks, FIRST_WORDS),
    "short_unit": Kind(_short_unit, frozenset(("hour", "minute", "fortnight"))),
    "ordinal": Kind(_ordinal_in_digits, _DIGITS),
    "ordinal_word": Kind(_late_ordinal_word, _ORDINALS),
    "early_ordinal_word": Kind(_early_ordinal_word, _ORDINALS),
    "nth": Kind(_nth, _ORDINALS | {"last"}),
    "day_of_month": Kind(_day_of_month, _ORDINALS),
    "year": Kind(_year, _DIGITS),
    "numeric_date": Kind(_numeric_date, _DIGITS),
    "iso": Kind(_iso, _DIGITS),
    "quarter": Kind(_quarter, frozenset(("q",))),
    "half_year": Kind(_half_year, frozenset(("h",))),
}
