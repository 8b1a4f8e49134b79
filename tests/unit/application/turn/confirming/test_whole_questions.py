"""A question shows every value of its call, whatever it is called and whatever markup it is written in."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from aisha.application.redaction.output import shown_whole
from aisha.application.redaction.safe_text import safe_text
from aisha.application.tooling.definition import Tool
from aisha.domain.tools import DECLARED, ToolSpec
from tests.fakes.models.scripted_model import ask
from tests.unit.application.conftest import World
from tests.unit.application.turn.confirming.office import IDS, JACK, with_ids

MARKUP = (
    "Hi <!-- a comment --> [our prices](https://x.example/?d=data) ![a picture](https://x.example/p.png) "
    "<b title='a title'>bold</b> [ref]: https://x.example/ref [go](javascript:alert(1)) <https://x.example/auto>"
)
WHAT_ACTS = re.compile(r"!\[|\]\(|\]:|\]\[|<[A-Za-z/!?]|(?:java|vb)script:", re.IGNORECASE)
TEXTS = st.lists(
    st.sampled_from([*"![]()<>:/= \na", "javascript:", "VBScript:", "https://x.example", "<b>", "<!--", "-->", "]("]),
    max_size=25,
).map("".join)
CALLS: dict[str, dict[str, Any]] = {
    "send_email": {**JACK, "subject": "Prices", "body": MARKUP},
    "create_note": {**JACK, "content": MARKUP},
    "memory": {"action": "create", "text": MARKUP},
    "complete_activity": {"activity_id": "@activity", "outcome": MARKUP},
    "bulk_create_activities": {
        "items": [{**JACK, "title": f"Task {number}", "activity_type": "task", "body": MARKUP} for number in range(11)]
    },
}


def question(world: World, tool: str, arguments: Mapping[str, Any]) -> str:
    return str(world.say("thanks", [ask(tool, **with_ids(arguments))])["confirmation"]["question"])


def declared(name: str, toolkit: str) -> Tool:
    """Return a tool of another system that takes any arguments."""
    spec = ToolSpec(name, "Does it.", {}, {}, toolkit, access="external", confirmation="destructive")
    return Tool(spec, lambda arguments: arguments, convert=lambda arguments, _: {"arguments": arguments})


def letters(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("tool", CALLS)
def test_markup_is_shown_as_it_is_written(office: World, tool: str) -> None:
    asked = question(office, tool, CALLS[tool])
    assert letters(asked).count(letters(MARKUP)) == str(CALLS[tool]).count("<!-- a comment -->")
    assert not WHAT_ACTS.search(asked)


@settings(deadline=None)
@given(TEXTS)
def test_what_is_shown_whole_keeps_every_character_and_does_nothing(text: str) -> None:
    shown = shown_whole(text, {})
    assert letters(shown) == letters(text)
    assert not WHAT_ACTS.search(shown)
    assert safe_text(shown) == shown


@pytest.mark.parametrize("toolkit", sorted(DECLARED))
@pytest.mark.parametrize("name", ["erp__set_limits", "erp__frobnicate", "create_orders", "cancel_ride"])
def test_no_argument_of_another_systems_tool_is_hidden(office: World, name: str, toolkit: str) -> None:
    office.deps = replace(office.deps, registry=office.deps.registry.with_tools([declared(name, toolkit)]))
    arguments = {
        "action": "wipe", "limit": 70001, "page": 70002, "cursor": "cursor-7", "entity_type": "galaxy", "amount": 70003,
        "currency": "XTS", "filter": {"$where": "always", "deep": [{"er": 70004}]}, "dry_run": False, "note": "",
        "orders": [{"sku": "S-1", "price": 70005}, {"sku": "S-2", "gift": {"wrap": True}}],
    }  # fmt: skip
    asked = question(office, name, arguments).lower()
    for value in ("wipe", "cursor-7", "galaxy", "xts", "always", "s-1", "s-2", *(str(70001 + n) for n in range(5))):
        assert value in asked, value
    for label in ("limit", "page", "dry run: no", "note: nothing", "$where", "er: ", "wrap: "):
        assert label in asked, label
    assert "$70" not in asked, "whose money it is, is unknown"


def test_a_secret_is_not_shown_and_said_to_be_there(office: World) -> None:
    office.deps = replace(office.deps, registry=office.deps.registry.with_tools([declared("erp__log_in", "mcp")]))
    asked = question(office, "erp__log_in", {"user": "ann", "password": "hunter2"})
    assert ("hunter2" in asked, "Password: not shown" in asked) == (False, True)


def test_each_record_of_a_bulk_call_is_shown_with_its_own_values(office: World) -> None:
    items = [
        {
            "entity_type": "lead",
            "entity_id": IDS[str(number)],
            "title": f"Send offer {number}",
            "activity_type": "task" if number % 2 else "call",
            "due_date": f"2026-03-{number + 4:02}T10:00:00Z",
            "body": f"Offer number {number}",
        }
        for number in range(12)
    ]
    asked = question(office, "bulk_create_activities", {"items": items})
    lines = [line for line in asked.splitlines() if line.startswith("- Activity ")]
    assert len(lines) == len(items)
    for number, line in enumerate(lines):
        for value in (
            f"P{number},",
            f"Send offer {number}”",
            f"Offer number {number}",
            f"Mar {number + 4} at 11:00 AM",
        ):
            assert value in line
        assert ("a task for" if number % 2 else "a call with") in line


@pytest.mark.parametrize(
    "odd", [{"title": "Send him everything"}, {"due_date": "2026-03-20T09:00:00Z"}, {"location": "Their office"}]
)
def test_one_odd_record_among_equal_ones_is_shown(office: World, odd: dict[str, Any]) -> None:
    same = {"entity_type": "lead", "title": "Follow-up", "activity_type": "task"}
    items = [{**same, "entity_id": IDS[str(number)]} for number in range(12)]
    items[9] |= odd
    asked = question(office, "bulk_create_activities", {"items": items})
    assert "P11" in asked
    assert {"title": "Send him everything", "due_date": "Mar 20", "location": "Their office"}[next(iter(odd))] in asked


def test_key_results_belong_to_their_goal(office: World) -> None:
    asked = question(office, "create_goal", {"title": "Grow", "key_results": [{"title": "New deals", "target": 10}]})
    assert asked.startswith("Shall I create the goal Grow?")
    assert "Key results: New deals: 10" in asked
