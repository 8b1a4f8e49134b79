"""Rules about a record, its activities and its deals."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from msgspec.structs import replace

from aisha.application.next_steps.situation import DONE_LEADS, TOUCHES, NextStep, Situation, ago, ahead, schedule, touch
from aisha.domain.crm.enumerations import OPEN_STAGES, AccountHealth, ActivityType, ContactStatus, LeadStatus
from aisha.domain.crm.records import Account, Activity, Contact, Lead, Opportunity, Record
from aisha.domain.wording import humanise

SILENT_DAYS = 7
CLOSING_DAYS = 7


def warm_without_activity(situation: Situation) -> Iterator[NextStep]:
    """Score 10: a warm lead without a planned activity."""
    lead = situation.record
    if not isinstance(lead, Lead) or lead.status is not LeadStatus.WARM or situation.activities is None:
        return
    if not situation.scheduled:
        kind = touch(lead)
        reasoning = "Warm lead with no open activity"
        if lead.last_contacted_at is not None:
            reasoning += f", last contacted {ago(situation.days_ago(lead.last_contacted_at))}"
        yield schedule(situation, kind, 10, f"Schedule a follow-up {kind} with {situation.name}", reasoning)


def silent(situation: Situation) -> Iterator[NextStep]:
    """Score 7: no contact for over 7 days and nothing planned."""
    record = situation.record
    if not _is_reachable(record) or any(activity.activity_type in TOUCHES for activity in situation.scheduled):
        return
    last = getattr(record, "last_contacted_at", None)
    since = last or record.created_at
    if since is None or (days := situation.days_ago(since)) <= SILENT_DAYS:
        return
    reasoning = f"Last contacted {days} days ago" if last else f"Not contacted since it came in {days} days ago"
    yield schedule(situation, touch(record), 7, f"Get back in touch with {situation.name}", reasoning)


def _is_reachable(record: Record) -> bool:
    if isinstance(record, Lead):
        return record.status not in DONE_LEADS
    return isinstance(record, Contact) and record.status is not ContactStatus.INACTIVE


def overdue(situation: Situation) -> Iterator[NextStep]:
    """Score 9: a planned activity is overdue."""
    for activity in situation.scheduled:
        if activity.due_at is not None and activity.due_at < situation.now:
            yield late(activity, situation.now)


def late(activity: Activity, now: datetime) -> NextStep:
    """Return the step for an overdue activity."""
    due = activity.due_at or now
    when = ago((now.date() - due.astimezone(now.tzinfo).date()).days)
    reasoning = f"Overdue {activity.activity_type}: it was due {when}"
    # Most titles contain the name already: "Call with Jack".
    if activity.related.name and activity.related.name not in activity.title:
        reasoning += f", with {activity.related.name}"
    arguments = {"activity_id": activity.id}
    return NextStep(
        9, f"Catch up on “{activity.title}”", reasoning, activity, "complete_activity", arguments, activity.id
    )


def closing(situation: Situation) -> Iterator[NextStep]:
    """Score 10: an open deal closes within 7 days. Score 8: its close date has passed."""
    for deal in _open_deals(situation):
        if deal.close_date is None:
            continue
        # A date without a time zone: it is compared with the user's own day.
        days = (deal.close_date - situation.now.date()).days
        if 0 <= days <= CLOSING_DAYS:
            reasoning = f"It closes {ahead(days)} and stands at {humanise(deal.stage)}"
            # The activities are about the situation's record: they say nothing about other deals.
            if deal is situation.record and situation.activities is not None and not situation.scheduled:
                reasoning += ", with no open activity"
            yield schedule(
                replace(situation, record=deal), ActivityType.CALL, 10, f"Push to close {deal.name}", reasoning
            )
        elif days < 0:
            step = {"opportunity_id": deal.id}
            reasoning = f"Its closing day passed {ago(-days)} while it still stands at {humanise(deal.stage)}"
            yield NextStep(
                8,
                f"Set a new closing day for {deal.name}",
                reasoning,
                deal,
                "update_opportunity",
                step,
                f"{deal.id}.date",
            )


def without_next_step(situation: Situation) -> Iterator[NextStep]:
    """Score 7: an open deal has no next step."""
    for deal in _open_deals(situation):
        if not deal.next_step:
            reasoning = f"The deal stands at {humanise(deal.stage)} and has no next step"
            step = {"opportunity_id": deal.id}
            yield NextStep(
                7, f"Set the next step for {deal.name}", reasoning, deal, "update_opportunity", step, f"{deal.id}.step"
            )


def _open_deals(situation: Situation) -> list[Opportunity]:
    of_record = (situation.record,) if isinstance(situation.record, Opportunity) else ()
    return [deal for deal in (*of_record, *situation.deals) if deal.stage in OPEN_STAGES]


def at_risk(situation: Situation) -> Iterator[NextStep]:
    """Score 8: an account is at risk or churning."""
    account = situation.record
    if isinstance(account, Account) and account.health in (AccountHealth.AT_RISK, AccountHealth.CHURNING):
        reasoning = f"The account's health is {humanise(account.health)}"
        yield schedule(situation, ActivityType.CALL, 8, f"Check in with {account.name}", reasoning)


def upcoming(situation: Situation) -> Iterator[NextStep]:
    """Score 6: an activity is due within 7 days."""
    for activity in situation.scheduled:
        if activity.due_at is None or not situation.now <= activity.due_at < situation.now + timedelta(days=7):
            continue
        days = -situation.days_ago(activity.due_at)
        reasoning = f"The {activity.activity_type} is due {ahead(days)}"
        arguments = {"activity_id": activity.id}
        yield NextStep(6, f"Prepare “{activity.title}”", reasoning, activity, "get_activity", arguments, activity.id)


def first_contact(situation: Situation) -> Iterator[NextStep]:
    """Score 6: a new lead without any contact."""
    lead = situation.record
    if isinstance(lead, Lead) and lead.last_contacted_at is None and lead.status is LeadStatus.NEW:
        kind = touch(lead)
        yield schedule(
            situation, kind, 6, f"Make first contact with {lead.display_name}", "New lead, not contacted yet"
        )


def converted(situation: Situation) -> Iterator[NextStep]:
    """Score 5: a converted lead; its contact is the one to work with."""
    lead = situation.record
    if isinstance(lead, Lead) and lead.converted is not None:
        arguments = {"contact_id": lead.converted.contact_id}
        action = f"Go on with the contact {lead.display_name}"
        yield NextStep(5, action, "The lead has been converted", lead, "get_contact", arguments, f"{lead.id}.converted")


def left_open(situation: Situation) -> Iterator[NextStep]:
    """Score 6: something is still planned for a closed lead or deal."""
    for activity in situation.scheduled:
        reasoning = f"It is still planned, though the {situation.record.TYPE} is {_state(situation.record)}"
        action, arguments = f"Cancel or complete “{activity.title}”", {"activity_id": activity.id}
        yield NextStep(6, action, reasoning, activity, "get_activity", arguments, activity.id)


def note_reason(situation: Situation) -> Iterator[NextStep]:
    """Score 4: a closed lead or deal; what was learned is worth a note."""
    record = situation.record
    arguments = {"entity_type": record.TYPE, "entity_id": record.id}
    action = f"Note down what was learned from {situation.name}"
    reasoning = f"The {record.TYPE} is {_state(record)}"
    yield NextStep(4, action, reasoning, record, "create_note", arguments, f"{record.id}.note")


def reopen(situation: Situation) -> Iterator[NextStep]:
    """Score 2: a lost lead or deal may come back."""
    record = situation.record
    if isinstance(record, Lead | Opportunity) and _state(record) in ("lost", "unqualified"):
        arguments = {f"{record.TYPE}_id": record.id}
        action = f"Open {situation.name} again only if the interest is back"
        reasoning = "Nothing else is to be done for it"
        yield NextStep(2, action, reasoning, record, f"update_{record.TYPE}", arguments, f"{record.id}.reopen")


def _state(record: Record) -> str:
    state = record.status if isinstance(record, Lead) else record.stage if isinstance(record, Opportunity) else ""
    return state.removeprefix("closed_")
