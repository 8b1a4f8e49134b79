"""One file of a folder of MCP servers: its members, and the checks that refuse it."""

from typing import Annotated, ClassVar, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from aisha.adapters.http_tools.endpoint import TRANSPORT_HEADERS, EndpointFile, checked_address
from aisha.adapters.http_tools.templates import names_in
from aisha.domain.tools import Access

_ToolName = Annotated[str, Field(min_length=1, max_length=200)]


class McpServerFile(EndpointFile):
    """A server whose tools become tools here, called `<name>__<tool>`.

    `tools` are those that are taken, all by default; `access` states what a tool does, by the server's name of it,
    and `read_only` that all others only read. Every other tool waits for the user: the server's own hints loosen
    nothing. `headers` may hold `{secret}`, which is `Authorization: Bearer {secret}` when the file names a secret and
    no header for it, and the caller's `{tenant}` and `{user}`, sent with calls alone: a server that must tell tenants
    apart needs them, because the secret is the same for all. Plain `http` and addresses of private networks need
    `allow_private`. `timeout_seconds` is for a call.
    """

    OWN_HEADERS: ClassVar[frozenset[str]] = TRANSPORT_HEADERS | {
        "accept",
        "content-type",
        "mcp-protocol-version",
        "mcp-session-id",
    }

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=24)]
    tools: Annotated[tuple[_ToolName, ...], Field(min_length=1)] | None = None
    access: dict[_ToolName, Access] = Field(default_factory=dict)
    read_only: bool = False

    @field_validator("url")
    @classmethod
    def _is_endpoint(cls, value: str) -> str:
        checked_address(value, "https://erp.example.com/mcp")
        if "#" in value or not value.isascii() or not value.isprintable() or " " in value or list(names_in(value)):
            raise ValueError("it must be percent-encoded, without fragment and {placeholder}")
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        problems = [*self.address_problems(), *self.header_problems()]
        unused = sorted(self.access.keys() - set(self.tools)) if self.tools else []
        problems += [f"access: {name!r} is not in tools" for name in unused]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""
