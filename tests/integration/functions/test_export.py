"""The export of a conversation as JSON and as Markdown."""

import json

import pytest

from aisha.domain.crm.records import Record
from tests.fakes.aws.api_gateway import assert_problem, call, chat
from tests.fakes.world import ALICE, BOB, RIVAL


@pytest.fixture
def talk(crm: dict[str, Record]) -> str:
    first = chat({"message": "Show me my warm leads"}, ALICE).json
    conversation: str = first["conversationId"]
    chat({"message": "Tell me about Jack Russel", "conversationId": conversation}, ALICE)
    return conversation


def test_a_json_export_has_all_messages_with_tool_calls_in_the_format_of_chat_apis(talk: str) -> None:
    answer = call("conversations", "GET", f"/api/ai/conversations/{talk}/export", ALICE)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.headers["content-disposition"] == 'attachment; filename="conversation.json"'
    export = answer.json
    assert (export["id"], export["user"], export["entities"][0]["name"]) == (talk, "alice", "Jack Russel")
    messages = export["messages"]
    roles = [(message["sequence"], message["role"]) for message in messages if message["role"] != "tool"]
    assert roles == [(1, "user"), (2, "assistant"), (3, "user"), (4, "assistant")]
    assert {message["platform"] for message in messages} == {"api"}
    calling = next(message for message in messages if message.get("tool_calls"))
    tool_call = calling["tool_calls"][0]
    assert tool_call["type"] == "function"
    assert tool_call["function"]["name"] == "search_leads"
    assert json.loads(tool_call["function"]["arguments"])["status"] == "warm"
    tool_message = messages[messages.index(calling) + 1]
    assert (tool_message["role"], tool_message["tool_call_id"], tool_message["status"]) == (
        "tool",
        tool_call["id"],
        "executed",
    )
    assert "Jack Russel" in tool_message["content"]


def test_a_markdown_export_is_readable(talk: str) -> None:
    answer = call("conversations", "GET", f"/api/ai/conversations/{talk}/export?format=markdown", ALICE)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert answer.text.startswith("# ")
    assert "## You, 02 March 2026 09:00 UTC\n\nTell me about Jack Russel" in answer.text
    assert "- search_leads: found" in answer.text


@pytest.mark.parametrize("stranger", [BOB, RIVAL])
def test_other_users_can_not_export_a_conversation(talk: str, stranger: dict[str, str]) -> None:
    assert_problem(call("conversations", "GET", f"/api/ai/conversations/{talk}/export", stranger), 404, "not_found")


def test_an_unknown_format_is_refused(talk: str) -> None:
    answer = call("conversations", "GET", f"/api/ai/conversations/{talk}/export?format=pdf", ALICE)
    assert_problem(answer, 422, "invalid_input", "/format")
