"""Requests to a chat model and its events, the same for every provider."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from aisha.domain.conversations.conversation import Message, Role, SessionEntity
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec

OFFLINE = "offline"
"""The provider of the planner, which answers without a language model."""


class ToolCallRequest(Struct, frozen=True):
    """A tool call as the model wrote it: `arguments` is JSON text, not yet parsed.

    `extra` is opaque: the provider gets it back with the call's result. `doubt` is the reason why the model is not sure
    that the user ordered this, in plain words such as `I'm not sure I understood “tick off”`; empty when it is sure.
    The gate asks the user about a write that is in doubt.
    """

    id: str
    name: str
    arguments: str
    extra: dict[str, Any] | None = None
    doubt: str = ""


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
    """The user of a model request, and its instant in the user's time zone."""

    principal: Principal
    now: datetime


class ModelRequest(Struct, frozen=True):
    """One call of a model. `deadline` is in seconds of `time.monotonic()`; `tools` is empty when none may be called.

    `capability` names the chain of models to ask. `provider` and `model` are the user's choice. With `json_mode` the
    answer's text is one JSON object in one piece. Without `streamed` the text may come in one piece, which costs less
    and lets the next model of the chain answer when this one breaks off. `max_tokens` limits the answer; None leaves it
    to the model's own limit.
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
    """A turn as data: the user's text, the session's records, the earlier messages, and all tools of the user.

    `asks_first` tells whether the gate will ask the user before it runs a call of a tool with these arguments. At most
    `max_calls` run in a round. `labels` are the tenant's words by record type. `client_sections` are the descriptions
    of the data that only the client has, by id, and `client_data` is what it sent of them.
    """

    user_text: str
    entities: tuple[SessionEntity, ...] = ()
    history: tuple[Message, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    assistant_name: str = "AiSHA"
    mode: str = "default"
    asks_first: Callable[[str, Mapping[str, Any]], bool] | None = None
    max_calls: int = 16
    labels: Mapping[str, str] = {}
    client_sections: Mapping[str, str] = {}
    client_data: Mapping[str, Any] = {}


class TurnRequest(ModelRequest, frozen=True, kw_only=True):
    """A request made in a turn, with the turn as data for the offline planner, which does not read the prompt.

    It is a subclass so that wrappers and providers, typed by `ModelRequest`, can't depend on the facts or send
    them: masking has to mask the messages only. The facts travel with the request because one failover chain serves all
    turns: a planner for each turn would need a chain for each turn, and a context variable does not survive the change
    of threads between two events of a streamed turn.
    """

    # The only provider that reads them is the offline planner.
    facts: TurnFacts


class Usage(Struct, frozen=True):
    """The tokens of all calls, including those read from the provider's cache, and their cost."""

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
    """The end of one model call: its complete tool calls, and the model that answered.

    `choices` are the records among which the text asks the user to choose, where the model can name them. `degraded` is
    True when another model than the first of the chain answered; `warnings` say why. `request_id` is the provider's id
    of the call, for its support. `postponed` are parts of the user's message for after a yes to the calls, or after
    the answer to the text's question.
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
    postponed: tuple[str, ...] = ()


ModelEvent = TextChunk | ModelFinished
