"""The offline planner: the chat model that works without a key, and the one left when every provider is down.

It is deterministic and asks no network. It reads the user's sentence with a lexicon of sales talk, the tools' own
schemas and examples, and the names that the tools find; it acts through the same tool calls as any model, and says so:
its provider is "offline".
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import enums_of, filters, owner_in
from aisha.adapters.llm.offline.examples import ExampleMatcher
from aisha.adapters.llm.offline.intents import KINDS, Act, classify, kind_of
from aisha.adapters.llm.offline.lexicon import BYE, CHAT, GREETING, HELP, NEVER_MIND, THANKS, YES
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading import (
    Phrases,
    Reading,
    corrected,
    read,
    tokenize,
    value_phrases,
    without_fillers,
)
from aisha.adapters.llm.offline.results import Results, Wanted, items_of
from aisha.adapters.llm.offline.state import DialogueState, Question, Ref, Topic, restore
from aisha.adapters.llm.offline.subjects import Pending, choose
from aisha.domain.dates import find_times
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, Scene, TextChunk, ToolCallRequest
from aisha.domain.tools import ToolSpec

_SPLIT = re.compile(
    r"(?:\s*(?:,|;|:|\.|!|\band\b|\bthen\b|\balso\b|\bplus\b)\s*)+"
    r"(?=(?:create|add|make|schedule|book|set up|plan|log|remind|update|mark|change|delete|remove|show|list|tell me|note|draft|convert|call(?!\s*(?:,|$))|find|grab|send|give me|complete|put|arrange|assign|move|what should|how many|who|which)\b)",
    re.IGNORECASE,
)
_QUIET = re.compile(
    r"[\"“]|\b(?:saying|that)\b|\b(?:note|notes|memo|remark|comment|log|task|todo|reminder|email|call|meeting|demo)\b[^:]*:",
    re.IGNORECASE,
)
"""From here on the words are what is to be written down, not further commands."""
_IMPLICIT = re.compile(
    r"\b(?:i|we)\b.*\b(?:thought|think|guess|believe|believed|figured|expected|assumed|have|had|see|saw|remember)\b.*\b(?:\d+|one|two|three|more|fewer|less|none|many|few)\b"
    r"|^\s*(?:only|just)\b.*\??$|^\s*(?:so\s+)?(?:really|is that (?:all|it|right)|that'?s (?:it|all)|that many|that few)\b",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(r"^\s*(?:and|what about|how about|ok and|or|only|just)\b", re.IGNORECASE)
TOO_MANY_STEPS = "I needed more steps than one turn allows. Ask me to go on and I'll take the next one."
MODULES = ("leads", "contacts", "accounts", "opportunities", "activities", "notes")
_NUMBER_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "none": 0, "no": 0}


class UnknownToolError(Exception):
    """The plan needs a tool that this turn does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Toolbox(dict[str, ToolSpec]):
    """The turn's tools by name."""

    def __missing__(self, name: str) -> ToolSpec:
        raise UnknownToolError(name)


@dataclass(frozen=True, slots=True)
class _Turn:
    """What one call of the planner works on."""

    scene: Scene
    tools: Mapping[str, ToolSpec]
    results: Results
    state: DialogueState
    values: Phrases
    matcher: ExampleMatcher

    def mended(self, text: str) -> str:
        """Typos and chat spelling put right, courtesies left out."""
        return corrected(without_fillers(corrected(text, self.matcher.vocabulary)), self.matcher.vocabulary)

    def read(self, text: str) -> Reading:
        return read(text, self.scene.now, self.values, [entity.name for entity in self.scene.entities])


class OfflinePlanner:
    """A `ChatModel` made of grammar instead of weights."""

    provider = "offline"
    model = "planner-1"

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """The next tool calls of the plan, or the answer when everything needed is there."""
        tools = Toolbox((spec.name, spec) for spec in request.scene.tools or request.tools)
        turn = _Turn(
            request.scene,
            tools,
            Results(request.messages),
            restore(request.scene.history),
            _values(tuple(tools.values())),
            _matcher(tuple((spec.name, spec.examples) for spec in tools.values())),
        )
        try:
            answer = _answer(turn)
        except Pending as pending:
            missing = next((call.tool for call in pending.calls if call.tool not in tools), None)
            if not request.scene.final and missing is None:
                yield ModelFinished(self.provider, self.model, _requests(pending.calls, turn.results.rounds))
                return
            answer = Answer(_without(turn, missing) if missing else TOO_MANY_STEPS)
        except UnknownToolError as error:
            answer = Answer(_without(turn, error.name))
        if answer.text:
            yield TextChunk(answer.text)
        state = DialogueState(answer.question, answer.topic or Topic())
        yield ModelFinished(self.provider, self.model, state=state.to_json())


