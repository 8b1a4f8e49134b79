"""The text of an email is taken from the user's words."""

import pytest

from aisha.application.email.message import message_of


@pytest.mark.parametrize(
    ("purpose", "text"),
    [
        ("the fleet demo is moved to next Thursday", "The fleet demo is moved to next Thursday."),
        ("that the tracking units ship on Monday", "The tracking units ship on Monday."),
        ("tell her we ship on Monday", "We ship on Monday."),
        ("let him know that his order is ready", "Your order is ready."),
        ("I'm running 10 minutes late", "I'm running 10 minutes late."),
        ("our three-year pricing will reach her by Monday", "Our three-year pricing will reach you by Monday."),
        (
            "whether she has had time to look at our offer",
            "I wanted to ask whether you have had time to look at our offer.",
        ),
        ("asking if he wants a demo for his team", "I wanted to ask if you want a demo for your team."),
        ("ask him to send the contract by Monday", "Could you please send the contract by Monday?"),
    ],
)
def test_what_is_to_be_said_is_said_to_the_reader(purpose: str, text: str) -> None:
    message = message_of(purpose, is_person=True)
    assert message is not None
    assert message.text == text


@pytest.mark.parametrize(
    "purpose",
    [
        "a follow-up",
        "the renewal",
        "the meeting that we had in May",
        "thank her for the call",
        "say hello",
        "our new pricing",
        "tell him about the demo",
        "ask for a meeting next week",
        "follow up on the pricing call",
        "the secret price list",
    ],
)
def test_a_topic_is_no_sentence(purpose: str) -> None:
    assert message_of(purpose, is_person=True) is None


def test_a_company_is_not_spoken_of_as_its_reader() -> None:
    message = message_of("she will call them tomorrow", is_person=False)
    assert message is not None
    assert message.text == "She will call them tomorrow."


def test_what_is_asked_for_is_requested() -> None:
    message = message_of("asking for his signed contract", is_person=True)
    assert message is not None
    assert message.text == "I would like to ask you for your signed contract."
