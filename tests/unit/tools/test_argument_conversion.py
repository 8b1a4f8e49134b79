"""Arguments reach a tool as the model sent them, or the call fails with an error that explains it.

All tools convert arguments in the same way: space around a text is removed; names of an enumeration may have any case,
spaces or hyphens; a time becomes an aware datetime, a day a date, an amount a Decimal; tags become lower case. Nothing
else changes.
"""

import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import wraps
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from pydantic import BaseModel

from aisha.application.tooling import ToolContext, ToolRegistry
from aisha.application.tooling.context import make_context
from aisha.application.tooling.decorators import TOOL_MARK
from aisha.application.tooling.definition import Tool
from aisha.domain.models import ToolCallRequest
from aisha.domain.tools import ToolSpec, ToolStatus
from tests.fakes.models.scripted_model import ask, tool_results
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports
from tests.support.dialogue.conversations import NOW as THEN
from tests.support.dialogue.scripted_play import Play
from tests.support.tenants.desk import NOW, REGISTRY
from tests.support.tenants.office import ANN

pytestmark = pytest.mark.slow

SPECS = {spec.name: spec for spec in REGISTRY.specs()}
QUICK = settings(
    max_examples=12, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
received: dict[str, Any] = {}
"""Arguments of the last call of a recording tool."""


def recording(tool: Tool) -> Tool:
    """Return the tool with its signature, whose function only stores its arguments in `received`."""
    has_self = tool.owner is not None

    @wraps(tool.function)
    def record(*receiver: Any, **arguments: Any) -> str:
        assert len(receiver) == has_self
        received.clear()
        received.update({name: value for name, value in arguments.items() if not isinstance(value, ToolContext)})
        return "recorded"

    if hasattr(record, TOOL_MARK):
        # Checks look at records, and these arguments name none.
        setattr(record, TOOL_MARK, replace(getattr(record, TOOL_MARK), check=None))
    return replace(tool, function=record)


RECORDING = ToolRegistry([recording(tool) for tool in REGISTRY._tools.values() if isinstance(tool, Tool)])


def context() -> ToolContext:
    return make_context(ANN, in_memory_ports(FixedClock(NOW)), "op")


def texts(schema: dict[str, Any]) -> st.SearchStrategy[str]:
    """Return texts of an allowed length, in all scripts, with quotes and line ends, and with space around them."""
    if "pattern" in schema:
        return st.sampled_from(["a@b.example", "É.ü+x@sub.b.example"] if "@" in schema["pattern"] else ["EUR", "JPY"])
    shortest, longest = schema.get("minLength", 0), min(schema.get("maxLength", 60), 60)
    inner = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=shortest, max_size=longest - 2)
    stripped = inner.filter(lambda text: len(text.strip()) >= shortest)
    quoted = 'Ann "O\'Hara" 李 🎉\n\\n' + "x" * (longest - 22)
    return st.one_of(stripped, stripped.map(lambda text: f" {text}\n"), st.just(quoted))