@lru_cache(maxsize=16)
def _value_index(values: frozenset[str]) -> Phrases:
    return value_phrases(sorted(values))


def _values(specs: tuple[ToolSpec, ...]) -> Phrases:
    skipped = {
        "call",
        "email",
        "meeting",
        "demo",
        "task",
        "lead",
        "contact",
        "account",
        "opportunity",
        "activity",
        "note",
    }
    return _value_index(
        frozenset(value for spec in specs for options in enums_of(spec).values() for value in options) - skipped
    )


def _requests(calls: Sequence[Wanted], rounds: int) -> tuple[ToolCallRequest, ...]:
    return tuple(
        ToolCallRequest(f"call_{rounds + 1}_{place}", call.tool, json.dumps(call.arguments))
        for place, call in enumerate(calls, 1)
    )


def _without(turn: _Turn, tool: str) -> str:
    """What to say when the plan needs a tool that is not there, most often because the user may not use its module."""
    stem = tool.partition("_")[2].removesuffix("ies").removesuffix("s").removesuffix("y")
    module = next((module for module in MODULES if stem and module.startswith(stem)), None)
    if module is not None and not turn.scene.principal.may_use(module):
        return phrasing.no_access(module)
    return f"I have no tool here to {phrasing.words(tool).lower()}."


def _answer(turn: _Turn) -> Answer:
    text = turn.scene.user_text.strip()
    if turn.state.question is not None and (resumed := _resume(turn, turn.state.question, text)) is not None:
        return resumed
    if (small := _small_talk(text)) is not None:
        return small
    return _clauses(turn, text, {})


def _small_talk(text: str) -> Answer | None:
    bare = re.sub(r"[^\w\s']", " ", text.lower())
    bare = re.sub(r"\b(?:aisha|ai sha|there|so much|a lot|very much|again|then|for now|buddy|mate|team)\b", " ", bare)
    bare = " ".join(bare.split())
    if not bare or bare in GREETING or any(bare == f"{a} {b}" for a in GREETING for b in (*GREETING, "you")):
        return Answer(phrasing.HELLO)
    if bare in HELP or re.fullmatch(
        r"(?:help|help me(?: get started| out)?|(?:so )?what (?:else |all )?can (?:you|i) (?:do|ask)(?: .*)?|how can you help.*)",
        bare,
    ):
        return Answer(phrasing.HELP)
    if bare in BYE:
        return Answer(phrasing.BYE)
    if bare in NEVER_MIND:
        return Answer("All right, nothing was changed. What would you like to do instead?")
    if (kind := _chat(text)) is not None:
        return Answer(kind)
    if bare in YES:
        return Answer(phrasing.NOTHING_WAITS)
    return None


def _chat(text: str) -> str | None:
    """The answer to a sentence of nothing but thanks, greetings and goodbyes."""
    rest = " ".join(re.sub(r"[^\w\s']", " ", text.lower().replace("’", "'")).split())
    found = set()
    for answer, phrases in ((phrasing.BYE, BYE), (phrasing.THANKS, THANKS), (phrasing.HELLO, GREETING)):
        for phrase in sorted(phrases, key=len, reverse=True):
            shorter = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", " ", rest)
            if shorter != rest:
                found.add(answer)
                rest = shorter
    if not found or set(rest.split()) - CHAT:
        return None
    return next(answer for answer in (phrasing.BYE, phrasing.THANKS, phrasing.HELLO) if answer in found)


def _is_yes(text: str) -> bool:
    return " ".join(re.sub(r"[^\w\s']", " ", text.lower()).split()) in YES


def _is_no(text: str) -> bool:
    bare = " ".join(re.sub(r"[^\w\s']", " ", text.lower()).split())
    return bare in NEVER_MIND


def _resume(turn: _Turn, question: Question, text: str) -> Answer | None:
    """Takes the sentence as the answer to what was asked; None when it is something else."""
    if _is_no(text):
        return Answer("All right, nothing was changed. What would you like to do instead?")
    if question.kind == "offer":
        return _clauses(turn, question.text, {}) if _is_yes(text) else None
    if question.kind == "which":
        chosen = choose(text, question.candidates)
        if chosen is None or _is_another_request(turn, text):
            return None
        return _clauses(turn, question.text, {question.name.lower(): chosen})
    if question.kind == "missing":
        return _fill(turn, question, text)
    reading = turn.read(turn.mended(text))
    if (reading.names or reading.pronouns or reading.emails) and not _is_another_request(turn, text):
        return _clauses(turn, f"{question.text.rstrip('.?! ')} for {text.strip()}", {})
    return None


def _is_another_request(turn: _Turn, text: str) -> bool:
    """A whole new command rather than an answer: it has an act of its own."""
    reading = turn.read(turn.mended(text))
    return (
        reading.has("create", "schedule", "show", "delete", "update", "count", "advise", "convert", "overdue", "agenda")
        and len(text.split()) > 3
    )


