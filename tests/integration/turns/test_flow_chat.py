"""The flow-chat function with the offline planner on the demo data."""

import asyncio
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import httpx
import pytest

from aisha.api.schemas.conversations.flow import FlowResponse
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Activity, Contact, Opportunity, Record
from infra.local.demo.data import seed
from tests.fakes.aws.api_gateway import Answer, assert_problem, call, chat, function, request_context
from tests.fakes.world import ALICE, BOB, RIVAL, World

PATH = "/api/ai/flow-chat"
KINDS = ("lead", "contact", "account", "opportunity", "activity", "note")
WON = "Convert Jack Russel to an opportunity worth 20k and plan a call tomorrow"


def post(body: Mapping[str, Any] | str, caller: Mapping[str, str] | None = ALICE) -> Answer:
    return chat(body, caller, path=PATH, app=function("flow_chat").app)


@pytest.fixture
def demo(world: World) -> World:
    """A world with the demo data."""
    seed(world.records, world.clock.now())
    return world


class Talk:
    """A conversation of Alice."""

    def __init__(self, world: World) -> None:
        self.world, self.id = world, ""
        self.before = self.counts()

    def say(self, message: str, **more: Any) -> dict[str, Any]:
        body = {"message": message, **({"conversationId": self.id} if self.id else {}), **more}
        answer = post(body)
        assert answer.status == 200, answer.text
        FlowResponse.model_validate(answer.json)
        reply: dict[str, Any] = answer.json
        self.id = reply["conversationId"]
        return reply

    def counts(self) -> dict[str, int]:
        return {kind: sum(row.count for row in self.world.records.counts("demo", kind)) for kind in KINDS}

    def written(self) -> dict[str, int]:
        """Return the change of the number of records since the start, by kind."""
        now = self.counts()
        return {kind: now[kind] - self.before[kind] for kind in KINDS if now[kind] != self.before[kind]}

    def find[R: Record](self, kind: type[R], name: str) -> R:
        (record,) = self.world.records.search("demo", RecordQuery(kind.TYPE, name_contains=name)).items
        assert isinstance(record, kind)
        return record


@pytest.fixture
def talk(demo: World) -> Talk:
    return Talk(demo)


def steps_of(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(step["tool"], step["status"]) for step in body["steps"]]


def test_a_lead_becomes_an_opportunity_with_a_call(talk: Talk) -> None:
    proposal = talk.say(WON)
    assert (proposal["status"], proposal["confirmationType"]) == ("needs_confirmation", "yes_no")
    assert proposal["needsConfirmation"] is True
    assert steps_of(proposal) == [
        ("search_leads", "executed"),
        ("convert_lead", "planned"),
        ("create_activity", "planned"),
    ]
    assert proposal["analysis"]["toolsToUse"][-1]["name"] == "lead_to_opportunity"
    assert proposal["isDestructive"] is True
    assert "Jack Russel" in proposal["confirmationQuestion"]
    assert talk.written() == {}
    answer = talk.say("yes, please")
    assert [status for _, status in steps_of(answer)] == ["executed"] * 3
    assert answer["toolCalls"]
    for finished in answer["toolCalls"]:
        assert {"name", "description", "parameters", "result"} <= set(finished)
        assert finished["parameters"] == finished["arguments"]
    assert talk.written() == {"contact": 1, "opportunity": 1, "activity": 1}, "ABC Corp is an account already"
    deal, contact = talk.find(Opportunity, "ABC Corp deal"), talk.find(Contact, "Jack Russel")
    activity = talk.find(Activity, "Call about the new opportunity")
    assert str(deal.amount) == "20000"
    assert activity.related is not None
    assert activity.related.id == contact.id
    assert activity.due_at is not None
    assert activity.due_at.date() == (talk.world.clock.now() + timedelta(days=1)).date()
    assert "ABC Corp" in answer["response"]


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("Create a new account called Zeta Works with contact Maria Lopez", {"account": 1, "contact": 1}),
        (
            "Create a deal called Zeta renewal worth 12k and plan a task for tomorrow at 10",
            {"opportunity": 1, "activity": 1},
        ),
        ("Add a lead Ann Lee from Acme and schedule a call with her on Friday", {"lead": 1, "activity": 1}),
        ("Update John Smith's phone to +49 123 4567 and plan a call with him tomorrow at 3pm", {"activity": 1}),
        # ABC Corp is an account already.
        ("Convert Jack Russel and call him tomorrow", {"contact": 1, "activity": 1}),
        ("delete the lead Jack Russel and show me my leads", {"lead": -1}),
    ],
)
def test_several_things_in_one_sentence(talk: Talk, sentence: str, written: dict[str, int]) -> None:
    proposal = talk.say(sentence)
    assert proposal["needsConfirmation"], proposal["response"]
    assert talk.written() == {}
    answer = talk.say("go ahead")
    assert {status for _, status in steps_of(answer)} == {"executed"}
    assert talk.written() == written


