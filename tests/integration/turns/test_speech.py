"""The speech function behind its adapter: streamed audio, its cache, and errors."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import pytest

from aisha.application.models.budget import NANO
from aisha.domain.entries import PROFILE
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import REQUEST_ID, Answer, assert_problem, function, request_context
from tests.fakes.models.elevenlabs import KEY, VOICES, ElevenLabs
from tests.fakes.world import ALICE, World

PATH = "/api/ai/speech"
type Speak = Callable[..., Answer]


def post(body: Mapping[str, Any] | str, caller: Mapping[str, str] | None = ALICE) -> tuple[Answer, bytes]:
    content = body if isinstance(body, str) else json.dumps(body)
    context = json.dumps(request_context("POST", PATH, PATH, caller), ensure_ascii=False)
    headers = {b"content-type": b"application/json", b"x-amzn-request-context": context.encode()}

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app=function("speech").app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post(PATH, content=content, headers=list(headers.items()))

    response = asyncio.run(send())
    text = response.content.decode("utf-8", "replace")
    return Answer(response.status_code, {k.lower(): v for k, v in response.headers.items()}, text), response.content


@pytest.fixture
def provider(world: World) -> Iterator[ElevenLabs]:
    """ElevenLabs on a loopback port, and functions that have its key."""
    with ElevenLabs() as server:
        environment = {"ELEVENLABS_API_KEY": KEY, "AISHA_ELEVENLABS_BASE_URL": server.url, "AISHA_SPEECH_SECONDS": "2"}
        world.use(settings=read_settings(environment))
        yield server


def test_a_text_is_audio(provider: ElevenLabs) -> None:
    answer, audio = post({"text": "You have 3 meetings today."})
    assert (answer.status, audio) == (200, provider.audio)
    assert answer.headers["content-type"] == "audio/mpeg"
    assert answer.headers["x-request-id"] == REQUEST_ID
    assert answer.headers["cache-control"] == "no-store"
    assert provider.requests[0]["body"]["text"] == "You have 3 meetings today."


def test_markdown_is_spoken_as_sentences_and_english_amounts_as_words(provider: ElevenLabs) -> None:
    post({"text": "# Umsatz\n\n- **$12,500** am 2026-03-02"})
    assert provider.requests[0]["body"]["text"] == "Umsatz. $12,500 am 2026-03-02."
    post({"text": "$12,500", "locale": "en-US"})
    assert provider.requests[1]["body"]["text"] == "12,500 dollars."


def test_speech_costs_the_tenant_its_characters_once(provider: ElevenLabs, world: World) -> None:
    text = "You have 3 meetings today."
    for _ in range(2):
        assert post({"text": text})[0].status == 200
    assert spent(world) == pytest.approx(len(text) * 0.1 / 1000)


def test_without_money_nothing_is_spoken(provider: ElevenLabs, world: World) -> None:
    world.entries.put("demo", None, PROFILE, PROFILE, {"plan": "standard", "limits": {"budget_usd": 0}})
    assert_problem(post({"text": "You have 3 meetings today."})[0], 402, "budget_exceeded")
    assert provider.requests == []


def test_what_the_provider_refuses_costs_nothing(provider: ElevenLabs, world: World) -> None:
    assert post({"text": "Hello.", "voiceId": "nobody"})[0].status == 422
    assert spent(world) == 0


def spent(world: World) -> float:
    """Return what the tenant has spent in this month, in USD."""
    return float(world.ledger.spent("demo", f"{world.clock.now():%Y-%m}")) / NANO


def test_the_voices_provider_gets_no_number_of_a_card(provider: ElevenLabs) -> None:
    post({"text": "He paid with 4111 1111 1111 1111."})
    assert "4111" not in provider.requests[0]["body"]["text"]
    assert "1111" in provider.requests[0]["body"]["text"]


def test_a_long_text_is_spoken_completely(provider: ElevenLabs) -> None:
    text = "This sentence has five words. " * 30
    post({"text": text})
    assert provider.requests[0]["body"]["text"] == text.strip()


def test_audio_is_cached_by_text_and_voice(provider: ElevenLabs) -> None:
    audios = [post({"text": "Hello."})[1] for _ in range(2)]
    assert audios == [provider.audio] * 2
    assert len(provider.requests) == 1
    post({"text": "Hello.", "voiceId": VOICES[1]})
    assert provider.requests[1]["voice"] == VOICES[1]


def test_without_a_key_the_problem_suggests_the_browsers_voice(world: World) -> None:
    body = assert_problem(post({"text": "Hello."})[0], 501, "speech_unavailable")
    assert "browser" in body["suggestion"]


def test_a_refused_key_is_like_no_key_for_the_client(provider: ElevenLabs) -> None:
    provider.status = 401
    answer, _ = post({"text": "Hello."})
    assert_problem(answer, 501, "speech_unavailable")
    assert KEY not in answer.text


def test_a_failing_provider_is_a_problem(provider: ElevenLabs) -> None:
    provider.status = 500
    assert_problem(post({"text": "Hello."})[0], 503, "unavailable")
    provider.status, provider.hangs = 200, True
    assert_problem(post({"text": "Hello."})[0], 504, "deadline_exceeded")


def test_audio_that_breaks_off_breaks_the_connection(provider: ElevenLabs) -> None:
    provider.cut_after = 1
    with pytest.raises(Exception, match="broke off"):
        post({"text": "Hello."})


@pytest.mark.parametrize(
    ("body", "status", "code", "pointer"),
    [
        ({}, 422, "invalid_input", "/text"),
        ({"text": " \n"}, 422, "invalid_input", "/text"),
        ({"text": 5}, 422, "invalid_input", "/text"),
        ({"text": "🎉"}, 422, "invalid_input", "/text"),
        ({"text": "x" * 5001}, 422, "invalid_input", "/text"),
        ({"text": "Hi", "voiceId": "../x"}, 422, "invalid_input", "/voiceId"),
        ({"text": "Hi", "voiceId": "nobody"}, 422, "invalid_input", "/voiceId"),
        ({"text": "Hi", "locale": "??"}, 422, "invalid_input", "/locale"),
        ("[]", 422, "invalid_input", ""),
        ("{", 400, "malformed_request", None),
        ("x" * 300_000, 413, "payload_too_large", None),
    ],
)
def test_an_invalid_text_is_refused(
    provider: ElevenLabs, body: Mapping[str, Any] | str, status: int, code: str, pointer: str | None
) -> None:
    assert_problem(post(body)[0], status, code, pointer)


def test_the_problem_names_the_text_that_is_too_long(provider: ElevenLabs) -> None:
    problem = assert_problem(post({"text": "x" * 5001})[0], 422, "invalid_input", "/text")
    assert problem["message"].startswith("The text has 5001 characters")


def test_a_request_without_a_principal_is_unauthenticated(provider: ElevenLabs) -> None:
    assert_problem(post({"text": "Hello."}, None)[0], 401, "unauthenticated")
    assert provider.requests == []
