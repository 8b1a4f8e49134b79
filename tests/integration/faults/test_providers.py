"""Whole turns over every provider's SDK, against servers that speak their protocols, well and badly."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.llm.planner.planner import OfflinePlanner
from aisha.domain.crm.records import Record
from aisha.domain.entries import PROFILE
from infra.local.checks import live
from tests.fakes.aws.api_gateway import assert_problem, chat
from tests.fakes.models.model_server import Answer, ModelServer, by_round
from tests.fakes.world import ALICE, RIVAL, World
from tests.support.providers import ANSWERS, CALLS, KEYS, MODELS, QUESTION, REPLY, SHORT, Providers, ask, turn_requests

pytestmark = pytest.mark.slow


@pytest.fixture
def providers(
    crm: dict[str, Record], world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Providers]:
    # The function's role, for Bedrock.
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDLOCAL")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    with closing(Providers(tmp_path, world)) as servers:
        yield servers


def ask_streamed() -> list[dict[str, Any]]:
    """Ask the question as a UI client and return the parts of the stream."""
    message = {"id": "m1", "role": "user", "parts": [{"type": "text", "text": QUESTION}]}
    answer = chat({"id": "ui-chat-1", "messages": [message], "trigger": "submit-message"}, ALICE)
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def streamed_text(parts: Sequence[dict[str, Any]]) -> str:
    return "".join(part["delta"] for part in parts if part["type"] == "text-delta")


# --- the same conversation with each


@pytest.mark.parametrize("provider", KEYS)
def test_a_turn_with_parallel_calls_as_json(providers: Providers, provider: str) -> None:
    server = providers.serve(provider, *ANSWERS)
    providers.use()
    body = ask()
    assert body["response"] == REPLY
    assert [(call["name"], call["status"]) for call in body["toolCalls"]] == [
        ("search_leads", "executed"),
        ("search_accounts", "executed"),
    ]
    assert (body["provider"], body["degraded"], body["iterations"]) == (provider, False, 2)
    assert (body["usage"]["inputTokens"], body["usage"]["outputTokens"]) == (2400, 120)
    assert (body["usage"]["costUsd"] > 0) == (provider != "ollama")
    assert [request["model"] for request in turn_requests(server)] == [MODELS[provider]] * 2
    assert "ABC Corp" in json.dumps(turn_requests(server)[1]["messages"]), "the model gets the tools' results"


@pytest.mark.parametrize("provider", KEYS)
def test_a_turn_with_parallel_calls_as_a_stream(providers: Providers, provider: str) -> None:
    providers.serve(provider, *ANSWERS)
    providers.use()
    parts = ask_streamed()
    assert streamed_text(parts) == REPLY
    assert len([part for part in parts if part["type"] == "text-delta"]) > 1
    assert len([part for part in parts if part["type"] == "tool-output-available"]) == 2
    assert not [part for part in parts if part["type"] == "error"]


@pytest.mark.slow
def test_the_live_check_passes_with_every_provider(providers: Providers, capsys: pytest.CaptureFixture[str]) -> None:
    calls = [(f"call_{number}", name, "{}") for number, name in enumerate(live.RESULTS)]
    answers = [Answer(calls=calls), Answer("He works for ABC Corp, which is in shipbuilding.")]
    for provider in KEYS:
        providers.serve(provider, play=by_round_or_json(answers))
    assert live.main(providers.environment()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ok, called search_leads, search_accounts;")[0] for line in lines] == [
        *(f"{provider}:{model}" for provider, model in MODELS.items() if provider != "ollama"),
        "bedrock:global.amazon.nova-2-lite-v1:0",
        f"ollama:{MODELS['ollama']}",
    ]


def by_round_or_json(answers: Sequence[Answer]) -> Callable[[dict[str, Any]], Answer]:
    """Play the answers to requests with tools; the live check asks for JSON in the others."""
    play = by_round(answers)
    return lambda body: play(body) if "tools" in body or "toolConfig" in body else Answer('{"company": "ABC Corp"}')


def test_the_live_check_names_missing_keys_and_failures(
    providers: Providers, capsys: pytest.CaptureFixture[str]
) -> None:
    assert live.main({}) == 1
    assert capsys.readouterr().out.splitlines() == [f"{name}: not asked, set {KEYS[name]}" for name in sorted(KEYS)]
    providers.serve("openai", play=lambda body: Answer("{}" if "response_format" in body else "I don't know."))
    providers.serve("groq", play=lambda _: Answer(status=401))
    assert live.main(providers.environment()) == 1
    output = capsys.readouterr().out
    assert "openai:gpt-6-luna: FAILED, it called no tool" in output
    assert "groq:openai/gpt-oss-120b: FAILED, groq did not answer: its key was refused" in output


# --- by name


def test_a_request_may_name_its_provider_and_model(providers: Providers) -> None:
    for provider in ("openai", "anthropic", "groq"):
        providers.serve(provider, *[Answer("Hello.")] * 9)
    providers.use()
    assert ask(provider="anthropic")["provider"] == "anthropic"
    assert ask(model="openai/gpt-oss-120b")["provider"] == "groq"
    assert ask(provider="offline", message="Show me my warm leads")["provider"] == "offline"
    assert ask()["provider"] == "openai"


@pytest.mark.parametrize(
    ("named", "pointer"),
    [({"provider": "gemini"}, "/provider"), ({"model": "gpt-2"}, "/model"), ({"provider": "x"}, "/provider")],
)
def test_a_name_that_is_not_set_up_is_refused_clearly(
    providers: Providers, named: dict[str, str], pointer: str
) -> None:
    server = providers.serve("openai")
    providers.use()
    problem = assert_problem(chat({"message": QUESTION, **named}, ALICE), 422, "invalid_input", pointer)
    assert f"openai:gpt-6-luna, offline:{OfflinePlanner.model}" in problem["message"]
    assert turn_requests(server) == []


def test_a_tenant_has_its_own_provider(providers: Providers) -> None:
    openai, groq = (providers.serve(name, *[Answer("Hello.")] * 2) for name in ("openai", "groq"))
    providers.use(LLM_PROVIDER__TENANT_RIVAL="groq")
    assert chat({"message": "Hi"}, RIVAL).json["provider"] == "groq"
    assert chat({"message": "Hi"}, ALICE).json["provider"] == "openai"
    assert (len(turn_requests(openai)), len(turn_requests(groq))) == (1, 1)


def test_a_tenant_s_record_names_its_provider(world: World, providers: Providers) -> None:
    openai, groq = (providers.serve(name, *[Answer("Hello.")] * 2) for name in ("openai", "groq"))
    providers.use()
    world.entries.put("rival", None, PROFILE, PROFILE, {"provider": "groq"})
    assert chat({"message": "Hi"}, RIVAL).json["provider"] == "groq"
    assert chat({"message": "Hi"}, ALICE).json["provider"] == "openai"
    assert (len(turn_requests(openai)), len(turn_requests(groq))) == (1, 1)


def test_a_tenant_s_data_goes_to_no_other_provider_than_its_record_says(world: World, providers: Providers) -> None:
    openai = providers.serve("openai", Answer("Hello."))
    providers.use()
    world.entries.put("rival", None, PROFILE, PROFILE, {"provider": "anthropic"})
    answer = chat({"message": "Hi"}, RIVAL).json
    assert (answer["provider"], answer["degraded"]) == ("offline", True)
    assert any("anthropic is your organization's model provider" in warning for warning in answer["warnings"])
    assert openai.requests == []


def test_the_same_question_is_answered_from_the_cache_where_one_is_set_up(providers: Providers) -> None:
    server = providers.serve("openai", *ANSWERS, Answer("Asked again."))
    providers.use(AISHA_RESPONSE_CACHE_SECONDS="3600")
    first, second = ask(), ask()
    assert first["response"] == second["response"] == REPLY
    assert [call["status"] for call in second["toolCalls"]] == ["executed", "executed"], "tools run anew"
    assert second["usage"]["outputTokens"] == 0
    assert len(turn_requests(server)) == 2


def test_without_a_cache_the_same_question_is_asked_again(providers: Providers) -> None:
    server = providers.serve("openai", *ANSWERS, Answer("Asked again."))
    providers.use()
    assert (ask()["response"], ask()["response"]) == (REPLY, "Asked again.")
    assert len(turn_requests(server)) == 3


# --- faults 1 to 10, with OpenAI and with Anthropic as the first of the chain

FIRST = pytest.mark.parametrize("first", ["openai", "anthropic"])
FAILS = pytest.mark.parametrize(
    ("answers", "reason", "tries"),
    [
        ([Answer(status=429, headers={"Retry-After": "60"})], "it limits our rate", 1),
        ([Answer(status=503)] * 2, "it is out of order", 2),
        ([Answer("Never shown", raw=b"data: [1]\n\n")], "its answer could not be understood", 1),
        ([Answer(calls=CALLS, cut_after=6)], "the connection failed", 1),
        ([Answer(calls=CALLS, cut_after=6, resets=True)], "the connection failed", 1),
        (
            [Answer(raw=b'event: error\ndata: {"type": "error", "error": {"message": "secret"}}\n\n')],
            "it reported an error",
            1,
        ),
    ],
    ids=["limited for long", "out of order", "nonsense", "cut", "reset", "error event"],
)
TIMES_OUT = pytest.mark.parametrize(
    "answer",
    [
        Answer(hang_after=-1),
        Answer(calls=CALLS, hang_after=6),
        Answer(calls=(("call_1", "search_leads", "1" * 900),), characters=1, pause=0.01),
        Answer(raw=b": ping\n\n" * 900, trickle=8, pause=0.01),
    ],
    ids=["hangs before bytes", "half open", "calls that drip", "pings"],
)


def serve_chain(
    providers: Providers, first: str, *answers: Answer, seconds: float = 20.0
) -> tuple[ModelServer, ModelServer]:
    """Serve these answers by the first provider, and good ones by Groq, the next of the chain."""
    servers = providers.serve(first, *answers), providers.serve("groq", *[SHORT] * 3)
    providers.use(AISHA_TURN_SECONDS=str(seconds))
    return servers


@FIRST
def test_a_short_rate_limit_is_waited_for(providers: Providers, first: str) -> None:
    limited, second = serve_chain(
        providers, first, Answer(status=429, headers={"Retry-After": "0.05"}), Answer("Hello.")
    )
    body = ask()
    assert (body["response"], body["provider"], body["degraded"]) == ("Hello.", first, False)
    assert (len(turn_requests(limited)), len(turn_requests(second))) == (2, 0)


@FIRST
@FAILS
def test_the_next_answers_when_no_text_was_streamed_yet(
    providers: Providers, first: str, answers: list[Answer], reason: str, tries: int
) -> None:
    failing, second = serve_chain(providers, first, *answers)
    start = time.monotonic()
    body = ask()
    assert time.monotonic() - start < 10
    assert (body["response"], body["provider"], body["degraded"]) == (SHORT.text, "groq", True)
    assert body["warnings"] == [f"{first} did not answer: {reason}{body['warnings'][0].partition(reason)[2]}"]
    assert body["warnings"][0].endswith("; groq answered instead.")
    assert "secret" not in json.dumps(body)
    assert (len(turn_requests(failing)), len(turn_requests(second))) == (tries, 1)
    assert body["toolCalls"] == [], "no tool runs from an answer that was cut"


@FIRST
@FAILS
def test_the_next_answers_in_a_stream_too(
    providers: Providers, first: str, answers: list[Answer], reason: str, tries: int
) -> None:
    failing, second = serve_chain(providers, first, *answers)
    parts = ask_streamed()
    assert (streamed_text(parts), parts[-1]["type"]) == (SHORT.text, "finish")
    assert reason in json.dumps(parts)
    assert (len(turn_requests(failing)), len(turn_requests(second))) == (tries, 1)
    assert not [part for part in parts if part["type"].startswith("tool-")]


@FIRST
@TIMES_OUT
def test_a_slow_provider_is_given_up_while_there_is_time_for_the_next(
    providers: Providers, first: str, answer: Answer
) -> None:
    serve_chain(providers, first, answer, seconds=5)
    import_clients(providers, first)
    start = time.monotonic()
    body = ask()
    assert time.monotonic() - start < 5
    assert (body["response"], body["degraded"], body["toolCalls"]) == (SHORT.text, True, [])
    assert "it took too long" in body["warnings"][0]


@FIRST
@TIMES_OUT
def test_a_slow_provider_is_given_up_in_a_stream_too(providers: Providers, first: str, answer: Answer) -> None:
    serve_chain(providers, first, answer, seconds=5)
    import_clients(providers, first)
    start = time.monotonic()
    parts = ask_streamed()
    assert time.monotonic() - start < 5
    assert (streamed_text(parts), parts[-1]["type"]) == (SHORT.text, "finish")
    assert not [part for part in parts if part["type"].startswith("tool-")]


@pytest.mark.parametrize(
    "answer", [Answer(REPLY, cut_after=6), Answer(REPLY, cut_after=6, resets=True)], ids=["cut", "reset"]
)
def test_without_a_stream_the_next_answers_after_a_broken_text(providers: Providers, answer: Answer) -> None:
    serve_chain(providers, "openai", answer)
    body = ask()
    assert (body["response"], body["provider"], body["degraded"]) == (SHORT.text, "groq", True)


def import_clients(providers: Providers, first: str) -> None:
    """Import the clients of a chain, which a test that measures time must not include."""
    for link in providers.world.services.model_chains.chain("chat_tools"):
        if link.provider in (first, "groq"):
            link.chat()


@FIRST
def test_a_closed_port_is_a_failed_connection(providers: Providers, first: str) -> None:
    server, _ = serve_chain(providers, first)
    server.__exit__(None, None, None)
    body = ask()
    assert (body["response"], body["degraded"]) == (SHORT.text, True)
    assert "the connection failed" in body["warnings"][0]


@FIRST
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer("Jack Russel works for " * 9, cut_after=12), "the connection failed"),
        (Answer("Jack Russel works for " * 9, hang_after=12), "it took too long"),
        (Answer("Jack Russel works for " * 90, characters=1, pause=0.01), "ran out of time"),
    ],
    ids=["cut", "half open", "drips"],
)
def test_after_streamed_text_the_turn_ends_with_an_error_and_the_next_is_not_asked(
    providers: Providers, first: str, answer: Answer, reason: str
) -> None:
    _, second = serve_chain(providers, first, answer, seconds=2)
    import_clients(providers, first)
    parts = ask_streamed()
    assert streamed_text(parts).startswith("Jack Russel")
    (error,) = [part for part in parts if part["type"] == "error"]
    assert reason in error["errorText"]
    assert turn_requests(second) == []


def test_when_all_are_down_the_planner_answers_and_says_so(providers: Providers) -> None:
    for provider in KEYS:
        providers.serve(provider, play=lambda _: Answer(status=401))
    providers.use()
    body = ask(message="Show me my warm leads")
    assert "Jack Russel" in body["response"]
    assert (body["provider"], body["degraded"]) == ("offline", True)
    assert [warning.partition(" ")[0] for warning in body["warnings"]] == list(KEYS)


def test_a_provider_that_keeps_failing_is_not_asked(providers: Providers) -> None:
    failing, second = serve_chain(providers, "anthropic", *[Answer(status=401)] * 5)
    second.answers += [SHORT] * 3
    replies = [ask() for _ in range(5)]
    assert len(turn_requests(failing)) == 3
    assert "anthropic was not asked: it failed 3 times in a row" in replies[-1]["warnings"][0]


@FIRST
@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ([("call_1", "search_leads", '{"name_contains": "Ja')], "JSON"),
        ([("call_1", "sing", "{}")], "sing"),
        ([(f"call_{number}", "search_leads", "{}") for number in range(64)], "at most 16"),
    ],
    ids=["malformed", "unknown", "64 calls"],
)
def test_calls_that_cannot_run_are_answered_to_the_model(
    providers: Providers, first: str, calls: list[tuple[str, str, str]], message: str
) -> None:
    server, _ = serve_chain(providers, first, Answer(calls=calls), Answer("I could not look that up."))
    body = ask()
    assert body["response"] == "I could not look that up."
    assert {call["status"] for call in body["toolCalls"]} <= {"failed", "rejected", "not_found"}
    # OpenAI takes a message for each result, Anthropic one with all of them.
    results = json.dumps(turn_requests(server)[1]["messages"][-len(calls) if first == "openai" else -1 :])
    assert message in results
    assert results.count("call_") >= len(calls), "each call has its answer"


# --- when the client of a provider is loaded


def test_a_provider_s_client_is_loaded_when_it_is_first_asked() -> None:
    script = (
        "import sys\n"
        "from aisha.bootstrap import Services\n"
        "from aisha.settings import read_settings\n"
        "services = Services(settings=read_settings({'OPENAI_API_KEY': 'k', 'ANTHROPIC_API_KEY': 'k'}))\n"
        "print(services.model_name)\n"
        "services.chat_model\n"
        "print(sorted({'openai', 'anthropic', 'httpx2'} & sys.modules.keys()))\n"
        "services.model_chains.chain('chat_tools')[0].chat().stream(None)\n"
        "print(sorted({'openai', 'anthropic', 'httpx2'} & sys.modules.keys()))\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONPATH": "shared"}
    )
    assert process.stdout.splitlines() == ["openai:gpt-6-luna", "[]", "['httpx2']"]
