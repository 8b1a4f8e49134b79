"""The messages that turns put into memory's queue."""

import sys
from datetime import timedelta
from typing import Annotated, Any

import pytest
from msgspec.structs import replace

from aisha.application.memory.chunks import (
    Case,
    accepted_chunk,
    activity_chunk,
    note_chunk,
    outcome_chunk,
)
from aisha.application.tooling import ToolContext, ToolRegistry, tool
from aisha.application.tooling.discovery import tools_of
from aisha.application.tooling.results import WriteResult
from aisha.application.turn.brainlets.registry import Brainlets, discover_brainlets
from aisha.domain.crm.enumerations import LeadStatus, Stage
from aisha.domain.crm.queries import Create, Update
from aisha.domain.crm.records import Account, Activity, Lead, Note, Opportunity, Record, Related
from tests.fakes.aws.memory_queue import RecordingWorkQueue
from tests.fakes.models.scripted_model import ask
from tests.fakes.stores.in_memory import FixedClock
from tests.unit.application.conftest import NOTHING_ROUTED, World

INGEST = [brainlet for brainlet in discover_brainlets("aisha.brainlets").ordered if brainlet.name == "memory_ingest"]


@tool(access="write", module="leads")
def set_up(
    context: ToolContext,
    lead_id: Annotated[str, "Id"],
    title: Annotated[str, "Title"],
    custom: Annotated[dict[str, str], "More"],
) -> WriteResult[Lead]:
    """Change fields, some of which no model may see."""
    changes = {"job_title": title, "custom": custom}
    return WriteResult[Lead].of(context.records.write(Update("lead", lead_id, changes))[0])


@pytest.fixture
def queue(full: World) -> RecordingWorkQueue:
    sent = RecordingWorkQueue()
    _use(full, sent)
    return sent


def _use(full: World, queue: Any) -> None:
    ports = replace(full.deps.ports, queue=lambda: queue)
    full.deps = replace(full.deps, ports=ports, brainlets=Brainlets([NOTHING_ROUTED, *INGEST]))


def _jack(full: World, **fields: Any) -> Lead:
    return full.add_lead(first_name="Jack", last_name="Russel", status="warm", source="referral", **fields)


def _put(full: World, record: Record) -> Record:
    return full.deps.records.write("demo", [Create(record)])[0].record


def test_a_turn_that_acted_is_remembered_with_question_record_state_deed_and_outcome(
    full: World, queue: RecordingWorkQueue
) -> None:
    jack = _jack(full)
    call = ask("create_activity", entity_type="lead", entity_id=jack.id, title="Demo", activity_type="demo")
    full.say("Set up a demo for Jack", [call], "Done.")
    (chunk,) = queue.chunks
    assert chunk.text.splitlines() == [
        "Asked: Set up a demo for Jack",
        "About: lead Jack Russel",
        "Situation: warm lead, from referral",
        "Done: planned a demo",
        "Outcome: done",
    ]
    assert chunk.metadata == {"entity_type": "lead", "entity_id": jack.id, "action": "demo", "outcome": "done"}
    assert (queue.messages[0].tenant, chunk.user, chunk.entity_type, chunk.entity_id) == (
        "demo",
        "alice",
        "lead",
        jack.id,
    )


