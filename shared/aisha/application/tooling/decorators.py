"""`@tool` and `@toolkit`: they store their options on the function or class; the registry turns them into specs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aisha.application.tooling.context import ToolContext
from aisha.domain.tools import ALL_CLIENTS, Access, Client, ConfirmationPolicy, FollowUp

Check = Callable[[ToolContext, Mapping[str, Any]], object]
"""Raises an `AishaError` for a call, by its converted arguments, that can't succeed now."""
TOOL_MARK = "__aisha_tool__"
TOOLKIT_MARK = "__aisha_toolkit__"


class ToolMark(Struct, frozen=True, kw_only=True):
    """Mark a typed function as a tool; `@tool(...)` stores these options on it.

    Most are those of `ToolSpec`, which describes them.
    """

    name: str | None = None
    """The function's name by default."""
    description: str | None = None
    """The function's docstring by default."""
    access: Access = "read"
    """The most that any call of the tool does."""
    confirmation: ConfirmationPolicy | None = None
    """`destructive` by default for `delete` and `external` tools, else `none`."""
    module: str | None = None
    """The CRM module that its users need."""
    role: str | None = None
    """The role that its users need."""
    always: bool = False
    persistent: bool = True
    clients: Sequence[Client] = ALL_CLIENTS
    guidance: str | None = None
    typical_followups: Sequence[FollowUp | str] = ()
    examples: Sequence[str] = ()
    read_actions: Sequence[str] = ()
    ordered_by: Sequence[str] = ()
    port: str | None = None
    """The one of `ToolPorts` without which it can't run: then nobody is asked to confirm it."""
    check: Check | None = None
    """Fails a call that can't succeed, before anybody is asked to confirm it."""

    def __post_init__(self) -> None:
        # A text is a sequence of letters: with its parentheses forgotten, each letter would be an example.
        for option in ("examples", "clients", "read_actions", "ordered_by", "typical_followups"):
            if isinstance(value := getattr(self, option), str | FollowUp):
                text = repr(value) if isinstance(value, str) else f"FollowUp({value.text!r}, ...)"
                raise TypeError(f"{option} must be several in parentheses, not one: ({text},)")

    def __call__[F: Callable[..., object]](self, function: F) -> F:
        # Stored and not wrapped, so that tests call the function itself.
        setattr(function, TOOL_MARK, self)
        return function


tool = ToolMark


class ToolkitMark(Struct, frozen=True):
    name: str
    description: str
    module: str | None


def toolkit[C: type](*, name: str, description: str, module: str | None = None) -> Callable[[C], C]:
    """Mark a class as a toolkit: its methods with `@tool` become tools of one instance, created without arguments.

    `description` is required and describes the purpose of the tools together. `module` is their default.
    """
    if not description.strip():
        raise TypeError(f"toolkit {name!r} needs a description")

    def mark(cls: C) -> C:
        setattr(cls, TOOLKIT_MARK, ToolkitMark(name, description, module))
        return cls

    return mark
