"""Chunks of memory: one text per case, all in one form, so that similar cases get similar vectors.

A text has the question, the record and its state, the actions and the outcome (A-121). Private notes, goals and
fields with sensitive names are never part of it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from aisha.application.redaction.summaries import without_sensitive
from aisha.domain.crm.enumerations import ActivityStatus, LeadStatus, Stage
from aisha.domain.crm.records import (
    RECORD_TYPES,
    SUBJECT_TYPES,
    Account,
    Activity,
    Contact,
    Lead,
    Note,
    Opportunity,
    Record,
)
from aisha.domain.json_values import values_in
from aisha.domain.memory import NOTE_ACTION, MemoryChunk
from aisha.domain.wording import humanise, truncate

MAX_CONTENT_LENGTH = 1500
"""Characters of free text in a chunk: small embedding models read only about the first 1,000 of a text."""
MAX_QUESTION_LENGTH = 300
MAX_ACTIONS_LENGTH = 400
SUBJECTS = tuple(RECORD_TYPES[kind] for kind in SUBJECT_TYPES)
NOTED, DONE, NO_ACTION, ACCEPTED, ADVISED = "noted", "done", "nothing noted", "accepted", "advised"
ADVICE_TOOL = "suggest_next_actions"
_ENDINGS: dict[str, str] = {
    Stage.CLOSED_WON: "won",
    Stage.CLOSED_LOST: "lost",
    LeadStatus.CONVERTED: "converted",
    LeadStatus.LOST: "lost",
}
_UNINFORMATIVE_FIELDS = frozenset(
    ("id", "owner", "custom", "related", "converted", "created_at", "completed_at", "last_contacted_at")
)
"""Fields whose changes are left out of a case."""


class Case(Struct, frozen=True):
    """A change of a record by `user` at the time `at`. Fields with `sensitive` names are left out of its text."""

    tenant: str
    user: str | None
    at: datetime
    subject: Record
    sensitive: frozenset[str] = frozenset()

    def state(self, before: Mapping[str, Any] | None = None) -> str:
        """Describe the state of the subject, or its state before a change."""
        return describe_state(self.subject, before, self.sensitive)

    def free_text(self, record: Record, name: str) -> str | None:
        """Return a free-text field of the record on one line; None when it is empty or sensitive."""
        value = without_sensitive({name: getattr(record, name)}, self.sensitive).get(name)
        return truncate(" ".join(value.split()), MAX_CONTENT_LENGTH) if value else None


def describe_state(
    record: Record, before: Mapping[str, Any] | None = None, sensitive: frozenset[str] = frozenset()
) -> str:
    """Describe a record without names, e.g. `warm lead, from referral, CEO`; `before` has earlier values of fields."""
    fields = without_sensitive(record.model_dump(mode="json") | dict(before or {}), sensitive)
    status, stage = (str(fields.get(name) or "") for name in ("status", "stage"))
    # A closed lead or deal is described without its end: the outcome has its own line in the text, and cases that ended
    # differently must stay similar.
    if isinstance(record, Lead):
        parts = [
            record.TYPE if status in _ENDINGS else f"{status} lead",
            _format_source(fields),
            fields.get("job_title"),
        ]
    elif isinstance(record, Opportunity):
        parts = ["deal" if stage in _ENDINGS else f"deal at {humanise(stage)}"]
    elif isinstance(record, Account):
        health = humanise(fields.get("health") or "unknown")
        parts = [f"{fields.get('type') or ''} account", fields.get("industry"), f"health {health}"]
    elif isinstance(record, Contact):
        parts = [f"{status} contact", fields.get("job_title")]
    else:
        parts = [record.TYPE]
    return ", ".join(part.strip() for part in parts if part)


def similar_cases_query(record: Record, sensitive: frozenset[str] = frozenset()) -> str:
    """Return the text to search for actions on other records in the same state."""
    # The actions bring the query's vector nearer to the chunks': without them, half of the similar cases miss a small
    # model's threshold.
    return f"Situation: {describe_state(record, None, sensitive)}\nDone: call, email, meeting, demo"


def turn_chunk(
    case: Case,
    turn_id: str,
    question: str,
    actions: Sequence[str],
    action: str,
    before: Mapping[str, Any],
    *,
    is_advised: bool = False,
) -> MemoryChunk:
    """Return the chunk of a user's question and the actions on it. `before` has the subject's changed fields.

    `is_advised`: the assistant had advised on the subject just before, so that its advice counts as accepted.
    """
    outcome = ACCEPTED if is_advised else DONE
    action_text = truncate("; ".join(actions), MAX_ACTIONS_LENGTH)
    text = _format_case(truncate(question, MAX_QUESTION_LENGTH), case.subject, case.state(before), action_text, outcome)
    return _build_chunk(case, chunk_id_of(turn_id), text, action, outcome)


def advice_chunk(case: Case, question: str, actions: Sequence[str]) -> MemoryChunk:
    """Return the chunk of a user's question and the steps suggested; the latest advice on a record is kept."""
    advised = truncate(f"suggested: {'; '.join(actions)}", MAX_ACTIONS_LENGTH)
    text = _format_case(truncate(question, MAX_QUESTION_LENGTH), case.subject, case.state(), advised, ADVISED)
    return _build_chunk(case, f"mem_advice_{case.subject.id}", text, ADVICE_TOOL, ADVISED)


