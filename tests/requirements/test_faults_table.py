"""The table of faults names at least one test, and existing ones, for each fault."""

import tomllib
from pathlib import Path
from typing import Any

from tests.support.named_tests import missing_tests

TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "faults.toml").read_text(encoding="utf-8"))["tests"]


def test_every_fault_has_its_tests() -> None:
    assert list(TABLE) == [str(number) for number in range(1, 29)]
    assert all(TABLE.values())


def test_every_fault_is_shown_through_a_function_as_its_caller_sees_it() -> None:
    shown = {row for row, names in TABLE.items() if any(name.startswith("tests/integration/") for name in names)}
    assert shown == TABLE.keys()


def test_the_tests_that_the_table_names_exist() -> None:
    assert list(missing_tests(name for names in TABLE.values() for name in names)) == []
