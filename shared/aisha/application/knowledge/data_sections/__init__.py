"""Sections of data that a model gets on demand, one module each (C-M1).

A section is a module here with `ID`, `DESCRIPTION` and `read(context: ToolContext) -> JSON value`. It is read anew in
each turn that has it attached and contains only what the user may see.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from aisha.application.tooling.context import ToolContext
from aisha.domain.discovery import modules_in, own_name

__all__ = ["DataSection", "data_sections"]


class DataSection(Struct, frozen=True):
    """A section of data. A model chooses it by `description` and requests it by `id`; `read` returns its content."""

    id: str
    description: str
    read: Callable[[ToolContext], Any]


@lru_cache(maxsize=1)
def data_sections() -> Mapping[str, DataSection]:
    """Return all sections by id. Raises TypeError when two have the same id."""
    sections: dict[str, DataSection] = {}
    files: dict[str, str] = {}
    for module in modules_in(__name__):
        # Modules without an id, such as `brief_records`, are helpers of the sections.
        if not hasattr(module, "ID") and not hasattr(module, "DESCRIPTION"):
            continue
        if module.ID in sections:
            both = f"{files[module.ID]}.py and {own_name(module)}.py"
            raise TypeError(f"two data sections have the id {module.ID!r}, in {both}")
        files[module.ID] = own_name(module)
        sections[module.ID] = DataSection(module.ID, module.DESCRIPTION, module.read)
    return sections
