"""Turn asks into tool calls, and their results into answers.

Each act is a function. It asks for a call with `Plan.need`. While the result is missing, `Pending` stops the plan, the
calls go out, and the next round starts again from the top: planning is a pure function of the turn so far.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from aisha.adapters.llm.planner import custom_fields, policy
from aisha.adapters.llm.planner.replies import questions
from aisha.adapters.llm.planner.results import Outcome, PlannedCall, Results
from aisha.adapters.llm.planner.scene import Scene
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language.ask import Ask
from aisha.domain.language.encoded import Encoder
from aisha.domain.language.reader import Reading, Segment, read, read_message
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolSpec


class Answer(Struct, frozen=True):
    """The text that answers an ask, the question it asks back, and the new topic (None: the topic stays)."""

    text: str
    question: Question | None = None
    topic: Topic | None = None


class Pending(Exception):
    """Raised when the plan can't go on before these calls have run. `ordered` is the ask that they write for."""

    def __init__(self, calls: Iterable[PlannedCall], ordered: Segment | None = None) -> None:
        super().__init__()
        self.calls = tuple({call.key: call for call in calls}.values())
        self.ordered = ordered


class EarlyAnswer(Exception):
    """Raised when an ask can only be answered by a question or an apology."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


class UnknownToolError(Exception):
    """The plan needs a tool that this turn does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Toolbox(dict[str, ToolSpec]):
    """The turn's tools by name."""

    def __missing__(self, name: str) -> ToolSpec:
        raise UnknownToolError(name)


