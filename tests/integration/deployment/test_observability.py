"""Log lines, metrics and spans of a request, which must not contain what users and records say."""

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from aisha.adapters.clock import SystemClock
from aisha.adapters.llm.planner.planner import OfflinePlanner
from aisha.adapters.queue.in_process import InProcessWorkQueue
from aisha.adapters.tracing.otel import OpenTelemetryTracer
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.bootstrap.models import MODELS
from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from aisha.observability import log_brainlet_failure, logger
from aisha.observability import logs as logs_module
from aisha.observability.metrics import DIMENSIONS, UNITS
from aisha.settings import Settings, read_settings
from infra.local.server.lambda_events import LambdaContext
from tests.fakes.aws.api_gateway import REQUEST_ID, ROOT, answer_of, call, chat, event, function, request_context
from tests.fakes.collectors import Collector
from tests.fakes.models.model_server import Answer, ModelServer
from tests.fakes.world import ALICE, RIVAL, World

QUESTION = "Which company does Jack Russel work for?"
REPLY = "Jack Russel works for ABC Corp."
CALLS = (
    ("call_1", "search_leads", '{"name_contains": "Russel"}'),
    ("call_2", "search_accounts", '{"name_contains": "ABC"}'),
)
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
CONTENT = ("Jack", "Russel", "ABC Corp", "work for", "name_contains")
PATH = "/api/ai/chat"


@pytest.fixture
def server(crm: dict[str, Record], world: World, tmp_path: Path) -> Iterator[ModelServer]:
    """Serve the chat function's model: an OpenAI that calls two searches and then answers."""
    file = tmp_path / "models.toml"
    with ModelServer(Answer(calls=CALLS), Answer(REPLY)) as model:
        say = model.play
        routed = Answer('{"tools": ["search_leads", "search_accounts"]}', usage=None)
        model.play = lambda body: routed if "response_format" in body else say(body)
        packaged = MODELS.read_text(encoding="utf-8")
        file.write_text(packaged.replace("[base_urls]\n", f'[base_urls]\nopenai = "{model.url}"\n'), encoding="utf-8")
        config = read_settings({"OPENAI_API_KEY": "sk-none", "AISHA_MODELS_FILE": str(file)})
        links = world.use(settings=config).model_chains
        world.use(model_chains=links)
        links.chain("chat_tools")[0].chat()  # Imports the SDK, which no test is to measure.
        yield model


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Yield a function that returns the log's lines so far, as CloudWatch gets them."""
    written, handler = io.StringIO(), logger.handlers[0]
    before = handler.setStream(written)  # type: ignore[attr-defined]
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    handler.setStream(before)  # type: ignore[attr-defined]


@pytest.fixture
def collected(world: World) -> Iterator[Collector]:
    """Yield a collector that gets the spans of the functions."""
    with Collector() as collector:
        tracer = OpenTelemetryTracer(collector.url, "ChatFunction")
        world.use(tracer=tracer)
        yield collector
        tracer.close()


def metrics_in(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if '"_aws"' in line]


def measured(metrics: list[dict[str, Any]], **dimensions: str) -> dict[str, Any]:
    """Return the only line of metrics with exactly these dimensions."""
    (match,) = [line for line in metrics if {name: line[name] for name in DIMENSIONS if name in line} == dimensions]
    return match


def ask(
    message: str = QUESTION,
    who: Mapping[str, str] = ALICE,
    headers: Mapping[str, str] | None = None,
    request_id: str = REQUEST_ID,
) -> httpx.Response:
    return asyncio.run(ask_async(message, who, headers, request_id))


