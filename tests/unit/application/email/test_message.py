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
        ("whether she has had time to look at our offer", "Have you had time to look at our offer?"),
        ("asking if he wants a demo for his team", "Do you want a demo for your team?"),
        ("ask when the samples will arrive", "When will the samples arrive?"),
        ("ask her whether her team liked it", "I wanted to ask whether your team liked it."),
        ("thank him for showing me round the workshop", "Thank you for showing me round the workshop."),
        ("remind her to bring her passport", "I would like to remind you to bring your passport."),
        ("apologise for missing his call", "I would like to apologise for missing your call."),
        ("tell him not to come before ten", "Please do not come before ten."),
        ("tell them that their order ships today", "Your order ships today."),
        ("tell them the parts are on their way", "The parts are on their way."),
        ("follow up on the pricing call", "I would like to follow up on the pricing call."),
        ("tell him Bob will call him and he has the plan", "Bob will call you and he has the plan."),
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
        "say hello",
        "our new pricing",
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


def test_all_points_are_said_in_order() -> None:
    message = message_of(
        "thank her for the visit, say that the quote comes tomorrow, and ask whether she needs anything else. "
        "The price stays the same. Keep it short.",
        is_person=True,
    )
    assert message is not None
    assert message.text == (
        "Thank you for the visit. The quote comes tomorrow. Do you need anything else? The price stays the same."
    )
    assert message.tone == "brief"


def test_what_is_asked_of_the_reader_stays_one_request() -> None:
    message = message_of("ask him to send the contract and confirm the date", is_person=True)
    assert message is not None
    assert message.text == "Could you please send the contract and confirm the date?"


@pytest.mark.parametrize(
    ("purpose", "subject"),
    [
        ("thank him for the tour", "Thank you"),
        ("tell her that the service schedule comes on Friday", "Service schedule"),
        ("let him know that his order is ready", "Your order"),
        ("ask whether he can come", "A question"),
        ("invite her to our open day on 20 March", "Invitation: our open day"),
        ("tell him we ship on the 12th", "A short update"),
        ("with the subject Lab visit. Tell her that Thursday suits us", "Lab visit"),
        ("about the training: it has two days", "Training"),
        ("say that the demo went great", "Demo"),
    ],
)
def test_the_subject_is_a_topic(purpose: str, subject: str) -> None:
    message = message_of(purpose, is_person=True)
    assert message is not None
    assert message.subject == subject


def test_a_topic_that_was_asked_about_leaves_no_mark_behind() -> None:
    assert message_of("about the renewal?", is_person=True) is None
