"""The table of what a tenant's own CRM is asked for names existing tests, or a reason, for each row."""

import tomllib
from pathlib import Path
from typing import Any

from tests.support.named_tests import missing_tests

TABLE: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "connectors.toml").read_text("utf-8"))


def test_every_row_has_its_tests_or_a_reason() -> None:
    assert all(TABLE["tests"].values())
    assert all(len(reason.split()) > 4 for reason in TABLE["later"].values())


def test_the_tests_that_the_table_names_exist() -> None:
    assert list(missing_tests(name for names in TABLE["tests"].values() for name in names)) == []
