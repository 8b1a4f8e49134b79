"""A record's timeline, from its notes, activities and deals, and a summary of it in a few sentences. Pure functions."""

from collections.abc import Iterator, Sequence
from datetime import datetime, time
from textwrap import shorten
from typing import Literal

from msgspec import Struct

from aisha.domain.crm.enumerations import OPEN_STAGES, ActivityStatus
from aisha.domain.crm.records import Activity, Note, Opportunity, Record
from aisha.domain.wording import count_noun, format_money, humanise

Kind = Literal["created", "contact", "note", "done", "cancelled", "planned", "deal", "deal_closing"]
MAX_TEXT_LENGTH = 300


class Moment(Struct, frozen=True):
    """An entry of the timeline. `when` is aware, None for an activity planned without a date."""

    when: datetime | None
    kind: Kind
    text: str


class RelatedRecords(Struct, frozen=True):
    """The records about a record that the user may see; None without the module. `now` is in the user's time zone."""

    now: datetime
    notes: Sequence[Note] | None
    activities: Sequence[Activity] | None
    deals: Sequence[Opportunity] | None


def history(record: Record, related: RelatedRecords) -> list[Moment]:
    """Return the timeline, oldest first; activities planned without a date come last."""
    moments = [
        *_from_record(record),
        *(_from_note(note) for note in related.notes or ()),
        *(_from_activity(activity, related.now) for activity in related.activities or ()),
        *(moment for deal in related.deals or () for moment in _from_deal(deal, related.now)),
    ]
    moments = [
        Moment(moment.when and moment.when.astimezone(related.now.tzinfo), moment.kind, moment.text)
        for moment in moments
    ]
    return sorted(moments, key=lambda moment: (moment.when is None, moment.when or related.now))


def summary(record: Record, related: RelatedRecords, moments: Sequence[Moment]) -> str:
    """Return two to five sentences: introduction, numbers, newest note, overdue and next activities, open deals."""
    return " ".join(sentence for sentence in _sentences(record, related, moments) if sentence)


def _sentences(record: Record, related: RelatedRecords, moments: Sequence[Moment]) -> Iterator[str]:
    yield _introduction(record, related.now)
    counts = [
        count_noun(len(related.notes), "note") if related.notes else "",
        count_noun(sum(moment.kind == "done" for moment in moments), "completed activity"),
        count_noun(sum(moment.kind == "planned" for moment in moments), "planned activity"),
    ]
    counts = [part for part in counts if part and not part.startswith("0 ")]
    open_deals = [deal for deal in related.deals or () if deal.stage in OPEN_STAGES]
    yield f"On record: {', '.join(counts)}." if counts else "" if open_deals else "Nothing else is on record."
    if related.notes:
        newest = max(related.notes, key=lambda note: (note.created_at is not None, note.created_at or related.now))
        text = shorten(newest.content.rstrip(" ."), 160, placeholder=" …")
        yield f"The newest note{_on(newest.created_at, related.now)} says: “{text}”."
    planned = [moment for moment in moments if moment.kind == "planned" and moment.when]
    # Three at most, here and below: a summary has few sentences.
    if overdue := [moment for moment in planned if moment.when and moment.when < related.now]:
        yield f"Overdue: {', '.join(moment.text.removesuffix(' (overdue)') for moment in overdue[:3])}."
    if upcoming := [moment for moment in planned if moment.when and moment.when >= related.now]:
        yield f"Next: {upcoming[0].text}{_on(upcoming[0].when, related.now)}."
    if open_deals:
        yield f"Open deals: {', '.join(f'{deal.name} ({humanise(deal.stage)})' for deal in open_deals[:3])}."


def _introduction(record: Record, now: datetime) -> str:
    company = getattr(record, "company", None)
    at = f" at {company}" if company and company != record.display_name else ""
    contacted = getattr(record, "last_contacted_at", None)
    last = f", last contacted{_on(contacted, now)}" if contacted else ""
    return f"{record.display_name} is {_describe(record)}{at}, created{_on(record.created_at, now)}{last}."


def _describe(record: Record) -> str:
    """Return `a warm lead`, `an active contact` or `a deal in the proposal stage`."""
    if isinstance(record, Opportunity):
        return f"a deal in the {humanise(record.stage)} stage"
    status = str(getattr(record, "status", None) or getattr(record, "type", None) or "")
    noun = f"{status.replace('_', ' ')} {record.TYPE}".strip()
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _from_record(record: Record) -> Iterator[Moment]:
    if record.created_at is not None:
        yield Moment(record.created_at, "created", f"{record.TYPE.capitalize()} {record.display_name} was created")
    contacted: datetime | None = getattr(record, "last_contacted_at", None)
    if contacted is not None:
        yield Moment(contacted, "contact", "Last contact")


def _from_note(note: Note) -> Moment:
    title = f"{note.title}: " if note.title else ""
    return Moment(note.created_at, "note", shorten(f"{title}{note.content}", MAX_TEXT_LENGTH, placeholder=" …"))


def _from_activity(activity: Activity, now: datetime) -> Moment:
    kind = activity.activity_type
    title = activity.title if kind in activity.title.lower() else f"{kind.capitalize()}: {activity.title}"
    if activity.status is ActivityStatus.SCHEDULED:
        is_late = activity.due_at is not None and activity.due_at < now
        return Moment(activity.due_at, "planned", f"{title} (overdue)" if is_late else title)
    when = activity.completed_at or activity.due_at or activity.updated_at
    if activity.status is ActivityStatus.CANCELLED:
        return Moment(when, "cancelled", f"{title} (cancelled)")
    outcome = f" ({activity.outcome})" if activity.outcome else ""
    return Moment(when, "done", shorten(f"{title}{outcome}", MAX_TEXT_LENGTH, placeholder=" …"))


def _from_deal(deal: Opportunity, now: datetime) -> Iterator[Moment]:
    amount = f", {format_money(deal.amount, deal.currency)}" if deal.amount is not None else ""
    yield Moment(deal.created_at, "deal", f"Deal {deal.name} was created ({humanise(deal.stage)}{amount})")
    if deal.close_date is not None:
        # A closing day has no time; the end of the working day puts it behind most other moments of that day.
        closes = datetime.combine(deal.close_date, time(17), now.tzinfo)
        is_open = deal.stage in OPEN_STAGES
        verb = "is expected to close" if is_open else "ended as " + humanise(deal.stage)
        yield Moment(closes, "deal_closing", f"Deal {deal.name} {verb}")


def _on(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return ""
    day = moment.astimezone(now.tzinfo)
    gap = (day.date() - now.date()).days
    near = {0: " today", 1: " tomorrow", -1: " yesterday"}
    return near.get(gap) or f" on {day:%b} {day.day}" + (f", {day.year}" if day.year != now.year else "")
