"""Suggestions are stored once, decided once, and carried out through the gate."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.scans import Finding
from aisha.application.suggestions.decisions import accept, dismiss, snooze
from aisha.application.suggestions.scans_on_demand import run_scan
from aisha.application.suggestions.store import (
    FoundFinding,
    Status,
    Suggestion,
    SuggestionCounts,
    count_suggestions,
    iterate_entries,
    read_suggestions,
    save_findings,
    supersede,
)
from aisha.application.tooling.context import ToolContext, make_context
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.errors import (
    GoneError,
    InvalidInputError,
    NeedsConfirmationError,
    NotFoundError,
    PermissionDeniedError,
)
from aisha.domain.tools import ToolCall
from infra.local.aws_fakes.manual_queue import ManualQueue
from tests.fakes.aws.memory_queue import RecordingWorkQueue
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.support.tenants.desk import ANN, BOB, EVE, NOW, REGISTRY, Desk


@pytest.fixture
def desk() -> Desk:
    clock = FixedClock(NOW)
    return Desk(ANN, clock, InMemoryRecordRepository(clock))


def _context(desk: Desk, operation: str = "op") -> ToolContext:
    return make_context(desk.principal, desk.ports, operation)


def _suggest(
    desk: Desk, sweep: str = "one", owner: str | None = "ann", modules: tuple[str, ...] = ("leads",), **more: Any
) -> bool:
    """Store a suggestion to call the lead `lead_1`, with the changes in `more`; return whether it is new."""
    entity_id = more.pop("entity_id", "lead_1")
    call = {"entity_type": "lead", "entity_id": entity_id, "title": "Call Jack", "activity_type": "call"}
    finding = Finding(
        entity=EntityRef(type="lead", id=entity_id, name="Jack"),
        **{"kind": "silent", "text": "Call Jack", "priority": 7, "tool": "create_activity", "arguments": call} | more,
    )
    suggested = FoundFinding(finding.model_copy(update={"owner": owner}), "stale_leads", modules)
    return save_findings(desk.ports.entries, desk.principal.tenant, [suggested], sweep, desk.clock.now()) == [True]


def _list(desk: Desk, status: Status = "pending") -> list[Suggestion]:
    return read_suggestions(_context(desk), status)[0]


def _accept(desk: Desk, entry_id: str, **options: Any) -> tuple[Suggestion, ToolCall | None]:
    return accept(entry_id, _context(desk), REGISTRY, 10, **options)


def _activities(desk: Desk) -> int:
    return len(desk.records.search(ANN.tenant, RecordQuery("activity")).items)


# --- storing


def test_the_same_finding_is_one_suggestion_with_its_newest_words(desk: Desk) -> None:
    assert _suggest(desk)
    assert _suggest(desk), "the same message delivered again tells of the same sweep"
    assert not _suggest(desk, "two", text="Call Jack, really", priority=9)
    (suggestion,) = _list(desk)
    assert (suggestion.text, suggestion.priority, suggestion.status) == ("Call Jack, really", 9, "pending")


@pytest.mark.parametrize("days", [3, -3])
def test_two_scans_that_find_the_same_step_for_a_deal_make_one_suggestion(desk: Desk, days: int) -> None:
    desk.put("opportunity", name="Fleet", amount=100, close_date=NOW.date() + timedelta(days=days))
    for scan_type in ("next_steps", "deals_at_risk", "next_steps"):
        run_scan(scan_type, _context(desk, scan_type))
    assert [(one.entity["name"], one.kind) for one in _list(desk)] == [("Fleet", "closing")]


def test_the_most_pressing_comes_first(desk: Desk) -> None:
    for number, priority in enumerate((4, 9, 7)):
        _suggest(desk, entity_id=f"lead_{number}", priority=priority)
    assert [one.priority for one in _list(desk)] == [9, 7, 4]


def test_a_suggestion_is_its_owners_alone_unless_the_record_has_no_owner(desk: Desk) -> None:
    _suggest(desk)
    _suggest(desk, owner=None, entity_id="lead_2")
    bob, eve = desk.at(BOB), desk.at(EVE)
    assert [one.entity["id"] for one in _list(bob)] == ["lead_2"]
    assert _list(eve) == []
    mine = next(one for one in _list(desk) if not one.is_shared)
    for stranger in (bob, eve):
        with pytest.raises(NotFoundError):
            dismiss(mine.id, _context(stranger))


def test_closed_modules_hide_it(desk: Desk) -> None:
    _suggest(desk, owner="bob", modules=("leads", "opportunities"))
    bob = desk.at(BOB)
    assert _list(bob) == []
    with pytest.raises(NotFoundError):
        dismiss("suggestion_lead_1.silent", _context(bob))
    assert count_suggestions(_context(bob)).pending == 0


def test_an_unknown_status_is_refused(desk: Desk) -> None:
    with pytest.raises(InvalidInputError, match="open"):
        read_suggestions(_context(desk), "open")  # type: ignore[arg-type]


# --- accepting


def test_accepting_creates_the_activity_once(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack")
    _suggest(desk, entity_id=jack)
    suggestion, call = _accept(desk, f"suggestion_{jack}.silent")
    assert suggestion.status == "accepted"
    assert call
    assert call.result.ok
    assert _activities(desk) == 1
    with pytest.raises(GoneError, match="accepted"):
        _accept(desk, suggestion.id)
    assert _activities(desk) == 1
    assert not _suggest(desk, "two", entity_id=jack)
    assert _list(desk) == []


def test_of_many_who_accept_at_once_one_does(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack")
    _suggest(desk, owner=None, entity_id=jack)

    def try_to_accept(_: int) -> bool:
        try:
            _accept(desk, f"suggestion_{jack}.silent")
        except GoneError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(try_to_accept, range(8))) == 1
    assert _activities(desk) == 1


def test_a_sweep_in_between_does_not_stand_in_the_way(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _suggest(desk)
    find = desk.ports.entries.find
    counts: list[int] = []

    def find_and_sweep(*arguments: Any) -> Any:
        entry = find(*arguments)
        if not counts:
            counts.append(1)
            _suggest(desk, "two")
        return entry

    monkeypatch.setattr(desk.ports.entries, "find", find_and_sweep)
    assert dismiss("suggestion_lead_1.silent", _context(desk)).status == "dismissed"


def test_a_call_that_fails_leaves_it_pending(desk: Desk) -> None:
    _suggest(desk)
    suggestion, call = _accept(desk, "suggestion_lead_1.silent")
    assert call
    assert not call.result.ok
    assert suggestion.status == "pending"
    assert count_suggestions(_context(desk)) == SuggestionCounts(pending=1, accepted=0, is_exact=True)
    jack = desk.put("lead", first_name="Jack")
    suggestion, call = _accept(desk, "suggestion_lead_1.silent", arguments={"entity_id": jack})
    assert suggestion.status == "accepted"
    assert _activities(desk) == 1


def test_what_the_call_lacks_is_asked_for_and_can_be_given(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack")
    _suggest(desk, entity_id=jack, arguments={"entity_type": "lead", "entity_id": jack, "activity_type": "call"})
    with pytest.raises(InvalidInputError):
        _accept(desk, f"suggestion_{jack}.silent")
    assert len(_list(desk)) == 1
    suggestion, _ = _accept(desk, f"suggestion_{jack}.silent", arguments={"title": "Ring him"})
    assert suggestion.status == "accepted"
    assert desk.names("list_activities") == ["Ring him"]


def test_it_can_be_accepted_without_its_call(desk: Desk) -> None:
    _suggest(desk)
    suggestion, call = _accept(desk, "suggestion_lead_1.silent", with_call=False)
    assert (suggestion.status, call, _activities(desk)) == ("accepted", None, 0)


@pytest.mark.parametrize(
    ("tool", "modules", "error"),
    [
        ("delete_lead", BOB.modules, NeedsConfirmationError),
        ("create_activity", BOB.modules - {"activities"}, PermissionDeniedError),
    ],
)
def test_the_gate_decides(desk: Desk, tool: str, modules: frozenset[str], error: type[Exception]) -> None:
    user = desk.at(replace(ANN, modules=modules))
    jack = desk.put("lead", first_name="Jack")
    activity = {"entity_type": "lead", "entity_id": jack, "title": "Call", "activity_type": "call"}
    arguments = {"lead_id": jack} if tool == "delete_lead" else activity
    _suggest(desk, entity_id=jack, tool=tool, arguments=arguments)
    with pytest.raises(error):
        _accept(user, f"suggestion_{jack}.silent")
    assert len(_list(user)) == 1


# --- dismissing, snoozing and counting


def test_what_is_dismissed_stays_away_for_ninety_days(desk: Desk) -> None:
    _suggest(desk)
    for _ in range(2):
        assert dismiss("suggestion_lead_1.silent", _context(desk)).status == "dismissed"
    assert not _suggest(desk, "two")
    assert _list(desk) == []
    desk.clock.advance(timedelta(days=91))
    assert _suggest(desk, "three")
    assert len(_list(desk)) == 1


def test_what_is_snoozed_comes_again(desk: Desk) -> None:
    _suggest(desk)
    suggestion = snooze("suggestion_lead_1.silent", _context(desk), NOW + timedelta(hours=2))
    assert suggestion.status == "snoozed"
    assert not _suggest(desk, "two")
    assert _list(desk) == []
    assert len(_list(desk, "snoozed")) == 1
    desk.clock.advance(timedelta(hours=2))
    assert len(_list(desk)) == 1


@pytest.mark.parametrize("days", [-1, 0, 91])
def test_it_is_snoozed_until_a_time_to_come(desk: Desk, days: int) -> None:
    _suggest(desk)
    with pytest.raises(InvalidInputError):
        snooze("suggestion_lead_1.silent", _context(desk), NOW + timedelta(days=days))


def test_what_is_superseded_can_not_be_decided_about(desk: Desk) -> None:
    _suggest(desk)
    own = _context(desk).own
    (entry,) = iterate_entries(own)
    assert supersede(desk.ports.entries, ANN.tenant, ANN.user, [entry], NOW) == 1
    assert supersede(desk.ports.entries, ANN.tenant, ANN.user, [entry], NOW) == 0, "somebody was faster"
    with pytest.raises(GoneError, match="no longer needed"):
        dismiss(entry.id, _context(desk))


def test_what_a_user_decides_while_a_sweep_writes_stays(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2, 3):
        _suggest(desk, entity_id=f"lead_{number}")
    entries, outdated = desk.ports.entries, list(iterate_entries(_context(desk).own))
    put_many = entries.put_many

    def decided_before(*arguments: Any) -> None:
        monkeypatch.setattr(entries, "put_many", put_many)
        dismiss("suggestion_lead_2.silent", _context(desk))
        put_many(*arguments)

    monkeypatch.setattr(entries, "put_many", decided_before)
    assert supersede(entries, ANN.tenant, ANN.user, outdated, NOW) == 2
    assert [one.id for one in _list(desk, "dismissed")] == ["suggestion_lead_2.silent"]


def test_the_counts_are_of_all_pages(desk: Desk) -> None:
    for number in range(120):
        _suggest(desk, entity_id=f"lead_{number:03}")
    for number in range(60):
        _accept(desk, f"suggestion_lead_{number:03}.silent", with_call=False)
    counted = count_suggestions(_context(desk))
    assert (counted.pending, counted.accepted, counted.is_exact) == (60, 60, True)


@pytest.mark.parametrize(
    ("own", "shared", "is_exact"), [(40, 20, True), (61, 0, False), (30, 31, False), (60, 0, True)]
)
def test_counts_say_when_there_are_more_than_are_read(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, own: int, shared: int, is_exact: bool
) -> None:
    monkeypatch.setattr("aisha.application.suggestions.store.MAX_READ", 60)
    for number in range(own):
        _suggest(desk, entity_id=f"lead_{number:03}")
    for number in range(shared):
        _suggest(desk, owner=None, entity_id=f"lead_{500 + number}")
    read, counts = read_suggestions(_context(desk))
    assert (len(read), counts.pending, counts.is_exact) == (min(60, own + shared), min(60, own + shared), is_exact)


def test_what_others_accepted_is_not_among_ones_own(desk: Desk) -> None:
    _suggest(desk, owner=None)
    _accept(desk.at(BOB), "suggestion_lead_1.silent", with_call=False)
    assert count_suggestions(_context(desk)).accepted == 0
    assert count_suggestions(_context(desk.at(BOB))).accepted == 1


# --- memory


def _remembering(desk: Desk, queue: Any) -> ToolContext:
    return make_context(ANN, replace(desk.ports, queue=lambda: queue), "op")


def test_an_accepted_suggestion_is_sent_to_memory(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="warm")
    _suggest(desk, entity_id=jack)
    queue = ManualQueue()
    accept(f"suggestion_{jack}.silent", _remembering(desk, queue), REGISTRY, 10)
    *_, message = queue.waiting
    (chunk,) = message["remember"]
    assert message["tenant"] == ANN.tenant
    assert (chunk["entity_id"], chunk["user"]) == (jack, "ann")
    assert chunk["metadata"] == {"entity_type": "lead", "entity_id": jack, "action": "call", "outcome": "accepted"}
    assert "Call Jack" in chunk["text"]


def test_a_queue_that_does_not_answer_leaves_the_suggestion_accepted(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack")
    _suggest(desk, entity_id=jack)
    accepted, call = accept(
        f"suggestion_{jack}.silent", _remembering(desk, RecordingWorkQueue(is_away=True)), REGISTRY, 10
    )
    assert accepted.status == "accepted"
    assert call is not None and "The decision was not remembered: The queue does not answer" in call.result.logs
    assert _list(desk, "accepted")[0].id == accepted.id
