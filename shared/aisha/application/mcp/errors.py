"""Errors of the Model Context Protocol with their JSON-RPC codes."""

from collections.abc import Mapping
from typing import Any

from aisha.domain.errors import InvalidInputError

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022


class ProtocolError(InvalidInputError):
    """An invalid message or request of the protocol. `rpc_code` is the JSON-RPC error code."""

    code = "protocol_error"

    def __init__(
        self, rpc_code: int, message: str, *, data: Mapping[str, Any] | None = None, suggestion: str | None = None
    ) -> None:
        super().__init__(message, suggestion=suggestion)
        self.rpc_code, self.data = rpc_code, data or {}
