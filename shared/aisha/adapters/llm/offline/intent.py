"""Acts, and what a clause says of them by itself: the kind of record and of activity."""

import re
from enum import StrEnum

from msgspec import Struct

from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.parser import Reading
from aisha.domain.records import ActivityType


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


STAGES = frozenset("prospecting qualification proposal negotiation closed_won closed_lost".split())


LEAD_STATUSES = frozenset("new contacted warm qualified unqualified converted lost".split())


_ACTIVITY_TYPES = frozenset(item.value for item in ActivityType)


class Intent(Struct, frozen=True):
    """`kind` is the record type spoken of, if one was named or follows from a value."""

    act: Act
    kind: str | None = None


_ANYTHING_OPEN = re.compile(
    r"\b(?:anything|something|nothing|what(?:'s|s|\s+is)?)\s+(?:still\s+)?open\s+(?:with|at|for|there)\b", re.IGNORECASE
)


def kind_of(reading: Reading) -> str | None:
    """The record type that the clause names first, or that one of its values belongs to."""
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


_FOLLOW = re.compile(r"follow", re.IGNORECASE)


def activity_type_of(reading: Reading) -> str | None:
    """The activity type said, the first in the clause; "follow-up" alone means a call only when nothing else is said."""
    found = sorted((spans[0][0], kind) for kind, spans in reading.activities.items() if kind in _ACTIVITY_TYPES)
    plain = [item for item in found if not _is_field_email(reading, item)]
    plain = [item for item in plain if not _FOLLOW.match(reading.text[item[0] :])] or plain
    weak = {start for start, _ in reading.concepts.get("activity", ())}
    strong = [item for item in plain if item[0] not in weak]
    chosen = strong or plain
    return chosen[0][1] if chosen else None


def _is_field_email(reading: Reading, item: tuple[int, str]) -> bool:
    return item[1] == "email" and bool(reading.emails)


def is_question(text: str) -> bool:
    return text.rstrip().endswith("?") or bool(
        re.match(
            r"\s*(what|which|who|whose|where|when|how|is|are|do|does|did|has|have|any|can i see|got(?!\s+an?\s+(?:new|another|fresh|hot|warm|promising|lead|prospect)))\b",
            text,
            re.IGNORECASE,
        )
    )
