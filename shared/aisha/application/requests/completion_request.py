"""The request of OpenAI's chat completions, and the conversation that it goes on with."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from aisha.application.requests.chat_request import (
    WHOLE,
    ChatRequest,
    RequestMessage,
)
from aisha.application.requests.client_conversation import title_of
from aisha.application.requests.validation import check_length, read_object, validated
from aisha.domain.conversation import Conversation
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.ids import CONVERSATION_ID
from aisha.domain.ports import ConversationRepository
from aisha.domain.principal import Principal

MODEL = "aisha"
KEPT = 50
"""Messages of a request that a new conversation may begin with; a turn reads fewer."""
LONGEST_ID = 128
RECENT = 20
LOOKED_INTO = 5
"""Of the recent conversations; those that began with the same words come first."""
_TEXT = "text"
NONE = Field(json_schema_extra={"maxItems": 0})
NAMING = Field(json_schema_extra={"properties": {"conversation_id": {"maxLength": LONGEST_ID}}})


class _Body(DeferredModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class CompletionPart(_Body):
    """A part of a message; only text can be read."""

    type: str
    text: str | None = None


class CompletionMessage(_Body):
    """A message of the talk so far. Instructions (`system`, `developer`) are not followed: the assistant has its own."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[CompletionPart] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.text).strip()
        return (self.content or "").strip()


class StreamOptions(_Body):
    include_usage: bool = False


class ResponseFormat(_Body):
    type: Annotated[str, Field(json_schema_extra={"const": _TEXT})]


class CompletionRequest(_Body):
    """What is asked for; the last message is the user's.

    `metadata.conversation_id`, or a `user` that is one of our conversation ids, names the conversation. Without one it is
    found by what was said last. Tools run inside: `tools` must be empty, `n` 1, `response_format` text.
    """

    model: str = Field(description="`aisha`")
    messages: Annotated[list[CompletionMessage], Field(min_length=1)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    n: Annotated[int, Field(json_schema_extra={"const": 1}), WHOLE] | None = None
    tools: Annotated[list[Any], NONE] | None = None
    functions: Annotated[list[Any], NONE] | None = None
    response_format: ResponseFormat | None = None
    user: Annotated[str, Field(max_length=512)] | None = None
    metadata: Annotated[dict[str, Any], NAMING] | None = None

    @property
    def with_usage(self) -> bool:
        return self.stream_options is not None and self.stream_options.include_usage

    @property
    def named_conversation(self) -> str | None:
        """Our id or the client's own, if it gave one."""
        named = (self.metadata or {}).get("conversation_id")
        if isinstance(named, str) and named:
            return named
        return self.user if self.user and CONVERSATION_ID.fullmatch(self.user) else None

    def said(self) -> list[tuple[Literal["user", "assistant"], str]]:
        """Everything that user and assistant said, as (role, text)."""
        return [
            ("user" if message.role == "user" else "assistant", message.text)
            for message in self.messages
            if message.role in ("user", "assistant") and message.text
        ]


def parse_completion_request(raw: bytes, max_chars: int) -> CompletionRequest:
    """The request in `raw` (UTF-8 JSON). Raises as `parse_chat_request` does, `NotFoundError` for another model."""
    request = validated(CompletionRequest, read_object(raw))
    if request.model != MODEL:
        raise NotFoundError(f"There is no model {request.model!r:.80} here. Ask for `{MODEL}`.", pointer="/model")
    if request.tools or request.functions:
        name = "tools" if request.tools else "functions"
        raise InvalidInputError(f"The assistant runs its own tools. Leave `{name}` out.", pointer=f"/{name}")
    if request.n not in (None, 1):
        raise InvalidInputError("There is one answer. Leave `n` out.", pointer="/n")
    if request.response_format is not None and request.response_format.type != _TEXT:
        raise InvalidInputError("Answers are text. Leave `response_format` out.", pointer="/response_format")
    if len(request.named_conversation or "") > LONGEST_ID:
        raise InvalidInputError(
            f"A conversation's id has at most {LONGEST_ID} characters.", pointer="/metadata/conversation_id"
        )
    _check_last(request, max_chars)
    return request


def _check_last(request: CompletionRequest, max_chars: int) -> None:
    last, pointer = request.messages[-1], f"/messages/{len(request.messages) - 1}"
    if isinstance(last.content, list):
        for place, part in enumerate(last.content):
            if part.type != _TEXT:
                raise InvalidInputError(
                    f"A part of type {part.type!r:.40} can't be read. Send text.", pointer=f"{pointer}/content/{place}"
                )
    if last.role != "user" or not last.text:
        raise InvalidInputError("The last message must be the user's, with a text.", pointer=pointer)
    check_length(last.text, max_chars, pointer)


def chat_request_of(
    request: CompletionRequest, principal: Principal, conversations: ConversationRepository
) -> ChatRequest:
    """The turn that is asked for, in the conversation that it goes on with or in a new one."""
    said = request.said()
    named = request.named_conversation or continued(said[:-1], principal, conversations)
    return ChatRequest(
        message=said[-1][1],
        messages=[RequestMessage(role=role, content=text) for role, text in said[-KEPT:]],
        id=named,
        temperature=request.temperature,
    )


def continued(
    before: Sequence[tuple[str, str]], principal: Principal, conversations: ConversationRepository
) -> str | None:
    """The id of the user's recent conversation whose last answer is the last one in `before`; the newest of several.

    A client of this kind sends what was said and no id: without this, "yes" would answer no question.
    """
    answer = next((text for role, text in reversed(before) if role == "assistant"), None)
    if answer is None:
        return None
    title = title_of(before[0][1])
    recent, _ = conversations.recent(principal.tenant, principal.user, RECENT, None)
    likely = sorted(recent, key=lambda one: one.title != title)[:LOOKED_INTO]
    return next((one.id for one in likely if _ends_with(one, answer, conversations)), None)


def _ends_with(conversation: Conversation, answer: str, conversations: ConversationRepository) -> bool:
    try:
        session = conversations.load(conversation.tenant, conversation.user, conversation.id, 1)
    except NotFoundError:
        return False
    return any(one.role == "assistant" and one.content.split() == answer.split() for one in session.messages)
