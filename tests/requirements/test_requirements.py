"""Every requirement has its test: the table names them, and what it names is there."""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.argument_cases import CASES
from tests.support.conversations import FILES, conversations

ROOT = Path(__file__).parents[2]
TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "requirements.toml").read_text(encoding="utf-8"))
NAMED = [(requirement, name) for requirement, names in TABLE["tests"].items() for name in names]
RANGES = {
    "A": "3-9 20-30 40-43 50-64 70-79 90-107 110-112 120-126 130-135 140-146 150-156 160-163",
    "M": "1-28 50",
    "N": "30-40 50-54 60-63 70-72 80-89 100-107 110-116 120-123",
    "K": "1-6 10-26 30-37 40-61 70-79",
}
"""The numbers of the requirements that this table is about, by the letter of their document."""


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
    return frozenset(CASES if function == "test_it_changes_the_answer_or_what_is_kept" else ())


def test_no_requirement_is_without_test_or_reason() -> None:
    answered = [*TABLE["tests"], *TABLE["superseded"], *TABLE["later"]]
    assert sorted(answered) == sorted(TABLE["ids"]), "each id once: under tests, superseded or later"
    assert len(set(TABLE["ids"])) == len(TABLE["ids"])
    assert all(TABLE["tests"].values())


def numbers(ranges: str) -> Iterator[int]:
    for one in ranges.split():
        first, _, last = one.partition("-")
        yield from range(int(first), int(last or first) + 1)


def test_the_ids_are_those_of_the_ranges() -> None:
    assert set(TABLE["ids"]) == {f"{letter}-{one:03}" for letter, of_it in RANGES.items() for one in numbers(of_it)}


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
