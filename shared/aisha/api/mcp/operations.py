"""The operations of the MCP endpoints in the API description."""

from aisha.api.mcp.schemas import McpMessageJson, McpReplyJson, ResourceMetadataJson
from aisha.api.operation import Operation
from aisha.domain.errors import MethodNotAllowedError
from aisha.renderers.problem import CONTENT_TYPE, ProblemJson

PATHS = {"/mcp": "mcp", "/mcp/copilot": "copilot", "/mcp/external": "external"}
"""The client of each path, by its name in the file of MCP clients."""
METADATA = "/.well-known/oauth-protected-resource"
ONLY_POST = MethodNotAllowedError(
    "This server has no streams to open and no sessions to end: send each message with POST."
)
_OFFERED_TOOLS = {
    "mcp": "Offers all tools that the user may use.",
    "copilot": "Offers the tools for daily work; none of them deletes or sends anything.",
    "external": "Offers tools that read records; none of them changes anything.",
}


def _post(path: str, client: str) -> Operation:
    return Operation(
        "POST",
        path,
        f"post{_name(client)}",
        summary=f"Send a message of the Model Context Protocol ({client})",
        description=f"{_OFFERED_TOOLS[client]} Streamable HTTP in the revisions 2025-03-26 to 2025-11-25 and "
        "2026-07-28. The response to a request is one JSON-RPC message: it has an `error` if the request is invalid, "
        "and a result with `isError` if a tool fails. A call that needs the user's confirmation asks for it: in an "
        "event stream, which is then the response, or, from 2026-07-28 on, in its result. If the client can't ask its "
        "user, the result names the endpoint at which the user decides. The response to a notification or a response "
        "is 202. A `tools/call` with an `Idempotency-Key` runs once: if it is repeated with the key, it gets the same "
        "result, unless that was an error.",
        body=McpMessageJson,
        response=McpReplyJson,
        also=(400, 404),
        without_body=(202,),
        errors=(403, 409, 410, 503, 504),
        idempotent=True,
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
        hidden=True,
    )


def _name(client: str) -> str:
    return "Mcp" if client == "mcp" else f"Mcp{client.capitalize()}"


def _of_path(path: str, client: str) -> tuple[Operation, ...]:
    return (
        _post(path, client),
        _refused("GET", path, f"listen{_name(client)}", "Refused: this server opens no stream of its own"),
        _refused("DELETE", path, f"end{_name(client)}", "Refused: this server has no sessions to end"),
    )


OPERATIONS = (
    *(operation for path, client in PATHS.items() for operation in _of_path(path, client)),
    Operation(
        "GET",
        METADATA,
        "getResourceMetadata",
        summary="Get the metadata of the protected resource",
        description="Tells MCP clients which authorization server issues tokens (RFC 9728). Responds with 404 if the "
        "deployment names none.",
        tag="Operations",
        response=ResourceMetadataJson,
        errors=(404,),
        public=True,
    ),
    Operation(
        "GET",
        f"{METADATA}/{{path+}}",
        "getResourceMetadataOfPath",
        summary="Get the metadata of the protected resource with this path",
        response=ResourceMetadataJson,
        errors=(404,),
        public=True,
        path_parameters={"path": "The resource's path, e.g. `mcp`."},
        hidden=True,
    ),
)
# Routes for GET and DELETE exist, because without them a client gets 404 and believes that the address is wrong.
REFUSED = frozenset(
    (operation.method, operation.path) for operation in OPERATIONS if operation.success == ONLY_POST.status
)
"""Methods and paths that have a route only to be refused; no `Allow` names them."""
