"""The turn as the planner sees it: the caller, the time, the user's words, the session's records and messages."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from aisha.domain.conversations.conversation import Message, SessionEntity
from aisha.domain.models import ModelRequest, TurnFacts, TurnRequest
from aisha.domain.principal import Principal


class Scene(Struct, frozen=True):
    """A turn. `history` are the messages before it, `now` is in the user's zone; `final`: no tools may be called.

    `client_sections` and `client_data` are as in `TurnFacts`.
    """

    principal: Principal
    now: datetime
    user_text: str
    entities: tuple[SessionEntity, ...]
    history: tuple[Message, ...]
    final: bool
    assistant_name: str = "AiSHA"
    client_sections: Mapping[str, str] = {}
    client_data: Mapping[str, Any] = {}


def facts_of(request: ModelRequest) -> TurnFacts:
    """Return the facts of a turn's request; any other request has only the user's words."""
    if isinstance(request, TurnRequest):
        return request.facts
    return TurnFacts(next((one.content for one in reversed(request.messages) if one.role == "user"), ""))


def scene_of(request: ModelRequest) -> Scene:
    """Return the turn that a request belongs to."""
    caller, facts = request.caller, facts_of(request)
    return Scene(
        caller.principal,
        caller.now,
        facts.user_text,
        facts.entities,
        facts.history,
        not request.tools,
        facts.assistant_name,
        facts.client_sections,
        facts.client_data,
    )
