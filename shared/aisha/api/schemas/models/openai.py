"""Schemas of OpenAI's chat completions."""

from typing import Any, Literal

from aisha.domain.deferred_model import DeferredModel
from aisha.renderers.openai_responses import response, response_stream


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


COMPLETION_EXAMPLE: dict[str, Any] = {
    "id": "chatcmpl-01JD3Q9B8D6F4H2J0K8M6N4P2R",
    "object": "chat.completion",
    "created": 1772442000,
    "model": "aisha",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "I found one warm lead: **Jack Russel** of ABC Corp."},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    "conversation_id": "conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q",
}
COMPLETION_STREAM_EXAMPLE = (
    'data: {"object":"chat.completion.chunk","created":1772442000,"model":"aisha",'
    '"id":"chatcmpl-01JD3Q9B8D6F4H2J0K8M6N4P2R","conversation_id":"conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q",'
    '"choices":[{"index":0,"delta":{"content":"I found one warm lead: "},"finish_reason":null}]}\n\n'
    "data: [DONE]\n\n"
)


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


RESPONSE_EXAMPLE: dict[str, Any] = response(COMPLETION_EXAMPLE)
RESPONSE_STREAM_EXAMPLE = "".join(response_stream(COMPLETION_EXAMPLE))
