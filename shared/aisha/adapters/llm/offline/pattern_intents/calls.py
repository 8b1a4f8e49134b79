"""What these acts share: a call and its words, and the record that is meant."""

from collections.abc import Callable
from typing import Any

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.state import Ref, Topic


def called(
    plan: Plan, tool: str, what: str, say: Callable[[Any], str], refs: tuple[Ref, ...] = (), **arguments: Any
) -> Answer:
    """Calls a tool and words its value, or its failure with what could not be done; `refs` is what the talk is about then."""
    outcome = plan.need(tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, arguments), what)
    return Answer(say(outcome.value), topic=Topic(refs) if refs else None)


def record_in(plan: Plan, text: str, ask: str, kind: str | None = None) -> Ref | Answer:
    """The record that the words name or point at, or the question which one is meant."""
    subject = plan.finder().subject(plan.read(text), kind)
    if (answer := plan.unresolved(subject, text, ask)) is not None:
        return answer
    assert isinstance(subject, Ref)  # noqa: S101
    return subject


def names_somebody(plan: Plan, text: str) -> bool:
    """Whether the words name somebody or point at one of whom was spoken."""
    reading = plan.read(text)
    return any(name.strong for name in reading.names) or bool(reading.pronouns.keys() & {"person", "thing"})
