"""Execution of tool calls through the gate, the only way to run them (C-H4, C-X4)."""

from collections.abc import Callable, Mapping

from aisha.application.tooling.gate.policy import Decision, Verdict, count_records, decide
from aisha.domain.errors import NeedsConfirmationError
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolResult, ToolStatus


def execute_gated(
    call: ToolCall,
    principal: Principal,
    rules: Mapping[str, Verdict] | None = None,
    *,
    doubt: str = "",
    bulk_threshold: int = 10,
    is_confirmed: bool = False,
    ask: Callable[[str], None] | None = None,
    claim: Callable[[], object] | None = None,
) -> ToolResult:
    """Run a call if the gate allows it and return its result. A call that has ended already stays as it is.

    A denied call is rejected. For one that needs the user's confirmation, `ask` is called with the reason and the call
    stays pending; without `ask` it is rejected. `doubt` is why a write may not be what the user ordered. With
    `is_confirmed` the user has confirmed it already. `claim` is called after the gate and before the tool's code: it
    stores that the call will run, or raises when it must not.
    """
    if call.spec is None or call.result.status is not ToolStatus.PENDING:
        return call.result
    decision = decide(
        principal,
        call.spec,
        doubt=doubt,
        records_written=count_records(call),
        bulk_threshold=bulk_threshold,
        rules=rules,
    )
    call.verdict = call.verdict or decision.reason
    if decision.verdict == "deny":
        return _reject(call, decision)
    if decision.verdict == "ask" and not is_confirmed:
        if ask is None:
            return _reject(call, decision)
        ask(decision.reason)
        return call.result
    # Claimed only now: a call that is denied or waits for the user must not count as run.
    if claim is not None:
        claim()
    return call.execute()


def _reject(call: ToolCall, decision: Decision) -> ToolResult:
    return call.reject(decision.reason, decision.error)


def refuse_to_ask(call: ToolCall, source: str) -> Callable[[str], None]:
    """Return an `ask` for a `source` without a user: it rejects the call with an error that points to the chat."""

    def ask(reason: str) -> None:
        message = f"{call.name} does not run from a {source}: {reason}."
        advice = "Ask for it in the chat; it is done after your yes."
        call.reject(message, NeedsConfirmationError(message, tool=call.name, suggestion=advice))

    return ask


def raise_rejection(call: ToolCall) -> None:
    """Raise the error of a call that was rejected."""
    if call.result.status is ToolStatus.REJECTED and call.result.exception is not None:
        raise call.result.exception
