"""The offline planner: the chat model that works without a key and when every provider is down.

It is deterministic and makes no network call. It parses the user's sentence with a lexicon of sales English, the
tools' own schemas and examples, and the names that the tools find. It acts through the same tool calls as any
model, and reports "offline" as its provider.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline.activity_continuations import later_activities, repeat_activity
from aisha.adapters.llm.offline.acts import ACTS
from aisha.adapters.llm.offline.acts.scheduling import schedule_calls
from aisha.adapters.llm.offline.arguments import enum_parameters, merge_times
from aisha.adapters.llm.offline.candidate_choice import choose_by_fields
from aisha.adapters.llm.offline.classifier import classify
from aisha.adapters.llm.offline.entity_resolution import Pending, choose_candidate
from aisha.adapters.llm.offline.examples import TOOLS_WITH_ACTS, ExampleMatcher
from aisha.adapters.llm.offline.follow_up_ellipsis import continue_search, repeat_request
from aisha.adapters.llm.offline.intent import Act
from aisha.adapters.llm.offline.matched_tool import run_matched_tool
from aisha.adapters.llm.offline.pattern_intents import answer_by_pattern
from aisha.adapters.llm.offline.personal import TOOLS as PERSONAL_TOOLS
from aisha.adapters.llm.offline.personal import answer_from_memory, answer_personal
from aisha.adapters.llm.offline.plan import Answer, EarlyAnswer
from aisha.adapters.llm.offline.planner_turn import PlannerTurn, Toolbox, UnknownToolError
from aisha.adapters.llm.offline.reading.background_clauses import (
    content_start,
    is_background,
    split_sentences,
    strip_background,
)
from aisha.adapters.llm.offline.reading.clauses import split_clauses
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.normalise import rewrite_phrases, rewrite_sentence
from aisha.adapters.llm.offline.reading.parser import NOTE_THAT, Reading, value_phrases
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.spelling import expand_texting
from aisha.adapters.llm.offline.reading.times import find_times
from aisha.adapters.llm.offline.reading.tokens import Phrases, tokenize
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.replies.result_text import answer_with_result
from aisha.adapters.llm.offline.replies.small_talk import is_no, is_yes, small_talk
from aisha.adapters.llm.offline.requests import (
    excluded_request,
    group_changes,
    plan_for,
    request_clauses,
    search_subjects,
    split_by_time,
    topic_of_report,
)
from aisha.adapters.llm.offline.results import PlannedCall, Results
from aisha.adapters.llm.offline.scene import facts_of, scene_of
from aisha.adapters.llm.offline.state import DialogueState, Question, Ref, Topic, restore
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import OFFLINE, ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest
from aisha.domain.tools import ToolSpec

REQUEST_TOOLS = "req_more_info"
CAPABILITIES = ("chat_tools", "chat_light")
"""Capabilities that it can serve."""
TOO_MANY_STEPS = "I needed more steps than one turn allows. Ask me to go on and I'll take the next one."
PARTIAL_ANSWER = "The rest needs more steps than one turn allows."
MODULES = ("leads", "contacts", "accounts", "opportunities", "activities", "notes")
_KIND_WORDS = frozenset("call email meeting demo task lead contact account opportunity activity note".split())
"""Enumerated values that name a kind of record or activity rather than a state."""
_OPENERS = pattern(r"^\W*(?:(?:anyway|anyways|so|well|but|and|right|ok|okay)\b\W*)+")
_AS_KIND = pattern(r"\b(?:an?|the|any|new) (?:new )?(?P<kind>lead|contact|account|prospect|customer)\b")
_CONTACT_COMMAND = pattern(
    r"\W*(?:(?:and|uh|um|er|so|then|also|please|ok|okay)\b\W*)*(?:call|ring|phone|email|meet|visit)"
    r" (?:him|her|them|(?-i:[A-Z]))"
)
_ASKS_ELSE = pattern(
    r"\W*(?:(?:and|so|ok|okay|well|but|first|um|uh|hm+)\b\W*)*(?:what(?! (?:about|if|would you say to)\b)|what's|whats"
    r"|who|which|how(?! about\b)|where|why|show|list|tell|delete|find|(?:is|are) there|do (?:i|we)|did|have (?:i|we))\b"
)
"""Recognises a question that contains a time but does not answer "When?": "what should I focus on today"."""
_UNDO = pattern(r"\W*(?:please )?(?:undo|revert|roll back|take (?:it|that) back)\b")
_ACCEPTS_OFFER = pattern(
    r"(?:(?:yes|yeah|yep|sure|ok|okay|please)[\s,]+)*(?:please )?(?:note|log|record|add|save|do) (?:it|that|this)"
    r"(?: (?:down|please|then))*[.!\s]*"
)
_AGREES_AND_ASKS = re.compile(
    r"(?:yes|yeah|yep|yup|sure|ok|okay|please\s+do|go\s+ahead|do\s+(?:it|that)|note\s+(?:it|that)|please)"
    r"(?:[\s,]+(?:please|note\s+(?:it|that)|do\s+(?:it|that)|log\s+(?:it|that)|go\s+ahead))*[\s,.]+"
    r"(?:and|then|also|plus)\s+(?:then\s+|also\s+)?(?P<rest>\S.+)",
    re.IGNORECASE | re.DOTALL,
)
"""Recognises agreement to an offer followed by a further request."""


class OfflinePlanner:
    """A `ChatModel` made of grammar instead of weights."""

    provider = OFFLINE
    model = "planner-1"

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield the next tool calls of the plan, or the answer once everything needed is there.

        A tool that is not attached is requested first, as any model would. Raises `ModelUnavailableError` for any
        request that is not a turn of a conversation.
        """
        if request.json_mode or request.capability not in CAPABILITIES:
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
            # Not attached is not missing: `tools` has every tool of this turn, attached or not.
            missing = next((call.tool for call in pending.calls if call.tool not in tools), None)
            if not scene.final and missing is None:
                calls = _attached_first(pending.calls, {spec.name for spec in request.tools})
                yield ModelFinished(self.provider, self.model, _requests(calls, turn.results.rounds))
                return
            answer = Answer(_missing_tool_text(turn, missing) if missing else TOO_MANY_STEPS)
        except EarlyAnswer as early:
            answer = early.answer
        except UnknownToolError as error:
            answer = Answer(_missing_tool_text(turn, error.name))
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


