"""Conversations as a page gets them back: answers with all they came with, the waiting question, titles, search."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from aisha.domain.crm.records import Record
from tests.fakes.aws.api_gateway import Answer, assert_problem, call, chat
from tests.fakes.world import ALICE, BOB, RIVAL, World

pytestmark = pytest.mark.usefixtures("crm")
URL = "/api/ai/conversations"


def say(text: str, conversation: str | None = None, caller: Mapping[str, str] = ALICE, **more: Any) -> dict[str, Any]:
    content = {"message": text, **({"conversationId": conversation} if conversation else {}), **more}
    answer = chat(content, caller)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def stored(conversation: str, caller: Mapping[str, str] = ALICE) -> dict[str, Any]:
    answer = call("conversations", "GET", f"{URL}/{conversation}", caller)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def titles(query: str = "", caller: Mapping[str, str] = ALICE) -> list[str]:
    return [item["title"] for item in call("conversations", "GET", f"{URL}?{query}", caller).json["items"]]


def rename(conversation: str, title: str, caller: Mapping[str, str] = ALICE) -> Answer:
    return call("conversations", "PATCH", f"{URL}/{conversation}", caller, json.dumps({"title": title}))


def test_an_answer_is_given_back_with_all_it_came_with() -> None:
    reply = say("Tell me about Jack Russel")
    (question, answer) = stored(reply["conversationId"])["messages"]
    metadata = answer["metadata"]
    assert "metadata" not in question
    for name in ("sources", "insights", "nextSteps", "followUps", "recommendedScans", "mood", "provider", "model"):
        assert metadata[name] == reply[name], name
    assert metadata["sources"][0]["name"] == "Jack Russel"
    assert metadata["usage"]["costUsd"] == reply["usage"]["costUsd"]
    assert set(metadata["timing"]) == {"totalMs", "llmMs", "toolsMs"}


def test_a_waiting_question_is_given_back_until_it_expires(world: World) -> None:
    answer = say("Delete the lead Jack Russel")
    assert stored(answer["conversationId"])["confirmation"] == answer["confirmation"]
    world.clock.advance(timedelta(minutes=11))
    assert "confirmation" not in stored(answer["conversationId"])


def test_a_decided_question_is_not_given_back() -> None:
    answer = say("Delete the lead Jack Russel")
    say("no", answer["conversationId"])
    assert "confirmation" not in stored(answer["conversationId"])


def test_a_title_names_the_record_that_the_question_only_points_at(crm: dict[str, Record]) -> None:
    page = {"recordType": "lead", "recordId": crm["jack"].id}
    answer = say("What should I do next with him?", context=page)
    assert stored(answer["conversationId"])["title"] == "Jack Russel: What should I do next with him?"


def test_a_long_title_ends_with_a_whole_word() -> None:
    answer = say("Please show me all of my warm leads that I have not talked to since the beginning of this year")
    title = stored(answer["conversationId"])["title"]
    assert title == "Please show me all of my warm leads that I have not talked…"


def test_the_users_own_title_stays() -> None:
    answer = say("Show me my warm leads")
    assert rename(answer["conversationId"], "  Leads of\nthis week ").json["title"] == "Leads of this week"
    say("And the cold ones?", answer["conversationId"])
    assert titles() == ["Leads of this week"]


@pytest.mark.parametrize("title", ["", " \n ", "x" * 121])
def test_a_title_has_a_length(title: str) -> None:
    answer = say("Show me my warm leads")
    assert_problem(rename(answer["conversationId"], title), 422, "invalid_input", "/title")
    assert titles() == ["Show me my warm leads"]


@pytest.mark.parametrize("stranger", [BOB, RIVAL])
def test_nobody_else_can_rename_it(stranger: Mapping[str, str]) -> None:
    answer = say("Show me my warm leads")
    assert_problem(rename(answer["conversationId"], "Mine", stranger), 404, "not_found")
    assert titles() == ["Show me my warm leads"]


def test_a_search_finds_titles_and_records_of_the_user_alone() -> None:
    say("Show me my warm leads")
    say("How is the pipeline?")
    say("How is the pipeline?", caller=BOB)
    assert titles("search=PIPELINE") == ["How is the pipeline?"]
    assert titles("search=russel") == ["Show me my warm leads"]
    assert titles("search=pipeline+russel") == []


def test_a_search_goes_on_page_by_page() -> None:
    for number in range(5):
        say(f"Show me my warm leads, please {number}")
    matches, cursor = [], ""
    for _ in range(5):
        page = call("conversations", "GET", f"{URL}?search=warm&limit=2&cursor={cursor}", ALICE).json
        matches += [item["title"][-1] for item in page["items"]]
        if (cursor := page.get("nextCursor", "")) == "":
            break
    assert sorted(matches) == ["0", "1", "2", "3", "4"]
    assert_problem(call("conversations", "GET", f"{URL}?search=warm&cursor=x", ALICE), 422, "invalid_input", "/cursor")


def test_the_widget_is_a_door_of_its_own(world: World) -> None:
    chat({"message": "Show me my warm leads"}, ALICE, headers={"x-aisha-client": "widget"})
    chat({"message": "Show me my warm leads"}, ALICE, headers={"x-aisha-client": "mcp"})
    assert [entry.door for entry in world.audit.page("demo", 10)] == ["api", "widget"]


def test_the_models_are_listed_with_the_modes_explained() -> None:
    body = call("preferences", "GET", "/api/ai/models", ALICE).json
    (provider,) = body["providers"]
    choice = provider["models"][0]
    assert (provider["id"], choice["isDefault"], choice["isFree"]) == ("offline", True, True)
    assert set(body["modes"]) == {"default", "voice", "brief", "coach"}
    assert say("Show me my warm leads", provider=choice["provider"], model=choice["model"])["success"]
