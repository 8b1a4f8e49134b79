"""No argument of any tool gives access to another tenant or to the private data of another user.

Each call runs twice: once beside a rival tenant with people of the same names and a colleague with private data, and
once without them. The answers must be equal, so that they hold nothing of the others, whose data must stay unchanged.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aisha.domain.crm.records import SUBJECT_TYPES
from aisha.domain.tools import ToolSpec
from tests.support.tenants.argument_cases import ALWAYS, CASES, resolve_arguments, with_argument
from tests.support.tenants.desk import REGISTRY
from tests.support.tenants.office import ANN, ANY_ID, BOB, EVE, Office, result_text

pytestmark = pytest.mark.slow

SPECS = {spec.name: spec for spec in REGISTRY.specs()}
IDS = Office().ids
ACME = {record_id for name, record_id in IDS.items() if not name.startswith(("rival:", "bob"))}
IDS_OF_OTHERS = sorted(set(IDS.values()) - ACME)
"""Ids of the rival's records and entries, and of Bob's private note, goal and entries."""
PRIVATE = ("rival:", "bob:")
"""Beginnings of all private texts of the rival tenant and of Bob."""
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
UNUSUAL_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(sorted(IDS.values())),
    st.sampled_from(WORDS),
    st.sampled_from(["../rival", "rival#lead", "acme\x1frival", "' OR tenant='rival", "x" * 9_000, "", " ", "\x00"]),
    st.sampled_from([None, True, -1, 0, 10**30, 1.5, [], {}, [[[[]]]], {"tenant": "rival"}, {"$ne": None}]),
    st.text(max_size=20),
)


def deep(depth: int) -> Any:
    value: Any = "rival"
    for _ in range(depth):
        value = {"items": [value]}
    return value


def fitting(schema: dict[str, Any], root: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that a schema accepts, or nearly accepts; texts are ids of anybody's records."""
    if "$ref" in schema:
        return fitting(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "anyOf" in schema:
        return st.one_of([fitting(option, root) for option in schema["anyOf"]])
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
    """Return all required and some optional arguments, sometimes of a wrong type."""
    required = set(schema.get("required", ()))
    values = {
        name: st.one_of(fitting(inner, root), fitting(inner, root), fitting(inner, root), UNUSUAL_VALUES)
        for name, inner in schema["properties"].items()
    }
    return st.fixed_dictionaries(
        {name: value for name, value in values.items() if name in required},
        optional={name: value for name, value in values.items() if name not in required},
    )


EXTRAS: list[dict[str, Any]] = [
    *({} for _ in range(3)),
    {"tenant": "rival"},
    {"tenant_id": "rival", "user": "eve"},
    {"context": {"tenant": "rival"}},
    {"principal": "rival"},
    {"self": 1},
    {"owner": "eve"},
    {"x": deep(60)},
    {"cursor": deep(400)},
]


def plain(text: str) -> str:
    """Return the answer with every id that the call made replaced by `new`."""
    old_ids = set(IDS.values())
    return ANY_ID.sub(lambda match: match[0] if match[0] in old_ids else "new", text)


def theirs(office: Office) -> list[str]:
    return [office.dump_records("rival"), office.dump_entries("rival", EVE.user), office.dump_entries("acme", BOB.user)]


def check(tool: str, call: dict[str, Any] | str) -> None:
    among, alone = Office(), Office(others=False)
    before = theirs(among)
    answer = result_text(among.run(ANN, tool, call))
    assert plain(answer) == plain(result_text(alone.run(ANN, tool, call)))
    assert theirs(among) == before
    request = call if isinstance(call, str) else json.dumps(call)
    assert [text for text in (*IDS_OF_OTHERS, *PRIVATE) if text in answer and text not in request] == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", [pytest.param(spec, id=name) for name, spec in SPECS.items()])
@settings(max_examples=15, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_argument_leads_to_others(spec: ToolSpec, data: st.DataObject) -> None:
    call = data.draw(arguments(spec.parameters, spec.parameters)) | data.draw(st.sampled_from(EXTRAS))
    check(spec.name, json.dumps(call))


def id_arguments() -> Iterator[Any]:
    """Yield the arguments of tools that are ids, with the other arguments of their cases."""
    for tool, cases in CASES.items():
        for path, case in cases.items():
            if any(isinstance(value, str) and value.startswith("@") for value in case[:2]):
                yield pytest.param(tool, path, case[2] if len(case) == 3 else {}, id=f"{tool}-{path}")


def answers(tool: str, path: str, call: dict[str, Any], value: str) -> list[str]:
    """Return the answers for this id, one for each type it may be given with; the id itself is replaced in them."""
    office = Office()
    outer = path.rpartition(".")[0]
    types = f"{outer}.entity_type" if outer else "entity_type"
    with_type = path.endswith("entity_id") and "entity_type" in json.dumps(call)
    calls = [with_argument(call, types, kind) for kind in SUBJECT_TYPES] if with_type else [call]
    results = [
        office.run(ANN, tool, resolve_arguments(office, tool, with_argument(call, path, value))) for call in calls
    ]
    return [plain(result_text(result).replace(value, "the id")) for result in results]


@pytest.mark.parametrize(("tool", "path", "more"), list(id_arguments()))
def test_an_id_of_others_is_one_that_does_not_exist(tool: str, path: str, more: dict[str, Any]) -> None:
    call = {**ALWAYS.get(tool, {}), **more}
    kinds = {foreign.partition("_")[0] for foreign in IDS_OF_OTHERS}
    unknown = {kind: answers(tool, path, call, f"{kind}_01JN{9:9>22}") for kind in kinds}
    for foreign in IDS_OF_OTHERS:
        assert answers(tool, path, call, foreign) == unknown[foreign.partition("_")[0]], foreign


@pytest.mark.parametrize("tool", [name for name, spec in SPECS.items() if "cursor" in spec.properties])
def test_a_cursor_of_another_tenant_leads_to_ones_own(tool: str) -> None:
    office = Office()
    call = {**ALWAYS.get(tool, {}), "limit": 1}
    own = {name: f"@rival:{value[1:]}" if str(value).startswith("@") else value for name, value in call.items()}
    page = office.run(EVE, tool, resolve_arguments(office, tool, own))
    assert page.ok, page.error
    check(tool, resolve_arguments(office, tool, {**call, "cursor": page.value["next_cursor"]}))
