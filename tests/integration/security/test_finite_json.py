"""No answer holds a number that JSON can't write, whoever sends it: a client, a model, or another system."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest
from tests.fakes.aws.api_gateway import Answer, call, chat, function
from tests.fakes.world import ALICE, World

NUMBERS = ["1e999", "-1e999", "NaN", "Infinity", "-Infinity"]


class Answering:
    """A model that answers in JSON with one text, and in a conversation with calls and then with words."""

    def __init__(self, text: str, *calls: ToolCallRequest) -> None:
        self._text, self._calls = text, calls

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.capability not in ("chat_tools", "json_strict"):
            raise UnavailableError("This model only chats.")
        if request.json_mode:
            yield TextChunk(self._text)
        elif self._calls and not any(message.role == "tool" for message in request.messages):
            yield ModelFinished("answering", "answering-1", self._calls)
            return
        else:
            yield TextChunk("Done.")
        yield ModelFinished("answering", "answering-1")


def refuse(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


def is_strict_json(answer: Answer) -> bool:
    json.loads(answer.text, parse_constant=refuse)
    return True


@pytest.mark.parametrize("number", NUMBERS)
def test_a_client_sends_none(world: World, crm: dict[str, Record], number: str) -> None:
    body = f'{{"estimated_value": {number}}}'
    answers = [
        call("crm", "PATCH", f"/api/crm/lead/{crm['jack'].id}", ALICE, body, headers={"If-Match": "*"}),
        call("singleturn", "POST", "/api/ai/singleturn", ALICE, f'{{"prompt": "Hi", "temperature": {number}}}'),
    ]
    assert [answer.status for answer in answers] == [400, 400]
    assert all(map(is_strict_json, answers))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_models_calls_have_none(world: World, crm: dict[str, Record], number: str) -> None:
    arguments = f'{{"lead_id": "{crm["jack"].id}", "estimated_value": {number}}}'
    world.use(chat_model=Answering("{}", ToolCallRequest("c1", "update_lead", arguments)))
    answer = chat({"message": "Set the estimated value of Jack Russel to infinity"}, ALICE)
    assert is_strict_json(answer)
    assert [one["status"] for one in answer.json["toolCalls"]] == ["failed"]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_models_plan_has_none(world: World, crm: dict[str, Record], number: str) -> None:
    step = f'{{"name": "update_lead", "parameters": {{"lead_id": "{crm["jack"].id}", "estimated_value": {number}}}}}'
    plan = f'{{"userIntent": "Change it", "needsTools": true, "toolsToUse": [{step}], "confidence": 90}}'
    world.use(chat_model=Answering(plan))
    message = {"message": "Set the estimated value of Jack Russel to infinity"}
    answer = chat(message, ALICE, path="/api/ai/flow-chat", app=function("flow_chat").app)
    assert (answer.status, is_strict_json(answer)) == (200, True)
    assert number not in answer.text


@pytest.mark.parametrize("number", NUMBERS)
def test_an_answer_in_a_clients_form_has_none(world: World, number: str) -> None:
    services = world.use(chat_model=Answering(f'{{"total": {number}}}'))
    services.turn_dependencies = replace(services.turn_dependencies, answers_as_json=True)
    form = {"type": "json_schema", "json_schema": {"name": "total", "schema": {"type": "object"}}}
    body = {"model": "aisha", "messages": [{"role": "user", "content": "How many?"}], "response_format": form}
    answer = chat(body, ALICE, path="/v1/chat/completions", app=function("openai").app)
    assert is_strict_json(answer)
    assert number not in answer.text
    assert answer.status == 503
