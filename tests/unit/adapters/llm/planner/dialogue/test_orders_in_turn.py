"""Test orders that lean on what was said before them: differences, corrections, undoing, groups, and what is told."""

import pytest

from tests.support.dialogue.desk_play import played


@pytest.mark.parametrize(
    ("messages", "name", "values"),
    [
        (["add 5 to the score of Lars Eriksen", "take 4 off again", "yes"], "Lars Eriksen", {"score": "84"}),
        (["Viktor from Carpathia is keen, plus 10 on his score", "yes"], "Viktor Petrescu", {"score": "86"}),
        (["raise the ABC pilot by 5 percent"], "ABC Corp Pilot Project", {"amount": "54600"}),
        (
            ["lower the probability of the Redwood expansion by 10%"],
            "Redwood Media Expansion",
            {"probability": "40"},
        ),
        (["my open deals", "bump the biggest one by 10%", "yes"], "Stonebridge Legal Platform Rollout", None),
    ],
)
def test_a_number_said_as_a_difference_is_added_to_the_stored_one(
    messages: list[str], name: str, values: dict[str, str] | None
) -> None:
    changes, _ = played(*messages)
    assert changes == {name: values or {"amount": "149600"}}


def test_each_undo_takes_one_more_change_back() -> None:
    orders = ["set Isabel Navarro to qualified", "set her score to 80"]
    assert played(*orders, "undo")[0] == {"Isabel Navarro": {"status": "qualified"}}
    assert played(*orders, "undo", "undo")[0] == {}


def test_an_undo_takes_back_all_that_a_message_changed_of_a_record() -> None:
    assert played("set Isabel Navarro to qualified. score 80", "undo")[0] == {}


@pytest.mark.parametrize("correction", ["no, I meant Fatima Al-Rashid", "ah not gabriela, i meant fatima"])
def test_a_correction_of_whom_is_carried_out_after_the_yes_to_its_undo(correction: str) -> None:
    changes, _ = played("change Gabriela Fonseca to contacted", correction, "yes")
    assert changes == {"Fatima Al-Rashid": {"status": "contacted"}}


def test_who_stays_while_a_question_waits_takes_back_no_other_change() -> None:
    changes, reply = played("give Tariq Mahmoud to Bob", "also Arjun Mehta", "no sorry, Arjun stays with me")
    assert changes == {"Tariq Mahmoud": {"owner": "bob"}}
    assert "shall I undo" not in reply


def test_what_is_left_alone_beside_an_order_with_words_in_common_takes_nothing_back() -> None:
    changes, _ = played("helios field service to proposal, amount 42k. helios renewal: leave.")
    assert changes == {"Helios Solar Field Service": {"stage": "proposal", "probability": "50", "amount": "42000"}}


def test_one_record_is_taken_out_of_a_group() -> None:
    assert played("raise all my new leads to contacted", "only Kenji")[0] == {"Kenji Watanabe": {"status": "contacted"}}
    assert "Dmitri Volkov" in played("delete all lost leads", "only Dmitri")[1]


def test_a_deal_that_a_clause_after_a_conversion_tells_is_opened_with_it() -> None:
    _, reply = played("Ingrid from Fjord wants to go ahead. convert her please and put the deal at 40k")
    assert "convert Ingrid Halvorsen" in reply
    assert "$40,000" in reply


def test_an_imagined_value_is_written_once_it_is_decided() -> None:
    thought = "We were thinking of raising Viking Outdoor's value to 20k but nothing is decided."
    changes, reply = played(thought)
    assert not changes
    assert "Shall I do it?" in reply
    assert played(thought, "ok decided, do it", "yes")[0] == {"Lars Eriksen": {"estimated_value": "20000"}}


def test_a_company_that_a_record_has_already_is_not_written() -> None:
    changes, _ = played("Catalina Moreno is now Head of Facilities at Willow Creek")
    assert changes == {"Catalina Moreno": {"job_title": "Head of Facilities"}}


def test_the_name_of_a_field_is_no_value_of_another() -> None:
    assert played("For Tidewater Foods return: account type, industry, website.")[0] == {}


def test_what_an_email_cannot_carry_is_said() -> None:
    _, reply = played("send Priya the revised quote and tell her we'll call on Monday")
    assert "I can't attach anything, so the revised quote is not in it" in reply


@pytest.mark.parametrize(
    "message", ["add a sticky note: buy milk", "sticky: buy milk", "put up a sticky that says buy milk"]
)
def test_a_sticky_note_needs_no_time(message: str) -> None:
    assert "I've put up a sticky note: buy milk." in played(message)[1]


def test_an_undo_of_what_only_waits_takes_back_nothing() -> None:
    changes, reply = played("scrap the call with Rafael about the pilot, he cancelled", "oh wait, bring it back")
    assert not changes
    assert "shall I undo" not in reply


def test_it_after_a_task_is_the_task() -> None:
    changes, _ = played("Can you create a task to prepare the deck for Stonebridge, due Friday, and assign it to Bob?")
    assert list(changes) == ["Prepare the deck for Stonebridge"]
    assert changes["Prepare the deck for Stonebridge"]["owner"] == "bob"


def test_a_number_after_a_note_is_no_part_of_it() -> None:
    changes, _ = played("note for Omar Benali that he missed the call", "actually make that 10")
    assert list(changes) == ["he missed the call"]


def test_what_is_undone_is_not_put_back_by_undoing_more_without_a_question() -> None:
    changes, reply = played("set Kenji Watanabe to contacted", "his score is 50", "undo that", "put that back")
    assert changes == {"Kenji Watanabe": {"status": "contacted"}}
    assert "undone already" in reply


def test_what_is_late_is_not_taken_for_done_where_an_order_follows() -> None:
    """A statement before an order tells why it is given."""
    order = "The call with Rafael Monteiro about the pilot is overdue. Please move it to tomorrow at 16:00."
    values = played(order)[0]["Call Rafael Monteiro about the pilot"]
    assert "status" not in values
    assert values["due_at"].startswith("2026-03-05T16:00")


def test_the_same_text_is_written_to_another_record() -> None:
    """The record of a repeated order stands where the first one's stood, before the text."""
    order = "add a next step to the first: send revised proposal"
    changes, _ = played("show me deals without a next step", order, "yes", "same for the second", "yes")
    assert [values["next_step"] for values in changes.values()] == ["send revised proposal"] * 2


def test_what_was_told_before_it_is_to_be_logged_is_kept_whole() -> None:
    """Nothing of the report is lost."""
    changes, _ = played("just tried Hannah Weissberg, voicemail again. log it please")
    assert "voicemail again" in str(changes)
