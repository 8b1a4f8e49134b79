"""JSON-RPC messages as clients of the Model Context Protocol send them, and the errors they are answered with."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from pydantic_core import from_json

from aisha.domain.errors import InvalidInputError

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022
MessageId = int | str


class ProtocolError(InvalidInputError):
    """What is wrong with a message itself, or with what it asks the protocol for. `rpc_code` is JSON-RPC's number."""

    code = "protocol_error"

    def __init__(self, rpc_code: int, message: str, *, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.rpc_code, self.data = rpc_code, data or {}


class McpRequest(Struct, frozen=True):
    """Wants an answer."""

    id: MessageId
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def meta(self) -> Mapping[str, Any]:
        """What stands in `_meta`."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, Mapping) else {}


class McpNotification(Struct, frozen=True):
    """Wants none."""

    method: str
    params: Mapping[str, Any] = field(default_factory=dict)


class McpAnswer(Struct, frozen=True):
    """Answers a question that we asked in a stream. `result` is None where the client answered with an error."""

    id: MessageId
    result: Mapping[str, Any] | None


McpMessage = McpRequest | McpNotification | McpAnswer


def parse_message(raw: bytes) -> McpMessage:
    """The one message of a body. Raises `ProtocolError` for what is no JSON, no JSON-RPC 2.0, or a batch."""
    try:
        body = from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        raise ProtocolError(PARSE_ERROR, f"The body is not JSON: {error}") from None
    if isinstance(body, list):
        raise ProtocolError(INVALID_REQUEST, "Send one message at a time: batches are not taken.")
    if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'The body must be a JSON object with "jsonrpc": "2.0".')
    return _asked(body) if "method" in body else _answered(body)


def _asked(body: Mapping[str, Any]) -> McpRequest | McpNotification:
    method, params = body["method"], body.get("params", {})
    if not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "`method` must be a text.")
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_REQUEST, "`params` must be an object.")
    return McpRequest(_id(body), method, params) if "id" in body else McpNotification(method, params)


def _answered(body: Mapping[str, Any]) -> McpAnswer:
    result, error = body.get("result"), body.get("error")
    if not isinstance(result, dict) and not isinstance(error, dict):
        raise ProtocolError(INVALID_REQUEST, "A message has a `method`, or an object as its `result` or `error`.")
    return McpAnswer(_id(body), result if isinstance(result, dict) else None)


def _id(body: Mapping[str, Any]) -> MessageId:
    value = body.get("id")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ProtocolError(INVALID_REQUEST, "`id` must be a text or an integer.")
    return value


def text_param(params: Mapping[str, Any], name: str) -> str:
    """A parameter that must be a text. Raises `ProtocolError`."""
    if not isinstance(value := params.get(name), str):
        raise ProtocolError(INVALID_PARAMS, f"`params.{name}` must be a text.")
    return value


def object_param(params: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A parameter that is an object, empty where it is left out. Raises `ProtocolError`."""
    if (value := params.get(name)) is None:
        return {}
    if not isinstance(value, dict):
        raise ProtocolError(INVALID_PARAMS, f"`params.{name}` must be an object.")
    return value
