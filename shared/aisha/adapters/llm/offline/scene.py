"""The turn as the planner reads it: who asks and when, their words, the session's records and messages."""

from datetime import datetime

from msgspec import Struct

from aisha.domain.conversation import Message, SessionEntity
from aisha.domain.models import ModelRequest, TurnFacts, TurnRequest
from aisha.domain.principal import Principal


class Scene(Struct, frozen=True):
    """`history` are the messages before this turn, `now` is in the user's zone; `final`: the answer must come without tools."""

    principal: Principal
    now: datetime
    user_text: str
    entities: tuple[SessionEntity, ...]
    history: tuple[Message, ...]
    final: bool


def facts_of(request: ModelRequest) -> TurnFacts:
    """Return the facts of a turn's request; of another one all that is known are the user's words."""
    if isinstance(request, TurnRequest):
        return request.facts
    return TurnFacts(next((one.content for one in reversed(request.messages) if one.role == "user"), ""))


def scene_of(request: ModelRequest) -> Scene:
    """Return the turn that a request belongs to."""
    caller, facts = request.caller, facts_of(request)
    return Scene(caller.principal, caller.now, facts.user_text, facts.entities, facts.history, not request.tools)
