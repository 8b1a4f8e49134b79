"""The recommendation of the scan to run next, by the rules or by a model."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from msgspec.structs import replace

from aisha.application import scans
from aisha.application.scans.recommendation import CAPABILITY, NextScan, next_scan, parse_recommendation
from aisha.application.tooling.context import ToolContext, make_context
from aisha.domain.errors import ModelUnavailableError, UnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk
from tests.fakes.stores.goalless_records import GoallessRepository
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.support.tenants.desk import ANN, BOB, NOW, Desk


class FixedModel:
    """A model that answers with one text, or fails without one."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.request: ModelRequest | None = None

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        self.request = request
        if self.text is None:
            raise ModelUnavailableError("nobody there")
        yield TextChunk(self.text)
        yield ModelFinished("test", "test-1")


@pytest.fixture
def desk() -> Desk:
    clock = FixedClock(NOW)
    return Desk(ANN, clock, InMemoryRecordRepository(clock))


def _context(desk: Desk) -> ToolContext:
    return make_context(desk.principal, desk.ports, f"op.{desk.clock.now().isoformat()}")


def _next(desk: Desk, pending: int = 0, accepted: int = 0, model: FixedModel | None = None) -> NextScan:
    return next_scan(_context(desk), pending, accepted, model, deadline=1e9)


def _run_all_recommended(desk: Desk) -> list[str | None]:
    order: list[str | None] = []
    while (recommended := _next(desk)).scan_type is not None and len(order) < 10:
        order.append(recommended.scan_type)
        scans.run(recommended.scan_type, _context(desk))
        desk.clock.advance(timedelta(seconds=1))
    return order


def _fill(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="warm")
    mary = desk.put("lead", first_name="Mary", status="new")
    desk.put("lead", first_name="Lou", status="lost")
    desk.put("opportunity", name="Deal", stage="proposal")
    desk.put("opportunity", name="Won", stage="closed_won")
    desk.put("goal", title="Goal")
    for lead, days in ((mary, 1), (mary, 2)):
        desk.put("activity", title="Call", activity_type="call", about=lead, due_at=NOW + timedelta(days=days))
    done = {"status": "completed", "completed_at": NOW}
    desk.put("activity", title="Call", activity_type="call", about=jack, **done)


def test_an_empty_crm_needs_no_scan(desk: Desk) -> None:
    recommendation = _next(desk)
    assert recommendation.scan_type is None
    assert recommendation.response == "No scan is needed right now. There is nothing yet for a scan to look at."


def test_the_figures_are_exact(desk: Desk) -> None:
    _fill(desk)
    scans.run("stale_leads", _context(desk))
    figures = _next(desk, pending=4, accepted=2).statistics
    assert (figures.leads_total, figures.leads_open, figures.leads_without_activity) == (3, 2, 1)
    assert (figures.opportunities_open, figures.recent_scans_count) == (1, 1)
    assert (figures.suggestions_pending, figures.suggestions_accepted) == (4, 2)


def test_scans_are_recommended_until_all_have_run_and_again_when_they_are_old(desk: Desk) -> None:
    _fill(desk)
    first = _next(desk)
    assert first.scan_type == "deals_at_risk"
    assert first.response.startswith("I recommend the Deals at Risk scan. It has not run yet; 1 deal is open.")
    assert _run_all_recommended(desk) == [
        "deals_at_risk", "overdue_activities", "stale_leads", "next_steps", "goal_progress", "data_quality",
    ]  # fmt: skip
    assert _next(desk).reason == "the scans that matter have run recently"
    desk.clock.advance(timedelta(hours=13))
    assert _next(desk).scan_type == "overdue_activities"
    assert "last ran on Mar 2" in _next(desk).reason


def test_a_scan_that_failed_goes_first(desk: Desk) -> None:
    records = GoallessRepository(desk.clock)
    working = Desk(ANN, desk.clock, records)
    working.put("goal", title="Goal")
    working.put("opportunity", name="Deal", stage="proposal")
    with pytest.raises(UnavailableError):
        scans.run("goal_progress", _context(working))
    records.answers = True
    recommendation = _next(working)
    assert recommendation.scan_type == "goal_progress"
    assert "failed" in recommendation.reason


def test_many_waiting_suggestions_make_more_of_them_pointless(desk: Desk) -> None:
    desk.put("lead", first_name="Jack", status="warm")
    for scan_type in ("stale_leads", "data_quality"):
        scans.run(scan_type, _context(desk))
        desk.clock.advance(timedelta(seconds=1))
    assert _next(desk, pending=3).scan_type == "next_steps"
    assert _next(desk, pending=10).scan_type is None


def test_closed_modules_are_neither_counted_nor_recommended(desk: Desk) -> None:
    _fill(desk)
    for_bob = _next(desk.at(BOB))
    assert for_bob.statistics.opportunities_open == 0
    assert for_bob.scan_type != "deals_at_risk"
    without_modules = _next(desk.at(replace(ANN, modules=frozenset())))
    assert (without_modules.scan_type, without_modules.statistics.leads_total) == (None, 0)


# --- a model's opinion


def test_a_model_may_choose(desk: Desk) -> None:
    _fill(desk)
    model = FixedModel('Sure:\n```json\n{"scanType": "data_quality", "reason": "The data comes first."}\n```')
    recommendation = _next(desk, model=model)
    assert (recommendation.scan_type, recommendation.reason) == ("data_quality", "The data comes first.")
    assert model.request is not None
    assert model.request.capability == CAPABILITY
    assert "opportunities open 1" in model.request.messages[-1].content
    assert _next(desk, model=FixedModel('{"scanType": null, "reason": "All is well"}')).scan_type is None


@pytest.mark.parametrize(
    "answer", [None, "I don't know.", '{"scanType": "vision", "reason": "x"}', '{"scanType": "data_quality"}']
)
def test_without_a_usable_answer_of_the_model_the_rules_decide(desk: Desk, answer: str | None) -> None:
    _fill(desk)
    assert _next(desk, model=FixedModel(answer)) == _next(desk)


def test_a_model_can_not_recommend_what_is_closed_to_the_user(desk: Desk) -> None:
    _fill(desk)
    model = FixedModel('{"scanType": "deals_at_risk", "reason": "Deals!"}')
    assert _next(desk.at(BOB), model=model).scan_type != "deals_at_risk"
    assert model.request is not None
    assert "deals_at_risk" not in model.request.messages[-1].content


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"scanType": 5, "reason": "x"}', '{"scanType": "a", "reason": " "}']
)
def test_an_invalid_recommendation_is_none(text: str) -> None:
    assert parse_recommendation(text, ["a"]) is None
