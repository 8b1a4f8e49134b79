"""The acts, and what a clause says about record kinds, activity types and fields."""

import re
from enum import StrEnum

from msgspec import Struct

from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.lexicon import FIELD_WORDS
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.domain.crm.records import ActivityType

STAGES = frozenset("prospecting qualification proposal negotiation closed_won closed_lost".split())
LEAD_STATUSES = frozenset("new contacted warm qualified unqualified converted lost".split())
_ACTIVITY_TYPES = frozenset(item.value for item in ActivityType)
_ANYTHING_OPEN = pattern(r"\b(?:anything|something|nothing|what(?:'s|s| is)?) (?:still )?open (?:with|at|for|there)\b")
_FOLLOW = pattern(r"follow")


class Act(StrEnum):
    SCAN = "scan"
    SILENT = "silent"
    REPORT = "report"
    ERRAND = "errand"
    RESCHEDULE = "reschedule"
    RECALL = "recall"
    CONVERT = "convert"
    DELETE = "delete"
    ADVISE = "advise"
    AGENDA = "agenda"
    OVERDUE = "overdue"
    COMPLETE = "complete"
    DRAFT = "draft"
    CREATE_NOTE = "create_note"
    NOTES = "notes"
    COUNT = "count"
    CREATE_ACTIVITY = "create_activity"
    CREATE = "create"
    UPDATE = "update"
    ADVANCE = "advance"
    ACTIVITIES = "activities"
    LIST = "list"
    PEOPLE = "people"
    SUMMARY = "summary"
    FIELD = "field"
    INQUIRE = "inquire"
    NOTHING = "nothing"


class Intent(Struct, frozen=True):
    """An act. `kind` is the record type named in the clause or implied by a value."""

    act: Act
    kind: str | None = None


def kind_of(reading: Reading) -> str | None:
    """Return the record type that the clause names first, or that one of its values implies."""
    named = [(reading.first(kind), kind) for kind in KINDS if reading.has(kind)]
    if named:
        return min(named)[1]
    if _ANYTHING_OPEN.search(reading.text) and not (reading.activities or reading.has("activity", "note")):
        return "opportunity"
    values = set(reading.values)
    if values & (STAGES - {"qualification"}) or (reading.has("closing") and not reading.names and not reading.pronouns):
        return "opportunity"
    if values & {"warm", "qualified", "unqualified", "contacted", "converted"}:
        return "lead"
    if values & {"healthy", "at_risk", "churning"}:
        return "account"
    return None


def activity_type_of(reading: Reading) -> str | None:
    """Return the first activity type in the clause. "follow-up" means a call only when nothing else is named."""
    mentions = sorted((spans[0][0], kind) for kind, spans in reading.activities.items() if kind in _ACTIVITY_TYPES)
    candidates = [item for item in mentions if not _is_field_email(reading, item)]
    candidates = [item for item in candidates if not _FOLLOW.match(reading.text[item[0] :])] or candidates
    weak = {start for start, _ in reading.concepts.get("activity", ())}
    strong = [item for item in candidates if item[0] not in weak]
    chosen = strong or candidates
    return chosen[0][1] if chosen else None


def _is_field_email(reading: Reading, item: tuple[int, str]) -> bool:
    return item[1] == "email" and bool(reading.emails)


def is_question(text: str) -> bool:
    return text.rstrip().endswith("?") or bool(
        pattern(
            r"\s*(what|which|who|whose|where|when|how|is|are|do|does|did|has|have|any|can i see"
            r"|got(?! an? (?:new|another|fresh|hot|warm|promising|lead|prospect)))\b"
        ).match(text)
    )


def field_of(reading: Reading) -> str | None:
    """Return the record field that the clause mentions, the one named in most words."""
    spans = _field_spans(reading)
    if re.search(r"\b(?:phone|call) (?:him|her|them)\b", reading.text.lower()):
        return None
    if spans:
        return max(spans, key=lambda item: item[1] - item[0])[2]
    lowered = reading.text.lower()
    if re.search(r"\bwhen\b.*\b(?:talk|spoke|speak|contact|reach|hear)", lowered):
        return "last_contacted_at"
    if re.search(r"\bwhere\b.*\b(?:is|are|live|lives|based|located|sits?)\b", lowered):
        return "address"
    return None


def fields_of(reading: Reading) -> list[str]:
    """Return all fields mentioned, in their order: "his status and his score"."""
    names = [name for _, _, name in _field_spans(reading)]
    return list(dict.fromkeys(names)) if len(names) > 1 else [name] if (name := field_of(reading)) else []


def _field_spans(reading: Reading) -> list[tuple[int, int, str]]:
    """Return `(start, end, field)` of every field mention, the longest where they overlap, outside names."""
    lowered = reading.text.lower()
    for name_span in reading.names:
        if name_span.strong:
            lowered = lowered[: name_span.start] + " " * (name_span.end - name_span.start) + lowered[name_span.end :]
    spans = [
        (match.start(), match.end(), name)
        for name, words in FIELD_WORDS.items()
        for word in words
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", lowered)
    ]
    longest: list[tuple[int, int, str]] = []
    for span in sorted(spans, key=lambda item: item[0] - item[1]):
        if not any(span[0] < end and start < span[1] for start, end, _ in longest):
            longest.append(span)
    return sorted(longest)
