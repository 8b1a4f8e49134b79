"""The tool framework: schemas, calls, the registry and the gate."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from aisha.application.tooling import ToolContext, ToolRegistry, decide, tool
from aisha.application.tooling.arguments.schemas import arguments_model, description_of
from aisha.application.tooling.context import make_context
from aisha.application.tooling.discovery import tools_of
from aisha.domain.errors import ConflictError
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolStatus
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports
from tests.unit.application.tooling import sample_tools

ANN = Principal("t1", "ann", modules=frozenset({"gardens"}), zone="Europe/Berlin")
NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


@pytest.fixture
def registry() -> ToolRegistry:
    return ToolRegistry(tools_of(sample_tools, schemas=None))


def context(principal: Principal = ANN) -> ToolContext:
    return make_context(principal, in_memory_ports(FixedClock(NOW)), "op")


def test_a_call_runs_later_once_and_keeps_what_happened(registry: ToolRegistry) -> None:
    call = registry.create_call("grow_forest", '{"label": "oak", "count": "2"}', context(), "c1")
    assert call.result.status is ToolStatus.PENDING

    result = call.execute()

    assert result.status is ToolStatus.EXECUTED
    assert result.value == {"trees": {"t1": [{"label": "oak", "children": []}] * 2}}
    assert result.logs == ["for ann"]
    assert result.duration_ms > 0
    with pytest.raises(ConflictError):
        call.execute()


def test_words_for_a_time_are_read_in_the_users_zone(registry: ToolRegistry) -> None:
    result = registry.create_call("grow_forest", {"label": "elm", "planted": "tomorrow"}, context()).execute()
    assert result.value["trees"]["t1"][0]["label"] == "elm 2026-03-03"


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        ("{broken", "malformed_request", "JSON"),
        ("[1]", "invalid_input", "object"),
        ("{}", "missing_field", "label"),
        ('{"label": "oak", "count": 9}', "invalid_input", "count"),
        ('{"label": "oak", "tenant": "t2"}', "invalid_input", "tenant"),
        ('{"label": "oak", "planted": "at the weeping of the moon"}', "invalid_input", "tomorrow"),
    ],
)
def test_bad_arguments_fail_the_call_before_anything_runs(
    registry: ToolRegistry, arguments: str, code: str, hint: str
) -> None:
    call = registry.create_call("grow_forest", arguments, context())
    assert call.result.status is ToolStatus.FAILED
    assert call.result.error is not None
    assert call.result.error["code"] == code
    assert hint in call.result.error["message"]
    with pytest.raises(ConflictError):
        call.execute()


def test_an_unknown_tool_is_not_found_and_can_not_run(registry: ToolRegistry) -> None:
    call = registry.create_call("fell_forest", "{}", context())
    assert call.result.status is ToolStatus.NOT_FOUND
    with pytest.raises(ConflictError):
        call.execute()


def test_a_rejected_call_can_not_run(registry: ToolRegistry) -> None:
    call = registry.create_call("grow_forest", {"label": "oak"}, context())
    call.reject("the user said no")
    assert call.result.status is ToolStatus.REJECTED
    with pytest.raises(ConflictError):
        call.execute()


def test_a_tools_own_failure_shows_no_internals(registry: ToolRegistry) -> None:
    result = registry.create_call("tear_down", {}, context()).execute()
    assert result.status is ToolStatus.FAILED
    assert isinstance(result.exception, RuntimeError)
    assert "secret" not in json.dumps(result.error)


def test_one_toolkit_instance_serves_all_calls(registry: ToolRegistry) -> None:
    for times in ("1", "2"):
        assert registry.create_call("open_gate", {"side": "left"}, context()).execute().value["times"] == times


def test_schemas_come_from_the_signature(registry: ToolRegistry) -> None:
    spec = registry.spec("grow_forest")
    assert spec is not None
    assert spec.description == "Grow trees.\n\nTwo paragraphs are one description."
    assert set(spec.properties) == {"label", "count", "planted"}
    assert spec.required == ("label",)
    assert spec.properties["count"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 3,
        "default": 1,
        "title": "int",
        "description": "Number of trees",
    }
    assert spec.properties["planted"]["format"] == "date-time"
    assert "anyOf" not in spec.properties["planted"]
    assert "tests.unit.application.tooling.sample_tools.Branch" in json.dumps(spec.returns)
    documented = registry.spec("tear_down")
    assert documented is not None
    assert documented.properties["why"]["description"] == "the reason for the record"


def test_a_published_schema_is_read_instead_of_computed(tmp_path: Path) -> None:
    (tmp_path / "grow_forest.json").write_text(json.dumps({"parameters": {"title": "from the file"}, "returns": {}}))
    registry = ToolRegistry(tools_of(sample_tools, schemas=tmp_path))
    assert registry.spec("grow_forest").parameters == {"title": "from the file"}  # type: ignore[union-attr]
    assert registry.spec("open_gate").properties["side"]["enum"] == ["left", "right"]  # type: ignore[union-attr]


def test_what_goes_to_a_model_has_no_titles(registry: ToolRegistry) -> None:
    (declaration,) = registry.get_openai_tools_by_names(["grow_forest", "nothing"], "api")
    assert declaration["function"]["name"] == "grow_forest"
    assert "title" not in json.dumps(declaration["function"]["parameters"])


def test_the_registry_shows_tools_by_client(registry: ToolRegistry) -> None:
    assert [spec.name for spec in registry.get_always_tools("api")] == ["grow_forest"]
    assert registry.get_routed_tools_catalog() == {
        "open_gate": "Open one half of the gate.",
        "tear_down": "Remove the gate.",
    }
    assert "open_gate" not in [item["name"] for item in registry.get_mcp_tools("mcp")]
    assert "open_gate" in [item["function"]["name"] for item in registry.get_openai_tools("api")]
    assert registry.get_tool("nothing") is None
    assert callable(registry.get_tool("open_gate"))


def test_the_gate_denies_asks_and_allows(registry: ToolRegistry) -> None:
    forest, gate, ruin = (registry.spec(name) for name in ("grow_forest", "open_gate", "tear_down"))
    assert forest and gate and ruin
    assert decide(ANN, forest).verdict == "allow"
    assert decide(ANN, gate).verdict == "ask"
    assert decide(ANN, ruin).verdict == "ask"
    stranger = replace(ANN, modules=frozenset())
    assert decide(stranger, gate).error.message == "User lacks module access: gardens"  # type: ignore[union-attr]
    assert decide(replace(ANN, door="mcp"), gate).verdict == "deny"
    assert decide(replace(ANN, door="fax"), forest).verdict == "deny"
    assert decide(ANN, forest, rules={"grow_forest": "deny"}).verdict == "deny"
    assert decide(ANN, ruin, rules={"tear_down": "allow"}).verdict == "ask"
    write = replace(gate, confirmation="none")
    assert decide(ANN, write, doubt="I understood that you want no change").verdict == "ask"
    assert decide(ANN, write, records_written=11).verdict == "ask"
    assert decide(ANN, write, records_written=10).verdict == "allow"


def test_the_reason_says_whether_a_change_can_be_undone(registry: ToolRegistry) -> None:
    ruin = registry.spec("tear_down")
    assert ruin
    undoable = replace(ruin, returns={"type": "object", "properties": {"receipt": {"type": "object"}}})
    reasons = [decide(ANN, spec).reason for spec in (ruin, undoable, replace(undoable, access="external"))]
    assert reasons == ["it can't be undone", "it can be undone for one day only", "it can't be undone"]


def test_call_tool_never_runs_what_the_gate_stops(registry: ToolRegistry) -> None:
    result = registry.call_tool("open_gate", {"side": "left"}, context())
    assert result.status is ToolStatus.REJECTED
    assert registry.call_tool("grow_forest", {"label": "ash"}, context()).ok


def test_what_lacks_a_description_is_refused() -> None:
    def silent(word: str) -> str:
        return word

    with pytest.raises(TypeError, match="docstring"):
        description_of(silent, None)
    with pytest.raises(TypeError, match="'word' needs a description"):
        arguments_model(silent)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="grow_forest"):
        ToolRegistry(tools_of(sample_tools, None) * 2)
    assert tool()(silent_tool) is silent_tool


def silent_tool() -> None:
    """Do nothing."""
