"""Discovery of tools: a function marked by `@tool` in a module of the package becomes a tool."""

import importlib
import inspect
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from aisha.application.tooling.arguments.schemas import description_of, parameters_schema, returns_schema
from aisha.application.tooling.decorators import TOOL_MARK, TOOLKIT_MARK, ToolkitMark, ToolMark
from aisha.application.tooling.definition import Tool, source_of
from aisha.application.tooling.published import PublishedTool, read_index
from aisha.application.tooling.registry import ToolRegistry
from aisha.domain.discovery import modules_in, own_name
from aisha.domain.tools import FollowUp, ToolSpec

ASSETS = Path(__file__).parents[2] / "assets"
SCHEMA_FOLDER = ASSETS / "tool_schemas"
INDEX_FILE = ASSETS / "tool_index.json"
"""Exists only in the built layer, where tools can't change any more."""


def discover(package: ModuleType | str, schemas: Path | None = SCHEMA_FOLDER) -> ToolRegistry:
    """Import all modules of the package and of the packages in it, and register their tools.

    They are sorted by the module's own name, whatever package it is in, and by the tool's name. `schemas` is the folder
    of published schemas, which are read instead of computed; the schema of a new tool without a file, or all of them
    with None, are computed. With the index of the built layer, a module is only imported at the first call of one of
    its tools.
    """
    if schemas == SCHEMA_FOLDER and package == "aisha.tools" and (indexed := read_index(INDEX_FILE)):
        return ToolRegistry(
            PublishedTool(spec, partial(_import_tool, f"{package}.{module}", spec.name)) for module, spec in indexed
        )
    tools: list[Tool] = []
    for module in modules_in(package):
        if not (of_module := tools_of(module, schemas)):
            raise TypeError(f"{own_name(module)}.py has no tool: mark a function with @tool(...)")
        tools.extend(sorted(of_module, key=lambda item: item.spec.name))
    return ToolRegistry(tools)


def _import_tool(module: str, name: str) -> Tool:
    return next(item for item in tools_of(importlib.import_module(module)) if item.spec.name == name)


def tools_of(module: ModuleType, schemas: Path | None = SCHEMA_FOLDER) -> list[Tool]:
    """Return the tools that a module defines, in their order."""
    tools: list[Tool] = []
    for value in vars(module).values():
        # Imported from another module, which registers it itself.
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(mark := getattr(value, TOOLKIT_MARK, None), ToolkitMark) and inspect.isclass(value):
            methods = (member for member in vars(value).values() if hasattr(member, TOOL_MARK))
            tools.extend(_make_tool(method, mark, value, schemas) for method in methods)
        elif hasattr(value, TOOL_MARK):
            stem = module.__name__.rsplit(".", 1)[-1]
            tools.append(_make_tool(value, ToolkitMark(stem, module.__doc__ or stem, None), None, schemas))
    return tools


def _make_tool(function: Callable[..., Any], kit: ToolkitMark, owner: type | None, schemas: Path | None) -> Tool:
    mark: ToolMark = getattr(function, TOOL_MARK)
    name = mark.name or function.__name__
    # Computing a schema takes milliseconds, reading its file a fraction of one.
    published = _read_published(name, schemas)
    try:
        description = description_of(function, mark.description)
        parameters = published["parameters"] if published else parameters_schema(function)
        returns = published["returns"] if published else returns_schema(function)
    except TypeError as error:
        raise TypeError(f"{source_of(function)}: {error}") from error
    confirmation = mark.confirmation or ("destructive" if mark.access in ("delete", "external") else "none")
    spec = ToolSpec(
        name=name,
        description=description,
        parameters=parameters,
        returns=returns,
        toolkit=kit.name,
        toolkit_description=kit.description,
        access=mark.access,
        confirmation=confirmation,
        module=mark.module or kit.module,
        role=mark.role,
        always=mark.always,
        persistent=mark.persistent,
        clients=tuple(mark.clients),
        guidance=mark.guidance,
        typical_followups=tuple(FollowUp(step) if isinstance(step, str) else step for step in mark.typical_followups),
        examples=tuple(mark.examples),
        read_actions=tuple(mark.read_actions),
        ordered_by=tuple(mark.ordered_by),
        port=mark.port,
    )
    return Tool(spec, function, owner)


def _read_published(name: str, schemas: Path | None) -> dict[str, Any] | None:
    if schemas is None or not (path := schemas / f"{name}.json").is_file():
        return None
    return dict(json.loads(path.read_text(encoding="utf-8")))
