"""The HTTP endpoint of a turn: parse the request, run it once per `Idempotency-Key`, render JSON or a stream."""

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
from aisha.api.idempotent_request import IdempotentRequest
from aisha.api.operation import JSON
from aisha.application.idempotency.keys import Attempt, StoredAnswer
from aisha.application.requests.chat_request import ChatRequest
from aisha.bootstrap import Services
from aisha.domain.conversations.events import TurnEvent, TurnFailed
from aisha.domain.principal import Principal
from aisha.renderers import ui_stream
from aisha.renderers.server_sent_events import CONTENT_TYPE
from aisha.renderers.voice import speech_options


class RequestedTurn[R](Struct, frozen=True):
    """A turn that a client requests. `attempt` belongs to its `Idempotency-Key`; None without one."""

    request: R
    principal: Principal
    services: Services
    request_id: str
    attempt: Attempt | None
    is_streamed: bool


type Run[R] = Callable[[RequestedTurn[R]], Generator[TurnEvent]]
"""Runs a turn and yields its events."""


class TurnRenderers[R](Struct, frozen=True):
    """The renderers of a turn: one JSON object, or Server-Sent Events with their headers; and one for errors."""

    whole: Callable[[Iterable[TurnEvent], RequestedTurn[R]], dict[str, Any]]
    stream: Callable[[Iterable[TurnEvent], RequestedTurn[R]], Iterator[str]]
    stream_headers: Callable[[AsgiExchange], Mapping[str, str]]
    refusal: Callable[[AsgiExchange, Exception], Response] = AsgiExchange.refuse


def ui_renderers[R: ChatRequest](
    render: Callable[..., dict[str, Any]], stream: Callable[..., Iterator[str]]
) -> TurnRenderers[R]:
    """Return renderers of a chat: as a JSON response, and as a UI message stream of the Vercel AI SDK."""
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

    `parse` takes a body and the maximum length of a message. `repetition` returns options of `Exchange.begin` for
    clients that send ids of their messages.
    """

    async def endpoint(request: Request) -> Response:
        exchange = AsgiExchange(request)
        try:
            # Before the body is read: a client beyond its limit costs no more than its headers.
            principal = await exchange.admit_async()
            raw = await exchange.body()
            parsed = parse(raw, exchange.services.settings.message_characters)
            streamed, headers = is_streamed(exchange, parsed), renderers.stream_headers(exchange)
            # A key names one answer in one form: a stored stream can't be replayed as JSON.
            variant = "#stream" if streamed else ""
            idempotent = await exchange.begin_async(principal, raw, variant=variant, **repetition(parsed))
            if isinstance(idempotent, StoredAnswer):
                return exchange.replay(idempotent, headers)
            services, request_id = exchange.services, exchange.request_id
            turn = RequestedTurn(parsed, principal, services, request_id, idempotent.attempt, streamed)
            if streamed:
                # The stored stream is what was sent, piece by piece, so that a replay is the same for the client.
                pieces = idempotent.streamed(_pieces(turn, run, renderers, idempotent), CONTENT_TYPE)
                return await exchange.stream(pieces, headers)
            # A turn blocks on models and stores, so it runs in a thread.
            return exchange.answer(await to_thread.run_sync(idempotent.run, partial(_whole, turn, run, renderers)))
        except Exception as error:
            return renderers.refusal(exchange, error)

    return endpoint


def _whole[R](turn: RequestedTurn[R], run: Run[R], renderers: TurnRenderers[R]) -> str:
    with closing(run(turn)) as events:
        return json.dumps(renderers.whole(events, turn), ensure_ascii=False)


def _pieces[R](
    turn: RequestedTurn[R], run: Run[R], renderers: TurnRenderers[R], idempotent: IdempotentRequest
) -> Generator[str]:
    with closing(run(turn)) as events:
        yield from renderers.stream(_track_failure(events, idempotent), turn)


def _track_failure(events: Iterable[TurnEvent], idempotent: IdempotentRequest) -> Iterator[TurnEvent]:
    for event in events:
        idempotent.has_failed = idempotent.has_failed or isinstance(event, TurnFailed)
        yield event


def wants_event_stream(accept: str) -> bool | None:
    """Return whether an `Accept` header prefers Server-Sent Events to JSON; None when it names neither."""
    weights: dict[str, float] = {}
    for entry in accept.lower().split(","):
        name, *parameters = (part.strip() for part in entry.split(";"))
        weights[name] = next((_weight(text[2:]) for text in parameters if text.startswith("q=")), 1.0)
    # `*/*` counts as neither: many clients send it without any preference.
    if CONTENT_TYPE not in weights and JSON not in weights:
        return None
    stream = weights.get(CONTENT_TYPE, 0.0)
    return stream > 0 and stream >= weights.get(JSON, 0.0)


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
