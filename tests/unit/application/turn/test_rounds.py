"""Rounds of tool calls: what runs, what is refused, and how many records all rounds of a turn may write."""

from threading import current_thread
from typing import Any

import pytest

from aisha.domain.conversations.conversation import Message
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.errors import UnavailableError
from tests.fakes.models.scripted_model import ask, tool_results
from tests.unit.application.conftest import World

NAMES = ("Hall", "Stone", "Berg", "Dahl", "Falk", "Holm", "Lind", "Moss", "Nash", "Park", "Quist")
ORDER = f"Add the leads {', '.join(NAMES[:-1])} and {NAMES[-1]}"


def adding(names: tuple[str, ...]) -> list[Any]:
    return [ask("add_lead", f"c_{name}", last_name=name) for name in names]


def statuses(answer: dict[str, Any]) -> list[str]:
    return [call["status"] for call in answer["toolCalls"]]


def test_ten_records_in_two_rounds_are_written(world: World) -> None:
    world.say(ORDER, adding(NAMES[:6]), adding(NAMES[6:10]), "Done.")
    assert world.lead_names() == sorted(NAMES[:10])


def test_the_eleventh_record_of_a_turn_waits_in_whatever_round_it_comes(world: World) -> None:
    answer = world.say(ORDER, adding(NAMES[:10]), adding(NAMES[10:]))
    assert answer["confirmation"]["reason"] == "it changes more than 10 records"
    assert world.lead_names() == sorted(NAMES[:10])


def test_several_writes_that_pass_ten_are_sent_back_with_what_ran_before(world: World) -> None:
    answer = world.say(ORDER, adding(NAMES[:9]), adding(NAMES[9:]), "I'll do that in one go.")
    assert statuses(answer) == ["executed"] * 9 + ["failed"] * 2
    assert world.lead_names() == sorted(NAMES[:9])


def test_reads_beside_many_writes_run(world: World) -> None:
    answer = world.say(ORDER, [*adding(NAMES), ask("find_leads")], "I'll do that in one go.")
    assert statuses(answer) == ["failed"] * 11 + ["executed"]


def test_of_two_calls_that_wait_one_is_asked_about(world: World) -> None:
    one, other = (world.add_lead(first_name="Ann", last_name=name) for name in ("Lee", "Hall"))
    calls = [ask("delete_lead", lead.id, lead_id=lead.id) for lead in (one, other)]
    answer = world.say("Delete Ann Lee and Ann Hall", calls)
    assert statuses(answer) == ["pending", "rejected"]
    assert "Ann Lee" in answer["confirmation"]["question"]
    assert world.lead_names() == ["Ann Hall", "Ann Lee"]


def test_a_call_that_waits_keeps_no_other_from_running(world: World) -> None:
    lead = world.add_lead(first_name="Ann", last_name="Lee")
    calls = [ask("delete_lead", lead_id=lead.id), ask("add_lead", last_name="Hall")]
    answer = world.say("Delete Ann Lee and add the lead Hall", calls)
    assert statuses(answer) == ["pending", "executed"]
    assert world.lead_names() == ["Ann Lee", "Hall"]


def test_a_record_that_does_not_exist_is_told_to_the_model(world: World) -> None:
    unknown = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
    answer = world.say("Delete it", [ask("delete_lead", lead_id=unknown)], "There is none.")
    assert (statuses(answer), answer["status"]) == (["failed"], "completed")


def test_while_the_conversation_can_not_be_stored_reads_run_and_writes_do_not(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_lead(last_name="Lee")

    def fail(*_: Any) -> TurnEvent:
        raise UnavailableError("No answer")

    monkeypatch.setattr(world.deps.conversations, "begin", fail)
    calls = [ask("add_lead", last_name="Hall"), ask("find_leads"), ask("no_such_tool")]
    answer = world.say("Add the lead Hall and list all leads", calls, "Later.")
    assert statuses(answer) == ["failed", "executed", "not_found"]
    written, found, _ = tool_results(world.model.requests[-1])
    assert "Nothing can be changed right now" in str(written)
    assert "Lee" in str(found)
    assert world.lead_names() == ["Lee"]


def test_names_of_found_records_stand_in_the_place_of_their_ids(world: World) -> None:
    lead = world.add_lead(first_name="Ann", last_name="Lee")
    answer = world.say("Who is there?", [ask("find_leads")], f"There is {lead.id}.")
    assert answer["response"] == "There is Ann Lee."


def test_the_operation_of_each_call_is_its_own(world: World) -> None:
    answer = world.say("Add the lead Hall", adding(("Hall",)), adding(("Hall",)))
    assert answer["confirmation"]["reason"] == "you asked for it once, and it was done"
    reply: Message = world.messages(answer["conversationId"])[-1]
    assert [call.status for call in reply.tool_calls] == ["executed", "pending"]
    assert world.lead_names() == ["Hall"]


def test_reads_of_a_round_run_at_the_same_time_unless_they_are_quicker_than_a_thread(world: World) -> None:
    threads: list[str] = []

    def read() -> int:
        threads.append(current_thread().name)
        return len(threads)

    deps = world.deps
    assert [deps.start_read("slow", read)(), deps.start_read("quick", read)()] == [1, 2]
    deps.read_seconds.update(slow=0.01, quick=0.000_01)
    assert [deps.start_read("slow", read)(), deps.start_read("quick", read)()] == [3, 4]
    here = current_thread().name
    assert [name == here for name in threads] == [False, False, False, True]
