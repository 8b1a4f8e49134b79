"""flow-chat's question: answered by the client's flag, by a choice, and a yes only to what was shown."""

import pytest

from aisha.domain.errors import InvalidInputError
from tests.support.tenants.flow_desk import FIRST_RECORD, RENAME, Desk, analysis

# --- userConfirmation


@pytest.mark.parametrize("message", ["", "Ann moved to Initech, note that"])
def test_the_clients_flag_is_an_answer(desk: Desk, message: str) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    desk.say(message, "Done.", userConfirmation=True)
    assert desk.lead("Ann Lee").company == "Initech"


def test_the_clients_flag_may_say_no(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    assert desk.say("", userConfirmation=False)["status"] == "completed"
    assert desk.lead("Ann Lee").company == "Globex"


def test_a_plan_that_was_never_shown_cannot_be_confirmed(desk: Desk) -> None:
    answer = desk.say("Ann moved to Initech, note that", RENAME, userConfirmation=True)
    assert answer["needsConfirmation"]
    assert "userConfirmation" in answer["warnings"][0]
    other = analysis(("search_leads", {"name_contains": "Ann"}), ("delete_lead", {"lead_id": FIRST_RECORD}))
    assert desk.say("Delete Ann", other, userConfirmation=True)["needsConfirmation"]
    assert desk.lead("Ann Lee").company == "Globex"


JACK = analysis(
    ("search_leads", {"name_contains": "Jack"}),
    ("update_lead", {"lead_id": FIRST_RECORD, "job_title": "Pirate"}),
)

# --- several records


@pytest.mark.parametrize("choice", ["2", "the second one", "number 2, please", "Sparrow", "Jack Sparrow from Pearl"])
def test_one_of_several_records_is_chosen(desk: Desk, choice: str) -> None:
    answer = desk.say("Jack is a pirate", JACK)
    assert answer["confirmationType"] == "select"
    labels = [option["label"] for option in answer["alternatives"]]
    first = next(option["value"] for option in answer["alternatives"] if "Russel" in option["label"])
    if first == "2":
        choice = choice.replace("2", "1").replace("second", "first")
    assert len(labels) == 2
    assert answer["confirmation"]["alternatives"] == answer["alternatives"]
    desk.say(choice, "Done.")
    assert (desk.lead("Jack Sparrow").job_title, desk.lead("Jack Russel").job_title) == ("Pirate", None)


@pytest.mark.parametrize("words", ["yes", "Jack", "delete Sparrow", "what does Sparrow do?", "3", "Sparrow or Russel"])
def test_other_words_choose_none(desk: Desk, words: str) -> None:
    desk.say("Jack is a pirate", JACK)
    desk.say(words, analysis(), "Which one?")
    assert desk.lead("Jack Sparrow").job_title is None
    assert desk.lead("Jack Russel").job_title is None


def test_the_endpoint_requires_the_choice(desk: Desk) -> None:
    answer = desk.say("Jack is a pirate", JACK)
    sparrow = next(option["value"] for option in answer["alternatives"] if "Sparrow" in option["label"])
    with pytest.raises(InvalidInputError, match="Sparrow"):
        desk.decide(answer["confirmation"]["id"], approve=True)
    desk.decide(answer["confirmation"]["id"], approve=True, choice=sparrow)
    assert desk.lead("Jack Sparrow").job_title == "Pirate"


def test_two_names_of_several_are_asked_about_one_after_the_other(desk: Desk) -> None:
    plan = analysis(
        ("search_leads", {"name_contains": "Jack"}),
        ("search_leads", {"limit": 2}),
        ("update_lead", {"lead_id": FIRST_RECORD, "job_title": "Pirate"}),
        ("create_note", {"entity_type": "lead", "entity_id": {"$step": 2, "path": "record.id"}, "content": "Ahoy"}),
    )
    desk.say("Jack is a pirate, and note it", plan)
    again = desk.say("1")
    assert again["confirmationType"] == "select"
    assert desk.counts() == {"lead": 3}
    desk.say("1", "Done.")
    assert desk.counts() == {"lead": 3, "note": 1}


# --- a yes is one to what was shown


def test_a_text_that_comes_from_a_step_after_the_yes_is_not_written(desk: Desk) -> None:
    created, listed = {"$step": 1, "path": "record.id"}, {"$step": 2, "path": "items.0.content"}
    plan = analysis(
        ("create_lead", {"last_name": "Quark", "company": "Bar"}),
        ("list_notes", {"entity_type": "lead", "entity_id": created}),
        ("create_note", {"entity_type": "lead", "entity_id": created, "content": listed}),
    )
    answer = desk.say("Create the lead Quark of Bar and note what there is", plan)
    assert [step["status"] for step in answer["steps"]] == ["planned", "planned", "failed"]
    assert "its content would only be known after an earlier step" in answer["confirmationQuestion"]
    desk.say("yes", "Done.")
    assert desk.counts() == {"lead": 4}


def test_each_alternative_shows_the_text_that_it_would_write(desk: Desk) -> None:
    company = {"$step": 1, "path": "record.company"}
    plan = analysis(
        ("search_leads", {"name_contains": "Jack"}),
        ("create_note", {"entity_type": "lead", "entity_id": FIRST_RECORD, "content": company}),
    )
    question = desk.say("Note the company of Jack", plan)["confirmationQuestion"]
    assert f'content: "{desk.lead("Jack Sparrow").company}"' in question


# --- what the message asks for besides


def test_what_is_ordered_beside_a_question_which_one_is_done_with_the_choice(desk: Desk) -> None:
    order = "Schedule a call with Jack tomorrow at 3pm and add a note on Ann Lee: wants net 30"
    answer = desk.say_offline(order)
    assert answer["confirmationType"] == "select"
    assert "net 30" in answer["response"]
    assert not desk.records("note")
    desk.say_offline("2")
    assert [one.display_name for one in desk.records("note")] == ["wants net 30"]
    assert len(desk.records("activity")) == 1


def test_a_second_question_is_named_and_follows_the_choice(desk: Desk) -> None:
    answer = desk.say_offline("Schedule a call with Jack tomorrow at 3pm and set the job title of Jack to Pirate")
    assert answer["confirmationType"] == "select"
    assert "set the job title of Jack to Pirate" in answer["response"]
    # The rest asks which one again: nothing says that it is the same.
    assert "Pirate" in desk.say_offline("2")["response"]
