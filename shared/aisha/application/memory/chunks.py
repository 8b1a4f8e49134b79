"""What is to be remembered of turns and records: one text a case, all in one form, so that like cases lie near each other.

A text tells what was asked, about which record, how it stood, what was done and how it ended (A-121). Private notes,
goals and fields of sensitive names never come into one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from aisha.application.redaction.summaries import without_sensitive
from aisha.domain.memory import NOTE_ACTION, MemoryChunk
from aisha.domain.records import (
    RECORD_TYPES,
    SUBJECT_TYPES,
    Account,
    Activity,
    ActivityStatus,
    Contact,
    Lead,
    LeadStatus,
    Note,
    Opportunity,
    Record,
    Stage,
)

MOST_SAID = 1500
"""Characters of what people wrote in one chunk: small models read no more than about 1,000 of a text."""
MOST_ASKED = 300
MOST_DONE = 400
SUBJECTS = tuple(RECORD_TYPES[kind] for kind in SUBJECT_TYPES)
NOTED, DONE, NOTHING = "noted", "done", "nothing noted"
_ENDINGS: dict[str, str] = {
    Stage.CLOSED_WON: "won",
    Stage.CLOSED_LOST: "lost",
    LeadStatus.CONVERTED: "converted",
    LeadStatus.LOST: "lost",
}
_UNTOLD = frozenset(
    ("id", "owner", "custom", "related", "converted", "created_at", "completed_at", "last_contacted_at")
)
"""Fields whose change says nothing about a case."""


class Case(Struct, frozen=True):
    """Something that was done to a record: by `user`, at `at`. Fields of `sensitive` names are left out of its text."""

    tenant: str
    user: str | None
    at: datetime
    subject: Record
    sensitive: frozenset[str] = frozenset()

    def situation(self, before: Mapping[str, Any] | None = None) -> str:
        """How the subject stands, or stood before a change."""
        return situation_of(self.subject, before, self.sensitive)

    def told(self, record: Record, name: str) -> str | None:
        """A field that people wrote into, on one line; None when it is empty or sensitive."""
        value = without_sensitive({name: getattr(record, name)}, self.sensitive).get(name)
        return _cut(" ".join(value.split()), MOST_SAID) if value else None


def situation_of(
    record: Record, before: Mapping[str, Any] | None = None, sensitive: frozenset[str] = frozenset()
) -> str:
    """How a record stands, without names, e.g. `warm lead, from referral, CEO`; `before` are fields as they were."""
    stands = without_sensitive(record.model_dump(mode="json") | dict(before or {}), sensitive)
    status, stage = (str(stands.get(name) or "") for name in ("status", "stage"))
    if isinstance(record, Lead):
        parts = [record.TYPE if status in _ENDINGS else f"{status} lead", _from(stands), stands.get("job_title")]
    elif isinstance(record, Opportunity):
        parts = ["deal" if stage in _ENDINGS else f"deal at {_words(stage)}"]
    elif isinstance(record, Account):
        health = _words(stands.get("health") or "unknown")
        parts = [f"{stands.get('type') or ''} account", stands.get("industry"), f"health {health}"]
    elif isinstance(record, Contact):
        parts = [f"{status} contact", stands.get("job_title")]
    else:
        parts = [record.TYPE]
    return ", ".join(part.strip() for part in parts if part)


def query_of(record: Record, sensitive: frozenset[str] = frozenset()) -> str:
    """The text by which to find what was done when other records stood like this one."""
    # Naming deeds brings it nearer to texts of deeds: without them, half of the like cases miss a small model's threshold.
    return f"Situation: {situation_of(record, None, sensitive)}\nDone: call, email, meeting, demo"


def turn_chunk(
    case: Case, turn_id: str, question: str, done: Sequence[str], action: str, before: Mapping[str, Any]
) -> MemoryChunk:
    """What a user asked for and what was done. `before` are the subject's fields that this changed."""
    told = _cut("; ".join(done), MOST_DONE)
    text = _text(_cut(question, MOST_ASKED), case.subject, case.situation(before), told, DONE)
    return _chunk(case, kept_of_id(turn_id), text, action, DONE)


def note_chunk(case: Case, note: Note) -> MemoryChunk | None:
    """What somebody wrote down; None for a private note."""
    said = None if note.is_private else case.told(note, "content")
    if said is None:
        return None
    text = _text("", case.subject, case.situation(), f"wrote a note: {said}", NOTED)
    return _chunk(case, kept_of_id(note.id), text, NOTE_ACTION, NOTED)


