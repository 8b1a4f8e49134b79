"""Answers to a question: yes, no, and what leaves the decision for later."""

import pytest

from aisha.application.dialogue.yes_no import is_postponed, read_decision, says_no

DELETE = "Shall I delete the lead **Ann Lee**?"
EMAIL = "Shall I send this email to Ann Lee (ann@abc.example)?"


@pytest.mark.parametrize(
    "text",
    [
        "not yet",
        "Not yet!",
        "hold on",
        "hang on a second",
        "wait",
        "wait a minute please",
        "ok wait",
        "maybe",
        "maybe later",
        "hmm, not sure",
        "I'm not sure yet",
        "let me think about it",
        "I don't know",
        "one moment",
        "Hold on, my colleague is meeting him next week",
    ],
)
def test_words_that_leave_the_decision_for_later(text: str) -> None:
    assert is_postponed(text, DELETE)
    assert read_decision(text, DELETE) is None


@pytest.mark.parametrize(
    "text",
    ["don't send", "please don't send it", "do not send that email", "don't", "no, not yet", "nah not yet",
     "hold on, leave it", "wait, no", "maybe not", "Hold on, my colleague is meeting him next week, so no, don't."],
)  # fmt: skip
def test_a_no_beside_a_delay_is_a_no(text: str) -> None:
    assert read_decision(text, EMAIL) is False
    assert not is_postponed(text, EMAIL)


@pytest.mark.parametrize("text", ["wait, yes", "no wait, go ahead", "hold on, what is his email?", "wait for John"])
def test_a_delay_with_more_to_it_decides_nothing(text: str) -> None:
    assert read_decision(text, DELETE) is None
    assert not is_postponed(text, DELETE)


@pytest.mark.parametrize("text", ["yes", "ok", "show me his notes", "", "tomorrow"])
def test_other_words_are_no_delay(text: str) -> None:
    assert not is_postponed(text, DELETE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("No, show me her notes first", True), ("never mind, call John", True), ("show me her notes", False)],
)
def test_a_no_is_noticed_among_other_words(text: str, expected: bool) -> None:
    assert says_no(text) is expected


@pytest.mark.parametrize(
    ("text", "question"),
    [("send it", EMAIL), ("Send it now please", EMAIL), ("fine, send", EMAIL), ("Perfect, send it", EMAIL),
     ("delete them", DELETE)],
)  # fmt: skip
def test_the_order_that_the_question_asks_about_given_once_more_is_a_yes(text: str, question: str) -> None:
    assert read_decision(text, question) is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Looks good, send it", True), ("that reads really nice to me, go ahead", True), ("sounds great", True),
     ("looks good?", None), ("looks good but make it Tuesday", None), ("looks fine, but not yet", None)],
)  # fmt: skip
def test_an_opinion_of_the_draft_that_agrees_is_a_yes(text: str, expected: bool | None) -> None:
    assert read_decision(text, EMAIL) is expected


@pytest.mark.parametrize(
    "text",
    [
        "send it?",
        "fine",
        "great, send it?",
        "fine, send it tomorrow",
        "don't send it",
        "send it tomorrow",
        "send Ann Lee",
        "send it to Bo",
        "it",
    ],
)
def test_an_order_for_anything_else_is_no_yes(text: str) -> None:
    assert read_decision(text, EMAIL) is not True
