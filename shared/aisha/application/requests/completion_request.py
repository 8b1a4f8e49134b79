"""Requests of OpenAI's chat completions, and the conversations that they continue."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from aisha.application.requests.chat_request import FLOAT_AS_INT, ChatRequest, RequestMessage
from aisha.application.requests.response_format import Structure, structure_of
from aisha.application.requests.titles import title_of
from aisha.application.requests.validation import check_length, read_object, validated
from aisha.domain.conversations.conversation import Conversation
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.ids import CONVERSATION_ID
from aisha.domain.ports import ConversationRepository
from aisha.domain.principal import Principal

MODEL = "aisha"
MAX_MESSAGES = 50
"""Last messages of a request that a new conversation begins with; a turn reads fewer."""
MAX_ID_LENGTH = 128
MAX_RECENT = 20
MAX_COMPARED = 5
"""Recent conversations whose last answer is read, those with the same title first."""
_TEXT = "text"
ToolChoice = (
    Annotated[str, Field(json_schema_extra={"enum": ["auto", "none", "required"]})]
    | Annotated[dict[str, Any], Field(description="It names one of `tools`.")]
)
CONVERSATION_METADATA = Field(json_schema_extra={"properties": {"conversation_id": {"maxLength": MAX_ID_LENGTH}}})


class CompletionBody(DeferredModel):
    """A body whose unknown members are ignored, and whose values are not converted."""

    model_config = ConfigDict(strict=True, extra="ignore")


class CompletionPart(CompletionBody):
    """A part of a message; only parts of type `text` are supported."""

    type: str
    text: str | None = None


class CompletionMessage(CompletionBody):
    """A message of the conversation so far. Instructions (`system`, `developer`) are not followed."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[CompletionPart] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.text).strip()
        return (self.content or "").strip()


class StreamOptions(CompletionBody):
    include_usage: bool = False


class CompletionRequest(CompletionBody):
    """A request for an answer to the last message, which is the user's.

    `metadata.conversation_id`, or a `user` that is one of our conversation ids, names the conversation. Without one it
    is found by the last answer. The assistant runs its own tools and leaves those of `tools`, unless `tool_choice`
    demands a call. `response_format` may ask for a JSON object. There is one answer: `n` is 1.
    """

    model: str = Field(description="`aisha`")
    messages: Annotated[list[CompletionMessage], Field(min_length=1)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    n: Annotated[int, Field(json_schema_extra={"const": 1}), FLOAT_AS_INT] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: ToolChoice | None = None
    response_format: dict[str, Any] | None = None
    user: Annotated[str, Field(max_length=512)] | None = None
    metadata: Annotated[dict[str, Any], CONVERSATION_METADATA] | None = None

    @property
    def with_usage(self) -> bool:
        return self.stream_options is not None and self.stream_options.include_usage

    @property
    def named_conversation(self) -> str | None:
        """The id of the conversation, ours or the client's own, or None."""
        conversation_id = (self.metadata or {}).get("conversation_id")
        if isinstance(conversation_id, str) and conversation_id:
            return conversation_id
        # Some clients can set no `metadata`, but `user`; other texts in it are names of users.
        return self.user if self.user and CONVERSATION_ID.fullmatch(self.user) else None

    @property
    def structure(self) -> Structure | None:
        """The form of the answer, None for text. Raises `InvalidInputError`."""
        return structure_of(self.response_format, self.tools, self.tool_choice)

    def exchanged(self) -> list[tuple[Literal["user", "assistant"], str]]:
        """Return the messages of user and assistant as (role, text)."""
        return [
            ("user" if message.role == "user" else "assistant", message.text)
            for message in self.messages
            if message.role in ("user", "assistant") and message.text
        ]


def parse_completion_request(raw: bytes, max_chars: int) -> CompletionRequest:
    """Parse a request of UTF-8 JSON. Raises as `parse_chat_request` does, and `NotFoundError` for another model."""
    request = validated(CompletionRequest, read_object(raw))
    check_completion_request(request, max_chars)
    return request


def check_completion_request(request: CompletionRequest, max_chars: int) -> None:
    """Raise `NotFoundError` for another model, and `InvalidInputError` for what can't be answered."""
    check_model(request.model)
    if request.n not in (None, 1):
        raise InvalidInputError("There is one answer to a message. Leave `n` out, or send 1.", pointer="/n")
    _ = request.structure  # raises for a form that there is not
    if len(request.named_conversation or "") > MAX_ID_LENGTH:
        raise InvalidInputError(
            f"A conversation's id can have at most {MAX_ID_LENGTH} characters.", pointer="/metadata/conversation_id"
        )
    _check_last(request, max_chars)


def check_model(name: str) -> None:
    """Raise `NotFoundError` for another model than the assistant."""
    if name != MODEL:
        raise NotFoundError(f"There is no model {name!r:.80} here. Ask for `{MODEL}`.", pointer="/model")


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
    """Return the request of a turn in the conversation that the request continues, or in a new one."""
    messages = request.exchanged()
    return ChatRequest(
        message=messages[-1][1],
        messages=[RequestMessage(role=role, content=text) for role, text in messages[-MAX_MESSAGES:]],
        id=request.named_conversation or find_continued(messages[:-1], principal, conversations),
        temperature=request.temperature,
    )


def find_continued(
    before: Sequence[tuple[str, str]], principal: Principal, conversations: ConversationRepository
) -> str | None:
    """Return the id of the user's newest conversation with the same last answer as `before`, or None.

    Clients of this API send messages but no id. Without this search, a "yes" could not confirm the last question.
    """
    answer = next((text for role, text in reversed(before) if role == "assistant"), None)
    # The first message of a chat: there is nothing to continue.
    if answer is None:
        return None
    title = title_of(before[0][1])
    recent, _ = conversations.recent(principal.tenant, principal.user, MAX_RECENT, None)
    # A conversation's title is the beginning of its first message, which a client sends again each time.
    candidates = sorted(recent, key=lambda conversation: conversation.title != title)[:MAX_COMPARED]
    return next((candidate.id for candidate in candidates if _ends_with(candidate, answer, conversations)), None)


def _ends_with(conversation: Conversation, answer: str, conversations: ConversationRepository) -> bool:
    try:
        session = conversations.load(conversation.tenant, conversation.user, conversation.id, 1)
    except NotFoundError:
        return False
    # Spaces and line breaks do not count: a client may send the answer stripped or in parts.
    return any(
        message.role == "assistant" and message.content.split() == answer.split() for message in session.messages
    )
