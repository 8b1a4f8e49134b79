"""The briefing about the scans of the last hours."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from aisha.application import scans
from aisha.application.scans.briefing import ScanBriefing, scan_briefing
from aisha.application.tooling.context import ToolContext, make_context
from aisha.domain.errors import InvalidInputError, UnavailableError
from tests.fakes.stores.goalless_records import GoallessRepository
from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import ANN, EVE, NOW, Desk


@pytest.fixture
def desk() -> Desk:
    """A desk at 10:00 in Berlin, with one stale lead."""
    clock = FixedClock(NOW)
    desk = Desk(ANN, clock, GoallessRepository(clock))
    desk.put("lead", first_name="Jack", status="warm", phone="1")
    return desk


def _context(desk: Desk) -> ToolContext:
    return make_context(desk.principal, desk.ports, f"op.{desk.clock.now().isoformat()}")


def _run(desk: Desk, scan_type: str) -> None:
    scans.run(scan_type, _context(desk))
    desk.clock.advance(timedelta(minutes=75))


def _fail(desk: Desk) -> None:
    with pytest.raises(UnavailableError):
        scans.run("goal_progress", _context(desk))


def _brief(desk: Desk, variant: str = "full", hours: int = 24) -> ScanBriefing:
    return scan_briefing(_context(desk), "quick" if variant == "quick" else "full", hours)


def test_nothing_ran(desk: Desk) -> None:
    assert _brief(desk, "quick").text == "No scan ran in the last 24 hours."
    full = _brief(desk)
    assert full.data is not None
    assert (full.data.recent_scans, full.data.statistics.total_scans) == ([], 0)


def test_a_quick_briefing_names_each_scan_with_its_time_and_what_is_new(desk: Desk) -> None:
    _run(desk, "stale_leads")
    _run(desk, "overdue_activities")
    briefing = _brief(desk, "quick")
    assert briefing.text == (
        "2 scans ran in the last 24 hours: Overdue Activities at 11:15 AM (0 findings, 0 new) and Stale Leads "
        "at 10:00 AM (1 finding, 1 new). There is 1 new finding."
    )
    assert briefing.data is None


def test_times_are_the_users(desk: Desk) -> None:
    _run(desk, "stale_leads")
    assert "at 10:00 AM" in _brief(desk, "quick").text
    assert "at 4:00 AM" in _brief(desk.at(replace(ANN, zone="America/New_York")), "quick").text


def test_a_full_briefing_has_runs_and_statistics(desk: Desk) -> None:
    _run(desk, "stale_leads")
    _fail(desk)
    briefing = _brief(desk)
    assert briefing.data is not None
    assert [(run.type, run.status) for run in briefing.data.recent_scans] == [
        ("goal_progress", "failed"),
        ("stale_leads", "success"),
    ]
    assert briefing.data.recent_scans[1].timestamp == NOW
    assert briefing.data.statistics.model_dump() == {"total_scans": 2, "successful_scans": 1, "failed_scans": 1}
    assert "Goal Progress at 11:15 AM (failed)" in briefing.text


def test_findings_of_repeated_runs_count_once(desk: Desk) -> None:
    for _ in range(3):
        _run(desk, "stale_leads")
    text = _brief(desk).text
    assert "3 scans ran" in text
    assert "There is 1 new finding." in text
    assert text.endswith("Findings by the latest runs: Stale Leads 1.")


def test_earlier_scans_are_out_of_the_timeframe(desk: Desk) -> None:
    _run(desk, "stale_leads")
    desk.clock.advance(timedelta(hours=24))
    assert _brief(desk, "quick").text == "No scan ran in the last 24 hours."
    assert "Stale Leads at 10:00 AM yesterday" in _brief(desk, "quick", 48).text
    desk.clock.advance(timedelta(days=2))
    assert "Stale Leads at 10:00 AM on Mon, Mar 2" in _brief(desk, "quick", 168).text


def test_many_runs_are_summed_up(desk: Desk) -> None:
    for _ in range(8):
        _run(desk, "stale_leads")
    assert "8 scans ran" in _brief(desk, "quick").text
    assert "and 2 earlier." in _brief(desk, "quick").text


def test_other_tenants_and_other_events_are_left_out(desk: Desk) -> None:
    _run(desk, "stale_leads")
    desk.put("event", kind="scan", title="A scanner was bought")
    desk.put("event", kind="news", title="Stale Leads Scan Completed")
    assert "1 scan ran" in _brief(desk, "quick").text
    assert _brief(desk.at(EVE), "quick").text == "No scan ran in the last 24 hours."


@pytest.mark.parametrize("hours", [0, -1, 721])
def test_a_timeframe_out_of_bounds_is_refused(desk: Desk, hours: int) -> None:
    with pytest.raises(InvalidInputError):
        _brief(desk, "quick", hours)


def test_findings_about_records_that_the_reader_may_not_see_are_not_counted(desk: Desk) -> None:
    desk.put("opportunity", name="Platform", stage="proposal", amount=1000)
    _run(desk, "next_steps")
    _run(desk, "stale_leads")
    may_see_no_deals = desk.at(replace(ANN, modules=ANN.modules - {"opportunities"}))
    assert "There are 3 new findings." in _brief(desk, "quick").text
    assert _brief(may_see_no_deals, "quick").text == (
        "2 scans ran in the last 24 hours: Stale Leads at 11:15 AM (1 finding, 1 new) and Next Steps at 10:00 AM. "
        "There is 1 new finding. "
        "The findings of Next Steps are left out, because some are about records that you can't see."
    )
