"""The acts: a function each, from an ask to tool calls and an answer. `load` registers all of them."""

import importlib
import pkgutil


def load() -> None:
    """Import the modules of this package and of its folders, which register their acts."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(module.name)
