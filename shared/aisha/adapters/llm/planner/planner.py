"""The offline planner: the chat model that works without a key and when every provider is down.

It is deterministic and makes no network call. A message is read once (`domain.language.reader`): into segments, each
with an act and slots. The dialogue turns segments into asks, the policy decides how far an ask is understood, and the
act of an ask makes the same tool calls as any model would. It reports "offline" as its provider.
"""

import json
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner import acts as _acts
from aisha.adapters.llm.planner import own_tools
from aisha.adapters.llm.planner.acts.overviews import whole_question
from aisha.adapters.llm.planner.client_data import REQUEST_TOOL, answer_from_client
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.steps import steps_of
from aisha.adapters.llm.planner.outcome import MAX_ASKS, Outcome, answer_steps
from aisha.adapters.llm.planner.own_words import in_own_words
from aisha.adapters.llm.planner.plan import (
    Pending,
    Plan,
    Toolbox,
)
from aisha.adapters.llm.planner.replies import manner, questions
from aisha.adapters.llm.planner.results import PlannedCall, Results
from aisha.adapters.llm.planner.scene import facts_of, scene_of
from aisha.adapters.llm.planner.state import DialogueState, Question, Topic, restore
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.language import input_kinds, languages
from aisha.domain.language.acts import READS, WRITES
from aisha.domain.language.courtesies import without_courtesies
from aisha.domain.language.encoded import Encoder
from aisha.domain.models import (
    OFFLINE,
    ModelEvent,
    ModelFinished,
    ModelRequest,
    TextChunk,
    ToolCallRequest,
    TurnRequest,
)

_acts.load()
CAPABILITIES = ("chat_tools", "chat_light")
"""Capabilities that it can serve."""
MIN_PHONE = 7
"""Digits of a bare number from which it is a phone number."""
_TALK = frozenset("smalltalk greeting goodbye thanks".split())


class OfflinePlanner:
    """A `ChatModel` made of grammar and a small trained reader instead of a language model."""

    provider = OFFLINE
    model = "planner-2"

    def __init__(self, encoder: Encoder | None = None) -> None:
        """Create a planner. An `encoder` of sentences, where one is loaded anyway, reads more acts right."""
        self._encoder = encoder

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Yield the next tool calls of the plan, or the answer once everything needed is there.

        A tool that is not attached is requested first, as any model would. Raises `ModelUnavailableError` for any
        request that no user typed, such as that for a summary.
        """
        is_typed = isinstance(request, TurnRequest) or any(one.is_typed for one in request.messages)
        if request.json_mode or request.capability not in CAPABILITIES or not is_typed:
            raise ModelUnavailableError("The offline planner only answers what users say", detail={"status": 422})
        if isinstance(request, TurnRequest) and request.facts.labels:
            yield from in_own_words(request, self._stream)
        else:
            yield from self._stream(request)

    def _stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        tools = Toolbox((spec.name, spec) for spec in facts_of(request).tools or request.tools)
        scene = scene_of(request)
        state = restore(scene.history)
        plan = Plan(tools, scene, Results(request.messages), state.topic, encoder=self._encoder)
        plan.asks_first = facts_of(request).asks_first
        if state == DialogueState() and not scene.entities:
            state = DialogueState(topic=Topic(spoken=_named_before(plan)))
        attached = {spec.name for spec in request.tools}
        try:
            outcome = _answer(plan, state)
        except Pending as pending:
            if not scene.final:
                if pending.ordered is not None:  # The gate may ask about it.
                    state = DialogueState(None, replace(state.topic, asked=pending.ordered))
                reads = [one for one in pending.calls if tools[one.tool].access == "read"]
                # What is left over is asked for in the next round.
                calls = pending.calls if len(reads) < len(pending.calls) else reads[: facts_of(request).max_calls]
                yield self._calling(plan, calls, attached, state)
                return
            outcome = Outcome([questions.TOO_MANY_STEPS], state.topic)
        if outcome.waiting and not scene.final:
            call, _ = outcome.waiting[0]
            if call.tool in attached or REQUEST_TOOL not in attached:
                yield from (TextChunk(text) for text in ["\n\n".join(outcome.texts)] if text)
            state = DialogueState(None, outcome.topic)
            yield replace(self._calling(plan, [*outcome.beside, call], attached, state), postponed=tuple(outcome.left))
            return
        # Several sentences of small talk have the same reply.
        text = "\n\n".join(dict.fromkeys(text for text in outcome.texts if text))
        if outcome.question is None:
            text = manner.in_mode(text, facts_of(request).mode, outcome.topic)
        if text:
            yield TextChunk(text)
        state = DialogueState(outcome.question, outcome.topic)
        choices, postponed = _choices(outcome.question), tuple(outcome.left)
        yield ModelFinished(self.provider, self.model, state=state.to_json(), choices=choices, postponed=postponed)

    def _calling(
        self, plan: Plan, calls: Sequence[PlannedCall], attached: Collection[str], state: DialogueState
    ) -> ModelFinished:
        """Return the end of a model call with tool calls: these, or the one that attaches the tools they lack."""
        missing = sorted({call.tool for call in calls} - set(attached))
        if missing and REQUEST_TOOL in attached:
            calls = [PlannedCall(REQUEST_TOOL, {"tools": {"ids": missing}})]
        requests = tuple(
            ToolCallRequest(
                f"call_{plan.results.rounds + 1}_{place}", call.tool, json.dumps(call.arguments), doubt=call.doubt
            )
            for place, call in enumerate(calls, 1)
        )
        return ModelFinished(self.provider, self.model, requests, state=state.to_json())


def _named_before(plan: Plan) -> tuple[str, ...]:
    """Return the names in the user's message before this one, of a conversation that a client brought along."""
    last_message = next((one.content for one in reversed(plan.scene.history) if one.role == "user"), "")
    segments = plan.read(last_message).segments if last_message else ()
    return tuple(span.text for segment in segments for span in segment.spans if span.tag == "name")[-1:]


