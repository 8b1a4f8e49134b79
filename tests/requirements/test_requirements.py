"""Every requirement has its tests, or a reason why it has none."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.named_tests import missing_tests

FOLDER = Path(__file__).parent
IDS: dict[str, str] = tomllib.loads((FOLDER / "ids.toml").read_text(encoding="utf-8"))
TABLE: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "requirements.toml").read_text(encoding="utf-8"))


def test_every_requirement_stands_once_under_tests_superseded_or_later() -> None:
    assert sorted([*TABLE["tests"], *TABLE["superseded"], *TABLE["later"]]) == sorted(IDS)
    assert all(TABLE["tests"].values())
    assert all(IDS.values())


@pytest.mark.parametrize("kind", ["superseded", "later"])
def test_what_has_no_test_has_a_reason(kind: str) -> None:
    assert [requirement for requirement, reason in TABLE[kind].items() if len(reason.split()) < 4] == []


def test_the_tests_that_the_table_names_exist() -> None:
    assert list(missing_tests(name for names in TABLE["tests"].values() for name in names)) == []
