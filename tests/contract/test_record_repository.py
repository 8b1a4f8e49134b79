"""Contract of `RecordRepository`: on moto, on DynamoDB Local, in memory, behind the cache, and over another CRM."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from aisha.domain.crm.queries import Change, Condition, CountRow, Create, Delete, Period, RecordQuery, Update
from aisha.domain.crm.records import (
    Account,
    Contact,
    Conversion,
    Lead,
    Note,
    Opportunity,
    Related,
)
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ports import RecordRepository
from tests.contract.records import NOW, create, leads_named, names, walk


def count(records: RecordRepository, entity_type: str) -> dict[tuple[str | None, str], int]:
    return {(row.owner, row.status): row.count for row in records.counts("demo", entity_type)}


# --- one record


def test_a_created_record_is_read_back_as_it_was_written(records: RecordRepository) -> None:
    lead = Lead(
        first_name="Zoë",
        company="Łódź & Co #1",
        estimated_value=Decimal("1234.50"),
        last_contacted_at=NOW,
        tags=["vip"],
        custom={"a": {"b": [1, None]}},
    )
    [created] = create(records, lead)
    assert created.id.startswith("lead_") and len(created.id) == len("lead_") + 26
    assert (created.version, created.tenant_id) == (1, "demo")
    assert created.created_at == created.updated_at
    assert records.get("demo", "lead", created.id) == created
    stamps = {"id": "", "tenant_id": "", "created_at": None, "updated_at": None, "version": 0, "remote": None}
    assert created.model_copy(update=stamps) == lead


def test_an_update_merges_clears_and_counts_its_version(records: RecordRepository) -> None:
    [lead] = create(records, Lead(first_name="Jack", company="ABC", phone="1"))
    [written] = records.write("demo", [Update("lead", lead.id, {"status": "Qualified", "phone": None, "score": 80})])
    assert written.action == "updated"
    assert written.before == lead
    after = records.get("demo", "lead", lead.id)
    assert written.after == after
    assert isinstance(after, Lead)
    assert (after.status, after.phone, after.score, after.company, after.version) == ("qualified", None, 80, "ABC", 2)
    assert after.created_at == lead.created_at
    assert after.updated_at and after.updated_at > lead.updated_at


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"score": 101}, "score"),
        ({"status": "sleepy"}, "status"),
        ({"colour": "red"}, "colour"),
        ({"tenant_id": "rival"}, "tenant_id"),
        ({"version": 7}, "version"),
        ({"id": "lead_x"}, "id"),
        ({"created_at": NOW}, "created_at"),
    ],
)
def test_a_wrong_change_is_refused_with_the_field(
    records: RecordRepository, changes: dict[str, Any], field: str
) -> None:
    [lead] = create(records, Lead(first_name="Jack"))
    with pytest.raises(InvalidInputError) as caught:
        records.write("demo", [Update("lead", lead.id, changes)])
    assert field in caught.value.message
    assert caught.value.pointer == f"/{field}"
    assert records.get("demo", "lead", lead.id) == lead


def test_a_deleted_record_leaves_nothing_behind(records: RecordRepository) -> None:
    [jack, _] = create(records, Lead(first_name="Jack", owner="bob"), Lead(first_name="Jill"))
    [written] = records.write("demo", [Delete("lead", jack.id)])
    assert (written.action, written.before, written.after) == ("deleted", jack, None)
    with pytest.raises(NotFoundError):
        records.get("demo", "lead", jack.id)
    assert leads_named(records, "jack") == []
    assert names(records, RecordQuery("lead", where=(Condition("owner", "eq", "bob"),))) == []
    assert count(records, "lead") == {(None, "new"): 1}
    with pytest.raises(NotFoundError):
        records.write("demo", [Delete("lead", jack.id)])


def test_get_many_gives_what_exists_under_its_type(records: RecordRepository) -> None:
    jack, jill = create(records, Lead(first_name="Jack"), Lead(first_name="Jill"))
    keys = [("lead", jack.id), ("contact", jill.id), ("lead", "lead_nobody"), ("lead", jack.id)]
    assert records.get_many("demo", keys) == {jack.id: jack}
    with pytest.raises(NotFoundError):
        records.get("demo", "contact", jack.id)


def test_another_tenant_sees_nothing(records: RecordRepository) -> None:
    [jack] = create(records, Lead(first_name="Jack", owner="bob"))
    create(records, Lead(first_name="Jack", company="Rival"), tenant="rival")
    with pytest.raises(NotFoundError):
        records.get("rival", "lead", jack.id)
    with pytest.raises(NotFoundError):
        records.write("rival", [Update("lead", jack.id, {"score": 1})])
    assert records.get_many("rival", [("lead", jack.id)]) == {}
    for query in (RecordQuery("lead"), RecordQuery("lead", name_contains="jack"), RecordQuery("lead", order="newest")):
        assert [one.tenant_id for one in records.search("rival", query).items] == ["rival"]
    assert names(records, RecordQuery("lead", where=(Condition("owner", "eq", "bob"),)), tenant="rival") == []
    assert records.counts("rival", "lead") == [CountRow(None, "new", "", 1)]


def test_a_tenant_whose_name_looks_like_a_key_stays_apart(records: RecordRepository) -> None:
    create(records, Lead(first_name="Jack"))
    assert records.search("demo#lead", RecordQuery("lead")).items == []
    create(records, Lead(first_name="Mallory"), tenant="demo#lead")
    assert names(records, RecordQuery("lead")) == ["Jack"]


# --- versions, many writers, repetition


def test_an_expected_version_that_is_gone_is_a_conflict(records: RecordRepository) -> None:
    [lead] = create(records, Lead(first_name="Jack"))
    records.write("demo", [Update("lead", lead.id, {"score": 1}, expected_version=1)])
    for change in (Update("lead", lead.id, {"score": 2}, expected_version=1), Delete("lead", lead.id, 1)):
        with pytest.raises(ConflictError) as caught:
            records.write("demo", [change])
        assert caught.value.retryable
    after = records.get("demo", "lead", lead.id)
    assert isinstance(after, Lead)
    assert after.score == 1


def in_parallel(work: Callable[[int], Any], workers: int = 20) -> list[Any]:
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, range(workers)))


def test_twenty_writers_lose_no_update_and_no_count(records: RecordRepository) -> None:
    [shared] = create(records, Lead(first_name="Shared", owner="bob"))

    def work(number: int) -> None:
        field = ("phone", "email", "job_title", "next_action")[number % 4]
        records.write("demo", [Create(Lead(first_name=f"Lead{number}", owner="bob", estimated_value=Decimal("1.10")))])
        while True:
            try:
                records.write("demo", [Update("lead", shared.id, {field: str(number)})])
                return
            except ConflictError:
                continue

    in_parallel(work)
    after = records.get("demo", "lead", shared.id)
    assert after.version == 21
    assert isinstance(after, Lead)
    assert all((after.phone, after.email, after.job_title, after.next_action))
    assert records.counts("demo", "lead") == [CountRow("bob", "new", "", 21, Decimal("22.00"))]
    assert len(walk(records, RecordQuery("lead", limit=7))) == 21


def test_of_twenty_writers_of_one_version_one_wins(records: RecordRepository) -> None:
    [shared] = create(records, Lead(first_name="Shared"))

    def work(number: int) -> bool:
        try:
            records.write("demo", [Update("lead", shared.id, {"score": number}, expected_version=1)])
        except ConflictError:
            return False
        return True

    assert sum(in_parallel(work)) == 1
    assert records.get("demo", "lead", shared.id).version == 2


def test_an_operation_runs_once_whoever_repeats_it(records: RecordRepository) -> None:
    changes: list[Change] = [Create(Lead(first_name="Jack"))]
    first = records.write("demo", changes, "op-1")
    assert records.write("demo", changes, "op-1") == first
    assert in_parallel(lambda _: records.write("demo", changes, "op-2")[0].record.id, 8).count("") == 0
    assert count(records, "lead") == {(None, "new"): 2}
    deletions = records.write("demo", [Delete("lead", first[0].record.id)], "op-3")
    assert records.write("demo", [Delete("lead", first[0].record.id)], "op-3") == deletions
    assert records.write("rival", changes, "op-1")[0].record.id != first[0].record.id


# --- several changes at once


def test_changes_of_one_write_stand_or_fall_together(records: RecordRepository) -> None:
    [jack] = create(records, Lead(first_name="Jack"))
    with pytest.raises(NotFoundError):
        records.write("demo", [Update("lead", jack.id, {"score": 5}), Delete("lead", "lead_nobody")])
    assert records.get("demo", "lead", jack.id) == jack


def test_a_conversion_keeps_links_counts_and_indexes(records: RecordRepository) -> None:
    [lead] = create(records, Lead(first_name="Ann", company="ABC", owner="bob", status="qualified"))
    account_id, contact_id = "account_01JABCDEFGHJKMNPQRSTVWXYZ0", "contact_01JABCDEFGHJKMNPQRSTVWXYZ1"
    links = Conversion(account_id=account_id, contact_id=contact_id)
    records.write(
        "demo",
        [
            Create(Account(id=account_id, name="ABC", owner="bob")),
            Create(Contact(id=contact_id, first_name="Ann", account_id=account_id, owner="bob")),
            Create(Opportunity(name="ABC deal", amount=Decimal(1000), account_id=account_id, owner="bob")),
            Update("lead", lead.id, {"status": "converted", "converted": links.model_dump()}),
        ],
    )
    by_account = (Condition("account_id", "eq", account_id),)
    assert names(records, RecordQuery("contact", where=by_account)) == ["Ann"]
    assert names(records, RecordQuery("opportunity", where=by_account)) == ["ABC deal"]
    assert count(records, "lead") == {("bob", "converted"): 1}
    assert names(records, RecordQuery("lead", where=(Condition("status", "eq", "qualified"),))) == []
    [row] = records.counts("demo", "opportunity")
    assert row == CountRow("bob", "prospecting", "USD", 1, Decimal(1000), Decimal(100))


def test_ten_full_records_fit_in_one_write(records: RecordRepository) -> None:
    text = " ".join(f"word{number}" for number in range(70))
    notes = [Note(content=f"n{n} {text}", related=Related(type="lead", id="lead_1")) for n in range(10)]
    results = records.write("demo", [Create(note) for note in notes])
    assert len(walk(records, RecordQuery("note", name_contains="word41", limit=3))) == 10
    records.write("demo", [Delete("note", result.record.id) for result in results])
    assert records.search("demo", RecordQuery("note", name_contains="word41")).items == []
    assert records.counts("demo", "note") == []
    with pytest.raises(InvalidInputError):
        records.write("demo", [Create(Lead(first_name="Jack"))] * 11)


def test_two_changes_of_one_record_build_on_each_other(records: RecordRepository) -> None:
    [jack] = create(records, Lead(first_name="Jack"))
    records.write("demo", [Update("lead", jack.id, {"score": 5}), Update("lead", jack.id, {"status": "warm"})])
    after = records.get("demo", "lead", jack.id)
    assert isinstance(after, Lead)
    assert (after.score, after.status, after.version) == (5, "warm", 2)


def test_an_operation_is_looked_up_without_changes(records: RecordRepository) -> None:
    assert records.write("demo", [], "op-1") == []
    first = records.write("demo", [Create(Lead(first_name="Jack"))], "op-1")
    assert records.write("demo", [], "op-1") == first
    assert records.write("demo", []) == []


def test_more_than_a_hundred_ids_at_once_are_refused(records: RecordRepository) -> None:
    assert records.get_many("demo", [("lead", f"lead_{number}") for number in range(100)]) == {}
    with pytest.raises(InvalidInputError):
        records.get_many("demo", [("lead", f"lead_{number}") for number in range(101)])


# --- counts


def test_counts_stay_exact_and_know_the_day_of_creation(records: RecordRepository, clock: Any) -> None:
    [first] = create(records, Opportunity(name="A", amount=Decimal("100.10"), owner="bob", probability=33))
    clock.advance(timedelta(days=1))
    [second] = create(records, Opportunity(name="B", amount=Decimal(50), currency="EUR"))
    records.write("demo", [Update("opportunity", first.id, {"stage": "won", "amount": 200, "probability": 100})])
    today = Period(date(2026, 3, 3), date(2026, 3, 3))
    won = CountRow("bob", "closed_won", "USD", 1, Decimal(200), Decimal(200))
    open_row = CountRow(None, "prospecting", "EUR", 1, Decimal(50), Decimal(5))
    assert Counter(records.counts("demo", "opportunity")) == Counter([won, open_row])
    assert records.counts("demo", "opportunity", today) == [open_row]
    assert records.counts("demo", "opportunity", Period(date(2026, 3, 1), date(2026, 3, 2))) == [won]
    records.write("demo", [Delete("opportunity", second.id)])
    assert records.counts("demo", "opportunity") == [won]
    assert records.counts("demo", "opportunity", today) == []