def _attached_first(calls: Sequence[PlannedCall], attached: Collection[str]) -> Sequence[PlannedCall]:
    """Return the calls, or the one call that attaches the tools they lack."""
    missing = sorted({call.tool for call in calls} - set(attached))
    return [PlannedCall(REQUEST_TOOLS, {"tools": {"ids": missing}})] if missing and REQUEST_TOOLS in attached else calls


@lru_cache(maxsize=16)
def _value_index(values: frozenset[str]) -> Phrases:
    return value_phrases(sorted(values))


def _values(specs: tuple[ToolSpec, ...]) -> Phrases:
    return _value_index(
        frozenset(value for spec in specs for options in enum_parameters(spec).values() for value in options)
        - _KIND_WORDS
    )


def _requests(calls: Sequence[PlannedCall], rounds: int) -> tuple[ToolCallRequest, ...]:
    return tuple(
        ToolCallRequest(f"call_{rounds + 1}_{place}", call.tool, json.dumps(call.arguments))
        for place, call in enumerate(calls, 1)
    )


def _missing_tool_text(turn: PlannerTurn, tool: str) -> str:
    """Explain that the plan needs a missing tool, usually because the user may not use its module."""
    noun = tool.partition("_")[2].removesuffix("ies").removesuffix("s").removesuffix("y")
    module = next((module for module in MODULES if noun and module.startswith(noun)), None)
    if module is not None and not turn.scene.principal.may_use(module):
        return phrasing.no_access(module)
    return f"I have no tool here to {phrasing.humanise(tool).lower()}."


