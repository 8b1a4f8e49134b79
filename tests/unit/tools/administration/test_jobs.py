from datetime import timedelta

from aisha.application.sweep.record_streams import SCAN_TYPES
from aisha.application.sweep.state import SweepLimits, SweepState, create_sweep
from tests.support.tenants.desk import Desk


def test_the_daily_sweep_is_told_with_its_last_run(desk: Desk) -> None:
    assert desk.do("get_background_jobs")["items"] == [
        {"name": "Daily sweep", "runs": "every day, from the first scan on", "status": "never ran"}
    ]
    desk.do("run_scan", scan_type="stale_leads")
    started = desk.clock.now() - timedelta(hours=1)
    create_sweep(desk.ports.entries, "acme", SweepState("sweep_1", started, tuple(SCAN_TYPES), SweepLimits()))
    (job,) = desk.do("get_background_jobs")["items"]
    assert (job["runs"], job["status"]) == ("every day", "running")
    assert job["last_started"].startswith("2026-03-02T09:00")
