"""The plan where no model analyses: by the examples of the named flows, else by the calls that the planner makes."""

from collections.abc import Generator, Iterator, Sequence

from aisha.application.flow.analysis import MOST_CHOICES, Analysis, ToolChoice
from aisha.application.flow.catalogue import expanded, matched_flow
from aisha.application.flow.dry_planning import Derived, derive, derive_for
from aisha.application.flow.planning import MOST_ALTERNATIVES, ask, propose
from aisha.application.flow.reporting import report
from aisha.application.flow.steps import Intent, Step
from aisha.application.redaction.id_filter import clean
from aisha.application.turn.model_call import note_answer
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import Turn
from aisha.domain.conversation import Alternative, SessionEntity
from aisha.domain.events import TurnEvent

NAMED, CALLED, SAID = 95.0, 80.0, 50.0
"""Confidence where no model gives a figure: an example of a named flow fits, calls were planned, words alone."""
_LONGEST_INTENT = 2000


def without_analysis(turn: Turn) -> Iterator[TurnEvent]:
    """Asks about the plan, or answers when there is nothing to write."""
    asked = yield from _by_example(turn)
    if not asked:
        yield from _by_calls(turn)


def _by_example(turn: Turn) -> Generator[TurnEvent, None, bool]:
    """False when no named flow fits, or none that can be done: the planner says better why."""
    if (choices := matched_flow(turn.input)) is None:
        return False
    intent = Intent(turn.input.request.message, NAMED)
    steps = expanded(turn.input, [(step.tool, step.arguments) for step in choices])
    asked = yield from propose(turn, steps, intent, turn.input.message_id)
    if asked:
        yield report(
            turn.record, steps, intent, _analysis(turn.record, choices, intent, "The words fit an example of the flow.")
        )
    return asked


def _by_calls(turn: Turn) -> Iterator[TurnEvent]:
    plan = yield from derive(turn, f"{turn.input.message_id}.plan")
    note_answer(turn.timings, plan.finished)
    intent = Intent(turn.input.request.message, CALLED if plan.steps else SAID)
    choices = plan.finished.choices[:MOST_ALTERNATIVES]
    alternatives = [Alternative(_label(one), str(number)) for number, one in enumerate(choices, 1)]
    if alternatives:
        asked = yield from _ask_which(turn, plan, alternatives, intent)
    elif asked := any(step.status == "planned" for step in plan.steps):
        yield from ask(turn.input, turn.record, [plan.steps], [], intent)
    if not asked:
        turn.record.provider_state = plan.finished.state
        yield turn.record.say(clean(plan.text, turn.record.names))
    analysis = _analysis(turn.record, plan.steps, intent, "These are the calls that the planner makes for these words.")
    yield report(turn.record, plan.steps, intent, analysis, alternatives)


def _ask_which(
    turn: Turn, question: Derived, alternatives: Sequence[Alternative], intent: Intent
) -> Generator[TurnEvent, None, bool]:
    """Makes the plan of every alternative. False when none of them writes: then the question in words is enough."""
    plans = []
    for number in range(1, len(alternatives) + 1):
        plan = yield from derive_for(turn, question, number, f"{turn.input.message_id}.plan{number}")
        plans.append(plan.steps)
    if not any(step.status == "planned" for plan in plans for step in plan):
        return False
    yield from ask(turn.input, turn.record, plans, [one.label for one in alternatives], intent)
    turn.record.provider_state = question.finished.state
    return True


def _label(choice: SessionEntity) -> str:
    return f"{choice.name} ({', '.join((choice.type, *choice.aliases))})"


def _analysis(record: TurnRecord, steps: Sequence[Step], intent: Intent, reasoning: str) -> Analysis:
    asked = record.question
    return Analysis(
        user_intent=intent.text[:_LONGEST_INTENT],
        reasoning=reasoning,
        confidence=intent.confidence,
        needs_tools=bool(steps),
        tools_to_use=[ToolChoice(name=step.tool, parameters=step.arguments) for step in steps[:MOST_CHOICES]],
        needs_confirmation=asked is not None,
        is_destructive=asked is not None and asked.is_destructive,
    )
