"""Contract of the searches of `RecordRepository`: names, filters, orders, cursors and counts."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from aisha.domain.crm.queries import Condition, Create, RecordQuery, Update
from aisha.domain.crm.records import (
    Activity,
    Contact,
    Lead,
    Note,
    Opportunity,
    Record,
    Related,
)
from aisha.domain.errors import InvalidInputError
from aisha.domain.ports import RecordRepository
from tests.contract.records import NOW, create, leads_named, names, walk
from tests.fakes.stores.in_memory import InMemoryRecordRepository


def edits(word: str) -> Iterator[str]:
    """Yield the words one edit away from a word, with q for every other letter."""
    for i in range(len(word) + 1):
        yield word[:i] + "q" + word[i:]
        yield word[:i] + word[i + 1 :]
        yield word[:i] + "q" + word[i + 1 :]
        yield word[:i] + word[i : i + 2][::-1] + word[i + 2 :]


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
