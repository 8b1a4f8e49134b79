"""Scans: their findings, the records that they read, and the event that each run writes."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application import scans
from aisha.application.scans import Finding, ScanReport
from aisha.application.scans.goal_progress import parse_period
from aisha.application.tooling.context import ToolContext, make_context
from aisha.domain.crm.queries import RecordPage, RecordQuery
from aisha.domain.crm.records import Event
from aisha.domain.errors import InvalidInputError, PermissionDeniedError, UnavailableError
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository, in_memory_ports
from tests.support.tenants.desk import ANN, BOB, EVE, NOW, Desk

LONG_AGO = NOW - timedelta(days=20)
RECENTLY = NOW - timedelta(days=1)
TYPES = {"next_steps", "stale_leads", "deals_at_risk", "overdue_activities", "data_quality", "goal_progress"}


class CountingRepository(InMemoryRecordRepository):
    """A repository that counts its searches, and fails those of the type `broken`."""

    requests = 0
    broken: str | None = None

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        self.requests += 1
        if query.entity_type == self.broken:
            raise UnavailableError("The records do not answer")
        return super().search(tenant, query)


@pytest.fixture
def desk() -> Desk:
    clock = FixedClock(NOW)
    return Desk(ANN, clock, CountingRepository(clock))


def _context(desk: Desk, operation: str = "op") -> ToolContext:
    return make_context(desk.principal, desk.ports, f"{operation}.{desk.clock.now()}")


def _run(desk: Desk, scan_type: str, **options: Any) -> ScanReport:
    return scans.run(scan_type, _context(desk), **options)


def _events(desk: Desk) -> list[Event]:
    page = desk.records.search(desk.principal.tenant, RecordQuery("event", limit=50))
    return [record for record in page.items if isinstance(record, Event)]


def _by_name(report: ScanReport) -> dict[str, Finding]:
    return {finding.entity.name: finding for finding in report.findings}


# --- the catalogue


def test_every_scan_is_found_by_itself_and_says_what_it_is_for() -> None:
    assert {spec.scan_type for spec in scans.specs()} == TYPES
    titles = {spec.scan_type: spec.event_title for spec in scans.specs()}
    assert titles["deals_at_risk"] == "Deals at Risk Scan Completed"
    assert all(spec.description and spec.when for spec in scans.specs())


def test_an_unknown_scan_is_refused_with_the_known_ones(desk: Desk) -> None:
    with pytest.raises(InvalidInputError) as error:
        _run(desk, "vision")
    assert "stale_leads" in (error.value.suggestion or "")
    assert not _events(desk)


@pytest.mark.parametrize("scan_type", sorted(TYPES))
def test_an_empty_crm_has_nothing_to_find(desk: Desk, scan_type: str) -> None:
    report = _run(desk, scan_type)
    assert (report.examined, report.findings, report.truncated) == (0, [], False)


# --- what is found


def test_stale_leads_are_those_without_contact_and_plans_best_score_first(desk: Desk) -> None:
    desk.put("lead", first_name="Low", status="contacted", score=10, last_contacted_at=LONG_AGO)
    desk.put("lead", first_name="High", status="qualified", score=80, last_contacted_at=LONG_AGO)
    desk.put("lead", first_name="Fresh", status="contacted", last_contacted_at=RECENTLY)
    desk.put("lead", first_name="Gone", status="lost", last_contacted_at=LONG_AGO)
    planned = desk.put("lead", first_name="Planned", status="contacted", last_contacted_at=LONG_AGO)
    desk.put("activity", title="Call", activity_type="call", about=planned, due_at=NOW + timedelta(days=1))
    desk.put("lead", first_name="Warm", status="warm", score=50, last_contacted_at=RECENTLY, owner="bob")
    report = _run(desk, "stale_leads")
    assert [finding.entity.name for finding in report.findings] == ["Warm", "High", "Low"]
    warm, high, _ = report.findings
    assert (warm.priority, warm.kind, warm.owner) == (10, "warm_without_activity", "bob")
    assert (high.priority, high.kind) == (7, "silent")
    assert "20 days ago" in high.text
    assert "score 80" in high.text
    assert high.tool == "create_activity"
    assert high.arguments is not None
    assert high.arguments["entity_id"] == high.entity.id
    assert report.statistics == {"activities": 1, "leads": 5, "warm_without_activity": 1, "silent": 2}


def test_a_lead_without_a_score_is_scored_from_its_record(desk: Desk) -> None:
    desk.put("lead", first_name="Poor", status="contacted", last_contacted_at=LONG_AGO)
    desk.put(
        "lead", first_name="Rich", status="qualified", last_contacted_at=LONG_AGO, source="referral",
        email="rich@x.example", phone="555", estimated_value=90_000,
    )  # fmt: skip
    assert [finding.entity.name for finding in _run(desk, "stale_leads").findings] == ["Rich", "Poor"]


def test_deals_at_risk_have_one_finding_each_with_all_reasons(desk: Desk) -> None:
    today = NOW.date()
    ill = desk.put("account", name="Ill Ltd", health="churning")
    soon = {"stage": "proposal", "close_date": today + timedelta(days=3)}
    desk.put("opportunity", name="Soon", next_step="Sign", **soon)
    attended = desk.put("opportunity", name="Attended", next_step="Sign", **soon)
    desk.put("activity", title="Call", activity_type="call", about=attended, due_at=NOW + timedelta(hours=3))
    desk.put("opportunity", name="Past", next_step="Sign", stage="negotiation", close_date=today - timedelta(days=2))
    desk.put("opportunity", name="Adrift", stage="proposal", account_id=ill)
    desk.put("opportunity", name="Won", stage="closed_won", close_date=today - timedelta(days=9))
    desk.put("opportunity", name="Fine", stage="proposal", next_step="Demo", close_date=today + timedelta(days=60))
    report = _run(desk, "deals_at_risk")
    findings = _by_name(report)
    assert {name: finding.priority for name, finding in findings.items()} == {"Soon": 10, "Past": 8, "Adrift": 8}
    assert "closes in 3 days" in findings["Soon"].text
    assert "no next step" in findings["Adrift"].text
    assert "churning (Ill Ltd)" in findings["Adrift"].text
    assert {finding.entity.type for finding in report.findings} == {"opportunity"}


def test_overdue_activities_come_longest_overdue_first(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack")
    for title, days, status in (
        ("Old", -5, "scheduled"),
        ("Late", -1, "scheduled"),
        ("Done", -3, "completed"),
        ("Next", 1, "scheduled"),
    ):
        desk.put(
            "activity", title=title, activity_type="task", about=lead, due_at=NOW + timedelta(days=days), status=status
        )
    report = _run(desk, "overdue_activities")
    assert [finding.entity.name for finding in report.findings] == ["Old", "Late"]
    assert (report.findings[0].tool, report.findings[0].priority) == ("complete_activity", 9)
    assert "5 days ago" in report.findings[0].text


def test_data_quality_names_what_is_missing_and_what_is_there_twice(desk: Desk) -> None:
    whole = {"email": "ann@x.example", "phone": "555"}
    desk.put("lead", first_name="Whole", **whole)
    desk.put("contact", first_name="Same", **whole)
    desk.put("contact", first_name="Twin", **{**whole, "email": "ANN@x.example"})
    desk.put("lead", first_name="Bare", phone="555")
    desk.put("account", name="Lost Ltd", owner=None, email="a@lost.example", phone="1")
    desk.put("opportunity", name="Vague", amount=100)
    desk.put("opportunity", name="Clear", amount=100, close_date=NOW.date())
    findings = _by_name(_run(desk, "data_quality"))
    assert {name: finding.kind for name, finding in findings.items()} == {
        "Vague": "incomplete_deal", "Bare": "missing_details", "Lost Ltd": "without_owner", "Twin": "duplicate",
    }  # fmt: skip
    assert "no closing day" in findings["Vague"].text
    assert "email address" in findings["Bare"].text
    assert findings["Twin"].text.endswith("same email address: Same")
    assert (findings["Lost Ltd"].tool, findings["Lost Ltd"].owner) == ("update_account", None)


def test_goals_are_compared_with_the_time_that_has_passed(desk: Desk) -> None:
    # 60 of the 90 days of the first quarter have passed: 66 %.
    desk.put("goal", title="Behind", period="Q1 2026", key_results=[{"title": "Deals", "target": 10, "current": 4}])
    desk.put("goal", title="Far", period="2026-Q1", progress=5)
    desk.put("goal", title="On time", period="Q1 2026", key_results=[{"title": "Deals", "target": 10, "current": 6}])
    desk.put("goal", title="Over", period="2026-02", progress=90)
    desk.put("goal", title="There", key_results=[{"title": "Deals", "target": 1, "current": 1}])
    desk.put("goal", title="Vague", period="soon")
    desk.put("goal", title="Closed", period="2025", progress=3, status="done")
    findings = _by_name(_run(desk, "goal_progress"))
    assert {name: (finding.kind, finding.priority) for name, finding in findings.items()} == {
        "Over": ("period_over", 9), "Far": ("behind", 8), "Behind": ("behind", 7), "There": ("reached", 6),
        "Vague": ("unmeasured", 4),
    }  # fmt: skip
    assert "40% with 66% of Q1 2026 gone: Deals: 6 to go" in findings["Behind"].text
    assert findings["There"].arguments == {"goal_id": findings["There"].entity.id, "status": "done"}


@pytest.mark.parametrize(
    ("period", "days"),
    [
        ("Q3 2026", (date(2026, 7, 1), date(2026, 9, 30))), ("2026-02", (date(2026, 2, 1), date(2026, 2, 28))),
        ("2027", (date(2027, 1, 1), date(2027, 12, 31))), ("fall 2026", None), ("Q3", None), (None, None), ("", None),
    ],
)  # fmt: skip
def test_periods_are_read_as_people_write_them(period: str | None, days: tuple[date, date] | None) -> None:
    assert parse_period(period) == days


def test_next_steps_take_the_most_pressing_of_each_record(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="contacted", last_contacted_at=RECENTLY)
    desk.put("note", content="He wants a call back.", about=jack)
    mary = desk.put("contact", first_name="Mary")
    desk.put("note", content="Please send her the quote, she asked for a quote.", about=mary)
    desk.put("opportunity", name="Adrift", stage="proposal")
    desk.put("account", name="Ill Ltd", health="at_risk")
    desk.put("account", name="Well Ltd", health="healthy")
    desk.put("activity", title="Old task", activity_type="task", about=mary, due_at=NOW - timedelta(days=2))
    findings = _by_name(_run(desk, "next_steps"))
    assert {name: finding.kind for name, finding in findings.items()} == {
        "Jack": "awaiting_callback", "Mary": "asked_for_email", "Adrift": "without_next_step", "Ill Ltd": "at_risk",
        "Old task": "overdue",
    }  # fmt: skip


def test_a_request_that_was_met_since_is_no_finding(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="contacted", last_contacted_at=RECENTLY)
    desk.put("note", content="He wants a call back.", about=jack)
    desk.clock.advance(timedelta(hours=1))
    desk.put(
        "activity", title="Call", activity_type="call", about=jack, status="completed", completed_at=desk.clock.now()
    )
    assert not _run(desk, "next_steps").findings


# --- whose records


def test_closed_modules_refuse_the_scan_and_leave_no_event(desk: Desk) -> None:
    desk.put("opportunity", name="Secret", stage="proposal")
    bob = desk.at(BOB)
    with pytest.raises(PermissionDeniedError):
        _run(bob, "deals_at_risk")
    assert not _events(bob)
    assert not _run(bob, "next_steps").findings
    assert not _run(desk.at(EVE), "deals_at_risk").findings


def test_nothing_is_concluded_from_activities_that_may_not_be_seen(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="warm", last_contacted_at=RECENTLY)
    desk.put("activity", title="Call", activity_type="call", about=jack, due_at=NOW + timedelta(days=1))
    blind = desk.at(replace(ANN, modules=ANN.modules - {"activities"}))
    assert not _run(blind, "stale_leads").findings


def test_a_finding_offers_no_call_that_the_user_may_not_make(desk: Desk) -> None:
    desk.put("lead", first_name="Jack", status="contacted", last_contacted_at=LONG_AGO)
    blind = desk.at(replace(ANN, modules=ANN.modules - {"activities"}))
    (finding,) = _run(blind, "stale_leads").findings
    assert (finding.tool, finding.arguments) == (None, None)


def test_private_things_of_others_are_not_scanned(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="contacted", last_contacted_at=RECENTLY)
    desk.put("note", content="He wants a call back.", about=jack, is_private=True)
    desk.put("goal", title="Mine", period="2025", scope="mine")
    bob = desk.at(BOB)
    assert not _run(bob, "next_steps").findings
    assert not _run(bob, "goal_progress").findings


# --- the event


def test_one_run_leaves_one_event_that_names_no_record(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", last_name="Secretive", status="warm")
    report = _run(desk, "stale_leads")
    (event,) = _events(desk)
    assert (event.kind, event.title, event.level, event.owner) == ("scan", "Stale Leads Scan Completed", "info", "ann")
    assert event.detail["findings"] == event.detail["new_findings"] == len(report.findings) == 1
    assert event.detail["examined"] == report.examined
    assert event.detail["top_findings"] == [
        {"kind": "warm_without_activity", "type": "lead", "id": jack, "priority": 10}
    ]
    assert "Secretive" not in event.model_dump_json()


def test_a_repeated_operation_writes_no_second_event(desk: Desk) -> None:
    scans.run("stale_leads", make_context(ANN, desk.ports, "same"))
    scans.run("stale_leads", make_context(ANN, desk.ports, "same"))
    assert len(_events(desk)) == 1


def test_a_scan_that_breaks_off_leaves_the_event_of_a_failure(desk: Desk) -> None:
    desk.put("lead", first_name="Jack", status="warm")
    assert isinstance(desk.records, CountingRepository)
    desk.records.broken = "lead"
    with pytest.raises(UnavailableError):
        _run(desk, "stale_leads")
    (event,) = _events(desk)
    assert (event.title, event.level) == ("Stale Leads Scan Failed", "error")
    assert event.detail == {"scan_type": "stale_leads", "error": "unavailable", "message": "The records do not answer"}


def test_new_findings_are_those_that_the_run_before_did_not_have(desk: Desk) -> None:
    for name in ("A", "B"):
        desk.put("lead", first_name=name, status="warm")
    _run(desk, "stale_leads")
    desk.clock.advance(timedelta(hours=1))
    desk.put("lead", first_name="C", status="warm")
    _run(desk, "stale_leads")
    newest = _events(desk)[0]
    assert (newest.detail["findings"], newest.detail["new_findings"]) == (3, 1)


def test_the_event_stays_small_however_much_is_found(desk: Desk) -> None:
    for number in range(60):
        desk.put("lead", first_name=f"Lead {number}", status="warm")
    report = _run(desk, "stale_leads")
    desk.clock.advance(timedelta(hours=1))
    _run(desk, "stale_leads")
    newest = _events(desk)[0]
    assert len(report.findings) == newest.detail["findings"] == 60
    assert len(newest.detail["top_findings"]) == 25
    assert newest.detail["new_findings"] == 0


# --- how much is read


@pytest.mark.parametrize("scan_type", sorted(TYPES))
def test_a_run_reads_no_more_than_its_bound_and_says_so(desk: Desk, scan_type: str) -> None:
    for number in range(15):
        lead = desk.put("lead", first_name=f"Lead {number}", status="warm", phone="1")
        desk.put("activity", title="Late", activity_type="call", about=lead, due_at=RECENTLY)
        desk.put("opportunity", name=f"Deal {number}", stage="proposal")
        desk.put("goal", title=f"Goal {number}")
    report = _run(desk, scan_type, max_records=10)
    assert report.truncated
    assert 0 < report.examined <= 10


def test_the_bound_is_the_deployments(desk: Desk) -> None:
    for number in range(5):
        desk.put("lead", first_name=f"Lead {number}", status="warm")
    bounded = Desk(ANN, desk.clock, desk.records, in_memory_ports(desk.clock, desk.records, scan_records=3))
    report = _run(bounded, "stale_leads")
    assert (report.examined, report.truncated) == (3, True)
    assert not _run(bounded, "stale_leads", max_records=5).truncated


def test_plans_beyond_the_bound_still_count(desk: Desk) -> None:
    leads = [desk.put("lead", first_name=f"Lead {number}", status="warm") for number in range(12)]
    for number, lead in enumerate(leads):
        desk.put("activity", title="Call", activity_type="call", about=lead, due_at=NOW + timedelta(days=1 + number))
    report = _run(desk, "stale_leads", max_records=20)
    assert report.truncated
    assert not report.findings


@pytest.mark.parametrize("scan_type", ["next_steps", "stale_leads", "deals_at_risk", "data_quality"])
def test_requests_grow_with_pages_not_with_records(desk: Desk, scan_type: str) -> None:
    def requests(run: Callable[[], object]) -> int:
        assert isinstance(desk.records, CountingRepository)
        before = desk.records.requests
        run()
        return desk.records.requests - before

    empty = requests(lambda: _run(desk, scan_type))
    for number in range(200):
        desk.put("lead", first_name=f"Lead {number}", status="contacted", last_contacted_at=LONG_AGO)
        desk.put("opportunity", name=f"Deal {number}", stage="proposal")
    assert requests(lambda: _run(desk, scan_type)) <= empty + 2 * (200 // 50)
