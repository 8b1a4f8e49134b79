"""Errors of the Model Context Protocol, by JSON-RPC's numbers."""

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
    """An error of a message itself, or of what it asks the protocol for. `rpc_code` is JSON-RPC's number."""

    code = "protocol_error"

    def __init__(self, rpc_code: int, message: str, *, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.rpc_code, self.data = rpc_code, data or {}
