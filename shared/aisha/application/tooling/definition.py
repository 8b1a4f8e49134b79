"""The definition of a tool."""

from collections.abc import Callable
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
