"""One file of a folder of HTTP tools: its members, and the checks that refuse it."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

from aisha.adapters.http_tools.arguments import schema_problem
from aisha.adapters.http_tools.endpoint import CALLER, SECRET, EndpointFile, checked_address
from aisha.adapters.http_tools.templates import names_in
from aisha.domain.tools import Access, ConfirmationPolicy, FollowUp

_PATH = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}|\{\w+\})*")
_Text = Annotated[str, Field(min_length=1, max_length=2000)]


class FollowUpMember(BaseModel):
    """See `aisha.domain.tools.FollowUp`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: _Text
    icon: str = "💡"
    tool: str | None = None
    arguments: dict[str, Any] | None = None


class HttpToolFile(EndpointFile):
    """A tool that is one request to an API of the customer.

    `path`, `query`, `body` and `headers` may hold `{parameter}`, `{tenant}` and `{user}`; `{secret}` stands in a
    header, which is `Authorization: Bearer {secret}` when the file names a secret and no header for it. A parameter
    without a value removes its entry from query and body. `{parameter}` alone keeps the value's JSON type in the body.
    `access` follows from the method unless it is stated: GET reads, DELETE deletes, the others write; `confirmation` is
    `destructive` for what deletes or goes outside. Plain `http` and addresses of private networks need `allow_private`.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    description: _Text
    parameters: dict[str, Any] = Field(default_factory=dict, validate_default=True)
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: Annotated[str, Field(max_length=2000)] = ""
    query: dict[str, str] = Field(default_factory=dict)
    body: JsonValue = None
    max_response_bytes: Annotated[int, Field(ge=1, le=1_048_576)] = 65_536
    access: Access | None = None
    confirmation: ConfirmationPolicy | None = None
    always: bool = False
    examples: tuple[_Text, ...] = ()
    typical_followups: tuple[_Text | FollowUpMember, ...] = ()

    @field_validator("parameters")
    @classmethod
    def _is_object_schema(cls, value: dict[str, Any]) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False} | value
        if problem := schema_problem(schema):
            raise ValueError(problem)
        if schema["type"] != "object" or schema["additionalProperties"] is not False:
            raise ValueError("it must be a closed object: leave type and additionalProperties out")
        if unnamed := [name for name, part in schema["properties"].items() if not isinstance(part, dict)]:
            raise ValueError(f"parameter {unnamed[0]!r} needs a schema")
        if taken := sorted({*CALLER, SECRET} & schema["properties"].keys()):
            raise ValueError(f"{taken[0]!r} can't be a parameter: it is not a model's to choose")
        if stray := sorted(set(schema.get("required", ())) - schema["properties"].keys()):
            raise ValueError(f"{stray[0]!r} is required, but no parameter")
        return schema

    @field_validator("url")
    @classmethod
    def _is_base(cls, value: str) -> str:
        parts = checked_address(value, "https://crm.example.com/api")
        if "?" in value or "#" in value or not _PATH.fullmatch(parts.path) or list(names_in(value)):
            raise ValueError("it must be without query, fragment and {parameter}: these belong into path and query")
        return value.rstrip("/")

    @field_validator("path")
    @classmethod
    def _is_path(cls, value: str) -> str:
        if value and not value.startswith("/"):
            raise ValueError("it must begin with /")
        if not _PATH.fullmatch(value) or any(part in (".", "..") for part in value.split("/")):
            raise ValueError("it may hold /, percent-encoded text and {parameter} only")
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        problems = [
            *self.address_problems(),
            *self._template_problems(),
            *self.header_problems(),
            *self._access_problems(),
        ]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _template_problems(self) -> list[str]:
        schema = self.parameters
        sure = {*schema.get("required", ()), *(n for n, part in schema["properties"].items() if "default" in part)}
        problems = []
        for where, template in (("path", self.path), ("query", self.query), ("body", self.body)):
            stray = sorted(set(names_in(template)) - schema["properties"].keys() - CALLER)
            problems += [f"{where}: {{{name}}} is no parameter" for name in stray]
        optional = sorted((set(names_in(self.path)) & schema["properties"].keys()) - sure)
        problems += [f"path: {{{name}}} must be required or have a default" for name in optional]
        used = set(names_in([self.path, self.query, self.body]))
        # The model would ask the user for a value that goes nowhere.
        unused = [name for name in schema["properties"] if name not in used]
        return problems + [f"parameters: {name!r} is used in neither path, query nor body" for name in unused]

    def _access_problems(self) -> list[str]:
        problems = []
        if self.method == "GET" and self.body is not None:
            problems.append("body: a GET has none")
        if self.method == "DELETE" and self.access in ("read", "write"):
            problems.append("access: a DELETE is 'delete' or 'external'")
        return problems

    @property
    def effective_access(self) -> Access:
        """Return the file's access, or else the method's."""
        by_method: dict[str, Access] = {"GET": "read", "DELETE": "delete"}
        return self.access or by_method.get(self.method, "write")

    @property
    def effective_confirmation(self) -> ConfirmationPolicy:
        """Return the file's confirmation, or else that of its access, as for a Python tool."""
        return self.confirmation or ("destructive" if self.effective_access in ("delete", "external") else "none")

    @property
    def followups(self) -> tuple[FollowUp, ...]:
        return tuple(
            FollowUp(item) if isinstance(item, str) else FollowUp(item.text, item.icon, item.tool, item.arguments)
            for item in self.typical_followups
        )
