"""A DynamoDB for every contract test: moto in this process, and DynamoDB Local too when its endpoint is given.

`AISHA_TEST_DYNAMODB_ENDPOINT=http://127.0.0.1:8000 pytest tests/contract` runs each test against both.
"""

import copy
import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import botocore.client
import moto.dynamodb.models
import pytest
from moto import mock_aws

from aisha.adapters.dynamodb.tables import create_tables

# Neither package types what is replaced below.
moto_models: Any = moto.dynamodb.models
client_class: Any = botocore.client.BaseClient
REGION = "us-east-1"
ENDPOINT = os.environ.get("AISHA_TEST_DYNAMODB_ENDPOINT")


@dataclass(frozen=True)
class DynamoDB:
    """Where the tables of one test are; nobody else uses them."""

    region: str
    endpoint: str | None
    records_table: str
    conversations_table: str
    entries_table: str


class TickingClock:
    """A clock that a test sets; each reading is a millisecond later, so that order of creation shows."""

    def __init__(self, now: datetime):
        self._now = now
        self._lock = threading.Lock()

    def now(self) -> datetime:
        with self._lock:
            self._now += timedelta(milliseconds=1)
            return self._now

    def advance(self, by: timedelta) -> None:
        with self._lock:
            self._now += by


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture(
    scope="module", params=["moto", pytest.param("dynamodb_local", marks=pytest.mark.real)] if ENDPOINT else ["moto"]
)
def backend(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The endpoint to talk to; None is moto."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        if request.param == "dynamodb_local":
            yield ENDPOINT
            return
        _one_call_at_a_time(patch)
        _copy_tables_once(patch)
        with mock_aws():
            yield None


def _one_call_at_a_time(patch: pytest.MonkeyPatch) -> None:
    # moto rolls a failed transaction back by restoring whole tables: a call in between would be lost.
    lock = threading.RLock()
    call = client_class._make_api_call

    def locked(self: Any, operation_name: str, api_params: Any) -> Any:
        with lock:
            return call(self, operation_name, api_params)

    patch.setattr(client_class, "_make_api_call", locked)


@pytest.fixture
def dynamodb(backend: str | None) -> DynamoDB:
    suffix = uuid4().hex[:12]
    place = DynamoDB(REGION, backend, *(f"{name}-{suffix}" for name in ("records", "conversations", "entries")))
    create_tables(place.records_table, place.conversations_table, place.entries_table, region=REGION, endpoint=backend)
    return place


def _copy_tables_once(patch: pytest.MonkeyPatch) -> None:
    # moto copies the whole table, deeply, for each item of a transaction; once and flatly is enough to roll back.
    transact = moto_models.DynamoDBBackend.transact_write_items
    kept: dict[int, Any] = {}

    def quick_copy(value: Any) -> Any:
        if not isinstance(value, moto_models.Table):
            return copy.deepcopy(value)
        if id(value) not in kept:
            kept[id(value)] = _flat_copy(value)
        return kept[id(value)]

    def transact_write_items(self: Any, items: Any) -> None:
        kept.clear()
        transact(self, items)

    patch.setattr(moto_models, "copy", SimpleNamespace(copy=copy.copy, deepcopy=quick_copy))
    patch.setattr(moto_models.DynamoDBBackend, "transact_write_items", transact_write_items)


def _flat_copy(table: Any) -> Any:
    copied = copy.copy(table)
    copied.items = defaultdict(dict)
    for partition, items in table.items.items():
        for key, item in items.items():
            copied.items[partition][key] = kept = copy.copy(item)
            kept.attrs = type(item.attrs)()
            dict.update(kept.attrs, item.attrs)
    return copied
