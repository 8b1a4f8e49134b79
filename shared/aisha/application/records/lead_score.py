"""The score of a lead, 0 to 100, with its reasons. Pure functions.

The weights are this product's own choice and may not fit a tenant's sales process; the record's own `score` is not
changed. The best values of all rows add up to 100:

| criterion | points |
|---|---|
| status | qualified and converted 25, warm 20, contacted 10, new 5, unqualified and lost -25 |
| source | referral 10, website and trade show 6, email 4, social media and advertising 3, cold call 2 |
| can be reached | email 5, phone 5, unless the lead must not be emailed or called |
| job title | a decision maker's: 10 |
| estimated value | from 50,000: 10, from 10,000: 6, any: 2 |
| last contact | within 7 days 15, within 30 days 8, longer ago -10 |
| activities done in the last 30 days | 5 each, at most 10 |
| an activity is planned | 5 |
| a note of the last 30 days asks for something | 5 |
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from msgspec import Struct

from aisha.application.next_steps import asks_for_something
from aisha.domain.crm.enumerations import ActivityStatus, LeadSource, LeadStatus
from aisha.domain.crm.records import Activity, Lead, Note
from aisha.domain.wording import format_money

STATUS_POINTS = {
    LeadStatus.QUALIFIED: 25, LeadStatus.CONVERTED: 25, LeadStatus.WARM: 20, LeadStatus.CONTACTED: 10,
    LeadStatus.NEW: 5, LeadStatus.UNQUALIFIED: -25, LeadStatus.LOST: -25,
}  # fmt: skip
SOURCE_POINTS = {
    LeadSource.REFERRAL: 10, LeadSource.WEBSITE: 6, LeadSource.TRADE_SHOW: 6, LeadSource.EMAIL: 4,
    LeadSource.SOCIAL_MEDIA: 3, LeadSource.ADVERTISING: 3, LeadSource.COLD_CALL: 2,
}  # fmt: skip
VALUE_POINTS = ((Decimal(50_000), 10), (Decimal(10_000), 6), (Decimal(1), 2))
REACHABLE, DECISION_MAKER = 5, 10
FRESH, RECENT, SILENT = 15, 8, -10
POINTS_PER_ACTIVITY, MAX_ACTIVITY_POINTS, PLANNED, REQUESTED = 5, 10, 5, 5
FRESH_DAYS, RECENT_DAYS = 7, 30
# "Chief Executive", "CTO", "VP Sales", "Co-founder": `c[efimot]o` is CEO, CFO, CIO, CMO, COO and CTO.
_DECISION_MAKER = re.compile(
    r"\b(?:chief|c[efimot]o|president|vp|director|head|owner|founder|partner|principal)\b", re.IGNORECASE
)


class Reason(Struct, frozen=True):
    """Points for or against a lead, and the reason in words for people."""

    reason: str
    points: int


def score_of(reasons: Sequence[Reason]) -> int:
    """Return the sum of the points, limited to 0 to 100."""
    return max(0, min(100, sum(reason.points for reason in reasons)))


def reasons_for(
    lead: Lead, now: datetime, activities: Sequence[Activity] = (), notes: Sequence[Note] = ()
) -> list[Reason]:
    """Return the reasons for and against the lead, those with most points first. `now` is aware."""
    reasons = (
        *_standing(lead), *_fit(lead), *_contact(lead, now), *_engagement(activities, now), *_interest(notes, now),
    )  # fmt: skip
    return sorted((reason for reason in reasons if reason.points), key=lambda reason: -abs(reason.points))


def _standing(lead: Lead) -> Iterator[Reason]:
    status = LeadStatus(lead.status)
    yield Reason(f"The lead is {status}", STATUS_POINTS[status])
    if lead.source is not None:
        yield Reason(f"It came by {lead.source.replace('_', ' ')}", SOURCE_POINTS.get(lead.source, 0))


def _fit(lead: Lead) -> Iterator[Reason]:
    # An address that must not be used reaches nobody.
    if lead.email and not lead.do_not_email:
        yield Reason("There is an email address", REACHABLE)
    if lead.phone and not lead.do_not_call:
        yield Reason("There is a phone number", REACHABLE)
    if lead.job_title and _DECISION_MAKER.search(lead.job_title):
        yield Reason(f"{lead.job_title} is somebody who decides", DECISION_MAKER)
    # The highest threshold comes first, and only one of them counts.
    for min_value, points in VALUE_POINTS:
        if lead.estimated_value is not None and lead.estimated_value >= min_value:
            yield Reason(f"The business may be worth {format_money(lead.estimated_value)}", points)
            return


def _contact(lead: Lead, now: datetime) -> Iterator[Reason]:
    if lead.last_contacted_at is None:
        return
    days = max(0, (now.date() - lead.last_contacted_at.astimezone(now.tzinfo).date()).days)
    when = "today" if days == 0 else "yesterday" if days == 1 else f"{days} days ago"
    points = FRESH if days <= FRESH_DAYS else RECENT if days <= RECENT_DAYS else SILENT
    yield Reason(f"Last contacted {when}", points)


def _engagement(activities: Sequence[Activity], now: datetime) -> Iterator[Reason]:
    since = now - timedelta(days=RECENT_DAYS)
    completed = [activity for activity in activities if activity.status is ActivityStatus.COMPLETED]
    # An activity without a time of completion does not count as recent.
    if done := sum((activity.completed_at or since) > since for activity in completed):
        noun = "activity" if done == 1 else "activities"
        points = min(MAX_ACTIVITY_POINTS, POINTS_PER_ACTIVITY * done)
        yield Reason(f"{done} {noun} done in the last {RECENT_DAYS} days", points)
    if any(activity.status is ActivityStatus.SCHEDULED for activity in activities):
        yield Reason("An activity is planned", PLANNED)


def _interest(notes: Sequence[Note], now: datetime) -> Iterator[Reason]:
    since = now - timedelta(days=RECENT_DAYS)
    if any((note.created_at or now) >= since and asks_for_something(note) for note in notes):
        yield Reason("A note says that something is wanted", REQUESTED)
