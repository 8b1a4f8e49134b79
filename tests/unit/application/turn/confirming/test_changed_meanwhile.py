"""A change by a colleague since the user saw a record is a reason to ask."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from aisha.application.tooling.context import make_context
from aisha.domain.crm.queries import Update
from aisha.domain.errors import UnavailableError
from tests.fakes.models.scripted_model import ask
from tests.fakes.stores.in_memory import FixedClock
from tests.support.dialogue.order_play import JACK, status_of, update
from tests.support.dialogue.scripted_play import Play


def changed_by(play: Play, user: str, after: timedelta = timedelta(minutes=1), **fields: Any) -> None:
    """Let a user change Jack Russel through a tool, a minute later unless told otherwise."""
    clock = play.deps.clock
    assert isinstance(clock, FixedClock)
    clock.advance(after)
    context = make_context(replace(play.principal, user=user), play.deps.ports, f"op_{user}_{len(fields)}")
    result = play.deps.registry.call_tool("update_lead", {"lead_id": play.id_of(f"lead:{JACK}"), **fields}, context)
    assert result.ok, result.error
    clock.advance(after)


def shown(play: Play) -> str:
    """Show Jack Russel to the user, and return the conversation."""
    answer = play.turn("Show me Jack Russel", [ask("get_lead", lead_id=play.id_of(f"lead:{JACK}"))], "Here he is.")
    return str(answer["conversationId"])


def test_what_a_colleague_changed_meanwhile_is_told_before_it_is_overwritten(play: Play) -> None:
    conversation = shown(play)
    changed_by(play, "bob", status="lost")
    order = "Set the status of Jack Russel to qualified"
    answer = play.turn(order, update(play, status="qualified"), conversation=conversation)
    reason = "bob changed the status of “Jack Russel” to lost since you saw it"
    assert (answer["status"], answer["confirmation"]["reason"]) == ("needs_confirmation", reason)
    assert answer["confirmation"]["question"].count("bob changed") == 1
    done = play.turn("yes", conversation=conversation)
    assert (done["status"], status_of(play)) == ("completed", "qualified")


def test_the_log_is_read_once_for_the_verdict_on_a_change_and_the_question_about_it(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = shown(play)
    changed_by(play, "bob", status="lost")
    assert play.deps.ports.audit
    log = play.deps.ports.audit.log
    page = Mock(wraps=log.page)
    monkeypatch.setattr(log, "page", page)
    play.turn("Set the status of Jack Russel to qualified", update(play, status="qualified"), conversation=conversation)
    assert page.call_count == 1


def test_a_change_in_the_same_instant_as_the_read_is_told_too(play: Play) -> None:
    changed_by(play, "carol", timedelta(), job_title="Buyer")
    conversation = shown(play)
    changed_by(play, "bob", timedelta(), status="lost")
    order = "Set the status of Jack Russel to qualified"
    answer = play.turn(order, update(play, status="qualified"), conversation=conversation)
    reason = "bob changed the status of “Jack Russel” to lost since you saw it"
    assert (answer["status"], answer["confirmation"]["reason"]) == ("needs_confirmation", reason)


BOTH = "bob and carol changed the status and the job title of “Jack Russel” since you saw it"
SOMEBODY = "“Jack Russel” was changed by somebody else since you saw it"


# Each write has two entries in the log, of which a question reads 500.
@pytest.mark.parametrize(("later_writes", "reason"), [(48, BOTH), (100, BOTH), (245, BOTH), (250, SOMEBODY)])
def test_a_change_is_found_behind_many_later_writes_of_others(play: Play, later_writes: int, reason: str) -> None:
    conversation = shown(play)
    changed_by(play, "bob", status="lost")
    changed_by(play, "carol", job_title="Buyer")
    dana = replace(play.principal, user="dana")
    for number in range(later_writes):
        context = make_context(dana, play.deps.ports, f"op_dana_{number}")
        play.deps.registry.call_tool("create_lead", {"last_name": f"L{number}", "company": "Many"}, context)
    order = "Set the status of Jack Russel to qualified"
    answer = play.turn(order, update(play, status="qualified"), conversation=conversation)
    assert answer["confirmation"]["reason"] == reason


@pytest.mark.parametrize(("user", "fields"), [("alice", {"status": "lost"}), ("bob", {"job_title": "Head of Sales"})])
def test_ones_own_change_and_one_of_another_field_are_no_reason_to_ask(
    play: Play, user: str, fields: dict[str, Any]
) -> None:
    conversation = shown(play)
    changed_by(play, user, **fields)
    order = "Set the status of Jack Russel to qualified"
    answer = play.turn(order, update(play, status="qualified"), "Done.", conversation=conversation)
    assert answer["status"] == "completed"


def test_a_question_names_what_a_colleague_changed(play: Play) -> None:
    conversation = shown(play)
    changed_by(play, "bob", job_title="Head of Sales")
    delete = [ask("delete_lead", lead_id=play.id_of(f"lead:{JACK}"))]
    answer = play.turn("Delete Jack Russel", delete, conversation=conversation)
    note = "Bob changed the job title of “Jack Russel” since you saw it."
    assert note in answer["confirmation"]["question"]


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_change_that_the_log_does_not_tell_is_one_by_somebody(
    play: Play, monkeypatch: pytest.MonkeyPatch, is_answered: bool
) -> None:
    """As by a connected CRM, or while the log does not answer."""
    conversation = shown(play)
    assert isinstance(play.deps.clock, FixedClock)
    play.deps.clock.advance(timedelta(minutes=1))
    play.records.write("demo", [Update("lead", play.id_of(f"lead:{JACK}"), {"status": "lost"})])
    if not is_answered:
        assert play.deps.ports.audit
        monkeypatch.setattr(play.deps.ports.audit.log, "page", Mock(side_effect=UnavailableError("No answer")))
    order = "Set the status of Jack Russel to qualified"
    answer = play.turn(order, update(play, status="qualified"), conversation=conversation)
    assert answer["confirmation"]["reason"] == SOMEBODY


def test_what_changes_between_the_question_and_the_yes_stays(play: Play) -> None:
    asked = play.turn("thanks", update(play, status="qualified"))
    changed_by(play, "bob", status="lost")
    answer = play.turn("yes", conversation=asked["conversationId"])
    assert "Bob changed the status of “Jack Russel” to lost after I asked" in answer["response"]
    assert status_of(play) == "lost"
