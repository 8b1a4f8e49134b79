"""Conversations without a model at a tenant with its own words for records."""

from typing import Any

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.product_tools import product_tools

LABELS = {"lead": "applicant", "opportunity": "mandate", "account": "client", "contact": "delegate", "note": "memo"}


@pytest.fixture
def stage() -> Stage:
    stage = Stage(product_tools(), NOW)
    stage.deps.ports.entries.put("demo", None, "profile", "profile", {"labels": LABELS})
    return stage


def calls_of(answer: dict[str, Any], tool: str) -> list[dict[str, Any]]:
    return [call["arguments"] for call in answer["toolCalls"] if call["name"] == tool]


def test_its_words_are_understood_and_used(stage: Stage) -> None:
    answer = stage.say("Show me my warm applicants")
    assert answer["response"].startswith("You have 6 warm applicants:")
    assert calls_of(answer, "search_leads") == [{"status": "warm", "owner": "me"}]
    answer = stage.say("How many mandates do we have?", answer["conversationId"])
    assert answer["response"].startswith("There are 23 mandates")
    assert "Show my open mandates" in [step["text"] for step in answer["followUps"]]


def test_a_button_with_its_words_does_what_it_says(stage: Stage) -> None:
    first = stage.say("How many mandates do we have?")
    answer = stage.say("Show my open mandates", first["conversationId"])
    assert len(calls_of(answer, "search_opportunities")) == 1
    assert "open mandates" in answer["response"]


def test_what_the_user_dictates_is_written_once_and_word_for_word(stage: Stage) -> None:
    answer = stage.say("Add a note to Jack Russel: the mandate is ready, a good lead for us")
    assert [one["content"] for one in calls_of(answer, "create_note")] == ["the mandate is ready, a good lead for us"]


def test_a_name_with_one_of_its_words_stays_a_name(stage: Stage) -> None:
    answer = stage.say("Create a client Mandate Systems")
    assert calls_of(answer, "create_account") == [{"company_name": "Mandate Systems"}]
    assert "I've created the client **Mandate Systems**" in answer["response"]
    answer = stage.say("Tell me about Mandate Systems", answer["conversationId"])
    assert answer["response"].startswith("**Mandate Systems** is a prospect client")


def test_questions_and_outcomes_use_its_words(stage: Stage) -> None:
    reply = stage.say("convert Jack Russel")
    assert reply["confirmation"]["question"].startswith("Shall I convert Jack Russel to a delegate of ABC Corp?")
    done = stage.say("yes", reply["conversationId"])
    assert done["response"].startswith("Done, I converted Jack Russel to a delegate of ABC Corp.")
    reply = stage.say("maybe add a note to Jack Russel that he called")
    assert "shall I add this memo to Jack Russel?" in reply["confirmation"]["question"]
    assert "he called" in reply["confirmation"]["question"]
