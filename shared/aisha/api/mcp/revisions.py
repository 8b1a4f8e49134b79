"""The revisions of the Model Context Protocol that the server speaks, and the one of a request.

Up to 2025-11-25 a client greets (`initialize`) and names the revision in a header afterwards. From 2026-07-28 on there is
no greeting: each request carries revision and abilities in `_meta`, and repeats in headers what a gateway looks at.
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
"""Newest first: the first is offered to a client that asks for an unknown one."""
STATELESS_REVISIONS = ("2026-07-28",)
REVISIONS = (*STATELESS_REVISIONS, *STATEFUL_REVISIONS)
UNNAMED = "2025-03-26"
"""The revision of a request without the header, by the protocol."""
VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "mcp-protocol-version", "mcp-method", "mcp-name"
VERSION_META = "io.modelcontextprotocol/protocolVersion"
ABILITIES_META = "io.modelcontextprotocol/clientCapabilities"
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")


class Revision(Struct, frozen=True):
    """The revision of a request. `elicits_by_result`: a question for the user is a result, else a request in a stream.

    `can_be_asked` says whether this client lets its user be asked with a form.
    """

    version: str
    can_be_asked: bool = False

    @property
    def elicits_by_result(self) -> bool:
        return self.version in STATELESS_REVISIONS


def revision_of(message: McpMessage, headers: Mapping[str, str]) -> Revision:
    """Return the revision of a message; `headers` by lower-case name. Raises `ProtocolError`, `NotFoundError` for a session."""
    named = headers.get(VERSION_HEADER)
    if named in STATELESS_REVISIONS or (isinstance(message, McpRequest) and VERSION_META in message.meta):
        return _of_envelope(message, headers)
    if isinstance(message, McpRequest) and message.method == "initialize":
        return Revision(agreed(message.params.get("protocolVersion")))
    if named is not None and named not in STATEFUL_REVISIONS:
        raise _unsupported(named)
    return Revision(named or UNNAMED, session_can_be_asked(headers.get(SESSION_HEADER)))


def agreed(asked_for: Any) -> str:
    """Return the revision that `initialize` is answered with."""
    return asked_for if asked_for in STATEFUL_REVISIONS else STATEFUL_REVISIONS[0]


def asks_with_forms(abilities: Any) -> bool:
    """Return whether a client's `capabilities` have elicitation by form, which is meant where no mode is named."""
    elicitation = abilities.get("elicitation") if isinstance(abilities, Mapping) else None
    return isinstance(elicitation, Mapping) and (not elicitation or "form" in elicitation)


def _of_envelope(message: McpMessage, headers: Mapping[str, str]) -> Revision:
    named = str(headers.get(VERSION_HEADER))
    if not isinstance(message, McpRequest):
        return Revision(named)
    missing = [key for key in (VERSION_META, ABILITIES_META) if key not in message.meta]
    if missing:
        raise ProtocolError(INVALID_PARAMS, f"`params._meta` lacks {' and '.join(missing)}.")
    version, abilities = message.meta[VERSION_META], message.meta[ABILITIES_META]
    _check_header(VERSION_HEADER, headers, version)
    _check_header(METHOD_HEADER, headers, message.method)
    if message.method == "tools/call" and "name" in message.params:
        _check_header(NAME_HEADER, headers, message.params["name"])
    if version not in STATELESS_REVISIONS:
        raise _unsupported(str(version))
    if not isinstance(abilities, Mapping):
        raise ProtocolError(INVALID_PARAMS, f"`{ABILITIES_META}` must be an object.")
    return Revision(version, asks_with_forms(abilities))


def _check_header(name: str, headers: Mapping[str, str], expected: Any) -> None:
    if _decoded(headers.get(name)) != expected:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} does not say what the request says.")


def _decoded(value: str | None) -> str | None:
    """Return a header's text, which may be encoded as `=?base64?...?=`."""
    if value is None or (encoded := _ENCODED.fullmatch(value)) is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _unsupported(version: str) -> ProtocolError:
    data = {"supported": list(REVISIONS), "requested": version[:40]}
    return ProtocolError(UNSUPPORTED_VERSION, "This revision of the protocol is not spoken here.", data=data)
