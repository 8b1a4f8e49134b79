"""Log lines, metrics and spans of a request, which must not contain what users and records say."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest

from aisha.adapters.queue.in_process import InProcessWorkQueue
from aisha.application.turn.brainlets.spec import Brainlet
from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from aisha.observability import log_brainlet_failure, logger
from aisha.observability import logs as logs_module
from aisha.observability.metrics import DIMENSIONS, UNITS
from aisha.settings import Settings, read_settings
from infra.local.server.lambda_events import LambdaContext
from tests.fakes.aws.api_gateway import REQUEST_ID, ROOT, answer_of, call, chat, event, function
from tests.fakes.collectors import Collector
from tests.fakes.models.model_server import Answer, ModelServer
from tests.fakes.world import ALICE, RIVAL, World
from tests.support.observed_turns import CALLER, CALLS, CONTENT, PATH, QUESTION, REPLY, TRACE, ask, ask_async


def metrics_in(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if '"_aws"' in line]


def measured(metrics: list[dict[str, Any]], **dimensions: str) -> dict[str, Any]:
    """Return the only line of metrics with exactly these dimensions."""
    (match,) = [line for line in metrics if {name: line[name] for name in DIMENSIONS if name in line} == dimensions]
    return match


def call_over_mcp(tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool at the MCP door and return the result."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    answer = chat(body, ALICE, path="/mcp", app=function("mcp").app)
    result: dict[str, Any] = answer.json["result"]
    return result


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
            *(ask_async("Show me my leads", user, None, f"req-{n}") for n, user in enumerate(users))
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
    failures = [line for line in lines() if line["message"] == "tool failed"]
    assert [(line["level"], line["tool"], line["exception_name"]) for line in failures] == [
        ("ERROR", "search_leads", "RuntimeError")
    ] * 2
    assert all("in search" in line["exception"] for line in failures)
    assert "1234" not in json.dumps(failures)


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
