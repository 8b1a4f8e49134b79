"""A DynamoDB for every contract test: the one inside this process, and DynamoDB Local where its endpoint is set.

`AISHA_TEST_DYNAMODB_ENDPOINT=http://127.0.0.1:8000 pytest tests/contract` runs each test against both.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from aisha.adapters.cached_records import CachedRecordRepository
from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.adapters.dynamodb.tables import create_tables
from aisha.domain.crm.enumerations import LeadStatus
from aisha.domain.ports import RecordRepository
from infra.local.aws_fakes.embedded import EmbeddedAWS
from tests.fakes.stores.in_memory import InMemoryRecordRepository
from tests.fakes.systems.hubspot import HubSpot
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected

REGION = "us-east-1"
ENDPOINT = os.environ.get("AISHA_TEST_DYNAMODB_ENDPOINT", "")


@dataclass(frozen=True)
class DynamoDB:
    """Region, endpoint and table names of one test; no other test uses these tables."""

    region: str
    endpoint: str | None
    records_table: str
    conversations_table: str
    entries_table: str


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


# A module at a time: while the embedded DynamoDB runs, moto answers for no other service.
@pytest.fixture(
    scope="module",
    params=["embedded", pytest.param("dynamodb_local", marks=pytest.mark.real)] if ENDPOINT else ["embedded"],
)
def backend(request: pytest.FixtureRequest) -> Iterator[EmbeddedAWS | str]:
    """Yield the DynamoDB inside this process, or the endpoint of another."""
    if request.param == "embedded":
        with EmbeddedAWS(None) as aws:
            yield aws
        return
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        yield ENDPOINT


@pytest.fixture
def dynamodb(backend: EmbeddedAWS | str) -> DynamoDB:
    """Return empty tables; those inside this process are emptied, since creating them takes a fifth of a second."""
    if isinstance(backend, EmbeddedAWS):
        backend.clear()
        return DynamoDB(REGION, None, "aisha-records", "aisha-conversations", "aisha-entries")
    suffix = uuid4().hex[:12]
    tables = DynamoDB(REGION, backend, *(f"{name}-{suffix}" for name in ("records", "conversations", "entries")))
    create_tables(
        tables.records_table, tables.conversations_table, tables.entries_table, region=REGION, endpoint=backend
    )
    return tables


@pytest.fixture(
    params=[
        pytest.param("dynamodb", marks=pytest.mark.slow),
        "in_memory",
        "cached",
        pytest.param("connected", marks=pytest.mark.slow),
    ]
)
def records(request: pytest.FixtureRequest, dynamodb: DynamoDB, clock: TickingClock) -> Iterator[RecordRepository]:
    match request.param:
        case "in_memory":
            yield InMemoryRecordRepository(clock)
        case "cached":
            yield CachedRecordRepository(InMemoryRecordRepository(clock), seconds=60)
        case "connected":
            with HubSpot(clock) as hubspot:
                # HubSpot's own file says that leads are not converted there.
                status = {"at": "hs_lead_status", "values": {value: value.upper() for value in LeadStatus}}
                yield Connected(clock, hubspot.url, options={"fields": {"lead": {"status": status}}}).repository
        case _:
            tables, region = dynamodb.records_table, dynamodb.region
            yield DynamoDBRecordRepository(tables, clock, region=region, endpoint=dynamodb.endpoint)
