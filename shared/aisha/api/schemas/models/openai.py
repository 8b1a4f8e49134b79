"""Schemas of OpenAI's chat completions."""

from typing import Any, Literal

from aisha.domain.deferred_model import DeferredModel


# No `CamelModel`: OpenAI's own names have underscores.
class CalledFunction(DeferredModel):
    name: str
    arguments: str


class FunctionCall(DeferredModel):
    id: str
    type: Literal["function"] = "function"
    function: CalledFunction


class AssistantMessage(DeferredModel):
    """`tool_calls` has a call of the client's tools, if `tool_choice` demanded one; `content` is null then."""

    role: Literal["assistant"] = "assistant"
    content: str | None
    tool_calls: list[FunctionCall] | None = None


class Choice(DeferredModel):
    index: int = 0
    message: AssistantMessage
    finish_reason: Literal["stop", "tool_calls"] = "stop"


class CompletionUsage(DeferredModel):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Completion(DeferredModel):
    """A chat completion. Send its `conversation_id`, an extension, as `metadata.conversation_id` to continue."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: CompletionUsage
    conversation_id: str


class Model(DeferredModel):
    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str


class ModelList(DeferredModel):
    """The available values of `model`."""

    object: Literal["list"] = "list"
    data: list[Model]


class ResponsesAnswer(DeferredModel):
    """A response of the Responses API. Send its `id` as `previous_response_id` to continue."""

    id: str
    object: Literal["response"] = "response"
    created_at: int
    model: str
    status: Literal["completed"]
    output: list[dict[str, Any]]
    usage: dict[str, Any]
    conversation_id: str
