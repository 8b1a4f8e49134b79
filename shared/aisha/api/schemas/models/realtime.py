"""Schemas of spoken conversations."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.api.schemas.conversations.chat import ConfirmationJson
from aisha.application.voice.calls import VoiceAnswer
from aisha.application.voice.session import OpenedSession
from aisha.renderers.json_response import confirmation_json

Voice = Literal["alloy", "ash", "ballad", "cedar", "coral", "echo", "marin", "sage", "shimmer", "verse"]
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,128}$")]


class RealtimeQuery(CamelModel):
    """Options of a new session."""

    conversation_id: Identifier | None = Field(
        default=None, alias="conversationId", description="The conversation to continue. Default: a new one."
    )
    voice: Voice | None = Field(default=None, description="OpenAI's name of a voice. Default: that of the deployment.")


class ClientSecretJson(CamelModel):
    """A secret that opens the session at the provider until `expires_at`. It is not the deployment's API key."""

    value: str
    expires_at: datetime


class RealtimeJson(CamelModel):
    """An opened session. Send the WebRTC offer to `url` with the client secret as the bearer token.

    The session can call tools, with its `session_id`, until `expires_at`.
    """

    session_id: str
    conversation_id: str
    client_secret: ClientSecretJson
    model: str
    voice: str
    url: str
    expires_at: datetime
    tools: list[str]


class RealtimeCallBody(StrictBody):
    """A function call that the client received from the model, with the user's last words."""

    session_id: Identifier
    call_id: Identifier = Field(description="The model's `call_id`. A call runs only once per id.")
    name: str = Field(min_length=1, max_length=128)
    # The Realtime API sends JSON text; some client libraries parse it first.
    arguments: str | dict[str, Any] = Field(
        default="{}", description="The arguments as JSON text from the model, or as an object."
    )
    user_transcript: str | None = Field(
        default=None, max_length=8000, description="Transcript of the user's last words."
    )
    user_item_id: Identifier | None = Field(
        default=None,
        description="The `item_id` of the transcript. A transcript can decide about a waiting call only once; without "
        "the id, the same words are not accepted a second time.",
    )


class RealtimeCallJson(CamelModel):
    """The outcome of the call. Send `output` to the model as the `function_call_output`.

    With the status `needs_confirmation` the call waits for the user's yes; `confirmation` describes it. `confirmed` and
    `cancelled` mean that the user's words decided about the waiting call. `replayed` is true for a call that ran
    before.
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


def session_json(opened: OpenedSession) -> RealtimeJson:
    """Return an opened session with its client secret."""
    secret = opened.secret
    return RealtimeJson.from_attributes(
        opened,
        session_id=opened.id,
        client_secret=secret,
        model=secret.model,
        voice=secret.voice,
        url=secret.url,
        expires_at=opened.ends_at,
    )


def voice_answer_json(voice_answer: VoiceAnswer) -> RealtimeCallJson:
    """Return the outcome of a tool call."""
    pending = voice_answer.pending
    return RealtimeCallJson.from_attributes(voice_answer, confirmation=confirmation_json(pending) if pending else None)
