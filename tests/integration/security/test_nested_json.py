"""JSON that is nested a hundred thousand times is invalid like any other, whoever sends it: a user or a model."""

import base64
import json

import pytest

from aisha.application.scans.recommendation import parse_recommendation
from aisha.domain.crm.records import Record
from tests.fakes.aws.api_gateway import assert_problem, call, chat, function
from tests.fakes.models.scripted_model import ScriptedModel
from tests.fakes.world import ALICE, World

NESTED = "[" * 100_000


@pytest.mark.parametrize("headers", [{}, {"idempotency-key": "0f3f0a52-1111-4f7c-9a9d-0a3c1f7d2b11"}])
@pytest.mark.parametrize("path", ["/api/ai/scans", "/api/ai/notifications"])
def test_a_body(world: World, path: str, headers: dict[str, str]) -> None:
    name = path.rpartition("/")[2]
    assert_problem(call(name, "POST", path, ALICE, NESTED, headers=headers), 400, "malformed_request")


def test_a_cursor(world: World) -> None:
    cursor = base64.urlsafe_b64encode(NESTED.encode()).decode().rstrip("=")
    arguments = {"name": "search_leads", "arguments": {"cursor": cursor}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}
    result = chat(body, ALICE | {"door": "mcp"}, path="/mcp", app=function("mcp").app).json["result"]
    assert result["structuredContent"]["error"]["code"] == "invalid_input"


def test_a_models_recommendation() -> None:
    assert parse_recommendation(f'{{"scanType": {NESTED}}}', ["next_steps"]) is None


def test_whatever_a_model_answers(world: World, crm: dict[str, Record]) -> None:
    world.use(chat_model=ScriptedModel(*[f'{{"answer": {NESTED[:5000]}'] * 8))
    answer = chat({"message": "What is new?"}, ALICE)
    assert answer.status == 200, json.dumps(answer.json)[:200]
