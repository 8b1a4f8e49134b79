"""Discovery of modules: what is put into a package, such as a tool, is found by being there."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def modules_in(package: ModuleType | str) -> Iterator[ModuleType]:
    """Import the modules of a package and of the packages in it, and yield each, in the order of their own names."""
    root = importlib.import_module(package) if isinstance(package, str) else package
    # By its own name, so that moving a module into a package changes no order of tools in prompts.
    for name in sorted(_names(root), key=lambda name: (own_name(name), name)):
        yield importlib.import_module(name)


def own_name(module: ModuleType | str) -> str:
    """Return a module's name without those of its packages."""
    return (module if isinstance(module, str) else module.__name__).rpartition(".")[2]


def _names(package: ModuleType) -> Iterator[str]:
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if info.ispkg:
            yield from _names(importlib.import_module(info.name))
        else:
            yield info.name
