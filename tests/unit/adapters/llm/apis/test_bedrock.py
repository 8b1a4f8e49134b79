"""The Bedrock provider: botocore against a server that speaks the real protocol."""

from typing import Any

import pytest

from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.bootstrap import Services
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import (
    ModelEvent,
    ModelMessage,
    ToolCallRequest,
    Usage,
)
from aisha.settings import read_settings
from tests.fakes.models.bedrock_server import BedrockAnswer, BedrockServer
from tests.support.chat_models import BEDROCK, HAIKU, Asked
from tests.support.model_over_server import LONG, SEARCH, USER

NOVA = "global.amazon.nova-2-lite-v1:0"
OSS = "openai.gpt-oss-120b-1:0"
SENT_SEARCH = {
    "toolSpec": {
        "name": "search_leads",
        "description": "Finds leads.",
        "inputSchema": {"json": {"type": "object", "properties": {"title": {"type": "string"}}}},
    }
}
CALLS = [("tooluse_1", "search_leads", '{"title": "Größe"}'), ("tooluse_2", "search_leads", "{}")]
CACHE_POINT = {"cachePoint": {"type": "default"}}


def refused(asked: Asked, **fields: Any) -> ModelUnavailableError:
    with pytest.raises(ModelUnavailableError) as raised:
        asked.answer(**fields)
    assert "secret details" not in str(raised.value)
    return raised.value


def test_what_is_sent_is_the_protocol_with_cache_points_after_the_tools_and_the_stable_part() -> None:
    assistant = ModelMessage("assistant", "", (ToolCallRequest("call.1", "search_leads", '{"title": "x"}'),
                                          ToolCallRequest("call.2", "search_leads", "{broken")))  # fmt: skip
    results = [ModelMessage("tool", '{"items":[]}', tool_call_id=f"call.{number}") for number in (1, 2)]
    system = [ModelMessage("system", "You are AiSHA."), ModelMessage("system", "It is Monday.")]
    with BedrockServer(BedrockAnswer("Hi")) as server:
        Asked(BEDROCK, server).answer(
            *system, ModelMessage("user", "Hé \ud83d"), assistant, *results, tools=(SEARCH,), temperature=0.5
        )
    (body,), (headers,) = server.requests, server.headers
    assert headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIDLOCAL/")
    assert "/eu-central-1/bedrock/aws4_request" in headers["authorization"]
    assert body == {
        "model": HAIKU,
        "system": [{"text": "You are AiSHA."}, CACHE_POINT, {"text": "It is Monday."}],
        "messages": [
            {"role": "user", "content": [{"text": "Hé \ufffd"}]},
            {
                "role": "assistant",
                "content": [
                    {"toolUse": {"toolUseId": "call_1", "name": "search_leads", "input": {"title": "x"}}},
                    {"toolUse": {"toolUseId": "call_2", "name": "search_leads", "input": {"INVALID_JSON": "{broken"}}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"toolResult": {"toolUseId": "call_1", "content": [{"text": '{"items":[]}'}]}},
                    {"toolResult": {"toolUseId": "call_2", "content": [{"text": '{"items":[]}'}]}},
                ],
            },
        ],
        "inferenceConfig": {"maxTokens": 8192, "temperature": 0.5},
        "toolConfig": {"tools": [SENT_SEARCH, CACHE_POINT]},
    }


@pytest.mark.parametrize(("model", "tools", "system"), [(NOVA, 0, 1), (OSS, 0, 0), (HAIKU, 1, 1)])
def test_only_models_that_cache_are_sent_cache_points(model: str, tools: int, system: int) -> None:
    prompt = [ModelMessage("system", "You are AiSHA."), ModelMessage("system", "It is Monday.")]
    with BedrockServer(BedrockAnswer("Hi")) as server:
        Asked(BEDROCK, server, model=model).answer(*prompt, USER, tools=(SEARCH,))
    (body,) = server.requests
    assert (body["toolConfig"]["tools"].count(CACHE_POINT), body["system"].count(CACHE_POINT)) == (tools, system)


def test_the_last_answer_without_tools_still_names_those_that_were_called() -> None:
    called = ModelMessage("assistant", "", (ToolCallRequest("1", "search_leads", "{}"),))
    with BedrockServer(BedrockAnswer("Two.")) as server:
        Asked(BEDROCK, server).answer(USER, called, ModelMessage("tool", "[]", tool_call_id="1"))
    (body,) = server.requests
    assert body["toolConfig"]["tools"][0]["toolSpec"]["name"] == "search_leads"


