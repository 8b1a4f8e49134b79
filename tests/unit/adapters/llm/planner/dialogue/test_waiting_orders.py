"""Test that what follows a question about an order, or an order just done, is read as being about that."""

import pytest

from tests.unit.adapters.llm.planner.dialogue.test_taken_back import changes_of

TOM = "Add Tom Brandt, tom.brandt@kestrel.example, he's CFO at Kestrel Optics, seems keen"


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("score him 70", {"score": "70"}),
        ("his number is +49 30 5557788", {"phone": "+49 30 5557788"}),
    ],
)
def test_what_is_told_of_a_record_that_waits_for_a_yes_is_created_with_it(line: str, values: dict[str, str]) -> None:
    assert changes_of(TOM, line)[0] == []
    ((name, created),) = changes_of(TOM, line, "yes")[0]
    assert name == "Tom Brandt"
    assert {**created, **values} == created


def test_another_kind_for_a_record_that_waits_for_a_yes_replaces_the_question() -> None:
    changes, reply = changes_of(TOM, "as a contact, obviously")
    assert changes == []
    assert "shall I create the contact Tom Brandt?" in reply


def test_an_order_on_a_record_that_waits_for_a_yes_is_carried_out_after_it() -> None:
    changes, reply = changes_of(TOM, "set up a call with him tomorrow at 9")
    assert changes == []
    assert "Once you've said yes, I'll go on with “set up a call with him tomorrow at 9”." in reply
    created = changes_of(TOM, "set up a call with him tomorrow at 9", "yes")[0]
    assert [name for name, _ in created] == ["Call with Tom Brandt", "Tom Brandt"]


DEAL = (
    'Please register a new opportunity for Stonebridge Legal if you would: "Document Vault", valued at 42,500 dollars'
)


def test_a_deal_that_waits_for_a_yes_takes_its_contact_another_value_and_a_note() -> None:
    lines = ("Please also add Paloma Ortega as its contact.", "I must correct myself: the value is 45,200.")
    changes, reply = changes_of(DEAL, *lines, "Note on it that the vote is on the 14th.")
    assert changes == []
    assert "Amount: $45,200" in reply
    assert "Contact: Paloma Ortega" in reply
    created = changes_of(DEAL, *lines, "Note on it that the vote is on the 14th.", "yes")[0]
    assert [name for name, _ in created] == ["the vote is on the 14th", "Document Vault"]


def test_an_activity_that_waits_for_a_yes_is_what_is_assigned_moved_and_cancelled() -> None:
    order = "make a task out of Jack Russel's whim for Friday at 9"
    for line in ("assign it to Bob", "move it to Monday", "cancel it"):
        assert changes_of(order, line)[0] == []
    ((name, values),) = changes_of(order, "assign it to Bob", "yes")[0]
    assert (name, values["owner"]) == ("Follow up with Jack Russel", "bob")


def test_a_mere_type_plans_nothing_unasked() -> None:
    planned = changes_of("call Mateo Villanueva on Monday at 9")[0]
    assert changes_of("call Mateo Villanueva on Monday at 9", "meeting")[0] == planned


def test_the_other_deal_is_none_that_was_just_asked_about() -> None:
    _, reply = changes_of("We lost the ABC pilot. Mark that please.", "and delete the other ABC deal")
    assert "Shall I delete the deal **ABC Corp Annual License**?" in reply


def test_the_demo_is_the_one_just_planned_whatever_was_asked_since() -> None:
    lines = ("book a demo with Nadia Rahman for Monday at 2pm", "what's her phone number?", "push the demo to Tuesday")
    ((name, values),) = changes_of(*lines)[0]
    assert name == "Demo with Nadia Rahman"
    assert values["due_at"].startswith("2026-03-10T14:00")


def test_a_deal_that_was_spoken_of_comes_before_those_of_the_company_in_mind() -> None:
    order = "what stage is the Helios support renewal in, and please book a call with Wei Zhang for Monday at 2"
    _, reply = changes_of(order, "move the renewal's close date to the end of April")
    assert "Helios Solar Support Renewal" in reply


def test_nothing_is_written_on_a_record_that_no_answer_named() -> None:
    assert changes_of("my new leads in chi-town", "mark that one contacted")[0] == []


def test_a_note_on_her_saying_something_is_about_the_person_told_of() -> None:
    line = "I've just come off the phone with Anneliese Vogel, put a note on her saying she wants the panels by May"
    ((name, _),) = changes_of(line)[0]
    assert name == "she wants the panels by May"


@pytest.mark.parametrize(
    ("line", "owner"),
    [
        ("Reassign Beatriz Carvalho to me, please. Bob has agreed.", "alice"),
        ("Stop assigning Priya Nair to me, give her to Bob!", "bob"),
    ],
)
def test_the_last_one_to_whom_a_record_is_handed_owns_it(line: str, owner: str) -> None:
    ((_, values),) = changes_of(line, "yes")[0]
    assert values == {"owner": owner}
