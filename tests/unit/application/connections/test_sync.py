"""Reading a CRM piece by piece: large changes and comparisons go on over many messages, and what is odd is named."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from aisha.application.connections.sync import dispatch_sync, request_fetch, start_load
from aisha.application.connections.sync_state import sync_state
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.errors import UnavailableError
from tests.fakes.systems.hubspot import Fault, HubSpot
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import FILES, Connected, Sync


@pytest.fixture
def hubspot() -> Iterator[HubSpot]:
    with HubSpot(TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))) as server:
        for number in range(250):
            server.add("contacts", firstname=f"F{number}", lifecyclestage="lead", hs_lead_status="NEW")
        yield server


def test_a_load_that_is_cut_off_goes_on_where_it_was(hubspot: HubSpot) -> None:
    sync = Sync(Connected(hubspot.clock, hubspot.url))
    start_load("demo", sync.deps)
    sync.work(1)
    state = sync_state(sync.crm.entries, "demo")
    assert state is not None and state.phase == "loading" and 0 < sync.count("lead") < 250
    # The message is lost; a quarter of an hour later the timer takes the load up.
    sync.messages.clear()
    dispatch_sync(sync.deps)
    assert sync.messages == []
    hubspot.clock.advance(timedelta(minutes=16))  # type: ignore[attr-defined]
    dispatch_sync(sync.deps)
    sync.work()
    state = sync_state(sync.crm.entries, "demo")
    assert state is not None and (state.phase, sync.count("lead")) == ("ready", 250)


def test_an_error_in_between_is_kept_and_the_next_try_goes_on(hubspot: HubSpot) -> None:
    sync = Sync(Connected(hubspot.clock, hubspot.url))
    start_load("demo", sync.deps)
    sync.work()
    hubspot.before = lambda method, path: Fault(503, {"message": "down"})
    dispatch_sync(sync.deps)
    with pytest.raises(UnavailableError):
        sync.work()
    state = sync_state(sync.crm.entries, "demo")
    assert state is not None and state.error is not None and "HubSpot is out of order" in state.error
    hubspot.before = lambda method, path: None
    key = next(iter(hubspot.rows["contacts"]))
    hubspot.change("contacts", key, firstname="Changed")
    sync.messages.clear()
    dispatch_sync(sync.deps)
    sync.work()
    state = sync_state(sync.crm.entries, "demo")
    assert state is not None and state.error is None
    assert [one.display_name for one in sync.crm.local.search("demo", RecordQuery("lead", "Changed")).items] == [
        "Changed"
    ]


def loaded(hubspot: HubSpot) -> Sync:
    sync = Sync(Connected(hubspot.clock, hubspot.url))
    start_load("demo", sync.deps)
    sync.work()
    return sync


def a_day_later(sync: Sync) -> int:
    """Let the timer fire after a day, do all messages and return their number."""
    sync.crm.clock.advance(timedelta(days=1))  # type: ignore[attr-defined]
    dispatch_sync(sync.deps)
    return sync.work()


def problems(sync: Sync) -> list[str]:
    state = sync_state(sync.crm.entries, "demo")
    assert state is not None
    return state.problems


@pytest.mark.slow  # a thousand records
def test_a_bulk_change_is_read_in_pieces_between_which_others_have_their_turn(hubspot: HubSpot) -> None:
    sync = loaded(hubspot)
    sync.crm.clock.advance(timedelta(minutes=10))  # type: ignore[attr-defined]
    for number in range(800):
        hubspot.add("contacts", firstname=f"G{number}", lifecyclestage="lead", hs_lead_status="NEW")
    dispatch_sync(sync.deps)
    stored_before, pieces = sync.count("lead"), 0
    while sync.messages:
        assert len(sync.messages) == 1
        sync.work(1)
        assert sync.count("lead") - stored_before <= 500, "one message reads at most five pages"
        stored_before, pieces = sync.count("lead"), pieces + 1
    assert (stored_before, pieces > 1) == (1050, True)


def test_a_bulk_change_is_read_from_the_whole_list_and_not_record_by_record(
    hubspot: HubSpot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aisha.application.connections.sync.MIN_BULK_REQUESTS", 100)
    for number in range(600):
        hubspot.add("contacts", firstname=f"C{number}", lifecyclestage="customer")
    sync = loaded(hubspot)
    sync.crm.clock.advance(timedelta(minutes=10))  # type: ignore[attr-defined]
    for key in hubspot.rows["contacts"]:
        hubspot.change("contacts", key, lastname="Changed")
    before = len(hubspot.requests)
    dispatch_sync(sync.deps)
    sync.work()
    query = RecordQuery("contact", "Changed")
    assert [sync.crm.local.search("demo", replace(query, entity_type=kind)).total for kind in ("contact", "lead")] == [
        600, 250,
    ]  # fmt: skip
    assert len(hubspot.requests) - before < 250
    state = sync_state(sync.crm.entries, "demo")
    assert state is not None and state.is_idle and state.error is None


@pytest.mark.parametrize("is_at_once", [False, True])
def test_changes_beyond_what_one_search_reaches_are_read_or_found_by_the_comparison(
    hubspot: HubSpot, tmp_path: Path, is_at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aisha.application.connections.sync.MIN_BULK_REQUESTS", 100_000)
    file = json.loads((FILES / "hubspot.json").read_text("utf-8"))
    for resource in file["resources"]:
        resource["changes"]["paginator"]["window"] = 200
    (tmp_path / "hubspot.json").write_text(json.dumps(file), "utf-8")
    sync = Sync(Connected(hubspot.clock, hubspot.url, folder=tmp_path))
    start_load("demo", sync.deps)
    sync.work()
    sync.crm.clock.advance(timedelta(minutes=10))  # type: ignore[attr-defined]
    for number in range(350):
        hubspot.add("contacts", firstname=f"G{number}", lifecyclestage="lead", hs_lead_status="NEW")
    moment = sync.crm.clock.now()
    for row in list(hubspot.rows["contacts"].values())[-350:] if is_at_once else ():
        row.updated = moment
    dispatch_sync(sync.deps)
    sync.work()
    assert sync.count("lead") == (450 if is_at_once else 600)
    a_day_later(sync)
    assert sync.count("lead") == 600


def test_a_comparison_goes_on_over_many_messages_and_deletes_what_is_gone(hubspot: HubSpot) -> None:
    for number in range(350):
        hubspot.add("contacts", firstname=f"G{number}", lifecyclestage="customer")
    sync = loaded(hubspot)
    for key in list(hubspot.rows["contacts"])[40:70]:
        hubspot.remove("contacts", key)
    assert a_day_later(sync) > 4
    assert (sync.count("lead"), sync.count("contact")) == (220, 350)


def test_a_comparison_whose_message_was_lost_is_taken_up(hubspot: HubSpot) -> None:
    for number in range(350):
        hubspot.add("contacts", firstname=f"G{number}", lifecyclestage="customer")
    sync = loaded(hubspot)
    hubspot.remove("contacts", next(iter(hubspot.rows["contacts"])))
    hubspot.clock.advance(timedelta(days=1))  # type: ignore[attr-defined]
    dispatch_sync(sync.deps)
    while not any(one["step"] == "deletions" for one in sync.messages):
        sync.work(1)
    sync.work(1)
    sync.messages.clear()
    for minutes in (5, 16):
        assert sync.count("lead") == 250
        hubspot.clock.advance(timedelta(minutes=minutes))  # type: ignore[attr-defined]
        dispatch_sync(sync.deps)
        sync.work()
    assert sync.count("lead") == 249


def test_a_record_that_the_readings_missed_is_stored_by_the_comparison(hubspot: HubSpot) -> None:
    sync = loaded(hubspot)
    missed = next(one for one in sync.crm.local.search("demo", RecordQuery("lead", "F7")).items)
    sync.crm.mirrors["demo"].forget([missed])
    a_day_later(sync)
    assert sync.count("lead") == 250


def test_a_record_that_can_not_be_read_any_more_keeps_its_copy_and_no_other_from_being_read(hubspot: HubSpot) -> None:
    sync = loaded(hubspot)
    unreadable, readable, deleted = list(hubspot.rows["contacts"])[:3]
    hubspot.rows["contacts"][unreadable].properties["notes_last_contacted"] = "soon"
    hubspot.change("contacts", readable, firstname="Good")
    hubspot.remove("contacts", deleted)
    request_fetch("demo", [f"contacts/{unreadable}", f"contacts/{readable}"], sync.deps)
    sync.work()
    assert [one.display_name for one in sync.crm.local.search("demo", RecordQuery("lead", "Good")).items] == ["Good"]
    a_day_later(sync)
    assert sync.count("lead") == 249
    assert any("'soon' is no datetime" in one for one in problems(sync))


def test_a_field_that_has_another_name_now_is_named_to_the_admins_once(hubspot: HubSpot) -> None:
    for row in hubspot.rows["contacts"].values():
        row.properties["company"] = "Hooli"
    sync, warned = loaded(hubspot), list[str]()
    sync.deps = replace(sync.deps, warn=lambda tenant, text: warned.append(text))
    for row in hubspot.rows["contacts"].values():
        row.properties["company_name"] = row.properties.pop("company")
    a_day_later(sync)
    a_day_later(sync)
    [warning] = warned
    assert warning == "lead: company is empty now in each record that had it: does the CRM call it otherwise?"
    assert warning in problems(sync)
