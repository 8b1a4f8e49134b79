"""The revisions of the Model Context Protocol that are spoken here, and which one a request is in.

Up to 2025-11-25 a client greets (`initialize`) and names the revision in a header afterwards. From 2026-07-28 on there is
no greeting: each request carries revision and abilities in `_meta`, and repeats in headers what a gateway looks at.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from aisha.application.mcp.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    McpMessage,
    McpRequest,
    ProtocolError,
)
from aisha.application.mcp.sessions import SESSION_HEADER, session_can_be_asked

GREETED = ("2025-11-25", "2025-06-18", "2025-03-26")
"""The newest first: it is offered to a client that asks for one that is not spoken here."""
GREETING_LESS = ("2026-07-28",)
REVISIONS = (*GREETING_LESS, *GREETED)
UNNAMED = "2025-03-26"
"""What the protocol has a request without the header be in."""
VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "mcp-protocol-version", "mcp-method", "mcp-name"
VERSION_META = "io.modelcontextprotocol/protocolVersion"
ABILITIES_META = "io.modelcontextprotocol/clientCapabilities"
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")


class Revision(Struct, frozen=True):
    """What a request is in. `asks_by_result`: a question for the user is a result, else a request in a stream.

    `can_be_asked` says whether this client lets its user be asked with a form.
    """

    version: str
    can_be_asked: bool = False

    @property
    def asks_by_result(self) -> bool:
        return self.version in GREETING_LESS


def revision_of(message: McpMessage, headers: Mapping[str, str]) -> Revision:
    """The revision of a message; `headers` by lower-case name. Raises `ProtocolError`, `NotFoundError` for a session."""
    named = headers.get(VERSION_HEADER)
    if named in GREETING_LESS or (isinstance(message, McpRequest) and VERSION_META in message.meta):
        return _of_envelope(message, headers)
    if isinstance(message, McpRequest) and message.method == "initialize":
        return Revision(agreed(message.params.get("protocolVersion")))
    if named is not None and named not in GREETED:
        raise _unsupported(named)
    return Revision(named or UNNAMED, session_can_be_asked(headers.get(SESSION_HEADER)))


def agreed(asked_for: Any) -> str:
    """The revision that a greeting is answered with."""
    return asked_for if asked_for in GREETED else GREETED[0]


def asks_with_forms(abilities: Any) -> bool:
    """Whether a client's `capabilities` have elicitation by form; without a mode that is what is meant."""
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
    if version not in GREETING_LESS:
        raise _unsupported(str(version))
    if not isinstance(abilities, Mapping):
        raise ProtocolError(INVALID_PARAMS, f"`{ABILITIES_META}` must be an object.")
    return Revision(version, asks_with_forms(abilities))


def _check_header(name: str, headers: Mapping[str, str], expected: Any) -> None:
    if _decoded(headers.get(name)) != expected:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} does not say what the request says.")


def _decoded(value: str | None) -> str | None:
    """What does not fit a header is sent as `=?base64?...?=`."""
    if value is None or (encoded := _ENCODED.fullmatch(value)) is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _unsupported(version: str) -> ProtocolError:
    data = {"supported": list(REVISIONS), "requested": version[:40]}
    return ProtocolError(UNSUPPORTED_VERSION, "This revision of the protocol is not spoken here.", data=data)
