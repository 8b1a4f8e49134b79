"""A record's history in order, from what is written down about it, and what it comes to in a few sentences. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time
from textwrap import shorten
from typing import Literal

from msgspec import Struct

from aisha.domain.records import OPEN_STAGES, Activity, ActivityStatus, Note, Opportunity, Record

Kind = Literal["created", "contact", "note", "done", "cancelled", "planned", "deal", "deal_closing"]
LONGEST_TEXT = 300


class Moment(Struct, frozen=True):
    """One entry. `when` is aware, None for what is planned without a date."""

    when: datetime | None
    kind: Kind
    text: str


class Surroundings(Struct, frozen=True):
    """What the user may see around a record; None where its module is closed. `now` is in the user's zone."""

    now: datetime
    notes: Sequence[Note] | None
    activities: Sequence[Activity] | None
    deals: Sequence[Opportunity] | None


def history(record: Record, around: Surroundings) -> list[Moment]:
    """Oldest first; what is planned without a date comes last."""
    moments = [
        *_own(record),
        *(_note(note) for note in around.notes or ()),
        *(_activity(activity, around.now) for activity in around.activities or ()),
        *(moment for deal in around.deals or () for moment in _deal(deal, around.now)),
    ]
    moments = [
        Moment(moment.when and moment.when.astimezone(around.now.tzinfo), moment.kind, moment.text)
        for moment in moments
    ]
    return sorted(moments, key=lambda moment: (moment.when is None, moment.when or around.now))


def summary(record: Record, around: Surroundings, moments: Sequence[Moment]) -> str:
    """Two to five sentences: what it is, how much was done, what was said last, what comes next, what is open."""
    return " ".join(sentence for sentence in _sentences(record, around, moments) if sentence)


def _sentences(record: Record, around: Surroundings, moments: Sequence[Moment]) -> Iterator[str]:
    yield _introduction(record, around.now)
    counted = [
        _count(len(around.notes), "note") if around.notes else "",
        _count(sum(moment.kind == "done" for moment in moments), "activity", "activities") + " done",
        _count(sum(moment.kind == "planned" for moment in moments), "planned", "planned"),
    ]
    counted = [part for part in counted if part and not part.startswith("0 ")]
    yield f"On record: {', '.join(counted)}." if counted else "Nothing else is on record."
    if around.notes:
        newest = max(around.notes, key=lambda note: (note.created_at is not None, note.created_at or around.now))
        yield f'The newest note{_on(newest.created_at, around.now)} says: "{shorten(newest.content.rstrip(" ."), 160, placeholder=" …")}".'
    ahead = [one for one in moments if one.kind == "planned" and one.when and one.when >= around.now]
    late = [one for one in moments if one.kind == "planned" and one.when and one.when < around.now]
    if late:
        yield f"Overdue: {_listed(late)}."
    if ahead:
        yield f"Next: {ahead[0].text}{_on(ahead[0].when, around.now)}."
    if open_deals := [deal for deal in around.deals or () if deal.stage in OPEN_STAGES]:
        yield f"Open deals: {', '.join(f'{deal.name} ({_stage(deal)})' for deal in open_deals[:3])}."


def _introduction(record: Record, now: datetime) -> str:
    company = getattr(record, "company", None)
    at = f" at {company}" if company and company != record.display_name else ""
    contacted = getattr(record, "last_contacted_at", None)
    last = f", last contacted{_on(contacted, now)}" if contacted else ""
    return f"{record.display_name} is {_what(record)}{at}, created{_on(record.created_at, now)}{last}."


def _what(record: Record) -> str:
    """`a warm lead`, `an active contact`, `a deal in the proposal stage`."""
    if isinstance(record, Opportunity):
        return f"a deal in the {_stage(record)} stage"
    status = str(getattr(record, "status", None) or getattr(record, "type", None) or "")
    noun = f"{status.replace('_', ' ')} {record.TYPE}".strip()
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _own(record: Record) -> Iterator[Moment]:
    if record.created_at is not None:
        yield Moment(record.created_at, "created", f"{record.TYPE.capitalize()} {record.display_name} was created")
    contacted: datetime | None = getattr(record, "last_contacted_at", None)
    if contacted is not None:
        yield Moment(contacted, "contact", "Last contact")


def _note(note: Note) -> Moment:
    title = f"{note.title}: " if note.title else ""
    return Moment(note.created_at, "note", shorten(f"{title}{note.content}", LONGEST_TEXT, placeholder=" …"))


def _activity(activity: Activity, now: datetime) -> Moment:
    named = f"{activity.activity_type.capitalize()}: {activity.title}"
    if activity.status is ActivityStatus.SCHEDULED:
        is_late = activity.due_at is not None and activity.due_at < now
        return Moment(activity.due_at, "planned", f"{named} (overdue)" if is_late else named)
    when = activity.completed_at or activity.due_at or activity.updated_at
    if activity.status is ActivityStatus.CANCELLED:
        return Moment(when, "cancelled", f"{named} (cancelled)")
    outcome = f" ({activity.outcome})" if activity.outcome else ""
    return Moment(when, "done", shorten(f"{named}{outcome}", LONGEST_TEXT, placeholder=" …"))


def _deal(deal: Opportunity, now: datetime) -> Iterator[Moment]:
    amount = f", {deal.amount:,.2f} {deal.currency}" if deal.amount is not None else ""
    yield Moment(deal.created_at, "deal", f"Deal {deal.name} was created ({_stage(deal)}{amount})")
    if deal.close_date is not None:
        closes = datetime.combine(deal.close_date, time(17), now.tzinfo)
        is_open = deal.stage in OPEN_STAGES
        verb = "is expected to close" if is_open else "ended as " + _stage(deal)
        yield Moment(closes, "deal_closing", f"Deal {deal.name} {verb}")


def _stage(deal: Opportunity) -> str:
    return deal.stage.replace("_", " ")


def _count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _listed(moments: Iterable[Moment]) -> str:
    return ", ".join(moment.text.removesuffix(" (overdue)") for moment in list(moments)[:3])


def _on(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return ""
    day = moment.astimezone(now.tzinfo)
    gap = (day.date() - now.date()).days
    near = {0: " today", 1: " tomorrow", -1: " yesterday"}
    return near.get(gap) or f" on {day:%b} {day.day}" + (f", {day.year}" if day.year != now.year else "")
