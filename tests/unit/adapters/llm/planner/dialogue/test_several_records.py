"""Test asks about several records of a list, and parts of the last change that are taken back."""

import pytest

from tests.support.dialogue.desk_play import played


@pytest.mark.parametrize(
    ("messages", "listed", "left_out"),
    [
        (["What's in negotiation?", "Which of them are Bob's?", "And the other two?"], "Fleet Tracking", "Meridian"),
        (["Show my warm leads", "Set Lars and Jack to contacted", "and the rest?"], "Aaliyah Freeman", "Lars Eriksen"),
        (["Show my warm leads", "who is the second one?", "and the others?"], "Lars Eriksen", "Jack Russel"),
    ],
)
def test_the_others_are_those_of_the_list_that_no_answer_was_about(
    messages: list[str], listed: str, left_out: str
) -> None:
    _, reply = played(*messages)
    assert listed in reply
    assert left_out not in reply


def test_an_order_for_the_rest_changes_no_record_spoken_of_before() -> None:
    changes, _ = played("Show my leads in Denver", "Set the first one to lost", "set the rest to warm", "yes")
    assert changes == {
        "Lars Eriksen": {"status": "lost"},
        "Ximena Cordero": {"status": "warm"},
        "Tariq Mahmoud": {"status": "warm"},
    }


def test_both_are_the_two_of_the_list_after_one_was_spoken_of() -> None:
    changes, _ = played("Which accounts are at risk?", "And the second?", "Set both of them to healthy", "yes")
    assert {name: one["health"] for name, one in changes.items()} == dict.fromkeys(
        ("Blue Harbor Logistics", "Helios Solar"), "healthy"
    )


def test_more_first_ones_than_are_listed_are_asked_about() -> None:
    changes, reply = played("Which accounts are at risk?", "set the first three to healthy")
    assert changes == {}
    assert "which of them" in reply


@pytest.mark.parametrize("message", ["no wait, Lars stays warm", "undo Lars", "no, not lars"])
def test_one_of_two_changes_is_taken_back_alone(message: str) -> None:
    changes, _ = played("set Jack Russel and Lars Eriksen to contacted", message, "yes")
    assert changes == {"Jack Russel": {"status": "contacted"}}


def test_one_field_of_a_change_is_taken_back_alone() -> None:
    changes, _ = played("set Jack Russel's score to 80 and his value to 60k", "undo the value part", "yes")
    assert changes == {"Jack Russel": {"score": "80"}}


def test_the_answer_after_a_question_of_the_user_is_confirmed_first() -> None:
    messages = ["new deal 30k", "who owns Pinnacle Insurance Group?", "ok it's for Pinnacle"]
    assert played(*messages)[0] == {}
    assert len(played(*messages, "yes")[0]) == 1


def test_a_number_alone_corrects_the_number_of_the_order_and_not_its_other_value() -> None:
    changes, _ = played("move the Willow Creek deal to negotiation and 70k", "wait, 72", "yes")
    assert changes["Willow Creek Schools Annual License"]["amount"] == "72000"
    assert changes["Willow Creek Schools Annual License"]["stage"] == "negotiation"


def test_the_same_plan_for_another_an_hour_later_is_from_the_hour_of_the_first() -> None:
    changes, _ = played(
        "call John Smith on Monday at 10", "What's his title?", "Same call with Bronwyn, an hour later", "yes"
    )
    assert changes["Call with Bronwyn Llewellyn"]["due_at"].startswith("2026-03-09T11:00")


def test_a_field_of_companies_is_that_of_the_company_in_mind() -> None:
    assert "stonebridgelegal.example" in played("who is Paloma Ortega?", "what's their website?")[1]


def test_a_phone_number_after_its_field_is_written_and_not_asked_for() -> None:
    changes, _ = played("new lead Sam Porter from Brightside Gyms", "phone 212 555 0199")
    assert changes["Sam Porter"]["phone"] == "212 555 0199"


def test_the_rest_of_a_list_is_meant_after_something_was_planned_for_its_first_records() -> None:
    changes, reply = played(
        "Show my warm leads",
        "plan a call with the first two on Friday at 10",
        "plan a call with the rest on Monday at 9",
    )
    assert set(changes) == {"Call with Aaliyah Freeman", "Call with Jack Russel"}
    assert "4 calls for Lars Eriksen, Viktor Petrescu, Rafael Monteiro and Ingrid Halvorsen" in reply


def test_the_first_records_of_a_list_are_not_counted_as_its_others() -> None:
    _, reply = played("Show my warm leads", "create activities for the top 3", "how many of those are mine?")
    assert "3 warm leads" in reply
    assert "others" not in reply
