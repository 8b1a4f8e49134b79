"""A desk for flow-chat, with a model that plans."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.planner import OfflinePlanner
from aisha.application.flow.request import parse_flow_request
from aisha.application.flow.turn import run_flow
from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.application.turn.run import run_turn
from aisha.application.turn.state import TurnDependencies
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Lead, Record
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.principal import Principal
from aisha.renderers.flow_response import render_flow
from aisha.renderers.json_response import render
from tests.fakes.models.scripted_model import ScriptedModel, Step
from tests.fakes.stores.in_memory import FixedClock

MODULES = frozenset(("leads", "contacts", "accounts", "opportunities", "activities", "notes"))
ALICE = Principal("demo", "alice", modules=MODULES, zone="Europe/Berlin")
KINDS = ("lead", "contact", "account", "opportunity", "activity", "note")
FIRST_RECORD = {"$step": 1, "path": "record.id"}


def analysis(*tools: tuple[str, Mapping[str, Any]], **more: Any) -> str:
    """Return a model's analysis as JSON."""
    chosen = [{"name": name, "parameters": parameters} for name, parameters in tools]
    fields = {"userIntent": "to test", "reasoning": "it fits", "confidence": 90, "needsTools": bool(tools)}
    return json.dumps({**fields, "toolsToUse": chosen, "needsConfirmation": False, "isDestructive": False, **more})


@dataclass
class Desk:
    """Flow-chat turns of Alice, who has three leads, two of them called Jack."""

    deps: TurnDependencies
    clock: FixedClock
    principal: Principal = ALICE
    model: ScriptedModel = field(default_factory=ScriptedModel)
    conversation: str | None = None

    def say(self, text: str, *steps: Step, **fields: Any) -> dict[str, Any]:
        """Run one turn of flow-chat in the same conversation."""
        request = parse_flow_request(self._body(text, fields), 8000)
        self.model = ScriptedModel(*steps)
        events = run_flow(request, self.principal, replace(self.deps, model=self.model))
        return self._continue(render_flow(events, "req-1"))

    def say_offline(self, text: str) -> dict[str, Any]:
        """Run one turn of flow-chat with the offline planner in the place of a model."""
        request = parse_flow_request(self._body(text, {}), 8000)
        return self._continue(
            render_flow(run_flow(request, self.principal, replace(self.deps, model=OfflinePlanner())), "req-1")
        )

    def chat(self, text: str, *steps: Step) -> dict[str, Any]:
        """Run one turn of the chat in the same conversation."""
        request = parse_chat_request(self._body(text, {}), 8000)
        self.model = ScriptedModel(*steps)
        return self._continue(render(run_turn(request, self.principal, replace(self.deps, model=self.model)), "req-1"))

    def decide(self, confirmation: str, approve: bool, choice: str | None = None) -> dict[str, Any]:
        model = ScriptedModel(ModelUnavailableError("no model at this door"))
        events = decide_confirmation(
            confirmation, self.principal, replace(self.deps, model=model), choice, approve=approve
        )
        return render(events, "req-1")

    def _body(self, text: str, fields: Mapping[str, Any]) -> bytes:
        return json.dumps({"message": text, "conversationId": self.conversation, **fields}).encode()

    def _continue(self, answer: dict[str, Any]) -> dict[str, Any]:
        self.conversation = answer["conversationId"]
        return answer

    def records(self, kind: str) -> list[Record]:
        return self.deps.records.search("demo", RecordQuery(kind, limit=50)).items

    def lead(self, name: str) -> Lead:
        lead = next(lead for lead in self.records("lead") if lead.display_name == name)
        assert isinstance(lead, Lead)
        return lead

    def counts(self) -> dict[str, int]:
        return {kind: len(records) for kind in KINDS if (records := self.records(kind))}


def statuses(answer: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(step["tool"], step["status"]) for step in answer["steps"]]


RENAME = analysis(
    ("search_leads", {"name_contains": "Ann Lee"}),
    ("update_lead", {"lead_id": FIRST_RECORD, "company": "Initech"}),
    ("create_note", {"entity_type": "lead", "entity_id": FIRST_RECORD, "content": "Moved to Initech"}),
)
