"""Turns what was understood into tool calls, and their results into an answer.

Each act is one method. A method asks for a call with `_need`; while its result is not there, `Pending` stops the plan,
the calls go out, and the next round starts again from the top: planning is a pure function of the turn so far.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.entity_resolution import (
    PLURALS,
    Ambiguous,
    Finder,
    Pending,
    Subject,
    Unknown,
    module_of,
)
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.results import Outcome, Results, Wanted
from aisha.adapters.llm.offline.scene import Scene
from aisha.adapters.llm.offline.state import Question, Ref, Topic
from aisha.domain.records import SUBJECT_TYPES
from aisha.domain.tools import ToolSpec


class Answer(Struct):
    """What a clause brought: its text, what was asked back, and what the talk is now about."""

    text: str
    question: Question | None = None
    topic: Topic | None = None


class Plan(Struct):
    """The acts, with what they need: the tools by name, the turn's results, the session."""

    tools: Mapping[str, ToolSpec]
    scene: Scene
    results: Results
    topic: Topic
    read: Callable[[str], Reading]
    bindings: Mapping[str, Ref] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        return self.scene.now

    def refused(self, intent: Intent, reading: Reading) -> str | None:
        """Kinds of record that the user's modules don't cover are answered without asking any tool."""
        if intent.kind is not None and reading.has(intent.kind) | (intent.kind == "opportunity"):
            module = module_of(intent.kind)
            if not self.scene.principal.may_use(module):
                return phrasing.no_access(module)
        return None

    def need(self, tool: str, **arguments: Any) -> Outcome:
        call = Wanted(tool, {name: value for name, value in arguments.items() if value is not None})
        outcome = self.results.of(call)
        if outcome is None:
            raise Pending([call])
        return outcome

    def need_all(self, calls: Sequence[Wanted]) -> list[Outcome]:
        outcomes = [self.results.of(call) for call in calls]
        missing = [call for call, outcome in zip(calls, outcomes, strict=True) if outcome is None]
        if missing:
            raise Pending(missing)
        return [outcome for outcome in outcomes if outcome is not None]

    def finder(self) -> Finder:
        searchable = [kind for kind in SUBJECT_TYPES if f"search_{PLURALS[kind]}" in self.tools]
        return Finder(self.scene.entities, self.topic, self.results, self.bindings, searchable)

    def unresolved(self, subject: Subject, text: str, ask: str) -> Answer | None:
        """The question or the apology when a clause's record is not one record."""
        if isinstance(subject, Ambiguous):
            candidates = subject.candidates[:10]
            return Answer(phrasing.which(subject.name, candidates), Question("which", text, subject.name, candidates))
        if isinstance(subject, Unknown):
            return Answer(phrasing.unknown(subject.name, subject.kind), Question("who", text, subject.name))
        if subject is None:
            return Answer(ask, Question("who", text))
        return None

    def failure(self, outcome: Outcome, wanted: Wanted, what: str) -> Answer:
        """A failed call in plain words, with the way on."""
        if (missing := outcome.missing_field) is not None:
            asked = (
                "When should it take place? I need a date and time."
                if missing.startswith("due")
                else f"I need the {phrasing.words(missing)}. What is it?"
            )
            return Answer(
                f"I can {what}. {asked}",
                Question("missing", tool=wanted.tool, arguments=wanted.arguments, field=missing),
            )
        error = outcome.error or {}
        if error.get("error") == "Permission denied":
            return Answer(phrasing.no_access(outcome.reason.rsplit(":", 1)[-1].strip()))
        if error.get("error") == "Entity not found":
            return Answer("I couldn't find that record any more. It may have been deleted; shall I search for it?")
        hint = error.get("suggestion")
        return Answer(f"I couldn't {what}: {outcome.reason.rstrip('.')}." + (f" {hint}" if hint else ""))

    def record(self, ref: Ref) -> dict[str, Any] | None:
        """The record: from this turn's searches, else read by id."""
        if (found := self.results.record(ref.id)) is not None:
            return found
        outcome = self.need(f"get_{ref.type}", **{f"{ref.type}_id": ref.id})
        value = outcome.value if isinstance(outcome.value, dict) else {}
        nested = value.get(ref.type)
        return (nested if isinstance(nested, dict) else value) or None
