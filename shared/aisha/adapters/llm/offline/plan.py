"""Turn parsed clauses into tool calls, and their results into an answer.

Each act is a function. It asks for a call with `Plan.need`. While the result is missing, `Pending` stops the plan,
the calls go out, and the next round starts again from the top: planning is a pure function of the turn so far.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field

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
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import Outcome, PlannedCall, Results
from aisha.adapters.llm.offline.scene import Scene
from aisha.adapters.llm.offline.state import Question, Ref, Topic
from aisha.domain.crm.records import SUBJECT_TYPES
from aisha.domain.tools import ToolSpec


class Answer(Struct):
    """The text that answers a clause, the question it asks back, and the new topic."""

    text: str
    question: Question | None = None
    topic: Topic | None = None


class EarlyAnswer(Exception):
    """Raised when a clause can only be answered by a question or an apology."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


class Plan(Struct):
    """The tools, results and session that an act works with."""

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
        """Return the refusal when the user may not use the module of the record kind."""
        if intent.kind is not None and reading.has(intent.kind) | (intent.kind == "opportunity"):
            module = module_of(intent.kind)
            if not self.scene.principal.may_use(module):
                return phrasing.no_access(module)
        return None

    def need(self, tool: str, **arguments: Any) -> Outcome:
        """Return the outcome of a tool call. Raises `Pending` while it has not run."""
        call = PlannedCall(tool, {name: value for name, value in arguments.items() if value is not None})
        outcome = self.results.of(call)
        if outcome is None:
            raise Pending([call])
        return outcome

    def call(self, tool: str, what: str, **arguments: Any) -> Outcome:
        """Return the outcome of a tool call that succeeded. Raises `EarlyAnswer` when `what` failed."""
        outcome = self.need(tool, **arguments)
        if outcome.error:
            raise EarlyAnswer(self.failure(outcome, PlannedCall(tool, arguments), what))
        return outcome

    def need_all(self, calls: Sequence[PlannedCall]) -> list[Outcome]:
        # All of them at once: they then run in parallel, in one round.
        outcomes = [self.results.of(call) for call in calls]
        missing = [call for call, outcome in zip(calls, outcomes, strict=True) if outcome is None]
        if missing:
            raise Pending(missing)
        return [outcome for outcome in outcomes if outcome is not None]

    def finder(self) -> Finder:
        searchable = [kind for kind in SUBJECT_TYPES if f"search_{PLURALS[kind]}" in self.tools]
        return Finder(self.scene.entities, self.topic, self.results, self.bindings, searchable)

    def unresolved(self, subject: Subject, text: str, ask: str) -> Answer | None:
        """Return a question or an apology unless the subject is exactly one record."""
        if isinstance(subject, Ambiguous):
            # As many as a user can choose from; the question keeps them for the answer.
            candidates = subject.candidates[:10]
            return Answer(
                phrasing.ask_which(subject.name, candidates), Question("which", text, subject.name, candidates)
            )
        if isinstance(subject, Unknown):
            return Answer(phrasing.not_found(subject.name, subject.kind), Question("who", text, subject.name))
        if subject is None:
            return Answer(ask, Question("who", text))
        return None

    def require(self, subject: Subject, text: str, question: str) -> Ref:
        """Return the one record that a subject is. Raises `EarlyAnswer` with a question or an apology otherwise."""
        if isinstance(subject, Ref):
            return subject
        raise EarlyAnswer(self.unresolved(subject, text, question) or Answer(question))

    def failure(self, outcome: Outcome, call: PlannedCall, what: str) -> Answer:
        """Explain a failed call in plain words, with a way forward."""
        if (missing := outcome.missing_field) is not None:
            question = (
                "When should it take place? I need a date and time."
                if missing.startswith("due")
                else f"I need the {phrasing.humanise(missing)}. What is it?"
            )
            return Answer(
                f"I can {what}. {question}",
                Question("missing", tool=call.tool, arguments=call.arguments, field=missing),
            )
        error = outcome.error or {}
        if error.get("error") == "Permission denied":
            return Answer(phrasing.no_access(outcome.reason.rsplit(":", 1)[-1].strip()))
        if error.get("error") == "Entity not found":
            return Answer("I couldn't find that record any more. It may have been deleted; shall I search for it?")
        hint = error.get("suggestion")
        return Answer(f"I couldn't {what}: {outcome.reason.rstrip('.')}." + (f" {hint}" if hint else ""))

    def record(self, ref: Ref) -> dict[str, Any] | None:
        """Return the record from this turn's results, else read it by id."""
        if (record := self.results.record(ref.id)) is not None:
            return record
        outcome = self.need(f"get_{ref.type}", **{f"{ref.type}_id": ref.id})
        value = outcome.value if isinstance(outcome.value, dict) else {}
        nested = value.get(ref.type)
        return (nested if isinstance(nested, dict) else value) or None

    def run(
        self, tool: str, what: str, format_value: Callable[[Any], str], *, refs: tuple[Ref, ...] = (), **arguments: Any
    ) -> Answer:
        """Call a tool and format its value, or explain that `what` failed. `refs` are the records of the new topic."""
        outcome = self.need(tool, **arguments)
        if outcome.error:
            return self.failure(outcome, PlannedCall(tool, arguments), what)
        return Answer(format_value(outcome.value), topic=Topic(refs) if refs else None)

    def record_named(self, text: str, question: str, kind: str | None = None) -> Ref:
        """Return the record that the text names or points at. Raises `EarlyAnswer` when it is not one record."""
        return self.require(self.finder().subject(self.read(text), kind), text, question)

    def mentions_record(self, text: str) -> bool:
        """Return whether the text has a name, or a pronoun for a record mentioned before."""
        reading = self.read(text)
        return any(name.strong for name in reading.names) or bool(reading.pronouns.keys() & {"person", "thing"})
