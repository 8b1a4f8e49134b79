"""The committed schemas match the code, and every tool is described well enough to be chosen and called."""

import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from aisha.application.tooling import ToolRegistry
from infra import schemas
from tests.support.tenants.desk import REGISTRY

NAMES = [spec.name for spec in REGISTRY.specs()]
FORBIDDEN = {
    "tenant",
    "tenant_id",
    "user",
    "user_id",
    "confirm",
    "confirmed",
    "confirmation",
    "operation_id",
    "context",
}


def test_the_committed_schemas_are_those_of_the_code() -> None:
    assert schemas.drift(schemas.files()) == []


def test_a_generic_result_is_titled_by_its_own_module_whoever_names_it_first(registry: ToolRegistry) -> None:
    spec = registry.spec("list_activities")
    assert spec is not None
    home = "aisha.application.tooling.results.RecordList[aisha.domain.crm.records.Activity]"
    assert spec.returns["title"] == home


def test_a_schema_that_differs_or_is_left_over_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(schemas, "FOLDER", tmp_path)
    (tmp_path / "old.json").write_text("{}\n")
    (tmp_path / "same.json").write_text("{}\n")
    assert schemas.drift({"same.json": "{}\n", "new.json": "{}\n"}) == ["new.json", "old.json"]


def test_the_tools_of_the_core_are_there() -> None:
    kinds = ("lead", "contact", "account", "opportunity")
    verbs = ("get", "create", "update", "delete")
    others = """
        search_leads search_contacts search_accounts search_opportunities convert_lead score_lead
        advance_opportunity_stage forecast_pipeline get_pipeline_summary get_my_day suggest_next_actions
        list_activities get_activity create_activity bulk_create_activities update_activity complete_activity
        delete_activity list_notes search_notes create_note delete_note schedule_meeting get_recent_events
        get_goals evaluate_goal update_goal
    """.split()
    assert {*others, *(f"{verb}_{kind}" for kind in kinds for verb in verbs)} <= set(NAMES)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "req_more_info"])  # No user asks for that one.
def test_a_tool_says_what_it_is_for(name: str, registry: ToolRegistry) -> None:
    spec = registry.spec(name)
    assert spec is not None
    assert len(spec.description) > 20
    assert 3 <= len(set(spec.examples)) == len(spec.examples) <= 10
    assert 2 <= len(spec.typical_followups) <= 4
    assert all(followup.tool in NAMES for followup in spec.typical_followups)
    slots = {slot for example in spec.examples for slot in re.findall(r"\{(\w+)\}", example)}
    assert slots <= {*spec.properties, "name"}


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_described_and_none_is_the_servers_business(name: str, registry: ToolRegistry) -> None:
    spec = registry.spec(name)
    assert spec is not None
    Draft202012Validator.check_schema(spec.parameters)
    Draft202012Validator.check_schema(spec.returns)
    assert [field for field, schema in _fields(spec.parameters) if not schema.get("description")] == []
    assert not FORBIDDEN & {field for field, _ in _fields(spec.parameters)}


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(("search_", "list_"))])
def test_every_list_is_bounded(name: str, registry: ToolRegistry) -> None:
    spec = registry.spec(name)
    assert spec is not None
    limit = spec.properties["limit"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 50, 10)
    assert {"items", "total", "next_cursor"} <= set(spec.returns["properties"])


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("delete_")])
def test_what_is_hard_to_undo_is_asked_about(name: str, registry: ToolRegistry) -> None:
    spec = registry.spec(name)
    assert spec is not None
    assert (spec.access, spec.confirmation) == ("delete", "destructive")


def _fields(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the parameters with their schemas, and those of the objects in lists."""
    fields = []
    for name, inner in schema.get("properties", {}).items():
        fields.append((name, inner))
        fields += _fields(inner.get("items", {})) if inner.get("type") == "array" else []
    return fields


def test_enumerations_of_results_have_their_qualified_names(registry: ToolRegistry) -> None:
    spec = registry.spec("search_leads")
    assert spec is not None
    assert spec.returns["$defs"]["LeadStatus"]["title"] == "aisha.domain.crm.enumerations.LeadStatus"