def activity_chunk(case: Case, activity: Activity) -> MemoryChunk | None:
    """A call, email, meeting, task or demo that is done, with what came of it; None for any other."""
    if activity.status is not ActivityStatus.COMPLETED:
        return None
    title = case.told(activity, "title")
    done = f"{activity.activity_type} “{title}”" if title else activity.activity_type.value
    text = _text("", case.subject, case.situation(), done, case.told(activity, "outcome") or "completed")
    return _chunk(case, kept_of_id(activity.id), text, activity.activity_type.value, "completed")


def outcome_chunk(
    case: Case, touches: Iterable[Activity], before: Mapping[str, Any] | None = None, action: str = NOTHING
) -> MemoryChunk | None:
    """How a deal or a lead ended, and what was done to it last; None for one that has not ended.

    `touches` are the activities about it; the last completed one counts as what brought the end, else `action`.
    """
    ended = ending_of(case.subject)
    if ended is None:
        return None
    done = [one for one in touches if one.status is ActivityStatus.COMPLETED]
    kinds = [one.activity_type.value for one in sorted(done, key=lambda one: one.completed_at or case.at)]
    text = _text("", case.subject, case.situation(before), ", ".join(kinds[-5:]) or _words(action), ended)
    return _chunk(case, f"mem_{case.subject.id}_{ended}", text, kinds[-1] if kinds else action, ended)


def accepted_chunk(case: Case, suggestion_id: str, suggestion: str, action: str) -> MemoryChunk:
    """A suggestion that the user took up. `action` is a kind of activity or the tool that it named."""
    text = _text("", case.subject, case.situation(), _cut(suggestion, MOST_DONE), "accepted")
    return _chunk(case, f"mem_{suggestion_id}", text, action, "accepted")


def ending_of(record: Record) -> str | None:
    """`won`, `lost` or `converted`; None for what is still open."""
    return _ending(record.TYPE, {"stage": getattr(record, "stage", ""), "status": getattr(record, "status", "")})


def outcome_id(entity_type: str, record_id: str, before: Mapping[str, Any]) -> str | None:
    """The id under which the ending is remembered that a record had before a change; None when it had none."""
    ended = _ending(entity_type, before)
    return f"mem_{record_id}_{ended}" if ended else None


def _ending(entity_type: str, fields: Mapping[str, Any]) -> str | None:
    name = {Opportunity.TYPE: "stage", Lead.TYPE: "status"}.get(entity_type, "")
    return _ENDINGS.get(fields.get(name, ""))


def kept_of_id(record_id: str) -> str:
    """The id of what is remembered of a turn, a note or an activity, by its own id."""
    return f"mem_{record_id}"


def told_changes(receipt: Mapping[str, Any], sensitive: frozenset[str] = frozenset()) -> str:
    """The fields that an update changed, e.g. `status warm → qualified`, without what is sensitive or says nothing."""
    before, after = (without_sensitive(dict(receipt.get(part) or {}), sensitive) for part in ("before", "after"))
    names = [name for name in (*after, *before) if name not in _UNTOLD]
    parts = [
        f"{_words(name)} {before.get(name, 'none')} → {after.get(name, 'none')}"
        for name in dict.fromkeys(names)
        if all(isinstance(side.get(name, ""), str | int | float) for side in (before, after))
    ]
    return ", ".join(parts)


def sensitive_texts(value: Any, sensitive: frozenset[str] = frozenset()) -> set[str]:
    """What stands in sensitive fields, at any depth: a user may have said it, too."""
    all_texts, shown = (Counter(_leaves(one)) for one in (value, without_sensitive(value, sensitive)))
    return set(all_texts - shown)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _text(question: str, subject: Record, state: str, done: str, outcome: str) -> str:
    lines = (
        ("Asked", question), ("About", f"{subject.TYPE} {subject.display_name}" if done else ""),
        ("Situation", state), ("Done", done), ("Outcome", outcome),
    )  # fmt: skip
    return "\n".join(f"{name}: {value}" for name, value in lines if value)


def _chunk(case: Case, chunk_id: str, text: str, action: str, outcome: str) -> MemoryChunk:
    subject = case.subject
    metadata = {"entity_type": subject.TYPE, "entity_id": subject.id, "action": action, "outcome": outcome}
    return MemoryChunk(chunk_id, case.tenant, text, case.at, case.user, subject.TYPE, subject.id, metadata)


def _from(stands: Mapping[str, Any]) -> str:
    return f"from {_words(stands['source'])}" if stands.get("source") else ""


def _words(value: str) -> str:
    return value.replace("_", " ")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
