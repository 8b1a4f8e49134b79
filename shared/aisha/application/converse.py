"""Model and tools in turn: at most n rounds of calls, then one answer without tools (C-X1)."""

from collections.abc import Generator, Iterator, Sequence
from time import monotonic

from aisha.application import history
from aisha.application.output import OutputFilter
from aisha.application.prompt import PromptFacts, build_prompt
from aisha.application.run_calls import run_round
from aisha.application.summaries import line, shown_to_model
from aisha.application.turn_state import TurnState
from aisha.domain.errors import DeadlineExceededError
from aisha.domain.events import TextDelta, TurnEvent
from aisha.domain.models import ModelFinished, ModelMessage, ModelRequest, Scene, TextChunk, ToolCallRequest
from aisha.domain.records import RECORD_TYPES
from aisha.domain.tools import ToolCall, ToolSpec

NO_ANSWER = "I could not put an answer together. Could you say it another way?"


def converse(state: TurnState) -> Iterator[TurnEvent]:
    """Asks the model until it answers in words; the text is in `state.texts` afterwards and never empty."""
    tools = state.deps.registry.permitted(state.principal)
    messages = _prompt(state, tools)
    most = state.deps.limits.max_rounds
    for round_number in range(most + 1):
        final = round_number == most
        finished = yield from _ask(state, messages, tools, final)
        requests = () if final else finished.tool_calls
        if not requests:
            break
        first = len(state.calls)
        yield from run_round(state, requests)
        if state.asked is not None:
            yield from _say(state, _before_the_question(state.calls[first:]) + state.asked.question)
            return
        messages += _answered(state.texts, requests, state.calls[first:])
    if not state.reply:
        yield from _say(state, _what_was_done(state.calls) or NO_ANSWER)


def _prompt(state: TurnState, tools: Sequence[ToolSpec]) -> list[ModelMessage]:
    principal, page = state.principal, state.request.context
    known = dict.fromkeys(record_type.MODULE for record_type in RECORD_TYPES.values())
    facts = PromptFacts(
        principal=principal,
        now=state.now,
        assistant_name=state.deps.limits.assistant_name,
        entities=state.entities,
        messages=state.session.messages,
        tools=tools,
        closed_modules=[module for module in known if module in CLOSABLE and not principal.may_use(module)],
        labels=state.deps.limits.labels,
        spoken=state.request.format == "voice",
        page=page.page if page else None,
    )
    system = ModelMessage("system", build_prompt(facts))
    return [system, *history.as_prompt(state.session.messages), ModelMessage("user", state.request.message)]


CLOSABLE = frozenset(("leads", "contacts", "accounts", "opportunities", "activities", "notes"))
"""Modules that a tenant opens user by user."""


def _ask(
    state: TurnState, messages: list[ModelMessage], tools: tuple[ToolSpec, ...], final: bool
) -> Generator[TurnEvent, None, ModelFinished]:
    """One model call. Returns its end; its text has been shown."""
    if monotonic() >= state.deadline:
        raise DeadlineExceededError("This took too long. Ask for less at once, or try again.")
    asked, session = state.request, state.session
    scene = Scene(state.principal, state.now, asked.message, state.entities, session.messages, final, tools)
    request = ModelRequest(
        messages,
        () if final else tools,
        scene,
        state.deadline,
        temperature=asked.temperature,
        model=asked.model,
    )
    stage, shown, finished = OutputFilter(state.names), [], ModelFinished("none", "none")
    state.texts.append("")
    start = monotonic()
    for event in state.deps.model.stream(request):
        if isinstance(event, TextChunk):
            if text := stage.feed(event.text):
                shown.append(text)
                state.texts[-1] = "".join(shown)
                yield TextDelta(text)
        else:
            finished = event
    if rest := stage.finish():
        shown.append(rest)
        state.texts[-1] = "".join(shown)
        yield TextDelta(rest)
    state.llm_seconds += monotonic() - start
    _note(state, finished)
    return finished


def _note(state: TurnState, finished: ModelFinished) -> None:
    state.iterations += 1
    state.provider, state.model = finished.provider, finished.model
    state.degraded = state.degraded or finished.degraded
    state.usage += finished.usage
    state.provider_state = finished.state
    for warning in finished.warnings:
        state.warn(warning)


def _answered(
    texts: Sequence[str], requests: Sequence[ToolCallRequest], calls: Sequence[ToolCall]
) -> list[ModelMessage]:
    said = ModelMessage("assistant", texts[-1], tuple(requests))
    return [
        said,
        *(
            ModelMessage("tool", shown_to_model(call), tool_call_id=request.id)
            for request, call in zip(requests, calls, strict=True)
        ),
    ]


def _before_the_question(calls: Sequence[ToolCall]) -> str:
    done = [line(call) for call in calls if call.result.ok and call.spec is not None and call.spec.access != "read"]
    return f"Done: {'; '.join(done)}.\n\n" if done else ""


def _what_was_done(calls: Sequence[ToolCall]) -> str:
    lines = dict.fromkeys(line(call) for call in calls if call.result.ok)
    return "\n".join(f"- {text[:1].upper()}{text[1:]}" for text in lines)


def _say(state: TurnState, text: str) -> Iterator[TurnEvent]:
    state.texts.append(text)
    yield TextDelta(text)
