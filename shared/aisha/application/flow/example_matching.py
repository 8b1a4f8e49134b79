"""Finds a named flow in a sentence by its examples, where no model reads it."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct

from aisha.domain.dates.parsing import find_times
from aisha.domain.mail import MAIL_ADDRESS_IN_TEXT
from aisha.domain.records import SUBJECT_TYPES, ActivityType

_PART = re.compile(r"\[(?P<optional>[^\]]*)\]|\((?P<one>[^)]*)\)|\{(?P<slot>\w+)\}|(?P<word>[^\s\[({]+)")
_POLITE = r"(?:(?:please|can you|could you|would you|i want to|i'd like to|let's|hey aisha|aisha)\W+)*"
_AMOUNT = re.compile(r"[$€£]?\s*(?P<number>\d[\d,.']*)\s*(?P<unit>k|thousand|m|mio|million)?\b", re.IGNORECASE)
_UNITS = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "mio": 1_000_000, "million": 1_000_000}
_GAP = r"(?:\W+|$)"
_SLOTS = {
    "amount": r"[$€£]?\s*\d[\d,.']*\s*(?:k|thousand|mio|million|m)?\s*(?:usd|eur|dollars?|euros?|bucks)?",
    "activity_type": r"(?:" + "|".join(ActivityType) + r")",
    "email": MAIL_ADDRESS_IN_TEXT,
}


class Phrase(Struct, frozen=True):
    """What a sentence said: names of records to look up by kind, and values by parameter."""

    records: Mapping[str, str]
    values: Mapping[str, Any]


def matched(example: str, sentence: str, now: datetime) -> Phrase | None:
    """What the slots of the example are in the sentence; None when it says something else."""
    match = _compiled(example).fullmatch(" ".join(sentence.split()))
    if match is None:
        return None
    records: dict[str, str] = {}
    values: dict[str, Any] = {}
    for name, text in match.groupdict().items():
        if text is None or not (said := text.strip(" ,.\"'“”")):
            continue
        if name in SUBJECT_TYPES:
            records[name] = said
        elif (value := _value(name, said, now)) is None:
            return None
        else:
            values[name] = value
    return Phrase(records, values)


@lru_cache(maxsize=64)
def _compiled(example: str) -> re.Pattern[str]:
    parts = []
    for match in _PART.finditer(example):
        optional, one, slot, word = match.group("optional", "one", "slot", "word")
        text = _slot(slot) if slot else _either(optional or one) if optional or one else re.escape(word)
        parts.append(f"(?:{text}{_GAP})?" if optional else f"{text}{_GAP}")
    return re.compile(rf"\W*{_POLITE}{''.join(parts)}(?:please|thanks|thank you)?\W*", re.IGNORECASE)


def _either(text: str) -> str:
    return f"(?:{'|'.join(_piece(one) for one in text.split('|'))})"


def _piece(text: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: _slot(match[1]), re.sub(r"[ -]", r"[\\s-]+", text))


def _slot(name: str) -> str:
    return f"(?P<{name}>{_SLOTS.get(name, '.+?')})"


def _value(name: str, said: str, now: datetime) -> Any:
    if name == "amount":
        return _amount(said)
    if name.endswith("_at"):
        spans = find_times(said, now)
        rest = "".join(said[: spans[0].start] + said[spans[-1].end :]) if spans else said
        return spans[-1].moment(now).isoformat() if spans and not re.search(r"\w{3}", rest) else None
    return said.lower() if name == "activity_type" else said


def _amount(said: str) -> float | None:
    match = _AMOUNT.match(said)
    if match is None:
        return None
    try:
        number = float(re.sub(r"[,'](?=\d{3})", "", match["number"].rstrip(".,")))
    except ValueError:
        return None
    value = number * _UNITS.get((match["unit"] or "").lower(), 1)
    return int(value) if value.is_integer() else value
