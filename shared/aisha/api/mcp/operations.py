"""The operations of the door for MCP clients as the API description shows them."""

from aisha.api.mcp.schemas import (
    CALL_EXAMPLE,
    METADATA_EXAMPLE,
    REPLY_EXAMPLE,
    STREAM_EXAMPLE,
    McpMessageJson,
    McpReplyJson,
    ResourceMetadataJson,
)
from aisha.api.operation import Operation
from aisha.domain.errors import MethodNotAllowedError
from aisha.renderers.problem import CONTENT_TYPE, ProblemJson

PATHS = {"/mcp": "mcp", "/mcp/copilot": "copilot", "/mcp/external": "external"}
"""Whose tools a path has: names of the file of clients."""
METADATA = "/.well-known/oauth-protected-resource"
ONLY_POST = MethodNotAllowedError("There is no stream to open and no session to end here: send each message with POST.")
_OFFERED = {
    "mcp": "Every tool that the user may use.",
    "copilot": "The tools of daily work; nothing is deleted or sent.",
    "external": "Tools that look records up; nothing is changed.",
}
_REFUSED_EXAMPLE = {
    "type": "urn:aisha:problem:method_not_allowed",
    "title": "Method Not Allowed",
    "status": 405,
    **ONLY_POST.members(),
    "request_id": "6f8e4c1a-1f0b-4f7e-9a55-0d7b7f0c9d11",
}


def _post(path: str, client: str) -> Operation:
    return Operation(
        "POST",
        path,
        f"post{_name(client)}",
        summary=f"A message of the Model Context Protocol ({client})",
        description=f"{_OFFERED[client]} Streamable HTTP of the revisions 2025-03-26 to 2025-11-25, and 2026-07-28. A request "
        "is answered with one JSON-RPC message: what is wrong with the request is its `error`, what a tool fails with a "
        "result with `isError`. A call that must wait for the user asks them: in the stream that then is the answer, or, "
        "from 2026-07-28 on, in its result. Where the client can't ask, the result says at which address the user "
        "decides. Notifications and answers get 202. A `tools/call` with an `Idempotency-Key` runs once: sent again with the "
        "key it gets the same result, unless that was an error.",
        body=McpMessageJson,
        response=McpReplyJson,
        also=(400, 404),
        without_body=(202,),
        errors=(403, 409, 410, 503, 504),
        limited=True,
        idempotent=True,
        body_example=CALL_EXAMPLE,
        example=REPLY_EXAMPLE,
        event_stream=STREAM_EXAMPLE,
    )


def _refused(method: str, path: str, name: str, summary: str) -> Operation:
    return Operation(
        method,
        path,
        name,
        summary=summary,
        response=ProblemJson,
        content_type=CONTENT_TYPE,
        success=405,
        example=_REFUSED_EXAMPLE,
    )


def _name(client: str) -> str:
    return "Mcp" if client == "mcp" else f"Mcp{client.capitalize()}"


def _of_path(path: str, client: str) -> tuple[Operation, ...]:
    return (
        _post(path, client),
        _refused("GET", path, f"listen{_name(client)}", "Refused: there is no stream but the answer to a request"),
        _refused("DELETE", path, f"end{_name(client)}", "Refused: there is no session to end"),
    )


OPERATIONS = (
    *(one for path, client in PATHS.items() for one in _of_path(path, client)),
    Operation(
        "GET",
        METADATA,
        "getResourceMetadata",
        summary="Where MCP clients get a token",
        description="RFC 9728. Without an authorization server in the settings there is nothing here.",
        tag="Operations",
        response=ResourceMetadataJson,
        errors=(404,),
        public=True,
        example=METADATA_EXAMPLE,
    ),
)
