"""A write of which the model is not sure that it was ordered waits for the user, whichever model it is."""

from time import monotonic

from msgspec.structs import replace

from aisha.application.idempotency.keys import Attempt
from aisha.application.models.failover import ChainEntry, FailoverModel
from aisha.application.models.response_cache import CachedModel, ResponseCache
from aisha.application.redaction.masking_model import MaskingChatModel
from aisha.application.tooling.gate.policy import decide
from aisha.application.turn.journal import TurnJournal
from aisha.domain.entries import Entry
from aisha.domain.models import Caller, ModelFinished, ModelRequest, ToolCallRequest
from tests.fakes.models.scripted_model import ScriptedModel, ask
from tests.unit.application.conftest import World

UNSURE = "I'm not sure what you mean by “tick off”"


def doubtful(name: str, **arguments: object) -> ToolCallRequest:
    return replace(ask(name, **arguments), doubt=UNSURE)


def test_a_write_in_doubt_waits_and_its_question_says_why(world: World) -> None:
    answer = world.say("tick off Hall", [doubtful("add_lead", last_name="Hall")])
    assert answer["status"] == "needs_confirmation"
    assert answer["confirmation"]["question"].startswith(f"{UNSURE}: shall I add the lead Hall?")
    assert world.lead_names() == []
    world.say("yes", conversation=answer["conversationId"])
    assert world.lead_names() == ["Hall"]


def test_a_write_without_doubt_runs_at_once(world: World) -> None:
    assert world.say("add Hall", [ask("add_lead", last_name="Hall")], "Done.")["status"] == "completed"
    assert world.lead_names() == ["Hall"]


def test_a_read_in_doubt_runs(world: World) -> None:
    answer = world.say("who?", [doubtful("find_leads")], "Nobody.")
    assert (answer["status"], answer["toolCalls"][0]["status"]) == ("completed", "executed")


def test_a_doubt_beside_another_reason_is_said_too(world: World) -> None:
    lead = world.add_lead(first_name="Ann", last_name="Lee")
    question = world.say("get Ann out", [doubtful("delete_lead", lead_id=lead.id)])["confirmation"]["question"]
    assert question == f"{UNSURE}: shall I delete the lead **Ann Lee**? It can be restored for one day."


def test_a_doubt_never_lifts_a_denial(world: World) -> None:
    spec = world.deps.registry.spec("add_lead")
    assert spec is not None
    stranger = replace(world.principal, modules=frozenset())
    assert decide(stranger, spec, doubt=UNSURE).verdict == "deny"
    assert decide(world.principal, spec, doubt=UNSURE, rules={"add_lead": "deny"}).verdict == "deny"
    assert (decide(world.principal, spec, doubt=UNSURE).verdict, decide(world.principal, spec).verdict) == (
        "ask",
        "allow",
    )


def test_a_doubt_survives_the_wrappers_of_a_model(world: World) -> None:
    model = ScriptedModel([doubtful("add_lead", last_name="Hall")])
    chain = FailoverModel([ChainEntry("scripted", "scripted-1", lambda: model)])
    cached = CachedModel("scripted:scripted-1", chain, ResponseCache(60))
    masking = MaskingChatModel(cached, lambda _: True)
    request = ModelRequest([], [], Caller(world.principal, world.clock.now()), monotonic() + 60)
    (finished,) = masking.stream(request)
    assert isinstance(finished, ModelFinished)
    assert [call.doubt for call in finished.tool_calls] == [UNSURE]


def test_a_doubt_survives_the_journal(world: World) -> None:
    entry = Entry("key", "key_1", {}, world.clock.now(), world.clock.now())
    attempt = Attempt(entry, "fingerprint", "01JD3Q8S5V0W8Y2Z6T4R9K7M1N")
    journal = TurnJournal.of(attempt, world.principal, world.deps.entries, world.clock)
    request = ScriptedModel([doubtful("add_lead", last_name="Hall")])
    first = [*journal.replay_or_store(request.stream(None))]  # type: ignore[arg-type]
    again = TurnJournal.of(replace(attempt, is_resumed=True), world.principal, world.deps.entries, world.clock)
    assert [*again.replay_or_store(iter(()))] == first
