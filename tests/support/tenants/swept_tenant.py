"""A tenant to sweep: records of every type that has findings, with activities and notes about them."""

from collections.abc import Iterator
from datetime import timedelta

from aisha.domain.crm.queries import Create
from aisha.domain.crm.record_changes import MAX_CHANGES
from aisha.domain.crm.records import Account, Activity, Contact, Lead, Note, Opportunity, Record
from aisha.domain.ports import RecordRepository
from tests.support.tenants.desk import NOW

OWNERS = 20


def fill_tenant(store: RecordRepository, tenant: str, records: int) -> None:
    """Store 12 leads, 3 deals, 2 accounts and 3 contacts of twenty, and 10 activities and 5 notes about them."""
    written: list[Record] = []
    waiting: list[Create] = []
    for number in range(records):
        waiting.append(Create(_subject(number, f"user{number % OWNERS}")))
        if len(waiting) == MAX_CHANGES or number == records - 1:
            written += [one.record for one in store.write(tenant, waiting)]
            waiting = []
    related = [record for number, subject in enumerate(written) for record in _related(number, subject)]
    for start in range(0, len(related), MAX_CHANGES):
        store.write(tenant, [Create(record) for record in related[start : start + MAX_CHANGES]])


def _subject(number: int, owner: str) -> Record:
    place = number % 20
    at = NOW - timedelta(days=20 if number % 2 else 1)
    # One of fifty has the address of another record.
    email = f"person{number - 20 if number % 50 == 49 else number}@x.example"
    if place < 12:
        return Lead(
            first_name="Lead", last_name=str(number), status="warm" if place < 2 else "contacted", owner=owner,
            phone="1", email=email, last_contacted_at=at,
        )  # fmt: skip
    if place < 15:
        deal = {"name": f"Deal {number}", "stage": "proposal", "amount": number, "owner": owner}
        return Opportunity.model_validate(deal | ({"next_step": "Call"} if number % 2 else {}))
    if place < 17:
        health = "at_risk" if number % 2 else "healthy"
        return Account.model_validate({"name": f"Company {number}", "phone": "1", "health": health, "owner": owner})
    return Contact(first_name="Contact", last_name=str(number), owner=owner, phone="1", email=email)


def _related(number: int, subject: Record) -> Iterator[Record]:
    about = {"type": subject.TYPE, "id": subject.id, "name": subject.display_name}
    if number % 4 in (1, 2):
        due = NOW + timedelta(days=-3 if number % 20 == 1 else 3)
        yield Activity.model_validate(
            {"title": "Call", "activity_type": "call", "related": about, "due_at": due, "owner": subject.owner}
        )
    if number % 4 == 0:
        content = "He wants a call back." if number % 20 == 8 else "We talked about the weather."
        yield Note.model_validate({"content": content, "related": about, "owner": subject.owner})
