"""A conversation to take away: all of it, in order, and nobody else's."""

import json

import pytest

from aisha.domain.records import Record
from tests.fakes.api_gateway import assert_problem, call, chat
from tests.fakes.world import ALICE, BOB, RIVAL


@pytest.fixture
def talk(crm: dict[str, Record]) -> str:
    first = chat({"message": "Show me my warm leads"}, ALICE).json
    conversation: str = first["conversationId"]
    chat({"message": "Tell me about Jack Russel", "conversationId": conversation}, ALICE)
    return conversation


def test_as_json_it_has_every_message_with_its_tool_calls_in_the_shape_of_chat_apis(talk: str) -> None:
    answer = call("conversations", "GET", f"/api/ai/conversations/{talk}/export", ALICE)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.headers["content-disposition"] == 'attachment; filename="conversation.json"'
    export = answer.json
    assert (export["id"], export["entities"][0]["name"]) == (talk, "Jack Russel")
    said = [(one["sequence"], one["role"]) for one in export["messages"] if one["role"] != "tool"]
    assert said == [(1, "user"), (2, "assistant"), (3, "user"), (4, "assistant")]
    asked = next(one for one in export["messages"] if one.get("tool_calls"))
    made = asked["tool_calls"][0]
    assert made["type"] == "function"
    assert made["function"]["name"] == "search_leads"
    assert json.loads(made["function"]["arguments"])["status"] == "warm"
    told = export["messages"][export["messages"].index(asked) + 1]
    assert (told["role"], told["tool_call_id"], told["status"]) == ("tool", made["id"], "executed")
    assert "Jack Russel" in told["content"]


def test_as_markdown_it_can_be_read(talk: str) -> None:
    answer = call("conversations", "GET", f"/api/ai/conversations/{talk}/export?format=markdown", ALICE)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert answer.text.startswith("# ")
    assert "## You, 02 March 2026 09:00 UTC\n\nTell me about Jack Russel" in answer.text
    assert "- search_leads: found" in answer.text


@pytest.mark.parametrize("stranger", [BOB, RIVAL])
def test_nobody_else_gets_it(talk: str, stranger: dict[str, str]) -> None:
    assert_problem(call("conversations", "GET", f"/api/ai/conversations/{talk}/export", stranger), 404, "not_found")


def test_an_unknown_format_is_refused(talk: str) -> None:
    answer = call("conversations", "GET", f"/api/ai/conversations/{talk}/export?format=pdf", ALICE)
    assert_problem(answer, 422, "invalid_input", "/format")
