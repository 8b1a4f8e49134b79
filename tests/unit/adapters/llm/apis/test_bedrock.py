"""The Bedrock provider: botocore against a server that speaks the real protocol."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from aisha.adapters.llm.provider import Access
from aisha.adapters.llm.providers.bedrock import BedrockChatModel
from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.bootstrap import Services
from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import (
    ModelEvent,
    ModelFinished,
    ModelMessage,
    TextChunk,
    ToolCallRequest,
    Usage,
)
from aisha.settings import read_settings
from tests.fakes.models.bedrock_server import BedrockAnswer, BedrockServer
from tests.support.model_over_server import LONG, SEARCH, USER, ModelOverServer

HAIKU = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
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


class Asked(ModelOverServer):
    """A model over a fake server, with credentials that no AWS account has."""

    def __init__(
        self, server: BedrockServer, model: str = HAIKU, guardrail: str = "", terms: ModelTerms | None = None
    ) -> None:
        settings = {"BEDROCK_GUARDRAIL": guardrail} if guardrail else {}
        super().__init__(BedrockChatModel(model, Access("eu-central-1", server.url, settings), terms or ModelTerms()))


@pytest.fixture(autouse=True)
def _role(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDLOCAL")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    yield
    Asked.close_all()


def refused(asked: Asked, **fields: Any) -> ModelUnavailableError:
    with pytest.raises(ModelUnavailableError) as raised:
        asked.answer(**fields)
    assert "secret details" not in str(raised.value)
    return raised.value


def test_text_comes_in_pieces_and_then_the_end() -> None:
    answer = BedrockAnswer(LONG, usage=(321, 12), headers={"x-amzn-RequestId": "req-011"})
    with BedrockServer(answer) as server:
        *texts, finished = Asked(server).stream()
    assert len(texts) > 10
    assert "".join(event.text for event in texts if isinstance(event, TextChunk)) == LONG
    assert finished == ModelFinished("bedrock", HAIKU, (), Usage(321, 12), request_id="req-011")


def test_the_first_words_are_there_before_the_rest_was_sent() -> None:
    with BedrockServer(BedrockAnswer(LONG, hang_after=5)) as server:
        events = Asked(server).stream()
        assert next(events) == TextChunk(LONG[:4])
        events.close()  # type: ignore[attr-defined]


def test_parallel_calls_come_whole_and_only_at_the_end() -> None:
    with BedrockServer(BedrockAnswer("Let me look.", calls=CALLS, characters=1)) as server:
        text, finished = Asked(server).answer(tools=(SEARCH,))
    assert text == "Let me look."
    assert finished.tool_calls == tuple(ToolCallRequest(*call) for call in CALLS)


def test_a_call_without_arguments_has_none() -> None:
    with BedrockServer(BedrockAnswer(calls=[("tooluse_1", "search_leads", "")])) as server:
        _, finished = Asked(server).answer()
    assert finished.tool_calls == (ToolCallRequest("tooluse_1", "search_leads", "{}"),)


def test_what_is_sent_is_the_protocol_with_cache_points_after_the_tools_and_the_stable_part() -> None:
    assistant = ModelMessage("assistant", "", (ToolCallRequest("call.1", "search_leads", '{"title": "x"}'),
                                          ToolCallRequest("call.2", "search_leads", "{broken")))  # fmt: skip
    results = [ModelMessage("tool", '{"items":[]}', tool_call_id=f"call.{number}") for number in (1, 2)]
    system = [ModelMessage("system", "You are AiSHA."), ModelMessage("system", "It is Monday.")]
    with BedrockServer(BedrockAnswer("Hi")) as server:
        Asked(server).answer(
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
        Asked(server, model).answer(*prompt, USER, tools=(SEARCH,))
    (body,) = server.requests
    assert (body["toolConfig"]["tools"].count(CACHE_POINT), body["system"].count(CACHE_POINT)) == (tools, system)


def test_the_last_answer_without_tools_still_names_those_that_were_called() -> None:
    called = ModelMessage("assistant", "", (ToolCallRequest("1", "search_leads", "{}"),))
    with BedrockServer(BedrockAnswer("Two.")) as server:
        Asked(server).answer(USER, called, ModelMessage("tool", "[]", tool_call_id="1"))
    (body,) = server.requests
    assert body["toolConfig"]["tools"][0]["toolSpec"]["name"] == "search_leads"


def test_a_guardrail_and_the_models_own_options_go_with_every_request() -> None:
    with BedrockServer(BedrockAnswer("Hi")) as server:
        Asked(server, guardrail="gr1abc:3", terms=ModelTerms(options={"top_k": 5}, max_output=100)).answer()
    (body,) = server.requests
    assert body["guardrailConfig"] == {"guardrailIdentifier": "gr1abc", "guardrailVersion": "3"}
    assert body["additionalModelRequestFields"] == {"top_k": 5}
    assert body["inferenceConfig"] == {"maxTokens": 100}


def test_a_guardrail_without_its_version_is_refused_with_the_form() -> None:
    with BedrockServer() as server, pytest.raises(ValueError, match="<id or ARN>:<version>"):
        Asked(server, guardrail="gr1abc")


def test_a_wrong_guardrail_stops_the_start() -> None:
    services = Services(settings=read_settings({"BEDROCK_REGION": "eu-central-1", "BEDROCK_GUARDRAIL": "gr1abc"}))
    with pytest.raises(ValueError, match="BEDROCK_GUARDRAIL: write"):
        services.check_models()


def test_what_a_guardrail_says_instead_is_the_answer() -> None:
    with BedrockServer(BedrockAnswer("I can't talk about that.", finish_reason="guardrail_intervened")) as server:
        text, _ = Asked(server).answer()
    assert text == "I can't talk about that."


def test_cached_tokens_cost_their_own_price() -> None:
    price = Price(1.0, 5.0, cached_input=0.1, cache_write=1.25)
    answer = BedrockAnswer("Hi", usage=(1000, 10), cached=700, written=200)
    with BedrockServer(answer) as server:
        _, finished = Asked(server, terms=ModelTerms(price)).answer()
    assert finished.usage == Usage(1000, 10, (100 * 1.0 + 10 * 5.0 + 700 * 0.1 + 200 * 1.25) / 1_000_000)


def test_json_comes_whole_without_its_fence() -> None:
    with BedrockServer(BedrockAnswer('```json\n{"a": 1}\n```')) as server:
        text, _ = Asked(server).answer(json_mode=True)
    assert text == '{"a": 1}'
    assert server.requests[0]["system"][-1]["text"].startswith("Answer with one JSON object and nothing else")


# --- what goes wrong


def throttled(status: int = 429, kind: str = "ThrottlingException") -> BedrockAnswer:
    return BedrockAnswer(status=status, headers={"x-amzn-ErrorType": kind, "x-amzn-RequestId": "req-9"})


def test_a_throttled_request_is_tried_once_more() -> None:
    with BedrockServer(throttled(), BedrockAnswer("Hi")) as server:
        assert Asked(server).answer()[0] == "Hi"
    assert len(server.requests) == 2


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
        error = refused(Asked(server))
    assert reason in str(error)
    assert error.detail == {"provider": "bedrock", "model": HAIKU, "status": answer.status, "request_id": "req-9"}


@pytest.mark.parametrize(
    ("exception", "reason"),
    [("throttlingException", "limits our rate"), ("modelStreamErrorException", "out of order")],
)
def test_an_error_within_the_stream_ends_it_after_the_text_that_came(exception: str, reason: str) -> None:
    with BedrockServer(BedrockAnswer(LONG, exception=exception)) as server:
        events = Asked(server).stream()
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
            assert Asked(server).answer()[0] == LONG
            return
        with pytest.raises(ModelUnavailableError, match=reason):
            Asked(server).answer()


def test_silence_before_the_answer_ends_while_there_is_time_for_another() -> None:
    with BedrockServer(BedrockAnswer(LONG, hang_after=-1)) as server:
        start = time.monotonic()
        error = refused(Asked(server), seconds=1.0)
        assert 0.4 < time.monotonic() - start < 0.9
    assert "took too long" in str(error)


def test_text_that_drips_ends_at_the_deadline() -> None:
    with BedrockServer(BedrockAnswer(LONG, characters=1, pause=0.1)) as server:
        start = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            Asked(server).answer(seconds=0.8)
        assert time.monotonic() - start < 1.5


def test_without_credentials_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with BedrockServer() as server:
        assert "no AWS credentials" in str(refused(Asked(server)))
