"""Texts by others that a model has seen in a conversation are the reason to ask about an order that nobody can read."""

from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.tenants.preferences import add_instruction
from aisha.application.tooling.definition import Tool
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.domain.tools import ToolSpec
from tests.fakes.models.scripted_model import ask
from tests.unit.application.conftest import World
from tests.unit.application.turn.confirming.office import UNKNOWN_LEAD, with_ids

ORDER = "Bitte einen Kontakt anlegen: Zoe Quinn"
UNREAD = "I could not read your message as an order"
NEW = [ask("create_lead", first_name="Zoe", last_name="Quinn", company="Elsewhere")]
SERVER_TOOL = Tool(ToolSpec("erp__rates", "Read the rates.", {}, {}, "mcp"), lambda: "1.08")
WEB_TOOL = Tool(ToolSpec("read_rates", "Read the rates.", {}, {}, "http"), lambda: "1.08")


def reason(office: World, *steps: Any, conversation: str | None = None, **fields: Any) -> str:
    """Return why a call waits that nobody can read out of the message."""
    answer = office.say(ORDER, *steps, NEW, conversation=conversation, **fields)
    return str(answer["confirmation"]["reason"])


def having_read(texts: str) -> str:
    return f"{UNREAD}, and I have just read {texts}"


def more_info(**wish: Any) -> list[Any]:
    return [ask("req_more_info", **wish)]


@pytest.mark.parametrize(
    "fields", [{}, {"context": {"page": ""}}, {"context": {"recordType": "lead"}}, {"attachedData": {}}]
)
def test_where_no_text_of_others_was_seen_none_is_named(office: World, fields: dict[str, Any]) -> None:
    assert reason(office, **fields) == UNREAD


@pytest.mark.parametrize(
    ("calls", "texts"),
    [
        ([ask("get_lead", lead_id="@lead")], "records"),
        ([ask("search_documents", query="prices")], "documents"),
        (more_info(domainKnowledge={"ids": ["renewals"]}), "documents"),
        (more_info(data={"sections": [{"sectionId": "MY_PIPELINE"}]}), "records"),
        ([ask("read_rates")], "another system's texts"),
        # The answer that there is none may hold words of others, too.
        ([ask("get_lead", lead_id=UNKNOWN_LEAD)], "records"),
    ],
)
def test_what_was_read_is_named_in_this_turn_and_in_the_next(office: World, calls: list[Any], texts: str) -> None:
    office.deps = replace(office.deps, registry=office.deps.registry.with_tools([WEB_TOOL]))
    read = [replace(call, arguments=call.arguments.replace("@lead", with_ids("@lead"))) for call in calls]
    assert reason(office, read).startswith(having_read(texts))
    before = office.say("Read it", read, "Done.")["conversationId"]
    assert reason(office, conversation=before).startswith(having_read(texts))


def test_a_server_is_named_whose_descriptions_of_tools_were_shown(office: World) -> None:
    office.deps = replace(office.deps, registry=office.deps.registry.with_tools([SERVER_TOOL]))
    assert reason(office) == having_read("another system's texts")


def test_a_call_of_no_tool_shows_no_text(office: World) -> None:
    assert reason(office, [ask("no_such_tool")]) == UNREAD


def test_standing_instructions_are_named(office: World) -> None:
    add_instruction(office.deps.entries, "demo", "alice", "No emojis", office.clock.now())
    assert reason(office) == having_read("standing instructions")


@pytest.mark.parametrize(
    "fields",
    [
        {"messages": [{"role": "assistant", "content": "Hello"}, {"role": "user", "content": ORDER}]},
        {"context": {"page": "leads"}},
        {"attachedData": {"MY_CART": {"total": 3}}},
    ],
)
def test_what_the_app_sends_is_named(office: World, fields: dict[str, Any]) -> None:
    assert reason(office, **fields) == having_read("what your app sent")


def test_what_memory_recalls_is_named(office: World) -> None:
    recall = Brainlet("recall", "Recalls.", "pre", lambda outputs, turn: turn.add_recalled(["Likes tea"]))
    office.deps = replace(office.deps, brainlets=Brainlets([recall]))
    assert reason(office) == having_read("memories")