def test_a_plan_that_only_reads_needs_no_confirmation(talk: Talk) -> None:
    body = talk.say("Show me my warm leads")
    assert (body["needsConfirmation"], body["status"]) == (False, "completed")
    assert "Jack Russel" in body["response"]
    assert steps_of(body) == [("search_leads", "executed")]
    assert body["analysis"]["needsTools"] is True
    assert 0 <= body["confidence"] <= 100


def test_small_talk_has_no_plan(talk: Talk) -> None:
    body = talk.say("Hello")
    assert (body["steps"], body["analysis"]["needsTools"], body["needsConfirmation"]) == ([], False, False)


def test_one_of_several_people_is_chosen(talk: Talk) -> None:
    proposal = talk.say("Call John tomorrow")
    assert (proposal["confirmationType"], proposal["needsConfirmation"]) == ("select", True)
    assert talk.written() == {}
    doe = next(choice for choice in proposal["alternatives"] if "John Doe" in choice["label"])
    talk.say(doe["value"])
    assert talk.written() == {"activity": 1}
    related = talk.find(Activity, "Call with John Doe").related
    assert related is not None
    assert related.name == "John Doe"


def test_a_record_to_read_is_chosen_in_words_too(talk: Talk) -> None:
    proposal = talk.say("Tell me about John")
    assert (proposal["confirmationType"], proposal["needsConfirmation"]) == ("select", False)
    body = talk.say("John Doe")
    assert "ABC Corp" in body["response"]


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_the_confirmations_endpoint_decides_about_the_plan(talk: Talk, decision: str) -> None:
    proposal = talk.say(WON)
    url = f"/api/ai/confirmations/{proposal['confirmation']['id']}"
    assert_problem(call("confirmations", "POST", url, BOB, json.dumps({"decision": decision})), 404, "not_found")
    answer = call("confirmations", "POST", url, ALICE, json.dumps({"decision": decision}))
    assert answer.status == 200
    assert bool(talk.written()) is (decision == "approve")
    assert_problem(call("confirmations", "POST", url, ALICE, json.dumps({"decision": "approve"})), 410, "gone")


def test_the_confirmations_endpoint_accepts_a_choice(talk: Talk) -> None:
    proposal = talk.say("Call John tomorrow")
    url = f"/api/ai/confirmations/{proposal['confirmation']['id']}"
    missing = call("confirmations", "POST", url, ALICE, json.dumps({"decision": "approve"}))
    assert_problem(missing, 422, "invalid_input", "/choice")
    assert call("confirmations", "POST", url, ALICE, json.dumps({"decision": "approve", "choice": "1"})).status == 200
    assert talk.written() == {"activity": 1}


def test_the_chat_accepts_the_confirmation_of_a_plan(talk: Talk) -> None:
    talk.say(WON)
    assert chat({"message": "yes", "conversationId": talk.id}, ALICE).json["status"] == "completed"
    assert talk.written() == {"contact": 1, "opportunity": 1, "activity": 1}, "ABC Corp is an account already"


