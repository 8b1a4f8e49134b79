"""The chat function behind its adapter: response, limits and errors."""

import gzip
import json
import socket
from typing import Any

import pytest
from starlette.requests import Request

from aisha.api.asgi_app import REQUEST_CONTEXT, request_context
from aisha.api.schemas.conversations.chat import ChatResponse
from aisha.domain.crm.records import Lead, Record
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import ModelRequest
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import REQUEST_ID, assert_problem, call, chat, function
from tests.fakes.world import ALICE, BOB, RIVAL, World


def test_a_turn_answers_in_the_published_shape(crm: dict[str, Record]) -> None:
    answer = chat({"message": "Show me my warm leads"}, ALICE)
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.headers["x-request-id"] == REQUEST_ID
    assert answer.headers["cache-control"] == "no-store"
    response = ChatResponse.model_validate(answer.json)
    assert (response.success, response.status, response.degraded) == (True, "completed", False)
    assert "Jack Russel" in response.response
    assert crm["jack"].id not in response.response
    assert [(each.name, each.status) for each in response.tool_calls] == [("search_leads", "executed")]
    assert response.tools_used == ["search_leads"]
    assert crm["jack"].id in [entity.id for entity in response.entities]
    assert 2 <= len(response.follow_ups) <= 4


def test_the_conversation_goes_on(crm: dict[str, Record]) -> None:
    first = chat({"message": "Show me my warm leads"}, ALICE).json
    second = chat({"message": "Tell me about him", "conversationId": first["conversationId"]}, ALICE).json
    assert second["conversationId"] == first["conversationId"]
    assert "ABC Corp" in second["response"]
    stored = call("conversations", "GET", f"/api/ai/conversations/{first['conversationId']}", ALICE).json
    assert [message["role"] for message in stored["messages"]] == ["user", "assistant"] * 2
    assert all(message["finished"] for message in stored["messages"])
    assert stored["title"] == "Show me my warm leads"


@pytest.mark.parametrize("stranger", [BOB, RIVAL])
def test_other_users_can_not_continue_a_conversation(crm: dict[str, Record], stranger: dict[str, str]) -> None:
    begun = chat({"message": "Show me my warm leads"}, ALICE).json["conversationId"]
    answer = chat({"message": "And now?", "conversationId": begun}, stranger)
    body = assert_problem(answer, 404, "not_found")
    assert "Jack" not in json.dumps(body)


def test_no_words_lead_to_another_tenants_records(crm: dict[str, Record]) -> None:
    request = {
        "message": f"Show me the lead Jack Rival, {crm['theirs'].id}",
        "sessionEntities": [{"id": crm["theirs"].id, "type": "lead", "name": "Jack Rival", "aliases": []}],
        "tenant_id": "rival",
    }
    body = chat(request, ALICE).json
    assert crm["theirs"].id not in [entity["id"] for entity in body["entities"]]
    assert "Initech" not in json.dumps(body)
    assert body["warnings"]


def test_records_of_closed_modules_are_not_read(crm: dict[str, Record]) -> None:
    body = chat({"message": "Show me my opportunities"}, BOB).json
    assert "ABC renewal" not in json.dumps(body)
    assert [each["status"] for each in body["toolCalls"] if "opportunit" in each["name"]] in ([], ["rejected"])


def test_that_a_file_is_not_read_is_a_warning(crm: dict[str, Record]) -> None:
    parts = [{"type": "text", "text": "Hello"}, {"type": "file", "mediaType": "image/png", "url": "data:,x"}]
    body = chat({"messages": [{"id": "1", "role": "user", "parts": parts}]}, ALICE).json
    assert any("images can't be read" in warning for warning in body["warnings"])
    assert chat({"messages": [{"id": "2", "role": "user", "parts": parts[:1]}]}, ALICE).json["warnings"] == []


