"""Tools that the product does not have are found by their examples, and called with what an ask says."""

from typing import Any

import pytest

from aisha.adapters.llm.planner.own_tools import own_tool, run_own_tool
from aisha.adapters.llm.planner.plan import EarlyAnswer, Pending, Plan, Toolbox
from aisha.adapters.llm.planner.results import PlannedCall, Results
from aisha.adapters.llm.planner.scene import Scene
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language.ask import Ask
from aisha.domain.tools import Access, ToolSpec
from tests.support.dialogue.planner import ask, demo_desk, local_now
from tests.support.tenants.desk import REGISTRY

DESK = demo_desk()
JACK = Ref("lead", "lead_1", "Jack Russel")


def tool(name: str, *examples: str, access: Access = "read", **properties: str) -> ToolSpec:
    """Return a tool with these required parameters by type."""
    schema = {"properties": {one: {"type": kind} for one, kind in properties.items()}, "required": list(properties)}
    return ToolSpec(name, "", schema, {}, "http", access, examples=examples)


OWN = (
    tool("find_shipments", "where are the shipments to {name}", "shipments for {name}", customer="string"),
    tool("book_courier", "book a courier for {name}", access="write", customer="string"),
    tool("price_of", "what does {count} of {item} cost", item="string", count="integer"),
)


def plan(*refs: Ref) -> Plan:
    tools = Toolbox((spec.name, spec) for spec in (*REGISTRY.permitted(DESK.principal), *OWN))
    scene = Scene(DESK.principal, local_now(DESK), "", (), (), final=False)
    return Plan(tools, scene, Results(()), Topic(refs))


def calls_of(line: str, *refs: Ref) -> tuple[PlannedCall, ...]:
    """Return the calls that an ask needs of the tool that it is for."""
    asked: Ask = ask(line, DESK)
    spec = own_tool(plan(*refs), asked)
    assert spec is not None
    with pytest.raises(Pending) as pending:
        run_own_tool(plan(*refs), asked, spec)
    return pending.value.calls


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("impossible: where are the shipments to {owner:Acme}", "find_shipments"),
        ("about: please show me the shipments for {name:Birthday Greetings Ltd} of {when:yesterday}", "find_shipments"),
        ("change_activity: book me a courier for {name:Acme}", "book_courier"),
        ("search: show me my {value:warm} leads", None),
        ("create_activity: call {name:Acme} about {topic:the late delivery}", None),
        ("create_note: note for {name:Acme}: {text:the shipments were late}", None),
    ],
)
def test_the_words_of_the_examples_decide_not_names_and_the_readers_act(line: str, tool: str | None) -> None:
    found = own_tool(plan(), ask(line, DESK))
    assert (found and found.name) == tool


@pytest.mark.parametrize("act", ["negated", "hypothetical", "report"])
def test_a_write_that_was_not_ordered_is_none(act: str) -> None:
    assert own_tool(plan(), ask(f"{act}: book a courier for {{name:Acme}}", DESK)) is None


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("about: where are the {name:shipments to Acme}", [{"customer": "Acme"}]),
        ("about: shipments for {name:Shipments Ltd}", [{"customer": "Shipments Ltd"}]),
        ("about: shipments for {name:Acme} and for {org:Globex}", [{"customer": "Acme"}, {"customer": "Globex"}]),
        ("about: any shipments for {ref:him}", [{"customer": "Jack Russel"}]),
        ("count: what does {count:3} of {name:Bolts} cost", [{"count": 3, "item": "Bolts"}]),
    ],
)
def test_slots_become_arguments(line: str, arguments: list[dict[str, Any]]) -> None:
    assert [call.arguments for call in calls_of(line, JACK)] == arguments


def test_what_is_missing_is_asked_for() -> None:
    asked = ask("about: where are the shipments", DESK)
    with pytest.raises(EarlyAnswer) as early:
        run_own_tool(plan(), asked, OWN[0])
    assert early.value.answer.text == "I need the customer for that. What is it?"


@pytest.mark.parametrize(
    ("line", "is_sure"),
    [
        ("search: book a courier for {name:Acme} please", True),
        ("search: can you book a courier for {name:Acme}?", True),
        ("search: did they book a courier for {name:Acme}?", False),
        ("search: book a courier for {name:Acme} unless it rains", False),
    ],
)
def test_a_write_beyond_the_words_of_the_examples_is_doubted(line: str, is_sure: bool) -> None:
    (call,) = calls_of(line)
    assert bool(call.doubt) is not is_sure
