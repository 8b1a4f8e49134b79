"""Every requirement has its test: the table names them, and what it names is there."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conversations.player import conversations
from tests.conversations.test_conversations import FILES
from tests.unit.tools.test_every_argument import CASES

ROOT = Path(__file__).parents[2]
TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "requirements.toml").read_text(encoding="utf-8"))
NAMED = [(requirement, name) for requirement, names in TABLE["tests"].items() for name in names]
RANGES = {
    "A": [(3, 9), (20, 115), (120, 146), (150, 163)],
    "M": [(1, 50)],
    "N": [(30, 40), (50, 72), (80, 107), (110, 123)],
    "K": [(1, 61), (70, 79)],
}
"""The requirements that this table is about, by the letter of their document."""


@cache
def functions(path: str) -> frozenset[str]:
    """The test functions of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


@cache
def parameters(function: str) -> frozenset[str]:
    """What the brackets after a function may say."""
    if function == "test_conversation":
        return frozenset(f"{file.stem}-{one['id']}" for file in FILES for one in conversations(file))
    return frozenset(CASES)


def test_no_requirement_is_without_test_or_reason() -> None:
    answered = [*TABLE["tests"], *TABLE["superseded"], *TABLE["later"]]
    assert sorted(answered) == sorted(TABLE["ids"]), "each id once: under tests, superseded or later"
    assert len(set(TABLE["ids"])) == len(TABLE["ids"])
    assert all(TABLE["tests"].values())


def test_the_ids_are_those_of_the_ranges() -> None:
    for one in TABLE["ids"]:
        letter, number = re.fullmatch(r"([AMNK])-(\d{3})", one).groups()  # type: ignore[union-attr]
        assert any(first <= int(number) <= last for first, last in RANGES[letter]), one


@pytest.mark.parametrize("kind", ["superseded", "later"])
def test_what_is_not_held_says_why(kind: str) -> None:
    assert [one for one, reason in TABLE[kind].items() if len(reason.split()) < 4] == []


@pytest.mark.parametrize(("requirement", "name"), NAMED, ids=[f"{one}-{place}" for place, (one, _) in enumerate(NAMED)])
def test_the_named_test_is_there(requirement: str, name: str) -> None:
    path, _, test = name.partition("::")
    function, _, parameter = test.removesuffix("]").partition("[")
    assert function.startswith("test_")
    assert function in functions(path), f"{requirement}: {path} has no {function}"
    if parameter:
        assert parameter in parameters(function), f"{requirement}: {function} has no {parameter}"
