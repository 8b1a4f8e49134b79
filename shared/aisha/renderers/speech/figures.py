"""Figures as they are read aloud in English: "$12,500" is "12,500 dollars", "2026-03-02" is "March 2, 2026".

In other languages figures stay as they are written: the synthesizer reads them.
"""

import re
from calendar import month_name
from collections.abc import Callable
from datetime import datetime

from aisha.renderers.speech.languages import ENGLISH, Language

_SYMBOLS = {"US$": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD", "R$": "BRL", "$": "USD", "€": "EUR", "£": "GBP"}
_SYMBOLS |= {"¥": "JPY", "₹": "INR", "zł": "PLN"}
_CURRENCIES = {
    "USD": ("dollar", "dollars"),
    "EUR": ("euro", "euros"),
    "GBP": ("pound", "pounds"),
    "JPY": ("yen", "yen"),
    "INR": ("rupee", "rupees"),
    "CHF": ("Swiss franc", "Swiss francs"),
    "CAD": ("Canadian dollar", "Canadian dollars"),
    "AUD": ("Australian dollar", "Australian dollars"),
    "BRL": ("real", "reais"),
    "PLN": ("zloty", "zlotys"),
}
_SCALES = {"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion"}
_CODE = "|".join(_CURRENCIES)
# A minus that is no hyphen and no part of a range: "-$5", not "3-$5".
_SIGN = r"(?:(?P<minus>(?<![\w.,)])[-−–])\s?)?"
# Groups of three in any country's way, then decimals: 12,500.00, 12.500,00, 12'500, 12 500 with a no-break space.
_NUMBER = r"\d{1,30}(?:[.,'’\u00a0\u202f]\d{3}){0,10}(?:[.,]\d{1,20})?"
_SCALE = r"(?:\s?(?P<scale>[kKmMbB]|bn|mn|thousand|million|billion)\b)?"
_UNIT = "|".join([*map(re.escape, _SYMBOLS), rf"\b(?:{_CODE})\b"])
# "-10" of "$5-10", " - $10" of "$5 - $10".
_RANGE = rf"(?:\s?[-–—]\s?(?:(?:{_UNIT})\s?)?(?P<to>{_NUMBER}))?"
# "$5k", "USD 5-10", "$99.99 USD"
_UNIT_BEFORE = re.compile(rf"{_SIGN}(?P<unit>{_UNIT})\s?(?P<amount>{_NUMBER}){_RANGE}{_SCALE}(?:\s(?:{_CODE})\b)?")
# "20 EUR", "5 €"; a dollar sign in front of a digit belongs to the next amount.
_UNIT_AFTER = re.compile(
    rf"{_SIGN}(?<![\w.,])(?P<amount>{_NUMBER}){_RANGE}{_SCALE}"
    rf"\s?(?P<unit>{'|'.join(re.escape(symbol) for symbol in _SYMBOLS if '$' not in symbol)}"
    rf"|\$(?!\d)|(?:{_CODE})\b)(?!\w)"
)
_PERCENT = re.compile(rf"{_SIGN}(?P<amount>{_NUMBER})(?:\s?[-–—]\s?(?P<to>{_NUMBER}))?\s?%")
# "-5" at the beginning or after a space, a bracket or a colon; not "2026-5".
_NEGATIVE = re.compile(rf"(?:(?<=^)|(?<=[\s(:])) ?[-−](?P<amount>{_NUMBER})(?![\w-])")
# An ISO date, with or without a time; its zone is not said.
_DATE = re.compile(
    r"(?<![0-9A-Za-z-])(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:[T ](?P<time>\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![0-9A-Za-z-])"
)
# ">= 80", "<$500"; a ">" before a word is no comparison.
_BOUND = re.compile(r"(?P<sign>[<>≤≥])=?\s?(?=[-−]?[\d$€£¥₹])")
# "9–5", "Q1–2".
_SPAN = re.compile(r"(?<=\w)[–—](?=\d)")
# "#3".
_PLACE = re.compile(r"#(?=\d)")
_PRODUCT = re.compile(r"(?<=\d)\s?[*×]\s?(?=\d)")


def in_words(text: str, language: Language) -> str:
    """Return `text` with comparison signs in words and, in English, dates, money, percentages and signs, too."""
    text = _BOUND.sub(lambda match: f"{language.bounds[match['sign'] in '>≥']} ", text)
    if language is not ENGLISH:
        return _PRODUCT.sub(" × ", text)
    # In this order: a date's hyphens would look like minus signs, the number of an amount of money like a plain one.
    steps: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
        (_DATE, _date),
        (_UNIT_BEFORE, _money),
        (_UNIT_AFTER, _money),
        (_PERCENT, lambda match: f"{_amount(match)} percent"),
        (_NEGATIVE, r"minus \g<amount>"),
        (_SPAN, " to "),
        (_PLACE, "number "),
        (_PRODUCT, " times "),
    )
    for pattern, words in steps:
        text = pattern.sub(words, text)
    return text


def _money(match: re.Match[str]) -> str:
    singular, plural = _CURRENCIES[_SYMBOLS.get(match["unit"], match["unit"])]
    if scale := (match["scale"] or "").lower():
        return f"{_amount(match)} {_SCALES.get(scale, scale)} {plural}"
    return f"{_amount(match)} {singular if (match['to'] or match['amount']) == '1' else plural}"


def _amount(match: re.Match[str]) -> str:
    sign = "minus " if match["minus"] else ""
    end = f" to {match['to']}" if match["to"] else ""
    return f"{sign}{match['amount']}{end}"


def _date(match: re.Match[str]) -> str:
    try:
        moment = datetime.fromisoformat(f"{match['day']}T{match['time'] or '00:00'}")
    # Not a date, such as 2026-13-45: it stays as it is.
    except ValueError:
        return match[0]
    day = f"{month_name[moment.month]} {moment.day}, {moment.year}"
    return f"{day} at {moment.hour % 12 or 12}:{moment:%M %p}" if match["time"] else day
