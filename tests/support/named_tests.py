"""Find the tests that the tables of requirements, faults and threats name."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.support.argument_cases import CASES
from tests.support.conversations import CONVERSATIONS

ROOT = Path(__file__).parents[2]
PARAMETERS = {
    "test_conversation": frozenset(CONVERSATIONS),
    "test_it_changes_the_answer_or_what_is_kept": frozenset(CASES),
}
"""The allowed parameters of parametrized test functions, by function."""


@cache
def functions_of(path: str) -> frozenset[str]:
    """Return the names of the functions of a file, a path under the root; none when there is no such file."""
    file = ROOT / path
    tree = ast.parse(file.read_text(encoding="utf-8") if file.exists() else "")
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def missing_tests(names: Iterable[str]) -> Iterator[str]:
    """Yield the names `path::function` or `path::function[parameter]` of which there is no test."""
    for name in names:
        path, _, test = name.partition("::")
        function, _, parameter = test.removesuffix("]").partition("[")
        exists = function.startswith("test_") and function in functions_of(path)
        if not exists or (parameter and parameter not in PARAMETERS.get(function, ())):
            yield name
