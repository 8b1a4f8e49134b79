"""A chat's spans, as an OpenTelemetry collector gets them."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from aisha.adapters.clock import SystemClock
from aisha.adapters.llm.planner.planner import OfflinePlanner
from aisha.adapters.tracing.otel import OpenTelemetryTracer
from aisha.domain.crm.records import Record
from tests.fakes.aws.api_gateway import ROOT, answer_of, chat, event, function, request_context
from tests.fakes.collectors import Collector
from tests.fakes.models.model_server import Answer, ModelServer
from tests.fakes.world import ALICE, World
from tests.support.observed_turns import CALLER, CALLS, CONTENT, PATH, QUESTION, REPLY, TRACE, ask


def test_the_spans_of_a_turn_with_two_tools(server: ModelServer, collected: Collector, world: World) -> None:
    world.use(clock=SystemClock())
    answer = ask(headers={"traceparent": f"00-{TRACE}-{CALLER}-01"})
    assert answer.json()["response"] == REPLY
    request, turn = collected.named(f"POST {PATH}"), collected.named("invoke_agent AiSHA")
    tools = [collected.named("execute_tool search_leads"), collected.named("execute_tool search_accounts")]
    chats = [span for span in collected.spans if span.name == "chat gpt-6-luna"]
    assert {span.trace for span in collected.spans} == {TRACE}
    assert (request.parent, turn.parent) == (CALLER, request.id)
    assert {span.parent for span in (*tools, *chats)} == {turn.id}
    assert len(chats) == 3, "one to choose tools, one for each round"
    assert (request.kind, turn.kind, chats[0].kind, tools[0].kind) == (2, 1, 3, 1)
    assert all(turn.start <= span.start <= span.end <= turn.end for span in chats)
    assert chats[1].end <= chats[2].start, "tools run between them; their own times are the clock port's"
    assert not [span.name for span in collected.spans if span.is_error]


def test_the_provider_s_own_request_ids_are_on_its_spans_and_the_request_s_line(
    server: ModelServer, collected: Collector, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    say, ids = server.play, iter(("req_1", "req_2", "req_3"))
    server.play = lambda body: replace(say(body), headers={"x-request-id": next(ids)})
    assert ask().status_code == 200
    chats = [span for span in collected.spans if span.name == "chat gpt-6-luna"]
    assert [span.attributes["aisha.provider.request_id"] for span in chats] == ["req_1", "req_2", "req_3"]
    assert lines()[-1]["provider_request_ids"] == ["req_1", "req_2", "req_3"]


def test_a_provider_that_failed_is_named_with_its_request_id(
    server: ModelServer, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    server.play = lambda _: Answer(status=401, headers={"x-request-id": "req_9"})
    assert ask().json()["degraded"] is True
    # A provider whose circuit is open is not asked, and so gives no id.
    failed = [line for line in lines() if "did not answer" in line.get("reason", "")]
    assert {line["provider_request_id"] for line in failed} == {"req_9"}


def test_their_attributes_are_those_of_the_genai_conventions(server: ModelServer, collected: Collector) -> None:
    conversation = ask().json()["conversationId"]
    turn, tool = collected.named("invoke_agent AiSHA"), collected.named("execute_tool search_leads")
    chat = [span for span in collected.spans if span.name == "chat gpt-6-luna"][-1]
    assert turn.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert turn.attributes["gen_ai.agent.name"] == "AiSHA"
    assert (turn.attributes["aisha.tenant"], turn.attributes["aisha.turn.status"]) == ("demo", "completed")
    assert (chat.attributes["gen_ai.operation.name"], chat.attributes["gen_ai.provider.name"]) == ("chat", "openai")
    assert chat.attributes["gen_ai.request.model"] == "gpt-6-luna"
    assert chat.attributes["gen_ai.response.model"]
    assert [int(chat.attributes[f"gen_ai.usage.{kind}_tokens"]) for kind in ("input", "output")] == [1200, 60]
    assert tool.attributes["gen_ai.operation.name"] == "execute_tool"
    assert (tool.attributes["gen_ai.tool.name"], tool.attributes["gen_ai.tool.call.id"]) == ("search_leads", "call_1")
    assert {span.attributes["gen_ai.conversation.id"] for span in (turn, chat)} == {conversation}
    request = collected.named(f"POST {PATH}")
    assert (request.attributes["http.route"], int(request.attributes["http.response.status_code"])) == (PATH, 200)


def test_a_span_says_streaming_of_what_is_streamed(server: ModelServer, collected: Collector) -> None:
    ask()
    server.answers += [Answer(calls=CALLS), Answer(REPLY)]
    chat({"message": QUESTION}, ALICE, headers={"accept": "text/event-stream"})
    streaming = [span.attributes["gen_ai.request.stream"] for span in collected.spans if span.name == "chat gpt-6-luna"]
    assert streaming == [body.get("stream", False) for body in server.requests]
    assert set(streaming) == {True, False}


def test_no_span_holds_what_was_said_or_found(server: ModelServer, collected: Collector) -> None:
    ask()
    assert len(collected.spans) >= 6
    assert not [word for word in CONTENT if word in "".join(collected.bodies)]


def test_a_span_of_a_failure_has_the_errors_type(server: ModelServer, collected: Collector) -> None:
    server.play = lambda _: Answer(status=401)
    assert ask("Show me my warm leads").json()["degraded"] is True
    failed = [span for span in collected.spans if span.name == "chat gpt-6-luna" and span.is_error]
    assert {span.attributes["error.type"] for span in failed} == {"model_unavailable"}
    assert f"chat {OfflinePlanner.model}" in [span.name for span in collected.spans if not span.is_error]


def test_a_stream_has_its_spans_sent_before_its_end(server: ModelServer, collected: Collector) -> None:
    at_end: list[list[str]] = []
    app = function("chat").app

    async def watched_app(scope: Any, receive: Any, send: Any) -> None:
        async def send_watched(message: Any) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                at_end.append([span.name for span in collected.spans])
            await send(message)

        await app(scope, receive, send_watched)

    async def stream() -> str:
        context = json.dumps(request_context("POST", PATH, PATH, ALICE), ensure_ascii=False).encode()
        headers = [(b"accept", b"text/event-stream"), (b"x-amzn-request-context", context)]
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=watched_app), base_url="http://127.0.0.1"
        ) as client:
            return (await client.post(PATH, content=json.dumps({"message": QUESTION}), headers=headers)).text

    assert "[DONE]" in asyncio.run(stream())
    (names,) = at_end
    assert {f"POST {PATH}", "invoke_agent AiSHA", "execute_tool search_leads"} <= set(names)


def test_a_rest_function_has_a_span_of_the_client_s_trace(crm: dict[str, Record], collected: Collector) -> None:
    proxied = event("crm", "GET", "/api/crm/lead", ALICE)
    proxied["headers"]["Traceparent"] = f"00-{TRACE}-{CALLER}-01"
    assert answer_of(function("crm"), proxied).status == 200
    (span,) = collected.spans
    assert (span.name, span.trace, span.parent) == ("GET /api/crm/{type}", TRACE, CALLER)
    assert span.attributes["aisha.tenant"] == "demo"


def test_without_a_collector_the_answer_is_the_same(server: ModelServer, world: World) -> None:
    tracer = OpenTelemetryTracer("http://127.0.0.1:9", "ChatFunction")
    world.use(tracer=tracer)
    assert ask().json()["response"] == REPLY


@pytest.mark.parametrize("setting", ["none", "otel"])
def test_opentelemetry_is_loaded_only_where_it_is_set(setting: str) -> None:
    script = (
        "import sys\n"
        "from aisha import observability\n"
        "from aisha.bootstrap import Services\n"
        "from aisha.api import asgi_app\n"
        "print(type(Services().tracer).__name__)\n"
        "print(any(name.split('.')[0] == 'opentelemetry' for name in sys.modules))\n"
    )
    variables = {"PYTHONPATH": str(ROOT / "shared"), "AISHA_TRACES": setting, "PATH": ""}
    process = subprocess.run([sys.executable, "-c", script], env=variables, capture_output=True, text=True, check=True)
    kind, is_loaded = process.stdout.split()
    assert kind == {"none": "NoneType", "otel": "OpenTelemetryTracer"}[setting]
    assert is_loaded == str(setting == "otel")
