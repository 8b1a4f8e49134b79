"""POST /mcp, /mcp/copilot and /mcp/external: the tools for clients of the Model Context Protocol, over Streamable HTTP.

Nothing is kept between requests: any instance answers any of them.
"""

import json
from collections.abc import Awaitable, Callable, Generator, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from anyio import to_thread
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp, Exchange
from aisha.api.idempotent_turn import IdempotentTurn
from aisha.api.mcp import results
from aisha.api.mcp.edge import challenged, check_origin, resource_metadata
from aisha.api.mcp.elicitation import asked_in_stream, repeated_call, result_of, settle_answer
from aisha.api.mcp.messages import McpAnswer, McpMessage, McpRequest, object_param, parse_message, text_param
from aisha.api.mcp.operations import METADATA, ONLY_POST, OPERATIONS, PATHS
from aisha.api.mcp.revisions import Revision, asks_with_forms, revision_of
from aisha.api.mcp.sessions import SESSION_HEADER, new_session_id
from aisha.api.operation import REPLAYED
from aisha.application.idempotency.keys import Attempt, KeptAnswer
from aisha.application.mcp import calls
from aisha.application.mcp.clients import DOOR, UNKNOWN_CLIENT, McpClient
from aisha.application.mcp.errors import METHOD_NOT_FOUND, ProtocolError
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import (
    AishaError,
    NotFoundError,
    UnauthenticatedError,
)
from aisha.domain.principal import Principal
from aisha.renderers.server_sent_events import CONTENT_TYPE as EVENT_STREAM


