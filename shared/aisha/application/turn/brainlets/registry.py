"""The brainlets of a deployment, discovered in a package and sorted by their dependencies."""

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType

from aisha.application.turn.brainlets.spec import MARK, Brainlet
from aisha.domain.conversations.modes import MODES
from aisha.domain.discovery import modules_in


class Brainlets:
    """Brainlets sorted so that each comes after those on which it depends.

    Raises ValueError for a duplicate name, an unknown dependency or mode, a dependency on a later stage, and a cycle.
    """

    def __init__(self, brainlets: Iterable[Brainlet] = ()) -> None:
        self._by_name: dict[str, Brainlet] = {}
        for brainlet in brainlets:
            if brainlet.name in self._by_name:
                places = f"{_name_with_place(self._by_name[brainlet.name])} and {_name_with_place(brainlet)}"
                raise ValueError(f"two brainlets have one name: {places}")
            self._by_name[brainlet.name] = brainlet
        for brainlet in self._by_name.values():
            self._check(brainlet)
        graph = {brainlet.name: brainlet.depends_on for brainlet in self._by_name.values()}
        try:
            names = list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            circle = " -> ".join(_name_with_place(self._by_name[name]) for name in error.args[1])
            raise ValueError(f"brainlets depend on each other in a circle: {circle}") from None
        self.ordered = tuple(self._by_name[name] for name in names)

    def _check(self, brainlet: Brainlet) -> None:
        for name in brainlet.depends_on:
            if name not in self._by_name:
                raise ValueError(f"the brainlet {_name_with_place(brainlet)} depends on {name!r}, which does not exist")
            if brainlet.stage == "pre" and self._by_name[name].stage == "post":
                raise ValueError(f"the brainlet {_name_with_place(brainlet)} runs before {name!r}, on which it depends")
        if not brainlet.modes:
            raise ValueError(f"the brainlet {_name_with_place(brainlet)} has no modes: leave them out, to run in all")
        if unknown := set(brainlet.modes) - set(MODES):
            raise ValueError(
                f"the brainlet {_name_with_place(brainlet)} has unknown modes: {', '.join(sorted(unknown))}; "
                f"there are {', '.join(MODES)}"
            )

    def keeping_turns(self) -> "Brainlets":
        """Return the brainlets with `keeps_turn`. Raises ValueError if one of them depends on a brainlet without it."""
        return Brainlets(brainlet for brainlet in self.ordered if brainlet.keeps_turn)


def _name_with_place(brainlet: Brainlet) -> str:
    """Return the name with the file and line of the function, as far as it has code of its own."""
    code = getattr(brainlet.run, "__code__", None)
    return f"{brainlet.name!r} ({Path(code.co_filename).name}:{code.co_firstlineno})" if code else repr(brainlet.name)


def discover_brainlets(package: ModuleType | str) -> Brainlets:
    """Import every module of the package and return the brainlets marked there.

    Raises the ValueErrors of `Brainlets`.
    """
    values = (value for module in modules_in(package) for value in vars(module).values())
    return Brainlets([mark for value in values if isinstance(mark := getattr(value, MARK, None), Brainlet)])
