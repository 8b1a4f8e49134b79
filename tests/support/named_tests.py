"""Find the tests that the tables of requirements, faults and threats name."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.support.dialogue.conversations import CONVERSATIONS
from tests.support.tenants.argument_cases import CASES

ROOT = Path(__file__).parents[2]
PARAMETERS = {
    "test_conversation": frozenset(CONVERSATIONS),
    "test_it_changes_the_answer_or_what_is_kept": frozenset(CASES),
}
"""The allowed parameters of parametrized test functions, by function."""


_WEB_TEST = re.compile(r"""\btest\(\s*(["`])(?P<title>.+?)\1,""")


@cache
def titles_of(path: str) -> frozenset[str]:
    """Return the titles of a file of the web client's tests, a path under the root; none when there is no such file."""
    file = ROOT / path
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return frozenset(matches["title"] for matches in _WEB_TEST.finditer(text))


@cache
def functions_of(path: str) -> frozenset[str]:
    """Return the names of the functions of a file, a path under the root; none when there is no such file."""
    file = ROOT / path
    tree = ast.parse(file.read_text(encoding="utf-8") if file.exists() else "")
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def missing_tests(names: Iterable[str]) -> Iterator[str]:
    """Yield the names `path::function`, `path::function[parameter]` or `path::title` of which there is no test."""
    for name in names:
        path, _, test = name.partition("::")
        if path.endswith(".mjs"):
            if test not in titles_of(path):
                yield name
            continue
        function, _, parameter = test.removesuffix("]").partition("[")
        exists = function.startswith("test_") and function in functions_of(path)
        if not exists or (parameter and parameter not in PARAMETERS.get(function, ())):
            yield name
