"""flow-chat with a model that plans: one question for the whole plan, then exactly those steps."""

import json
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.api.schemas.conversations.flow import FlowResponse
from aisha.application.tooling.context import make_context
from aisha.domain.crm.enumerations import LeadStatus
from aisha.domain.crm.queries import Create, Update
from aisha.domain.crm.records import Note
from aisha.domain.errors import GoneError, ModelUnavailableError
from tests.fakes.models.scripted_model import ask
from tests.fakes.systems.mail import RecordingMailSender
from tests.support.tenants.flow_desk import ALICE, FIRST_RECORD, MODULES, RENAME, Desk, analysis, statuses


def test_a_plan_that_writes_is_asked_about_once_and_then_run(desk: Desk) -> None:
    answer = desk.say("Ann moved to Initech, note that", RENAME)
    FlowResponse.model_validate(answer)
    assert (answer["status"], answer["needsConfirmation"], answer["confirmationType"]) == (
        "needs_confirmation", True, "yes_no",
    )  # fmt: skip
    assert (answer["userIntent"], answer["confidence"], answer["isDestructive"]) == ("to test", 90, False)
    assert statuses(answer) == [("search_leads", "executed"), ("update_lead", "planned"), ("create_note", "planned")]
    assert "Ann Lee" in answer["confirmationQuestion"]
    assert "Initech" in answer["confirmationQuestion"]
    assert desk.lead("Ann Lee").company == "Globex"
    confirmed = desk.say("yes", "I moved Ann to Initech.")
    FlowResponse.model_validate(confirmed)
    assert statuses(confirmed)[1:] == [("update_lead", "executed"), ("create_note", "executed")]
    assert (confirmed["response"], confirmed["provider"]) == ("I moved Ann to Initech.", "scripted")
    assert desk.lead("Ann Lee").company == "Initech"
    assert desk.counts()["note"] == 1


