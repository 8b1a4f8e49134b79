"""Whole conversations in everyday words with the offline planner, each on demo data as new."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from aisha.application.tooling import ToolRegistry, discover
from tests.conversations.player import conversations, play

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
"""A Wednesday, 10:00 in the demo users' zone."""
FILES = sorted(Path(__file__).parent.glob("*.jsonl"))


@pytest.fixture(scope="session")
def registry() -> ToolRegistry:
    return discover("aisha.tools")


@pytest.mark.parametrize(
    "conversation",
    [pytest.param(one, id=f"{file.stem}-{one['id']}") for file in FILES for one in conversations(file)],
)
def test_conversation(conversation: dict[str, Any], registry: ToolRegistry) -> None:
    assert not "\n".join(play(conversation, registry, NOW))
