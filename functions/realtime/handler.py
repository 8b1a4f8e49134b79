"""Spoken conversations: GET /api/ai/realtime opens one, POST /api/ai/realtime/tools runs a tool call."""

import json

from aisha.api.rest_app import RestApp
from aisha.api.schemas.models.realtime import (
    RealtimeCallBody,
    RealtimeCallJson,
    RealtimeJson,
    RealtimeQuery,
    session_json,
    voice_answer_json,
)
from aisha.application.voice.calls import VoiceCall, relay_call
from aisha.application.voice.session import open_voice_session
from aisha.domain.errors import RealtimeUnavailableError

app = RestApp()


@app.operation(
    "GET",
    "/api/ai/realtime",
    "openRealtimeSession",
    summary="Open a spoken conversation",
    description="Returns a client secret for OpenAI's Realtime API; the session has the assistant's instructions "
    "and the tools that the user may use. The secret expires after a minute unless the deployment configures "
    "another time; an open conversation continues. Responds with 501 `realtime_unavailable` if no OpenAI key is "
    "configured.",
    errors=(402, 404, 422, 501, 503, 504),
    limited=True,
)
def open_session(query: RealtimeQuery) -> RealtimeJson:
    principal, config = app.principal(), app.services.settings
    if (sessions := app.services.voice_sessions) is None:
        raise RealtimeUnavailableError(
            "No realtime voice is set up here.", suggestion="Use speech and chat, or set OPENAI_API_KEY."
        )
    # The client connects to the provider itself, so the cost of the session can't be reserved.
    app.services.budgets.check(principal.tenant)
    opened = open_voice_session(
        principal,
        app.services.turn_dependencies,
        sessions,
        voice=query.voice or config.realtime_voice,
        secret_seconds=config.realtime_secret_seconds,
        session_seconds=config.realtime_session_seconds,
        conversation_id=query.conversation_id,
    )
    return session_json(opened)


@app.operation(
    "POST",
    "/api/ai/realtime/tools",
    "callRealtimeTool",
    summary="Run a tool call of a spoken conversation",
    description="Runs a function call of the realtime model with the rights of the token's user. A call that is "
    "hard to undo, or that the user did not ask for, waits for the user: for a decision at "
    "`/api/ai/confirmations/{id}`, or for a yes or no in the `userTranscript` of the next call. Arguments from the "
    "model never confirm a call.",
    errors=(404, 409, 410, 503, 504),
    idempotent=True,
)
def call_tool(body: RealtimeCallBody) -> RealtimeCallJson:
    arguments = body.arguments
    # The client only relays: tools, rights and confirmations are the server's.
    call = VoiceCall(
        session_id=body.session_id,
        call_id=body.call_id,
        name=body.name,
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False),
        transcript=body.user_transcript,
        utterance=body.user_item_id,
    )
    return voice_answer_json(relay_call(call, app.principal(), app.services.turn_dependencies))


handler = app.resolve
