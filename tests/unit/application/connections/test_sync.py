"""Reading a CRM piece by piece: a large change goes on over many messages, and the timer starts no second reading."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from aisha.application.connections.sync import dispatch_sync, start_load, sync_state
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.errors import UnavailableError
from tests.contract.conftest import TickingClock
from tests.fakes.systems.hubspot import Fault, HubSpot
from tests.support.tenants.connected import Connected, Sync


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
