"""One turn of flow-chat: analysis, plan, confirmation, execution and answer."""

from collections.abc import Generator, Iterator

from aisha.application.dialogue.choices import find_choice
from aisha.application.flow.answering import write_answer
from aisha.application.flow.planning.analysis import Analysis, analyse
from aisha.application.flow.planning.catalogue import expand_flows, flows_for, tools_for
from aisha.application.flow.planning.planner_fallback import plan_without_model
from aisha.application.flow.planning.proposal import propose
from aisha.application.flow.reporting import report
from aisha.application.flow.request import FlowRequest
from aisha.application.flow.steps import Intent, Step
from aisha.application.idempotency.keys import Attempt
from aisha.application.turn.concluding.follow_up_buttons import DECISION_MESSAGES
from aisha.application.turn.confirming.settle import pending_answered
from aisha.application.turn.load import load_turn
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.rounds.converse import converse
from aisha.application.turn.run import journal_of, play, settle_or_reply
from aisha.application.turn.state import Turn, TurnDependencies, TurnInput
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.errors import AishaError, ModelUnavailableError
from aisha.domain.principal import Principal

NOT_PLANNED = "No plan could be made of this, so it was answered as an ordinary message."


def run_flow(
    request: FlowRequest, principal: Principal, deps: TurnDependencies, attempt: Attempt | None = None
) -> Generator[TurnEvent]:
    """Run a turn like `run_turn`, with a plan that the user confirms as a whole."""
    turn = load_turn(request, principal, deps, journal_of(attempt, principal, deps))
    yield from play(turn, settle_or_reply(turn, _flow, approved=_decision(turn.input, turn.record, request)))


def _decision(turn_input: TurnInput, record: TurnRecord, request: FlowRequest) -> bool | None:
    """Return the decision of the message or of `userConfirmation` about the pending question, None if there is none."""
    by_words, confirmation = pending_answered(turn_input), request.user_confirmation
    if confirmation is None or by_words is not None:
        return by_words
    pending, messages = turn_input.session.conversation.pending, turn_input.session.messages
    last = next((message.content for message in reversed(messages) if message.role == "user"), None)
    # Only next to the message that led to the question, or to the decision in words: with another message the user
    # would confirm something that was not shown.
    if pending is None or request.message not in (last, DECISION_MESSAGES[confirmation]):
        record.warn("`userConfirmation` was ignored: no question is waiting for this answer.")
        return None
    # `userConfirmation` is a yes or no and cannot choose.
    if confirmation and pending.alternatives and find_choice(request.message, pending.alternatives) is None:
        record.warn("Several are possible: say which one.")
        return None
    return confirmation


def _flow(turn: Turn) -> Iterator[TurnEvent]:
    try:
        analysis = analyse(turn, tools_for(turn.input), flows_for(turn.input))
    except ModelUnavailableError:
        yield from plan_without_model(turn)
        return
    steps = _steps_of(turn.input, turn.record, analysis)
    if analysis is None or not steps:
        yield from _answer_as_chat(turn, analysis)
        return
    intent = Intent(analysis.user_intent, analysis.confidence)
    has_asked = yield from propose(turn, steps, intent, turn.input.message_id)
    if not has_asked:
        yield from write_answer(turn, steps, intent)
    yield report(turn.record, steps, intent, analysis)


def _steps_of(turn_input: TurnInput, record: TurnRecord, analysis: Analysis | None) -> list[Step]:
    """Return the plan, empty if no tool is needed or no plan can be made."""
    if analysis is None:
        record.warn(NOT_PLANNED)
        return []
    if not analysis.needs_tools:
        return []
    try:
        return expand_flows(turn_input, [(choice.name, choice.parameters) for choice in analysis.tools_to_use])
    except AishaError as error:
        record.warn(f"{NOT_PLANNED} {error.message}")
        return []


def _answer_as_chat(turn: Turn, analysis: Analysis | None) -> Iterator[TurnEvent]:
    yield from converse(turn, turn.input.deps.limits.max_flow_rounds)
    intent = Intent(analysis.user_intent, analysis.confidence) if analysis else Intent(turn.input.request.message, 0)
    yield report(turn.record, _steps_of_calls(turn.record), intent, analysis)


def _steps_of_calls(record: TurnRecord) -> list[Step]:
    steps = []
    for number, call in enumerate(record.calls, 1):
        step = Step(number, call.name, call.arguments, call=call, value=call.result.value)
        step.status = "executed" if call.result.ok else "planned" if call.result.error is None else "failed"
        step.reason = str((call.result.error or {}).get("message", ""))
        steps.append(step)
    return steps