async def ask_async(
    message: str, who: Mapping[str, str], headers: Mapping[str, str] | None = None, request_id: str = REQUEST_ID
) -> httpx.Response:
    context = request_context("POST", PATH, PATH, who) | {"requestId": request_id}
    fields = {"content-type": "application/json", "x-amzn-request-context": json.dumps(context), **(headers or {})}
    encoded = [(name.encode(), text.encode()) for name, text in fields.items()]
    transport = httpx.ASGITransport(app=function("chat").app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.post(PATH, content=json.dumps({"message": message}), headers=encoded)


def call_over_mcp(tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool at the MCP door and return the result."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    answer = chat(body, ALICE, path="/mcp", app=function("mcp").app)
    result: dict[str, Any] = answer.json["result"]
    return result


# --- spans


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
    done = subprocess.run([sys.executable, "-c", script], env=variables, capture_output=True, text=True, check=True)
    kind, is_loaded = done.stdout.split()
    assert kind == {"none": "NoneType", "otel": "OpenTelemetryTracer"}[setting]
    assert is_loaded == str(setting == "otel")


# --- log lines


def test_every_line_says_what_it_belongs_to(server: ModelServer, lines: Callable[[], list[dict[str, Any]]]) -> None:
    ask(headers={"x-correlation-id": "order-42"})
    logged = lines()
    assert [line["message"] for line in logged] == ["turn", "request"]
    for line in logged:
        assert (line["request_id"], line["correlation_id"]) == (REQUEST_ID, "order-42")
        assert (line["tenant"], line["route"], line["function_name"]) == ("demo", f"POST {PATH}", "local")
        assert isinstance(line["cold_start"], bool)
        assert (line["level"], line["service"]) == ("INFO", "aisha")
    assert logged[0]["tools"] == ["search_leads", "search_accounts"]
    assert logged[0]["input_tokens"] == 2400
    assert logged[1]["status"] == 200


@pytest.mark.parametrize(
    ("headers", "correlation"),
    [
        ({"x-request-id": "client-7"}, "client-7"),
        ({"traceparent": f"00-{TRACE}-{CALLER}-01"}, TRACE),
        ({"x-correlation-id": "two words\tand {a} 'trick'"}, REQUEST_ID),
        ({"x-correlation-id": "x" * 200}, REQUEST_ID),
        ({"traceparent": f"00-{'0' * 32}-{CALLER}-01"}, REQUEST_ID),
        ({}, REQUEST_ID),
    ],
)
def test_a_client_s_own_id_is_taken_if_it_is_one(
    crm: dict[str, Record], lines: Callable[[], list[dict[str, Any]]], headers: dict[str, str], correlation: str
) -> None:
    proxied = event("crm", "GET", "/api/crm/lead", ALICE)
    proxied["headers"] |= headers
    answer = answer_of(function("crm"), proxied)
    assert answer.headers["x-request-id"] == REQUEST_ID
    (line,) = lines()
    assert (line["request_id"], line["correlation_id"], line["function_request_id"]) == (
        REQUEST_ID,
        correlation,
        REQUEST_ID,
    )


def test_many_requests_at_once_keep_their_lines_apart(
    crm: dict[str, Record], lines: Callable[[], list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    async def all_at_once() -> list[httpx.Response]:
        users = [ALICE, RIVAL] * 8
        return await asyncio.gather(
            *(ask_async("Show me my leads", who, None, f"req-{n}") for n, who in enumerate(users))
        )

    answers = asyncio.run(all_at_once())
    assert {answer.status_code for answer in answers} == {200}
    tenants = {f"req-{n}": ("demo", "rival")[n % 2] for n in range(16)}
    logged = [line for line in lines() if line["message"] in ("turn", "request")]
    assert sorted((line["request_id"], line["message"]) for line in logged) == sorted(
        (request_id, message) for request_id in tenants for message in ("turn", "request")
    )
    assert all(line["tenant"] == tenants[line["request_id"]] for line in logged)
    conversations = {answer.headers["x-request-id"]: answer.json()["conversationId"] for answer in answers}
    turns = {line["request_id"]: line["conversation_id"] for line in logged if line["message"] == "turn"}
    assert turns == conversations
    by_route = [line for line in metrics_in(capsys.readouterr().out) if line.get("route") == f"POST {PATH}"]
    assert {line["request_id"]: line["tenant"] for line in by_route} == tenants
    assert {len(line["TurnLatency"]) for line in by_route} == {1}


def test_a_line_holds_nothing_that_was_said_or_found(
    server: ModelServer, lines: Callable[[], list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    ask()
    written = json.dumps(lines()) + capsys.readouterr().out
    assert "search_leads" in written
    assert not [word for word in CONTENT if word in written]


def test_an_error_is_logged_with_its_place_and_without_its_text(
    world: World, monkeypatch: pytest.MonkeyPatch, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    secret = "the password of Jack is hunter2"

    def fail(*_: Any) -> None:
        try:
            raise ValueError(secret)
        except ValueError as error:
            error.add_note(secret)
            raise RuntimeError(secret) from error

    monkeypatch.setattr(world.records, "search", fail)
    assert call("crm", "GET", "/api/crm/lead", ALICE).status == 500
    (line,) = [line for line in lines() if line["level"] == "ERROR"]
    assert "hunter" not in json.dumps(line)
    assert (line["exception_name"], line["tenant"]) == ("RuntimeError", "demo")
    assert "ValueError" in line["exception"]
    assert "in fail" in line["exception"]


def test_a_tool_that_breaks_is_in_the_log_with_the_place(
    crm: dict[str, Record], world: World, monkeypatch: pytest.MonkeyPatch, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    secret = "Jack's number is 1234"

    def search(*_: Any, **__: Any) -> None:
        raise RuntimeError(secret)

    monkeypatch.setattr(world.records, "search", search)
    assert chat({"message": "Show me my warm leads"}, ALICE).status == 200
    assert call_over_mcp("search_leads", name_contains="Jack")["isError"]
    broken = [line for line in lines() if line["message"] == "tool failed"]
    assert [(line["level"], line["tool"], line["exception_name"]) for line in broken] == [
        ("ERROR", "search_leads", "RuntimeError")
    ] * 2
    assert all("in search" in line["exception"] for line in broken)
    assert "1234" not in json.dumps(broken)


def test_an_expected_error_of_a_tool_is_not_logged_as_an_error(
    crm: dict[str, Record], lines: Callable[[], list[dict[str, Any]]]
) -> None:
    assert call_over_mcp("get_lead", lead_id="lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N")["isError"]
    assert not [line for line in lines() if line["level"] == "ERROR"]


@pytest.fixture
def logging_content(monkeypatch: pytest.MonkeyPatch) -> Settings:
    config = read_settings({"AISHA_LOG_CONTENT": "1"})
    monkeypatch.setattr(logs_module, "settings", lambda: config)
    return config


def test_content_is_logged_where_it_is_switched_on_without_sensitive_fields(
    server: ModelServer, logging_content: Settings, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    secret = '{"name_contains": "Jack", "password": "hunter2"}'
    server.answers[0] = Answer(calls=[("call_1", "search_leads", secret), CALLS[1]])
    ask()
    (content,) = [line for line in lines() if line["message"] == "turn content"]
    assert (content["said"], content["reply"]) == (QUESTION, REPLY)
    assert {"tool": "search_accounts", "arguments": {"name_contains": "ABC"}} in content["calls"]
    assert "hunter2" not in json.dumps(lines())


def test_a_message_of_a_queue_has_its_id_and_tenant_on_its_lines(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    lines: Callable[[], list[dict[str, Any]]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = "Jack's records do not answer"

    def work(message: Mapping[str, Any]) -> None:
        logger.info("working")
        if message["tenant"] == "rival":
            raise UnavailableError(secret)

    worker = function("sweep_worker")
    monkeypatch.setattr(worker, "handle_message", lambda message, _: work(message))
    world.use(work_queue=InProcessWorkQueue({}))
    records = [
        {
            "messageId": f"m-{tenant}",
            "receiptHandle": "r",
            "body": json.dumps({"task": "sweep", "tenant": tenant}),
            "attributes": {"ApproximateReceiveCount": "1"},
            "messageAttributes": {},
            "eventSource": "aws:sqs",
        }
        for tenant in ("demo", "rival")
    ]
    context = LambdaContext("SweepWorkerFunction", 512, "invocation-1", 0)
    answer = worker.handler({"Records": records}, context)
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m-rival"}]}
    logged = lines()
    assert [(line["message_id"], line["tenant"], line["message"]) for line in logged] == [
        ("m-demo", "demo", "working"),
        ("m-rival", "rival", "working"),
        ("m-rival", "rival", "a message of the sweep failed"),
    ]
    assert {(line["function_request_id"], line["route"]) for line in logged} == {("invocation-1", "process sweep")}
    assert "Jack" not in json.dumps(logged)
    by_message = [line for line in metrics_in(capsys.readouterr().out) if line["route"] == "process sweep"]
    assert [(line["tenant"], line["Errors"]) for line in by_message] == [("demo", [0.0]), ("rival", [1.0])]


# --- metrics


def test_a_turn_is_measured_by_step_model_and_tool(server: ModelServer, capsys: pytest.CaptureFixture[str]) -> None:
    ask()
    metrics = metrics_in(capsys.readouterr().out)
    turn, model = measured(metrics, route=f"POST {PATH}"), measured(metrics, provider="openai", model="gpt-6-luna")
    steps = [turn[f"{step}Latency"][0] for step in ("Load", "Enrich", "Prompt", "Models", "Tools", "Conclude", "Save")]
    assert all(spent >= 0 for spent in steps)
    assert 0 < sum(steps) <= turn["TurnLatency"][0] <= turn["Latency"][0]
    assert 0 < turn["TimeToFirstToken"][0] <= turn["TurnLatency"][0]
    assert (turn["Rounds"], turn["Degraded"], turn["TurnFailures"], turn["Errors"]) == ([2.0], [0.0], [0.0], [0.0])
    assert (sum(model["InputTokens"]), sum(model["OutputTokens"])) == (2400, 120)
    assert sum(model["CostUSD"]) > 0
    assert model["ModelErrors"] == [0.0] * 3
    assert measured(metrics, tool="search_leads")["ToolErrors"] == [0.0]
    assert measured(metrics, brainlet="router")["BrainletLatency"][0] <= turn["EnrichLatency"][0]
    for line in metrics:
        (directive,) = line["_aws"]["CloudWatchMetrics"]
        assert directive["Namespace"] == "AiSHA"
        assert directive["Dimensions"][0] == ["service"]
        assert set().union(*directive["Dimensions"]) <= {"service", *DIMENSIONS}
        assert line["tenant"] == "demo", "the tenant is a property, not a dimension"
        assert all(directive_metric["Name"] in line for directive_metric in directive["Metrics"])


def test_failures_of_tools_and_models_are_counted(server: ModelServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.answers[:] = [Answer(calls=[("call_1", "sing", "{}"), ("call_2", "search_leads", "{")]), Answer(REPLY)]
    ask()
    metrics = metrics_in(capsys.readouterr().out)
    assert measured(metrics, tool="unknown")["ToolErrors"] == [1.0], "a name that a model invents is no dimension"
    assert measured(metrics, tool="search_leads")["ToolErrors"] == [1.0]
    server.play = lambda _: Answer(status=401)
    ask("Show me my warm leads")
    metrics = metrics_in(capsys.readouterr().out)
    assert set(measured(metrics, provider="openai", model="gpt-6-luna")["ModelErrors"]) == {1.0}
    assert measured(metrics, route=f"POST {PATH}")["Degraded"] == [1.0]


def test_a_call_over_mcp_is_measured_and_traced(
    crm: dict[str, Record], collected: Collector, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not call_over_mcp("search_leads", name_contains="Jack")["isError"]
    assert call_over_mcp("search_leads", limit="many")["isError"]
    lines = [line for line in metrics_in(capsys.readouterr().out) if line.get("tool") == "search_leads"]
    assert [line["ToolErrors"] for line in lines] == [[0.0], [1.0]]
    assert lines[0]["ToolLatency"][0] > 0
    names = {span.id: span.name for span in collected.spans}
    parents = [names[span.parent] for span in collected.spans if span.name == "execute_tool search_leads"]
    assert parents == ["POST /mcp"] * 2


def test_questions_and_their_answers_are_counted(crm: dict[str, Record], capsys: pytest.CaptureFixture[str]) -> None:
    turn = ask("Delete the lead Jack Russel").json()
    assert turn["status"] == "needs_confirmation"
    assert measured(metrics_in(capsys.readouterr().out), route=f"POST {PATH}")["ConfirmationsAsked"] == [1.0]
    confirmation = turn["confirmation"]["id"]
    call("confirmations", "POST", f"/api/ai/confirmations/{confirmation}", ALICE, '{"decision": "approve"}')
    approved = [line for line in metrics_in(capsys.readouterr().out) if "ConfirmationsApproved" in line]
    assert [line["ConfirmationsApproved"] for line in approved] == [[1.0]]


def test_a_memory_that_is_away_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    memory_search = Brainlet("recall", "", "pre", lambda outputs, turn: None, counts_memory=True)
    log_brainlet_failure(memory_search, UnavailableError("away"))
    counted = [name for line in metrics_in(capsys.readouterr().out) for name in UNITS if name in line]
    assert counted == ["BrainletFailures", "MemoryUnavailable"]


def test_the_document_lists_every_metric_and_dimension() -> None:
    text = ROOT.joinpath("docs", "observability.md").read_text(encoding="utf-8")
    assert not [name for name in (*UNITS, *DIMENSIONS) if f"`{name}`" not in text]
