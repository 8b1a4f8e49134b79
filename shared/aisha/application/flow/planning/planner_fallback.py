"""Planning without a model's analysis: by the examples of the named flows, else by the offline planner's calls."""

from collections.abc import Generator, Iterator, Sequence

from aisha.application.flow.planning.analysis import MAX_CHOICES, Analysis, ToolChoice
from aisha.application.flow.planning.catalogue import expand_flows, match_flow
from aisha.application.flow.planning.dry_planning import DerivedPlan, derive_plan, derive_plan_for_choice
from aisha.application.flow.planning.proposal import MAX_ALTERNATIVES, ask, propose
from aisha.application.flow.reporting import report
from aisha.application.flow.steps import Intent, Step
from aisha.application.redaction.output import clean
from aisha.application.turn.confirming.waiting import with_rest
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.rounds.model_call import note_answer
from aisha.application.turn.state import Turn
from aisha.domain.conversations.conversation import Alternative, SessionEntity
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.models import ModelFinished

FLOW_CONFIDENCE, CALLS_CONFIDENCE, NO_CALLS_CONFIDENCE = 95.0, 80.0, 50.0
"""Confidence when an example of a named flow matches, when the planner makes calls, and when it makes none."""
MAX_INTENT_LENGTH = 2000


def plan_without_model(turn: Turn) -> Iterator[TurnEvent]:
    """Ask the user about the plan, or answer when there is nothing to write."""
    has_asked = yield from _propose_flow(turn)
    if not has_asked:
        yield from _propose_calls(turn)


def _propose_flow(turn: Turn) -> Generator[TurnEvent, None, bool]:
    """Ask about the named flow that matches the message. Return False if none matches or it cannot be done.

    A flow that cannot be done is left to the planner, whose answer explains the reason better.
    """
    if (choices := match_flow(turn.input)) is None:
        return False
    intent = Intent(turn.input.request.message, FLOW_CONFIDENCE)
    steps = expand_flows(turn.input, [(step.tool, step.arguments) for step in choices])
    has_asked = yield from propose(turn, steps, intent, turn.input.message_id)
    if has_asked:
        yield report(
            turn.record, steps, intent, _analysis(turn.record, choices, intent, "The words fit an example of the flow.")
        )
    return has_asked


def _propose_calls(turn: Turn) -> Iterator[TurnEvent]:
    plan = yield from derive_plan(turn, f"{turn.input.message_id}.plan")
    note_answer(turn.timings, plan.finished)
    intent = Intent(turn.input.request.message, CALLS_CONFIDENCE if plan.steps else NO_CALLS_CONFIDENCE)
    choices = plan.finished.choices[:MAX_ALTERNATIVES]
    # Numbered, so that "the second one" is an answer.
    alternatives = [Alternative(_format_label(choice), str(number)) for number, choice in enumerate(choices, 1)]
    if alternatives:
        has_asked = yield from _ask_which(turn, plan, alternatives, intent)
    elif has_asked := any(step.status == "planned" for step in plan.steps):
        yield from ask(turn.input, turn.record, [plan.steps], [], intent)
    if has_asked:
        yield from _keep_rest(turn, plan.finished)
    if not has_asked:
        # Nothing is to be written and the reads have run already, so the planner's text is the answer.
        turn.record.provider_state = plan.finished.state
        yield turn.record.say(clean(plan.text, turn.record.names))
    analysis = _analysis(turn.record, plan.steps, intent, "These are the calls that the planner makes for these words.")
    yield report(turn.record, plan.steps, intent, analysis, alternatives)


def _keep_rest(turn: Turn, finished: ModelFinished) -> Iterator[TurnEvent]:
    """Name what the message asks for besides, and keep it with the question until that is answered."""
    if turn.record.question is not None:
        turn.record.question = with_rest(turn.input, turn.record.question, finished.postponed)
        if rest := turn.record.question.rest:
            yield turn.record.say(f"After your answer I'll go on with “{clean(rest, turn.record.names)}”.")


def _ask_which(
    turn: Turn, question: DerivedPlan, alternatives: Sequence[Alternative], intent: Intent
) -> Generator[TurnEvent, None, bool]:
    """Ask which alternative the user means, with a plan for each. Return False if none of the plans writes."""
    plans = []
    for number in range(1, len(alternatives) + 1):
        plan = yield from derive_plan_for_choice(turn, question, number, f"{turn.input.message_id}.plan{number}")
        plans.append(plan.steps)
    if not any(step.status == "planned" for plan in plans for step in plan):
        return False
    yield from ask(turn.input, turn.record, plans, [alternative.label for alternative in alternatives], intent)
    turn.record.provider_state = question.finished.state
    return True


def _format_label(choice: SessionEntity) -> str:
    return f"{choice.name} ({', '.join((choice.type, *choice.aliases))})"


def _analysis(record: TurnRecord, steps: Sequence[Step], intent: Intent, reasoning: str) -> Analysis:
    question = record.question
    return Analysis(
        user_intent=intent.text[:MAX_INTENT_LENGTH],
        reasoning=reasoning,
        confidence=intent.confidence,
        needs_tools=bool(steps),
        tools_to_use=[ToolChoice(name=step.tool, parameters=step.arguments) for step in steps[:MAX_CHOICES]],
        needs_confirmation=question is not None,
        is_destructive=question is not None and question.is_destructive,
    )
