"""One gate for every door: nothing runs beside it, and what nobody granted is denied, whichever way it is asked for."""

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.redaction.summaries import shown_to_model
from aisha.application.tooling import decide, discover
from aisha.application.tooling.context import make_context
from aisha.domain.entries import PROFILE
from aisha.domain.errors import ConflictError
from aisha.domain.principal import Principal
from aisha.domain.records import Record
from aisha.domain.tools import ToolSpec, ToolStatus
from aisha.settings import read_settings
from tests.fakes.api_gateway import ROOT, assert_problem, call, chat, function
from tests.fakes.api_gateway import Answer as Response
from tests.fakes.model_server import Answer, ModelServer
from tests.fakes.world import ALICE, BOB, World

SPECS = {spec.name: spec for spec in discover("aisha.tools").specs()}
EVERY = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
CLOSED = "User lacks module access: opportunities"
RUN_CALLS = {
    "shared/aisha/application/tooling/execution.py": "execute_gated, for every door",
    "shared/aisha/application/turn/tool_round.py": "asks the gate about a whole round before the first call of it runs",
    "shared/aisha/application/flow/dry_run.py": "tries a write out on records that nobody sees",
}
REGISTRY, CALLS = "shared/aisha/application/tooling/registry.py", "shared/aisha/domain/tools.py"


