"""Sums of money and other numbers, each with the bound that was said: "over 50k"."""

import re

from msgspec import Struct

from aisha.adapters.llm.offline.tokens import masked


class Amount(Struct, frozen=True):
    """A sum of money or a plain number with a bound. `relation`: more, less or None."""

    value: float
    relation: str | None
    start: int
    end: int
    money: bool


_AMOUNT = re.compile(
    r"(?:[$€£]\s?(?P<a>\d[\d,]*(?:\.\d+)?)\s?(?P<ak>k|m|mm|million|thousand)?(?!\w))"
    r"|(?:(?<![\w.])(?P<b>\d[\d,]*(?:\.\d+)?)\s?(?P<bk>k|mm|m|million|thousand|grand)(?!\w))"
    r"|(?:(?<![\w.])(?P<c>\d[\d,]*(?:\.\d+)?)\s?(?:dollars?|usd|eur|euros?|bucks)(?!\w))",
    re.IGNORECASE,
)


_WORTH = re.compile(
    r"(?:worth|valued\s+at|value(?:\s+of|\s+is|\s+to)?|amount(?:\s+of|\s+is|\s+to)?|budget(?:\s+of|\s+is)?|price[d]?(?:\s+at)?)\s*:?\s*(?:about\s+|around\s+|over\s+|roughly\s+)?$",
    re.IGNORECASE,
)


_NUMBER = re.compile(r"(?<![\w.$€£])(\d[\d,]*(?:\.\d+)?)(?![\w@]|\.\d)")


_BOUND_MORE = re.compile(
    r"(?:over|above|more than|greater than|bigger than|larger than|at least|minimum(?: of)?|min|exceeding|north of|upwards of|from|>=?|higher than|worth more than)\s*$",
    re.IGNORECASE,
)


_BETWEEN = re.compile(r"\bbetween\s*(?P<and>[^a-z]*\s+(?:and|to)\s*)?[$€£]?$", re.IGNORECASE)


_OR_MORE = re.compile(
    r"\S+\s*(?:\+|plus\b|(?:or|and)\s+(?:more|better|higher|above|over|up|greater|bigger)\b)", re.IGNORECASE
)


_OR_LESS = re.compile(r"\S+\s*(?:or|and)\s+(?:less|lower|below|under|smaller|fewer)\b", re.IGNORECASE)


_BOUND_LESS = re.compile(
    r"(?:under|below|less than|smaller than|at most|maximum(?: of)?|max|up to|south of|<=?|lower than|cheaper than)\s*$",
    re.IGNORECASE,
)


_SAME_UNIT = re.compile(
    r"\b(?:between|from)\s*[$€£]?(?P<n>\d[\d,]*)(?=\s*(?:and|to|-)\s*[$€£]?\d[\d,.]*\s?(?P<unit>k|m|thousand|million)\b)",
    re.IGNORECASE,
)
"""In "between 50 and 100k" both are thousands."""


def sums_in(text: str) -> tuple[list[Amount], list[Amount], str]:
    """Sums of money, other numbers, and the text with blanks in their places."""
    amounts: list[Amount] = []
    numbers: list[Amount] = []
    if match := _SAME_UNIT.search(text):
        scale = 1_000_000 if match["unit"].lower().startswith("m") else 1_000
        value = float(match["n"].replace(",", "")) * scale
        amounts.append(Amount(value, "more", match.start("n"), match.end("n"), True))
        text = masked(text, *match.span("n"))
    for match in _AMOUNT.finditer(text):
        digits = float((match["a"] or match["b"] or match["c"]).replace(",", ""))
        unit = (match["ak"] or match["bk"] or "").lower()
        value = digits * (1_000_000 if unit.startswith("m") else 1_000 if unit else 1)
        amounts.append(Amount(value, _bound(text, match.start()), match.start(), match.end(), True))
        text = masked(text, *match.span())
    for match in _NUMBER.finditer(text):
        number = float(match.group(1).replace(",", ""))
        is_sum = _WORTH.search(text[: match.start()]) is not None
        found = amounts if is_sum else numbers
        found.append(Amount(number, _bound(text, match.start()), match.start(), match.end(), is_sum))
        text = masked(text, *match.span())
    return amounts, numbers, text


def _bound(text: str, start: int) -> str | None:
    ahead = text[:start].rstrip()
    behind = text[start:]
    if _BOUND_MORE.search(ahead) or _OR_MORE.match(behind):
        return "more"
    if match := _BETWEEN.search(ahead):
        return "more" if match["and"] is None else "less"
    return "less" if _BOUND_LESS.search(ahead) or _OR_LESS.match(behind) else None
