"""JSON-RPC messages that clients of the Model Context Protocol send."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from aisha.application.mcp.errors import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, ProtocolError
from aisha.domain.json_values import finite_json

MessageId = int | str


class McpRequest(Struct, frozen=True):
    """A JSON-RPC request, which expects a response."""

    id: MessageId
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def meta(self) -> Mapping[str, Any]:
        """The request's `_meta`; empty without one."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, Mapping) else {}


class McpNotification(Struct, frozen=True):
    """A JSON-RPC notification, which expects no response."""

    method: str
    params: Mapping[str, Any] = field(default_factory=dict)


class McpResponse(Struct, frozen=True):
    """The client's response to a request of this server. `result` is None for an error."""

    id: MessageId
    result: Mapping[str, Any] | None


McpMessage = McpRequest | McpNotification | McpResponse


def parse_message(raw: bytes) -> McpMessage:
    """Return the message in a body. Raises `ProtocolError` for anything but JSON, JSON-RPC 2.0, and for a batch."""
    try:
        body = finite_json(raw)
    except ValueError as error:
        raise ProtocolError(PARSE_ERROR, f"The body is not JSON: {error}") from None
    # Batches ended with the revision 2025-06-18, and hardly any client sent them before.
    if isinstance(body, list):
        raise ProtocolError(INVALID_REQUEST, "Send one message at a time: batches are not supported.")
    if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'The body must be a JSON object with "jsonrpc": "2.0".')
    return _request(body) if "method" in body else _response(body)


def _request(body: Mapping[str, Any]) -> McpRequest | McpNotification:
    method, params = body["method"], body.get("params", {})
    if not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "`method` must be a text.")
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_REQUEST, "`params` must be an object.")
    return McpRequest(_id(body), method, params) if "id" in body else McpNotification(method, params)


def _response(body: Mapping[str, Any]) -> McpResponse:
    result, error = body.get("result"), body.get("error")
    if not isinstance(result, dict) and not isinstance(error, dict):
        raise ProtocolError(INVALID_REQUEST, "A message has a `method`, or an object as its `result` or `error`.")
    return McpResponse(_id(body), result if isinstance(result, dict) else None)


def _id(body: Mapping[str, Any]) -> MessageId:
    value = body.get("id")
    # JSON does not distinguish 1 and 1.0, and some clients send the latter.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # `bool` is a subclass of `int`.
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ProtocolError(INVALID_REQUEST, "`id` must be a text or an integer.")
    return value


def text_param(params: Mapping[str, Any], name: str) -> str:
    """Return a parameter that must be a text. Raises `ProtocolError`."""
    if not isinstance(value := params.get(name), str):
        raise ProtocolError(INVALID_PARAMS, f"`params.{name}` must be a text.")
    return value


def object_param(params: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a parameter that must be an object; empty without it. Raises `ProtocolError`."""
    if (value := params.get(name)) is None:
        return {}
    if not isinstance(value, dict):
        raise ProtocolError(INVALID_PARAMS, f"`params.{name}` must be an object.")
    return value
