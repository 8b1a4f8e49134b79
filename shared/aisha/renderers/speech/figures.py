"""Figures as they are said: "$12,500" is "12,500 dollars", "2026-03-02" is "March 2, 2026"."""

import re
from collections.abc import Callable
from datetime import date

from aisha.renderers.speech.languages import Language

_SYMBOLS = {"US$": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD", "R$": "BRL", "$": "USD", "€": "EUR", "£": "GBP"}
_SYMBOLS |= {"¥": "JPY", "₹": "INR", "zł": "PLN"}
_CODES = ("USD", "EUR", "GBP", "JPY", "INR", "CHF", "CAD", "AUD", "BRL", "PLN")
_SIGN = r"(?:(?P<minus>(?<![\w.,)])[-−–])\s?)?"
_NUMBER = r"\d+(?:[.,'’\u00a0\u202f]\d{3})*(?:[.,]\d+)?"
_SCALE = r"(?:\s?(?P<scale>[kKmMbB]|bn|mn|thousand|million|billion)\b)?"
_UNIT = "|".join([*(re.escape(symbol) for symbol in _SYMBOLS), *(rf"\b{code}\b" for code in _CODES)])
_RANGE = r"(?:\s?[-–—]\s?(?:(?:{unit})\s?)?(?P<to>{number}))?"
_BEFORE = re.compile(
    rf"{_SIGN}(?P<unit>{_UNIT})\s?(?P<amount>{_NUMBER}){_RANGE.format(unit=_UNIT, number=_NUMBER)}{_SCALE}"
    rf"(?:\s(?:{'|'.join(_CODES)})\b)?"
)
_AFTER = re.compile(
    rf"{_SIGN}(?<![\w.,])(?P<amount>{_NUMBER}){_RANGE.format(unit=_UNIT, number=_NUMBER)}{_SCALE}"
    rf"\s?(?P<unit>{'|'.join(re.escape(symbol) for symbol in _SYMBOLS if '$' not in symbol)}"
    rf"|\$(?!\d)|(?:{'|'.join(_CODES)})\b)(?!\w)"
)
_PERCENT = re.compile(rf"{_SIGN}(?P<amount>{_NUMBER})(?:\s?[-–—]\s?(?P<to>{_NUMBER}))?\s?%")
_NEGATIVE = re.compile(rf"(?:(?<=^)|(?<=[\s(:])) ?[-−](?P<amount>{_NUMBER})(?![\w-])")
_DATE = re.compile(
    r"(?<![0-9A-Za-z-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![0-9A-Za-z-])"
)
_BOUND = re.compile(r"(?P<sign>[<>≤≥])=?\s?(?=[-−]?[\d$€£¥₹])")
_SPAN = re.compile(r"(?<=\w)[–—](?=\d)")
_PLACE = re.compile(r"#(?=\d)")
_PRODUCT = re.compile(r"(?<=\d)\s?[*×]\s?(?=\d)")
_SCALES = {"thousand": "k", "million": "m", "mn": "m", "billion": "b", "bn": "b"}


def in_words(text: str, language: Language) -> str:
    """`text` with dates, amounts of money, percentages and signs as they are said in this language."""
    text = _BOUND.sub(lambda found: f"{language.bounds[found['sign'] in '>≥']} ", text)
    steps: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Language], str]], ...] = (
        (_DATE, _date),
        (_BEFORE, _money),
        (_AFTER, _money),
        (_PERCENT, _percent),
        (_NEGATIVE, _negative),
    )
    for pattern, said in steps:
        text = pattern.sub(lambda found, said=said: said(found, language), text)  # type: ignore[misc]
    text = _SPAN.sub(f" {language.up_to} ", text)
    text = _PLACE.sub(f"{language.number} ", text)
    return _PRODUCT.sub(f" {language.times} ", text)


def _money(found: re.Match[str], language: Language) -> str:
    unit = found["unit"]
    code = _SYMBOLS.get(unit, unit)
    scale = (found["scale"] or "").lower()
    amount, gap = _amount(found, language), language.gap
    if not scale:
        return f"{amount}{gap}{language.currency(code, found['to'] or found['amount'])}"
    word = language.scales[_SCALES.get(scale, scale)]
    return f"{amount}{gap}{word}{language.after_scale}{language.currency(code, '')}"


def _percent(found: re.Match[str], language: Language) -> str:
    return f"{_amount(found, language)}{language.gap}{language.percent}"


def _negative(found: re.Match[str], language: Language) -> str:
    return f"{language.minus} {found['amount']}"


def _amount(found: re.Match[str], language: Language) -> str:
    sign = f"{language.minus} " if found["minus"] else ""
    end = f" {language.up_to} {found['to']}" if found["to"] else ""
    return f"{sign}{found['amount']}{end}"


def _date(found: re.Match[str], language: Language) -> str:
    try:
        day = date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return found[0]
    said = language.date.format(day=day.day, month=language.months[day.month - 1], year=day.year)
    if found["hour"] is None:
        return said
    return f"{said}{language.at}{_time(int(found['hour']), found['minute'], language)}"


def _time(hour: int, minute: str, language: Language) -> str:
    if not language.clock_12h:
        return f"{hour}:{minute}"
    return f"{(hour - 1) % 12 + 1}:{minute} {'AM' if hour < 12 else 'PM'}"
