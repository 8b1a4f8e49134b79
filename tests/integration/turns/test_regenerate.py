"""A client that wants another answer in place of one whose turn wrote."""

import json
from typing import Any

import pytest

from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Record
from aisha.domain.models import ModelFinished, ModelRequest, TextChunk
from tests.fakes.aws.api_gateway import Answer, chat
from tests.fakes.world import ALICE, World

CALL = "Schedule a call with Jack Russel tomorrow at 10"


def send(trigger: str = "submit-message", text: str = CALL) -> Answer:
    sent = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": text}]}
    return chat({"id": "chat-1", "messages": [sent], "trigger": trigger}, ALICE)


def text_of(answer: Answer) -> str:
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
    return "".join(part.get("delta", "") for part in map(json.loads, lines) if part["type"] == "text-delta")


def activities(world: World) -> int:
    return len(world.records.search("demo", RecordQuery("activity", limit=50)).items)


class Rewording:
    """A model that answers every request for JSON with these words."""

    def __init__(self, words: str) -> None:
        self.words = words

    def stream(self, request: ModelRequest) -> Any:
        assert not request.tools
        yield TextChunk(json.dumps({"answer": self.words}))
        yield ModelFinished("openai", "gpt-6-luna")


def test_nothing_is_written_again_however_often_it_is_asked(world: World, crm: dict[str, Record]) -> None:
    before = activities(world)
    first = text_of(send())
    assert activities(world) == before + 1
    for _ in range(2):
        assert text_of(send("regenerate-message")) == first
    assert activities(world) == before + 1


def test_an_answer_that_only_read_is_made_anew(world: World, crm: dict[str, Record]) -> None:
    send(text="Which company does Jack Russel work for?")
    assert "ABC Corp" in text_of(send("regenerate-message", "Which company does Jack Russel work for?"))


@pytest.mark.parametrize(
    ("words", "is_taken"), [("All set: the call with Jack Russel is tomorrow, {figures}.", True), ("Done!", False)]
)
def test_a_model_says_it_in_other_words_that_keep_the_facts(
    world: World, crm: dict[str, Record], words: str, is_taken: bool
) -> None:
    before, first = activities(world), text_of(send())
    answer = words.format(figures=first)
    world.use(chat_model=Rewording(answer))
    assert (text_of(send("regenerate-message")) == answer) == is_taken
    assert activities(world) == before + 1
