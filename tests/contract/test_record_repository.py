"""Contract of `RecordRepository`: on moto, on DynamoDB Local, in memory, behind the cache, and over another CRM."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.adapters.cached_records import CachedRecordRepository
from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.domain.crm.queries import Change, Condition, CountRow, Create, Delete, Period, RecordQuery, Update
from aisha.domain.crm.records import (
    Account,
    Activity,
    Contact,
    Conversion,
    Lead,
    LeadStatus,
    Note,
    Opportunity,
    Record,
    Related,
)
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ports import RecordRepository
from tests.contract.conftest import DynamoDB, TickingClock
from tests.contract.records import create
from tests.fakes.stores.in_memory import InMemoryRecordRepository
from tests.fakes.systems.hubspot import HubSpot
from tests.support.tenants.connected import Connected

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


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


def names(records: RecordRepository, query: RecordQuery, tenant: str = "demo") -> list[str]:
    return [record.display_name for record in records.search(tenant, query).items]


def leads_named(records: RecordRepository, text: str) -> list[str]:
    return names(records, RecordQuery("lead", name_contains=text))


def walk(records: RecordRepository, query: RecordQuery) -> list[Record]:
    items: list[Record] = []
    for _ in range(200):
        page = records.search("demo", query)
        items += page.items
        if page.next_cursor is None:
            return items
        query = replace(query, cursor=page.next_cursor)
    raise AssertionError("the cursors never end")


def count(records: RecordRepository, entity_type: str) -> dict[tuple[str | None, str], int]:
    return {(row.owner, row.status): row.count for row in records.counts("demo", entity_type)}


def edits(word: str) -> Iterator[str]:
    """Yield the words one edit away from a word, with q for every other letter."""
    for i in range(len(word) + 1):
        yield word[:i] + "q" + word[i:]
        yield word[:i] + word[i + 1 :]
        yield word[:i] + "q" + word[i + 1 :]
        yield word[:i] + word[i : i + 2][::-1] + word[i + 2 :]


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


# --- names


@pytest.fixture
def people(records: RecordRepository) -> RecordRepository:
    create(
        records,
        Lead(first_name="Jack", last_name="Russel", company="ABC Corp"),
        Lead(first_name="Jacqueline", last_name="Smith", company="XYZ Inc"),
        Lead(first_name="Zoë", last_name="O'Brien", company="Łódź Trading"),
        Lead(first_name="Jon", last_name="Doe", company="Müller GmbH"),
        Lead(first_name="Joan", last_name="Doe", company="Initech"),
    )
    return records


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("jack", ["Jack Russel"]),
        ("JACK RUSSEL", ["Jack Russel"]),
        ("Jack Russell", ["Jack Russel"]),
        ("jakc", ["Jack Russel"]),
        ("jack abc", ["Jack Russel"]),
        ("abc jack", ["Jack Russel"]),
        ("jack xyz", []),
        ("jac", ["Jack Russel", "Jacqueline Smith"]),
        ("j", ["Jack Russel", "Jacqueline Smith", "Jon Doe", "Joan Doe"]),
        ("zoe", ["Zoë O'Brien"]),
        ("ZOË OBrien", ["Zoë O'Brien"]),
        ("o'brien", ["Zoë O'Brien"]),
        ("lodz", ["Zoë O'Brien"]),
        ("muller", ["Jon Doe"]),
        ("jon", ["Jon Doe"]),
        ("smiht", ["Jacqueline Smith"]),
        ("nobody", []),
        ("!!!", []),
    ],
)
def test_name_contains(people: RecordRepository, text: str, expected: list[str]) -> None:
    page = people.search("demo", RecordQuery("lead", name_contains=text))
    assert sorted(record.display_name for record in page.items) == sorted(expected)
    assert page.total == len(expected)


@pytest.mark.parametrize(
    "word", ["bob", "anna", *(pytest.param(word, marks=pytest.mark.slow) for word in ("russell", "alexandrina"))]
)
def test_one_typo_anywhere_still_leads_to_the_name(records: RecordRepository, word: str) -> None:
    create(records, Contact(first_name=word))
    for typed in edits(word):
        if len(typed) > 2:
            assert names(records, RecordQuery("contact", name_contains=typed)) == [word], typed


def test_long_texts_tolerate_no_typo(records: RecordRepository) -> None:
    create(records, Note(content="Prefers quarterly invoices", related=Related(type="lead", id="lead_1")))
    assert names(records, RecordQuery("note", name_contains="quarterly invo")) == ["Prefers quarterly invoices"]
    assert names(records, RecordQuery("note", name_contains="quartrely")) == []


def test_a_renamed_record_is_found_by_its_new_name_alone(people: RecordRepository) -> None:
    [jack] = people.search("demo", RecordQuery("lead", name_contains="russel")).items
    people.write("demo", [Update("lead", jack.id, {"last_name": "Terrier"})])
    assert leads_named(people, "russel") == []
    assert leads_named(people, "terier") == ["Jack Terrier"]


@pytest.mark.slow
def test_a_common_name_is_walked_page_by_page_and_tolerates_a_typo(records: RecordRepository) -> None:
    create(records, *(Lead(first_name="Jack", last_name=f"Jackson{number}") for number in range(130)))
    create(records, Lead(first_name="Jacky", last_name="Other"))
    for text, expected in (("jack", 131), ("jakc", 130), ("jack jackson", 130)):
        items = walk(records, RecordQuery("lead", name_contains=text, limit=50))
        assert len(items) == len({item.id for item in items}) == expected


# --- filters, orders, cursors


@pytest.fixture
def pipeline(records: RecordRepository) -> RecordRepository:
    stages = ("prospecting", "proposal", "closed_won")
    create(
        records,
        *(
            Opportunity(
                name=f"Deal {number:02}",
                amount=Decimal(number % 7 * 100),
                stage=stages[number % 3],
                owner=("alice", "bob")[number % 2],
                close_date=date(2026, 3, 1) + timedelta(days=number),
            )
            for number in range(24)
        ),
    )
    return records


def test_filters_are_exact_and_the_total_too(pipeline: RecordRepository) -> None:
    cases: list[tuple[tuple[Condition, ...], Callable[[int], bool]]] = [
        ((Condition("stage", "eq", "proposal"),), lambda n: n % 3 == 1),
        ((Condition("stage", "in", ["prospecting", "proposal"]),), lambda n: n % 3 < 2),
        ((Condition("owner", "eq", "BOB"), Condition("stage", "eq", "proposal")), lambda n: n % 2 == 1 and n % 3 == 1),
        ((Condition("owner", "eq", "bob"),), lambda n: n % 2 == 1),
        ((Condition("stage", "ne", "proposal"),), lambda n: n % 3 != 1),
        ((Condition("amount", "gte", 500),), lambda n: n % 7 >= 5),
        ((Condition("amount", "gt", 500), Condition("owner", "eq", "bob")), lambda n: n % 7 == 6 and n % 2 == 1),
        ((Condition("amount", "lt", Decimal("100.01")),), lambda n: n % 7 <= 1),
        ((Condition("close_date", "lte", "2026-03-05"),), lambda n: n <= 4),
        ((Condition("next_step", "ne", "x"),), lambda n: True),
        ((Condition("next_step", "eq", "x"),), lambda n: False),
        ((Condition("created_at", "gte", date(2026, 3, 2)),), lambda n: True),
        ((Condition("created_at", "gt", date(2026, 3, 2)),), lambda n: False),
        ((Condition("owner", "in", []),), lambda n: False),
    ]
    for where, matches in cases:
        for order in (None, "due", "newest"):
            page = pipeline.search("demo", RecordQuery("opportunity", where=where, order=order, limit=50))
            numbers = {int(record.display_name[-2:]) for record in page.items}
            assert numbers == {n for n in range(24) if matches(n)}, (where, order)
            assert page.total == len(page.items)


def amounts_of(records: list[Record]) -> list[Decimal]:
    return [record.amount for record in records if isinstance(record, Opportunity) and record.amount is not None]


def test_orders(pipeline: RecordRepository) -> None:
    amounts = amounts_of(walk(pipeline, RecordQuery("opportunity", limit=5)))
    assert amounts == sorted(amounts, reverse=True)
    both = (Condition("stage", "in", ["closed_won", "prospecting"]),)
    merged = amounts_of(walk(pipeline, RecordQuery("opportunity", where=both, limit=3)))
    assert merged == sorted(merged, reverse=True) and len(merged) == 16
    due = names(pipeline, RecordQuery("opportunity", order="due", limit=3))
    assert due == ["Deal 00", "Deal 01", "Deal 02"]
    own = RecordQuery("opportunity", order="due", where=(Condition("owner", "eq", "bob"),), limit=2)
    assert names(pipeline, own) == ["Deal 01", "Deal 03"]
    create(pipeline, Opportunity(name="Last"))
    assert names(pipeline, RecordQuery("opportunity", order="newest", limit=1)) == ["Last"]


def test_records_without_the_ranked_value_come_last(records: RecordRepository) -> None:
    create(records, Lead(first_name="None"), Lead(first_name="Low", score=0), Lead(first_name="High", score=100))
    assert names(records, RecordQuery("lead")) == ["High", "Low", "None"]
    create(records, Contact(first_name="Émile"), Contact(first_name="bob"), Contact(first_name="Zoe"))
    assert names(records, RecordQuery("contact")) == ["bob", "Émile", "Zoe"]


def test_activities_of_a_record_and_those_overdue(records: RecordRepository) -> None:
    def activity(title: str, days: int, status: str = "scheduled", about: str = "lead_1") -> Activity:
        return Activity.model_validate(
            {
                "title": title,
                "activity_type": "call",
                "related": {"type": "lead", "id": about},
                "due_at": NOW + timedelta(days=days),
                "status": status,
            }
        )

    create(records, activity("later", 3), activity("late", -3), activity("done", -4, "completed"))
    create(records, activity("other", -1, about="lead_2"))
    about = (Condition("related.id", "eq", "lead_1"),)
    assert names(records, RecordQuery("activity", where=about)) == ["done", "late", "later"]
    overdue = (Condition("status", "eq", "scheduled"), Condition("due_at", "lt", NOW))
    page = records.search("demo", RecordQuery("activity", where=overdue, limit=1))
    assert [one.display_name for one in page.items] == ["late"]
    later = (overdue[0], Condition("due_at", "lt", NOW + timedelta(seconds=30)))
    page = records.search("demo", RecordQuery("activity", where=later, limit=1, cursor=page.next_cursor))
    assert [one.display_name for one in page.items] == ["other"]


def test_cursors_show_everything_once(pipeline: RecordRepository) -> None:
    queries = [
        RecordQuery("opportunity", limit=5),
        RecordQuery("opportunity", limit=7, name_contains="deal"),
        RecordQuery("opportunity", limit=1, where=(Condition("owner", "eq", "bob"), Condition("amount", "lte", 300))),
        RecordQuery("opportunity", limit=5, order="due"),
        RecordQuery("opportunity", limit=24, order="newest"),
        RecordQuery("opportunity", limit=4, where=(Condition("close_date", "gte", date(2026, 3, 10)),)),
    ]
    for query in queries:
        all_records = pipeline.search("demo", replace(query, limit=50))
        ids = [one.id for one in walk(pipeline, query)]
        assert ids == [one.id for one in all_records.items]
        assert len(ids) == all_records.total


def test_a_cursor_belongs_to_its_search(pipeline: RecordRepository) -> None:
    cursor = pipeline.search("demo", RecordQuery("opportunity", limit=5)).next_cursor
    wrong = [
        ("demo", RecordQuery("opportunity", limit=5, order="due", cursor=cursor)),
        ("demo", RecordQuery("lead", limit=5, cursor=cursor)),
        ("demo", RecordQuery("opportunity", name_contains="deal", cursor=cursor)),
        ("rival", RecordQuery("opportunity", limit=5, cursor=cursor)),
        ("demo", RecordQuery("opportunity", limit=5, cursor="nonsense")),
    ]
    for tenant, query in wrong:
        with pytest.raises(InvalidInputError) as caught:
            pipeline.search(tenant, query)
        assert "start over" in caught.value.message.lower()


@pytest.mark.parametrize(
    "query",
    [
        RecordQuery("spaceship"),
        RecordQuery("lead", limit=0),
        RecordQuery("lead", limit=501),
        RecordQuery("lead", where=(Condition("colour", "eq", "red"),)),
        RecordQuery("lead", where=(Condition("score", "gte", "many"),)),
    ],
)
def test_a_wrong_query_is_refused(records: RecordRepository, query: RecordQuery) -> None:
    create(records, Lead(first_name="Jack", score=5))
    with pytest.raises(InvalidInputError):
        records.search("demo", query)


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


def test_records_of_one_moment_come_in_the_order_in_which_they_were_made() -> None:
    class StandingClock:
        def now(self) -> datetime:
            return NOW

    records = InMemoryRecordRepository(StandingClock())
    for number in range(20):
        records.write(
            "demo", [Create(Note(content=f"Note {number}", related=Related(type="lead", id="lead_1", name="Jack")))]
        )
    notes = records.search("demo", RecordQuery("note", order="newest", limit=50)).items
    assert [note.content for note in notes if isinstance(note, Note)] == [f"Note {number}" for number in range(20)]
