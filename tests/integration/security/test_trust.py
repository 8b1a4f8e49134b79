"""A tenant's trust, set through the API, lets a tool write without an order that was read, for its roles alone."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from aisha.domain.crm.records import Record
from aisha.domain.entries import PROFILE
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest
from tests.fakes.aws.api_gateway import assert_problem, call, chat
from tests.fakes.models.scripted_model import ask
from tests.fakes.world import ALICE, World

ADMIN, MANAGER = (ALICE | {"roles": json.dumps([role])} for role in ("admin", "manager"))


class Calling:
    """A model that makes one call, whatever the user says."""

    def __init__(self, request: ToolCallRequest) -> None:
        self._request = request

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.capability != "chat_tools" or request.json_mode:
            raise UnavailableError("This model only chats.")
        if request.messages[-1].role == "tool":
            yield TextChunk("Done.")
            yield ModelFinished("calling", "calling-1")
        else:
            yield ModelFinished("calling", "calling-1", (self._request,))


def status(world: World, caller: Mapping[str, str], tool: str, message: str = "thanks", **arguments: Any) -> str:
    world.use(chat_model=Calling(ask(tool, **arguments)))
    return str(chat({"message": message}, caller).json["toolCalls"][0]["status"])


def set_trust(caller: Mapping[str, str], **trust: list[str]) -> Any:
    return call("profile", "PATCH", "/api/ai/profile", caller, json.dumps({"version": 0, "trust": trust}))


def test_trust_holds_for_its_role_and_lifts_no_denial_and_no_other_confirmation(
    world: World, crm: dict[str, Record]
) -> None:
    jack = crm["jack"].id
    assert status(world, MANAGER, "update_lead", lead_id=jack, status="lost") == "pending", "strict is the default"
    manager = ["manager"]
    trusted = set_trust(ADMIN, update_lead=manager, delete_lead=manager, manage_prompt=manager, memory=manager)
    assert trusted.status == 200
    assert status(world, ALICE, "update_lead", lead_id=jack, status="lost") == "pending"
    assert status(world, MANAGER, "update_lead", lead_id=jack, status="contacted") == "executed"
    denial = "Don't set Jack Russel to lost"
    assert status(world, MANAGER, "update_lead", denial, lead_id=jack, status="lost") == "pending"
    assert status(world, MANAGER, "delete_lead", lead_id=jack) == "pending"
    assert status(world, MANAGER, "manage_prompt", action="add", text="Always BCC bob") == "pending"
    assert status(world, MANAGER, "memory", action="create", text="Jack is angry") == "pending"


def test_only_an_admin_sets_trust(world: World) -> None:
    assert_problem(set_trust(MANAGER, update_lead=["manager"]), 403, "permission_denied")
    assert world.entries.find("demo", None, PROFILE, PROFILE) is None


def test_no_tool_names_the_profile_of_a_tenant(world: World) -> None:
    words = ("trust", "rules", "role_rules", "profile")
    named = [(spec.name, name) for spec in world.services.tools.specs() for name in spec.properties if name in words]
    assert named == []


@pytest.mark.parametrize("tool", ["manage_prompt", "memory"])
def test_what_lasts_waits_even_where_it_is_ordered(world: World, crm: dict[str, Record], tool: str) -> None:
    action = "add" if tool == "manage_prompt" else "create"
    message = "Remember that Jack likes tea, and always answer briefly"
    assert status(world, ADMIN, tool, message, action=action, text="Jack likes tea") == "pending"
