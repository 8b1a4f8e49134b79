"""Rules that always apply, used only when the other rules return fewer than two steps."""

from collections.abc import Iterator

from aisha.application.next_steps.situation import NextStep, Situation, ago, schedule, touch
from aisha.domain.crm.records import Account, Contact, Lead


def missing_details(situation: Situation) -> Iterator[NextStep]:
    """Score 4: email address or phone number is missing."""
    record = situation.record
    if isinstance(record, Lead | Contact | Account):
        missing = [name for name in ("email", "phone") if not getattr(record, name)]
        if missing:
            words = " or ".join("phone number" if name == "phone" else "email address" for name in missing)
            arguments = {f"{record.TYPE}_id": record.id}
            action = f"Complete the contact details of {situation.name}"
            yield NextStep(
                4, action, f"No {words} on record", record, f"update_{record.TYPE}", arguments, f"{record.id}.details"
            )


def check_in(situation: Situation) -> Iterator[NextStep]:
    """Score 3: check in."""
    last = getattr(situation.record, "last_contacted_at", None)
    reasoning = f"Last contacted {ago(situation.days_ago(last))}" if last else "Nothing else presses"
    if situation.activities is not None and not situation.scheduled:
        reasoning += ", nothing is scheduled"
    yield schedule(situation, touch(situation.record), 3, f"Check in with {situation.name}", reasoning)


def write_note(situation: Situation) -> Iterator[NextStep]:
    """Score 2: write a note."""
    record = situation.record
    dated = [note.created_at for note in situation.notes if note.created_at is not None]
    reasoning = f"The last note is from {ago(situation.days_ago(max(dated)))}" if dated else "There are no notes yet"
    arguments = {"entity_type": record.TYPE, "entity_id": record.id}
    action = f"Note down where things stand with {situation.name}"
    yield NextStep(2, action, reasoning, record, "create_note", arguments, f"{record.id}.note")
