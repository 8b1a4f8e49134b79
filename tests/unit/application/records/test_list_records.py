"""Lists of records contain and count only what the user may see."""

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.records.listing import RecordFilters, get_record, list_records
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.errors import NotFoundError, PermissionDeniedError
from aisha.domain.principal import Principal
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository

MODULES = frozenset(("leads", "contacts", "accounts", "opportunities", "activities", "notes", "goals"))
ANN = Principal("acme", "ann", modules=MODULES)
BOB = replace(ANN, user="bob", modules=MODULES - {"opportunities"})


@pytest.fixture
def records() -> InMemoryRecordRepository:
    return InMemoryRecordRepository(FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))


def put(records: InMemoryRecordRepository, kind: str, /, **fields: Any) -> str:
    record = RECORD_TYPES[kind].model_validate({"owner": "ann", **fields})
    return records.write("acme", [Create(record)])[0].record.id


def seen(records: InMemoryRecordRepository, user: Principal, kind: str, **filters: Any) -> tuple[list[str], int | None]:
    page = list_records(user, kind, RecordFilters(**filters), records)
    return sorted(record.display_name for record in page.items), page.total


def about(kind: str) -> dict[str, str]:
    return {"type": kind, "id": f"{kind}_1"}


@pytest.mark.parametrize(
    ("kind", "hidden", "open_to_all"),
    [
        (
            "note",
            {"content": "Private", "related": about("lead"), "is_private": True},
            {"content": "Open", "related": about("lead")},
        ),
        ("note", {"content": "Price", "related": about("opportunity")}, {"content": "Open", "related": about("lead")}),
        ("goal", {"title": "My own", "scope": "mine"}, {"title": "Everybody's", "scope": "shared"}),
        (
            "activity",
            {"title": "Price talk", "activity_type": "call", "related": about("opportunity")},
            {"title": "Call", "activity_type": "call", "related": about("lead")},
        ),
        ("event", {"title": "Won", "kind": "x", "related": about("opportunity")}, {"title": "Sweep", "kind": "x"}),
    ],
)
def test_what_is_not_for_bob_is_neither_listed_nor_counted_nor_read(
    records: InMemoryRecordRepository, kind: str, hidden: dict[str, Any], open_to_all: dict[str, Any]
) -> None:
    secret, visible = put(records, kind, **hidden), put(records, kind, **open_to_all)
    assert seen(records, ANN, kind)[1] == 2
    names, total = seen(records, BOB, kind)
    assert (len(names), total) == (1, 1)
    assert seen(records, BOB, kind, limit=1)[1] == 1
    assert get_record(ANN, kind, secret, records).id == secret
    assert get_record(BOB, kind, visible, records).id == visible
    with pytest.raises((NotFoundError, PermissionDeniedError)):
        get_record(BOB, kind, secret, records)


def test_a_total_counts_every_page(records: InMemoryRecordRepository) -> None:
    for number in range(25):
        put(records, "note", content=f"Note {number}", related=about("lead"), is_private=number % 5 == 0)
    assert seen(records, ANN, "note")[1] == 25
    assert seen(records, BOB, "note", limit=3)[1] == 20
    assert seen(records, BOB, "note", limit=3, related_id="lead_1")[1] == 20


def test_a_closed_module_is_refused_before_anything_else_is_looked_at(records: InMemoryRecordRepository) -> None:
    with pytest.raises(PermissionDeniedError):
        list_records(BOB, "opportunity", RecordFilters(status="no such stage"), records)
    with pytest.raises(NotFoundError):
        list_records(BOB, "unicorn", RecordFilters(), records)
