"""Chats with memory: each turn searches it first and is sent to its queue afterwards."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from msgspec.structs import replace

from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.turn.brainlets.registry import Brainlets, discover_brainlets
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.application.turn.run import run_turn
from aisha.application.turn.state import TurnDependencies, TurnLimits
from aisha.domain.crm.queries import Create, RecordQuery
from aisha.domain.crm.records import Lead, Record
from aisha.domain.ports import MemoryStore
from aisha.domain.principal import Principal
from aisha.renderers.json_response import render
from tests.fakes.aws.memory_lambda import MemoryLambda
from tests.fakes.models.scripted_model import ScriptedModel, Step, ask
from tests.fakes.models.words_embedder import WordsEmbedder
from tests.fakes.stores.in_memory import FixedClock, InMemoryConversationRepository, in_memory_ports
from tests.support.product_tools import product_tools

NOTHING_ROUTED = Brainlet("router", "Chooses no tool.", "pre", lambda outputs, turn: turn.attach_tools(()))


class RememberingChat:
    """Alice's conversations. The memories of her turns wait in the queue until the Lambda is polled."""

    def __init__(self, store: Callable[[], MemoryStore], memory_lambda: MemoryLambda, workers: Executor) -> None:
        self.memory_lambda = memory_lambda
        registry = product_tools()
        own = {brainlet.name: brainlet for brainlet in discover_brainlets("aisha.brainlets").ordered}
        ports = in_memory_ports(FixedClock())
        self._deps = TurnDependencies(
            model=ScriptedModel(),
            registry=registry,
            ports=replace(ports, memory=store, embedder=WordsEmbedder, queue=lambda: memory_lambda.queue),
            conversations=InMemoryConversationRepository(),
            limits=TurnLimits(),
            workers=workers,  # type: ignore[arg-type]
            brainlets=Brainlets([NOTHING_ROUTED, own["memory_search"], own["memory_ingest"]]),
        )
        modules = frozenset(spec.module for spec in registry.specs() if spec.module)
        self._principal = Principal("demo", "alice", modules=modules)

    def say(self, text: str, *steps: Step) -> dict[str, Any]:
        """Run a turn and return its response. The model is first called for keywords."""
        request = parse_chat_request(f'{{"message": "{text}"}}'.encode(), 8000)
        deps = replace(self._deps, model=ScriptedModel("warm lead", *steps))
        return render(run_turn(request, self._principal, deps), "req-1")

    def lead(self, name: str) -> Record:
        create = Create(Lead(first_name=name, last_name="Lee", status="warm"))
        return self._deps.records.write("demo", [create])[0].record

    def plan(self, lead: Record, title: str) -> dict[str, Any]:
        """Run a turn that plans a demo with a lead, and return its response."""
        call = ask("create_activity", entity_type="lead", entity_id=lead.id, title=title, activity_type="demo")
        return self.say(f"Please schedule a demo with {lead.display_name}, titled {title}", [call], "Done.")

    def activities(self) -> list[Record]:
        return list(self._deps.records.search("demo", RecordQuery("activity", limit=50)).items)
