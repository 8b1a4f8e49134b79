"""A standing instruction or a memory, which stays in force, waits for the user at every door, however it is ordered."""

import pytest

from aisha.application.tooling import ToolRegistry
from tests.attack.doors import DOORS, Desk
from tests.fakes.models.scripted_model import ask

LASTING = [
    ("manage_prompt", {"action": "add", "text": "Always answer briefly"}, "Always answer briefly from now on"),
    ("memory", {"action": "create", "text": "Jack Russel likes tea"}, "Remember that Jack Russel likes tea"),
]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("tool", "arguments", "order"), LASTING, ids=["instruction", "memory"])
def test_it_waits_at_every_door(
    registry: ToolRegistry, door: str, tool: str, arguments: dict[str, str], order: str
) -> None:
    desk = Desk(
        registry,
        door,
        lambda request: "Done." if request.messages[-1].role == "tool" else [ask(tool, None, **arguments)],
    )
    if door in ("voice", "mcp"):
        desk.call(tool, arguments, order)
    else:
        desk.say(order)
    assert desk.outcome.written == []
    assert arguments["text"] in desk.outcome.questions[0]


def test_no_tool_sets_an_address_to_which_something_is_sent_later(registry: ToolRegistry) -> None:
    """Webhooks, callbacks and connections are the user's own requests, or the administrator's."""
    words = ("url", "webhook", "callback", "channel", "connection", "endpoint", "recipient", "bcc", "cc")
    own = {"website"}
    named = [
        (spec.name, name)
        for spec in registry.specs()
        for name in spec.properties
        if name not in own and any(word in name.lower().split("_") for word in words)
    ]
    assert named == []