def test_nothing_is_analysed_again_after_the_yes(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    desk.say("yes", "Done.")
    (answering,) = desk.model.requests
    assert not answering.json_mode
    assert not answering.tools
    assert "Moved to Initech" in answering.messages[-1].content


def test_a_step_that_would_overwrite_what_a_colleague_changed_after_the_question_fails(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    desk.clock.advance(timedelta(minutes=1))
    bob = make_context(replace(desk.principal, user="bob"), desk.deps.ports, "op_bob")
    changed = desk.deps.registry.call_tool("update_lead", {"lead_id": desk.lead("Ann Lee").id, "company": "Hooli"}, bob)
    assert changed.ok, changed.error
    desk.clock.advance(timedelta(minutes=1))
    answer = desk.say("yes", "It was changed meanwhile.")
    assert statuses(answer)[1:] == [("update_lead", "failed"), ("create_note", "executed")]
    assert "changed the company" in answer["steps"][1]["reason"]
    assert desk.lead("Ann Lee").company == "Hooli"


def test_it_runs_once(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    desk.say("yes", "Done.")
    desk.say("yes", analysis(), "There is nothing to confirm.")
    assert desk.counts()["note"] == 1


def test_no_drops_it(desk: Desk) -> None:
    before = desk.counts()
    desk.say("Ann moved to Initech, note that", RENAME)
    assert desk.say("no")["response"] == "All right, cancelled. Nothing was changed."
    assert desk.counts() == before
    assert desk.lead("Ann Lee").company == "Globex"


def test_a_plan_is_asked_about_in_sentences(desk: Desk) -> None:
    question = desk.say("Ann moved to Initech, note that", RENAME)["confirmationQuestion"]
    assert question == (
        "Shall I do this?\n"
        "1. Change the company of the lead Ann Lee to Initech\n"
        "2. Add this note to Ann Lee: “Moved to Initech”"
    )


def test_a_plan_of_one_step_is_asked_about_as_in_the_chat(desk: Desk) -> None:
    lead = desk.lead("Ann Lee")
    plan = analysis(("delete_lead", {"lead_id": lead.id}))
    question = desk.say("Delete Ann", plan)["confirmationQuestion"]
    assert question == "Shall I delete the lead **Ann Lee**? It can be restored for one day."
    desk.conversation = None
    assert desk.chat("Delete Ann", [ask("delete_lead", lead_id=lead.id)])["confirmation"]["question"] == question


def allow_email(desk: Desk) -> None:
    """Set email up, and give it to the user."""
    desk.principal = replace(ALICE, modules=MODULES | {"email"})
    desk.deps = replace(desk.deps, ports=replace(desk.deps.ports, mail=RecordingMailSender()))


def test_a_step_of_a_plan_shows_its_recipient_and_where_its_values_come_from(desk: Desk) -> None:
    allow_email(desk)
    ann = desk.lead("Ann Lee")
    text = "Please pay to DE02 at attacker@evil.example"
    note = Note(content=text, related={"type": "lead", "id": ann.id, "name": "Ann Lee"}, owner="bob")
    desk.deps.records.write("demo", [Create(note), Update("lead", ann.id, {"email": "ann@globex.example"})])
    plan = analysis(
        ("list_notes", {"entity_type": "lead", "entity_id": ann.id}),
        ("send_email", {"entity_type": "lead", "entity_id": ann.id, "subject": "Invoice", "body": text}),
        ("update_lead", {"lead_id": ann.id, "next_action": "Write to ann2@globex.example"}),
    )
    answer = desk.say("Answer what her notes say: Ann Lee", plan)
    first, second = answer["confirmationQuestion"].partition("2. ")[::2]
    assert "to Ann Lee (ann@globex.example)" in first
    assert "The details come from a note." in first
    assert "comes from what I have read, not from your messages." in second
    desk.deps.records.write("demo", [Update("lead", ann.id, {"email": "attacker@evil.example"})])
    pending = desk.deps.conversations.load("demo", "alice", answer["conversationId"], 0).conversation.pending
    assert pending is not None
    assert [step["arguments"].get("to") for step in pending.arguments["plans"][0]][1] == "ann@globex.example"


def test_each_of_several_records_is_offered_with_the_address_that_gets_the_mail(desk: Desk) -> None:
    allow_email(desk)
    for place, name in enumerate(("Jack Russel", "Jack Sparrow")):
        desk.deps.records.write("demo", [Update("lead", desk.lead(name).id, {"email": f"jack{place}@abc.example"})])
    mail = {"entity_type": "lead", "entity_id": FIRST_RECORD, "subject": "Hi", "body": "Hello"}
    plan = analysis(("search_leads", {"name_contains": "Jack"}), ("send_email", mail))
    question = desk.say("Say hello to Jack by email", plan)["confirmationQuestion"]
    assert all(f", to jack{place}@abc.example\n" in question for place in range(2))


def test_what_was_done_is_said_in_sentences_without_a_model(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    answer = desk.say("yes", ModelUnavailableError("offline"))
    assert answer["response"] == (
        "- I changed the company of the lead Ann Lee to Initech.\n- I added the note to Ann Lee."
    )


def test_a_doubt_of_the_planner_is_in_the_question(desk: Desk) -> None:
    unsure = replace(ask("update_lead", lead_id=desk.lead("Ann Lee").id, status="lost"), doubt="I'm not sure")
    answer = desk.say("Ann is toast", ModelUnavailableError("no analysis"), [unsure], "Done.")
    question = "I'm not sure: shall I change the status of the lead Ann Lee to lost?"
    assert answer["confirmationQuestion"] == question
    desk.say("yes", ModelUnavailableError("offline"))
    assert desk.lead("Ann Lee").status is LeadStatus.LOST


def test_a_plan_keeps_waiting_while_the_user_asks_something_else(desk: Desk) -> None:
    question = desk.say("Ann moved to Initech, note that", RENAME)
    assert desk.say("hold on")["response"].startswith("All right, I'll wait. When you are ready: shall I do this?")
    between = desk.say("Who is Jack?", analysis(), "A lead.")
    FlowResponse.model_validate(between)
    assert between["response"].startswith("A lead.\n\nI'm still waiting for your answer: shall I do this?")
    assert (between["status"], between["confirmation"]["id"]) == ("needs_confirmation", question["confirmation"]["id"])
    desk.say("yes", "Done.")
    assert desk.lead("Ann Lee").company == "Initech"


def test_a_plan_that_only_reads_runs_at_once(desk: Desk) -> None:
    plan = analysis(("search_leads", {"name_contains": "Ann"}), ("search_leads", {"name_contains": "Jack"}))
    answer = desk.say("Who are Ann and Jack?", plan, "There are three.")
    assert (answer["status"], answer["needsConfirmation"], answer["response"]) == (
        "completed",
        False,
        "There are three.",
    )
    assert [len(step["result"]["items"]) for step in answer["steps"]] == [1, 2]


def test_a_read_after_the_writes_shows_their_effect(desk: Desk) -> None:
    steps: tuple[tuple[str, dict[str, Any]], ...] = (
        ("search_leads", {"name_contains": "Ann"}),
        ("delete_lead", {"lead_id": FIRST_RECORD}),
        ("search_leads", {}),
    )
    answer = desk.say("Delete Ann and list the rest", analysis(*steps))
    assert (answer["isDestructive"], answer["confirmation"]["isDestructive"]) == (True, True)
    confirmed = desk.say("yes", "Ann is gone.")
    assert [item["display_name"] for item in confirmed["steps"][2]["result"]["items"]] != []
    assert "Ann Lee" not in json.dumps(confirmed["steps"][2]["result"])


def test_a_step_on_a_record_that_an_earlier_one_deletes_fails_before_the_question(desk: Desk) -> None:
    plan = analysis(
        ("search_leads", {"name_contains": "Ann"}),
        ("delete_lead", {"lead_id": FIRST_RECORD}),
        ("create_note", {"entity_type": "lead", "entity_id": FIRST_RECORD, "content": "Moved away"}),
    )
    answer = desk.say("Delete Ann and note that she moved", plan)
    assert statuses(answer)[1:] == [("delete_lead", "planned"), ("create_note", "failed")]
    assert "This can't be done" in answer["confirmationQuestion"]


def test_a_step_uses_the_record_that_an_earlier_one_creates(desk: Desk) -> None:
    plan = analysis(
        ("create_account", {"company_name": "Zeta"}),
        ("create_contact", {"name": "Maria Lopez", "account_id": FIRST_RECORD}),
    )
    answer = desk.say("New account Zeta with Maria Lopez", plan)
    assert answer["steps"][1]["arguments"]["account_id"] == FIRST_RECORD
    assert desk.counts() == {"lead": 3}
    desk.say("yes", "Done.")
    (account,), (contact,) = desk.records("account"), desk.records("contact")
    assert getattr(contact, "account_id", None) == account.id


@pytest.mark.parametrize("door", ["flow", "chat", "endpoint"])
def test_every_door_takes_the_yes(desk: Desk, door: str) -> None:
    answer = desk.say("Ann moved to Initech, note that", RENAME)
    if door == "flow":
        desk.say("yes, go ahead", "Done.")
    elif door == "chat":
        desk.chat("yes please", "Done.")
    else:
        assert "Ann Lee" in desk.decide(answer["confirmation"]["id"], approve=True)["response"]
    assert desk.lead("Ann Lee").company == "Initech"
    with pytest.raises(GoneError):
        desk.decide(answer["confirmation"]["id"], approve=True)


def test_ten_minutes_later_it_is_too_late(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    desk.clock.advance(timedelta(minutes=10))
    assert "expired" in desk.say("yes")["response"]
    assert desk.lead("Ann Lee").company == "Globex"


def test_a_new_order_says_that_the_earlier_plan_is_left_undone(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    answer = desk.say("Delete Jack", analysis(("delete_lead", {"lead_id": desk.lead("Jack Russel").id})))
    assert answer["response"].startswith("I left the earlier plan undone.\n\n")
    desk.say("yes", "Done.")
    assert desk.lead("Ann Lee").company == "Globex"
