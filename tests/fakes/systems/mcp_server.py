"""A fake MCP server on a loopback port that speaks Streamable HTTP, as one JSON document or a stream of events."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer

Answer = Callable[[Any], dict[str, Any]]


class ProtocolError(Exception):
    """An error that is answered as a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def tool(name: str, description: str = "", **members: Any) -> dict[str, Any]:
    """Return a tool as it is listed. `properties` and `required` become its schema."""
    schema = {"type": "object", "properties": members.pop("properties", {}), "required": members.pop("required", [])}
    return {"name": name, "description": description, "inputSchema": schema} | members


def text(value: str, **members: Any) -> dict[str, Any]:
    """Return a result with one text."""
    return {"content": [{"type": "text", "text": value}], **members}


@dataclass
class McpServer(LoopbackServer):
    """The server in a thread. `tools` are listed `page` at a time; `answers` return the result for a tool's arguments.

    It requires `token` if that is set, keeps sessions with `sessions` and streams with `events`. `version` is its
    answer to `initialize`, None for the client's version. `status` is the answer to every request, if it is set.
    `cut_off` ends the stream of a tool call before its result. `instructions` are sent with the answer to `initialize`.
    """

    tools: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    token: str | None = None
    sessions: bool = True
    events: bool = False
    page: int = 100
    version: str | None = None
    status: int | None = None
    cut_off: bool = False
    instructions: str = ""
    port: int = 0

    def __post_init__(self) -> None:
        super().__init__(_Handler, self.port)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.known_sessions: set[str] = set()

    @property
    def url(self) -> str:
        return f"{self.address}/mcp"

    @property
    def methods(self) -> list[str]:
        return [request["method"] for request in self.requests]

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The name and the arguments of every `tools/call`."""
        return [request["params"] for request in self.requests if request["method"] == "tools/call"]

    def result(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        if method == "initialize":
            capabilities, info = {"tools": {"listChanged": False}}, {"name": "fake", "version": "1"}
            version = self.version or params["protocolVersion"]
            answer = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
            return answer | ({"instructions": self.instructions} if self.instructions else {})
        if method == "tools/list":
            start = int(params.get("cursor", 0))
            end = start + self.page
            return {"tools": self.tools[start:end]} | ({"nextCursor": str(end)} if end < len(self.tools) else {})
        if method == "tools/call" and params["name"] in self.answers:
            return self.answers[params["name"]](params["arguments"])
        raise ProtocolError(-32602, f"Unknown tool: {params.get('name')}")


class _Handler(LoopbackHandler):
    fake: McpServer

    def do_POST(self) -> None:
        mcp, message = self.fake, json.loads(self.content())
        headers = self.lower_headers()
        mcp.requests.append(message)
        mcp.headers.append(headers)
        if (status := self._refusal(message, headers)) is not None:
            return self.send(status)
        if "id" not in message:
            return self.send(202)
        session = {}
        if message["method"] == "initialize" and mcp.sessions:
            mcp.known_sessions.add(f"session-{len(mcp.requests)}")
            session = {"Mcp-Session-Id": f"session-{len(mcp.requests)}"}
        return self._answer(message, session)

    def _refusal(self, message: Mapping[str, Any], headers: Mapping[str, str]) -> int | None:
        mcp, is_first = self.fake, message["method"] == "initialize"
        if mcp.status is not None:
            return mcp.status
        if mcp.token is not None and headers.get("authorization") != f"Bearer {mcp.token}":
            return 401
        if not {"application/json", "text/event-stream"} <= set(headers.get("accept", "").split(", ")):
            return 406
        if not is_first and "mcp-protocol-version" not in headers:
            return 400
        if not is_first and mcp.sessions and headers.get("mcp-session-id") not in mcp.known_sessions:
            return 404
        return None

    def _answer(self, message: Mapping[str, Any], session: dict[str, str]) -> None:
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = self.fake.result(message["method"], message.get("params", {}))
        except ProtocolError as error:
            reply["error"] = {"code": error.code, "message": str(error)}
        if not self.fake.events:
            return self.send(200, json.dumps(reply).encode(), {"Content-Type": "application/json", **session})
        progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}
        events = [progress] if self.fake.cut_off and message["method"] == "tools/call" else [progress, reply]
        lines = "".join(f"id: {index}\r\ndata: {json.dumps(event)}\r\n\r\n" for index, event in enumerate(events))
        return self.send(200, f": hello\r\n{lines}".encode(), {"Content-Type": "text/event-stream", **session})
