"""Specs of tools as JSON: the files of tool_schemas/, and the index that deployed functions read without imports."""

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import convert

from aisha.application.tooling.arguments.schemas import JSON_SCHEMA_DIALECT
from aisha.application.tooling.definition import Tool
from aisha.domain.tools import FollowUp, ToolSpec

_MEMBERS = (
    "description", "toolkit", "toolkit_description", "module", "role", "access", "read_actions", "ordered_by",
    "confirmation", "port", "always", "persistent", "clients", "guidance", "typical_followups", "examples",
    "parameters", "returns",
)  # fmt: skip
"""The members of a file, in their order."""


def published(spec: ToolSpec) -> dict[str, Any]:
    """Return the JSON of a tool's file in tool_schemas/."""
    members = {"$schema": JSON_SCHEMA_DIALECT, "id": spec.name} | {name: getattr(spec, name) for name in _MEMBERS}
    return members | {"typical_followups": [_follow_up_json(follow_up) for follow_up in spec.typical_followups]}


def spec_of(file: Mapping[str, Any]) -> ToolSpec:
    """Return the spec of a tool's file, the inverse of `published`."""
    return convert({"name": file["id"], **file}, ToolSpec)


def _follow_up_json(follow_up: FollowUp) -> dict[str, Any]:
    fields: dict[str, Any] = {"text": follow_up.text, "icon": follow_up.icon, "tool": follow_up.tool}
    return fields | ({"arguments": dict(follow_up.arguments)} if follow_up.arguments is not None else {})


class PublishedTool:
    """A tool whose spec comes from its file; its module is imported at the first call."""

    # As in a `Tool` that is a function: its signature defines the conversion.
    convert = None

    def __init__(self, spec: ToolSpec, load: Callable[[], Tool]) -> None:
        self.spec, self._load = spec, load

    @cached_property
    def _tool(self) -> Tool:
        return self._load()

    @property
    def function(self) -> Callable[..., Any]:
        return self._tool.function

    @property
    def owner(self) -> type | None:
        return self._tool.owner


def read_index(path: Path) -> list[tuple[str, ToolSpec]]:
    """Return each tool's module and spec in the order of discovery; an empty list without the file.

    The build of the shared layer (infra/build/layer.py) writes the file from tool_schemas/.
    """
    if not path.is_file():
        return []
    return [(module_of(file), spec_of(file)) for file in json.loads(path.read_text(encoding="utf-8"))]


def module_of(file: Mapping[str, Any]) -> str:
    """Return the module's name in `aisha.tools`: `records.leads` for `aisha.tools.records.leads.Leads.get_lead`."""
    # After the module come a toolkit's class, which has a capital letter, and the function.
    return ".".join(part for part in str(file["parameters"]["title"]).split(".")[2:-1] if part.islower())
