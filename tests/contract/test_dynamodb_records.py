"""The record repository on DynamoDB: lost responses, item sizes, and the cost of a search."""

from typing import Any

import pytest

from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.domain.crm.queries import Condition, Create, RecordQuery
from aisha.domain.crm.records import Contact, Lead
from aisha.domain.errors import InvalidInputError, UnavailableError
from tests.contract.conftest import DynamoDB
from tests.contract.recorded_requests import recorded_requests
from tests.contract.records import create
from tests.fakes.ticking_clock import TickingClock


@pytest.fixture
def records(dynamodb: DynamoDB, clock: TickingClock) -> DynamoDBRecordRepository:
    return DynamoDBRecordRepository(dynamodb.records_table, clock, region=dynamodb.region, endpoint=dynamodb.endpoint)


def test_a_write_whose_response_was_lost_is_done_once(
    records: DynamoDBRecordRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    transact = records._items.transact

    def lose_the_response(steps: Any) -> None:
        transact(steps)
        raise UnavailableError("connection reset")

    monkeypatch.setattr(records._items, "transact", lose_the_response)
    [written] = records.write("demo", [Create(Lead(first_name="Jack"))], "op-1")
    monkeypatch.undo()
    assert [one.id for one in records.search("demo", RecordQuery("lead")).items] == [written.record.id]
    assert records.write("demo", [Create(Lead(first_name="Jack"))], "op-1") == [written]


def test_a_word_whose_entries_were_cut_off_is_added_again(
    records: DynamoDBRecordRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all, done = records._items.put_all, 0

    def stop_after_the_first(keys: Any) -> None:
        nonlocal done
        done += 1
        if done > 1:
            raise UnavailableError("the process was killed")
        put_all(keys)

    monkeypatch.setattr(records._items, "put_all", stop_after_the_first)
    with pytest.raises(UnavailableError):
        records.write("demo", [Create(Lead(last_name="Quillfeather"))])
    monkeypatch.undo()
    records.write("demo", [Create(Lead(last_name="Quillfeather"))])
    for misspelt in ("Quilfeather", "Quikllfeather", "Uqillfeather"):
        assert records.search("demo", RecordQuery("lead", name_contains=misspelt)).items


def test_a_table_that_does_not_answer_is_unavailable(clock: Any) -> None:
    records = DynamoDBRecordRepository("nothing", clock, endpoint="http://127.0.0.1:9", sleep=lambda _: None)
    for request in (
        lambda: records.get("demo", "lead", "lead_1"),
        lambda: records.search("demo", RecordQuery("lead")),
        lambda: records.counts("demo", "lead"),
        lambda: records.write("demo", [Create(Lead(first_name="Jack"))], "op"),
    ):
        with pytest.raises(UnavailableError) as caught:
            request()
        assert caught.value.retryable


def test_a_record_larger_than_an_item_is_refused(records: DynamoDBRecordRepository) -> None:
    with pytest.raises(InvalidInputError) as caught:
        create(records, Lead(first_name="Jack", custom={"notes": "x" * 500_000}))
    assert caught.value.message == "That is more than a record can hold. Shorten it."
    assert records.search("demo", RecordQuery("lead")).items == []


@pytest.mark.slow
def test_a_search_costs_the_same_with_twenty_times_the_records(records: DynamoDBRecordRepository) -> None:
    def lead(number: int) -> Lead:
        status = ("new", "warm")[number % 2]
        name = f"N{number:03}"
        return Lead.model_validate({"first_name": name, "last_name": "Smith", "status": status, "owner": "bob"})

    queries = [
        RecordQuery("lead"),
        RecordQuery("lead", order="newest"),
        RecordQuery("lead", name_contains="n007 smith"),
        RecordQuery("lead", name_contains="n029", limit=1),
        RecordQuery("lead", where=(Condition("status", "eq", "warm"),)),
        RecordQuery("lead", where=(Condition("owner", "eq", "bob"), Condition("status", "in", ["new", "warm"]))),
    ]

    def cost() -> list[int]:
        request_counts = []
        for query in queries:
            with recorded_requests() as operations:
                page = records.search("demo", query)
            assert page.items
            request_counts.append(len(operations))
        return request_counts

    create(records, *(lead(number) for number in range(30)))
    before = cost()
    create(records, *(lead(number) for number in range(30, 600)))
    assert cost() == before
    assert max(before) <= 4


def test_a_name_that_no_record_has_costs_the_variants_of_its_shortest_word(records: DynamoDBRecordRepository) -> None:
    create(records, Contact(first_name="Marta", last_name="Lindgren"))
    with recorded_requests() as operations:
        page = records.search("demo", RecordQuery("contact", name_contains="Jack Russel-Montgomery"))
    assert page.items == []
    # "jack" itself, and its variants: whole, and with each of its letters left out.
    assert operations == ["Query"] * 6


def test_few_records_of_one_word_are_read_without_the_entries_of_the_others(records: DynamoDBRecordRepository) -> None:
    create(records, Contact(first_name="Marta", last_name="Lindgren"), Contact(first_name="Marta", last_name="Olsen"))
    with recorded_requests() as operations:
        page = records.search("demo", RecordQuery("contact", name_contains="Marta Lindgren"))
    assert [contact.display_name for contact in page.items] == ["Marta Lindgren"]
    assert operations == ["Query", "BatchGetItem"]
