"""Runs a tool that was found by its examples alone, and words whatever it returns."""

from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import filters
from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.document_text import passages
from aisha.adapters.llm.offline.external_json import NOTHING, is_record, worded
from aisha.adapters.llm.offline.lexicon import STOPWORDS
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.planner_turn import PlannerTurn
from aisha.adapters.llm.offline.results import Wanted
from aisha.adapters.llm.offline.scan_phrasing import told
from aisha.adapters.llm.offline.state import Question, Ref, Topic
from aisha.adapters.llm.offline.tokens import tokenize
from aisha.domain.tools import ToolSpec

_QUESTIONS = ("query", "question")
"""Parameters that take what was said as it was said."""


def run_generic(turn: PlannerTurn, plan: Plan, spec: ToolSpec, reading: Reading) -> Answer:
    """Calls a tool found by its examples, its arguments filled by its schema."""
    arguments = filters(reading, spec, turn.scene.now)
    arguments.pop("name_contains", None)
    wanted = [
        name
        for name in spec.properties
        if name == "entity_id" or (name.removesuffix("_id") in KINDS and name.endswith("_id"))
    ]
    if wanted:
        kind = wanted[0].removesuffix("_id") if wanted[0] != "entity_id" else None
        subject = plan.finder().subject(reading, kind)
        if (answer := plan.unresolved(subject, reading.text, "Who or what is it about?")) is not None and (
            subject is not None or wanted[0] in spec.required
        ):
            return answer
        if isinstance(subject, Ref):
            arguments[wanted[0]] = subject.id
            if "entity_type" in spec.properties:
                arguments["entity_type"] = subject.type
    texts = [name for name in spec.required if name not in arguments and spec.properties[name].get("type") == "string"]
    if texts:
        said = turn.matcher.vocabulary
        own = [name for name in reading.names if any(token.stem not in said for token in tokenize(name.text))]
        names = sorted(own, key=lambda name: not name.strong)
        content = reading.content or next(iter(reading.quoted), None)
        if content is None and texts[0] in _QUESTIONS:
            content = reading.text
        content = content or next((name.text for name in names), None) or _beyond_examples(texts[0], reading, spec)
        if content is None:
            noun = phrasing.words(texts[0].removesuffix("_id"))
            return Answer(
                f"Which {noun} do you mean?" if texts[0].endswith("_id") else f"I need the {noun}. What is it?",
                Question("missing", tool=spec.name, arguments=arguments, field=texts[0]),
            )
        arguments[texts[0]] = content
    call = Wanted(spec.name, arguments)
    outcome = plan.need(call.tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, call, phrasing.words(spec.name))
    return generic_answer(call, outcome.value, turn)


def _beyond_examples(field: str, reading: Reading, spec: ToolSpec) -> str | None:
    """For a reference to something that is no record: the words that the tool's examples don't have."""
    if not field.endswith("_id"):
        return None
    known = {token.stem for example in spec.examples for token in tokenize(example)}
    words = [token.text for token in tokenize(reading.text) if token.stem not in known and token.word not in STOPWORDS]
    return " ".join(words) or None


def generic_answer(call: Wanted, value: Any, turn: PlannerTurn) -> Answer:
    """Any tool's result in words: records as lines, everything else as labelled values."""
    if isinstance(value, dict) and isinstance(items := value.get("items"), list) and all(map(is_record, items)):
        return Answer(phrasing.numbered(items, turn.scene.now) or NOTHING)
    if isinstance(value, dict) and is_record(value.get("record")):
        record = value["record"]
        return Answer(
            f"Done: {phrasing.one_line(record, turn.scene.now)}.",
            topic=Topic(written=f"You just did this: {phrasing.words(call.tool)}, {record.get('display_name')}."),
        )
    if isinstance(value, dict) and isinstance(value.get("receipts"), list):
        return Answer(generic_receipts(value))
    return Answer(told(value) or passages(value) or worded(value))


def generic_receipts(value: dict[str, Any]) -> str:
    """What was done to which records."""
    return f"Done: {', '.join(map(_receipt, value['receipts']))}."


def _receipt(receipt: dict[str, Any]) -> str:
    """`removed the lead Nora Fink`, `set Jack Russel's status to warm`."""
    entity, after = receipt["entity"], receipt.get("after") or {}
    kind, name = str(entity["type"]).replace("_", " "), entity["name"]
    if receipt["action"] != "updated":
        return f"{'removed' if receipt['action'] == 'deleted' else 'restored'} the {kind} **{name}**"
    told = [
        f"{phrasing.words(field)} is **{('yes' if value else 'no') if isinstance(value, bool) else value}**"
        for field, value in after.items()
        if isinstance(value, str | int | float)
    ]
    return f"changed the {kind} **{name}**" + (f" ({', '.join(told)})" if told else "")
