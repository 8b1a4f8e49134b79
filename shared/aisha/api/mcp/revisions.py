"""The supported revisions of the Model Context Protocol, and the revision of a request.

Up to 2025-11-25 a client sends `initialize` first and names the revision in a header afterwards. From 2026-07-28 on
each request has the revision and the client's capabilities in `_meta`, and repeats in headers what gateways route by.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from aisha.api.mcp.messages import McpMessage, McpRequest
from aisha.api.mcp.sessions import SESSION_HEADER, session_can_be_asked
from aisha.application.mcp.errors import HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION, ProtocolError

STATEFUL_REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Newest first. The first one is offered to a client that requests an unknown one."""
STATELESS_REVISIONS = ("2026-07-28",)
REVISIONS = (*STATELESS_REVISIONS, *STATEFUL_REVISIONS)
DEFAULT_REVISION = "2025-03-26"
"""The revision of a request without the header, as the protocol says."""
VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "mcp-protocol-version", "mcp-method", "mcp-name"
VERSION_META = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_META = "io.modelcontextprotocol/clientCapabilities"
# A header value that is not plain ASCII is sent as Base64.
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")


class Revision(Struct, frozen=True):
    """The revision of a request. `can_be_asked` is True when the client can show its user a form."""

    version: str
    can_be_asked: bool = False

    @property
    def elicits_by_result(self) -> bool:
        """Return whether a question for the user is a result; otherwise it is a request in a stream."""
        return self.version in STATELESS_REVISIONS


def revision_of(message: McpMessage, headers: Mapping[str, str]) -> Revision:
    """Return the revision of a message. The names in `headers` are lower-case.

    Raises `ProtocolError`, and `NotFoundError` for an unknown session.
    """
    version = headers.get(VERSION_HEADER)
    if version in STATELESS_REVISIONS or (isinstance(message, McpRequest) and VERSION_META in message.meta):
        return _stateless_revision(message, headers)
    if isinstance(message, McpRequest) and message.method == "initialize":
        return Revision(negotiated_revision(message.params.get("protocolVersion")))
    if version is not None and version not in STATEFUL_REVISIONS:
        raise _unsupported(version)
    return Revision(version or DEFAULT_REVISION, session_can_be_asked(headers.get(SESSION_HEADER)))


def negotiated_revision(requested: Any) -> str:
    """Return the revision for the response to `initialize`."""
    return requested if requested in STATEFUL_REVISIONS else STATEFUL_REVISIONS[0]


def has_form_elicitation(capabilities: Any) -> bool:
    """Return whether a client's `capabilities` include elicitation with forms, the default mode."""
    elicitation = capabilities.get("elicitation") if isinstance(capabilities, Mapping) else None
    # An empty object announces forms only.
    return isinstance(elicitation, Mapping) and (not elicitation or "form" in elicitation)


def _stateless_revision(message: McpMessage, headers: Mapping[str, str]) -> Revision:
    revision = str(headers.get(VERSION_HEADER))
    if not isinstance(message, McpRequest):
        return Revision(revision)
    missing = [key for key in (VERSION_META, CAPABILITIES_META) if key not in message.meta]
    if missing:
        raise ProtocolError(INVALID_PARAMS, f"`params._meta` lacks {' and '.join(missing)}.")
    version, capabilities = message.meta[VERSION_META], message.meta[CAPABILITIES_META]
    _check_header(VERSION_HEADER, headers, version)
    _check_header(METHOD_HEADER, headers, message.method)
    if message.method == "tools/call" and "name" in message.params:
        _check_header(NAME_HEADER, headers, message.params["name"])
    if version not in STATELESS_REVISIONS:
        raise _unsupported(str(version))
    if not isinstance(capabilities, Mapping):
        raise ProtocolError(INVALID_PARAMS, f"`{CAPABILITIES_META}` must be an object.")
    return Revision(version, has_form_elicitation(capabilities))


def _check_header(name: str, headers: Mapping[str, str], expected: Any) -> None:
    # A gateway may have routed by the header, so it must say what the body says.
    if _decode(headers.get(name)) != expected:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} differs from the request.")


def _decode(value: str | None) -> str | None:
    """Return a header's text, which may be encoded as `=?base64?...?=`; None for invalid Base64."""
    if value is None or (encoded := _ENCODED.fullmatch(value)) is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _unsupported(version: str) -> ProtocolError:
    # The client's text is cut, since it goes back into the response.
    data = {"supported": list(REVISIONS), "requested": version[:40]}
    return ProtocolError(UNSUPPORTED_VERSION, "This revision of the protocol is not supported.", data=data)