def sources() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("shared/aisha", "functions", "infra"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


SOURCES = dict(sources())


def uses(tree: ast.Module, of: Callable[[ast.AST], bool]) -> bool:
    return any(of(node) for node in ast.walk(tree))


def runs_a_tool(node: ast.AST) -> bool:
    """`call.execute` in any form; a database's is none."""
    return isinstance(node, ast.Attribute) and node.attr == "execute" and "database" not in ast.unparse(node.value)


def test_there_is_no_second_way_to_run_a_call() -> None:
    running = {path for path, tree in SOURCES.items() if uses(tree, runs_a_tool)} - {CALLS}
    assert running == set(RUN_CALLS), "run it by `execute_gated`"


def test_calls_are_made_by_the_registry_alone() -> None:
    def makes_a_call(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and ast.unparse(node.func) in ("ToolCall", "tools.ToolCall")

    def reaches_for_the_code(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in ("get_tool", "bind", "_run", "_bound", "_runner")

    assert [path for path, tree in SOURCES.items() if uses(tree, makes_a_call)] == [REGISTRY]
    own = {REGISTRY, CALLS}
    found = {path for path, tree in SOURCES.items() if path not in own and uses(tree, reaches_for_the_code)}
    found = {
        path for path in found if "ToolCall" in ast.unparse(SOURCES[path]) or "registry" in ast.unparse(SOURCES[path])
    }
    assert found == set()


# --- nothing that nobody granted


def nobody(spec: ToolSpec) -> list[Principal]:
    """Users who lack one thing that the tool asks for, and an unknown door."""
    all_modules = frozenset(one.module for one in SPECS.values() if one.module)
    may = Principal("demo", "eve", modules=all_modules, roles=frozenset(one.role for one in SPECS.values() if one.role))
    lacking = [replace(may, door="unheard-of"), replace(may, door="")]
    lacking += [replace(may, modules=may.modules - {spec.module})] if spec.module else []
    lacking += [replace(may, roles=frozenset())] if spec.role else []
    return lacking


@EVERY
def test_what_is_not_granted_is_denied_before_it_could_run(world: World, spec: ToolSpec) -> None:
    for who in nobody(spec):
        assert decide(who, spec).verdict == "deny"
        assert spec not in world.services.tools.permitted(who)
        for arguments in ("{}", '{"nonsense": 1}', "no JSON"):
            made = world.services.tools.create_call(
                spec.name, arguments, make_context(who, world.services.tool_ports, "op")
            )
            assert made.result.status is ToolStatus.REJECTED, "a denial tells nothing of what the arguments should be"
            assert json.loads(shown_to_model(made))["error"] == "Permission denied"
            with pytest.raises(ConflictError):
                made.execute()


@EVERY
def test_a_closed_module_is_told_as_such(world: World, spec: ToolSpec) -> None:
    if spec.module is None:
        assert decide(Principal("demo", "eve"), spec).verdict != "deny" or spec.role or "api" not in spec.clients
        return
    made = world.services.tools.create_call(
        spec.name, "{}", make_context(Principal("demo", "eve"), world.services.tool_ports, "op")
    )
    told = json.loads(shown_to_model(made))
    if "api" in spec.clients:
        assert told["reason"] == f"User lacks module access: {spec.module}"


def test_a_tool_that_nobody_knows_is_none(world: World) -> None:
    made = world.services.tools.create_call(
        "format_disk", "{}", make_context(Principal("demo", "eve"), world.services.tool_ports, "op")
    )
    assert made.result.status is ToolStatus.NOT_FOUND
    with pytest.raises(ConflictError):
        made.execute()


# --- every door


@pytest.fixture
def provider(world: World) -> Iterator[ModelServer]:
    """A model that asks for the deals, whoever it talks to, and then says what it was told."""

    def play(body: dict[str, Any]) -> Answer:
        if not body.get("tools") and "response_format" in body:
            return Answer(json.dumps({"steps": [{"id": 1, "tool": "search_opportunities", "arguments": {}}]}))
        if any(one["role"] == "tool" for one in body["messages"]) or not body.get("tools"):
            return Answer("That is closed to you; ask your admin.")
        return Answer(calls=[("call_1", "search_opportunities", "{}")])

    with ModelServer(play=play) as server:
        made = read_settings({"OPENAI_API_KEY": "sk-test", "AISHA_OPENAI_BASE_URL": server.url})
        world.use(settings=made)
        yield server


def told_of(provider: ModelServer) -> list[str]:
    return [str(one["content"]) for body in provider.requests for one in body["messages"] if one["role"] == "tool"]


def by_openai() -> Response:
    body = {"model": "aisha", "messages": [{"role": "user", "content": "Show me my deals"}]}
    return chat(body, BOB, path="/v1/chat/completions", app=function("openai").app)


DOORS: dict[str, Callable[[], Response]] = {
    "chat": lambda: chat({"message": "Show me my deals"}, BOB),
    "openai": by_openai,
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_model_can_not_open_what_is_closed(
    provider: ModelServer, crm: dict[str, Record], door: Callable[[], Response]
) -> None:
    answer = door()
    assert answer.status == 200, answer.text
    assert "ABC renewal" not in answer.text
    (told,) = told_of(provider)
    assert json.loads(told) == {"error": "Permission denied", "tool": "search_opportunities", "reason": CLOSED}
    offered = [one["function"]["name"] for body in provider.requests for one in body.get("tools", [])]
    assert offered
    assert "search_opportunities" not in offered


def test_a_plan_has_no_step_that_is_closed(provider: ModelServer, crm: dict[str, Record]) -> None:
    answer = chat({"message": "Show me my deals"}, BOB, path="/api/ai/flow-chat", app=function("flow_chat").app)
    assert "ABC renewal" not in answer.text
    assert "ABC renewal" not in json.dumps(provider.requests)


def test_an_mcp_client_can_not_open_what_is_closed(world: World, crm: dict[str, Record]) -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search_opportunities", "arguments": {}},
    }
    answer = chat(message, BOB, path="/mcp", app=function("mcp").app)
    assert "ABC renewal" not in answer.text
    assert CLOSED in answer.text or answer.status >= 400


def suggestion(world: World, owner: str, tool: str, arguments: dict[str, Any]) -> str:
    body = {
        "status": "pending", "tool": tool, "arguments": arguments, "modules": [], "reason": "r", "title": "t", "priority": 5,
        "kind": "next_step", "first_sweep": "s1", "opened_at": world.clock.now().isoformat(), "key": "k",
    }  # fmt: skip
    entry_id = f"suggestion_01JN{7:022d}"
    world.entries.put("demo", owner, "suggestion", entry_id, body)
    return entry_id


def test_a_suggestion_can_not_open_what_is_closed(world: World) -> None:
    one = suggestion(world, "bob", "create_opportunity", {"name": "Deal"})
    denied = assert_problem(
        call("suggestions", "POST", f"/api/ai/suggestions/{one}/accept", BOB, "{}"), 403, "permission_denied"
    )
    assert denied["message"] == CLOSED


def test_a_notification_can_not_open_what_is_closed(world: World) -> None:
    body = {"title": "Deal", "callback": {"tool": "create_opportunity", "arguments": {"name": "Deal"}}}
    denied = assert_problem(
        call("notifications", "POST", "/api/ai/notifications", BOB, json.dumps(body)), 403, "permission_denied"
    )
    assert denied["message"] == CLOSED


def test_a_right_that_was_taken_away_is_gone_when_the_yes_comes(world: World, crm: dict[str, Record]) -> None:
    asked = chat({"message": "Delete opportunity ABC renewal"}, ALICE).json
    assert asked["status"] == "needs_confirmation"
    less = {**ALICE, "modules": BOB["modules"]}
    path = f"/api/ai/confirmations/{asked['confirmation']['id']}"
    answer = call("confirmations", "POST", path, less, '{"decision": "approve"}')
    assert CLOSED in answer.text
    assert world.has("demo", crm["deal"])


# --- the tenant's own rules


def test_a_tenants_rule_holds_outside_of_the_chat_too(world: World) -> None:
    world.entries.put("demo", None, PROFILE, PROFILE, {"rules": {"create_lead": "deny"}})
    lead = {"last_name": "Hall"}
    one = suggestion(world, "alice", "create_lead", lead)
    assert_problem(
        call("suggestions", "POST", f"/api/ai/suggestions/{one}/accept", ALICE, "{}"), 403, "permission_denied"
    )
    body = {"title": "Zoe", "callback": {"tool": "create_lead", "arguments": lead}}
    answer = call("notifications", "POST", "/api/ai/notifications", ALICE, json.dumps(body))
    assert_problem(answer, 403, "permission_denied")
    listed = [one["name"] for one in call("tools", "GET", "/api/ai/tools", ALICE).json["items"]]
    assert "create_lead" not in listed
    assert "update_lead" in listed
    assert world.records._records.get("demo", {}) == {}


def test_the_folder_of_sources_is_there() -> None:
    assert Path(ROOT / REGISTRY).is_file()
