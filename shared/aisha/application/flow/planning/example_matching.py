"""Matching of a sentence against the examples of named flows, for requests without a language model."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct

from aisha.domain.crm.enumerations import ActivityType
from aisha.domain.crm.records import SUBJECT_TYPES
from aisha.domain.dates.parsing import find_times
from aisha.domain.external.mail import MAIL_ADDRESS_IN_TEXT

# A part of an example: "[optional]", "(one|of|these)", "{slot}" or a word.
_PART = re.compile(
    r"\[(?P<optional>[^\]\[]{0,500})\]|\((?P<options>[^()]{0,500})\)|\{(?P<slot>\w+)\}|(?P<word>[^\s\[({]+)"
)
# "Hey AiSHA, could you please" at the beginning.
_POLITE = r"(?:(?:please|can you|could you|would you|i want to|i'd like to|let's|hey aisha|aisha)\W+)*"
# "$20k", "1,500", "2.5 million"
_AMOUNT = re.compile(
    r"[$€£]?\s{0,8}(?P<number>\d[\d,.']{0,30})\s{0,8}(?P<unit>k|thousand|m|mio|million)?\b", re.IGNORECASE
)
_UNITS = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "mio": 1_000_000, "million": 1_000_000}
# What separates two parts of an example: spaces and punctuation, or the end.
_GAP = r"(?:\W+|$)"
_SLOTS = {
    "amount": r"[$€£]?\s{0,8}\d[\d,.']{0,30}\s{0,8}(?:k|thousand|mio|million|m)?\s{0,8}"
    r"(?:usd|eur|dollars?|euros?|bucks)?",
    "activity_type": r"(?:" + "|".join(ActivityType) + r")",
    "email": MAIL_ADDRESS_IN_TEXT,
}


class Phrase(Struct, frozen=True):
    """The content of a sentence: names of records to search by kind, and values by parameter."""

    records: Mapping[str, str]
    values: Mapping[str, Any]


def match_example(example: str, sentence: str, now: datetime) -> Phrase | None:
    """Return the values of the example's slots in the sentence, None if the sentence does not match."""
    match = _compiled(example).fullmatch(" ".join(sentence.split()))
    if match is None:
        return None
    records: dict[str, str] = {}
    values: dict[str, Any] = {}
    for name, text in match.groupdict().items():
        if text is None or not (stripped := text.strip(" ,.\"'“”")):
            continue
        if name in SUBJECT_TYPES:
            records[name] = stripped
        elif (value := _value(name, stripped, now)) is None:
            return None
        else:
            values[name] = value
    return Phrase(records, values)


@lru_cache(maxsize=64)
def _compiled(example: str) -> re.Pattern[str]:
    parts = []
    for match in _PART.finditer(example):
        optional, options, slot, word = match.group("optional", "options", "slot", "word")
        choices = optional or options
        pattern = _slot_pattern(slot) if slot else _options_pattern(choices) if choices else re.escape(word)
        parts.append(f"(?:{pattern}{_GAP})?" if optional else f"{pattern}{_GAP}")
    return re.compile(rf"\W*{_POLITE}{''.join(parts)}(?:please|thanks|thank you)?\W*", re.IGNORECASE)


def _options_pattern(text: str) -> str:
    return f"(?:{'|'.join(_option_pattern(option) for option in text.split('|'))})"


def _option_pattern(text: str) -> str:
    # A space and a hyphen are the same: "follow-up", "follow up".
    return re.sub(r"\{(\w+)\}", lambda match: _slot_pattern(match[1]), re.sub(r"[ -]", r"[\\s-]+", text))


def _slot_pattern(name: str) -> str:
    # A slot without a pattern takes as little text as the rest of the example allows.
    return f"(?P<{name}>{_SLOTS.get(name, '.+?')})"


def _value(name: str, text: str, now: datetime) -> Any:
    if name == "amount":
        return _amount(text)
    if name.endswith("_at"):
        spans = find_times(text, now)
        # A further word of three letters means that the slot holds more than a time.
        rest = text[: spans[0].start] + text[spans[-1].end :] if spans else text
        return spans[-1].moment(now).isoformat() if spans and not re.search(r"\w{3}", rest) else None
    return text.lower() if name == "activity_type" else text


def _amount(text: str) -> float | None:
    match = _AMOUNT.match(text)
    if match is None:
        return None
    try:
        # Removes separators of thousands ("1,500", "1'500") and the end of a sentence, but not a decimal point.
        number = float(re.sub(r"[,'](?=\d{3})", "", match["number"].rstrip(".,")))
    except ValueError:
        return None
    value = number * _UNITS.get((match["unit"] or "").lower(), 1)
    return int(value) if value.is_integer() else value