def test_a_change_is_told_with_the_state_before_it(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    full.say("Set Jack to qualified", [ask("update_lead", lead_id=jack.id, status="qualified")], "Noted.")
    (chunk,) = queue.chunks
    assert "Situation: warm lead" in chunk.text
    assert "Done: changed status warm → qualified" in chunk.text


@pytest.mark.parametrize(
    "steps", [["Hello."], [[ask("search_leads")], "One."], [[ask("get_lead", lead_id="lead_1")], "None."]]
)
def test_a_turn_that_changed_nothing_leaves_nothing(full: World, queue: RecordingWorkQueue, steps: list[Any]) -> None:
    _jack(full)
    full.say("Which leads?", *steps)
    assert queue.messages == []


def test_a_note_is_remembered_in_its_words_and_a_private_one_not_at_all(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    about = {"entity_type": "lead", "entity_id": jack.id}
    full.say("Note on Jack: wants a quote", [ask("create_note", content="Wants a quote", **about)], "Done.")
    assert [chunk.metadata["action"] for chunk in queue.chunks] == ["create_note", "create_note"]
    assert "wrote a note: Wants a quote" in queue.chunks[1].text
    queue.messages.clear()
    secret = ask("create_note", content="He is getting divorced", is_private=True, **about)
    full.say("Private note on Jack: he is getting divorced", [secret], "Done.")
    assert queue.messages == []
    call = ask("create_activity", title="Call", activity_type="call", **about)
    full.say("Add a private note to Jack: he is getting divorced, and plan a call with him", [secret, call], "Done.")
    assert len(queue.chunks) == 1
    assert "divorce" not in queue.chunks[0].text
    assert "Asked: (left out)" in queue.chunks[0].text


def test_sensitive_fields_never_enter_memory(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    full.deps = replace(full.deps, registry=ToolRegistry(tools_of(sys.modules[__name__], schemas=None)))
    update = ask("set_up", lead_id=jack.id, title="CEO", custom={"password": "hunter2", "api_key": "k-12345"})
    full.say("Set up Jack as CEO; his password is hunter2 and the api key k-12345", [update], "Done.")
    text = str(queue.messages)
    assert "job title none → CEO" in text
    assert "hunter2" not in text
    assert "k-12345" not in text


def test_a_completed_activity_is_remembered_with_what_came_of_it(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    demo = _put(full, Activity(title="Demo", activity_type="demo", related=Related(type="lead", id=jack.id)))
    full.say(
        "The demo with Jack is done, they loved it",
        [ask("complete_activity", activity_id=demo.id, outcome="They loved it")],
        "Great.",
    )
    turn, done = queue.chunks
    assert "completed a demo" in turn.text
    assert "Outcome: They loved it" in done.text
    assert done.metadata["action"] == "demo"


def test_a_won_deal_is_remembered_with_what_was_done_last(full: World, queue: RecordingWorkQueue) -> None:
    deal = _put(full, Opportunity(name="Seats", stage=Stage.NEGOTIATION))
    for kind, days in (("demo", 1), ("call", 5), ("email", 3)):
        done = {"status": "completed", "completed_at": full.clock.now() - timedelta(days=days)}
        about = Related(type="opportunity", id=deal.id)
        _put(full, Activity.model_validate({"title": kind, "activity_type": kind, "related": about, **done}))
    full.say(
        "Mark the deal Seats as won",
        [ask("advance_opportunity_stage", opportunity_id=deal.id, stage="closed_won")],
        "Great.",
    )
    ending = queue.chunks[-1]
    assert ending.metadata["outcome"] == "won"
    assert ending.metadata["action"] == "demo"
    assert "Done: call, email, demo" in ending.text
    assert "Situation: deal at negotiation" in ending.text


def test_a_deal_that_is_open_again_is_no_longer_remembered_as_won(full: World, queue: RecordingWorkQueue) -> None:
    deal = _put(full, Opportunity(name="Seats", stage=Stage.CLOSED_WON))
    full.say(
        "Move the deal Seats back to negotiation",
        [ask("update_opportunity", opportunity_id=deal.id, stage="negotiation")],
        "Done.",
    )
    assert queue.forgotten == [("chunk", f"mem_{deal.id}_won")]


def test_a_confirmed_call_is_remembered_by_what_was_asked_before_the_yes(
    full: World, queue: RecordingWorkQueue
) -> None:
    jack = _jack(full, company="ABC")
    question = full.say("Convert Jack", [ask("convert_lead", lead_id=jack.id)], "Shall I?")
    assert queue.messages == []
    full.say("yes", conversation=question["conversationId"])
    turn, ending = queue.chunks
    assert "Asked: Convert Jack" in turn.text
    assert turn.entity_id == jack.id
    assert (ending.metadata["outcome"], ending.entity_id) == ("converted", jack.id)


def test_what_is_deleted_is_forgotten(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    note = _put(full, Note(content="Old", related=Related(type="lead", id=jack.id)))
    for call in (ask("delete_note", note_id=note.id), ask("delete_lead", lead_id=jack.id)):
        question = full.say("Delete it", [call], "Shall I?")
        full.say("yes", conversation=question["conversationId"])
    assert queue.forgotten == [("chunk", f"mem_{note.id}"), ("record", jack.id)]
    assert queue.chunks == []


def test_a_write_that_is_taken_back_is_forgotten_and_not_learnt_from(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    note = ask("create_note", entity_type="lead", entity_id=jack.id, content="Wrong")
    full.say("Note on Jack: wrong", [note], "Done.")
    turn, written = (chunk.id for chunk in queue.chunks)
    queue.messages.clear()
    full.say("Undo that", [ask("undo_last")], "Undone.")
    assert queue.forgotten == [("chunk", written), ("chunk", turn)]
    assert queue.chunks == []


def test_a_confirmed_turn_that_is_taken_back_is_forgotten(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full, company="ABC")
    question = full.say("Convert Jack", [ask("convert_lead", lead_id=jack.id)], "Shall I?")
    full.say("yes", conversation=question["conversationId"])
    turn, ending = (chunk.id for chunk in queue.chunks)
    queue.messages.clear()
    full.say("Undo that", [ask("undo_last")], "Undone.")
    assert {("chunk", turn), ("chunk", ending)} <= set(queue.forgotten)
    assert queue.chunks == []


def test_what_a_turn_does_and_takes_back_at_once_is_no_case(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    full.say(
        "Qualify Jack, no, undo it",
        [ask("update_lead", lead_id=jack.id, status="qualified")],
        [ask("undo_last")],
        "Undone.",
    )
    assert queue.chunks == []


def test_an_activity_that_is_open_again_is_no_longer_remembered_as_done(full: World, queue: RecordingWorkQueue) -> None:
    jack = _jack(full)
    demo = _put(full, Activity(title="Demo", activity_type="demo", related=Related(type="lead", id=jack.id)))
    full.say(
        "The demo with Jack is done, they loved it",
        [ask("complete_activity", activity_id=demo.id, outcome="They loved it")],
        "Great.",
    )
    turn, done = (chunk.id for chunk in queue.chunks)
    queue.messages.clear()
    full.say("Undo that", [ask("undo_last")], "Undone.")
    assert queue.forgotten == [("chunk", done), ("chunk", turn)]

    full.say("Complete the demo with Jack", [ask("complete_activity", activity_id=demo.id)], "Great.")
    queue.messages.clear()
    reopen = ask("update_activity", activity_id=demo.id, status="scheduled")
    full.say("Change the demo with Jack back to scheduled", [reopen], "Open again.")
    assert queue.forgotten == [("chunk", done)]


def test_without_a_queue_nothing_happens_and_one_that_is_away_only_warns(full: World) -> None:
    jack = _jack(full)
    update = [ask("update_lead", lead_id=jack.id, status="qualified")]
    _use(full, None)
    assert full.say("Set Jack to qualified", update, "Noted.")["warnings"] == []
    _use(full, RecordingWorkQueue(is_away=True))
    answer = full.say("Set Jack to contacted", [ask("update_lead", lead_id=jack.id, status="contacted")], "Noted.")
    assert answer["status"] == "completed"
    assert answer["warnings"] == ["memory_ingest was left out: The queue does not answer"]


def test_chunks_of_records_that_tell_nothing() -> None:
    lead, now = Lead(id="lead_1", last_name="Russel", status=LeadStatus.NEW), FixedClock().now()
    case, about = Case("demo", "alice", now, lead), Related(type="lead", id="lead_1")
    assert note_chunk(case, Note(id="note_1", content="x", related=about, is_private=True)) is None
    assert activity_chunk(case, Activity(id="activity_1", title="x", activity_type="call", related=about)) is None
    assert outcome_chunk(case, []) is None


def test_an_accepted_suggestion_is_a_case_that_went_well() -> None:
    case = Case("demo", "alice", FixedClock().now(), Account(id="account_1", name="ABC", industry="Steel"))
    chunk = accepted_chunk(case, "suggestion_1", "Check in with ABC", "call")
    assert chunk.metadata["outcome"] == "accepted"
    assert "Done: Check in with ABC" in chunk.text
    assert "Situation: prospect account, Steel, health unknown" in chunk.text
