"""The MCP server over Streamable HTTP.

It has no state between requests, so any process can serve any request.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from anyio import to_thread
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiExchange
from aisha.api.idempotent_request import IdempotentRequest
from aisha.api.mcp import results
from aisha.api.mcp.edge import check_origin, protected_resource_metadata, with_challenge
from aisha.api.mcp.elicitation import outcome_result, question_stream, repeated_call, settle_response
from aisha.api.mcp.messages import McpMessage, McpRequest, McpResponse, object_param, parse_message, text_param
from aisha.api.mcp.operations import METADATA, ONLY_POST, PATHS
from aisha.api.mcp.revisions import Revision, has_form_elicitation, revision_of
from aisha.api.mcp.sessions import SESSION_HEADER, new_session_id
from aisha.api.operation import REPLAYED
from aisha.application.idempotency.keys import Attempt, StoredAnswer, check_key
from aisha.application.mcp import calls
from aisha.application.mcp.clients import DOOR, UNKNOWN_CLIENT, McpClient
from aisha.application.mcp.errors import METHOD_NOT_FOUND, ProtocolError
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.errors import AishaError, NotFoundError, UnauthenticatedError
from aisha.domain.principal import Principal
from aisha.renderers.server_sent_events import CONTENT_TYPE as EVENT_STREAM


class RpcExchange(Struct, frozen=True):
    """One JSON-RPC request in its HTTP exchange."""

    exchange: AsgiExchange
    client: McpClient
    principal: Principal
    message: McpRequest
    revision: Revision

    @property
    def request_id(self) -> str:
        return self.exchange.request_id

    @property
    def dependencies(self) -> TurnDependencies:
        return self.exchange.services.turn_dependencies

    @property
    def identity(self) -> bytes:
        """The bytes that identify a repeated call: its id and its `_meta` may differ."""
        params = {name: value for name, value in self.message.params.items() if name != "_meta"}
        return json.dumps([self.message.method, params]).encode()

    @property
    def accepts_stream(self) -> bool:
        return EVENT_STREAM in self.exchange.headers.get("accept", "").lower()

    def reply(self, result: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
        result_type = {"resultType": "complete"} if self.revision.elicits_by_result else {}
        return self.exchange.answer(results.rpc_result(self.message.id, result_type | dict(result)), headers)


async def receive(client_name: str, request: Request) -> Response:
    """Respond to a message of a client with this name in the file of MCP clients."""
    exchange, message = AsgiExchange(request), None
    services = exchange.services
    try:
        check_origin(request, services.settings)
        # Not `admit`: only calls, lists of tools and decisions count against the rate limits.
        principal = replace(exchange.principal(), door=DOOR)
        # Only calls use the key; a wrong one is refused with every message, so that a client learns of it at once.
        if (key := exchange.headers.get("idempotency-key")) is not None:
            check_key(key)
        message = parse_message(await exchange.body())
        revision = revision_of(message, exchange.headers)
        # The answer to a question of ours: it is settled here, and the stream that asked finds the result in the store.
        if isinstance(message, McpResponse):
            await exchange.admit_async()
            dependencies = services.turn_dependencies
            await to_thread.run_sync(settle_response, message, principal, exchange.request_id, dependencies)
        # A notification or a response has no response of its own.
        if not isinstance(message, McpRequest):
            return exchange.answer("", status=HTTPStatus.ACCEPTED, content_type=None)
        client = services.mcp_clients.get(client_name, UNKNOWN_CLIENT)
        return await _respond(RpcExchange(exchange, client, principal, message, revision))
    except (ProtocolError, NotFoundError) as error:
        return _rpc_error(exchange, message, error, error.status if error.status == 404 else 400)
    except UnauthenticatedError as error:
        return with_challenge(exchange.refuse(error), request, services.settings)
    except Exception as error:
        return exchange.refuse(error)


async def _respond(call: RpcExchange) -> Response:
    methods = STATELESS_METHODS if call.revision.elicits_by_result else STATEFUL_METHODS
    try:
        if (method := methods.get(call.message.method)) is None:
            raise ProtocolError(
                METHOD_NOT_FOUND,
                f"There is no method {call.message.method[:100]!r}.",
                suggestion=f"Call one of: {', '.join(sorted(methods))}.",
            )
        return await method(call)
    except ProtocolError as error:
        # Up to 2025-11-25 an error of a method is sent with 200; later revisions demand the matching status.
        status = 200
        if call.revision.elicits_by_result:
            status = 404 if error.rpc_code == METHOD_NOT_FOUND else 400
        return _rpc_error(call.exchange, call.message, error, status)


def _rpc_error(exchange: AsgiExchange, message: McpMessage | None, error: AishaError, status: int) -> Response:
    message_id = message.id if isinstance(message, McpRequest) else None
    return exchange.answer(results.rpc_error(message_id, error, exchange.request_id), status=status)


# --- methods


async def initialize(call: RpcExchange) -> Response:
    can_be_asked = has_form_elicitation(call.message.params.get("capabilities"))
    session = {SESSION_HEADER: new_session_id(can_be_asked=can_be_asked)} if can_be_asked else {}
    name = call.exchange.services.settings.assistant_name
    return call.reply(results.greeting(call.revision.version, name), session)


async def discover(call: RpcExchange) -> Response:
    return call.reply(results.discovery(call.exchange.services.settings.assistant_name))


async def ping(call: RpcExchange) -> Response:
    return call.reply({})


async def list_tools(call: RpcExchange) -> Response:
    def tools() -> dict[str, Any]:
        specs = calls.offered_tools(call.client, call.principal, call.dependencies)
        return results.tool_list(specs, with_cache_hints=call.revision.elicits_by_result)

    await call.exchange.admit_async()
    return call.reply(await to_thread.run_sync(tools))


async def call_tool(call: RpcExchange) -> Response:
    """Run a call, or ask the user about it in the way that the client supports."""
    await call.exchange.admit_async()
    idempotent = await call.exchange.begin_async(call.principal, call.identity)
    if isinstance(idempotent, StoredAnswer):
        return call.reply(json.loads(idempotent.body), REPLAYED)
    result, pending = await to_thread.run_sync(_stored_result, call, idempotent)
    # Without a stream the question has nowhere to go: the result names the endpoint that decides.
    if pending is not None and call.revision.can_be_asked and call.accepts_stream:
        services = call.exchange.services
        pieces = question_stream(call.message.id, pending, call.principal, call.request_id, services)
        return await call.exchange.stream(pieces, {})
    return call.reply(result)


STATEFUL_METHODS: Mapping[str, Callable[[RpcExchange], Awaitable[Response]]] = {
    "initialize": initialize,
    "ping": ping,
    "tools/list": list_tools,
    "tools/call": call_tool,
}
STATELESS_METHODS: Mapping[str, Callable[[RpcExchange], Awaitable[Response]]] = {
    "server/discover": discover,
    "tools/list": list_tools,
    "tools/call": call_tool,
}


class _FailedCallError(Exception):
    """Carries the result of a failed call past the store, so that the call can be tried again under its key."""

    def __init__(self, result: dict[str, Any]) -> None:
        super().__init__()
        self.result = result


def _stored_result(
    call: RpcExchange, idempotent: IdempotentRequest
) -> tuple[dict[str, Any], PendingConfirmation | None]:
    """Return the call's result, stored under its key, and the confirmation that a stream should still ask for."""
    unasked: PendingConfirmation | None = None

    def make() -> str:
        nonlocal unasked
        # A repetition gets the stored result, so only the first attempt opens a stream with the question.
        result, unasked = _run(call, idempotent.attempt)
        if result.get("isError"):
            raise _FailedCallError(result)
        return json.dumps(result, ensure_ascii=False)

    try:
        result = json.loads(idempotent.run(make))
    except _FailedCallError as failed:
        return failed.result, None
    return result, unasked