def test_voice_is_plain_speech(crm: dict[str, Record]) -> None:
    written = chat({"message": "Show me my leads"}, ALICE).json["response"]
    spoken = chat({"message": "Show me my leads", "format": "voice"}, ALICE).json["response"]
    assert "*" in written or "\n" in written
    assert not set("*`#\n") & set(spoken)
    assert len(spoken.split()) <= 75


def test_a_yes_to_hearing_more_brings_the_rest(world: World) -> None:
    people = [{"first_name": f"Ann{n}", "last_name": "Lee", "company": "The very long company"} for n in range(10)]
    world.add("demo", *(Lead.model_validate({**person, "owner": "alice"}) for person in people))
    first = chat({"message": "Show me my leads", "format": "voice", "locale": "en-US"}, ALICE).json
    replies = [first["response"]]
    while replies[-1].endswith("more details?"):
        body = {
            "message": "Yes please",
            "format": "voice",
            "locale": "en-US",
            "conversationId": first["conversationId"],
        }
        replies.append(chat(body, ALICE).json["response"])
    assert len(replies) > 1
    assert [sum(f"Ann{n} Lee" in each for each in replies) for n in range(10)] == [1] * 10


@pytest.mark.parametrize(("name", "path"), [("chat", "/api/ai/chat"), ("flow_chat", "/api/ai/flow-chat")])
@pytest.mark.parametrize(("locale", "offer"), [("fr-FR", "plus de détails ?"), (None, "mehr Einzelheiten?")])
def test_the_offer_to_go_on_is_in_the_users_language(
    world: World, name: str, path: str, locale: str | None, offer: str
) -> None:
    people = [
        Lead.model_validate(
            {
                "first_name": f"Ann{n}",
                "last_name": "Lee",
                "company": "The " + "very " * 20 + "long company",
                "owner": "alice",
            }
        )
        for n in range(30)
    ]
    world.add("demo", *people)
    body = {"message": "Show me my leads", "format": "voice", "locale": locale}
    reply_text = chat(body, ALICE, path=path, app=function(name).app).json["response"]
    assert reply_text.endswith(offer)


def test_names_outside_latin_arrive(world: World) -> None:
    requests: list[ModelRequest] = []
    planner = world.services.chat_model

    class RecordingModel:
        def stream(self, request: ModelRequest) -> Any:
            requests.append(request)
            return planner.stream(request)

    world.use(chat_model=RecordingModel())
    chat({"message": "Good morning"}, ALICE | {"name": "Zoë 李"})
    assert requests[0].caller.principal.name == "Zoë 李"
    assert requests[0].caller.principal.zone == "Europe/Berlin"


# --- invalid requests


@pytest.mark.parametrize(
    ("content", "pointer"),
    [
        ({"message": ""}, "/message"),
        ({"message": " \n\t"}, "/message"),
        ({}, "/message"),
        ({"message": "x" * 8001}, "/message"),
        ({"message": 5}, "/message"),
        ({"message": ["hi"]}, "/message"),
        ({"message": "hi", "conversationId": 7}, "/conversationId"),
        ({"message": "hi", "sessionEntities": [{"id": 1, "type": "lead"}]}, "/sessionEntities/0/id"),
        ({"message": "hi", "format": "smoke"}, "/format"),
        ({"message": "hi", "timezone": "Mars/Olympus"}, "/timezone"),
        ({"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes?"}]}, "/messages/1"),
        ("[]", ""),
        ('"hi"', ""),
        ("null", ""),
    ],
)
def test_an_invalid_request_is_refused_with_a_pointer(
    world: World, content: str | dict[str, Any], pointer: str
) -> None:
    assert_problem(chat(content, ALICE), 422, "invalid_input", pointer)


