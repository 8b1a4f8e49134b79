"""The endpoint of a turn: parse, run once for its `Idempotency-Key`, render as JSON or as a stream."""

import json
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from typing import Any

from anyio import to_thread
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from aisha.api.asgi_app import AsgiExchange
from aisha.api.content_negotiation import wants_event_stream
from aisha.api.idempotent_request import IdempotentRequest
from aisha.application.idempotency.keys import Attempt, KeptAnswer
from aisha.application.requests.chat_request import ChatRequest
from aisha.bootstrap import Services
from aisha.domain.events import TurnEvent, TurnFailed
from aisha.domain.principal import Principal
from aisha.renderers import ui_stream
from aisha.renderers.server_sent_events import CONTENT_TYPE
from aisha.renderers.voice import speech_options


class AskedTurn[R](Struct, frozen=True):
    """A turn that a client asks for. `attempt` is its try under an `Idempotency-Key`, None without one."""

    request: R
    principal: Principal
    services: Services
    request_id: str
    attempt: Attempt | None
    is_streamed: bool


type Run[R] = Callable[[AskedTurn[R]], Generator[TurnEvent]]
"""Makes the events of a turn."""


class TurnRenderers[R](Struct, frozen=True):
    """The shapes of a turn's answer: one JSON object, or the texts of Server-Sent Events with these header fields."""

    whole: Callable[[Iterable[TurnEvent], AskedTurn[R]], dict[str, Any]]
    stream: Callable[[Iterable[TurnEvent], AskedTurn[R]], Iterator[str]]
    stream_headers: Callable[[AsgiExchange], Mapping[str, str]]
    refusal: Callable[[AsgiExchange, Exception], Response] = AsgiExchange.refuse


def ui_renderers[R: ChatRequest](
    render: Callable[..., dict[str, Any]], stream: Callable[..., Iterator[str]]
) -> TurnRenderers[R]:
    """Return the renderers of a chat: a JSON response, and a UI message stream of the Vercel AI SDK."""
    return TurnRenderers(
        lambda events, turn: render(events, turn.request_id, **speech_options(turn.request, turn.principal)),
        lambda events, turn: stream(events, turn.request_id, **speech_options(turn.request, turn.principal)),
        lambda _: ui_stream.HEADERS,
    )


def accepts_stream(exchange: AsgiExchange, _: object) -> bool:
    """Return whether the header `Accept` asks for a stream."""
    return bool(wants_event_stream(exchange.headers.get("accept", "")))


def turn_endpoint[R](
    parse: Callable[[bytes, int], R],
    run: Run[R],
    renderers: TurnRenderers[R],
    *,
    is_streamed: Callable[[AsgiExchange, R], bool] = accepts_stream,
    repetition: Callable[[R], Mapping[str, Any]] = lambda _: {},
) -> Callable[[Request], Awaitable[Response]]:
    """Return an ASGI endpoint.

    `parse` takes a body and the most characters of a message. `repetition` gives the options of `Exchange.begin` where
    the client names its messages itself.
    """

    async def endpoint(request: Request) -> Response:
        exchange = AsgiExchange(request)
        try:
            principal = await exchange.admitted()
            raw = await exchange.body()
            parsed = parse(raw, exchange.services.settings.message_characters)
            streamed, headers = is_streamed(exchange, parsed), renderers.stream_headers(exchange)
            variant = "#stream" if streamed else ""
            begun = await exchange.begun(principal, raw, variant=variant, **repetition(parsed))
            if isinstance(begun, KeptAnswer):
                return exchange.replay(begun, headers)
            services, request_id = exchange.services, exchange.request_id
            turn = AskedTurn(parsed, principal, services, request_id, begun.attempt, streamed)
            if streamed:
                pieces = begun.streamed(_pieces(turn, run, renderers, begun), CONTENT_TYPE)
                return await exchange.stream(pieces, headers)
            # A turn blocks on models and stores, so it has a thread of its own.
            return exchange.answer(await to_thread.run_sync(begun.run, partial(_whole, turn, run, renderers)))
        except Exception as error:
            return renderers.refusal(exchange, error)

    return endpoint


def _whole[R](turn: AskedTurn[R], run: Run[R], renderers: TurnRenderers[R]) -> str:
    with closing(run(turn)) as events:
        return json.dumps(renderers.whole(events, turn), ensure_ascii=False)


def _pieces[R](
    turn: AskedTurn[R], run: Run[R], renderers: TurnRenderers[R], begun: IdempotentRequest
) -> Generator[str]:
    with closing(run(turn)) as events:
        yield from renderers.stream(_track_failure(events, begun), turn)


def _track_failure(events: Iterable[TurnEvent], begun: IdempotentRequest) -> Iterator[TurnEvent]:
    for event in events:
        begun.has_failed = begun.has_failed or isinstance(event, TurnFailed)
        yield event
