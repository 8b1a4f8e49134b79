"""Which fields of a record a clause speaks of."""

import re

from aisha.adapters.llm.offline.lexicon import FIELD_WORDS
from aisha.adapters.llm.offline.parser import Reading


def field_of(reading: Reading) -> str | None:
    """The record field that the clause speaks of, the one said in most words."""
    found = _fields_said(reading)
    if re.search(r"\b(?:phone|call) (?:him|her|them)\b", reading.text.lower()):
        return None
    if found:
        return max(found, key=lambda item: item[1] - item[0])[2]
    lowered = reading.text.lower()
    if re.search(r"\bwhen\b.*\b(?:talk|spoke|speak|contact|reach|hear)", lowered):
        return "last_contacted_at"
    if re.search(r"\bwhere\b.*\b(?:is|are|live|lives|based|located|sits?)\b", lowered):
        return "address"
    return None


def fields_of(reading: Reading) -> list[str]:
    """All fields asked for, in their order: "his status and his score"."""
    found = [name for _, _, name in _fields_said(reading)]
    return list(dict.fromkeys(found)) if len(found) > 1 else [name] if (name := field_of(reading)) else []


def _fields_said(reading: Reading) -> list[tuple[int, int, str]]:
    """`(start, end, field)` of every field's words, the longest where they overlap; names are no fields."""
    lowered = reading.text.lower()
    for said in reading.names:
        if said.strong:
            lowered = lowered[: said.start] + " " * (said.end - said.start) + lowered[said.end :]
    spans = [
        (match.start(), match.end(), name)
        for name, words in FIELD_WORDS.items()
        for word in words
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", lowered)
    ]
    kept: list[tuple[int, int, str]] = []
    for span in sorted(spans, key=lambda item: item[0] - item[1]):
        if not any(span[0] < end and start < span[1] for start, end, _ in kept):
            kept.append(span)
    return sorted(kept)
