"""The assistant over a fake HubSpot: what users ask for is in the CRM, and what changes there is in the answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from aisha.application.connections.sync import dispatch_sync, handle_sync, start_load, sync_state
from aisha.bootstrap import Services
from aisha.domain.entries import PROFILE
from aisha.settings import read_settings
from tests.fakes.api_gateway import chat, serve
from tests.fakes.hubspot import TOKEN, Fault, HubSpot
from tests.fakes.in_memory import InMemoryRecordRepository
from tests.fakes.world import ALICE, World, _tools

CONNECTION = {
    "id": "conn_demo_1",
    "crm": "hubspot",
    "secret": "hubspot",
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

    def say(self, text: str) -> str:
        """Say something in one conversation, and confirm what waits; return the last reply."""
        body = {"message": text} | ({"conversationId": self.conversation} if self.conversation else {})
        answer = chat(body, ALICE).json
        self.conversation = answer["conversationId"]
        self.last: dict[str, Any] = answer
        if answer["status"] == "needs_confirmation":
            return self.say("yes")
        return str(answer["response"])

    def sync(self) -> None:
        dispatch_sync(self.services.sync_dependencies)
        self.services.finish_work()


@pytest.fixture
def office() -> Iterator[Office]:
    world = World()
    with HubSpot(world.clock) as hubspot:
        environment = {"AISHA_CRM_TO_PRIVATE": "1", "AISHA_SECRET__HUBSPOT": TOKEN, "AISHA_QUEUE": "in_process"}
        services = Services(
            settings=read_settings(environment),
            clock=world.clock,
            local_records=InMemoryRecordRepository(world.clock),
            entries=world.entries,
            audit_log=world.audit,
            conversations=world.conversations,
            rate_limiter=world.limiter,
            spending_ledger=world.ledger,
            tools=_tools(),
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
            "deals", {"companies": [abc]}, dealname="ABC renewal", amount="5000", dealstage="qualifiedtobuy",
            hubspot_owner_id="71",
        )  # fmt: skip
        start_load("demo", services.sync_dependencies)
        services.finish_work()
        serve(services)
        yield Office(world, hubspot, services)
        serve()
        services.close()


def test_the_first_load_brings_the_crms_records_into_the_answers(office: Office) -> None:
    state = sync_state(office.world.entries, "demo")
    assert state and (state.phase, state.loaded, state.problems) == ("ready", 4, [])
    assert "Jack Russel" in office.say("Show me my warm leads")
    assert "ABC renewal" in office.say("Show me my opportunities")


def test_what_the_assistant_creates_moves_and_undoes_is_in_the_crm(office: Office) -> None:
    office.say("Create a lead for Petra Novak from Orbit Labs, petra@orbit.example")
    [petra] = [one for one in office.hubspot.all("contacts") if one.get("firstname") == "Petra"]
    assert (petra["lastname"], petra["company"], petra["email"]) == ("Novak", "Orbit Labs", "petra@orbit.example")
    assert (petra["lifecyclestage"], petra["hubspot_owner_id"]) == ("lead", "71")

    office.say("Move the deal ABC renewal to proposal")
    assert office.hubspot.all("deals")[0]["dealstage"] == "presentationscheduled"
    office.say("Undo that")
    assert office.hubspot.all("deals")[0]["dealstage"] == "qualifiedtobuy"

    office.say("Add a note to Jack Russel: He wants a demo in May")
    [note] = office.hubspot.rows["notes"].values()
    assert "He wants a demo in May" in str(note.properties["hs_note_body"])
    [jack] = [key for key, row in office.hubspot.rows["contacts"].items() if row.properties["firstname"] == "Jack"]
    assert note.associated == {"contacts": [jack]}


def test_a_change_made_in_the_crm_is_in_the_next_answer(office: Office) -> None:
    [deal] = office.hubspot.rows["deals"]
    office.world.clock.advance(timedelta(minutes=1))
    office.hubspot.change("deals", deal, amount="7500", dealname="ABC renewal 2027")
    office.hubspot.add("contacts", firstname="Zed", lastname="New", lifecyclestage="lead", hs_lead_status="NEW")
    office.sync()
    assert "7,500" in office.say("Tell me about the deal ABC renewal 2027")
    assert "Zed New" in office.say("Find the lead Zed New")


def test_a_record_deleted_in_the_crm_leaves_the_answers_within_a_day(office: Office) -> None:
    [deal] = office.hubspot.rows["deals"]
    office.hubspot.remove("deals", deal)
    office.world.clock.advance(timedelta(days=1))
    office.sync()
    assert "ABC renewal" not in office.say("Show me my opportunities")


def test_a_colleagues_change_in_between_is_no_silent_overwrite(office: Office) -> None:
    [deal] = office.hubspot.rows["deals"]
    office.hubspot.change("deals", deal, amount="9000")
    office.say("Move the deal ABC renewal to proposal")
    assert office.hubspot.all("deals")[0]["dealstage"] == "qualifiedtobuy"
    assert "changed in HubSpot" in str(office.last["toolCalls"])
    # The copy has been read again, so the second try is made with what is there now.
    office.say("Move the deal ABC renewal to proposal")
    assert office.hubspot.all("deals")[0] | {"amount": "9000"} == office.hubspot.all("deals")[0]
    assert office.hubspot.all("deals")[0]["dealstage"] == "presentationscheduled"


def test_while_the_crm_is_down_reads_say_their_time_and_writes_are_refused(office: Office) -> None:
    office.world.clock.advance(timedelta(hours=1))
    office.hubspot.before = lambda method, path: Fault(503, "<html>maintenance</html>")
    deps = office.services.sync_dependencies
    with pytest.raises(Exception, match="HubSpot is out of order"):
        handle_sync({"task": "crm", "tenant": "demo", "step": "changes"}, deps)
    assert "Jack Russel" in office.say("Show me my warm leads")
    assert any("as of 10:00" in insight for insight in office.last["insights"])
    office.say("Create a lead for Petra Novak from Orbit Labs")
    assert "out of order" in str(office.last)
    assert len(office.hubspot.all("contacts")) == 2


def test_refused_credentials_reach_the_admin_once(office: Office) -> None:
    office.hubspot.before = lambda method, path: Fault(401, {"message": "The token has expired."})
    for _ in range(2):
        with pytest.raises(Exception, match="refused our credentials"):
            handle_sync({"task": "crm", "tenant": "demo", "step": "changes"}, office.services.sync_dependencies)
    [told] = office.world.entries.page("demo", "alice", "notification").items
    assert "The token has expired." in told.body["body"]
