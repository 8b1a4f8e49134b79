"""Questions, without a model, about data that only the user's app has."""

from typing import Any

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools

SECTIONS = [
    {"id": "OPEN_INVOICES", "description": "Invoices that are not paid yet"},
    {"id": "FAVORITES", "description": "The deals that the user has marked as favorites"},
]
INVOICES = [
    {"number": "INV-4711", "customer": "ABC Corp", "amount": 1200, "password": "hunter2"},
    {"number": "INV-4712", "customer": "Nordlys", "amount": 90},
]


@pytest.fixture
def stage() -> Stage:
    return Stage(product_tools(), NOW)


def sections_asked(answer: dict[str, Any]) -> list[str]:
    return [section["sectionId"] for section in answer["reqMoreInfo"]["data"]["sections"]]


@pytest.mark.parametrize(
    ("message", "section"),
    [
        ("Which invoices are open?", "OPEN_INVOICES"),
        ("Which invoices of Nordlys are unpaid?", "OPEN_INVOICES"),
        ("What are my favorite deals?", "FAVORITES"),
    ],
)
def test_the_app_is_asked_for_its_data(stage: Stage, message: str, section: str) -> None:
    answer = stage.say(message, clientSections=SECTIONS)
    assert answer["status"] == "needs_data"
    assert sections_asked(answer) == [section]


def test_the_same_message_with_the_data_is_answered_from_it(stage: Stage) -> None:
    question = "Which invoices are open?"
    conversation = stage.say(question, clientSections=SECTIONS)["conversationId"]
    answer = stage.say(question, conversation, clientSections=SECTIONS, attachedData={"OPEN_INVOICES": INVOICES})
    assert answer["status"] == "completed"
    assert "1. number: INV-4711, customer: ABC Corp, amount: 1200" in answer["response"]
    assert "hunter2" not in answer["response"]
    answer = stage.say("Which invoices of Nordlys are open?", conversation, clientSections=SECTIONS)
    assert answer["response"].splitlines()[2:] == ["1. number: INV-4712, customer: Nordlys, amount: 90"]


@pytest.mark.parametrize(
    "message", ["Show me my warm leads", "How many deals do we have?", "Tell me about Jack Russel", "hello"]
)
def test_the_app_is_not_asked_for_what_the_crm_has(stage: Stage, message: str) -> None:
    assert stage.say(message, clientSections=SECTIONS)["status"] == "completed"


def test_an_order_asks_the_app_for_nothing(stage: Stage) -> None:
    answer = stage.say("Create a task for Jack Russel: check the open invoices", clientSections=SECTIONS)
    assert [call["name"] for call in answer["toolCalls"]][-1] == "create_activity"
