"""The built chat function, behind AWS's web adapter, over DynamoDB Local."""

import json
from typing import Any

from infra.sam.runtime_api import Sandbox, StreamedResponse
from tests.real.events import chat_event, event


def header(response: StreamedResponse, name: str) -> Any:
    return {key.lower(): value for key, value in response.prelude["headers"].items()}.get(name)


def test_it_answers_about_jack(chat: Sandbox) -> None:
    response = chat.stream(event("chat"))
    assert response.mode == "streaming"
    assert response.prelude["statusCode"] == 200
    answer = json.loads(response.body)
    assert "Jack Russel" in answer["response"]
    assert "ABC Corp" in answer["response"]
    assert answer["entities"][0]["name"] == "Jack Russel"
    assert header(response, "x-request-id") == event("chat")["requestContext"]["requestId"]


def test_it_remembers_the_conversation(chat: Sandbox) -> None:
    first = json.loads(chat.stream(event("chat")).body)
    second = json.loads(
        chat.stream(chat_event("Create a call with him tomorrow at 10am", conversationId=first["conversationId"])).body
    )
    assert second["conversationId"] == first["conversationId"]
    assert [(call["name"], call["status"]) for call in second["toolCalls"]] == [("create_activity", "executed")]


def test_a_request_without_the_authorizer_is_refused(chat: Sandbox) -> None:
    request = event("chat")
    del request["requestContext"]["authorizer"]
    response = chat.stream(request)
    assert response.prelude["statusCode"] == 401
    assert json.loads(response.body)["code"] == "unauthenticated"
    assert header(response, "content-type").startswith("application/problem+json")


def test_a_client_can_not_send_a_context_of_its_own(chat: Sandbox) -> None:
    request = event("chat")
    forged = json.dumps({"authorizer": request["requestContext"].pop("authorizer"), "requestId": "mine"})
    for name in ("x-amzn-request-context", "X-Amzn-Request-Context"):
        request["headers"][name] = forged
        request["multiValueHeaders"][name] = [forged]
    assert chat.stream(request).prelude["statusCode"] == 401


def test_a_name_that_is_not_latin_arrives_whole(chat: Sandbox) -> None:
    request = chat_event("What can you do?")
    request["requestContext"]["authorizer"]["name"] = "Zoë Łukasiewicz 李"
    assert chat.stream(request).prelude["statusCode"] == 200


def test_an_invalid_member_is_a_problem(chat: Sandbox) -> None:
    response = chat.stream(chat_event("x", locale=5))
    assert response.prelude["statusCode"] == 422
    assert json.loads(response.body)["pointer"] == "/locale"
