"""The assistant over a fake HubSpot: what users ask for is in the CRM, and what changes there is in the answers."""

from datetime import timedelta
from typing import Any

import pytest

from aisha.application.connections.sync import handle_sync, start_load
from aisha.application.connections.sync_state import sync_state
from infra.local.server.lambda_events import LambdaContext
from tests.fakes.aws.api_gateway import call, chat, function
from tests.fakes.systems.hubspot import Fault
from tests.fakes.world import ALICE
from tests.support.tenants.connected_office import Office


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


@pytest.mark.parametrize("minutes", [5, -5])
def test_clocks_apart_refuse_no_confirmation_and_hide_no_change(office: Office, minutes: int) -> None:
    [deal] = office.hubspot.rows["deals"]
    office.world.clock.advance(timedelta(minutes=minutes))
    office.hubspot.change("deals", deal, amount="6000")
    office.world.clock.advance(timedelta(minutes=-minutes))
    office.sync()
    question = chat({"message": "Delete the deal ABC renewal"}, ALICE).json
    assert question["status"] == "needs_confirmation"
    office.world.clock.advance(timedelta(minutes=minutes, seconds=2))
    office.hubspot.change("deals", deal, amount="6100")
    office.world.clock.advance(timedelta(minutes=-minutes, seconds=2))
    office.sync()
    chat({"message": "yes", "conversationId": question["conversationId"]}, ALICE)
    assert len(office.hubspot.all("deals")) == 1, "a colleague changed it after the question"
    office.say("Delete the deal ABC renewal")
    assert office.hubspot.all("deals") == []


def test_answers_during_the_first_load_say_that_records_may_be_missing(office: Office) -> None:
    start_load("demo", office.services.sync_dependencies)
    reply = office.say("Find the lead Anna Schmidt")
    assert "still being read" in reply
    assert any("still being read" in insight for insight in office.last["insights"])
    office.services.finish_work()
    assert "still being read" not in office.say("Find the lead Anna Schmidt")


def test_admins_see_the_progress_and_the_trouble_of_the_connection(office: Office) -> None:
    def connection() -> dict[str, Any]:
        answer = call("profile", "GET", "/api/ai/profile", ALICE | {"roles": '["admin"]'}).json
        return dict(answer["admin"]["connection"])

    state = connection()
    assert (state["crm"], state["phase"], state["loaded"], state["problems"]) == ("hubspot", "ready", 4, [])
    office.hubspot.add("deals", dealname="Late", amount="about 5", dealstage="qualifiedtobuy")
    office.sync()
    [problem] = connection()["problems"]
    assert "amount: 'about 5' is no decimal" in problem
    office.hubspot.before = lambda method, path: Fault(403, {"message": "The scope is missing."})
    office.sync()
    assert "The scope is missing" in connection()["error"]
    assert call("profile", "GET", "/api/ai/profile", ALICE).json.get("admin") is None


@pytest.mark.slow  # it waits as a turn does
def test_while_the_crm_is_down_reads_say_their_time_and_writes_are_refused(office: Office) -> None:
    office.world.clock.advance(timedelta(hours=1))
    office.hubspot.before = lambda method, path: Fault(503, "<html>maintenance</html>")
    deps = office.services.sync_dependencies
    with pytest.raises(Exception, match="HubSpot is out of order"):
        handle_sync({"task": "crm", "tenant": "demo", "step": "changes"}, deps)
    assert "as of 10:00" in office.say("Show me my warm leads")
    assert "Jack Russel" in office.last["response"]
    assert any("as of 10:00" in insight for insight in office.last["insights"])
    office.say("Create a lead for Petra Novak from Orbit Labs")
    assert "out of order" in str(office.last)
    assert len(office.hubspot.all("contacts")) == 2


def test_refused_credentials_reach_the_admin_once(office: Office) -> None:
    office.hubspot.before = lambda method, path: Fault(401, {"message": "The token has expired."})
    for _ in range(2):
        with pytest.raises(Exception, match="refused our credentials"):
            handle_sync({"task": "crm", "tenant": "demo", "step": "changes"}, office.services.sync_dependencies)
    [notification] = office.world.entries.page("demo", "alice", "notification").items
    assert "The token has expired." in notification.body["body"]


def test_what_the_crm_has_no_place_for_is_told(office: Office) -> None:
    office.say("Set the estimated value of Jack Russel to 9000")
    assert any("Kept in AiSHA alone" in insight and "estimated value" in insight for insight in office.last["insights"])


def test_the_schedule_and_the_worker_read_changes_as_their_functions(office: Office) -> None:
    [deal] = office.hubspot.rows["deals"]
    office.hubspot.change("deals", deal, amount="8800")
    answer = function("sweep_dispatcher").handler({"task": "crm"}, LambdaContext("d", 512, "r", 10))
    assert answer == {"task": "crm", "tenants": ["demo"]}
    office.services.finish_work()
    assert "8,800" in office.say("Tell me about the deal ABC renewal")
