"""A call runs through the gate alone: it is claimed after the gate and before its code, and once."""

from typing import Any

import pytest

from aisha.application.tooling.gate.execution import execute_gated, raise_rejection, refuse_to_ask
from aisha.domain.errors import GoneError, NeedsConfirmationError, PermissionDeniedError
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus

ALICE = Principal("demo", "alice", modules=frozenset(("leads",)), roles=frozenset(("member",)))
CHANGE = ToolSpec("change_lead", "Change it.", {}, {}, "leads", "write", module="leads")


def new_call(events: list[str], spec: ToolSpec = CHANGE, **arguments: Any) -> ToolCall:
    """Return a call that writes "run" to the events when its code runs."""
    call = ToolCall("c1", spec.name, arguments, spec)
    call.bind(lambda: events.append("run"), [])
    return call


def test_a_call_is_claimed_before_it_runs() -> None:
    events: list[str] = []
    result = execute_gated(new_call(events), ALICE, claim=lambda: events.append("claim"))
    assert (events, result.status) == (["claim", "run"], ToolStatus.EXECUTED)


def test_a_call_that_somebody_else_has_claimed_does_not_run() -> None:
    events: list[str] = []

    def taken() -> None:
        raise GoneError("It was done already.")

    with pytest.raises(GoneError):
        execute_gated(new_call(events), ALICE, claim=taken)
    assert events == []


@pytest.mark.parametrize("rule", ["ask", "deny"])
def test_a_call_that_does_not_run_is_not_claimed(rule: Any) -> None:
    events: list[str] = []
    execute_gated(
        new_call(events), ALICE, {"change_lead": rule}, claim=lambda: events.append("claim"), ask=events.append
    )
    assert events == ["your organisation's rules ask for it"][: rule == "ask"]


def test_without_anybody_to_ask_a_call_that_needs_a_yes_is_rejected() -> None:
    events: list[str] = []
    call = new_call(events)
    execute_gated(call, ALICE, doubt="you did not ask for it")
    assert (call.result.status, call.verdict, events) == (ToolStatus.REJECTED, "you did not ask for it", [])
    with pytest.raises(PermissionDeniedError, match="you did not ask for it"):
        raise_rejection(call)


def test_a_call_of_a_notification_points_to_the_chat() -> None:
    call = new_call([])
    execute_gated(call, ALICE, doubt="it did not come from you", ask=refuse_to_ask(call, "notification"))
    with pytest.raises(NeedsConfirmationError, match="does not run from a notification: it did not come from you"):
        raise_rejection(call)


def test_a_confirmed_call_runs_and_a_denied_one_does_not() -> None:
    events: list[str] = []
    execute_gated(new_call(events), ALICE, doubt="you did not ask for it", is_confirmed=True)
    assert events == ["run"]
    denied = new_call(events)
    execute_gated(denied, ALICE, {"change_lead": "deny"}, is_confirmed=True)
    assert (denied.result.status, events) == (ToolStatus.REJECTED, ["run"])


def test_many_records_wait_also_outside_of_a_chat() -> None:
    asked: list[str] = []
    for count in (10, 11):
        execute_gated(new_call([], items=[{"name": "A"}] * count), ALICE, ask=asked.append)
    assert asked == ["it changes more than 10 records"]


def test_a_call_that_has_ended_stays_as_it_is() -> None:
    events: list[str] = []
    call = new_call(events)
    call.fail(GoneError("It is gone."))
    assert execute_gated(call, ALICE, claim=lambda: events.append("claim")).status is ToolStatus.FAILED
    raise_rejection(call)
    assert events == []