def cases_of(name: str) -> st.SearchStrategy[str]:
    return st.sampled_from([name, name.upper(), name.replace("_", " ").title(), name.replace("_", "-")])


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that the schema accepts."""
    if "anyOf" in schema:  # an amount, which may also be a text
        assert {option["type"] for option in schema["anyOf"]} == {"number", "string"}
        return st.one_of(
            st.integers(0, 10**12),
            st.decimals(0, 10**9, places=2).flatmap(lambda amount: st.sampled_from([float(amount), str(amount)])),
        )
    if "enum" in schema:
        is_free = "aisha.domain.crm.records" in schema.get("title", "")
        return st.sampled_from(schema["enum"]).flatmap(cases_of if is_free else st.just)
    match schema["type"], schema.get("format"):
        case "object", _:
            return objects(schema)
        case "array", _:
            return st.lists(fitting(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)
        case "integer", _:
            return st.integers(schema.get("minimum", 1), schema.get("maximum", 10**9))
        case "number", _:
            return st.one_of(st.integers(0, 10**12), st.decimals(0, 10**9, places=2).map(float))
        case "boolean", _:
            return st.booleans()
        case _, "date-time":
            naive = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1))  # noqa: DTZ001
            return naive.map(lambda time: f"{time.isoformat()}+05:30")
        case _, "date":
            return st.dates(date(2000, 1, 1), date(2099, 1, 1)).map(date.isoformat)
    return texts(schema)


def objects(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    required = set(schema.get("required", ()))
    values = {name: fitting(inner) for name, inner in schema["properties"].items()}
    return st.fixed_dictionaries(
        {name: value for name, value in values.items() if name in required},
        optional={name: value for name, value in values.items() if name not in required},
    )


def same(written: Any, converted: Any) -> bool:
    """Return True when the tool got the value as written, after the conversions of the module's docstring."""
    match converted:
        case BaseModel():
            fields = type(converted).model_fields
            by_name = {
                name: getattr(converted, field) for field, info in fields.items() for name in (field, info.alias)
            }
            return all(name in by_name and same(value, by_name[name]) for name, value in written.items())
        case StrEnum():
            return "_".join(written.lower().replace("-", " ").replace("_", " ").split()) == converted
        case datetime():
            return converted.tzinfo is not None and converted == datetime.fromisoformat(written)
        case date():
            return converted == date.fromisoformat(written)
        case Decimal():
            return converted == Decimal(str(written))
        case str() if isinstance(written, str):
            return converted.strip() == written.strip()
        case list():
            return len(written) == len(converted) and all(map(same, written, converted))
        case dict():
            return written.keys() == converted.keys() and all(
                same(value, converted[name]) for name, value in written.items()
            )
    return bool(written == converted)


@pytest.mark.parametrize("spec", [pytest.param(spec, id=name) for name, spec in SPECS.items()])
@QUICK
@given(data=st.data())
def test_what_a_schema_takes_reaches_the_tool(spec: ToolSpec, data: st.DataObject) -> None:
    written = data.draw(objects(spec.parameters))
    call = RECORDING.create_call(spec.name, json.dumps(written), context())
    if call.result.status is ToolStatus.FAILED:
        assert call.result.error is not None
        if call.result.error["code"] == "not_set_up":
            pytest.skip(call.result.error["message"])
        pytest.fail(f"{written} was refused: {call.result.error['message']}")
    assert call.arguments == written
    assert call.execute().value == "recorded"
    for name, value in written.items():
        converted = received[name]
        lowered = [tag.lower() for tag in value] if name == "tags" else value
        assert same(lowered, converted), (name, value, converted)


def nested(depth: int) -> str:
    return '{"a":[' * depth + "1" + "]}" * depth


UNUSABLE = {
    "a member too many": '{"first_name": "Jo", "surname": "Hall"}',
    "a member too many inside": '{"first_name": "Jo", "address": {"zip": "53111"}}',
    "a text too long": json.dumps({"first_name": "x" * 2_000_000}),
    "a number for a text": '{"first_name": 7}',
    "a list for a text": '{"first_name": ["Jo"]}',
    "more than fits": '{"first_name": "Jo", "score": 101}',
    "a part of a whole": '{"first_name": "Jo", "score": 50.5}',
    "a number without end": f'{{"first_name": "Jo", "score": {"9" * 5000}}}',
    "an amount without end": f'{{"first_name": "Jo", "estimated_value": {"9" * 4000}}}',
    "an amount finer than cents": '{"first_name": "Jo", "estimated_value": "1.005"}',
    "no number": '{"first_name": "Jo", "estimated_value": NaN}',
    "infinity": '{"first_name": "Jo", "estimated_value": 1e999}',
    "half a sign": '{"first_name": "\\ud800"}',
    "half a call": '{"first_name": "Jo',
    "two objects": '{"first_name": "Jo"}{"first_name": "Jim"}',
    "a list": '[{"first_name": "Jo"}]',
    "a text": '"Jo"',
    "deep": f'{{"first_name": "Jo", "address": {nested(60)}}}',
    "very deep": f'{{"first_name": "Jo", "address": {nested(400)}}}',
    "without bottom": f'{{"first_name": "Jo", "address": {nested(100_000)}}}',
}