def test_a_guardrail_and_the_models_own_options_go_with_every_request() -> None:
    with BedrockServer(BedrockAnswer("Hi")) as server:
        Asked(BEDROCK, server, guardrail="gr1abc:3", terms=ModelTerms(options={"top_k": 5}, max_output=100)).answer()
    (body,) = server.requests
    assert body["guardrailConfig"] == {"guardrailIdentifier": "gr1abc", "guardrailVersion": "3"}
    assert body["additionalModelRequestFields"] == {"top_k": 5}
    assert body["inferenceConfig"] == {"maxTokens": 100}


def test_a_guardrail_without_its_version_is_refused_with_the_form() -> None:
    with BedrockServer() as server, pytest.raises(ValueError, match="<id or ARN>:<version>"):
        Asked(BEDROCK, server, guardrail="gr1abc")


def test_a_wrong_guardrail_stops_the_start() -> None:
    services = Services(settings=read_settings({"BEDROCK_REGION": "eu-central-1", "BEDROCK_GUARDRAIL": "gr1abc"}))
    with pytest.raises(ValueError, match="BEDROCK_GUARDRAIL: write"):
        services.check_models()


def test_what_a_guardrail_says_instead_is_the_answer() -> None:
    with BedrockServer(BedrockAnswer("I can't talk about that.", finish_reason="guardrail_intervened")) as server:
        text, _ = Asked(BEDROCK, server).answer()
    assert text == "I can't talk about that."


def test_cached_tokens_cost_their_own_price() -> None:
    price = Price(1.0, 5.0, cached_input=0.1, cache_write=1.25)
    answer = BedrockAnswer("Hi", usage=(1000, 10), cached=700, written=200)
    with BedrockServer(answer) as server:
        _, finished = Asked(BEDROCK, server, terms=ModelTerms(price)).answer()
    assert finished.usage == Usage(1000, 10, (100 * 1.0 + 10 * 5.0 + 700 * 0.1 + 200 * 1.25) / 1_000_000)


# --- what goes wrong


def throttled(status: int = 429, kind: str = "ThrottlingException") -> BedrockAnswer:
    return BedrockAnswer(status=status, headers={"x-amzn-ErrorType": kind, "x-amzn-RequestId": "req-9"})


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (throttled(), "limits our rate"),
        (throttled(503, "ServiceUnavailableException"), "out of order"),
        (throttled(403, "AccessDeniedException"), "role may not use this model"),
        (throttled(400, "ValidationException"), "refused the request"),
        (throttled(404, "ResourceNotFoundException"), "does not know this model"),
    ],
)
def test_errors_before_the_answer_say_why(answer: BedrockAnswer, reason: str) -> None:
    with BedrockServer(answer, answer) as server:
        error = refused(Asked(BEDROCK, server))
    assert reason in str(error)
    assert error.detail == {"provider": "bedrock", "model": HAIKU, "status": answer.status, "request_id": "req-9"}


@pytest.mark.parametrize(
    ("exception", "reason"),
    [("throttlingException", "limits our rate"), ("modelStreamErrorException", "out of order")],
)
def test_an_error_within_the_stream_ends_it_after_the_text_that_came(exception: str, reason: str) -> None:
    with BedrockServer(BedrockAnswer(LONG, exception=exception)) as server:
        events = Asked(BEDROCK, server).stream()
        texts: list[ModelEvent] = []
        with pytest.raises(ModelUnavailableError, match=reason):
            texts.extend(events)
    assert texts


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (BedrockAnswer(LONG, cut_after=6), "cut off|connection failed"),
        (BedrockAnswer(LONG, cut_after=6, resets=True), "cut off|connection failed"),
        (BedrockAnswer(LONG, finish_reason="max_tokens", calls=CALLS), "cut off at a limit"),
        (BedrockAnswer(""), "answer was empty"),
        (BedrockAnswer("", finish_reason="content_filtered"), "refused to answer"),
        (BedrockAnswer(LONG, exception="", breaks_frame=True, hang_after=None), ""),
    ],
)
def test_a_broken_answer_is_no_answer(answer: BedrockAnswer, reason: str) -> None:
    with BedrockServer(answer) as server:
        if answer.breaks_frame:
            # Only the counts of tokens were lost: the message had its end.
            assert Asked(BEDROCK, server).answer()[0] == LONG
            return
        with pytest.raises(ModelUnavailableError, match=reason):
            Asked(BEDROCK, server).answer()


def test_without_credentials_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with BedrockServer() as server:
        assert "no AWS credentials" in str(refused(Asked(BEDROCK, server)))
