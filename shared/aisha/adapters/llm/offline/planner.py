"""The offline planner: the chat model that works without a key, and the one left when every provider is down.

It is deterministic and asks no network. It reads the user's sentence with a lexicon of sales talk, the tools' own
schemas and examples, and the names that the tools find; it acts through the same tool calls as any model, and says so:
its provider is "offline".
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.activity_continuations import later_activities, once_more
from aisha.adapters.llm.offline.acts import ACTS
from aisha.adapters.llm.offline.acts.scheduling import scheduled
from aisha.adapters.llm.offline.arguments import enums_of, together
from aisha.adapters.llm.offline.background_clauses import asked_in, is_only_context, sentences, to_the_point
from aisha.adapters.llm.offline.choosing import choose_by_record
from aisha.adapters.llm.offline.clauses import split
from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.entity_resolution import Pending, choose
from aisha.adapters.llm.offline.examples import OWN_ACTS, ExampleMatcher
from aisha.adapters.llm.offline.follow_up_ellipsis import asked_again, echo
from aisha.adapters.llm.offline.generic import generic_answer, run_generic
from aisha.adapters.llm.offline.intent import Act
from aisha.adapters.llm.offline.intents import classify
from aisha.adapters.llm.offline.parser import NOTE_THAT, Reading, value_phrases
from aisha.adapters.llm.offline.pattern_intents import patterned
from aisha.adapters.llm.offline.personal import TOOLS as PERSONAL_TOOLS
from aisha.adapters.llm.offline.personal import personal, recalled
from aisha.adapters.llm.offline.plainly import plainly
from aisha.adapters.llm.offline.plan import Answer
from aisha.adapters.llm.offline.planner_turn import PlannerTurn, Toolbox, UnknownToolError
from aisha.adapters.llm.offline.requests import (
    each_with_its_time,
    heard,
    look_up,
    plan_of,
    ruled_out,
    same_change,
    telling,
)
from aisha.adapters.llm.offline.results import Results, Wanted
from aisha.adapters.llm.offline.rewording import reworded
from aisha.adapters.llm.offline.scene import facts_of, scene_of
from aisha.adapters.llm.offline.small_talk import is_no, is_yes, small_talk
from aisha.adapters.llm.offline.spelling import texted
from aisha.adapters.llm.offline.state import DialogueState, Question, Ref, Topic, restore
from aisha.adapters.llm.offline.times import find_times
from aisha.adapters.llm.offline.tokens import Phrases, tokenize
from aisha.domain.conversation import SessionEntity
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import OFFLINE, ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest
from aisha.domain.tools import ToolSpec

MORE = "req_more_info"


ANSWERED = ("chat_tools", "chat_light")
"""Capabilities that it stands in for."""


TOO_MANY_STEPS = "I needed more steps than one turn allows. Ask me to go on and I'll take the next one."


NOT_ALL = "The rest needs more steps than one turn allows."


MODULES = ("leads", "contacts", "accounts", "opportunities", "activities", "notes")


class OfflinePlanner:
    """A `ChatModel` made of grammar instead of weights."""

    provider = OFFLINE
    model = "planner-1"

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """The next tool calls of the plan, or the answer when everything needed is there.

        A tool that is not attached is asked for first, as any model would. Raises `ModelUnavailableError` for what is no
        turn of a conversation.
        """
        if request.json_mode or request.capability not in ANSWERED:
            raise ModelUnavailableError("The offline planner only answers what users say", detail={"status": 422})
        tools = Toolbox((spec.name, spec) for spec in facts_of(request).tools or request.tools)
        scene = scene_of(request)
        turn = PlannerTurn(
            scene,
            tools,
            Results(request.messages),
            restore(scene.history),
            _values(tuple(spec for spec in tools.values() if spec.name not in PERSONAL_TOOLS)),
            _matcher(tuple((one.name, one.examples) for one in tools.values() if one.name not in PERSONAL_TOOLS)),
        )
        try:
            answer = _answer(turn)
        except Pending as pending:
            missing = next((call.tool for call in pending.calls if call.tool not in tools), None)
            if not scene.final and missing is None:
                calls = _attached_first(pending.calls, {spec.name for spec in request.tools})
                yield ModelFinished(self.provider, self.model, _requests(calls, turn.results.rounds))
                return
            answer = Answer(_without(turn, missing) if missing else TOO_MANY_STEPS)
        except UnknownToolError as error:
            answer = Answer(_without(turn, error.name))
        if answer.text:
            yield TextChunk(answer.text)
        state = DialogueState(answer.question, answer.topic or Topic())
        yield ModelFinished(self.provider, self.model, state=state.to_json(), choices=_choices(answer.question))


def _choices(question: Question | None) -> tuple[SessionEntity, ...]:
    if question is None or question.kind != "which":
        return ()
    return tuple(
        SessionEntity(ref.id, ref.type, ref.name, (ref.about,) * bool(ref.about)) for ref in question.candidates
    )


def _attached_first(calls: Sequence[Wanted], attached: Collection[str]) -> Sequence[Wanted]:
    """The calls, or the one that gets the tools for them."""
    further = sorted({call.tool for call in calls} - set(attached))
    return [Wanted(MORE, {"tools": {"ids": further}})] if further and MORE in attached else calls


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


def _without(turn: PlannerTurn, tool: str) -> str:
    """What to say when the plan needs a tool that is not there, most often because the user may not use its module."""
    stem = tool.partition("_")[2].removesuffix("ies").removesuffix("s").removesuffix("y")
    module = next((module for module in MODULES if stem and module.startswith(stem)), None)
    if module is not None and not turn.scene.principal.may_use(module):
        return phrasing.no_access(module)
    return f"I have no tool here to {phrasing.words(tool).lower()}."


def _answer(turn: PlannerTurn) -> Answer:
    said = turn.scene.user_text
    place = asked_in(said)
    names = [one.name for one in turn.scene.entities if one.name]
    said = _to_the_point(turn, plainly(texted(said[:place], turn.matcher.vocabulary, names)) + said[place:])
    text = reworded(said, turn.scene.principal.name or "", whole=True)
    if turn.state.question is not None and (resumed := _resume(turn, turn.state.question, text)) is not None:
        return resumed
    if (small := small_talk(text, bool(turn.state.topic.written))) is not None:
        return small
    if (own := personal(plan_of(turn, turn.state.topic, {}), text, whole=True)) is not None:
        return own
    if (told := patterned(plan_of(turn, turn.state.topic, {}), text, whole=True)) is not None:
        return told
    return _clauses(turn, text, {})


def _to_the_point(turn: PlannerTurn, text: str) -> str:
    """What of the message asks for something, or greets: without the circumstances told beside it."""
    known = [one.name for one in turn.scene.entities if one.name]

    def read(one: str) -> Reading:
        return turn.read(turn.mended(one))

    parts = sentences(text)
    greeting = next((one for one in parts if small_talk(_ANYWAY.sub("", one), has_written=False)), None)
    if greeting and len(parts) > 1 and all(one is greeting or is_only_context(one, read, known) for one in parts):
        return _ANYWAY.sub("", greeting)
    return to_the_point(text, read, known)


_ANYWAY = re.compile(r"^\W*(?:(?:anyway|anyways|so|well|but|and|right|ok|okay)\b\W*)+", re.IGNORECASE)


def _resume(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    """Takes the sentence as the answer to what was asked; None when it is something else."""
    if is_no(text):
        return Answer(phrasing.NOTHING_CHANGED)
    if _UNDO.match(text):
        return None
    if question.kind == "offer":
        if is_yes(text) or _DO_THAT.fullmatch(text):
            return _clauses(turn, question.text, {})
        more = _YES_AND.fullmatch(text)
        return _clauses(turn, question.text, {}, split(more["rest"])) if more else None
    if question.kind == "which":
        chosen = choose(text, question.candidates)
        if _is_another_request(turn, text):
            return None
        chosen = chosen or choose_by_record(plan_of(turn, turn.state.topic, {}), text, question.candidates)
        if chosen is None:
            return None
        return _clauses(turn, _with_times(turn, question.text, text), {question.name.lower(): chosen})
    if question.kind == "missing":
        return _fill(turn, question, text)
    if (made := _made_of(turn, question, text)) is not None:
        return made
    return _named(turn, question, text)


def _made_of(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    """ "Then add him as a lead": whom nobody knew is who is to be created."""
    reading = turn.read(turn.mended(text))
    him = reading.pronouns.get("person") or reading.pronouns.get("thing")
    if not (question.name and him and reading.has("create") and reading.has(*KINDS)):
        return None
    start, end = min(him)
    who = question.name if not question.name.islower() else question.name.title()
    if not _AS_A.search(text) and (kind := _AS_A.search(question.text)):
        who = f"a {kind['kind']} called {who}"
    return _clauses(turn, f"{reading.text[:start]}{who}{reading.text[end:]}", {})


_AS_A = re.compile(
    r"\b(?:an?|the|any|new)\s+(?:new\s+)?(?P<kind>lead|contact|account|prospect|customer)\b", re.IGNORECASE
)


def _named(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    """The request again, for whom was named now: in place of a name that nobody has, or where none was said."""
    reading = turn.read(turn.mended(text))
    points_back = reading.names and (
        "thing" in reading.pronouns or re.search(r"\binstead\b|\bi meant?\b", text, re.IGNORECASE)
    )
    if not points_back and (
        _is_another_request(turn, text) or not (reading.names or reading.pronouns or reading.emails)
    ):
        return None
    who = next((name.text for name in reading.names if name.strong), text.strip())
    if question.name:
        return (
            _clauses(turn, re.sub(re.escape(question.name), who, question.text, flags=re.IGNORECASE), {})
            if reading.names
            else None
        )
    return _clauses(turn, f"{question.text.rstrip('.?! ')} for {who if points_back else text.strip()}", {})


def _with_times(turn: PlannerTurn, text: str, answer: str) -> str:
    """The request with the time that the answer brought, if it brought one: "the first one, at 4 actually"."""
    said = find_times(answer, turn.scene.now)
    if not said:
        return text
    if all(span.first is None for span in said):
        return f"{text.rstrip('.?! ')} {' '.join(answer[span.start : span.end] for span in said)}"
    for span in reversed(find_times(text, turn.scene.now)):
        text = text[: span.start] + text[span.end :]
    return f"{text.rstrip('.?! ')} {' '.join(answer[span.start : span.end] for span in said)}"


def _is_another_request(turn: PlannerTurn, text: str) -> bool:
    """A whole new command rather than an answer: it has an act of its own."""
    reading = turn.read(turn.mended(text))
    return bool(reading.times and _CALLS.match(text)) or (
        reading.has("create", "schedule", "show", "delete", "update", "count", "advise", "convert", "overdue", "agenda")
        and len(text.split()) > 3
    )


_CALLS = re.compile(
    r"\W*(?:(?:and|uh|um|er|so|then|also|please|ok|okay)\b\W*)*(?:call|ring|phone|email|meet|visit)\s+(?:him|her|them|(?-i:[A-Z]))",
    re.IGNORECASE,
)


def _fill(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    value: Any = text.strip().rstrip(".")
    spec = turn.tools.get(question.tool)
    if spec is None:
        return None
    if (options := spec.properties.get(question.field, {}).get("enum")) is not None:
        value = None if _is_another_request(turn, text) else _option(options, text)
        if value is None:
            return None
    elif spec.properties.get(question.field, {}).get("format") == "date-time":
        spans = find_times(text, turn.scene.now)
        if not spans or _ASKS_ELSE.match(text) or turn.read(turn.mended(text)).asks:
            return None
        value = together(spans).moment(turn.scene.now).isoformat()
    elif _is_another_request(turn, text):
        return None
    return _finish_call(turn, Wanted(question.tool, {**question.arguments, question.field: value}))


_ASKS_ELSE = re.compile(
    r"\W*(?:(?:and|so|ok|okay|well|but|first|um|uh|hm+)\b\W*)*(?:what(?!\s+(?:about|if|would\s+you\s+say\s+to)\b)|what's|whats|who|which|how(?!\s+about\b)|where|why|show|list|tell|delete|find|(?:is|are)\s+there|do\s+(?:i|we)|did|have\s+(?:i|we))\b",
    re.IGNORECASE,
)
"""No answer to "When?", though it says a time: "what should I focus on today"."""


def _option(options: Sequence[Any], text: str) -> str | None:
    """The one of a parameter's values that shares the most words with the answer: "stale leads, please"."""
    said = {token.stem for token in tokenize(text)}
    shared = {str(one): len(said & {token.stem for token in tokenize(phrasing.words(str(one)))}) for one in options}
    best = max(shared, key=lambda one: shared[one], default=None)
    return best if best is not None and shared[best] else None