@pytest.mark.parametrize("raw", [pytest.param(raw, id=name) for name, raw in UNUSABLE.items()])
def test_unusable_arguments_give_a_short_error(raw: str) -> None:
    call = RECORDING.create_call("create_lead", raw, context())
    assert call.result.status is ToolStatus.FAILED
    error = call.result.error
    assert error is not None
    assert error["code"] in ("invalid_input", "malformed_request")
    assert error["message"]
    assert error.get("suggestion") or error.get("detail")
    assert len(json.dumps(error)) < 1_000


@pytest.mark.parametrize("depth", [60, 150, 400, 2_000, 100_000])
@pytest.mark.parametrize("tool", ["create_lead", "search_leads", "no_such_tool"])
def test_no_depth_of_arguments_breaks_a_turn(tool: str, depth: int) -> None:
    play = Play(REGISTRY, THEN)
    call = ToolCallRequest("call_1", tool, f'{{"first_name": {nested(depth)}}}')
    answer = play.turn("Go", [call], "That did not work.")
    assert (answer["status"], answer["response"]) == ("completed", "That did not work.")
    assert answer["toolCalls"][0]["status"] in ("failed", "not_found")
    assert len(tool_results(play.model.requests[1])) == 1


def test_of_64_calls_in_a_round_each_is_answered_and_none_runs() -> None:
    play = Play(REGISTRY, THEN)
    before = play.counts()
    calls = [ask("create_lead", f"call_{n}", last_name=f"Quark {n}") for n in range(64)]
    play.turn("Create 64 leads", calls, "That was too much at once.")
    assert play.count_added(before) == {}
    results = tool_results(play.model.requests[1])
    assert [result["error"] for result in results] == ["Tool execution failed"] * 64
    assert "64 calls at once" in results[0]["reason"]


def write(text: str) -> Callable[[int], ToolCallRequest]:
    return lambda n: ask("memory", f"call_{n}", action="create", text=text)


def test_the_same_read_thrice_is_answered_thrice() -> None:
    play = Play(REGISTRY, THEN)
    calls = [ask("search_leads", f"call_{n}", name_contains="Jack Russel") for n in range(3)]
    play.turn("Jack, Jack, Jack", calls, "Jack.")
    first, second, third = tool_results(play.model.requests[1])
    assert first == second == third
    assert first["items"][0]["display_name"] == "Jack Russel"


def test_the_same_call_under_one_id_thrice_loses_none() -> None:
    """A model that gives three calls one id gets three results under it."""
    play = Play(REGISTRY, THEN)
    before = play.counts()
    calls = [ask("create_lead", "call_1", last_name=f"Quark {n}") for n in range(3)]
    play.turn("Create three leads: Quark 0, Quark 1 and Quark 2", calls, "Three.")
    names = [result["record"]["last_name"] for result in tool_results(play.model.requests[1])]
    assert names == ["Quark 0", "Quark 1", "Quark 2"]
    assert play.count_added(before) == {"lead": 3}


def test_the_same_thing_to_remember_thrice_is_one() -> None:
    play = Play(REGISTRY, THEN)
    for n in range(3):
        question = play.turn("Remember that Jack likes golf", [write("Jack likes golf")(n)])
        assert question["status"] == "needs_confirmation"
        play.say("yes", question["conversationId"])
    play.turn("What do you remember?", [ask("memory", "call_9", action="list")], "Golf.")
    (listed,) = tool_results(play.model.requests[1])
    assert [item["text"] for item in listed["items"]] == ["Jack likes golf"]
