"""Data that a model gets on demand, whole sections of it: one module a section (C-M1).

A section is a module here with `ID`, `DESCRIPTION` and `read(context: ToolContext) -> JSON value`. It is read anew at
each turn that has it attached. What the user may not see is not in it.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from aisha.application.tooling.context import ToolContext

__all__ = ["DataSection", "data_sections"]


class DataSection(Struct, frozen=True):
    """`id` is what a model asks for, `description` what it is told of it; `read` gives its content."""

    id: str
    description: str
    read: Callable[[ToolContext], Any]


@lru_cache(maxsize=1)
def data_sections() -> Mapping[str, DataSection]:
    """Every section by id. Raises TypeError for two of one id."""
    found: dict[str, DataSection] = {}
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if not hasattr(module, "ID"):
            continue
        if module.ID in found:
            raise TypeError(f"two data sections are called {module.ID!r}")
        found[module.ID] = DataSection(module.ID, module.DESCRIPTION, module.read)
    return found
