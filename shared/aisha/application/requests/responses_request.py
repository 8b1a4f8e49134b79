"""Requests of OpenAI's Responses API, as those of chat completions that they amount to."""

import re
from typing import Annotated, Any, Literal

from pydantic import Field

from aisha.application.requests.completion_request import (
    CONVERSATION_METADATA,
    CompletionBody,
    CompletionMessage,
    CompletionPart,
    CompletionRequest,
    ToolChoice,
    check_completion_request,
)
from aisha.application.requests.validation import read_object, validated
from aisha.domain.errors import InvalidInputError

RESPONSE_ID = re.compile(r"resp_([0-9A-HJKMNP-TV-Z]{26})_\w+")
"""The id of a response names its conversation, so that `previous_response_id` continues it."""
type Role = Literal["system", "developer", "user", "assistant"]
_TEXTS = ("input_text", "output_text", "text")


class ResponsesPart(CompletionBody):
    """A part of a message; only texts are read."""

    type: str
    text: str | None = None


class ResponsesItem(CompletionBody):
    """A message; items of other types (calls of tools, reasoning) are left out."""

    type: str = "message"
    role: Role | None = None
    content: str | list[ResponsesPart] | None = None


class ResponsesRequest(CompletionBody):
    """A request for a response to the last message, which is the user's; `instructions` are not followed."""

    model: str = Field(description="`aisha`")
    input: Annotated[str, Field(min_length=1)] | Annotated[list[ResponsesItem], Field(min_length=1)]
    stream: bool | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    previous_response_id: str | None = None
    conversation: str | dict[str, Any] | None = Field(
        default=None, description="The id of a conversation, or an object with it as `id`, in place of a response's."
    )
    text: dict[str, Any] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: ToolChoice | None = None
    metadata: Annotated[dict[str, Any], CONVERSATION_METADATA] | None = None


def parse_responses_request(raw: bytes, max_chars: int) -> CompletionRequest:
    """Parse a request of UTF-8 JSON. Raises as `parse_completion_request` does."""
    request = validated(ResponsesRequest, read_object(raw))
    metadata = dict(request.metadata or {})
    if request.previous_response_id is not None:
        match = RESPONSE_ID.fullmatch(request.previous_response_id)
        if match is None:
            raise InvalidInputError("There is no such response to continue.", pointer="/previous_response_id")
        # An id in `metadata` wins: a client that sets one means it.
        metadata.setdefault("conversation_id", f"conv_{match[1]}")
    elif request.conversation is not None:
        metadata.setdefault("conversation_id", _conversation_id(request.conversation))
    form = (request.text or {}).get("format")
    completion = CompletionRequest(
        model=request.model,
        messages=_messages(request),
        stream=request.stream,
        temperature=request.temperature,
        tools=request.tools,
        tool_choice=request.tool_choice,
        response_format=form if isinstance(form, dict) else None,
        metadata=metadata or None,
    )
    check_completion_request(completion, max_chars)
    return completion


def _conversation_id(conversation: str | dict[str, Any]) -> str:
    conversation_id = conversation.get("id") if isinstance(conversation, dict) else conversation
    if not isinstance(conversation_id, str) or not conversation_id:
        raise InvalidInputError("The conversation needs an id, a text.", pointer="/conversation")
    return conversation_id


def _messages(request: ResponsesRequest) -> list[CompletionMessage]:
    if isinstance(request.input, str):
        return [CompletionMessage(role="user", content=request.input)]
    messages = [_message(item.role, item.content) for item in request.input if item.type == "message" and item.role]
    if not messages:
        raise InvalidInputError("The input needs a message of the user.", pointer="/input")
    return messages


def _message(role: Role, content: str | list[ResponsesPart] | None) -> CompletionMessage:
    if not isinstance(content, list):
        return CompletionMessage(role=role, content=content)
    parts = [CompletionPart(type="text" if part.type in _TEXTS else part.type, text=part.text) for part in content]
    return CompletionMessage(role=role, content=parts)