def _finish_call(turn: PlannerTurn, call: Wanted) -> Answer:
    """Makes the completed call and words its result as its own act would."""
    plan = plan_of(turn, turn.state.topic, {})
    arguments = call.arguments
    if call.tool == "create_activity":
        name = str(arguments.get("title", "")).partition(" with ")[2].partition(":")[0] or "them"
        return scheduled(plan, [call], [Ref(str(arguments["entity_type"]), str(arguments["entity_id"]), name)])
    outcome = plan.need(call.tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, call, phrasing.words(call.tool))
    return generic_answer(call, outcome.value, turn)


_UNDO = re.compile(r"\W*(?:please\s+)?(?:undo|revert|roll\s+back|take\s+(?:it|that)\s+back)\b", re.IGNORECASE)
_DO_THAT = re.compile(
    r"(?:(?:yes|yeah|yep|sure|ok|okay|please)[\s,]+)*(?:please\s+)?(?:note|log|record|add|save|do)\s+(?:it|that|this)(?:\s+(?:down|please|then))*[.!\s]*",
    re.IGNORECASE,
)
_YES_AND = re.compile(
    r"(?:yes|yeah|yep|yup|sure|ok|okay|please\s+do|go\s+ahead|do\s+(?:it|that)|note\s+(?:it|that)|please)(?:[\s,]+(?:please|note\s+(?:it|that)|do\s+(?:it|that)|log\s+(?:it|that)|go\s+ahead))*"
    r"[\s,.]+(?:and|then|also|plus)\s+(?:then\s+|also\s+)?(?P<rest>\S.+)",
    re.IGNORECASE | re.DOTALL,
)
"""Agrees to what was offered, and asks for more."""


