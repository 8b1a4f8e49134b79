"""One gate for every door: no tool runs without it, and what is not granted is denied at each of them."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.redaction.summaries import shown_to_model
from aisha.application.tooling import decide
from aisha.application.tooling.context import make_context
from aisha.domain.crm.records import Record
from aisha.domain.entries import PROFILE
from aisha.domain.errors import ConflictError
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec, ToolStatus
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import ROOT, assert_problem, call, chat, function
from tests.fakes.aws.api_gateway import Answer as Response
from tests.fakes.models.model_server import Answer, ModelServer
from tests.fakes.world import ALICE, BOB, World
from tests.support.product_tools import product_tools

SPECS = {spec.name: spec for spec in product_tools().specs()}
EVERY_TOOL = pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
CLOSED = "User lacks module access: opportunities"
RUN_CALLS = {
    "shared/aisha/application/tooling/gate/execution.py": "execute_gated, for every door",
    "shared/aisha/application/turn/rounds/tool_round.py": "asks the gate about all calls of a round before any runs",
    "shared/aisha/application/flow/execution/dry_run.py": "tries writes on copies of the records",
}
REGISTRY, CALLS = "shared/aisha/application/tooling/registry.py", "shared/aisha/domain/tools.py"


def sources(*words: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield path and syntax tree of each module with one of the words: parsing all of them takes seconds."""
    for folder in ("shared/aisha", "functions", "infra"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if any(word in text for word in words):
                yield str(path.relative_to(ROOT)), ast.parse(text)


CODE = ("get_tool", "bind", "_run", "_bound", "_runner")
"""Attributes by which a tool's function is reached."""
TRAINING = "infra/orders/judged.py"
DECLARATIONS = "shared/aisha/bootstrap/declarations.py"
"""Reads the signature and the place of a tool's function, and never calls it."""


def uses(tree: ast.Module, matches: Callable[[ast.AST], bool]) -> bool:
    return any(matches(node) for node in ast.walk(tree))


def runs_a_tool(node: ast.AST) -> bool:
    """Return whether a node is the `execute` of a tool call; a database's is none."""
    return isinstance(node, ast.Attribute) and node.attr == "execute" and "database" not in ast.unparse(node.value)


def test_there_is_no_second_way_to_run_a_call() -> None:
    running = {path for path, tree in sources(".execute") if uses(tree, runs_a_tool)} - {CALLS}
    assert running == set(RUN_CALLS), "run it by `execute_gated`"


def test_calls_are_made_by_the_registry_alone() -> None:
    def makes_a_call(node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id="ToolCall")) | ast.Call(func=ast.Attribute(attr="ToolCall")):
                return True
        return False

    def reaches_for_the_code(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in CODE

    # The training judges calls that have no code.
    assert [path for path, tree in sources("ToolCall") if uses(tree, makes_a_call)] == [REGISTRY, TRAINING]
    others = {path: tree for path, tree in sources(*CODE) if path not in (REGISTRY, CALLS, DECLARATIONS)}
    suspects = {path: ast.unparse(tree) for path, tree in others.items() if uses(tree, reaches_for_the_code)}
    assert [path for path, code in suspects.items() if re.search(r"\bToolCall\b|registry", code)] == []


# --- nothing without a grant


def unauthorized(spec: ToolSpec) -> list[Principal]:
    """Return principals who each lack one thing that the tool needs: a known door, its module or its role."""
    all_modules = frozenset(tool.module for tool in SPECS.values() if tool.module)
    full = Principal(
        "demo", "eve", modules=all_modules, roles=frozenset(tool.role for tool in SPECS.values() if tool.role)
    )
    lacking = [replace(full, door="unheard-of"), replace(full, door="")]
    lacking += [replace(full, modules=full.modules - {spec.module})] if spec.module else []
    lacking += [replace(full, roles=frozenset())] if spec.role else []
    return lacking


def create_call(world: World, tool: str, principal: Principal, arguments: str = "{}") -> ToolCall:
    services = world.services
    return services.tools.create_call(tool, arguments, make_context(principal, services.tool_ports, "op"))


@EVERY_TOOL
def test_what_is_not_granted_is_denied_before_it_could_run(world: World, spec: ToolSpec) -> None:
    for principal in unauthorized(spec):
        assert decide(principal, spec).verdict == "deny"
        assert spec not in world.services.tools.permitted(principal)
        for arguments in ("{}", '{"nonsense": 1}', "no JSON"):
            call = create_call(world, spec.name, principal, arguments)
            assert call.result.status is ToolStatus.REJECTED, "a denial does not show what the arguments should be"
            assert json.loads(shown_to_model(call))["error"] == "Permission denied"
            with pytest.raises(ConflictError):
                call.execute()


@EVERY_TOOL
def test_a_denial_names_the_closed_module(world: World, spec: ToolSpec) -> None:
    if spec.module is None:
        assert decide(Principal("demo", "eve"), spec).verdict != "deny" or spec.role or "api" not in spec.clients
        return
    answer = json.loads(shown_to_model(create_call(world, spec.name, Principal("demo", "eve"))))
    if "api" in spec.clients:
        assert answer["reason"] == f"User lacks module access: {spec.module}"


def test_a_call_of_an_unknown_tool_does_not_run(world: World) -> None:
    call = create_call(world, "format_disk", Principal("demo", "eve"))
    assert call.result.status is ToolStatus.NOT_FOUND
    with pytest.raises(ConflictError):
        call.execute()


# --- every door


@pytest.fixture
def provider(world: World) -> Iterator[ModelServer]:
    """Serve a model that asks every user's questions by a search of deals, and then says that they are closed."""

    def play(body: dict[str, Any]) -> Answer:
        if not body.get("tools") and "response_format" in body:
            return Answer(json.dumps({"steps": [{"id": 1, "tool": "search_opportunities", "arguments": {}}]}))
        if any(one["role"] == "tool" for one in body["messages"]) or not body.get("tools"):
            return Answer("That is closed to you; ask your admin.")
        return Answer(calls=[("call_1", "search_opportunities", "{}")])

    with ModelServer(play=play) as server:
        settings = read_settings({"OPENAI_API_KEY": "sk-test", "AISHA_OPENAI_BASE_URL": server.url})
        world.use(settings=settings)
        yield server


def tool_messages(provider: ModelServer) -> list[str]:
    messages = [message for body in provider.requests for message in body["messages"]]
    return [str(message["content"]) for message in messages if message["role"] == "tool"]


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
    (result,) = tool_messages(provider)
    assert json.loads(result) == {"error": "Permission denied", "tool": "search_opportunities", "reason": CLOSED}
    offered = [one["function"]["name"] for body in provider.requests for one in body.get("tools", [])]
    assert offered
    assert "search_opportunities" not in offered


def test_a_plan_has_no_step_that_is_closed(provider: ModelServer, crm: dict[str, Record]) -> None:
    answer = chat({"message": "Show me my deals"}, BOB, path="/api/ai/flow-chat", app=function("flow_chat").app)
    assert "ABC renewal" not in answer.text
    assert "ABC renewal" not in json.dumps(provider.requests)


def test_an_mcp_client_can_not_open_what_is_closed(world: World, crm: dict[str, Record]) -> None:
    params = {"name": "search_opportunities", "arguments": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = chat(message, BOB, path="/mcp", app=function("mcp").app)
    assert "ABC renewal" not in answer.text
    assert CLOSED in answer.text or answer.status >= 400


def add_suggestion(world: World, owner: str, tool: str, arguments: dict[str, Any]) -> str:
    texts = {"reason": "r", "title": "t", "kind": "next_step", "first_sweep": "s1", "key": "k"}
    action = {"tool": tool, "arguments": arguments, "modules": [], "priority": 5}
    body = {"status": "pending", **texts, **action, "opened_at": world.clock.now().isoformat()}
    entry_id = f"suggestion_01JN{7:022d}"
    world.entries.put("demo", owner, "suggestion", entry_id, body)
    return entry_id


def test_a_suggestion_can_not_open_what_is_closed(world: World) -> None:
    suggestion = add_suggestion(world, "bob", "create_opportunity", {"name": "Deal"})
    denied = assert_problem(
        call("suggestions", "POST", f"/api/ai/suggestions/{suggestion}/accept", BOB, "{}"), 403, "permission_denied"
    )
    assert denied["message"] == CLOSED


def test_a_notification_can_not_open_what_is_closed(world: World) -> None:
    body = {"title": "Deal", "callback": {"tool": "create_opportunity", "arguments": {"name": "Deal"}}}
    denied = assert_problem(
        call("notifications", "POST", "/api/ai/notifications", BOB, json.dumps(body)), 403, "permission_denied"
    )
    assert denied["message"] == CLOSED


def test_a_right_that_was_taken_away_is_gone_when_the_yes_comes(world: World, crm: dict[str, Record]) -> None:
    turn = chat({"message": "Delete opportunity ABC renewal"}, ALICE).json
    assert turn["status"] == "needs_confirmation"
    restricted = {**ALICE, "modules": BOB["modules"]}
    path = f"/api/ai/confirmations/{turn['confirmation']['id']}"
    answer = call("confirmations", "POST", path, restricted, '{"decision": "approve"}')
    assert CLOSED in answer.text
    assert world.has("demo", crm["deal"])


# --- the tenant's own rules


def test_a_tenants_rule_holds_outside_of_the_chat_too(world: World) -> None:
    world.entries.put("demo", None, PROFILE, PROFILE, {"rules": {"create_lead": "deny"}})
    lead = {"last_name": "Hall"}
    suggestion = add_suggestion(world, "alice", "create_lead", lead)
    assert_problem(
        call("suggestions", "POST", f"/api/ai/suggestions/{suggestion}/accept", ALICE, "{}"), 403, "permission_denied"
    )
    body = {"title": "Zoe", "callback": {"tool": "create_lead", "arguments": lead}}
    answer = call("notifications", "POST", "/api/ai/notifications", ALICE, json.dumps(body))
    assert_problem(answer, 403, "permission_denied")
    names = [tool["name"] for tool in call("tools", "GET", "/api/ai/tools", ALICE).json["items"]]
    assert "create_lead" not in names
    assert "update_lead" in names
    assert world.records._records.get("demo", {}) == {}


def test_the_folder_of_sources_is_there() -> None:
    assert Path(ROOT / REGISTRY).is_file()
