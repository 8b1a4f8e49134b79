"""The definition of a tool."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from aisha.application.tooling.context import ToolContext
from aisha.domain.tools import ToolSpec


class Tool(Struct, frozen=True):
    """A tool's data and its code. `owner` is the toolkit class of a method, None for a plain function.

    `convert` turns the JSON arguments into validated keyword arguments of `function`, or raises `InvalidInputError`;
    None for a function whose signature defines it.
    """

    spec: ToolSpec
    function: Callable[..., Any]
    owner: type | None = None
    convert: Callable[[dict[str, Any], ToolContext], dict[str, Any]] | None = None


def source_of(function: Callable[..., Any]) -> str:
    """Return the file and line of a tool's function, or that a file describes it."""
    code = getattr(function, "__code__", None)
    # The method of an object that was made of a file: of an HTTP tool, or a tool of an MCP server.
    if code is None or inspect.ismethod(function):
        return "a file in tool_schemas"
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