def _answer(turn: PlannerTurn) -> Answer:
    message = turn.scene.user_text
    # The words of a note keep their spelling: chat abbreviations are expanded only before them.
    start = content_start(message)
    names = [one.name for one in turn.scene.entities if one.name]
    message = _strip_background(
        turn,
        rewrite_phrases(expand_texting(message[:start], turn.matcher.vocabulary, names)) + message[start:],
    )
    text = rewrite_sentence(message, turn.scene.principal.name or "", whole=True)
    # The order matters: "yes" or "the second one" answers a question before it can be small talk, and whole-message
    # patterns come before the message is split into clauses.
    if turn.state.question is not None and (resumed := _resume(turn, turn.state.question, text)) is not None:
        return resumed
    if (small_talk_answer := small_talk(text, bool(turn.state.topic.written))) is not None:
        return small_talk_answer
    if (personal_answer := answer_personal(plan_for(turn, turn.state.topic, {}), text, whole=True)) is not None:
        return personal_answer
    if (pattern_answer := answer_by_pattern(plan_for(turn, turn.state.topic, {}), text, whole=True)) is not None:
        return pattern_answer
    return _clauses(turn, text, {})


def _strip_background(turn: PlannerTurn, text: str) -> str:
    """Return the part of the message that asks for something, or greets, without the background around it."""
    record_names = [sentence.name for sentence in turn.scene.entities if sentence.name]

    def read(sentence: str) -> Reading:
        return turn.read_clause(sentence)

    parts = split_sentences(text)
    greeting = next((sentence for sentence in parts if small_talk(_OPENERS.sub("", sentence), has_written=False)), None)
    if (
        greeting
        and len(parts) > 1
        and all(sentence is greeting or is_background(sentence, read, record_names) for sentence in parts)
    ):
        return _OPENERS.sub("", greeting)
    return strip_background(text, read, record_names)