def _fill(turn: _Turn, question: Question, text: str) -> Answer | None:
    value: Any = text.strip().rstrip(".")
    spec = turn.tools.get(question.tool)
    if spec is None:
        return None
    if spec.properties.get(question.field, {}).get("format") == "date-time":
        spans = find_times(text, turn.scene.now)
        if not spans:
            return None
        value = spans[0].moment(turn.scene.now).isoformat()
    elif _is_another_request(turn, text):
        return None
    return _finish_call(turn, Wanted(question.tool, {**question.arguments, question.field: value}))


def _finish_call(turn: _Turn, call: Wanted) -> Answer:
    """Makes the completed call and words its result as its own act would."""
    plan = _plan(turn, turn.state.topic, {})
    arguments = call.arguments
    if call.tool == "create_activity":
        name = str(arguments.get("title", "")).partition(" with ")[2].partition(":")[0] or "them"
        return plan._scheduled([call], [Ref(str(arguments["entity_type"]), str(arguments["entity_id"]), name)])
    outcome = plan._need(call.tool, **arguments)
    if outcome.error:
        return plan._failure(outcome, call, phrasing.words(call.tool))
    return _generic_answer(call, outcome.value, turn)


def _plan(turn: _Turn, topic: Topic, bindings: Mapping[str, Ref]) -> Plan:
    return Plan(turn.tools, turn.scene, turn.results, topic, turn.read, bindings)


def _clauses(turn: _Turn, text: str, bindings: Mapping[str, Ref]) -> Answer:
    """Answers every clause in order; a later one may speak of what an earlier one found."""
    topic, texts, question = turn.state.topic, [], None
    for clause in _telling(turn, split(corrected(text, turn.matcher.vocabulary))):
        answer = _clause(turn, clause, topic, bindings)
        texts.append(answer.text)
        topic = answer.topic or topic
        question = answer.question
        if question is not None:
            break
    understood = [text for text in texts if text != phrasing.NOT_UNDERSTOOD] or texts[:1]
    return Answer("\n\n".join(understood), question, topic)


def _telling(turn: _Turn, clauses: Sequence[str]) -> Sequence[str]:
    """The clauses that say something: "so yeah can you" beside a request does not."""
    if len(clauses) == 1:
        return clauses
    kept = []
    for clause in clauses:
        reading = turn.read(turn.mended(clause))
        named = any(name.strong for name in reading.names)
        if named or reading.concepts or reading.pronouns or reading.values or reading.activities or reading.top:
            kept.append(clause)
    return kept or clauses[:1]


def split(text: str) -> list[str]:
    """The commands of a sentence: "show me warm leads and create activities for the top 3" has two."""
    quiet = _QUIET.search(text)
    head, tail = (text[: quiet.start()], text[quiet.start() :]) if quiet else (text, "")
    parts = [part for part in _SPLIT.split(head) if part.strip()]
    if not parts:
        return [text]
    parts[-1] += tail if len(parts) == 1 or tail else ""
    return [part.strip() for part in parts if part.strip()] or [text]


def _clause(turn: _Turn, clause: str, topic: Topic, bindings: Mapping[str, Ref]) -> Answer:
    text = turn.mended(clause)
    reading = turn.read(text)
    plan = _plan(turn, topic, bindings)
    if (echo := _echo(turn, plan, reading, topic)) is not None:
        return echo
    intent = classify(reading)
    nearest = turn.matcher.best(reading)
    if (
        nearest
        and (intent.act in (Act.NOTHING, Act.INQUIRE, Act.FIELD, Act.SUMMARY) or nearest.score > 0.9)
        and nearest.tool not in _OWN_ACTS
    ):
        return _generic(turn, plan, turn.tools[nearest.tool], reading)
    if intent.act is not Act.NOTHING:
        return plan.run(intent, reading)
    if reading.times and turn.scene.entities and not reading.names:
        return Answer('I have a time, but not what it is for. For example: "Schedule a call with them then".')
    return Answer(phrasing.NOT_UNDERSTOOD)


@lru_cache(maxsize=16)
def _matcher(examples: tuple[tuple[str, tuple[str, ...]], ...]) -> ExampleMatcher:
    return ExampleMatcher(examples)


_OWN_ACTS = frozenset(
    [f"{verb}_{kind}" for verb in ("get", "create", "update", "delete") for kind in (*KINDS, "activity", "note")]
    + [
        "search_leads",
        "search_contacts",
        "search_accounts",
        "search_opportunities",
        "list_activities",
        "list_notes",
        "search_notes",
    ]
    + [
        "get_pipeline_summary",
        "get_my_day",
        "suggest_next_actions",
        "convert_lead",
        "complete_activity",
        "bulk_create_activities",
        "advance_opportunity_stage",
    ]
)
"""Tools that an act of the plan serves; the matcher decides for all the others."""


