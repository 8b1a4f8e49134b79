"""One turn of flow-chat: analysis, plan, one question, execution, answer."""

from collections.abc import Generator, Iterator

from aisha.application.dialogue.choices import choice_in
from aisha.application.flow.analysis import Analysis, analyse
from aisha.application.flow.answering import write_answer
from aisha.application.flow.catalogue import expanded, flows_for, tools_for
from aisha.application.flow.planner_fallback import without_analysis
from aisha.application.flow.planning import propose
from aisha.application.flow.reporting import report
from aisha.application.flow.request import FlowRequest
from aisha.application.flow.steps import Intent, Step
from aisha.application.idempotency.keys import Attempt
from aisha.application.turn.converse import converse
from aisha.application.turn.followups import DECISION_MESSAGES
from aisha.application.turn.load import load_turn
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.run import journal_of, play
from aisha.application.turn.settle import pending_answered, settle
from aisha.application.turn.state import Turn, TurnDependencies, TurnInput
from aisha.domain.errors import AishaError, ModelUnavailableError
from aisha.domain.events import TurnEvent
from aisha.domain.principal import Principal

NOT_PLANNED = "No plan could be made of this, so it was answered as an ordinary message."


def run_flow(
    request: FlowRequest, principal: Principal, deps: TurnDependencies, attempt: Attempt | None = None
) -> Generator[TurnEvent]:
    """As `run_turn`, with a plan that is confirmed once."""
    turn = load_turn(request, principal, deps, journal_of(attempt, principal, deps))
    approved = _answered(turn.input, turn.record, request)
    yield from play(turn, _flow(turn) if approved is None else settle(turn, approved))


def _answered(turn_input: TurnInput, record: TurnRecord, request: FlowRequest) -> bool | None:
    """What the words or `userConfirmation` decide about the question that waits.

    `userConfirmation` counts beside a message that says no more than that, or that is the same as was asked about: what
    the user was not shown can't be confirmed.
    """
    by_words, said, pending = (
        pending_answered(turn_input),
        request.user_confirmation,
        turn_input.session.conversation.pending,
    )
    if said is None or by_words is not None:
        return by_words
    asked = next((one.content for one in reversed(turn_input.session.messages) if one.role == "user"), None)
    if pending is None or request.message not in (asked, DECISION_MESSAGES[said]):
        record.warn("`userConfirmation` was not read: nothing that was asked before waits for this answer.")
        return None
    if said and pending.alternatives and choice_in(request.message, pending.alternatives) is None:
        record.warn("Several are possible: say which one.")
        return None
    return said


def _flow(turn: Turn) -> Iterator[TurnEvent]:
    try:
        analysis = analyse(turn, tools_for(turn.input), flows_for(turn.input))
    except ModelUnavailableError:
        yield from without_analysis(turn)
        return
    steps = _steps_of(turn.input, turn.record, analysis)
    if analysis is None or not steps:
        yield from _ordinarily(turn, analysis)
        return
    intent = Intent(analysis.user_intent, analysis.confidence)
    asked = yield from propose(turn, steps, intent, turn.input.message_id)
    if not asked:
        yield from write_answer(turn, steps, intent)
    yield report(turn.record, steps, intent, analysis)


def _steps_of(turn_input: TurnInput, record: TurnRecord, analysis: Analysis | None) -> list[Step]:
    """The plan; empty when there is none to be made."""
    if analysis is None:
        record.warn(NOT_PLANNED)
        return []
    if not analysis.needs_tools:
        return []
    try:
        return expanded(turn_input, [(choice.name, choice.parameters) for choice in analysis.tools_to_use])
    except AishaError as error:
        record.warn(f"{NOT_PLANNED} {error.message}")
        return []


def _ordinarily(turn: Turn, analysis: Analysis | None) -> Iterator[TurnEvent]:
    """The message answered as in a chat."""
    yield from converse(turn, turn.input.deps.limits.max_flow_rounds)
    intent = Intent(analysis.user_intent, analysis.confidence) if analysis else Intent(turn.input.request.message, 0)
    yield report(turn.record, _ran(turn.record), intent, analysis)


def _ran(record: TurnRecord) -> list[Step]:
    """What an ordinary turn called, as steps."""
    steps = []
    for number, call in enumerate(record.calls, 1):
        step = Step(number, call.name, call.arguments, call=call, value=call.result.value)
        step.status = "executed" if call.result.ok else "planned" if call.result.error is None else "failed"
        step.reason = str((call.result.error or {}).get("message", ""))
        steps.append(step)
    return steps