def _clauses(turn: PlannerTurn, text: str, bindings: Mapping[str, Ref], more_clauses: Sequence[str] = ()) -> Answer:
    """Answers every clause in order; a later one may speak of what an earlier one found."""
    topic, question = turn.state.topic, None
    texts: list[str] = []
    clauses = [text] if NOTE_THAT.match(text) else [reworded(one, whole=False) for one in split(turn.taken_back(text))]
    clauses = [one for clause in clauses for one in each_with_its_time(turn, clause)]
    clauses += more_clauses
    told = telling(turn, clauses)
    if told and (not_wanted := ruled_out(turn, clauses, told)) is not None:
        subject = plan_of(turn, topic, bindings).finder().subject(not_wanted)
        topic = replace(topic, refs=(subject,)) if isinstance(subject, Ref) else topic
    groups = list(same_change(turn, told))
    if len(groups) > 1:
        look_up(turn, [group[0] for group in groups], topic, bindings)
    for place, (clause, *more) in enumerate(groups, 1):
        after = groups[place][0] if place < len(groups) else ""
        if after and (told_before := heard(turn, clause, topic, bindings, after)) is not None:
            topic = told_before
            continue
        try:
            answer = _clause(turn, clause, topic, bindings, more)
        except Pending:
            if not (turn.scene.final and texts):
                raise
            answer = Answer(f'{NOT_ALL} Shall I go on with "{clause}"?', Question("offer", clause), topic)
        texts.append(answer.text)
        topic = replace(answer.topic or topic, asked=turn.mended(clause))
        question = answer.question
        if question is not None:
            break
    if not texts:
        return Answer(phrasing.NOTHING_CHANGED, topic=topic)
    understood = [text for text in texts if text != phrasing.NOT_UNDERSTOOD] or texts[:1]
    return Answer("\n\n".join(understood), question, topic)


