"""Properties of the demo data that people, the walkthrough and the demo conversations rely on."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from rapidfuzz.distance import OSA

from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.domain.crm.enumerations import OPEN_STAGES
from aisha.domain.crm.queries import Condition, RecordQuery
from aisha.domain.crm.records import Record
from aisha.domain.search.words import words
from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.demo.data import demo_records, seed
from infra.local.demo.users import MODULES, USERS
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository

ZONE = ZoneInfo("America/New_York")
# A Monday, a Saturday, a month's end, and an hour at which New York has another date than UTC.
DAYS = [
    datetime(2026, 3, 2, 14, 0, tzinfo=UTC),
    datetime(2026, 3, 7, 14, 0, tzinfo=UTC),
    datetime(2026, 2, 28, 23, 59, tzinfo=UTC),
    datetime(2027, 1, 1, 3, 0, tzinfo=UTC),
]
MINIMUM = {"lead": 40, "contact": 30, "account": 15, "opportunity": 20, "activity": 60, "note": 40}


@pytest.fixture(params=DAYS, ids=str)
def now(request: pytest.FixtureRequest) -> datetime:
    chosen: datetime = request.param
    return chosen


@pytest.fixture
def demo(now: datetime) -> list[Any]:
    return demo_records("demo", now)


def of_type(records: list[Any], kind: str) -> list[Any]:
    return [record for record in records if kind == record.TYPE]


def named(records: list[Any], name: str) -> Any:
    [match] = [record for record in records if record.display_name == name]
    return match


def test_every_type_has_enough_records(demo: list[Any]) -> None:
    counts = Counter(record.TYPE for record in demo)
    assert {kind: counts[kind] >= minimum for kind, minimum in MINIMUM.items()} == dict.fromkeys(MINIMUM, True)


def test_the_same_day_gives_the_same_data(now: datetime) -> None:
    assert demo_records("demo", now) == demo_records("demo", now)


def test_no_name_id_or_address_occurs_twice(demo: list[Any]) -> None:
    people = Counter(
        record.display_name for record in (*of_type(demo, "lead"), *of_type(demo, "contact"), *of_type(demo, "account"))
    )
    assert people.most_common(1)[0][1] == 1
    assert len({record.id for record in demo}) == len(demo)
    emails = [record.email for record in demo if getattr(record, "email", None)]
    assert len(set(emails)) == len(emails)
    assert all(email.isascii() and email.endswith(".example") and ".@" not in email for email in emails)


def test_jack_russel_is_as_the_story_says(demo: list[Any], now: datetime) -> None:
    jack = named(of_type(demo, "lead"), "Jack Russel")
    assert (jack.status, jack.company, jack.owner) == ("warm", "ABC Corp", "alice")
    assert jack.email
    assert jack.phone
    assert now - timedelta(days=3, seconds=1) <= jack.last_contacted_at <= now - timedelta(days=3)
    assert any("Awaiting callback" in note.content for note in of_type(demo, "note") if note.related.id == jack.id)
    assert all(one.status == "completed" for one in of_type(demo, "activity") if one.related.id == jack.id)


def test_bob_has_one_warm_lead_of_several(demo: list[Any]) -> None:
    warm = Counter(lead.owner for lead in of_type(demo, "lead") if lead.status == "warm")
    assert warm["bob"] == 1
    assert warm.total() >= 5


def test_there_are_three_johns_and_all_are_contacts(demo: list[Any]) -> None:
    johns = [record for record in demo if any(word.startswith("john") for word in words(record.search_words()))]
    companies = {john.display_name: john.company for john in johns}
    assert companies == {"John Doe": "ABC Corp", "John Smith": "XYZ Inc", "John Brown": "Freelance"}
    assert {john.TYPE for john in johns} == {"contact"}


UNIQUE_NAMES = {
    "jack": "Jack Russel",
    "russel": "Jack Russel",
    "doe": "John Doe",
    "smith": "John Smith",
    "brown": "John Brown",
}


@pytest.mark.parametrize("name", UNIQUE_NAMES)
def test_a_name_of_the_story_leads_to_one_record(demo: list[Any], name: str) -> None:
    names = {one.display_name for one in demo if one.TYPE != "note" and is_like(one, name)}
    assert names == {UNIQUE_NAMES[name]}


@pytest.mark.parametrize("name", ["zebulon", "quark", "maria", "sanchez", "globex"])
@pytest.mark.parametrize("tenant", ["demo", "rival"])
def test_a_name_that_must_be_unknown_resembles_no_record(tenant: str, name: str) -> None:
    assert not [one.display_name for one in demo_records(tenant, DAYS[0]) if is_like(one, name)]


def is_like(record: Record, name: str) -> bool:
    return any(word.startswith(name) or OSA.distance(word, name) <= 1 for word in words(record.search_words()))


def test_one_deal_closes_this_week_and_nobody_has_done_anything(demo: list[Any], now: datetime) -> None:
    today = now.astimezone(ZONE).date()
    is_open = [one for one in of_type(demo, "opportunity") if one.stage in OPEN_STAGES]
    [urgent] = [deal for deal in is_open if today <= deal.close_date <= today + timedelta(days=7)]
    assert urgent.id not in {activity.related.id for activity in of_type(demo, "activity")}
    assert sum(deal.close_date > today + timedelta(days=7) for deal in is_open) >= 2
    assert all(deal.close_date < today for deal in of_type(demo, "opportunity") if deal not in is_open)


def test_two_activities_are_overdue_and_both_are_alices(demo: list[Any], now: datetime) -> None:
    # The data may be half a day old when it is used.
    for instant in (now, now + timedelta(hours=10)):
        overdue = [one for one in of_type(demo, "activity") if one.status == "scheduled" and one.due_at < instant]
        assert [one.owner for one in overdue] == ["alice", "alice"]
        assert all(one.related.name in one.title for one in overdue)


def test_activities_are_on_working_days_and_hours(demo: list[Any]) -> None:
    for activity in of_type(demo, "activity"):
        due = activity.due_at.astimezone(ZONE)
        assert due.weekday() < 5
        assert 8 <= due.hour < 18
    assert all(one.due_at.utcoffset() is not None for one in of_type(demo, "activity"))


def test_what_is_done_was_done_in_the_past(demo: list[Any], now: datetime) -> None:
    statuses = Counter(activity.status for activity in of_type(demo, "activity"))
    assert {"scheduled", "completed", "cancelled"} <= set(statuses)
    assert all(one.completed_at < now for one in of_type(demo, "activity") if one.status == "completed")


def test_every_link_leads_to_a_record(demo: list[Any]) -> None:
    ids = {record.id: record for record in demo}
    for deal in of_type(demo, "opportunity"):
        assert ids[deal.contact_id].account_id == deal.account_id
        assert deal.account_id in ids
    for about in (*of_type(demo, "activity"), *of_type(demo, "note")):
        assert ids[about.related.id].display_name == about.related.name
    assert all(ids[one.account_id].name == one.company for one in of_type(demo, "contact") if one.account_id)


def test_alice_has_goals_of_her_own_and_one_that_is_shared(demo: list[Any]) -> None:
    goals = of_type(demo, "goal")
    assert Counter(goal.scope for goal in goals) == {"mine": 2, "shared": 1}
    assert {goal.owner for goal in goals} == {"alice"}
    assert all(0 < goal.progress < 100 for goal in goals)


def test_something_has_happened_and_not_all_of_it_is_for_bob(demo: list[Any]) -> None:
    events = of_type(demo, "event")
    ids = {record.id: record for record in demo}
    about = [ids[event.related.id] for event in events if event.related]
    assert len(events) == 5
    assert {record.TYPE for record in about} == {"lead", "account", "opportunity"}


def test_some_leads_have_no_activity(demo: list[Any]) -> None:
    busy = {activity.related.id for activity in of_type(demo, "activity")}
    assert len([lead for lead in of_type(demo, "lead") if lead.id not in busy]) >= 5


def test_the_rival_has_its_own_people_of_the_same_names(now: datetime, demo: list[Any]) -> None:
    rival = demo_records("rival", now)
    assert {record.owner for record in rival} == {"rita"}
    for kind, name in (("lead", "Jack Russel"), ("contact", "John Doe")):
        ours, theirs = named(of_type(demo, kind), name), named(of_type(rival, kind), name)
        assert ours.id != theirs.id
        assert ours.email != theirs.email
        assert ours.company != theirs.company
    assert not {record.id for record in demo} & {record.id for record in rival}


def test_everyone_who_may_sign_in_has_a_profile() -> None:
    assert set(USERS) == {("demo", "alice"), ("demo", "bob"), ("rival", "rita")}
    assert USERS["demo", "alice"]["modules"] == list(MODULES)
    assert set(MODULES) - set(USERS["demo", "bob"]["modules"]) == {"opportunities"}
    assert all(ZoneInfo(profile["zoneinfo"]) for profile in USERS.values())


@pytest.mark.slow
def test_seeded_tables_answer_as_the_story_needs() -> None:
    now = DAYS[0]
    with EmbeddedAWS(None):
        stored = DynamoDBRecordRepository("aisha-records", FixedClock(now))
        in_memory = InMemoryRecordRepository(FixedClock(now))
        for records in (stored, in_memory):
            seed(records, now)
        for query in (
            RecordQuery("lead", name_contains="jack russell"),
            RecordQuery("contact", name_contains="John"),
            RecordQuery("lead", where=(Condition("status", "eq", "warm"), Condition("owner", "eq", "bob"))),
            RecordQuery("opportunity", order="due", limit=5),
            RecordQuery("lead", name_contains="Zebulon"),
        ):
            page, expected = stored.search("demo", query), in_memory.search("demo", query)
            assert [one.id for one in page.items] == [one.id for one in expected.items]
            assert page.total == expected.total
        for kind in MINIMUM:
            assert stored.counts("demo", kind) == in_memory.counts("demo", kind)
        assert stored.counts("rival", "lead") == in_memory.counts("rival", "lead")
