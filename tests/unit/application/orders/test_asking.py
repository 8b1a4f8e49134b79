"""A write runs only for words that ask for it: an order, a request, a wish, or a change that is stated alone."""

import pytest

from tests.unit.application.orders.test_judge import judged


@pytest.mark.parametrize(
    "message",
    [
        "Chuck Jack Russel over to lost",
        "We must set Jack Russel to lost",
        "Jack Russel should move to lost",
        "Jack Russel: lost, please",
        "Quick one before lunch: set Jack Russel to lost",
        "I'd be grateful if you set Jack Russel to lost",
        "Time to move Jack Russel to lost",
    ],
)
def test_every_form_of_an_order_runs(message: str) -> None:
    assert judged(message, status="lost").is_ordered


@pytest.mark.parametrize(
    "message",
    [
        "Set Jack Russel to lost - that's what Bob wrote",
        "Jack Russel -> lost, that's what the old sheet said",
        "Bob's on it: set Jack Russel to lost",
        "Set Jack Russel to lost - said nobody ever",
        "For Bob to do: set Jack Russel to lost",
        "For example: set Jack Russel to lost",
        "Hold off on this: set Jack Russel to lost",
        "In a perfect world Jack Russel gets the status lost and I get a bonus",
        "put Jack Russel to lost myself on the bus, all good",
        "Remind Bob to set Jack Russel to lost",
        "Set Jack Russel to lost. Or don't, I'll decide tomorrow.",
        "Lost for Jack Russel, he'd love that",
        "I was going to say set Jack Russel to lost",
        "Fed up with Jack Russel, he's lost to me",
        "Do the people at the office say that Jack Russel is lost",
    ],
)
def test_what_has_no_form_of_an_order_waits(message: str) -> None:
    assert not judged(message, status="lost").is_ordered


def test_a_users_name_that_is_a_verb_stays_one() -> None:
    assert judged("Mark Jack Russel as lost", user="mark", status="lost").is_ordered


def test_a_fact_that_is_followed_by_a_verb_alone_is_stored() -> None:
    assert judged("Jack Russel is lost. Mark him.", status="lost").is_ordered


def test_points_are_a_score() -> None:
    assert judged("Jack Russel deserves 70 points. Change it.", score=70).is_ordered
