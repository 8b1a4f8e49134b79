"""Follow-ups keep the conditions of a list, and a condition that nothing reads is named."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY


def last_reply(*messages: str) -> str:
    stage, conversation, reply = Stage(REGISTRY, NOW), None, ""
    for message in messages:
        answer = stage.say(message, conversation)
        conversation, reply = answer["conversationId"], answer["response"]
    return reply


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (("what did i do last week", "which of these were calls"), "2 completed calls"),
        (("how much do i forecast for this quarter", "how much is won"), "You have 3 won deals closed"),
        (("how many leads has bob", "and leads in boston?", "and how many leads do we have in total"), "There are 44"),
        (("meetings next week", "only the ones in the morning"), "no meetings from Mon, Mar 9 to Sun, Mar 15 in the"),
    ],
)
def test_a_question_about_a_list_keeps_its_conditions(messages: tuple[str, ...], expected: str) -> None:
    assert expected in last_reply(*messages)


@pytest.mark.parametrize(
    ("message", "condition"),
    [
        ("tell me about the leads that bob neglects", "neglects"),
        ("leads who promised to sign", "who promised to sign"),
        ("who are our contacts at the bank", "at the bank"),
        ("contacts in texas", "texas"),
    ],
)
def test_a_condition_that_nothing_reads_is_named(message: str, condition: str) -> None:
    assert last_reply(message).startswith(f"I don't know how to filter by “{condition}”; without it, ")


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (("whats on my plate tomorrow", "and the day after"), "on Fri, Mar 6"),
        (("what did i do last week", "and the week before"), "from Mon, Feb 16 to Sun, Feb 22"),
    ],
)
def test_a_time_is_told_by_its_distance_from_the_one_before(messages: tuple[str, ...], expected: str) -> None:
    assert expected in last_reply(*messages)


def test_he_is_the_owner_after_the_answer_whose_a_record_is() -> None:
    assert last_reply("who owns meridian health", "how many leads does he have") == "Bob has 12 leads."


def test_a_place_in_a_list_is_no_day_of_the_month() -> None:
    assert "Redwood Media Expansion" in last_reply(
        "my deals, biggest first", "the third one, what's its next step?", "and the fourth"
    )


def test_a_tool_of_the_customer_is_not_run_on_a_pronoun_for_the_last_answer() -> None:
    reply = last_reply("how many contacts have no phone number", "how many of those belong to customers", "list them")
    assert "customer accounts" in reply
