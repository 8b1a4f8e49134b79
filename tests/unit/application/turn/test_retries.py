"""A request that was cut off and is sent again with its key continues its turn: each effect happens once."""

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.idempotency.keys import LEASE_TTL, Attempt, IdempotencyKeys
from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.application.turn.journal import KIND as JOURNAL
from aisha.application.turn.journal import TurnJournal
from aisha.application.turn.run import run_turn
from aisha.domain.conversations.events import TurnEvent
from aisha.domain.entries import Entry
from aisha.domain.errors import AishaError, ModelUnavailableError, PayloadTooLargeError, UnavailableError
from aisha.renderers.json_response import render
from tests.fakes.models.scripted_model import ScriptedModel, Step, ask
from tests.unit.application.conftest import World

NO_ANSWER = ModelUnavailableError("No answer")


class Tries:
    """Tries of one request: each takes the key when the one before has had its time."""

    def __init__(self, world: World, key: str = "k1") -> None:
        self.world, self.key = world, key
        self.model = ScriptedModel()

    def attempt(self) -> Attempt:
        self.world.clock.advance(LEASE_TTL)
        attempt = IdempotencyKeys(self.world.deps.entries, self.world.clock, self.world.principal).take(self.key, "f")
        assert isinstance(attempt, Attempt)
        return attempt

    def begin(self, text: str, *steps: Step, conversation: str | None = None) -> Iterator[TurnEvent]:
        request = parse_chat_request(f'{{"message": "{text}"}}'.encode(), 8000)
        request.conversation_id = conversation
        self.model = ScriptedModel(*steps)
        deps = replace(self.world.deps, model=self.model)
        return run_turn(request, self.world.principal, deps, self.attempt())

    def say(self, text: str, *steps: Step, conversation: str | None = None) -> dict[str, Any]:
        return render(self.begin(text, *steps, conversation=conversation), "req")

    def fail(self, text: str, *steps: Step, conversation: str | None = None) -> None:
        with pytest.raises(ModelUnavailableError):
            self.say(text, *steps, conversation=conversation)


def test_what_the_model_answered_before_the_end_counts_in_the_next_try(world: World) -> None:
    tries = Tries(world)
    tries.fail("Add Hall", [ask("add_lead", last_name="Hall")], [ask("find_leads")], NO_ANSWER)
    answer = tries.say("Add Hall", "I added Hall.")
    assert (world.lead_names(), answer["response"]) == (["Hall"], "I added Hall.")
    assert [call["name"] for call in answer["toolCalls"]] == ["add_lead", "find_leads"]
    assert len(tries.model.requests) == 1
    question, reply = world.messages(answer["conversationId"])
    assert (question.content, reply.id, reply.finished) == ("Add Hall", answer["messageId"], True)
    assert [call.name for call in reply.tool_calls] == ["add_lead", "find_leads"]


def test_a_text_that_was_stored_is_said_again_word_for_word(world: World) -> None:
    tries = Tries(world)
    first = tries.say("Hello", "Good morning, Alice.")
    again = tries.say("Hello")
    assert (again["response"], again["messageId"]) == ("Good morning, Alice.", first["messageId"])
    assert again["conversationId"] == first["conversationId"]
    assert len(world.messages(first["conversationId"])) == 2


def test_another_request_is_another_turn(world: World) -> None:
    add = [ask("add_lead", last_name="Hall")]
    first = Tries(world).say("Add Hall", add, "Done.")
    second = Tries(world, "k2").say("Add Hall", add, "Done.")
    assert world.lead_names() == ["Hall", "Hall"]
    assert first["messageId"] != second["messageId"]


def test_requests_of_one_conversation_keep_their_own_messages_over_their_tries(world: World) -> None:
    first = Tries(world).say("Hello", "Good morning.")
    conversation = first["conversationId"]
    second = Tries(world, "k2")
    second.fail("Add Hall", [ask("add_lead", last_name="Hall")], NO_ANSWER, conversation=conversation)
    third = Tries(world, "k3").say("And now?", "Nothing.", conversation=conversation)
    second.say("Add Hall", "Done.", conversation=conversation)
    messages = world.messages(conversation)
    assert [one.content for one in messages if one.role == "user"] == ["Hello", "Add Hall", "And now?"]
    assert len({one.id for one in messages}) == len(messages)
    assert {first["messageId"], third["messageId"]} < {one.id for one in messages}
    assert world.lead_names() == ["Hall"]


def test_two_tries_at_once_make_the_calls_that_were_stored_first(world: World) -> None:
    def overtaken(_: Any) -> list[Any]:
        Tries(world).say("Add Hall and add Stone", [ask("add_lead", last_name="Hall")], "Done.")
        return [ask("add_lead", last_name="Stone")]

    answer = Tries(world).say("Add Hall and add Stone", overtaken, "Done.")
    assert (world.lead_names(), answer["status"]) == (["Hall"], "completed")