class Plan(Struct):
    """The tools, results, topic and session that an act works with.

    `bindings` are the records that answers to questions chose, by the lower-cased name asked about ("" for an ask
    without a name). `spoken` are the names that the message said before this ask: a pronoun means the last of them.
    `doubt` is the reason why a write must be confirmed first; empty when the ask was understood.
    `unexplained` are the words that the doubt is about, if it is about words.
    """

    tools: Mapping[str, ToolSpec]
    scene: Scene
    results: Results
    topic: Topic
    bindings: Mapping[str, Ref] = field(default_factory=dict)
    spoken: tuple[str, ...] = ()
    doubt: str = ""
    unexplained: tuple[str, ...] = ()
    encoder: Encoder | None = None
    imagined: Segment | None = None
    """The order on which an ask depends that is only imagined: "if Acme signs, what would my total be?"."""
    left_out: tuple[str, ...] = ()
    """The names of those that an order for several leaves out."""
    is_after_change: bool = False
    """True when the message changed something before this ask."""
    asks_first: Callable[[str, Mapping[str, Any]], bool] | None = None
    """As in `TurnFacts`."""

    @property
    def custom_fields(self) -> list[CustomField]:
        """The fields that the tenant has of its own, of all types of records."""
        return custom_fields.fields_of(self.tools)

    @property
    def now(self) -> datetime:
        return self.scene.now

    @property
    def user(self) -> str:
        return self.scene.principal.user

    def read(self, message: str) -> Reading:
        """Return the segments of a message, read with the names of the session's records."""
        return read_message(message, [entity.name for entity in self.scene.entities], self.encoder)

    def read_text(self, text: str) -> Reading:
        """Return the segments of a text as it stands, which is no form."""
        return read(text, [entity.name for entity in self.scene.entities], self.encoder)

    def need(self, tool: str, **arguments: Any) -> Outcome:
        """Return the outcome of a tool call. Raises `Pending` while it has not run."""
        return self.need_all([self.planned(tool, **arguments)])[0]

    def planned(self, tool: str, **arguments: Any) -> PlannedCall:
        """Return the call of a tool, without arguments that are None. Raises `UnknownToolError`."""
        spec = self.tools[tool]
        given = {name: value for name, value in arguments.items() if value is not None}
        return PlannedCall(tool, given, self._doubt_about(given) if spec.access != "read" else "")

    def _doubt_about(self, arguments: Mapping[str, Any]) -> str:
        """Return the doubt, without words that the call's values or the names of its records explain."""
        if not self.unexplained or self.doubt != policy.unclear(self.unexplained):
            return self.doubt
        texts = [str(value) for value in arguments.values()]
        records = [record for text in texts if (record := self.results.record(text)) is not None]
        explained = {
            token.stem
            for text in [*texts, *(str(one.get("display_name")) for one in records)]
            for token in tokenize(text)
        }
        rest = [word for word in self.unexplained if tokenize(word)[0].stem not in explained]
        return policy.unclear(rest) if rest else ""

    def must_ask(self, call: PlannedCall) -> bool:
        """Return whether the gate will ask the user before it runs a call."""
        spec = self.tools[call.tool].for_call(call.arguments)
        if spec.access == "read":
            return False
        if call.doubt or spec.confirmation == "always" or spec.access in ("delete", "external"):
            return True
        return self.asks_first is not None and self.asks_first(call.tool, call.arguments)

    def need_all(self, calls: Sequence[PlannedCall]) -> list[Outcome]:
        """Return the outcomes of calls that run in one round. Raises `Pending` while one has not run."""
        outcomes = [self.results.of(call) for call in calls]
        missing = [call for call, outcome in zip(calls, outcomes, strict=True) if outcome is None]
        if missing:
            raise Pending(missing)
        return [outcome for outcome in outcomes if outcome is not None]

    def call(self, tool: str, what: str, **arguments: Any) -> Any:
        """Return the value of a tool call. Raises `EarlyAnswer` when `what` ("create the lead") failed."""
        outcome = self.need(tool, **arguments)
        if outcome.error:
            raise EarlyAnswer(self.failure(outcome, what))
        return outcome.value

    def has(self, tool: str) -> bool:
        return tool in self.tools

    def failure(self, outcome: Outcome, what: str) -> Answer:
        """Explain a failed call in plain words, with a way forward."""
        return Answer(questions.failure(outcome.error or {}, outcome.reason, what))

    def ask_slot(self, ask: Ask, tag: str, question: str) -> EarlyAnswer:
        """Return the exception that asks for the words of a slot; the answer completes the ask."""
        name, chosen = next(iter(self.bindings.items()), ("", None))
        candidates = (chosen,) if chosen is not None else ()
        return EarlyAnswer(Answer(question, Question("slot", ask.segment, name, candidates, tag=tag), self.topic))

    def ask_who(self, ask: Ask, question: str) -> EarlyAnswer:
        """Return the exception that asks for the record of an ask."""
        return EarlyAnswer(Answer(question, Question("who", ask.segment, tag="name"), self.topic))

    def refuse(self, text: str) -> EarlyAnswer:
        """Return the exception that ends an ask with this text."""
        return EarlyAnswer(Answer(text, topic=self.topic))

    def offer(self, text: str, *phrases: str, topic: Topic | None = None) -> Answer:
        """Return an answer that offers what the phrases say; "yes" takes up the first."""
        return Answer(text, Question("offer", offers=phrases), topic)

    def record(self, ref: Ref) -> dict[str, Any]:
        """Return the record from this turn's results, else read it by id; empty when it can't be read."""
        if (record := self.results.record(ref.id) or self.results.changed(ref.id)) is not None:
            return record
        outcome = self.need(f"get_{ref.type}", **{f"{ref.type}_id": ref.id})
        value = outcome.value if isinstance(outcome.value, dict) else {}
        nested = value.get(ref.type)
        return (nested if isinstance(nested, dict) else value) or {}

    def records(self, refs: Sequence[Ref]) -> list[dict[str, Any]]:
        """Return records, read in one round. Raises `EarlyAnswer` when one can't be read."""
        absent = [ref for ref in refs if self.results.record(ref.id) is None]
        self.need_all([self.planned(f"get_{ref.type}", **{f"{ref.type}_id": ref.id}) for ref in absent])
        if gone := next((ref for ref in refs if not self.record(ref)), None):
            raise self.refuse(f"I couldn't read **{gone.name}**. It may have been deleted.")
        return [(self.results.changed(ref.id) if self.is_after_change else None) or self.record(ref) for ref in refs]

    def knows(self, record_id: str) -> bool:
        """Return whether a record was found in this turn or spoken of before."""
        spoken_of = {ref.id for ref in self.topic.refs} | {one.id for one in self.scene.entities}
        created = self.results.created(record_id)
        return record_id in spoken_of or created is not None or self.results.record(record_id) is not None

    def topic_of(self, *refs: Ref, written: str = "", asked: Segment | None = None) -> Topic:
        return Topic(refs, asked=asked, written=written)


def at_once[T](functions: Iterable[Callable[[], T]]) -> list[T]:
    """Return the results of functions, the calls of which run in one round. Raises `Pending` with all of them."""
    results, calls = list[T](), list[PlannedCall]()
    for function in functions:
        try:
            results.append(function())
        except Pending as pending:
            calls += pending.calls
    if calls:
        raise Pending(calls)
    return results


Act = Callable[[Plan, Ask], Answer]
ACTS: dict[str, Act] = {}
"""Every act by its name in `domain.language.acts`."""


def act(*names: str) -> Callable[[Act], Act]:
    """Register a function for acts."""

    def register(function: Act) -> Act:
        ACTS.update(dict.fromkeys(names, function))
        return function

    return register


def module_of(kind: str) -> str:
    """Return the CRM module that a kind of record belongs to."""
    return RECORD_TYPES[kind].MODULE