def _choices(question: Question | None) -> tuple[SessionEntity, ...]:
    if question is None or question.kind != "which":
        return ()
    return tuple(
        SessionEntity(ref.id, ref.type, ref.name, (ref.about,) * bool(ref.about)) for ref in question.candidates
    )


def _answer(plan: Plan, state: DialogueState) -> Outcome:
    """Return what the whole message gets. Raises `Pending` while results are missing."""
    message = _as_phone(state, plan.scene.user_text)
    if (refusal := input_kinds.reply_to(input_kinds.kind_of(message))) is not None and state.question is None:
        return Outcome([refusal], plan.topic)
    if (language := languages.detect(message)).code != languages.ENGLISH.code:
        return Outcome([languages.reply(language)], plan.topic, state.question)
    if (mixed := languages.mixture(message)) is not None:
        return Outcome([languages.mixed_reply(mixed)], plan.topic, state.question)
    message = _without_courtesies(plan, message)
    plan = replace(plan, scene=replace(plan.scene, user_text=message))
    if state.question is None and (from_client := answer_from_client(plan, message)) is not None:
        return Outcome([from_client.text], plan.topic)
    if (whole := own_tools.begun_ask(plan, message) or whole_question(plan, message)) is not None:
        return answer_steps(plan, [Step(whole)])
    steps = steps_of(plan, state, message)
    last = state.topic.asked
    is_correction = last is not None and any(one.ask.act == last.act and one.ask.text not in message for one in steps)
    is_own = is_correction or any(own_tools.own_tool(plan, step.ask) for step in steps)
    if len(steps) <= MAX_ASKS and not is_own:
        own = own_tools.whole_ask(plan, message)
        steps = [Step(own)] if own else steps
    return _with_open_question(state, steps, answer_steps(plan, steps))


def _as_phone(state: DialogueState, message: str) -> str:
    """Return a bare number after a person was made or changed as that person's phone number."""
    changed = state.topic.changed_alone if state.topic.asked == state.topic.ordered and not state.question else None
    is_person = changed is not None and changed.type in ("lead", "contact")
    digits = sum(letter.isdecimal() for letter in message)
    is_phone = is_person and digits >= MIN_PHONE and input_kinds.kind_of(message) == "number_only"
    return f"phone {message}" if is_phone else message


def _with_open_question(state: DialogueState, steps: Sequence[Step], outcome: Outcome) -> Outcome:
    """Keep the question for what an order lacks over one question of the user's: "first tell me who owns Acme"."""
    question = state.question
    is_open = question is not None and question.kind in ("who", "slot") and question.tag not in ("text", "confirmed")
    is_aside = outcome.question is None and not outcome.waiting and all(step.ask.act in READS for step in steps)
    if question is not None and is_open and is_aside and not question.is_old:
        is_order = question.ask is not None and question.ask.act in WRITES
        outcome.question = replace(question, is_old=True) if is_order else None
    return outcome


def _without_courtesies(plan: Plan, message: str) -> str:
    """Return a message without its courtesies; whole where the rest is one, too: "hi, how's it going?"."""
    rest = without_courtesies(message)
    is_talk = rest != message and {segment.act for segment in plan.read(rest).segments} <= _TALK
    return message if is_talk else rest
