"""The input (`Situation`) and output (`NextStep`) of the rules."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct, field

from aisha.domain.crm.enumerations import OPEN_STAGES, ActivityStatus, ActivityType, LeadStatus
from aisha.domain.crm.records import Activity, Lead, Note, Opportunity, Record

Priority = Literal["Urgent", "High", "Normal"]
MIN_SCORE, MAX_SCORE = 1, 10
DONE_LEADS = frozenset((LeadStatus.CONVERTED, LeadStatus.LOST, LeadStatus.UNQUALIFIED))
TOUCHES = frozenset((ActivityType.CALL, ActivityType.EMAIL, ActivityType.MEETING, ActivityType.DEMO))
"""Activities that count as contact with a person."""


class NextStep(Struct, frozen=True):
    """A suggested action about `record`. `tool` and `arguments` are the call that performs it, if there is one.

    Steps with the same `key` are the same action.
    """

    score: int
    action: str
    reasoning: str
    record: Record
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""

    @property
    def priority(self) -> Priority:
        return "Urgent" if self.score >= 9 else "High" if self.score >= 7 else "Normal"


class Situation(Struct, frozen=True):
    """A record and its related records, as far as the user may see them. `now` is in the user's time zone.

    `activities` is None when the user may not see activities; rules then conclude nothing from their absence.
    """

    record: Record
    now: datetime
    notes: Sequence[Note] = ()
    activities: Sequence[Activity] | None = None
    deals: Sequence[Opportunity] = ()

    @property
    def name(self) -> str:
        return self.record.display_name

    @property
    def is_closed(self) -> bool:
        """True for a lead or a deal that nobody works on any more."""
        if isinstance(self.record, Lead):
            return self.record.status in DONE_LEADS
        return isinstance(self.record, Opportunity) and self.record.stage not in OPEN_STAGES

    @property
    def scheduled(self) -> list[Activity]:
        return [activity for activity in self.activities or () if activity.status is ActivityStatus.SCHEDULED]

    def days_ago(self, moment: datetime) -> int:
        """Return whole days in the user's calendar, negative for the future."""
        return (self.now.date() - moment.astimezone(self.now.tzinfo).date()).days


Rule = Callable[[Situation], Iterable[NextStep]]


def ago(days: int) -> str:
    return "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"


def ahead(days: int) -> str:
    return "today" if days <= 0 else "tomorrow" if days == 1 else f"in {days} days"


def touch(record: Record, preferred: ActivityType = ActivityType.CALL) -> ActivityType:
    """Return the preferred kind of contact, or the next one that the person has not opted out of."""
    # The record's flags bind the suggestions too, not only the tools that call or write.
    opted_out = {
        kind
        for kind, flag in ((ActivityType.CALL, "do_not_call"), (ActivityType.EMAIL, "do_not_email"))
        if getattr(record, flag, False)
    }
    order = (preferred, ActivityType.CALL, ActivityType.EMAIL)
    return next((kind for kind in order if kind not in opted_out), ActivityType.TASK)


def schedule(situation: Situation, kind: ActivityType, score: int, action: str, reasoning: str) -> NextStep:
    """Return a step that creates an activity for the record; its due date defaults to the next working day."""
    record = situation.record
    title = {"call": "Call with", "email": "Email to"}.get(kind, "Follow up with")
    arguments = {
        "entity_type": record.TYPE,
        "entity_id": record.id,
        "title": f"{title} {situation.name}"[:200],
        "activity_type": kind.value,
    }
    return NextStep(score, action, reasoning, record, "create_activity", arguments, f"{record.id}.{kind}")
