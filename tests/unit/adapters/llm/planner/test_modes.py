"""The modes of answering show without a language model, too."""

from typing import Any

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools

REGISTRY = product_tools()


def reply(message: str, mode: str) -> str:
    answer: dict[str, Any] = Stage(REGISTRY, NOW).say(message, mode=mode)
    return str(answer["response"])


def test_a_brief_answer_is_shorter_and_says_what_it_leaves_out() -> None:
    whole, brief = (reply("Tell me about Jack Russel", mode) for mode in ("default", "brief"))
    assert len(brief) < len(whole)
    assert brief.splitlines()[0] == whole.splitlines()[0]
    assert len(brief.splitlines()) <= 6
    assert brief.splitlines()[-1].startswith("… and ")


def test_a_coach_ends_with_a_question_about_who_is_talked_about() -> None:
    coached = reply("Tell me about Jack Russel", "coach")
    assert coached.endswith("?")
    assert "Jack Russel" in coached.splitlines()[-1]


@pytest.mark.parametrize("mode", ["brief", "coach"])
def test_a_question_to_the_user_stays_whole(mode: str) -> None:
    assert reply("schedule a call with john", mode) == reply("schedule a call with john", "default")


def test_the_voice_mode_speaks_whatever_the_format() -> None:
    spoken = reply("Tell me about Jack Russel", "voice")
    assert "**" not in spoken
    assert "\n-" not in spoken