def note_chunk(case: Case, note: Note) -> MemoryChunk | None:
    """Return the chunk of a note; None for a private one."""
    content = None if note.is_private else case.free_text(note, "content")
    if content is None:
        return None
    text = _format_case("", case.subject, case.state(), f"wrote a note: {content}", NOTED)
    return _build_chunk(case, chunk_id_of(note.id), text, NOTE_ACTION, NOTED)


def activity_chunk(case: Case, activity: Activity) -> MemoryChunk | None:
    """Return the chunk of a completed activity with its outcome; None for any other activity."""
    if activity.status is not ActivityStatus.COMPLETED:
        return None
    title = case.free_text(activity, "title")
    action = f"{activity.activity_type} “{title}”" if title else activity.activity_type.value
    text = _format_case("", case.subject, case.state(), action, case.free_text(activity, "outcome") or "completed")
    return _build_chunk(case, chunk_id_of(activity.id), text, activity.activity_type.value, "completed")


def outcome_chunk(
    case: Case, touches: Iterable[Activity], before: Mapping[str, Any] | None = None, action: str = NO_ACTION
) -> MemoryChunk | None:
    """Return the chunk of a closed deal or lead with the last actions on it; None for an open one.

    `touches` are the activities about it: the last completed one counts as the cause of the outcome, else `action`.
    """
    outcome = outcome_of(case.subject)
    if outcome is None:
        return None
    completed = [touch for touch in touches if touch.status is ActivityStatus.COMPLETED]
    kinds = [touch.activity_type.value for touch in sorted(completed, key=lambda touch: touch.completed_at or case.at)]
    text = _format_case("", case.subject, case.state(before), ", ".join(kinds[-5:]) or humanise(action), outcome)
    # The id contains the outcome: `previous_outcome_id` finds the chunk to delete when the record is opened again.
    return _build_chunk(case, f"mem_{case.subject.id}_{outcome}", text, kinds[-1] if kinds else action, outcome)


def accepted_chunk(case: Case, suggestion_id: str, suggestion: str, action: str) -> MemoryChunk:
    """Return the chunk of an accepted suggestion. `action` is its kind of activity or its tool."""
    text = _format_case("", case.subject, case.state(), truncate(suggestion, MAX_ACTIONS_LENGTH), ACCEPTED)
    return _build_chunk(case, f"mem_{suggestion_id}", text, action, ACCEPTED)


def outcome_of(record: Record) -> str | None:
    """Return `won`, `lost` or `converted`; None for an open record."""
    return _outcome(record.TYPE, {"stage": getattr(record, "stage", ""), "status": getattr(record, "status", "")})


def previous_outcome_id(entity_type: str, record_id: str, before: Mapping[str, Any]) -> str | None:
    """Return the id of the chunk about the outcome that a record had before a change; None when it was open."""
    outcome = _outcome(entity_type, before)
    return f"mem_{record_id}_{outcome}" if outcome else None


def _outcome(entity_type: str, fields: Mapping[str, Any]) -> str | None:
    name = {Opportunity.TYPE: "stage", Lead.TYPE: "status"}.get(entity_type, "")
    return _ENDINGS.get(fields.get(name, ""))


def chunk_id_of(record_id: str) -> str:
    """Return the id of the chunk about the turn, note or activity with this id."""
    return f"mem_{record_id}"


def format_changes(receipt: Mapping[str, Any], sensitive: frozenset[str] = frozenset()) -> str:
    """Format an update's changes, e.g. `status warm → qualified`, without sensitive and uninformative fields."""
    before, after = (without_sensitive(dict(receipt.get(part) or {}), sensitive) for part in ("before", "after"))
    names = [name for name in (*after, *before) if name not in _UNINFORMATIVE_FIELDS]
    parts = [
        f"{humanise(name)} {before.get(name, 'none')} → {after.get(name, 'none')}"
        for name in dict.fromkeys(names)
        if all(isinstance(side.get(name, ""), str | int | float) for side in (before, after))
    ]
    return ", ".join(parts)


def sensitive_texts(value: Any, sensitive: frozenset[str] = frozenset()) -> set[str]:
    """Return the values of sensitive fields at any depth, to remove them from users' messages as well."""
    all_texts, open_texts = (Counter(_leaves(tree)) for tree in (value, without_sensitive(value, sensitive)))
    # Counters, not sets: a value that is also in a field with a harmless name is still among the differences.
    return set(all_texts - open_texts)


def _leaves(value: Any) -> Iterator[str]:
    leaves = (part for part in values_in(value) if not isinstance(part, bool | Mapping | list | tuple))
    return (str(leaf) for leaf in leaves if leaf is not None)


def _format_case(question: str, subject: Record, state: str, action: str, outcome: str) -> str:
    about = f"{subject.TYPE} {subject.display_name}" if action else ""
    lines = {"Asked": question, "About": about, "Situation": state, "Done": action, "Outcome": outcome}
    return "\n".join(f"{name}: {value}" for name, value in lines.items() if value)


def _build_chunk(case: Case, chunk_id: str, text: str, action: str, outcome: str) -> MemoryChunk:
    subject = case.subject
    metadata = {"entity_type": subject.TYPE, "entity_id": subject.id, "action": action, "outcome": outcome}
    return MemoryChunk(chunk_id, case.tenant, text, case.at, case.user, subject.TYPE, subject.id, metadata)


def _format_source(fields: Mapping[str, Any]) -> str:
    return f"from {humanise(fields['source'])}" if fields.get("source") else ""
