"""A single model call without history and tools."""

import json
from typing import Any

import pytest

from aisha.domain.crm.records import Record
from aisha.domain.errors import ModelUnavailableError
from tests.fakes.aws.api_gateway import Answer, assert_problem, call
from tests.fakes.models.scripted_model import ScriptedModel
from tests.fakes.world import ALICE, World

URL = "/api/ai/singleturn"


def post(body: object) -> Answer:
    return call("singleturn", "POST", URL, ALICE, json.dumps(body))


@pytest.fixture
def model(world: World) -> ScriptedModel:
    scripted = ScriptedModel()
    world.use(chat_model=scripted)
    return scripted


@pytest.mark.parametrize("name", ["prompt", "message"])
def test_the_model_is_asked_once(world: World, model: ScriptedModel, name: str) -> None:
    model.steps.append("Thanks, Jack. See you on Friday.")
    answer = post({name: "Thank Jack.", "system": "Be brief.", "temperature": 0.2, "maxTokens": 60, "colour": "red"})
    assert answer.status == 200
    assert answer.json == {
        "success": True,
        "response": "Thanks, Jack. See you on Friday.",
        "provider": "scripted",
        "model": "scripted-1",
        "degraded": False,
        "usage": {"inputTokens": 100, "outputTokens": 10, "costUsd": 0.001, "promptTokens": {}},
        "warnings": [],
    }
    (request,) = model.requests
    assert [(message.role, message.content) for message in request.messages] == [
        ("system", "Be brief."),
        ("user", "Thank Jack."),
    ]
    assert (request.temperature, request.max_tokens, request.capability) == (0.2, 60, "chat_light")
    assert list(request.tools) == []
    assert world.conversations.recent("demo", "alice", 10, None)[0] == []


def test_the_client_can_choose_the_model(model: ScriptedModel) -> None:
    model.steps.append("Hello")
    assert post({"prompt": "Hi", "provider": "openai", "model": "gpt-4o"}).status == 200
    assert (model.requests[0].provider, model.requests[0].model) == ("openai", "gpt-4o")


def test_without_a_key_the_planner_answers_and_writes_nothing(world: World, crm: dict[str, Record]) -> None:
    answer = post({"prompt": "Delete the lead Jack Russel"})
    assert answer.status == 200, answer.text
    assert answer.json["provider"] == "offline"
    assert answer.json["response"].strip()
    assert world.has("demo", crm["jack"])


@pytest.mark.parametrize("step", ["", "  ", ModelUnavailableError("All models are down")])
def test_a_missing_answer_is_a_retryable_problem(model: ScriptedModel, step: Any) -> None:
    model.steps.append(step)
    answer = post({"prompt": "Hi"})
    body = assert_problem(answer, 503, "model_unavailable")
    assert body["retryable"] is True
    assert "retry-after" in answer.headers


def test_an_unknown_provider_is_refused(world: World) -> None:
    assert_problem(post({"prompt": "Hi", "provider": "nobody"}), 422, "invalid_input", "/provider")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/prompt"),
        ({"prompt": " "}, "/prompt"),
        ({"prompt": 5}, "/prompt"),
        ({"prompt": "x" * 8001}, "/prompt"),
        ({"prompt": "x", "system": "x" * 8001}, "/system"),
        ({"prompt": "x", "temperature": 3}, "/temperature"),
        ({"prompt": "x", "temperature": "hot"}, "/temperature"),
        ({"prompt": "x", "model": ""}, "/model"),
    ],
)
def test_wrong_types_are_refused_with_a_pointer(model: ScriptedModel, body: object, pointer: str) -> None:
    assert_problem(post(body), 422, "invalid_input", pointer)
    assert model.requests == []


def test_the_problem_names_the_text_that_is_too_long(model: ScriptedModel) -> None:
    problem = assert_problem(post({"prompt": "x", "system": "x" * 8001}), 422, "invalid_input", "/system")
    assert problem["message"].startswith("The system has 8001 characters")


def test_a_request_without_a_principal_is_unauthenticated(world: World) -> None:
    assert_problem(call("singleturn", "POST", URL, None, '{"prompt": "Hi"}'), 401, "unauthenticated")
