"""Several asks in one message: what needs a yes waits, and everything else is answered before the question."""

from tests.support.conversations import NOW, Stage
from tests.support.desk import REGISTRY


def test_a_write_that_the_gate_asks_about_does_not_swallow_the_other_asks() -> None:
    stage = Stage(REGISTRY, NOW, profiles=lambda _: {"rules": {"create_note": "ask"}})
    before = stage.counts()
    answer = stage.say(
        "Add a note to Jack Russel that he likes tea. What is Viktor Petrescu's phone number? Call Viktor on Friday."
    )
    assert "603 555 0143" in answer["response"]
    assert "Call with Viktor Petrescu" in answer["response"]
    assert answer["confirmation"]["question"].startswith("Shall I add this note to Jack Russel?")
    assert stage.counts() == before | {"activity": before["activity"] + 1}
    stage.say("yes", answer["conversationId"])
    assert stage.counts()["note"] == before["note"] + 1
