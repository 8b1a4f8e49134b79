"""Test that nothing of an order is left out unsaid: names, exceptions, denied values and times that are not read."""

import pytest

from tests.unit.adapters.llm.planner.dialogue.test_taken_back import changes_of

UNQUALIFIED = ("Arjun Mehta", "Desmond Achebe", "Gabriela Fonseca", "Priya Nair")


def test_a_company_that_has_no_place_in_a_new_record_is_asked_about() -> None:
    changes, reply = changes_of("I met Per Solheim of Bergen Marine at Fjord Shipping, add him as a lead")
    assert changes == []
    assert "Fjord Shipping" in reply


@pytest.mark.parametrize(
    "order",
    [
        "With the exception of Priya Nair, please mark all of these as lost.",
        "mark them all as lost except Priya Nair",
        "set them all to lost but not Priya",
        "Mark all but Priya as lost",
    ],
)
def test_who_is_left_out_of_an_order_for_several_is_not_changed(order: str) -> None:
    changes, reply = changes_of("Which of my leads are unqualified?", order)
    assert "Priya Nair" not in [name for name, _ in changes]
    assert "Priya Nair" not in reply
    assert all(name in reply for name in UNQUALIFIED[:-1])


def test_an_order_for_all_of_a_description_leaves_out_whom_it_says() -> None:
    _, reply = changes_of("set all my unqualified leads to lost apart from Priya Nair")
    assert [name for name in UNQUALIFIED if name in reply] == [*UNQUALIFIED[:-1]]


def test_a_value_that_is_denied_beside_another_is_not_set() -> None:
    changes, _ = changes_of("Nina Kowalski should be marked as a prospect, not active.")
    assert changes == [("Nina Kowalski", {"status": "prospect"})]


def test_a_field_that_stays_takes_no_order_for_another_back() -> None:
    changes, _ = changes_of(
        "Set the probability of Willow Creek Schools Annual License to 60 percent. The stage should stay unchanged."
    )
    assert changes == [("Willow Creek Schools Annual License", {"probability": "60"})]


def test_a_name_that_a_correction_denies_is_not_changed() -> None:
    changes, reply = changes_of(
        "Change the amount of Meridian Health Patient Portal to 125,000. Sorry, not the Patient Portal, to 42,500."
    )
    assert changes == []
    assert "Which" in reply


def test_an_order_that_is_denied_at_its_verb_is_not_even_proposed() -> None:
    changes, reply = changes_of(
        "As discussed, do not close the Evergreen Builders Expansion as won till the PO is here."
    )
    assert changes == []
    assert "Shall I" not in reply


def test_a_time_that_is_not_read_is_asked_for_and_not_replaced_by_another() -> None:
    changes, reply = changes_of("make a task for Nina Kowalski a week before the fair to send the flyer")
    assert changes == []
    assert "a week before the fair" in reply


def test_a_time_may_be_told_by_the_day_on_which_the_deal_closes() -> None:
    messages = (
        "show me Redwood Media Expansion",
        "make a task one week before it closes to ask for the signature",
        "yes",
    )
    ((name, values),) = changes_of(*messages)[0]
    assert name == "Ask for the signature"
    assert values["due_at"].startswith("2026-05-23")


def test_a_name_in_a_next_step_is_not_whom_the_order_is_about() -> None:
    messages = ("show me Blue Harbor Fleet Tracking", "put the next step as get signature from Divya")
    assert changes_of(*messages)[0] == [("Blue Harbor Fleet Tracking", {"next_step": "get signature from Divya"})]


def test_a_record_named_twice_gets_one_activity() -> None:
    changes, _ = changes_of("call with Lars Eriksen on Monday at 11, about the Viking Outdoor contract")
    assert [name.partition(":")[0] for name, _ in changes] == ["Call with Lars Eriksen"]


def test_a_no_that_names_another_record_is_not_only_a_no() -> None:
    _, reply = changes_of(
        "delete the lead Desmond Achebe", "No, I took the wrong person, it is Arjun Mehta that must go away."
    )
    assert "Arjun Mehta" in reply


def test_an_email_that_waits_is_corrected_by_another_word() -> None:
    messages = (
        "email Giorgio Conti that the papers will be with him by Tuesday",
        "He'd like Wednesday rather than Tuesday.",
    )
    assert "by Wednesday" in changes_of(*messages)[1]


def test_a_meeting_may_be_cancelled_right_after_it_was_planned() -> None:
    messages = ("schedule a meeting with Valentina Ricci on Monday from 9 to 10", "cancel that")
    ((name, values),) = changes_of(*messages)[0]
    assert (name, values["status"], values["duration_minutes"]) == ("Meeting with Valentina Ricci", "cancelled", "60")


def test_a_choice_may_name_the_amount_of_a_deal() -> None:
    changes, reply = changes_of("set helios to negotiation", "the 23k one")
    assert "Helios Solar Support Renewal" in reply or changes
