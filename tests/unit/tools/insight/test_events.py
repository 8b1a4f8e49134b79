from datetime import timedelta

from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import BOB, EVE, Desk


def test_the_newest_event_comes_first_and_kinds_are_told_apart(desk: Desk, clock: FixedClock) -> None:
    for kind, title in (
        ("sweep_completed", "Sweep"),
        ("record_changed", "Jack changed"),
        ("record_changed", "Ann changed"),
    ):
        desk.put("event", kind=kind, title=title)
        clock.advance(timedelta(minutes=1))
    assert desk.names("get_recent_events") == ["Ann changed", "Jack changed", "Sweep"]
    assert desk.names("get_recent_events", limit=1) == ["Ann changed"]
    assert desk.names("get_recent_events", type="sweep_completed") == ["Sweep"]
    assert desk.at(EVE).names("get_recent_events") == []


def test_events_of_closed_modules_are_left_out_and_those_of_nothing_stay(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License")
    desk.put("event", kind="record_changed", title="License won", about=deal)
    desk.put("event", kind="sweep_completed", title="Sweep")
    assert set(desk.names("get_recent_events")) == {"License won", "Sweep"}
    assert desk.at(BOB).names("get_recent_events") == ["Sweep"]
