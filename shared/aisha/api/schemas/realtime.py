"""Spoken conversations as the API takes and shows them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from aisha.api.schemas.chat import CamelModel, ConfirmationJson
from aisha.application.voice.calls import VoiceAnswer
from aisha.application.voice.session import OpenedSession
from aisha.renderers.json_response import confirmation_json

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
CALL_BODY_EXAMPLE = {
    "sessionId": SESSION_EXAMPLE["sessionId"],
    "callId": "call_7gWb4f2Kq",
    "name": "search_leads",
    "arguments": '{"status": "warm"}',
    "userTranscript": "Show me my warm leads",
    "userItemId": "item_CrS2yvzyGoQpyhbqC4u5s",
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


def session_json(opened: OpenedSession) -> RealtimeJson:
    """Return an opened session with its client secret."""
    secret = opened.secret
    return RealtimeJson(
        session_id=opened.id,
        conversation_id=opened.conversation_id,
        client_secret=ClientSecretJson(value=secret.value, expires_at=secret.expires_at),
        model=secret.model,
        voice=secret.voice,
        url=secret.url,
        expires_at=opened.ends_at,
        tools=list(opened.tools),
    )


def tool_call_json(done: VoiceAnswer) -> RealtimeCallJson:
    """Return what came of a tool call."""
    fields = {name: getattr(done, name) for name in RealtimeCallJson.model_fields if name != "confirmation"}
    confirmation = ConfirmationJson.model_validate(confirmation_json(done.pending)) if done.pending else None
    return RealtimeCallJson.model_validate(fields | {"confirmation": confirmation})
