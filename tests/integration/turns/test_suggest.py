"""Suggested follow-ups and next actions, by rules or by a model whose output is validated."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Record
from aisha.domain.errors import ModelUnavailableError
from tests.fakes.aws.api_gateway import Answer, assert_problem, call
from tests.fakes.models.scripted_model import ScriptedModel
from tests.fakes.world import ALICE, BOB, World

URL = "/api/ai/suggest"
Scripted = Callable[..., ScriptedModel]


def post(body: object, user: Mapping[str, str] | None = ALICE) -> Answer:
    return call("suggest", "POST", URL, user, json.dumps(body))


def suggested(user: Mapping[str, str] = ALICE, **body: Any) -> dict[str, Any]:
    answer = post(body, user)
    assert answer.status == 200, answer.text
    response: dict[str, Any] = answer.json
    return response


def about(*records: Record) -> list[dict[str, Any]]:
    return [{"id": record.id, "type": record.TYPE, "name": record.display_name} for record in records]


def texts(response: Mapping[str, Any]) -> list[str]:
    return [step["text"] for step in response["suggestions"]]


@pytest.fixture
def scripted(world: World) -> Scripted:
    """Return a function that replaces the model by a scripted one."""

    def put(*steps: Any) -> ScriptedModel:
        model = ScriptedModel(*(json.dumps(step) if isinstance(step, dict) else step for step in steps))
        world.use(chat_model=model)
        return model

    return put


# --- the rules


def test_without_a_model_the_rules_suggest(world: World, crm: dict[str, Record]) -> None:
    response = suggested(sessionEntities=about(crm["jack"]))
    assert (response["success"], response["provider"], response["degraded"], response["warnings"]) == (
        True,
        "offline",
        False,
        [],
    )
    assert texts(response)[0] == "What should I do next with Jack Russel?"
    assert 2 <= len(texts(response)) <= 4
    first = response["suggestions"][0]
    assert first["arguments"] == {"entity_type": "lead", "entity_id": crm["jack"].id}
    action = response["nextActions"][0]
    assert (action["priority"], action["entity"]["name"]) == ("Urgent", "Jack Russel")
    assert action["tool"] == "create_activity"


def test_an_empty_context_is_enough(world: World, crm: dict[str, Record]) -> None:
    response = suggested()
    assert 2 <= len(texts(response)) <= 4
    assert {action["entity"]["name"] for action in response["nextActions"]} >= {"Jack Russel"}


@pytest.mark.parametrize("context", [{"page": "/goals"}, {"context": {"page": "Goals"}}])
def test_a_page_has_its_own_suggestions(world: World, context: dict[str, Any]) -> None:
    assert texts(suggested(**context))[0] == "Show me my goals"


def test_the_record_of_the_page_comes_first(world: World, crm: dict[str, Record]) -> None:
    page = {"recordType": "account", "recordId": crm["abc"].id}
    response = suggested(sessionEntities=about(crm["jack"]), context=page)
    assert "ABC Corp" in texts(response)[0]


def test_the_record_mentioned_last_comes_first(world: World, crm: dict[str, Record]) -> None:
    messages = [
        {"role": "user", "content": "How is Jack?"},
        {"role": "assistant", "content": "Fine. And Jane Doe is new."},
    ]
    response = suggested(sessionEntities=about(crm["jack"], crm["jane"]), messages=messages)
    assert "Jane Doe" in texts(response)[0]


def test_records_that_are_not_the_users_are_dropped(world: World, crm: dict[str, Record]) -> None:
    response = suggested(sessionEntities=about(crm["theirs"]))
    assert "Rival" not in json.dumps({**response, "warnings": []})
    assert len(response["warnings"]) == 1
    assert "Jack Rival" in response["warnings"][0]


def test_nothing_without_permission_is_suggested(world: World, crm: dict[str, Record]) -> None:
    response = suggested(BOB, sessionEntities=about(crm["deal"]), page="goals")
    assert "get_goals" not in {step.get("tool") for step in response["suggestions"]}
    assert "ABC renewal" not in json.dumps({**response, "warnings": []})


def test_nothing_is_written(world: World, crm: dict[str, Record]) -> None:
    suggested(sessionEntities=about(crm["jack"]), messages=[{"role": "user", "content": "Delete the lead Jack Russel"}])
    assert world.has("demo", crm["jack"])
    assert world.records.search("demo", RecordQuery("activity")).items == []
    assert world.conversations.recent("demo", "alice", 10, None)[0] == []


# --- a model


def test_a_model_writes_the_suggestions(scripted: Scripted, crm: dict[str, Record]) -> None:
    jack = crm["jack"]
    model = scripted(
        {
            "suggestions": [
                {
                    "text": f"Ruf Jack Russel ({jack.id}) morgen an",
                    "icon": "📞",
                    "tool": "create_activity",
                    "arguments": {"entity_type": "lead", "entity_id": jack.id},
                },
                {"text": "Zeig mir meine Leads", "icon": "leads", "tool": "search_leads"},
            ]
        }
    )
    messages = [{"role": "user", "content": "Was ist mit Jack?"}]
    response = suggested(sessionEntities=about(jack), page="leads", messages=messages)
    assert (response["provider"], response["degraded"]) == ("scripted", False)
    assert texts(response) == ["Ruf Jack Russel morgen an", "Zeig mir meine Leads"]
    assert [step["icon"] for step in response["suggestions"]] == ["📞", "💡"]
    assert response["suggestions"][0]["arguments"]["entity_id"] == jack.id
    (request,) = model.requests
    assert (request.capability, request.json_mode, list(request.tools)) == ("chat_light", True, [])
    facts = json.loads(request.messages[1].content)
    assert (facts["locale"], facts["page"]) == ("de-DE", "leads")
    assert facts["conversation"] == [{"role": "user", "text": "Was ist mit Jack?"}]
    assert [record["name"] for record in facts["records"]] == ["Jack Russel"]


def test_invalid_suggestions_of_the_model_are_left_out(scripted: Scripted, crm: dict[str, Record]) -> None:
    scripted(
        {
            "suggestions": [
                {"text": "Show my deals", "tool": "search_opportunities"},
                {"text": "Make coffee", "tool": "make_coffee"},
                {"text": "x" * 121},
                {"text": 5},
                "Show my leads",
                {"text": "Show odd leads", "tool": "search_leads", "arguments": {"colour": "red"}},
                {
                    "text": "Open their lead",
                    "tool": "get_lead",
                    "arguments": {"lead_id": crm["theirs"].id},
                },
                {"text": "Arguments of nothing", "arguments": {"a": 1}},
                {"text": "Show warm leads", "tool": "search_leads", "arguments": {"status": "warm"}},
                {"text": "Show warm leads"},
                {"text": "What can you do?"},
            ]
        }
    )
    response = suggested(BOB)
    assert texts(response) == ["Show warm leads", "What can you do?"]


def test_there_are_two_to_four_suggestions(scripted: Scripted, crm: dict[str, Record]) -> None:
    scripted(
        {"suggestions": [{"text": f"Question {number}"} for number in range(9)]},
        {"suggestions": [{"text": "Only this"}]},
    )
    assert texts(suggested()) == [f"Question {number}" for number in range(4)]
    response = texts(suggested())
    assert response[0] == "Only this"
    assert 2 <= len(response) <= 4


@pytest.mark.parametrize(
    "step",
    [
        "I can't do that",
        "[]",
        '{"suggestions": "none"}',
        '{"suggestions": []}',
        "[" * 100_000,
        ModelUnavailableError("openai does not answer"),
    ],
)
def test_rules_replace_a_failed_model(scripted: Scripted, crm: dict[str, Record], step: Any) -> None:
    scripted(step)
    response = suggested(sessionEntities=about(crm["jack"]))
    assert texts(response)[0] == "What should I do next with Jack Russel?"
    assert (response["provider"], response["degraded"]) == ("offline", True)
    assert response["warnings"]
    assert response["nextActions"]


# --- invalid requests


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"sessionEntities": [{"id": 5, "type": "lead"}]}, "/sessionEntities/0/id"),
        ({"sessionEntities": "jack"}, "/sessionEntities"),
        ({"page": 5}, "/page"),
        ({"messages": [{"role": "robot"}]}, "/messages/0/role"),
        ({"context": {"recordId": 5}}, "/context/recordId"),
        ({"timezone": "Mars/Base"}, "/timezone"),
        ([], ""),
    ],
)
def test_wrong_types_are_refused_with_a_pointer(world: World, body: object, pointer: str) -> None:
    assert_problem(post(body), 422, "invalid_input", pointer)


def test_unknown_fields_are_ignored(world: World) -> None:
    assert suggested(colour="red")["success"] is True


def test_a_request_without_a_principal_is_unauthenticated(world: World) -> None:
    assert_problem(post({}, None), 401, "unauthenticated")
