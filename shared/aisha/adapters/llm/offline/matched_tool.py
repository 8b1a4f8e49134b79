"""Run a tool that was chosen by its example sentences alone."""

from aisha.adapters.llm.offline.arguments import search_filters
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.planner_turn import PlannerTurn
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.lexicon import STOPWORDS
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.tokens import tokenize
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.replies.result_text import answer_with_result
from aisha.adapters.llm.offline.results import PlannedCall
from aisha.adapters.llm.offline.state import Question, Ref
from aisha.domain.tools import ToolSpec

_SENTENCE_PARAMETERS = ("query", "question")
"""Parameters that take the whole sentence."""


def run_matched_tool(turn: PlannerTurn, plan: Plan, spec: ToolSpec, reading: Reading) -> Answer:
    """Call a tool found by its examples, with arguments filled according to its schema."""
    arguments = search_filters(reading, spec, turn.scene.now)
    arguments.pop("name_contains", None)
    id_parameters = [
        name
        for name in spec.properties
        if name == "entity_id" or (name.removesuffix("_id") in KINDS and name.endswith("_id"))
    ]
    if id_parameters:
        kind = id_parameters[0].removesuffix("_id") if id_parameters[0] != "entity_id" else None
        subject = plan.finder().subject(reading, kind)
        if (answer := plan.unresolved(subject, reading.text, "Who or what is it about?")) is not None and (
            subject is not None or id_parameters[0] in spec.required
        ):
            return answer
        if isinstance(subject, Ref):
            arguments[id_parameters[0]] = subject.id
            if "entity_type" in spec.properties:
                arguments["entity_type"] = subject.type
    missing = [
        name for name in spec.required if name not in arguments and spec.properties[name].get("type") == "string"
    ]
    if missing:
        vocabulary = turn.matcher.vocabulary
        unknown_names = [
            name for name in reading.names if any(token.stem not in vocabulary for token in tokenize(name.text))
        ]
        names = sorted(unknown_names, key=lambda name: not name.strong)
        content = reading.content or next(iter(reading.quoted), None)
        if content is None and missing[0] in _SENTENCE_PARAMETERS:
            content = reading.text
        content = (
            content or next((name.text for name in names), None) or _words_beyond_examples(missing[0], reading, spec)
        )
        if content is None:
            noun = phrasing.humanise(missing[0].removesuffix("_id"))
            return Answer(
                f"Which {noun} do you mean?" if missing[0].endswith("_id") else f"I need the {noun}. What is it?",
                Question("missing", tool=spec.name, arguments=arguments, field=missing[0]),
            )
        arguments[missing[0]] = content
    call = PlannedCall(spec.name, arguments)
    outcome = plan.need(call.tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, call, phrasing.humanise(spec.name))
    return answer_with_result(call, outcome.value, turn)


def _words_beyond_examples(field: str, reading: Reading, spec: ToolSpec) -> str | None:
    """Return the words that the tool's examples lack, for a reference to something that is not a record."""
    if not field.endswith("_id"):
        return None
    example_stems = {token.stem for example in spec.examples for token in tokenize(example)}
    words = [
        token.text
        for token in tokenize(reading.text)
        if token.stem not in example_stems and token.word not in STOPWORDS
    ]
    return " ".join(words) or None
