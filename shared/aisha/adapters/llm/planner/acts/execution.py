"""Make writes, and tell what was done."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.results import PlannedCall
from aisha.adapters.llm.planner.state import Ref

Unplaced = list[tuple[str, str]]
"""Pairs of a field's words and a value's that fit no parameter of a write; one of them is empty if it was not said."""


def write_all(plan: Plan, calls: Sequence[PlannedCall], what: str) -> list[Any]:
    """Return the values of writes made in one round. Raises `EarlyAnswer` when one failed."""
    outcomes = plan.need_all(calls)
    if failed := [outcome for outcome in outcomes if outcome.error]:
        done = f" {len(outcomes) - len(failed)} of {len(outcomes)} are done." if len(outcomes) > 1 else ""
        raise plan.refuse(plan.failure(failed[0], what).text + done)
    return [outcome.value for outcome in outcomes]


def doubting(plan: Plan, left: Unplaced) -> Plan:
    """Return the plan whose question before a write, if it has one, also names what was said and has no place."""
    texts = [" ".join(one for one in pair if one) for pair in left]
    if not (plan.doubt and texts):
        return plan
    return replace(plan, doubt=f"{plan.doubt}, and I don't know where to put {formats.quote_all(texts)}")


def answer_done(plan: Plan, text: str, *refs: Ref, more: str = "") -> Answer:
    """Return the answer after a write: "I've changed ...", and `more` that is no part of what was done."""
    return Answer(text + more, topic=plan.topic_of(*refs, written=text.replace("I've", "You just", 1)))
