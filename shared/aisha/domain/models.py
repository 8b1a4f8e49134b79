"""Requests to a chat model and its events, the same for every provider."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from aisha.domain.conversation import Message, Role, SessionEntity
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec

OFFLINE = "offline"
"""The provider of the planner, which answers without a language model."""


class ToolCallRequest(Struct, frozen=True):
    """A call as the model wrote it: `arguments` is raw JSON text, not yet looked at.

    `extra` is what its provider wants to see again with the call's result; nobody else reads it.
    """

    id: str
    name: str
    arguments: str
    extra: dict[str, Any] | None = None


class ModelMessage(Struct, frozen=True):
    """A message of the prompt. `tool_call_id` names the call that a `tool` message answers.

    `is_typed`: the user wrote it, so that contact data in it is not masked; tools need the addresses that a user gives.
    """

    role: Role
    content: str
    tool_calls: tuple[ToolCallRequest, ...] = ()
    tool_call_id: str | None = None
    is_typed: bool = False


class Caller(Struct, frozen=True):
    """The user for whom a model is asked, and the instant of the request in the user's zone."""

    principal: Principal
    now: datetime


class ModelRequest(Struct, frozen=True):
    """One call. `deadline` is in seconds of `time.monotonic()`; `tools` is empty when none may be called.

    `capability` names the chain of models that is asked. `provider` and `model` are who the user wants to be answered by.
    With `json_mode` the answer's text is one JSON object, and comes whole. Without `streamed` nobody reads the text as it
    comes, so that it may come whole, which costs less and leaves the next of the chain to answer when it breaks off. `max_tokens` is how long the answer may be, None
    for as long as the model's own terms allow.
    """

    messages: Sequence[ModelMessage]
    tools: Sequence[ToolSpec]
    caller: Caller
    deadline: float
    capability: str = "chat_tools"
    temperature: float | None = None
    model: str | None = None
    provider: str | None = None
    json_mode: bool = False
    max_tokens: int | None = None
    streamed: bool = True


class TurnFacts(Struct, frozen=True):
    """A turn as data: the user's words, the session's records, the messages before, and all tools that the user may use."""

    user_text: str
    entities: tuple[SessionEntity, ...] = ()
    history: tuple[Message, ...] = ()
    tools: tuple[ToolSpec, ...] = ()


class TurnRequest(ModelRequest, frozen=True, kw_only=True):
    """A request made in a turn, with the turn as data for a model that is a program and does not read the prompt.

    It is a subclass so that wrappers and providers, which are typed by `ModelRequest`, can't depend on the facts or send
    them: masking has to mask the messages only. The facts travel with the request because one failover chain serves all
    turns: a planner composed for each turn would need a chain for each turn, and a context variable does not survive the
    change of threads between two events of a streamed turn.
    """

    facts: TurnFacts


class Usage(Struct, frozen=True):
    """Tokens of all calls together, those read from the provider's cache too."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_usd + other.cost_usd,
        )


class TextChunk(Struct, frozen=True):
    text: str


class ModelFinished(Struct, frozen=True):
    """The end of one model call: the whole tool calls, never a partial one, and who served it.

    `choices` are the records of which the text asks the user to choose one, where the model can name them.

    `degraded` is True when it is not the first of its chain that answered; `warnings` say why. `request_id` is the
    provider's name for the call, for its support.
    """

    provider: str
    model: str
    tool_calls: tuple[ToolCallRequest, ...] = ()
    usage: Usage = Usage()
    degraded: bool = False
    warnings: tuple[str, ...] = ()
    state: dict[str, Any] | None = None
    request_id: str | None = None
    choices: tuple[SessionEntity, ...] = ()


ModelEvent = TextChunk | ModelFinished