def test_a_verdict_of_the_first_try_holds_for_the_next(world: World) -> None:
    lead = world.add_lead(first_name="Ann", last_name="Lee")
    tries = Tries(world)
    first = tries.say("Delete Ann Lee", [ask("delete_lead", lead_id=lead.id)])
    again = tries.say("Delete Ann Lee")
    assert (again["status"], again["confirmation"]["question"]) == (
        "needs_confirmation",
        first["confirmation"]["question"],
    )
    assert world.lead_names() == ["Ann Lee"]


def test_the_verdict_of_the_try_that_stored_it_first_counts(world: World) -> None:
    attempt, (waits, runs) = Tries(world).attempt(), ({"reason": "you did not ask for it"}, {"reason": ""})
    slower, faster = (TurnJournal.of(attempt, world.principal, world.deps.entries, world.clock) for _ in range(2))
    assert faster.first_value("verdict.1.0", waits) == waits
    assert slower.first_value("verdict.1.0", runs) == waits
    later = TurnJournal.of(Tries(world).attempt(), world.principal, world.deps.entries, world.clock)
    assert later.first_value("verdict.1.0", runs) == waits


@pytest.mark.parametrize(("error", "added"), [(UnavailableError, []), (PayloadTooLargeError, ["Hall"])])
def test_an_answer_has_no_effect_before_it_is_stored_unless_it_is_too_long_for_that(
    world: World, monkeypatch: pytest.MonkeyPatch, error: type[AishaError], added: list[str]
) -> None:
    begun = Tries(world).begin("Add Hall", [ask("add_lead", last_name="Hall")], "Done.")

    put = world.deps.entries.put

    def fail(tenant: str, owner: str | None, kind: str, *more: Any, **options: Any) -> Entry:
        if kind == JOURNAL:
            raise error("It can't be stored")
        return put(tenant, owner, kind, *more, **options)

    monkeypatch.setattr(world.deps.entries, "put", fail)
    with nullcontext() if added else pytest.raises(error):
        render(begun, "req")
    assert world.lead_names() == added


def test_what_was_stored_ends_after_a_day(world: World) -> None:
    tries = Tries(world)
    first = tries.say("Hello", "Good morning.")
    attempt = tries.attempt()
    world.clock.advance(timedelta(hours=23))
    answer_id = f"{attempt.operation}.answer.000"
    assert world.deps.entries.find("demo", "alice", JOURNAL, answer_id) is not None
    world.clock.advance(timedelta(hours=1))
    assert world.deps.entries.find("demo", "alice", JOURNAL, answer_id) is None
    assert first["messageId"] == f"msg_{attempt.operation}"


@pytest.fixture
def question_turn(world: World) -> dict[str, Any]:
    lead = world.add_lead(first_name="Ann", last_name="Lee")
    return world.say("Delete Ann Lee", [ask("delete_lead", lead_id=lead.id)])


def cut_off(events: Iterator[TurnEvent], ends: int) -> None:
    """Read the first events of a turn, and go away."""
    for _, _event in zip(range(ends), events, strict=False):
        pass
    events.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("ends", [2, 3])
@pytest.mark.parametrize(("word", "remaining"), [("yes", []), ("no", ["Ann Lee"])])
def test_a_decision_that_was_cut_off_is_carried_out_by_the_next_try(
    world: World, question_turn: dict[str, Any], ends: int, word: str, remaining: list[str]
) -> None:
    tries, conversation = Tries(world), question_turn["conversationId"]
    cut_off(tries.begin(word, conversation=conversation), ends)
    # The question has expired meanwhile, but it was answered in time.
    world.clock.advance(timedelta(minutes=20))
    answer = tries.say(word, conversation=conversation)
    assert (world.lead_names(), answer["status"]) == (remaining, "completed")
    assert ("deleted the lead Ann Lee" in answer["response"]) == (not remaining)


@pytest.mark.parametrize("ends", [2, 3])
@pytest.mark.parametrize(("approve", "remaining"), [(True, []), (False, ["Ann Lee"])])
def test_a_button_that_was_cut_off_is_too(
    world: World, question_turn: dict[str, Any], ends: int, approve: bool, remaining: list[str]
) -> None:
    tries, question = Tries(world), question_turn["confirmation"]["id"]
    cut_off(decide_confirmation(question, world.principal, world.deps, attempt=tries.attempt(), approve=approve), ends)
    world.clock.advance(timedelta(minutes=20))
    again = decide_confirmation(question, world.principal, world.deps, attempt=tries.attempt(), approve=approve)
    assert render(again, "req")["status"] == "completed"
    assert world.lead_names() == remaining
