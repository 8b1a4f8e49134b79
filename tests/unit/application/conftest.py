"""Fixtures for turns on in-memory stores with a scripted model."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.discovery import tools_of
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.application.turn.run import run_turn
from aisha.application.turn.state import TurnDependencies, TurnLimits
from aisha.domain.conversations.conversation import Message
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.crm.queries import Create, RecordQuery
from aisha.domain.crm.records import Lead, Opportunity
from aisha.domain.principal import Principal
from aisha.renderers.json_response import render
from tests.fakes.models.scripted_model import ScriptedModel, Step
from tests.fakes.stores.in_memory import FixedClock, InMemoryConversationRepository, in_memory_ports
from tests.support.product_tools import product_tools
from tests.unit.application import turn_tools

ALICE = Principal("demo", "alice", modules=frozenset(("leads",)), zone="Europe/Berlin")
PRODUCT = product_tools()
NOTHING_ROUTED = Brainlet("router", "Chooses no tool.", "pre", lambda outputs, turn: turn.attach_tools(()))


@dataclass
class World:
    """The stores and the clock of a test, and turns as responses or as events."""

    deps: TurnDependencies
    clock: FixedClock
    principal: Principal = ALICE

    def events(self, text: str, *steps: Step, conversation: str | None = None, **fields: Any) -> Iterator[TurnEvent]:
        body = {"message": text, "conversationId": conversation, **fields}
        request = parse_chat_request(json.dumps(body).encode(), 8000)
        model = ScriptedModel(*steps)
        self.model = model
        return run_turn(request, self.principal, replace(self.deps, model=model))

    def say(self, text: str, *steps: Step, conversation: str | None = None, **fields: Any) -> dict[str, Any]:
        return render(self.events(text, *steps, conversation=conversation, **fields), "req-1")

    def messages(self, conversation_id: str) -> list[Message]:
        return self.deps.conversations.messages("demo", "alice", conversation_id, 50, None)[0]

    def add_lead(self, **fields: Any) -> Lead:
        record = self.deps.records.write("demo", [Create(Lead(**fields))])[0].record
        assert isinstance(record, Lead)
        return record

    def add_deal(self, **fields: Any) -> None:
        self.deps.records.write("demo", [Create(Opportunity(**fields))])

    def lead_names(self) -> list[str]:
        page = self.deps.records.search("demo", RecordQuery("lead", limit=50))
        return sorted(record.display_name for record in page.items)


@pytest.fixture
def world() -> Iterator[World]:
    clock = FixedClock()
    with ThreadPoolExecutor(4) as workers:
        yield World(
            TurnDependencies(
                model=ScriptedModel(),
                registry=ToolRegistry(tools_of(turn_tools, schemas=None)),
                ports=in_memory_ports(clock),
                conversations=InMemoryConversationRepository(),
                limits=TurnLimits(),
                workers=workers,
            ),
            clock,
        )


@pytest.fixture
def full(world: World) -> World:
    """Return a world with the tools of the product and a user of every module; the router chooses no tool."""
    modules = frozenset(spec.module for spec in PRODUCT.specs() if spec.module)
    world.deps = replace(world.deps, registry=PRODUCT, brainlets=Brainlets([NOTHING_ROUTED]))
    world.principal = replace(ALICE, modules=modules)
    return world