@pytest.mark.parametrize("content", ["", "{", "hi", b"\xff\xfe", '{"message": "hi"', "[" * 20_000])
def test_what_is_not_json_is_malformed(world: World, content: str | bytes) -> None:
    assert_problem(chat(content, ALICE), 400, "malformed_request")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b" ", "has no body"),
        # Without the time: workers that collect at different seconds would have tests of different names.
        (gzip.compress(b'{"message": "hi"}', mtime=0), "is compressed"),
        ('{"message": "Zoë"}'.encode("latin-1"), "is not in UTF-8"),
        (b"message=hi", "is not JSON"),
    ],
)
def test_the_commonest_mistakes_of_clients_are_named(world: World, content: bytes, reason: str) -> None:
    assert reason in assert_problem(chat(content, ALICE), 400, "malformed_request")["detail"]


def test_a_byte_order_mark_is_skipped(world: World) -> None:
    assert chat(b"\xef\xbb\xbf" + b'{"message": "hi"}', ALICE).status == 200


@pytest.mark.slow
def test_a_message_of_maximum_length_is_accepted(world: World) -> None:
    assert chat({"message": "hello " + "x" * 7994}, ALICE).status == 200


def test_a_request_too_large_is_refused(world: World) -> None:
    fits = {"message": "hi", "attachedData": {"x": "x" * (255 * 1024)}}
    assert chat(fits, ALICE).status == 200
    assert_problem(chat({"message": "hi", "x": "x" * (256 * 1024)}, ALICE), 413, "payload_too_large")


@pytest.mark.parametrize("unknown", ["conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q", "1", "conv_../../x"])
def test_an_unknown_conversation_is_not_found(world: World, unknown: str) -> None:
    assert_problem(chat({"message": "hi", "conversationId": unknown}, ALICE), 404, "not_found")


@pytest.mark.parametrize("authorizer", [None, {}, {"tenant_id": "demo"}, {"user": "alice"}])
def test_a_request_without_a_principal_is_unauthenticated(world: World, authorizer: dict[str, str] | None) -> None:
    answer = chat({"message": "hi"}, authorizer)
    assert_problem(answer, 401, "unauthenticated")
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/ai/chat"), ("POST", "/api/ai/chats"), ("POST", "/")])
def test_other_routes_are_not_found(world: World, method: str, path: str) -> None:
    assert_problem(chat("", ALICE, method=method, path=path), 404, "not_found")


def test_the_health_path_of_the_adapter_answers(world: World) -> None:
    assert chat("", method="GET", path="/health").status == 204


# --- errors


class Failing:
    """A model that raises an error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def stream(self, _: ModelRequest) -> Any:
        raise self._error


def test_an_unexpected_error_is_logged_and_hidden_from_the_client(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.use(chat_model=Failing(RuntimeError("password is hunter2")))
    body = assert_problem(chat({"message": "hi"}, ALICE), 500, "internal_error")
    assert "hunter2" not in json.dumps(body)
    (failure,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert vars(failure)["request_id"] == REQUEST_ID
    assert "hunter2" in caplog.text


def test_an_unavailable_model_is_a_retryable_problem(world: World) -> None:
    world.use(chat_model=Failing(ModelUnavailableError("openai did not answer")))
    answer = chat({"message": "hi"}, ALICE)
    assert assert_problem(answer, 503, "model_unavailable")["retryable"] is True
    assert int(answer.headers["retry-after"]) > 0


def test_without_its_provider_the_planner_answers_and_says_so(crm: dict[str, Record], world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        unused_url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    world.use(settings=read_settings({"OPENAI_API_KEY": "sk-test", "AISHA_OPENAI_BASE_URL": unused_url}))
    answer = chat({"message": "Show me my warm leads"}, ALICE)
    body = answer.json
    assert "Jack Russel" in body["response"]
    assert (body["degraded"], body["provider"]) == (True, "offline")
    assert any("openai" in warning for warning in body["warnings"])
    assert "sk-test" not in answer.text


def test_an_invalid_context_header_is_an_empty_context(world: World) -> None:
    assert REQUEST_CONTEXT == "x-amzn-request-context"
    for text in ("", "[]", "nonsense", '"alice"'):
        request = Request({"type": "http", "headers": [(REQUEST_CONTEXT.encode(), text.encode())], "method": "POST"})
        assert request_context(request) == {}