def test_user_confirmation_answers_without_words(talk: Talk) -> None:
    talk.say(WON)
    answer = talk.say("", userConfirmation=True)
    assert talk.written()["opportunity"] == 1
    assert talk.say("", userConfirmation=True)["warnings"]
    assert answer["confidence"] == 95


def test_an_unknown_name_changes_nothing(talk: Talk) -> None:
    body = talk.say("Convert Zelda Quist to an opportunity worth 5k")
    assert not body["needsConfirmation"]
    assert "Zelda Quist" in body["response"]


def test_a_plan_does_not_write_to_closed_modules(demo: World) -> None:
    body = post({"message": "Create a deal called Zeta worth 12k and plan a task for tomorrow"}, BOB).json
    assert "create_opportunity" not in [step["tool"] for step in body["steps"] if step["status"] == "planned"]


def test_other_tenants_records_are_not_found(demo: World) -> None:
    assert "ABC Corp" not in post({"message": WON}, RIVAL).text, "their Jack Russel works elsewhere"
    answer = post({"message": WON.replace("Jack Russel", "Aaliyah Freeman")}, RIVAL)
    assert "Freeman Fitness" not in answer.text
    assert not answer.json["needsConfirmation"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/message"),
        ({"message": " "}, "/message"),
        ({"message": "x" * 8001}, "/message"),
        ({"message": "hi", "userConfirmation": "yes"}, "/userConfirmation"),
        ({"userConfirmation": 1}, "/userConfirmation"),
        ({"confirmationId": "conf_1"}, "/userConfirmation"),
    ],
)
def test_an_invalid_request_is_refused_with_a_pointer(world: World, body: dict[str, Any], pointer: str) -> None:
    assert_problem(post(body), 422, "invalid_input", pointer)


def test_a_request_without_a_principal_is_unauthenticated(world: World) -> None:
    assert_problem(post({"message": "hi"}, None), 401, "unauthenticated")


def stream(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of a streamed answer."""
    context = json.dumps(request_context("POST", PATH, PATH, ALICE), ensure_ascii=False)
    headers = {b"accept": b"text/event-stream", b"x-amzn-request-context": context.encode()}

    async def send() -> str:
        transport = httpx.ASGITransport(app=function("flow_chat").app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            response = await client.post(PATH, content=json.dumps(body), headers=list(headers.items()))
            return response.text

    parts = [line.removeprefix("data: ") for line in asyncio.run(send()).splitlines() if line.startswith("data: ")]
    assert parts.pop() == "[DONE]"
    return [json.loads(part) for part in parts]


def test_a_stream_has_the_plan_as_one_part(demo: World) -> None:
    parts = stream({"message": WON})
    kinds = [part["type"] for part in parts]
    assert kinds.count("data-flow") == 1
    assert kinds[-1] == "finish"
    assert {"start", "text-delta", "data-confirmation"} <= set(kinds)
    flow = parts[kinds.index("data-flow")]["data"]
    assert (flow["needsConfirmation"], len(flow["steps"])) == (True, 3)


def test_a_decision_by_id_streams_the_steps_of_that_plan_alone(talk: Talk) -> None:
    first = talk.say(WON)["confirmation"]["id"]
    decision = {"userConfirmation": True, "confirmationId": first}
    assert_problem(post(decision, BOB), 404, "not_found")
    second = talk.say("Create a new account called Zeta Works with contact Maria Lopez")["confirmation"]["id"]
    assert_problem(post(decision), 410, "gone")
    assert talk.written() == {}
    parts = stream({**decision, "confirmationId": second})
    asked = [part["toolCallId"] for part in parts if part["type"] == "tool-input-available"]
    assert asked == [f"{second}.1", f"{second}.2"]
    flow = next(part["data"] for part in parts if part["type"] == "data-flow")
    assert [step["status"] for step in flow["steps"]] == ["executed", "executed"]
    assert talk.written() == {"account": 1, "contact": 1}
