"""The table of clients' failures names existing tests, or a reason, for each."""

import tomllib
from pathlib import Path
from typing import Any

from tests.support.named_tests import missing_tests

TABLE: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "clients.toml").read_text(encoding="utf-8"))


def test_every_failure_has_its_tests_or_a_reason() -> None:
    stands = sorted([*TABLE["tests"], *TABLE["later"]], key=lambda name: int(name[1:]))
    assert stands == [f"F{number}" for number in range(1, 18)]
    assert all(TABLE["tests"].values())
    assert all(len(reason.split()) > 4 for reason in TABLE["later"].values())


def test_the_tests_that_the_table_names_exist() -> None:
    assert list(missing_tests(name for names in TABLE["tests"].values() for name in names)) == []
