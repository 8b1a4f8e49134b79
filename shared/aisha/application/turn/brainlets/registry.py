"""The brainlets of a deployment, found in a package, in an order that their dependencies allow."""

import importlib
import pkgutil
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from types import ModuleType

from aisha.application.turn.brainlets.spec import MARK, Brainlet
from aisha.domain.modes import MODES


class Brainlets:
    """All brainlets in an order that their dependencies allow.

    Raises ValueError for two of one name, an unknown dependency or mode, a dependency on a later stage, and a cycle.
    """

    def __init__(self, brainlets: Iterable[Brainlet] = ()) -> None:
        self._by_name: dict[str, Brainlet] = {}
        for one in brainlets:
            if one.name in self._by_name:
                raise ValueError(f"two brainlets are called {one.name!r}")
            self._by_name[one.name] = one
        for one in self._by_name.values():
            self._check(one)
        graph = {one.name: one.depends_on for one in self._by_name.values()}
        try:
            names = list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            raise ValueError(f"brainlets depend on each other in a circle: {' -> '.join(error.args[1])}") from None
        self.ordered = tuple(self._by_name[name] for name in names)

    def _check(self, one: Brainlet) -> None:
        for name in one.depends_on:
            if name not in self._by_name:
                raise ValueError(f"the brainlet {one.name!r} depends on {name!r}, which does not exist")
            if one.stage == "pre" and self._by_name[name].stage == "post":
                raise ValueError(f"the brainlet {one.name!r} runs before {name!r}, on which it depends")
        if unknown := set(one.modes) - set(MODES):
            raise ValueError(f"the brainlet {one.name!r} has unknown modes: {', '.join(sorted(unknown))}")

    def that_keep_turns(self) -> "Brainlets":
        """Return those that keep what a turn did. Raises ValueError if one depends on another one."""
        return Brainlets(one for one in self.ordered if one.keeps_turn)


def discover_brainlets(package: ModuleType | str) -> Brainlets:
    """Import every module of the package and return what is marked there. Raises ValueError as `Brainlets` does."""
    root = importlib.import_module(package) if isinstance(package, str) else package
    marked = []
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{root.__name__}.{info.name}")
        marked += [mark for value in vars(module).values() if isinstance(mark := getattr(value, MARK, None), Brainlet)]
    return Brainlets(marked)
