"""Client secrets of OpenAI's Realtime API, against its documented shapes."""

from datetime import UTC, datetime

import pytest
from openai.types.realtime.client_secret_create_response import ClientSecretCreateResponse

from aisha.adapters.llm.apis.openai_realtime import OpenAIRealtimeSettings, OpenAIVoiceSessions
from aisha.domain.errors import AishaError, DeadlineExceededError, UnavailableError
from aisha.domain.external.voice import VoiceSession
from aisha.domain.tools import ToolSpec
from tests.fakes.models.openai_realtime import KEY, NOW, SECRET, openai_realtime
from tests.fakes.systems.customer_api import CustomerApi, Reply

TOOL = ToolSpec("search_leads", "Find leads.", {"type": "object", "properties": {}}, {}, "leads")
SESSION = VoiceSession("You are AiSHA.", (TOOL,), "marin", 60, "ab" * 32)


def sessions(server: CustomerApi, key: str = KEY, seconds: float = 5.0) -> OpenAIVoiceSessions:
    of = OpenAIRealtimeSettings("gpt-realtime-2.1", "gpt-realtime-whisper", f"{server.url}/v1", seconds)
    return OpenAIVoiceSessions(key, of)


def test_the_documented_request_and_answer() -> None:
    with openai_realtime() as server:
        secret = sessions(server).mint(SESSION)
    (request,) = server.requests
    assert request.body == {
        "expires_after": {"anchor": "created_at", "seconds": 60},
        "session": {
            "type": "realtime",
            "model": "gpt-realtime-2.1",
            "instructions": "You are AiSHA.",
            "audio": {
                "input": {"transcription": {"model": "gpt-realtime-whisper"}},
                "output": {"voice": "marin"},
            },
            "tools": [
                {
                    "type": "function",
                    "name": "search_leads",
                    "description": "Find leads.",
                    "parameters": {"type": "object", "properties": {}},
                }
            ],
            "tool_choice": "auto",
        },
    }
    assert request.headers["openai-safety-identifier"] == "ab" * 32
    assert (secret.value, secret.model, secret.voice) == (SECRET, "gpt-realtime-2.1", "marin")
    assert secret.expires_at == datetime.fromtimestamp(NOW + 60, UTC)
    assert secret.url == f"{server.url}/v1/realtime/calls"


def test_the_fake_answers_in_the_sdks_shape() -> None:
    with openai_realtime() as server:
        sessions(server).mint(SESSION)
        answer = server.answer(server.requests[0])  # type: ignore[operator]
    ClientSecretCreateResponse.model_validate(answer.body)


def test_the_error_of_a_refused_key_does_not_contain_it() -> None:
    with openai_realtime() as server, pytest.raises(UnavailableError, match="refused the key") as raised:
        sessions(server, "sk-wrong").mint(SESSION)
    assert "sk-wrong" not in str(raised.value.members())


def test_a_key_that_can_t_be_read_is_not_blamed_on_openai() -> None:
    def unreadable() -> str:
        raise UnavailableError("Secrets can't be read right now")

    of = OpenAIRealtimeSettings("gpt-realtime-2.1", "gpt-realtime-whisper", "http://127.0.0.1:9/v1")
    with pytest.raises(UnavailableError, match=r"^Secrets can't be read right now"):
        OpenAIVoiceSessions(unreadable, of).mint(SESSION)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply({"error": {}}, 429), UnavailableError),
        (Reply("busy", 500), UnavailableError),
        (Reply({"error": {}}, 400), UnavailableError),
        (Reply("no json"), UnavailableError),
        (Reply({"value": "", "expires_at": 1}), UnavailableError),
        (Reply({"value": "ek_1"}), UnavailableError),
        (Reply({"value": "ek_1", "expires_at": "soon"}), UnavailableError),
        (Reply([]), UnavailableError),
        (Reply(hangs=True), DeadlineExceededError),
    ],
)
def test_an_answer_without_a_secret_is_an_error(reply: Reply, kind: type[AishaError]) -> None:
    with CustomerApi(reply) as server, pytest.raises(kind, match="openai did not answer"):
        sessions(server, seconds=0.3 if reply.hangs else 5).mint(SESSION)
