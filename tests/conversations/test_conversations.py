"""Play whole conversations in everyday words with the offline planner, each on fresh demo data.

Those that `quick.txt` names are part of `make test`: all tools, kinds of conversation, users and statuses occur in
them. The others are slow tests.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from aisha.application.tooling import ToolRegistry, discover
from tests.support.conversations import CONVERSATIONS, FILES, NOW, play

QUICK = (Path(__file__).parent / "quick.txt").read_text(encoding="utf-8").split()


@pytest.fixture(scope="session")
def registry() -> ToolRegistry:
    return discover("aisha.tools")


def tools_expected(names: Iterable[str]) -> set[str]:
    expectations = [turn.get("expect", {}) for name in names for turn in CONVERSATIONS[name]["turns"]]
    return {tool for expect in expectations for tool in (*expect.get("tools", ()), *expect.get("args", {}))}


def test_the_quick_ones_cover_every_file_and_every_tool_that_is_expected_anywhere() -> None:
    assert {file.stem for file in FILES} == {name.partition("-")[0] for name in QUICK}
    assert tools_expected(QUICK) == tools_expected(CONVERSATIONS)


@pytest.mark.parametrize(
    "conversation",
    [
        pytest.param(one, id=name, marks=() if name in QUICK else pytest.mark.slow)
        for name, one in CONVERSATIONS.items()
    ],
)
def test_conversation(conversation: dict[str, Any], registry: ToolRegistry) -> None:
    assert not "\n".join(play(conversation, registry, NOW))