def _resume(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    """Treat the sentence as the answer to the planner's question. Returns None when it is something else."""
    if is_no(text):
        return Answer(phrasing.NOTHING_CHANGED)
    # It refers to the last change, not to the question.
    if _UNDO.match(text):
        return None
    if question.kind == "offer":
        if is_yes(text) or _ACCEPTS_OFFER.fullmatch(text):
            return _clauses(turn, question.text, {})
        more = _AGREES_AND_ASKS.fullmatch(text)
        return _clauses(turn, question.text, {}, split_clauses(more["rest"])) if more else None
    if question.kind == "which":
        chosen = choose_candidate(text, question.candidates)
        if _is_another_request(turn, text):
            return None
        chosen = chosen or choose_by_fields(plan_for(turn, turn.state.topic, {}), text, question.candidates)
        if chosen is None:
            return None
        return _clauses(turn, _with_times(turn, question.text, text), {question.name.lower(): chosen})
    if question.kind == "missing":
        return _fill(turn, question, text)
    if (created := _create_unknown(turn, question, text)) is not None:
        return created
    return _retry_with_name(turn, question, text)


def _create_unknown(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    """Create the person that no record was found for: "then add him as a lead"."""
    reading = turn.read_clause(text)
    pronoun_spans = reading.pronouns.get("person") or reading.pronouns.get("thing")
    if not (question.name and pronoun_spans and reading.has("create") and reading.has(*KINDS)):
        return None
    start, end = min(pronoun_spans)
    name = question.name if not question.name.islower() else question.name.title()
    if not _AS_KIND.search(text) and (kind := _AS_KIND.search(question.text)):
        name = f"a {kind['kind']} called {name}"
    return _clauses(turn, f"{reading.text[:start]}{name}{reading.text[end:]}", {})


def _retry_with_name(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    """Repeat the request with the name in the answer, in place of an unknown or a missing one."""
    reading = turn.read_clause(text)
    replaces = reading.names and ("thing" in reading.pronouns or pattern(r"\binstead\b|\bi meant?\b").search(text))
    if not replaces and (_is_another_request(turn, text) or not (reading.names or reading.pronouns or reading.emails)):
        return None
    who = next((name.text for name in reading.names if name.strong), text.strip())
    if question.name:
        return (
            _clauses(turn, re.sub(re.escape(question.name), who, question.text, flags=re.IGNORECASE), {})
            if reading.names
            else None
        )
    return _clauses(turn, f"{question.text.rstrip('.?! ')} for {who if replaces else text.strip()}", {})


def _with_times(turn: PlannerTurn, text: str, answer: str) -> str:
    """Return the request with the time that the answer adds, if any: "the first one, at 4 actually"."""
    spans = find_times(answer, turn.scene.now)
    if not spans:
        return text
    if all(span.first is None for span in spans):
        return f"{text.rstrip('.?! ')} {' '.join(answer[span.start : span.end] for span in spans)}"
    # From the end, so that the offsets of the earlier spans stay valid. The day in the answer replaces the request's.
    for span in reversed(find_times(text, turn.scene.now)):
        text = text[: span.start] + text[span.end :]
    return f"{text.rstrip('.?! ')} {' '.join(answer[span.start : span.end] for span in spans)}"


def _is_another_request(turn: PlannerTurn, text: str) -> bool:
    """Return whether the text is a new command rather than an answer."""
    reading = turn.read_clause(text)
    return bool(reading.times and _CONTACT_COMMAND.match(text)) or (
        reading.has("create", "schedule", "show", "delete", "update", "count", "advise", "convert", "overdue", "agenda")
        and len(text.split()) > 3
    )


def _fill(turn: PlannerTurn, question: Question, text: str) -> Answer | None:
    value: Any = text.strip().rstrip(".")
    spec = turn.tools.get(question.tool)
    if spec is None:
        return None
    if (options := spec.properties.get(question.field, {}).get("enum")) is not None:
        value = None if _is_another_request(turn, text) else _match_option(options, text)
        if value is None:
            return None
    elif spec.properties.get(question.field, {}).get("format") == "date-time":
        spans = find_times(text, turn.scene.now)
        if not spans or _ASKS_ELSE.match(text) or turn.read_clause(text).asks:
            return None
        value = merge_times(spans).moment(turn.scene.now).isoformat()
    elif _is_another_request(turn, text):
        return None
    return _finish_call(turn, PlannedCall(question.tool, {**question.arguments, question.field: value}))


def _match_option(options: Sequence[Any], text: str) -> str | None:
    """Return the parameter value that shares the most words with the answer: "stale leads, please"."""
    answer_stems = {token.stem for token in tokenize(text)}
    shared = {
        str(one): len(answer_stems & {token.stem for token in tokenize(phrasing.humanise(str(one)))}) for one in options
    }
    best = max(shared, key=lambda one: shared[one], default=None)
    return best if best is not None and shared[best] else None


def _finish_call(turn: PlannerTurn, call: PlannedCall) -> Answer:
    """Make the completed call and format its result as the act would."""
    plan = plan_for(turn, turn.state.topic, {})
    arguments = call.arguments
    if call.tool == "create_activity":
        name = str(arguments.get("title", "")).partition(" with ")[2].partition(":")[0] or "them"
        return schedule_calls(plan, [call], [Ref(str(arguments["entity_type"]), str(arguments["entity_id"]), name)])
    outcome = plan.need(call.tool, **arguments)
    if outcome.error:
        return plan.failure(outcome, call, phrasing.humanise(call.tool))
    return answer_with_result(call, outcome.value, turn)


def _clauses(turn: PlannerTurn, text: str, bindings: Mapping[str, Ref], more_clauses: Sequence[str] = ()) -> Answer:
    """Answer every clause in order. A later clause may refer to what an earlier one found."""
    topic, question = turn.state.topic, None
    texts: list[str] = []
    clauses = (
        [text]
        if NOTE_THAT.match(text)
        else [rewrite_sentence(one, whole=False) for one in split_clauses(turn.without_corrections(text))]
    )
    clauses = [one for clause in clauses for one in split_by_time(turn, clause)]
    clauses += more_clauses
    wanted_clauses = request_clauses(turn, clauses)
    if wanted_clauses and (excluded := excluded_request(turn, clauses, wanted_clauses)) is not None:
        subject = plan_for(turn, topic, bindings).finder().subject(excluded)
        topic = replace(topic, refs=(subject,)) if isinstance(subject, Ref) else topic
    groups = list(group_changes(turn, wanted_clauses))
    if len(groups) > 1:
        search_subjects(turn, [group[0] for group in groups], topic, bindings)
    for number, (clause, *more) in enumerate(groups, 1):
        after = groups[number][0] if number < len(groups) else ""
        if after and (report_topic := topic_of_report(turn, clause, topic, bindings, after)) is not None:
            topic = report_topic
            continue
        try:
            answer = _clause(turn, clause, topic, bindings, more)
        except EarlyAnswer as early:
            answer = early.answer
        except Pending:
            # In the last round the clauses answered so far are a better reply than none.
            if not (turn.scene.final and texts):
                raise
            answer = Answer(f'{PARTIAL_ANSWER} Shall I go on with "{clause}"?', Question("offer", clause), topic)
        texts.append(answer.text)
        topic = replace(answer.topic or topic, asked=turn.cleaned(clause))
        question = answer.question
        if question is not None:
            break
    if not texts:
        return Answer(phrasing.NOTHING_CHANGED, topic=topic)
    # A clause that was not understood is only mentioned when none was.
    understood = [text for text in texts if text != phrasing.NOT_UNDERSTOOD] or texts[:1]
    return Answer("\n\n".join(understood), question, topic)


def _clause(
    turn: PlannerTurn, clause: str, topic: Topic, bindings: Mapping[str, Ref], more: Sequence[str] = ()
) -> Answer:
    """Answer one clause. `more` are further changes of the same record."""
    reading = turn.read_clause(clause)
    plan = plan_for(turn, topic, bindings)
    if (personal_answer := answer_personal(plan, clause, whole=False)) is not None:
        return personal_answer
    if (pattern_answer := answer_by_pattern(plan, clause, whole=False)) is not None:
        return pattern_answer
    if (activities_answer := later_activities(plan, reading) or repeat_activity(plan, reading)) is not None:
        return activities_answer
    if (repeated := repeat_request(turn, reading, topic)) is not None:
        return _clause(turn, _with_times(turn, repeated, reading.text), replace(topic, asked=""), bindings)
    if (continuation := continue_search(turn, plan, reading, topic)) is not None:
        return continuation
    intent = classify(reading)
    if more:
        reading = replace(reading, further=tuple(turn.read_clause(one) for one in more))
        intent = replace(intent, act=Act.UPDATE)
    # Tools without an act of their own, such as customers' HTTP tools, are found by their examples. They give way to a
    # recognised act unless they match almost word for word.
    nearest = turn.matcher.best(reading)
    if (
        nearest
        and (intent.act in (Act.NOTHING, Act.INQUIRE, Act.FIELD, Act.SUMMARY) or nearest.score > 0.9)
        and nearest.tool not in TOOLS_WITH_ACTS
    ):
        return run_matched_tool(turn, plan, turn.tools[nearest.tool], reading)
    if intent.act is not Act.NOTHING:
        return (
            Answer(refused) if (refused := plan.refused(intent, reading)) else ACTS[intent.act](plan, intent, reading)
        )
    if (memory_answer := answer_from_memory(plan, clause)) is not None:
        return memory_answer
    if reading.times and turn.scene.entities and not reading.names:
        return Answer('I have a time, but not what it is for. For example: "Schedule a call with them then".')
    return Answer(phrasing.NOT_UNDERSTOOD)


@lru_cache(maxsize=16)
def _matcher(examples: tuple[tuple[str, tuple[str, ...]], ...]) -> ExampleMatcher:
    return ExampleMatcher(examples)
