"""The loop of model and tools: at most n rounds of calls, then one answer without tools (C-X1)."""

from collections.abc import Generator, Iterator, Sequence
from itertools import zip_longest
from time import monotonic

from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.redaction.output import OutputFilter
from aisha.application.redaction.summaries import line, shown_to_model
from aisha.application.turn.brainlets.runner import run_brainlets
from aisha.application.turn.confirming.waiting import note_on_replaced, with_rest
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.rounds.model_call import ask_model, note_answer
from aisha.application.turn.rounds.prompt_request import attached_tools, measure_messages, prompt_facts, system_messages
from aisha.application.turn.rounds.tool_round import run_round
from aisha.application.turn.state import Turn
from aisha.application.turn.wording.outcome_text import format_outcome
from aisha.domain.conversations.conversation import Message, PendingConfirmation
from aisha.domain.conversations.events import DataNeeded, TextDelta, TurnEvent
from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelFinished, ModelMessage, TextChunk, ToolCallRequest
from aisha.domain.tools import ToolCall, ToolSpec

NEEDS_DATA = "I need some more data from your app to answer that; it is being sent."
CUT_OFF = "(This answer was cut off before it was finished.)"
MAX_REPLY_BYTES = 200_000
"""Bytes of the text of a turn's models, half of what a stored message can hold: the rest is for the calls."""
TOO_LONG = "The answer was too long and was cut."
STOPPED = "Then the language model stopped answering, so anything else that you asked for is not done."
NO_ANSWER = "I could not put an answer together. Could you say it another way?"


def converse(turn: Turn, max_rounds: int | None = None) -> Iterator[TurnEvent]:
    """Call the model until it answers in words, after at most `max_rounds` rounds of calls (by default the limits').

    Afterwards the text is in `turn.record.texts` and is never empty.
    """
    start = monotonic()
    injected = run_brainlets("pre", turn)
    turn.timings.spend("enrich", start)
    messages = [
        *history_messages(turn.input.session.messages),
        *injected,
        ModelMessage("user", turn.input.request.message, is_typed=True),
    ]
    rounds_left = turn.input.deps.limits.max_rounds if max_rounds is None else max_rounds
    attached, system, unread = None, list[ModelMessage](), [*messages]
    while True:
        start = monotonic()
        # The previous round may have attached tools and context.
        tools = attached_tools(turn.input, turn.record)
        if attached != (tools, turn.record.more_info.attached):
            attached = tools, turn.record.more_info.attached
            system = system_messages(prompt_facts(turn, tools), turn.timings)
            unread = [*system, *unread]
        turn.record.note_ids(unread)
        measure_messages(turn.timings, messages)
        turn.timings.spend("prompt", start)
        try:
            finished = yield from _ask(turn, [*system, *messages], tools if rounds_left else ())
        except (ModelUnavailableError, DeadlineExceededError):
            done = _outcomes_of_writes(turn, turn.record.calls)
            # A client repeats a failed turn, and would write again. With a key the next try goes on where this one was.
            if not done or turn.input.journal is not None:
                raise
            yield turn.record.say(f"{done}{STOPPED}")
            return
        # A model may call tools even when it is offered none. Such calls are dropped, and its text is the answer.
        requests = finished.tool_calls if rounds_left else ()
        if not requests:
            break
        first = len(turn.record.calls)
        yield from run_round(turn, requests)
        if turn.record.question is not None:
            yield _ask_user(turn, turn.record.question, finished, turn.record.calls[first:])
            return
        if turn.record.more_info.needed:
            yield DataNeeded(turn.record.more_info.request_json(turn.record.names))
            yield turn.record.say(NEEDS_DATA)
            return
        unread = _round_messages(turn.record.texts, requests, turn.record.calls[first:])
        messages += unread
        rounds_left -= not _only_attaches_context(turn.record.calls[first:])
    yield from _complete_reply(turn.record)


def _complete_reply(record: TurnRecord) -> Iterator[TextDelta]:
    # A model may end with an empty text after its calls. The results are shown then.
    if not record.reply:
        yield record.say(_format_results(record.calls) or NO_ANSWER)
    for mark, text in record.closing.items() if any(call.result.ok for call in record.calls) else ():
        if mark not in record.reply:
            yield record.say(text)


def _ask_user(
    turn: Turn, question: PendingConfirmation, finished: ModelFinished, calls: Sequence[ToolCall]
) -> TextDelta:
    """Ask for the confirmation, after what the round has written, and keep what the message asks for besides."""
    turn.record.question = with_rest(turn.input, question, finished.postponed)
    written = _outcomes_of_writes(turn, calls)
    return turn.record.say(note_on_replaced(turn.input, turn.record) + written + question.question)


def _only_attaches_context(calls: Sequence[ToolCall]) -> bool:
    """Return whether a round only attaches context. The number of such rounds has a limit of its own (C-M3)."""
    return all(call.name == more_info.NAME and call.result.ok for call in calls)


def _ask(
    turn: Turn, messages: list[ModelMessage], tools: tuple[ToolSpec, ...]
) -> Generator[TurnEvent, None, ModelFinished]:
    """Call the model, yield its text as it arrives, and return its last event."""
    # Most answers with calls have no text.
    output, finished = None, ModelFinished("none", "none")
    turn.record.texts.append("")
    for event in ask_model(turn, messages, tools, streamed=True):
        if isinstance(event, TextChunk):
            output = output or OutputFilter(turn.record.known_ids | turn.record.names)
            yield from _show(turn.record, output.feed(event.text))
        else:
            finished = event
    if output is not None:
        yield from _show(turn.record, output.flush())
    note_answer(turn.timings, finished)
    turn.record.provider_state = finished.state
    return finished


def _show(record: TurnRecord, text: str) -> Iterator[TextDelta]:
    if not text:
        return
    record.text_bytes += len(text.encode(errors="replace"))
    if record.text_bytes > MAX_REPLY_BYTES:
        record.warn(TOO_LONG)
        return
    record.texts[-1] += text
    yield TextDelta(text)


def _round_messages(
    texts: Sequence[str], requests: Sequence[ToolCallRequest], calls: Sequence[ToolCall]
) -> list[ModelMessage]:
    return [
        ModelMessage("assistant", texts[-1], tuple(requests)),
        *(
            ModelMessage("tool", shown_to_model(call), tool_call_id=request.id)
            for request, call in zip(requests, calls, strict=True)
        ),
    ]


def _outcomes_of_writes(turn: Turn, calls: Sequence[ToolCall]) -> str:
    done = [format_outcome(turn.input, turn.record, call) for call in calls if call.has_written]
    return "".join(f"{text}\n\n" for text in done)


def _format_results(calls: Sequence[ToolCall]) -> str:
    lines = dict.fromkeys(line(call) for call in calls if call.result.ok)
    return "\n".join(f"- {text[:1].upper()}{text[1:]}" for text in lines)


def history_messages(messages: Sequence[Message]) -> list[ModelMessage]:
    """Return the user's and the assistant's messages for a model, oldest first, with marks on answers cut off."""
    prompt = []
    for message, answer in zip_longest(messages, messages[1:]):
        if _only_asked_for_data(message) or (answer is not None and _only_asked_for_data(answer)):
            continue  # The client has sent the same message again, with the data.
        if message.role not in ("user", "assistant"):
            continue
        content = message.content if message.finished else f"{message.content}\n{CUT_OFF}".strip()
        if content:
            prompt.append(ModelMessage(message.role, content, is_typed=message.role == "user"))
    return prompt


def _only_asked_for_data(message: Message) -> bool:
    return message.role == "assistant" and message.metadata.get("status") == "needs_data"
