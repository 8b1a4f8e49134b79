"""One file of a folder of MCP servers: what its members mean, and why a file is refused."""

import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from aisha.adapters.http_tools.definition import CALLER, SECRET
from aisha.adapters.http_tools.templates import names_in
from aisha.domain.tools import Access

_HEADER_NAME, _HEADER_VALUE = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"), re.compile(r"[\x20-\x7e]*")
_OWN_HEADERS = frozenset(
    (
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "expect",
        "host",
        "mcp-protocol-version",
        "mcp-session-id",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
_ToolName = Annotated[str, Field(min_length=1, max_length=200)]


class McpServerFile(BaseModel):
    """A server whose tools become tools here, called `<name>__<tool>`.

    `tools` are those that are taken, all when it is left out; `access` says for tools, by the server's names, what they
    do, above what the server says of them. `headers` may hold `{secret}`, which is `Authorization: Bearer {secret}` when
    the file names a secret and no header for it, and `{tenant}` and `{user}` of who asks, sent with calls alone: a server
    that must tell tenants apart needs them, for the secret is the same for all. Plain `http` and addresses of private
    networks need `allow_private`. `timeout_seconds` is for a call.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=24)]
    url: Annotated[str, Field(min_length=1, max_length=2000)]
    allowed_hosts: Annotated[list[str], Field(min_length=1)]
    allow_private: bool = False
    secret: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")] | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    module: str | None = None
    tools: Annotated[tuple[_ToolName, ...], Field(min_length=1)] | None = None
    access: dict[_ToolName, Access] = Field(default_factory=dict)
    timeout_seconds: Annotated[float, Field(gt=0, le=20)] = 10.0

    @field_validator("url")
    @classmethod
    def _is_endpoint(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("https", "http") or not parts.hostname or parts.port == 0:
            raise ValueError("it must be like https://erp.example.com/mcp")
        if parts.username is not None or parts.password is not None:
            raise ValueError("a password has no place in it: use secret and headers")
        if "#" in value or not value.isascii() or not value.isprintable() or " " in value or list(names_in(value)):
            raise ValueError("it must be percent-encoded, without fragment and {placeholder}")
        return value

    @field_validator("headers")
    @classmethod
    def _are_headers(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(text):
                raise ValueError(f"{name!r} must be a header's name and one line of ASCII")
            if name.lower() in _OWN_HEADERS:
                raise ValueError(f"{name!r} is set by the MCP client")
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        parts, problems = urlsplit(self.url), []
        if parts.hostname not in [host.lower() for host in self.allowed_hosts]:
            problems.append(f"url: host {parts.hostname!r} is not in allowed_hosts")
        if parts.scheme == "http" and not self.allow_private:
            problems.append("url: plain http is for private networks only (allow_private)")
        allowed = CALLER | ({SECRET} if self.secret else set())
        stray = sorted(set(names_in(self.headers)) - allowed)
        problems += [f"headers: {{{name}}} is none of {', '.join(sorted(allowed))}" for name in stray]
        unused = sorted(self.access.keys() - set(self.tools)) if self.tools else []
        problems += [f"access: {name!r} is not in tools" for name in unused]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def request_headers(self) -> dict[str, str]:
        """With the default one for the secret."""
        if self.secret and SECRET not in set(names_in(self.headers)):
            return {**self.headers, "Authorization": f"Bearer {{{SECRET}}}"}
        return self.headers

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""


def read_files(folder: Path) -> list[McpServerFile]:
    """Every `*.json` of the folder, by name. Raises ValueError naming each file that is wrong and what is wrong in it."""
    found, problems = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(McpServerFile.model_validate_json(path.read_bytes()))
        except ValidationError as error:
            problems += [f"{path.name}: {_where(one['loc'])}{one['msg']}" for one in error.errors(include_url=False)]
    twice = [name for name, count in Counter(item.name for item in found).items() if count > 1]
    problems += [f"two files define {name!r}" for name in twice]
    if problems:
        raise ValueError(f"MCP servers in {folder}:\n" + "\n".join(problems))
    return found


def _where(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""
