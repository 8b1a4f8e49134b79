"""The assistant of a tenant whose records are in a fake HubSpot."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.bootstrap import Services
from aisha.domain.entries import PROFILE
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import chat, serve
from tests.fakes.stores.in_memory import InMemoryRecordRepository
from tests.fakes.systems.hubspot import TOKEN, HubSpot
from tests.fakes.world import ALICE, World, tools

HOOK_SECRET = "hook-secret-of-the-app"
CONNECTION = {
    "id": "conn_demo_1",
    "crm": "hubspot",
    "secret": "hubspot",
    "hook_secret": "hook",
    "users": {"alice": "alice@demo.example", "bob": "bob@demo.example"},
    "admins": ["alice"],
}


@dataclass
class Office:
    """The tenant demo connected to a fake HubSpot, as alice sees it."""

    world: World
    hubspot: HubSpot
    services: Services
    conversation: str | None = None
    last: dict[str, Any] = field(default_factory=dict)

    def say(self, text: str) -> str:
        """Say something in one conversation, and confirm what waits; return the last reply."""
        body = {"message": text} | ({"conversationId": self.conversation} if self.conversation else {})
        answer = chat(body, ALICE).json
        self.conversation = answer["conversationId"]
        self.last = answer
        if answer["status"] == "needs_confirmation":
            return self.say("yes")
        return str(answer["response"])

    def sync(self) -> None:
        dispatch_sync(self.services.sync_dependencies)
        self.services.finish_work()


@contextmanager
def connected_office(stage: str = "qualifiedtobuy") -> Iterator[Office]:
    """Yield the office after its first load, with one deal in `stage`; every function serves it."""
    world = World()
    with HubSpot(world.clock) as hubspot:
        environment = {"AISHA_CRM_TO_PRIVATE": "1", "AISHA_SECRET__HUBSPOT": TOKEN, "AISHA_QUEUE": "in_process"} | {
            "AISHA_SECRET__HOOK": HOOK_SECRET
        }
        services = Services(
            settings=read_settings(environment),
            clock=world.clock,
            local_records=InMemoryRecordRepository(world.clock),
            entries=world.entries,
            audit_log=world.audit,
            conversations=world.conversations,
            rate_limiter=world.limiter,
            spending_ledger=world.ledger,
            tools=tools(),
        )
        body = {"crm": {**CONNECTION, "url": hubspot.url}}
        world.entries.put("demo", None, PROFILE, PROFILE, body)
        abc = hubspot.add("companies", name="ABC Corp")
        hubspot.add(
            "contacts", firstname="Jack", lastname="Russel", company="ABC Corp", lifecyclestage="lead",
            hs_lead_status="CONNECTED", hubspot_owner_id="71", email="jack@abc.example",
        )  # fmt: skip
        hubspot.add("contacts", {"companies": [abc]}, firstname="Mia", lastname="Wong", lifecyclestage="customer")
        hubspot.add(
            "deals", {"companies": [abc]}, dealname="ABC renewal", amount="5000", dealstage=stage,
            hubspot_owner_id="71",
        )  # fmt: skip
        start_load("demo", services.sync_dependencies)
        services.finish_work()
        serve(services)
        yield Office(world, hubspot, services)
        serve()
        services.close()
