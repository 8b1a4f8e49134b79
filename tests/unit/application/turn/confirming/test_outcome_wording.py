"""Texts after a yes, and before and after a question, are natural English too."""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.turn.wording.phrases import past_tense
from aisha.domain.crm.queries import Delete
from tests.fakes.models.scripted_model import ask
from tests.unit.application.conftest import World
from tests.unit.application.turn.confirming.office import IDS, JACK, MEMORY, with_ids


@pytest.mark.parametrize(
    ("tool", "arguments", "outcome"),
    [
        ("delete_lead", {"lead_id": "@lead"}, "Done, I deleted the lead Jack Russel."),
        ("delete_note", {"note_id": "@note"}, "Done, I deleted the note Likes golf."),
        (
            "convert_lead",
            {"lead_id": "@lead", "create_opportunity": True},
            "Done, I converted Jack Russel to a contact of Jack Russel, with the new deal “Jack Russel deal”.",
        ),
        (
            "create_activity",
            {**JACK, "title": "Call", "activity_type": "call", "due_date": "tomorrow at 9am"},
            "Done, I scheduled a call with Jack Russel for tomorrow at 9:00 AM.",
        ),
        ("create_note", {**JACK, "content": "Likes tea"}, "Done, I added the note to Jack Russel."),
        ("create_contact", {"name": "Bob Hall", "email": "bob@x.example"}, "Done, I created the contact Bob Hall."),
        (
            "update_lead",
            {"lead_id": "@lead", "status": "warm"},
            "Done, I changed the status of the lead Jack Russel to warm.",
        ),
        ("memory", {"action": "delete", "memory_id": MEMORY}, "Done, I forgot the memory “Ann likes tea”."),
        ("memory", {"action": "create", "text": "It is late."}, "Done, I saved this memory: “It is late.”"),
        ("run_scan", {"scan_type": "stale_leads"}, "Done, I scanned the pipeline for stale leads; findings: 10."),
        (
            "send_email",
            {**JACK, "subject": "Hi", "body": "Hi"},
            "Done, I sent the email to Jack Russel (jack@abc.example).",
        ),
    ],
)
def test_the_outcome_after_a_yes(office: World, tool: str, arguments: dict[str, Any], outcome: str) -> None:
    call = replace(ask(tool, **with_ids(arguments)), doubt="I'm not sure I understood you")
    question_turn = office.say("Do it", [call])
    reply = office.say("yes", conversation=question_turn["conversationId"])["response"]
    assert re.sub(r"findings: \d+", "findings: 10", reply) == outcome


def test_a_record_that_goes_while_the_question_waits_is_said_to_be_gone(office: World) -> None:
    lead_id = with_ids("@lead")
    question_turn = office.say("Do it", [ask("delete_lead", lead_id=lead_id)])
    office.deps.records.write("demo", [Delete("lead", lead_id)])
    reply = office.say("yes", conversation=question_turn["conversationId"])["response"]
    assert reply == "That did not work. I can't find that lead any more."


def test_an_undo_says_what_is_back(office: World) -> None:
    question_turn = office.say("Delete Jack", [ask("delete_lead", lead_id=IDS["lead"])])
    office.say("yes", conversation=question_turn["conversationId"])
    undo = replace(ask("undo_last"), doubt="I'm not sure I understood you")
    question_turn = office.say("Take care", [undo], conversation=question_turn["conversationId"])
    done = office.say("yes", conversation=question_turn["conversationId"])
    assert done["response"] == "Done, I undid your last change. Now the lead Jack Russel is back."


def test_a_draft_is_shown_once_it_is_written(office: World) -> None:
    draft = replace(ask("draft_email", **with_ids(JACK), purpose="thank him"), doubt="I'm not sure I understood you")
    question_turn = office.say("Mail him", [draft])
    done = office.say("yes", conversation=question_turn["conversationId"])["response"]
    assert done.startswith("Done, I drafted an email to Jack Russel: “thank him”.\n\nSubject: ")
    assert "Jack" in done.partition("Subject:")[2]


def test_what_was_done_before_a_question_is_said_first(office: World) -> None:
    calls = [
        ask("update_lead", lead_id=IDS["lead"], status="warm"),
        ask("delete_contact", contact_id=IDS["contact"]),
    ]
    answer = office.say("Mark Jack as warm and delete Ann", calls)
    assert answer["response"] == (
        "Done, I changed the status of the lead Jack Russel to warm.\n\n"
        "Shall I delete the contact **Ann Lee**? It can be restored for one day."
    )


@pytest.mark.parametrize(
    ("verb", "past"),
    [
        ("delete", "deleted"),
        ("notify", "notified"),
        ("send", "sent"),
        ("undo", "undid"),
        ("add", "added"),
        ("plan", "planned"),
        ("book", "booked"),
        ("call", "called"),
        ("pay", "paid"),
    ],
)
def test_past_tenses(verb: str, past: str) -> None:
    assert past_tense(verb) == past


def test_that_email_is_not_set_up_is_said_before_anything_is_asked(office: World) -> None:
    office.deps = replace(office.deps, ports=replace(office.deps.ports, mail=None))
    call = ask("send_email", **with_ids({**JACK, "subject": "Hi", "body": "Hi"}))
    answer = office.say("Email Jack Russel hi", [call], "Email is not set up.")
    assert answer["status"] == "completed"
    assert answer["toolCalls"][-1]["error"]["code"] == "not_set_up"
