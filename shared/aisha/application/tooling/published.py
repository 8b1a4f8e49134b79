"""A tool's data as JSON: what tool_schemas/ shows, and what a deployed function reads in place of importing every tool."""

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from aisha.application.tooling.definition import Tool
from aisha.application.tooling.schemas import JSON_SCHEMA_DIALECT
from aisha.domain.tools import FollowUp, ToolSpec


def published(spec: ToolSpec) -> dict[str, Any]:
    """One tool as its file shows it."""
    return {
        "$schema": JSON_SCHEMA_DIALECT,
        "id": spec.name,
        "description": spec.description,
        "toolkit": spec.toolkit,
        "module": spec.module,
        "role": spec.role,
        "access": spec.access,
        "read_actions": list(spec.read_actions),
        "confirmation": spec.confirmation,
        "always": spec.always,
        "persistent": spec.persistent,
        "clients": list(spec.clients),
        "guidance": spec.guidance,
        "typical_followups": [_follow_up(item) for item in spec.typical_followups],
        "examples": list(spec.examples),
        "parameters": spec.parameters,
        "returns": spec.returns,
    }


def spec_of(file: Mapping[str, Any]) -> ToolSpec:
    """The spec that `published` made this of."""
    fields = {name: value for name, value in file.items() if name not in ("$schema", "id")}
    lists = ("read_actions", "clients", "examples")
    fields |= {name: tuple(fields[name]) for name in lists}
    fields["typical_followups"] = tuple(FollowUp(**item) for item in fields["typical_followups"])
    return ToolSpec(name=file["id"], **fields)


def _follow_up(item: FollowUp) -> dict[str, Any]:
    shown: dict[str, Any] = {"text": item.text, "icon": item.icon, "tool": item.tool}
    return shown | ({"arguments": dict(item.arguments)} if item.arguments is not None else {})


class PublishedTool:
    """A tool known by its file; its module is imported when it is first called."""

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
    """Every tool's spec with the module that it stands in, in the order of discovery; nothing without the file.

    The file is made of tool_schemas/ when the shared layer is built (infra/build/layer.py).
    """
    if not path.is_file():
        return []
    return [(module_of(file), spec_of(file)) for file in json.loads(path.read_text(encoding="utf-8"))]


def module_of(file: Mapping[str, Any]) -> str:
    """The last part of the name of the module in which a published tool stands: `leads` of `aisha.tools.leads.Leads.get_lead`."""
    return str(file["parameters"]["title"]).split(".")[2]
