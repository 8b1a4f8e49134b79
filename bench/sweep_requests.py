"""Count the requests that a sweep makes to DynamoDB, and the messages that it sends."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from botocore.endpoint import Endpoint

from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.dynamodb.records import DynamoDBRecordRepository
from aisha.application.sweep import SweepDependencies
from aisha.application.tooling.context import ToolPorts
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Account, Activity, Contact, Lead, Note, Opportunity, Record
from aisha.domain.ports import RecordRepository
from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.aws_fakes.manual_queue import ManualQueue
from infra.local.server.sweep import sweep_with
from tests.fakes.in_memory import FixedClock

TENANT = "demo"
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
OWNERS = 20
_MAX_CHANGES = 10


def measure_requests(records: int) -> dict[str, Any]:
    """Sweep a tenant twice, a day apart, in a DynamoDB inside this process; return the requests a record.

    The tenant has `records` leads, deals, accounts and contacts, and activities and notes about them.
    """
    clock = FixedClock(NOW)
    figures: dict[str, Any] = {"records": records}
    with EmbeddedAWS(None):
        store = DynamoDBRecordRepository("aisha-records", clock)
        entries = DynamoDBEntryRepository("aisha-entries", clock)
        fill_tenant(store, TENANT, records)
        deps = SweepDependencies(ToolPorts(store, entries, clock), queue := CountingQueue())
        for name in ("first", "again"):
            queue.sent = 0
            with counted_requests() as requests:
                state = sweep_with(deps, queue, TENANT, workers=1)
            figures[name] = {
                "examined": state.examined,
                "findings": sum(one.findings for one in state.totals.values()),
                "new": sum(one.new_findings for one in state.totals.values()),
                "requests_a_record": round(requests.total() / state.examined, 3),
                "messages_a_record": round(queue.sent / state.examined, 3),
                "requests": dict(requests),
            }
            clock.advance(timedelta(days=1))
    return figures


class CountingQueue(ManualQueue):
    """A queue that counts the messages sent to it."""

    sent = 0

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        self.sent += 1
        super().send(queue, message)


@contextmanager
def counted_requests() -> Iterator[Counter[str]]:
    """Count the requests of all clients of this process by operation."""
    requests: Counter[str] = Counter()
    make_request = Endpoint.make_request

    def count(self: Any, operation_model: Any, request: Any) -> Any:
        requests[operation_model.name] += 1
        return make_request(self, operation_model, request)

    with patch.object(Endpoint, "make_request", count):
        yield requests


def fill_tenant(store: RecordRepository, tenant: str, records: int) -> None:
    """Store 12 leads, 3 deals, 2 accounts and 3 contacts of twenty, and 10 activities and 5 notes about them."""
    written: list[Record] = []
    waiting: list[Create] = []
    for number in range(records):
        waiting.append(Create(_subject(number, f"user{number % OWNERS}")))
        if len(waiting) == _MAX_CHANGES or number == records - 1:
            written += [one.record for one in store.write(tenant, waiting)]
            waiting = []
    related = [record for number, subject in enumerate(written) for record in _related(number, subject)]
    for start in range(0, len(related), _MAX_CHANGES):
        store.write(tenant, [Create(record) for record in related[start : start + _MAX_CHANGES]])


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
