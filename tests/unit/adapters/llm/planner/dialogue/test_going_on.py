"""Test that a message goes on with what was last spoken of: the list before, the rest of it, a field asked for."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import replies
from tests.support.tenants.desk import REGISTRY


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["leads in Seattle", "what's Viktor's email", "and in Boston?"], "Marcus Thornbury"),
        (["my new leads", "anyone worth over 80k?"], "Camille Dubois"),
        (["list my deals in proposal", "when does the third one close", "and the 4th?"], "Falcon Aerospace"),
        (["my deals in negotiation", "who are we talking to at Stonebridge", "when does that deal close?"], "Apr 25"),
        (["what's closing this week", "and what's her email?"], "divya.krishnan@"),
        (["what is John's email", "the IT guy", "and his phone"], "631 555 0105"),
        (["how is the Falcon deal", "and who's the person I'd be talking to"], "Nina Kowalski"),
    ],
)
def test_a_question_goes_on_with_what_was_spoken_of(messages: list[str], said: str) -> None:
    assert said in replies(*messages)[-1]


def test_what_is_left_of_a_list_is_what_no_order_was_for() -> None:
    *_, left = replies("my new leads", "mark Camille and Hannah as contacted", "and Marcus", "who's left?")
    assert "Amara Okafor" in left
    assert not any(name in left for name in ("Camille", "Hannah", "Marcus"))


@pytest.mark.parametrize(
    ("messages", "name", "field", "value"),
    [
        (["mark Camille and Hannah as contacted", "and Marcus"], "Marcus Thornbury", "status", "contacted"),
        (["set Jack Russel to qualified", "same for Aaliyah and Viktor"], "Viktor Petrescu", "status", "qualified"),
        (["what status is Siobhan Fitzgerald", "warm then", "yes"], "Siobhan Fitzgerald", "status", "warm"),
    ],
)
def test_an_order_is_repeated_or_completed_for_whom_it_names(
    messages: list[str], name: str, field: str, value: str
) -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.records.snapshot("demo")
    stage.converse(*messages)
    changed = {one.display_name: one for id_, one in stage.records.snapshot("demo").items() if one != before.get(id_)}
    assert getattr(changed[name], field) == value


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["book a call with Bronwyn Llewellyn tomorrow at 2", "make that Friday, I'm travelling tomorrow"], "Mar 6"),
        (["write Siobhan a mail", "put a demo in with Siobhan Fitzgerald, 12th at 2pm"], "Mar 12 at 2:00 PM"),
        (["what am I late with?", "The call with Rafael I missed. Can you push it to tomorrow at 9:30"], "tomorrow at"),
        (
            ["who do we know at ABC Corp", "call Quentin tomorrow at 9", "plan one with John Doe at 11"],
            "call with John",
        ),
    ],
)
def test_a_time_is_that_of_the_plan_that_is_meant(messages: list[str], said: str) -> None:
    assert said.lower() in replies(*messages)[-1].lower()


def test_a_correction_of_a_question_changes_nothing() -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.records.snapshot("demo")
    answers = stage.converse("what's the email of Quantum Leap Labs", "no, the customs one")
    assert answers[-1]["status"] == "completed"
    assert stage.records.snapshot("demo") == before
