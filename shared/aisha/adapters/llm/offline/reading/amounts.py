"""Find sums of money and other numbers, each with its bound: "over 50k"."""

import re

from msgspec import Struct

from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.tokens import blank_out

# "$1.5 million", "50k", "20 dollars": a currency sign, a unit or a currency word makes a sum.
_AMOUNT = pattern(
    r"(?:[$€£]\s?(?P<a>\d[\d,]*(?:\.\d+)?)\s?(?P<ak>k|m|mm|million|thousand)?(?!\w))"
    r"|(?:(?<![\w.])(?P<b>\d[\d,]*(?:\.\d+)?)\s?(?P<bk>k|mm|m|million|thousand|grand)(?!\w))"
    r"|(?:(?<![\w.])(?P<c>\d[\d,]*(?:\.\d+)?)\s?(?:dollars?|usd|eur|euros?|bucks)(?!\w))"
)
# A plain number after "worth" or "budget of" is a sum of money, too.
_WORTH = pattern(
    r"(?:worth|valued at|value(?: of| is| to)?|amount(?: of| is| to)?|budget(?: of| is)?|price[d]?(?: at)?)\s*:?\s*"
    r"(?:about |around |over |roughly )?$"
)
_NUMBER = re.compile(r"(?<![\w.$€£])(\d[\d,]*(?:\.\d+)?)(?![\w@]|\.\d)")
_BOUND_MORE = pattern(
    r"(?:over|above|more than|greater than|bigger than|larger than|at least|minimum(?: of)?|min|exceeding|north of"
    r"|upwards of|from|>=?|higher than|worth more than)\s*$"
)
_BETWEEN = pattern(r"\bbetween\s*(?P<and>[^a-z]* (?:and|to)\s*)?[$€£]?$")
_OR_MORE = pattern(r"\S+\s*(?:\+|plus\b|(?:or|and) (?:more|better|higher|above|over|up|greater|bigger)\b)")
_OR_LESS = pattern(r"\S+\s*(?:or|and) (?:less|lower|below|under|smaller|fewer)\b")
_BOUND_LESS = pattern(
    r"(?:under|below|less than|smaller than|at most|maximum(?: of)?|max|up to|south of|<=?|lower than|cheaper than)\s*$"
)
_SAME_UNIT = pattern(
    r"\b(?:between|from)\s*[$€£]?(?P<n>\d[\d,]*)"
    r"(?=\s*(?:and|to|-)\s*[$€£]?\d[\d,.]*\s?(?P<unit>k|m|thousand|million)\b)"
)
"""Recognises a shared unit: in "between 50 and 100k" both are thousands."""


class Amount(Struct, frozen=True):
    """A sum of money or a plain number. `relation` is its bound: "more", "less" or None."""

    value: float
    relation: str | None
    start: int
    end: int
    money: bool


def find_amounts(text: str) -> tuple[list[Amount], list[Amount], str]:
    """Return the sums of money, the other numbers, and the text with both blanked out."""
    amounts: list[Amount] = []
    numbers: list[Amount] = []
    # Read first: by itself the "50" of "between 50 and 100k" would be a plain number.
    if match := _SAME_UNIT.search(text):
        scale = 1_000_000 if match["unit"].lower().startswith("m") else 1_000
        value = float(match["n"].replace(",", "")) * scale
        amounts.append(Amount(value, "more", match.start("n"), match.end("n"), True))
        text = blank_out(text, *match.span("n"))
    for match in _AMOUNT.finditer(text):
        digits = float((match["a"] or match["b"] or match["c"]).replace(",", ""))
        unit = (match["ak"] or match["bk"] or "").lower()
        value = digits * (1_000_000 if unit.startswith("m") else 1_000 if unit else 1)
        amounts.append(Amount(value, _bound(text, match.start()), match.start(), match.end(), True))
        text = blank_out(text, *match.span())
    for match in _NUMBER.finditer(text):
        number = float(match.group(1).replace(",", ""))
        is_sum = _WORTH.search(text[: match.start()]) is not None
        target = amounts if is_sum else numbers
        target.append(Amount(number, _bound(text, match.start()), match.start(), match.end(), is_sum))
        text = blank_out(text, *match.span())
    return amounts, numbers, text


def _bound(text: str, start: int) -> str | None:
    ahead = text[:start].rstrip()
    behind = text[start:]
    if _BOUND_MORE.search(ahead) or _OR_MORE.match(behind):
        return "more"
    # "between 10 and 20": the first number is the lower bound, the one after "and" the upper.
    if match := _BETWEEN.search(ahead):
        return "more" if match["and"] is None else "less"
    return "less" if _BOUND_LESS.search(ahead) or _OR_LESS.match(behind) else None
