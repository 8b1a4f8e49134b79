"""A tool: its data and its code."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from aisha.application.tooling.context import ToolContext
from aisha.domain.tools import ToolSpec


class Tool(Struct, frozen=True):
    """A tool's data and its code. `owner` is the toolkit class of a method, None for a plain function.

    `convert` makes validated keyword arguments of `function` from the JSON arguments, or raises `InvalidInputError`; None
    for a function whose signature says how.
    """

    spec: ToolSpec
    function: Callable[..., Any]
    owner: type | None = None
    convert: Callable[[dict[str, Any], ToolContext], dict[str, Any]] | None = None
