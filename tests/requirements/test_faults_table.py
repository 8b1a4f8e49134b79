"""Every fault that the product must survive has its test: the table names them, and what it names is there."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.requirements.test_requirements import functions

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "faults.toml").read_text(encoding="utf-8"))["tests"]
LAST = 28


def test_every_fault_has_its_tests() -> None:
    assert list(TABLE) == [str(number) for number in range(1, LAST + 1)]
    assert all(TABLE.values())


@pytest.mark.parametrize("name", sorted({name for names in TABLE.values() for name in names}))
def test_the_named_test_is_there(name: str) -> None:
    path, _, test = name.partition("::")
    assert test in functions(path), f"{path} has no {test}"
