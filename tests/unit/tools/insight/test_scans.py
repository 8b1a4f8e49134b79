from datetime import timedelta

from tests.support.tenants.desk import ANN, BOB, REGISTRY, Desk


def _warm(desk: Desk, count: int) -> None:
    for number in range(count):
        desk.put("lead", first_name=f"Lead {number:02}", status="warm", score=number)


def test_a_scan_shows_its_most_urgent_findings_and_counts_all(desk: Desk) -> None:
    _warm(desk, 14)
    report = desk.do("run_scan", scan_type="stale_leads")
    assert (report["scan_type"], report["title"], report["examined"]) == ("stale_leads", "Stale Leads", 14)
    assert (report["findings_total"], len(report["findings"]), report["truncated"]) == (14, 10, False)
    assert report["findings"][0]["entity"]["name"] == "Lead 13"
    assert report["started_at"].startswith("2026-03-02T10:00:00")


def test_a_scan_can_return_the_severe_findings_alone(desk: Desk) -> None:
    _warm(desk, 1)
    desk.put("lead", first_name="Ann", status="new")
    desk.clock.advance(timedelta(days=40))
    every = desk.do("run_scan", scan_type="stale_leads")
    urgent = desk.do("run_scan", scan_type="stale_leads", severity="urgent")
    assert {finding["priority"] >= 9 for finding in every["findings"]} == {True, False}
    assert [finding["entity"]["name"] for finding in urgent["findings"]] == ["Lead 00"]
    assert (urgent["findings_total"], urgent["examined"]) == (1, every["examined"])
    assert desk.refuse("run_scan", scan_type="stale_leads", severity="mild")["code"] == "invalid_input"


def test_a_scan_writes_its_event_and_changes_no_record(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", status="warm")
    before = desk.records.get("acme", "lead", lead)
    desk.do("run_scan", scan_type="data_quality")
    assert desk.records.get("acme", "lead", lead) == before
    assert desk.total("event") == 1
    (event,) = desk.do("get_recent_events", type="scan")["items"]
    assert event["title"] == "Data Quality Scan Completed"


def test_an_event_does_not_reveal_records_of_closed_modules(desk: Desk) -> None:
    desk.put("opportunity", name="Project Falcon", stage="proposal")
    desk.do("run_scan", scan_type="deals_at_risk")
    events = desk.at(BOB).do("get_recent_events")
    assert len(events["items"]) == 1
    assert "Falcon" not in str(events)


def test_a_wrong_type_is_refused_with_the_right_ones(desk: Desk) -> None:
    refused = desk.refuse("run_scan", scan_type="contexts")
    assert refused["code"] == "invalid_input"
    assert "deals_at_risk" in refused["suggestion"]
    assert desk.refuse("run_scan")["code"] == "missing_field"


def test_a_closed_module_is_refused(desk: Desk) -> None:
    assert desk.at(BOB).refuse("run_scan", scan_type="deals_at_risk")["code"] == "permission_denied"


def test_the_schema_names_every_scan() -> None:
    spec = REGISTRY.spec("run_scan")
    assert spec is not None
    assert (spec.access, len(spec.properties["scan_type"]["enum"])) == ("write", 6)


def test_the_briefing_tells_what_ran(desk: Desk) -> None:
    _warm(desk, 2)
    desk.do("run_scan", scan_type="stale_leads")
    quick = desk.do("get_scan_briefing", variant="quick")
    assert quick == {"text": "1 scan ran in the last 24 hours: Stale Leads at 10:00 AM (2 findings, 2 new)."}
    full = desk.at(ANN).do("get_scan_briefing")
    assert full["data"]["statistics"] == {"total_scans": 1, "successful_scans": 1, "failed_scans": 0}
    assert full["data"]["recent_scans"] == [
        {"type": "stale_leads", "timestamp": "2026-03-02T10:00:00+01:00", "status": "success"}
    ]


def test_the_timeframe_is_kept(desk: Desk) -> None:
    desk.do("run_scan", scan_type="stale_leads")
    desk.clock.advance(timedelta(hours=5))
    assert desk.do("get_scan_briefing", timeframe_hours=4)["text"] == "No scan ran in the last 4 hours."
    assert "1 scan ran" in desk.do("get_scan_briefing", timeframe_hours=6)["text"]
    for hours in (0, 721):
        assert desk.refuse("get_scan_briefing", timeframe_hours=hours)["code"] == "invalid_input"
    assert desk.refuse("get_scan_briefing", variant="long")["code"] == "invalid_input"


def test_the_next_scan_is_recommended_and_not_the_one_that_just_ran(desk: Desk) -> None:
    _warm(desk, 1)
    assert "Stale Leads" in desk.do("recommend_scan")["text"]
    desk.do("run_scan", scan_type="stale_leads")
    assert "Stale Leads" not in desk.do("recommend_scan")["text"]


def test_the_briefing_leaves_out_scans_of_records_that_the_user_may_not_see(desk: Desk) -> None:
    desk.put("opportunity", name="Project Falcon", stage="proposal")
    desk.do("run_scan", scan_type="deals_at_risk")
    assert "Deals at Risk" in desk.do("get_scan_briefing")["text"]
    assert desk.at(BOB).do("get_scan_briefing")["text"] == "No scan ran in the last 24 hours."
