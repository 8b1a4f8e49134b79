"""The sweep examines every open record once, whatever the queue delivers twice, and suggests nothing twice."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application import scans
from aisha.application.notifications.due import due_notifications
from aisha.application.notifications.settings import NotificationSettings, remember_zone, save_settings
from aisha.application.scans.briefing import scan_briefing
from aisha.application.suggestions.store import iterate_entries, read_suggestions
from aisha.application.sweep import SweepLimits, current_sweep, dispatch
from aisha.application.sweep.state import ScanTotals
from aisha.application.sweep.survey import MAX_SURVEYED, SurveyCache
from aisha.application.tenants.sweep_enrolment import enrol, enrolled_tenants
from aisha.application.tooling.context import make_context
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.crm.queries import Delete, Update
from aisha.domain.errors import InvalidInputError, UnavailableError
from tests.fakes.stores.in_memory import FixedClock
from tests.fakes.stores.indexed_records import IndexedRecordRepository
from tests.support.tenants.desk import ANN, BOB, EVE, NOW
from tests.support.tenants.swept_desk import LONG_AGO, TENANT, SweptDesk, check_swept_twice, fill
from tests.support.tenants.swept_tenant import OWNERS, fill_tenant

# --- findings


def test_every_open_record_is_looked_at_and_what_is_found_is_suggested_to_its_owner(desk: SweptDesk) -> None:
    fill(desk)
    desk.put("lead", first_name="Bobs", status="warm", owner="bob", email="b@x.example", phone="1")
    desk.put("lead", first_name="Nobodys", status="warm", owner=None, email="n@x.example", phone="1")
    desk.sweep("one")
    kinds = Counter((suggestion.kind, suggestion.scan_type) for suggestion in desk.pending())
    assert kinds["silent", "stale_leads"] == 3
    assert kinds["overdue", "overdue_activities"] == 1
    assert kinds["without_next_step", "deals_at_risk"] == 1
    assert kinds["reached", "goal_progress"] == 1
    names = {one.entity["name"] for one in desk.pending()}
    assert {"Nobodys", "Adrift", "Old call", "There", "Lead0"} <= names
    assert not {"Bobs", "Gone", "Lead1"} & names
    assert {"Bobs", "Nobodys"} == {one.entity["name"] for one in desk.pending(BOB)}
    assert desk.pending(EVE) == []


def test_a_sweep_finds_what_whole_scans_find(desk: SweptDesk) -> None:
    fill(desk)
    desk.sweep("one")
    by_scans = {
        (one.kind, one.entity.id)
        for spec in scans.specs()
        for one in scans.run(spec.scan_type, make_context(ANN, desk.ports, spec.scan_type)).findings
    }
    assert {(one.kind, one.entity["id"]) for one in desk.pending()} == by_scans


def test_what_is_read_once_for_all_pages_gives_the_suggestions_that_a_search_for_each_record_gives() -> None:
    clock = FixedClock(NOW)
    records = IndexedRecordRepository(clock)
    fill_tenant(records, TENANT, 200)
    surveyed, searched = (_swept(records, clock, SurveyCache(max_records)) for max_records in (MAX_SURVEYED, 1))
    kinds = {kind for kind, _ in surveyed[0]}
    assert kinds >= {"silent", "warm_without_activity", "awaiting_callback", "duplicate", "overdue", "at_risk"}
    assert surveyed == searched


def _swept(
    records: IndexedRecordRepository, clock: FixedClock, surveys: SurveyCache
) -> tuple[dict[tuple[str, str], Any], Mapping[str, ScanTotals]]:
    """Sweep; return the stored suggestions by kind and record, and the totals of the scans."""
    desk = SweptDesk(records, clock, SweepLimits(page=30))
    desk.deps = replace(desk.deps, surveys=surveys)
    desk.sweep("one")
    stored = [
        entry.body
        for owner in (f"user{number}" for number in range(OWNERS))
        for entry in iterate_entries(OwnedEntries(desk.ports.entries, TENANT, owner))
    ]
    state = current_sweep(desk.ports.entries, TENANT)
    assert state
    return {(body["kind"], body["entity"]["id"]): body for body in stored}, state.totals


def test_a_worker_surveys_a_tenant_once_for_a_sweep_and_again_after_ten_minutes(desk: SweptDesk) -> None:
    seconds = 0.0
    surveys = SurveyCache(clock=lambda: seconds)
    first = surveys.survey(desk.context(), "one")
    assert surveys.survey(desk.context(), "one") is first
    assert surveys.survey(desk.context(), "two") is not first
    assert surveys.survey(desk.context(replace(ANN, tenant="rival")), "one") is not first
    seconds = 601.0
    assert surveys.survey(desk.context(), "one") is not first


def test_duplicates_on_different_pages_are_found(desk: SweptDesk) -> None:
    for number in range(6):
        desk.put(
            "lead",
            first_name=f"Ann{number}",
            phone="1",
            email="ann@x.example" if number in (0, 5) else f"{number}@x.example",
        )
    desk.sweep("one")
    assert [one.entity["name"] for one in desk.pending() if one.kind == "duplicate"] == ["Ann5"]


def test_contacts_and_accounts_are_looked_at_too(desk: SweptDesk) -> None:
    for number in range(4):
        desk.put(
            "account", name="Acme" if number in (0, 3) else f"Acme {number}", phone="1", website="https://a.example"
        )
        desk.put(
            "contact",
            first_name=f"Cy{number}",
            phone="1",
            email="cy@x.example" if number in (1, 3) else f"{number}@y.example",
        )
    desk.sweep("one")
    duplicates = [(one.entity["type"], one.entity["name"]) for one in desk.pending() if one.kind == "duplicate"]
    assert sorted(duplicates) == [("account", "Acme"), ("contact", "Cy3")]


def test_what_a_user_may_not_see_is_not_suggested(desk: SweptDesk) -> None:
    deal = desk.put("opportunity", name="Secret", stage="proposal", owner="bob")
    desk.put("activity", title="Call about it", activity_type="call", about=deal, due_at=LONG_AGO, owner="bob")
    jack = desk.put(
        "lead",
        first_name="Jack",
        status="contacted",
        last_contacted_at=NOW,
        owner="bob",
        email="a@x.example",
        phone="1",
    )
    desk.put("note", content="He wants a call back.", about=jack, owner="bob")
    desk.sweep("one")
    assert [one.kind for one in desk.pending(BOB)] == ["awaiting_callback"]
    without_notes = replace(BOB, modules=BOB.modules - {"notes"})
    assert desk.pending(without_notes) == []


def test_private_notes_are_not_read(desk: SweptDesk) -> None:
    jack = desk.put(
        "lead", first_name="Jack", status="contacted", last_contacted_at=NOW, email="a@x.example", phone="1"
    )
    desk.put("note", content="He wants a call back.", about=jack, is_private=True)
    desk.sweep("one")
    assert desk.pending() == []


# --- repeated sweeps


def test_a_thousand_records_swept_twice_give_no_suggestion_twice() -> None:
    check_swept_twice(1_000)


def test_a_suggestion_whose_reason_is_gone_is_taken_back_and_comes_again_with_its_reason(desk: SweptDesk) -> None:
    jack = desk.put(
        "lead", first_name="Jack", status="contacted", last_contacted_at=LONG_AGO, email="a@x.example", phone="1"
    )
    desk.sweep("one")
    (suggestion,) = desk.pending()
    desk.clock.advance(timedelta(days=1))
    desk.records.write(TENANT, [Update("lead", jack, {"last_contacted_at": desk.clock.now()})])
    desk.sweep("two")
    assert desk.pending() == []
    assert [one.id for one in read_suggestions(desk.context(), "superseded")[0]] == [suggestion.id]
    desk.clock.advance(timedelta(days=40))
    desk.sweep("three")
    (again,) = desk.pending()
    assert again.id == suggestion.id
    assert again.opened_at == desk.clock.now()


def test_suggestions_about_records_that_are_gone_or_others_now_move(desk: SweptDesk) -> None:
    jack, jane = (
        desk.put(
            "lead",
            first_name=name,
            status="contacted",
            last_contacted_at=LONG_AGO,
            email=f"{name}@x.example",
            phone="1",
        )
        for name in ("Jack", "Jane")
    )
    desk.sweep("one")
    assert len(desk.pending()) == 2
    desk.records.write(TENANT, [Delete("lead", jack), Update("lead", jane, {"owner": "bob"})])
    desk.clock.advance(timedelta(days=1))
    desk.sweep("two")
    assert desk.pending() == []
    assert [one.entity["id"] for one in desk.pending(BOB)] == [jane]


# --- notifications


def test_the_briefing_tells_what_a_sweep_found(desk: SweptDesk) -> None:
    fill(desk)
    desk.sweep("one")
    text = scan_briefing(desk.context()).text
    assert text.startswith("6 scans ran in the last 24 hours: ")
    assert "Stale Leads at 10:00 AM (3 findings, 3 new)" in text


def test_the_digest_comes_at_eight_in_the_users_zone(desk: SweptDesk) -> None:
    fill(desk)
    tokyo = replace(ANN, zone="Asia/Tokyo")
    save_settings(desk.ports.entries, tokyo, NotificationSettings())
    desk.sweep("one")
    context = make_context(tokyo, desk.ports, "op")
    assert due_notifications(context) == ([], False)
    (digest,) = due_notifications(context, include_coming=True)[0]
    assert digest.due_at == datetime.fromisoformat("2026-03-03T08:00:00+09:00")
    assert digest.title == "6 new suggestions about your records"
    assert "and 3 more" in digest.body


def test_a_digest_without_saved_settings_comes_at_eight_in_the_zone_of_the_latest_token(desk: SweptDesk) -> None:
    fill(desk)
    tokyo = replace(ANN, zone="Asia/Tokyo")
    remember_zone(desk.ports.entries, tokyo)
    desk.sweep("one")
    (digest,) = due_notifications(make_context(tokyo, desk.ports, "op"), include_coming=True)[0]
    assert digest.due_at == datetime.fromisoformat("2026-03-03T08:00:00+09:00")


def test_a_digest_whose_message_is_tried_again_after_midnight_comes_once(desk: SweptDesk) -> None:
    fill(desk)
    desk.begin("one")

    def break_off_after_the_digest(message: Mapping[str, Any]) -> None:
        if not message["part"].startswith("settle"):
            desk.work(message)
            return
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("aisha.application.sweep.working.update_sweep", _unavailable)
            with pytest.raises(UnavailableError):
                desk.work(message)
        desk.clock.advance(timedelta(hours=20))
        desk.work(message)

    desk.queue.drain(break_off_after_the_digest)
    digests, _ = due_notifications(desk.context(), include_coming=True)
    assert [digest.title for digest in digests] == ["6 new suggestions about your records"]


def _unavailable(*_: Any) -> None:
    raise UnavailableError("The store does not answer")


def test_no_digest_comes_without_new_suggestions_or_when_it_is_turned_off(desk: SweptDesk) -> None:
    fill(desk)
    save_settings(desk.ports.entries, ANN, NotificationSettings(digest=False))
    desk.sweep("one")
    assert due_notifications(desk.context(), include_coming=True)[0] == []
    save_settings(desk.ports.entries, ANN, NotificationSettings())
    desk.clock.advance(timedelta(hours=1))
    desk.sweep("two")
    assert due_notifications(desk.context(), include_coming=True)[0] == []


# --- dispatching


def test_a_tenant_that_scans_is_swept_from_then_on(desk: SweptDesk) -> None:
    assert list(enrolled_tenants(desk.ports.entries)) == []
    scans.run("stale_leads", make_context(ANN, desk.ports, "op"))
    assert list(enrolled_tenants(desk.ports.entries)) == [TENANT]


def test_a_dispatch_reaches_every_enrolled_tenant_and_those_named(desk: SweptDesk) -> None:
    for tenant in ("beta", "alpha", "beta"):
        enrol(desk.ports.entries, tenant)
    assert list(enrolled_tenants(desk.ports.entries)) == ["alpha", "beta"]
    assert dispatch("sweep", desk.deps, ["gamma", "alpha"], "one") == ["gamma", "alpha", "beta"]
    desk.queue.drain(desk.work)
    assert all(
        (state := current_sweep(desk.ports.entries, name)) and state.phase == "done" for name in ("alpha", "gamma")
    )


def test_invalid_messages_and_tasks_are_refused(desk: SweptDesk) -> None:
    invalid: list[Callable[[], object]] = [
        lambda: desk.work({"tenant": TENANT}),
        lambda: dispatch("dance", desk.deps),
    ]
    for call in invalid:
        with pytest.raises(InvalidInputError):
            call()
    desk.work({"tenant": TENANT, "sweep": "unknown", "part": "leads.0"})
    assert desk.events() == []
