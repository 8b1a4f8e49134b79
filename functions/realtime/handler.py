"""GET /api/ai/realtime opens a spoken conversation, POST /api/ai/realtime/tools runs one tool call of it."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from pydantic import ConfigDict, Field

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.application.voice.calls import VoiceCall, relay_call
from aisha.application.voice.session import open_voice_session
from aisha.domain.errors import RealtimeUnavailableError
from aisha.renderers.chat_response import CamelModel, ConfirmationJson
from aisha.renderers.json_response import confirmation_json
from aisha.settings import settings

Voice = Literal["alloy", "ash", "ballad", "cedar", "coral", "echo", "marin", "sage", "shimmer", "verse"]
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]


class RealtimeQuery(CamelModel):
    """How the conversation is opened."""

    model_config = ConfigDict(extra="ignore")

    conversation_id: Identifier | None = Field(
        default=None, alias="conversationId", description="Goes on with this conversation; without it a new one begins."
    )
    voice: Voice | None = Field(default=None, description="OpenAI's name of a voice; without it the usual one.")


class ClientSecretJson(CamelModel):
    """Opens the session at the provider until `expires_at`. It is no key of this deployment's."""

    value: str
    expires_at: datetime


class RealtimeJson(CamelModel):
    """An opened session. Send the WebRTC offer to `url` with the client secret as the bearer token.

    Tools are called with `session_id` until `expires_at`.
    """

    session_id: str
    conversation_id: str
    client_secret: ClientSecretJson
    model: str
    voice: str
    url: str
    expires_at: datetime
    tools: list[str]


class RealtimeCallBody(CamelModel):
    """A function call of the model as the client got it, with what the user said last."""

    model_config = ConfigDict(strict=True)

    session_id: Identifier
    call_id: Identifier = Field(description="The model's `call_id`. The same one again runs nothing twice.")
    name: str = Field(min_length=1, max_length=128)
    arguments: str | dict[str, Any] = Field(default="{}", description="The model's JSON text, or the object in it.")
    user_transcript: str | None = Field(
        default=None, max_length=8000, description="The transcript of what the user said last."
    )
    user_item_id: Identifier | None = Field(
        default=None,
        description="The `item_id` of that transcript. Words decide about a waiting call only once: without the id, the "
        "same words a second time decide nothing.",
    )


class RealtimeCallJson(CamelModel):
    """What came of the call. Send `output` to the model as the `function_call_output`.

    `needs_confirmation`: the call waits for the user's yes, in `confirmation`. `confirmed` and `cancelled`: what the user
    said decided about the call that waited. `replayed`: this call was answered before.
    """

    session_id: str
    call_id: str
    conversation_id: str
    status: Literal["executed", "failed", "rejected", "not_found", "needs_confirmation", "confirmed", "cancelled"]
    output: str
    say: str
    confirmation: ConfirmationJson | None = None
    error: dict[str, Any] | None = None
    replayed: bool = False


SESSION_EXAMPLE = {
    "sessionId": "realtime_session_01JD3Q9A7C5E3G1J9K7M5N3P1Q",
    "conversationId": "conv_01JD3Q9B8D6F4H2J0K8M6N4P2R",
    "clientSecret": {"value": "ek_68af296e8e408191a1120ab6383263c2", "expiresAt": "2026-03-02T09:01:00Z"},
    "model": "gpt-realtime-2.1",
    "voice": "marin",
    "url": "https://api.openai.com/v1/realtime/calls",
    "expiresAt": "2026-03-02T10:00:00Z",
    "tools": ["search_leads", "create_activity"],
}
CALL_EXAMPLE = {
    "sessionId": SESSION_EXAMPLE["sessionId"],
    "callId": "call_7gWb4f2Kq",
    "conversationId": SESSION_EXAMPLE["conversationId"],
    "status": "executed",
    "output": '{"items":[],"total":0}',
    "say": "Found 0.",
    "replayed": False,
}
app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/realtime",
        "openRealtimeSession",
        summary="Open a spoken conversation",
        description="Gives a client secret of OpenAI's Realtime API, with the assistant's instructions and the tools that "
        "the user may use. It expires after a minute, unless the deployment says otherwise; a conversation that was "
        "opened with it goes on. Without a key for it the answer is a problem with the code `realtime_unavailable`.",
        query=RealtimeQuery,
        response=RealtimeJson,
        errors=(402, 404, 422, 501, 503, 504),
        limited=True,
        example=SESSION_EXAMPLE,
    )
)
def open_session() -> Response[str]:
    principal, query, config = app.principal(), app.query(RealtimeQuery), settings()
    if (sessions := bootstrap.voice_sessions()) is None:
        raise RealtimeUnavailableError(
            "No realtime voice is set up here.", suggestion="Use speech and chat, or set OPENAI_API_KEY."
        )
    # The client talks to the provider itself: nobody here can set aside what that will cost.
    bootstrap.budgets().check(principal.tenant)
    opened = open_voice_session(
        principal,
        bootstrap.turn_dependencies(),
        sessions,
        voice=query.voice or config.realtime_voice,
        secret_seconds=config.realtime_secret_seconds,
        session_seconds=config.realtime_session_seconds,
        conversation_id=query.conversation_id,
    )
    secret = opened.secret
    return answer(
        RealtimeJson(
            session_id=opened.id,
            conversation_id=opened.conversation_id,
            client_secret=ClientSecretJson(value=secret.value, expires_at=secret.expires_at),
            model=secret.model,
            voice=secret.voice,
            url=secret.url,
            expires_at=opened.ends_at,
            tools=list(opened.tools),
        )
    )


@app.operation(
    Operation(
        "POST",
        "/api/ai/realtime/tools",
        "callRealtimeTool",
        summary="Run a tool call of a spoken conversation",
        description="Runs a function call of the realtime model with the rights of the token's user. A call that is hard to "
        "undo, and one that the user did not ask for, waits for the user: for the confirmation endpoint, or for a yes "
        "or no in the `userTranscript` of the next call. A model's arguments never confirm anything.",
        body=RealtimeCallBody,
        response=RealtimeCallJson,
        errors=(404, 409, 410, 503, 504),
        limited=True,
        idempotent=True,
        body_example={
            "sessionId": SESSION_EXAMPLE["sessionId"],
            "callId": "call_7gWb4f2Kq",
            "name": "search_leads",
            "arguments": '{"status": "warm"}',
            "userTranscript": "Show me my warm leads",
            "userItemId": "item_CrS2yvzyGoQpyhbqC4u5s",
        },
        example=CALL_EXAMPLE,
    )
)
def call_tool() -> Response[str]:
    principal, body = app.principal(), app.body(RealtimeCallBody)
    given = body.arguments
    call = VoiceCall(
        session_id=body.session_id,
        call_id=body.call_id,
        name=body.name,
        arguments=given if isinstance(given, str) else json.dumps(given, ensure_ascii=False),
        transcript=body.user_transcript,
        utterance=body.user_item_id,
    )
    done = relay_call(call, principal, bootstrap.turn_dependencies())
    confirmation = ConfirmationJson.model_validate(confirmation_json(done.pending)) if done.pending else None
    return answer(
        RealtimeCallJson.model_validate(
            {
                "session_id": done.session_id,
                "call_id": done.call_id,
                "conversation_id": done.conversation_id,
                "status": done.status,
                "output": done.output,
                "say": done.say,
                "confirmation": confirmation,
                "error": done.error,
                "replayed": done.replayed,
            }
        )
    )


handler = rest_handler(app)
