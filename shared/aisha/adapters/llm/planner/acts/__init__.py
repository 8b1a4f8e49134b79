"""The acts: a function each, from an ask to tool calls and an answer. `load` registers all of them."""

import importlib
import pkgutil


def load() -> None:
    """Import the modules of this package, which register their acts."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
