"""Test what users say of their own orders: put a part back, keep it at hand, move it on, or order once more."""

import pytest

from tests.support.dialogue.desk_play import played


@pytest.mark.parametrize(
    "wish",
    [
        "undo the amount part",
        "no, the old amount",
        "On reflection, the previous amount was correct. Leave the date as it now stands.",
    ],
)
def test_one_field_of_a_change_is_put_back_alone(wish: str) -> None:
    order = "Set the amount of Redwood Media Expansion to 120k and close date to June 1"
    assert played(order, wish, says_yes=True)[0] == {"Redwood Media Expansion": {"close_date": "2026-06-01"}}


def test_a_part_that_is_not_named_is_asked_for() -> None:
    order = "Set the amount of Redwood Media Expansion to 120k and close date to June 1"
    assert "the amount or the close date" in played(order, "undo that last bit", says_yes=True)[1]
    assert played(order, "undo that last bit", "all of it", says_yes=True)[0] == {}


def test_what_shall_stay_where_it_was_is_put_back() -> None:
    order = "Could you move the Willow Creek license to negotiation please?"
    assert played(order, "Actually no, let's leave it where it was for now.", says_yes=True)[0] == {}


def test_another_name_after_an_undo_gets_what_was_undone() -> None:
    changes, _ = played("charlotte to lost", "wait wrong one undo", "i meant camille", says_yes=True)
    assert changes == {"Camille Dubois": {"status": "lost"}}


@pytest.mark.parametrize(
    ("order", "news", "changes"),
    [
        (
            "If Isabel says yes on Friday I would move her to qualified, but let's see",
            "ok she said yes. do it",
            {"Isabel Navarro": {"status": "qualified"}},
        ),
        (
            "as soon as Cobalt pays, the training deal should go to negotiation",
            "they paid, move it",
            {"Cobalt Mining Training Package": {"stage": "negotiation", "probability": "75"}},
        ),
    ],
)
def test_a_change_on_a_condition_is_made_once_the_news_comes(
    order: str, news: str, changes: dict[str, dict[str, str]]
) -> None:
    assert played(order, says_yes=True)[0] == {}
    assert played(order, news, says_yes=True)[0] == changes


@pytest.mark.parametrize(
    ("shift", "due"),
    [
        ("Move it to the following day, same time", "2026-03-07T10:00"),
        ("Move it to the day before at 3", "2026-03-05T15:00"),
        ("push it to next week same time", "2026-03-13T10:00"),
    ],
)
def test_a_day_is_counted_from_that_of_the_activity(shift: str, due: str) -> None:
    changes, _ = played("Schedule a call with Jack Russel on Friday at 10", shift, says_yes=True)
    assert changes["Call with Jack Russel"]["due_at"].startswith(due)


def test_an_activity_becomes_one_of_another_kind() -> None:
    changes, _ = played("Schedule a call with Jack Russel on Friday at 10", "no, make it a meeting", says_yes=True)
    assert changes["Call with Jack Russel"]["activity_type"] == "meeting"


def test_an_order_after_a_no_is_carried_out_instead() -> None:
    changes, reply = played(
        "Could you delete the account plan task for Valentina Ricci?", "Hmm, no, rather mark it as done.", says_yes=True
    )
    assert changes["Update account plan"]["status"] == "completed"
    assert "did not delete" in reply


def test_a_task_for_somebody_who_is_no_colleague_is_about_them() -> None:
    changes, _ = played("give Ingrid a task for Monday: send her the shipping references", says_yes=True)
    assert changes["Send her the shipping references"]["owner"] == "alice"


def test_an_order_for_one_record_creates_no_second_one() -> None:
    message = "Farah Aziz is CFO at Crescent Foods, she came with Ben Holt, so please create her as a lead"
    assert list(played(message, says_yes=True)[0]) == ["Farah Aziz"]


def test_of_several_records_all_are_changed_though_one_is_asked_about() -> None:
    changes, _ = played("tag Lars, Viktor and Rafael as spring campaign", says_yes=True)
    assert changes.keys() == {"Lars Eriksen", "Viktor Petrescu", "Rafael Monteiro"}


@pytest.mark.parametrize(
    ("message", "name", "values"),
    [
        (
            "Note to Stonebridge Legal account: invoice 2291 is open since 12 February, amount 8,400",
            "invoice 2291 is open since 12 February, amount 8,400",
            {},
        ),
        (
            "Next step on Falcon training: get signed DPA. Probability 60.",
            "Falcon Aerospace Training Package",
            {"next_step": "get signed DPA", "probability": "60"},
        ),
        (
            "The Quantum Leap pilot was signed on 20 February and not 18. Please correct the closing date.",
            "Quantum Leap Labs Pilot Project",
            {"close_date": "2026-02-20"},
        ),
        ("Ximena Cordero asked not to be emailed any more", "Ximena Cordero", {"do_not_email": "True"}),
    ],
)
def test_a_value_is_stored_whole_and_where_it_belongs(message: str, name: str, values: dict[str, str]) -> None:
    changes, _ = played(message, says_yes=True)
    assert list(changes) == [name]
    assert changes[name].items() >= values.items()


def test_an_idea_to_drop_an_amount_is_no_deletion() -> None:
    changes, _ = played("thinking of dropping stonebridge training to 20k, idk", "yeah do it", says_yes=True)
    assert changes == {"Stonebridge Legal Training Package": {"amount": "20000"}}
