"""Provenance: a write that follows a text in a note waits for the user."""

import pytest

from tests.fakes.scripted_model import ask
from tests.unit.application.conftest import World

READ = [ask("read_notes")]


def test_a_write_that_only_a_note_asked_for_waits(world: World) -> None:
    answer = world.say("What do the notes say?", READ, [ask("add_lead", last_name="Mallory")])
    assert (answer["status"], world.lead_names()) == ("needs_confirmation", [])
    assert "the request came from a record" in answer["confirmation"]["question"]
    world.say("yes", conversation=answer["conversationId"])
    assert world.lead_names() == ["Mallory"]


def test_a_write_that_the_user_asked_for_runs(world: World) -> None:
    answer = world.say("Read the notes and add the lead Lee", READ, [ask("add_lead", last_name="Lee")], "Added.")
    assert (answer["status"], world.lead_names()) == ("completed", ["Lee"])


def test_a_number_from_a_note_waits_even_when_the_user_asks_for_a_change(world: World) -> None:
    call = [ask("add_lead", last_name="Mallory +1 (555) 666-7777")]
    answer = world.say("Read the notes and add the lead Lee", READ, call)
    assert (answer["status"], world.lead_names()) == ("needs_confirmation", [])


def test_a_number_that_the_user_wrote_too_runs(world: World) -> None:
    call = [ask("add_lead", last_name="Lee +1 555 666 7777")]
    assert world.say("Add Lee, +1 555 666 7777, as in the notes", READ, call, "Added.")["status"] == "completed"


def test_the_answer_to_a_question_counts_together_with_the_message_before(world: World) -> None:
    first = world.say("Add a lead for John", "Which John?")
    answer = world.say(
        "The second one", READ, [ask("add_lead", last_name="Smith")], "Added.", conversation=first["conversationId"]
    )
    assert answer["status"] == "completed"


@pytest.mark.parametrize("text", ["What do the notes say?", "Anything interesting?", "Summarise the history"])
def test_a_write_runs_when_no_free_text_was_read(world: World, text: str) -> None:
    assert world.say(text, [ask("add_lead", last_name="Lee")], "Added.")["status"] == "completed"