def _clause(
    turn: PlannerTurn, clause: str, topic: Topic, bindings: Mapping[str, Ref], more: Sequence[str] = ()
) -> Answer:
    """Answers one clause; `more` are further changes of the record that it changes."""
    text = turn.mended(clause)
    reading = turn.read(text)
    plan = plan_of(turn, topic, bindings)
    if (own := personal(plan, clause, whole=False)) is not None:
        return own
    if (told := patterned(plan, clause, whole=False)) is not None:
        return told
    if (more_of_it := later_activities(plan, reading) or once_more(plan, reading)) is not None:
        return more_of_it
    if (again := asked_again(turn, reading, topic)) is not None:
        return _clause(turn, _with_times(turn, again, text), replace(topic, asked=""), bindings)
    if (going_on := echo(turn, plan, reading, topic)) is not None:
        return going_on
    intent = classify(reading)
    if more:
        reading.further = tuple(turn.read(turn.mended(one)) for one in more)
        intent = replace(intent, act=Act.UPDATE)
    nearest = turn.matcher.best(reading)
    if (
        nearest
        and (intent.act in (Act.NOTHING, Act.INQUIRE, Act.FIELD, Act.SUMMARY) or nearest.score > 0.9)
        and nearest.tool not in OWN_ACTS
    ):
        return run_generic(turn, plan, turn.tools[nearest.tool], reading)
    if intent.act is not Act.NOTHING:
        return (
            Answer(refused) if (refused := plan.refused(intent, reading)) else ACTS[intent.act](plan, intent, reading)
        )
    if (known := recalled(plan, clause)) is not None:
        return known
    if reading.times and turn.scene.entities and not reading.names:
        return Answer('I have a time, but not what it is for. For example: "Schedule a call with them then".')
    return Answer(phrasing.NOT_UNDERSTOOD)


@lru_cache(maxsize=16)
def _matcher(examples: tuple[tuple[str, tuple[str, ...]], ...]) -> ExampleMatcher:
    return ExampleMatcher(examples)
