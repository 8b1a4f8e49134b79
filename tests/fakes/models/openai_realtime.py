"""A fake of OpenAI's POST /v1/realtime/client_secrets on a loopback port, after its reference."""

from typing import Any, get_args

from openai.types.realtime.client_secret_create_params import ClientSecretCreateParams
from openai.types.realtime.realtime_audio_config_output_param import Voice
from pydantic import TypeAdapter, ValidationError

from tests.fakes.systems.customer_api import CustomerApi, Reply, Request

KEY = "sk-standing-key"
NOW = 1_772_442_000
SECRET = "ek_68af296e8e408191a1120ab6383263c2"
_VOICES = get_args(get_args(Voice)[1])
_BODY: TypeAdapter[ClientSecretCreateParams] = TypeAdapter(ClientSecretCreateParams)


def openai_realtime() -> CustomerApi:
    """Return the server, which records its `requests`."""
    return CustomerApi(_answer)


def _answer(request: Request) -> Reply:
    if (request.method, request.path) != ("POST", "/v1/realtime/client_secrets"):
        return _error(404, "Unknown request URL", "unknown_url")
    if request.headers.get("authorization") != f"Bearer {KEY}":
        return _error(401, f"Incorrect API key provided: {request.headers.get('authorization')}", "invalid_api_key")
    if (problem := _find_problem(request.body)) is not None:
        return _error(400, problem, "invalid_request_error")
    session = {
        "id": "sess_C9CiUVUzUzYIssh3ELY1d",
        "object": "realtime.session",
        "expires_at": 0,
        "output_modalities": ["audio"],
        "turn_detection": None,
        **request.body["session"],
    }
    seconds = request.body["expires_after"]["seconds"]
    return Reply({"value": SECRET, "expires_at": NOW + seconds, "session": session})


def _find_problem(body: Any) -> str | None:
    try:
        _BODY.validate_python(body)
    except ValidationError as error:
        return str(error)
    session = body["session"]
    if not 10 <= body["expires_after"]["seconds"] <= 7200:
        return "expires_after.seconds: between 10 and 7200"
    if session["audio"]["output"]["voice"] not in _VOICES:
        return "session.audio.output.voice: not a voice"
    if any(set(tool) != {"type", "name", "description", "parameters"} for tool in session["tools"]):
        return "session.tools: not in the form of this API"
    return None


def _error(status: int, message: str, code: str) -> Reply:
    return Reply({"error": {"message": message, "type": code, "param": None, "code": code}}, status=status)
