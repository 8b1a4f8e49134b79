"""Play whole conversations in everyday words with the offline planner, each on fresh demo data.

Those that `held.txt` names must hold; `python -m tests.answers --regression --write` rewrites it. Of these, the ones
that `quick.txt` names are part of `make test`: all files, users, statuses and tools of the others occur in them. The
others are slow tests.
"""

from typing import Any

import pytest

from aisha.application.tooling import ToolRegistry
from tests.answers.regression import HELD, QUICK, covered, read_names
from tests.support.dialogue.conversations import CONVERSATIONS, FILES, NOW, play

HELD_NAMES, QUICK_NAMES = read_names(HELD), read_names(QUICK)


def test_each_list_names_conversations_in_order() -> None:
    for names in (HELD_NAMES, QUICK_NAMES):
        assert names == sorted(set(names))
    assert set(QUICK_NAMES) <= set(HELD_NAMES) <= set(CONVERSATIONS)


def test_the_quick_ones_cover_every_file_and_every_tool_that_is_expected_of_the_others() -> None:
    assert {file.stem for file in FILES} == {name.partition("-")[0] for name in QUICK_NAMES}
    assert covered(QUICK_NAMES) == covered(HELD_NAMES)


@pytest.mark.parametrize(
    "conversation",
    [
        pytest.param(CONVERSATIONS[name], id=name, marks=() if name in QUICK_NAMES else pytest.mark.slow)
        for name in HELD_NAMES
    ],
)
def test_conversation(conversation: dict[str, Any], registry: ToolRegistry) -> None:
    assert not "\n".join(play(conversation, registry, NOW))
