"""No argument of any tool leads into another tenant, or to what another user has as their own.

Each call runs twice, once beside a rival tenant with people of the same names and a colleague with things of their own, once
without them: the answers must be the same, so nothing of theirs can be in one, and all of theirs must be as it was.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aisha.domain.records import SUBJECT_TYPES
from aisha.domain.tools import ToolSpec
from tests.support.argument_cases import ALWAYS, CASES, meant, with_argument
from tests.support.desk import REGISTRY
from tests.support.office import ANN, ANY_ID, BOB, EVE, Office, as_said

SPECS = {spec.name: spec for spec in REGISTRY.specs()}
IDS = Office().ids
ACME = {one for name, one in IDS.items() if not name.startswith(("rival:", "bob"))}
OTHERS = sorted(set(IDS.values()) - ACME)
"""Ids of the rival's records and entries, and of Bob's private note, goal and entries."""
PRIVATE = ("rival:", "bob:")
"""How all that is the rival's or Bob's own begins, where it is text."""
WORDS = (
    "Jack Russel",
    "ABC Corp",
    "jack@abc.example",
    "bob:secret goal",
    "rival:secret",
    "bob",
    "eve",
    "rival",
    "*",
    "%",
)
ODD: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(sorted(IDS.values())),
    st.sampled_from(WORDS),
    st.sampled_from(["../rival", "rival#lead", "acme\x1frival", "' OR tenant='rival", "x" * 9_000, "", " ", "\x00"]),
    st.sampled_from([None, True, -1, 0, 10**30, 1.5, [], {}, [[[[]]]], {"tenant": "rival"}, {"$ne": None}]),
    st.text(max_size=20),
)


def deep(depth: int) -> Any:
    made: Any = "rival"
    for _ in range(depth):
        made = {"items": [made]}
    return made


def fitting(schema: dict[str, Any], root: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema takes, or nearly: ids of everybody where a text may stand."""
    if "$ref" in schema:
        return fitting(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "anyOf" in schema:
        return st.one_of([fitting(one, root) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object" if "properties" in schema:
            return arguments(schema, root)
        case "array":
            return st.lists(fitting(schema.get("items", {}), root), min_size=1, max_size=3)
        case "integer" | "number":
            return st.integers(schema.get("minimum", 0), min(schema.get("maximum", 50), 50))
        case "boolean":
            return st.booleans()
        case "string" if schema.get("format", "").startswith("date"):
            return st.sampled_from(["2026-03-05", "2026-01-01", "tomorrow", "last week"])
    return st.one_of(st.sampled_from(sorted(IDS.values())), st.sampled_from(WORDS))


def arguments(schema: dict[str, Any], root: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """All that is required and some of the rest, now and then of a wrong kind."""
    required = set(schema.get("required", ()))
    values = {
        name: st.one_of(fitting(inner, root), fitting(inner, root), fitting(inner, root), ODD)
        for name, inner in schema["properties"].items()
    }
    return st.fixed_dictionaries(
        {name: value for name, value in values.items() if name in required},
        optional={name: value for name, value in values.items() if name not in required},
    )


EXTRAS: list[dict[str, Any]] = [
    {}, {}, {}, {"tenant": "rival"}, {"tenant_id": "rival", "user": "eve"}, {"context": {"tenant": "rival"}},
    {"principal": "rival"}, {"self": 1}, {"owner": "eve"}, {"x": deep(60)}, {"cursor": deep(400)},
]  # fmt: skip


def plain(text: str) -> str:
    """An answer with all ids that the call made called the same."""
    known = set(IDS.values())
    return ANY_ID.sub(lambda found: found[0] if found[0] in known else "new", text)


def theirs(office: Office) -> list[str]:
    return [office.kept_records("rival"), office.kept_entries("rival", EVE.user), office.kept_entries("acme", BOB.user)]


def check(tool: str, call: dict[str, Any] | str) -> None:
    among, alone = Office(), Office(others=False)
    before = theirs(among)
    said = as_said(among.run(ANN, tool, call))
    assert plain(said) == plain(as_said(alone.run(ANN, tool, call)))
    assert theirs(among) == before
    asked = call if isinstance(call, str) else json.dumps(call)
    assert [one for one in (*OTHERS, *PRIVATE) if one in said and one not in asked] == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", [pytest.param(spec, id=name) for name, spec in SPECS.items()])
@settings(max_examples=15, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_argument_leads_to_others(spec: ToolSpec, data: st.DataObject) -> None:
    call = data.draw(arguments(spec.parameters, spec.parameters)) | data.draw(st.sampled_from(EXTRAS))
    check(spec.name, json.dumps(call))


def id_arguments() -> Iterator[Any]:
    """Where a tool takes the id of something."""
    for tool, cases in CASES.items():
        for path, case in cases.items():
            if any(isinstance(value, str) and value.startswith("@") for value in case[:2]):
                yield pytest.param(tool, path, case[2] if len(case) == 3 else {}, id=f"{tool}-{path}")


def answers(tool: str, path: str, call: dict[str, Any], value: str) -> list[str]:
    """What is said to this id, for each type of record it may be given as; the id itself is called the same."""
    office = Office()
    outer = path.rpartition(".")[0]
    types = f"{outer}.entity_type" if outer else "entity_type"
    with_type = path.endswith("entity_id") and "entity_type" in json.dumps(call)
    calls = [with_argument(call, types, kind) for kind in SUBJECT_TYPES] if with_type else [call]
    said = [as_said(office.run(ANN, tool, meant(office, tool, with_argument(one, path, value)))) for one in calls]
    return [plain(one.replace(value, "the id")) for one in said]


@pytest.mark.parametrize(("tool", "path", "more"), list(id_arguments()))
def test_an_id_of_others_is_one_that_does_not_exist(tool: str, path: str, more: dict[str, Any]) -> None:
    call = {**ALWAYS.get(tool, {}), **more}
    kinds = {foreign.partition("_")[0] for foreign in OTHERS}
    unknown = {kind: answers(tool, path, call, f"{kind}_01JN{9:9>22}") for kind in kinds}
    for foreign in OTHERS:
        assert answers(tool, path, call, foreign) == unknown[foreign.partition("_")[0]], foreign


@pytest.mark.parametrize("tool", [name for name, spec in SPECS.items() if "cursor" in spec.properties])
def test_a_cursor_of_another_tenant_leads_to_ones_own(tool: str) -> None:
    office = Office()
    call = {**ALWAYS.get(tool, {}), "limit": 1}
    own = {name: f"@rival:{value[1:]}" if str(value).startswith("@") else value for name, value in call.items()}
    page = office.run(EVE, tool, meant(office, tool, own))
    assert page.ok, page.error
    check(tool, meant(office, tool, {**call, "cursor": page.value["next_cursor"]}))