class Turn(Struct, frozen=True):
    """One message on its way to its answer."""

    exchange: Exchange
    client: McpClient
    principal: Principal
    message: McpRequest
    revision: Revision

    def reply(self, result: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
        kind = {"resultType": "complete"} if self.revision.elicits_by_result else {}
        return self.exchange.answer(results.rpc_result(self.message.id, kind | dict(result)), headers)

    @property
    def told(self) -> bytes:
        """What makes it the same call again: neither its id nor its envelope do."""
        params = {name: value for name, value in self.message.params.items() if name != "_meta"}
        return json.dumps([self.message.method, params]).encode()

    @property
    def takes_stream(self) -> bool:
        return EVENT_STREAM in self.exchange.request.headers.get("accept", "").lower()


# --- one message


async def receive(client_name: str, request: Request) -> Response:
    """Any message of a client of this kind."""
    exchange = Exchange(request)
    config = exchange.services.settings
    message: McpMessage | None = None
    try:
        check_origin(request, config)
        principal = replace(exchange.principal(), door=DOOR)
        message = parse_message(await exchange.body(config.request_bytes))
        revision = revision_of(message, request.headers)
        if isinstance(message, McpAnswer):
            await exchange.admit()
            await to_thread.run_sync(
                settle_answer, message, principal, exchange.request_id, exchange.services.turn_dependencies
            )
        if not isinstance(message, McpRequest):
            return _accepted(exchange)
        client = exchange.services.mcp_clients.get(client_name, UNKNOWN_CLIENT)
        return await _answered(Turn(exchange, client, principal, message, revision))
    except (ProtocolError, NotFoundError) as error:
        message_id = message.id if isinstance(message, McpRequest) else None
        return _refused_message(exchange, message_id, error, error.status if error.status == 404 else 400)
    except UnauthenticatedError as error:
        return challenged(exchange.refuse(error), request, config)
    except Exception as error:
        return exchange.refuse(error)


async def _answered(turn: Turn) -> Response:
    """The answer to a request. What is wrong with it is told as an error of JSON-RPC."""
    methods = STATELESS_METHODS if turn.revision.elicits_by_result else STATEFUL_METHODS
    try:
        if (answer := methods.get(turn.message.method)) is None:
            raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {turn.message.method[:100]!r} here.")
        return await answer(turn)
    except ProtocolError as error:
        status = 200
        if turn.revision.elicits_by_result:
            status = 404 if error.rpc_code == METHOD_NOT_FOUND else 400
        return _refused_message(turn.exchange, turn.message.id, error, status)


async def _greet(turn: Turn) -> Response:
    can_be_asked = asks_with_forms(turn.message.params.get("capabilities"))
    session = {SESSION_HEADER: new_session_id(can_be_asked)} if can_be_asked else {}
    return turn.reply(results.greeting(turn.revision.version, turn.exchange.services.settings.assistant_name), session)


async def _discover(turn: Turn) -> Response:
    return turn.reply(results.discovery(turn.exchange.services.settings.assistant_name))


async def _ping(turn: Turn) -> Response:
    return turn.reply({})


async def _list(turn: Turn) -> Response:
    def listed() -> dict[str, Any]:
        specs = calls.offered_tools(turn.client, turn.principal, turn.exchange.services.turn_dependencies)
        return results.tool_list(specs, with_cache_hints=turn.revision.elicits_by_result)

    await turn.exchange.admit()
    return turn.reply(await to_thread.run_sync(listed))


async def _call(turn: Turn) -> Response:
    """Runs a call, or asks the user about it in the way that this client knows."""
    await turn.exchange.admit()
    keyed = await turn.exchange.keyed(turn.principal, turn.told, streamed=False)
    if isinstance(keyed, KeptAnswer):
        return turn.reply(json.loads(keyed.body), REPLAYED)
    result, pending = await to_thread.run_sync(_once, turn, keyed)
    if pending is not None and turn.revision.can_be_asked and turn.takes_stream:
        return await turn.exchange.stream(_asking(turn, pending), {})
    return turn.reply(result)


STATEFUL_METHODS: Mapping[str, Callable[[Turn], Awaitable[Response]]] = {
    "initialize": _greet,
    "ping": _ping,
    "tools/list": _list,
    "tools/call": _call,
}
STATELESS_METHODS: Mapping[str, Callable[[Turn], Awaitable[Response]]] = {
    "server/discover": _discover,
    "tools/list": _list,
    "tools/call": _call,
}


# --- calls


class _FailedCallError(Exception):
    """A result that is not kept: the same call may be tried again under its key."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


def _once(turn: Turn, keyed: IdempotentTurn) -> tuple[dict[str, Any], PendingConfirmation | None]:
    """The call's result, kept under its key, and the question of one that waits and whose result does not ask it."""
    asked: list[PendingConfirmation] = []

    def run() -> str:
        repeats = turn.revision.elicits_by_result and turn.message.params.get("requestState") is not None
        result = _repeat(turn) if repeats else _run(turn, keyed.attempt, asked)
        if result.get("isError"):
            raise _FailedCallError(result)
        return json.dumps(result, ensure_ascii=False)

    try:
        result = json.loads(keyed.run(run))
    except _FailedCallError as failed:
        return failed.result, None
    return result, asked[0] if asked else None


def _run(turn: Turn, attempt: Attempt | None, asked: list[PendingConfirmation]) -> dict[str, Any]:
    name, arguments = text_param(turn.message.params, "name"), object_param(turn.message.params, "arguments")
    deps = turn.exchange.services.turn_dependencies
    outcome = calls.run_call(name, arguments, turn.client, turn.principal, deps, attempt)
    if outcome.pending is None:
        return result_of(outcome, turn.exchange.request_id)
    if turn.revision.can_be_asked and turn.revision.elicits_by_result:
        return results.asking_result(outcome.pending)
    asked.append(outcome.pending)
    return results.waiting_result(outcome.pending)


def _asking(turn: Turn, pending: PendingConfirmation) -> Generator[str]:
    return asked_in_stream(turn.message.id, pending, turn.principal, turn.exchange.request_id, turn.exchange.services)


def _repeat(turn: Turn) -> dict[str, Any]:
    deps = turn.exchange.services.turn_dependencies
    return repeated_call(turn.message.params, turn.client, turn.principal, turn.exchange.request_id, deps)


# --- the edge


def _accepted(exchange: Exchange) -> Response:
    exchange.log(HTTPStatus.ACCEPTED)
    return Response(status_code=HTTPStatus.ACCEPTED, headers=exchange.headers)


def _refused_message(exchange: Exchange, message_id: int | str | None, error: AishaError, status: int) -> Response:
    exchange.log(status)
    return JSONResponse(results.rpc_error(message_id, error, exchange.request_id), status, exchange.headers)


async def tell_where_tokens_come_from(request: Request) -> Response:
    """The metadata of this protected resource, RFC 9728."""
    exchange = Exchange(request)
    try:
        return exchange.answer(resource_metadata(request, exchange.services.settings))
    except Exception as error:
        return exchange.refuse(error)


async def refuse_method(request: Request) -> Response:
    """A GET would open a stream of its own, a DELETE end a session: there is neither."""
    response = Exchange(request).refuse(ONLY_POST)
    response.headers["allow"] = "POST"
    return response


__all__ = ("OPERATIONS", "app")
app = AsgiApp(
    *(Route(path, partial(receive, client), methods=["POST"]) for path, client in PATHS.items()),
    *(Route(path, refuse_method, methods=["GET", "DELETE"]) for path in PATHS),
    Route(METADATA, tell_where_tokens_come_from, methods=["GET"]),
)