def _run(call: RpcExchange, attempt: Attempt | None) -> tuple[dict[str, Any], PendingConfirmation | None]:
    params, dependencies = call.message.params, call.dependencies
    if call.revision.elicits_by_result and params.get("requestState") is not None:
        return repeated_call(params, call.client, call.principal, call.request_id, dependencies), None
    name, arguments = text_param(params, "name"), object_param(params, "arguments")
    outcome = calls.run_call(name, arguments, call.client, call.principal, dependencies, attempt)
    if outcome.pending is None:
        return outcome_result(outcome, call.request_id), None
    if call.revision.can_be_asked and call.revision.elicits_by_result:
        return results.asking_result(outcome.pending), None
    return results.waiting_result(outcome.pending), outcome.pending


# --- routes


async def resource_metadata(request: Request) -> Response:
    """Return the metadata of this protected resource (RFC 9728)."""
    exchange = AsgiExchange(request)
    try:
        return exchange.answer(protected_resource_metadata(request, exchange.services.settings))
    except Exception as error:
        return exchange.refuse(error)


async def refuse_method(request: Request) -> Response:
    """Refuse GET, which would open a stream, and DELETE, which would end a session: the server has neither."""
    response = AsgiExchange(request).refuse(ONLY_POST)
    response.headers["allow"] = "POST"
    return response


ROUTES = (
    *(Route(path, partial(receive, client), methods=["POST"]) for path, client in PATHS.items()),
    *(Route(path, refuse_method, methods=["GET", "DELETE"]) for path in PATHS),
    Route(METADATA, resource_metadata, methods=["GET"]),
    Route(f"{METADATA}/{{path:path}}", resource_metadata, methods=["GET"]),
)