def _echo(turn: _Turn, plan: Plan, reading: Reading, topic: Topic) -> Answer | None:
    """ "I think I only have 1", "only one?", "and the qualified ones?": short sentences that go on from the last answer."""
    if not topic.tool:
        return None
    text = reading.text
    if (
        _IMPLICIT.search(text)
        and not reading.has("count")
        and not reading.names
        and topic.total is not None
        and not reading.has("create", "schedule")
    ):
        return _confirmed_count(plan, topic, text)
    whose = owner_in(reading)
    named = [name for name in reading.names if whose is None or name.text.lower() != whose]
    if _ELLIPTIC.match(text) and not named and not reading.has("create", "schedule", "advise", "delete"):
        kind = kind_of(reading)
        tool = (
            f"search_{kind}s"
            if kind in ("lead", "contact", "account")
            else "search_opportunities"
            if kind
            else topic.tool
        )
        if tool in turn.tools and tool.startswith("search_"):
            kept = topic.arguments if tool == topic.tool else {}
            arguments = {**kept, **filters(reading, turn.tools[tool], turn.scene.now)}
            return plan._listing(_kind_of_tool(tool), tool, arguments)
    return None


def _kind_of_tool(tool: str) -> str:
    return {"search_opportunities": "opportunity", "list_activities": "activity"}.get(
        tool, tool.removeprefix("search_").removesuffix("s")
    )


def _confirmed_count(plan: Plan, topic: Topic, text: str) -> Answer:
    """Says again what was counted, with the names, agreeing or correcting."""
    outcome = plan._need(topic.tool, **topic.arguments)
    records = items_of(outcome)
    total = topic.total or 0
    said = next(
        (
            int(word) if word.isdigit() else _NUMBER_WORDS[word]
            for word in re.findall(r"\d+|[a-z]+", text.lower())
            if word.isdigit() or word in _NUMBER_WORDS
        ),
        None,
    )
    agreed = "Yes" if said in (None, total) else "Not quite"
    names = [str(record.get("display_name")) for record in records[:5]]
    counted = phrasing.count_of(total, _kind_of_tool(topic.tool), topic.label)
    listed = f": {phrasing.listed(names)}" if names else ""
    more = f" and {total - len(names)} more" if total > len(names) and names else ""
    refs = tuple(
        Ref(str(r.get("entity_type")), str(r.get("id")), str(r.get("display_name")), str(r.get("company") or ""))
        for r in records
    )
    offer = Question("offer", f"Tell me about {names[0]}") if len(names) == 1 else None
    return Answer(
        f"{agreed}, you have {counted}{listed}{more}. Would you like to see the details?",
        offer,
        replace(topic, refs=refs),
    )


def _generic(turn: _Turn, plan: Plan, spec: ToolSpec, reading: Reading) -> Answer:
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
        subject = plan._finder().subject(reading, kind)
        if (answer := plan._unresolved(subject, reading.text, "Who or what is it about?")) is not None and (
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
        content = reading.content or next(iter(reading.quoted), None) or next((name.text for name in names), None)
        if content is None:
            return Answer(
                f"I need the {phrasing.words(texts[0])}. What is it?",
                Question("missing", tool=spec.name, arguments=arguments, field=texts[0]),
            )
        arguments[texts[0]] = content
    call = Wanted(spec.name, arguments)
    outcome = plan._need(call.tool, **arguments)
    if outcome.error:
        return plan._failure(outcome, call, phrasing.words(spec.name))
    return _generic_answer(call, outcome.value, turn)


def _generic_answer(call: Wanted, value: Any, turn: _Turn) -> Answer:
    """Any tool's result in words: records as lines, everything else as labelled values."""
    if isinstance(value, dict) and isinstance(value.get("items"), list):
        records = [item for item in value["items"] if isinstance(item, dict)]
        return Answer(phrasing.numbered(records, turn.scene.now) or "Nothing was found.")
    if isinstance(value, dict) and isinstance(value.get("record"), dict):
        record = value["record"]
        return Answer(
            f"Done: {phrasing.one_line(record, turn.scene.now)}.",
            topic=Topic(written=f"You just did this: {phrasing.words(call.tool)}, {record.get('display_name')}."),
        )
    if isinstance(value, dict):
        lines = [
            f"- {phrasing.words(name).capitalize()}: {item}"
            for name, item in value.items()
            if not isinstance(item, dict | list) and not name.endswith("id")
        ]
        return Answer("\n".join(lines) or "Done.")
    return Answer(str(value) if value not in (None, "") else "Done.")
