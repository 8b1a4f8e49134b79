"""The courtesies around what a message asks are cut; a message of nothing else, and the text of a note, stay."""

import pytest

from aisha.domain.language.courtesies import without_courtesies


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("Hi AiSHA, need the email of Ann", "need the email of Ann"),
        ("hey, quick one - when does Acme close?", "when does Acme close?"),
        ("Good morning! The quote went out.", "The quote went out."),
        ("hello there who is Ann", "who is Ann"),
        ("Great, thanks. Next step?", "Next step?"),
        ("What's Ann's title when you have a second?", "What's Ann's title?"),
        ("What's Ann's title? If you don't mind.", "What's Ann's title?"),
    ],
)
def test_what_is_asked_is_left(message: str, rest: str) -> None:
    assert without_courtesies(message) == rest


@pytest.mark.parametrize(
    "message",
    [
        "Hello there",
        "Great, thanks!",
        "No, the other one",
        "a. Ann Lee: done",
        "Note for Ann: call when you have time",
        "Say that she calls if you don't mind",
    ],
)
def test_nothing_else_is_cut(message: str) -> None:
    assert without_courtesies(message) == message
