"""Single model calls, and reading a model's events to their end."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import Caller, ModelEvent, ModelFinished, ModelMessage, ModelRequest, TextChunk
from aisha.domain.ports import ChatModel, Clock
from aisha.domain.principal import Principal


class SingleTurn(Struct, frozen=True):
    """A question. `provider` and `model` are the one that should answer; None leaves it to the chain.

    `max_tokens` limits the answer, None to what the model may answer.
    """

    prompt: str
    system: str | None = None
    temperature: float | None = None
    provider: str | None = None
    model: str | None = None
    max_tokens: int | None = None


def single_turn(
    turn: SingleTurn, principal: Principal, model: ChatModel, clock: Clock, seconds: float
) -> tuple[str, ModelFinished]:
    """Return the answer's text and its end. `seconds` is the deadline.

    Raises `ModelUnavailableError`, `DeadlineExceededError`, and `InvalidInputError` for a model that can't be asked.
    """
    system = [ModelMessage("system", turn.system)] if turn.system else []
    request = ModelRequest(
        messages=[*system, ModelMessage("user", turn.prompt, is_typed=True)],
        tools=(),
        caller=Caller(principal, clock.now().astimezone(principal.tzinfo)),
        deadline=monotonic() + seconds,
        capability="chat_light",
        temperature=turn.temperature,
        provider=turn.provider,
        model=turn.model,
        max_tokens=turn.max_tokens,
    )
    text, finished = complete(model, request)
    if not text.strip():
        raise ModelUnavailableError(f"{finished.provider} gave no answer.", suggestion="Ask again in other words.")
    return text, finished


def complete(model: ChatModel, request: ModelRequest) -> tuple[str, ModelFinished]:
    """Return the text and the end of an answer that is not streamed. Raises what the model raises."""
    return collect(model.stream(replace(request, streamed=False)))


def collect(events: Iterable[ModelEvent]) -> tuple[str, ModelFinished]:
    """Return the text and the end of an answer. Raises `ModelUnavailableError` for one that breaks off."""
    texts, finished = [], None
    for event in events:
        if isinstance(event, TextChunk):
            texts.append(event.text)
        else:
            finished = event
    if finished is None:
        raise ModelUnavailableError("The model's answer broke off.", suggestion="Try again.")
    return "".join(texts), finished


def closing_events(events: Iterator[ModelEvent]) -> Iterator[ModelEvent]:
    """Yield the events; a reader that stops early ends the model's call, too."""
    # Only a generator has `close`.
    if not isinstance(events, Generator):
        yield from events
        return
    with closing(events):
        yield from events
