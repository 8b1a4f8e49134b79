"""The chat request: its model, parser and validation."""

import hashlib
from functools import lru_cache
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from aisha.application.requests.validation import check_length, read_object, validated
from aisha.domain.conversations.modes import MODES
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError
from aisha.domain.hidden_characters import without_hidden
from aisha.domain.ids import CONVERSATION_ID

REGENERATE = "regenerate-message"
"""The trigger of a UI client's request for a new answer in place of the last one."""
# A language with a script or region, such as "de", "de-DE" or "zh_Hant_TW".
LOCALE = r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$"
Identifier = Annotated[str, Field(min_length=1, max_length=128)]
Label = Annotated[str, Field(max_length=200)]
ZONE_FORMAT = "iana-time-zone"


@lru_cache(maxsize=128)
def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    # ZoneInfo raises ValueError for "../x", KeyError for "Mars/Base", and OSError for a folder such as "Europe".
    except (ValueError, LookupError, OSError):
        return False
    return True


def _check_zone(name: str) -> str:
    if not _is_zone(name):
        raise ValueError("is not a time zone; send an IANA name such as Europe/Berlin")
    return name


TimeZone = Annotated[
    str,
    Field(json_schema_extra={"format": ZONE_FORMAT}, description="IANA name, e.g. Europe/Berlin."),
    AfterValidator(_check_zone),
]
FLOAT_AS_INT = BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
"""Accepts 8.0 where a strict body has an integer, as JSON does. It comes last, or the schema loses the bounds."""
_HAS_MESSAGE: dict[str, Any] = {
    "required": ["message"],
    "properties": {"message": {"type": "string", "minLength": 1, "pattern": r"\S"}},
}
HAS_MESSAGES: dict[str, Any] = {
    "required": ["messages"],
    "properties": {"messages": {"type": "array", "minItems": 1, "items": {}}},
}
"""JSON Schema of a request with `messages`. The parser checks that the last one is the user's."""


def message_or(*others: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON Schema that requires `message` of every body that matches none of the other schemas.

    It has no `anyOf` of its own, from which generators of clients would make types with only the named members.
    """
    return {"if": {"not": {"anyOf": list(others)}}, "then": _HAS_MESSAGE}


class _Body(DeferredModel):
    model_config = ConfigDict(
        strict=True, extra="ignore", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
    )


class RequestEntity(_Body):
    """A record that the conversation is about, according to the client; it is checked before it is used."""

    id: Identifier
    type: Annotated[str, Field(max_length=64)]
    name: Label = ""
    aliases: Annotated[list[Label], Field(max_length=20)] = Field(default_factory=list)


class RequestContext(_Body):
    """The page and record that the user has open in the client."""

    page: Label | None = None
    record_type: Annotated[str, Field(max_length=64)] | None = None
    record_id: Identifier | None = None


class MessagePart(_Body):
    """A part of a UI client's message; parts of other types than `text` are not read."""

    type: str
    text: str | None = None


class RequestMessage(_Body):
    """A message in either client's shape: `content`, or `parts` whose texts are joined."""

    id: Annotated[str, Field(max_length=128)] | None = None
    role: Literal["user", "assistant", "system", "tool"]
    content: str | None = None
    parts: list[MessagePart] | None = None

    @property
    def text(self) -> str:
        if self.content is not None:
            return self.content.strip()
        return "".join(part.text or "" for part in self.parts or () if part.type == "text").strip()


class ClientSection(_Body):
    """A section of data that only the client has, and what a model should know of it."""

    id: Label
    description: Label


class ChatRequest(_Body):
    """The request of one turn. After parsing, `message` is the user's text, stripped and not empty."""

    model_config = ConfigDict(json_schema_extra=message_or(HAS_MESSAGES))

    message: str = ""
    messages: Annotated[list[RequestMessage], Field(max_length=500)] | None = None
    trigger: str | None = None
    replaces: Identifier | None = Field(
        default=None,
        description="The id of the conversation's last answer, if that has `isReplaceable`: this message and its "
        "answer take its place and that of its question, once this answer is complete.",
    )
    id: Annotated[str, Field(max_length=128)] | None = None
    conversation_id: Identifier | None = None
    session_entities: Annotated[list[RequestEntity], Field(max_length=50)] | None = None
    mode: Annotated[Label, Field(json_schema_extra={"enum": [*MODES]})] | None = None
    format: Literal["markdown", "voice"] = "markdown"
    provider: Label | None = None
    model: Label | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    client_sections: Annotated[list[Label | ClientSection], Field(max_length=20)] | None = None
    attached_data: dict[str, Any] | None = None
    timezone: TimeZone | None = None
    locale: Annotated[str, Field(pattern=LOCALE, max_length=35)] | None = None
    context: RequestContext | None = None

    @model_validator(mode="after")
    def _set_message(self) -> Self:
        self.message = self.message.strip()
        if not self.message and self.messages:
            last = self.messages[-1]
            self.message = last.text if last.role == "user" else ""
        # What a pasted text hides would count as the user's own words.
        self.message = without_hidden(self.message).strip()
        # One of our ids must name an existing conversation; a client's own id creates one at its first request.
        if self.conversation_id is None and self.id is not None and CONVERSATION_ID.fullmatch(self.id):
            self.conversation_id = self.id
        return self

    @property
    def is_ui_client(self) -> bool:
        """True for a request of the Vercel AI SDK's client, the only one that sends a trigger."""
        return self.trigger is not None and bool(self.messages)

    @property
    def repetition(self) -> str | None:
        """The idempotency key of a UI client's message, equal for each repetition; None for other clients.

        It covers the client's ids of chat and message, and the rest of the request, such as attached data.
        """
        message_id = self.messages[-1].id if self.is_ui_client and self.messages else None
        if self.id is None or message_id is None:
            return None
        content = self.model_dump_json(exclude={"messages", "session_entities", "trigger"})
        return "message:" + hashlib.sha256(f"{message_id}\n{content}".encode()).hexdigest()

    @property
    def has_files(self) -> bool:
        """True when the last message comes with files or images, which are not read."""
        return any(part.type == "file" for message in (self.messages or ())[-1:] for part in message.parts or ())

    def earlier(self) -> list[tuple[Literal["user", "assistant"], str]]:
        """Return the client's earlier messages as (role, text), without those of the system."""
        return [
            ("user" if item.role == "user" else "assistant", item.text)
            for item in (self.messages or ())[:-1]
            if item.role in ("user", "assistant") and item.text
        ]


def parse_chat_request(raw: bytes, max_chars: int) -> ChatRequest:
    """Parse a request of UTF-8 JSON.

    Raises `MalformedRequestError` for invalid JSON, and `InvalidInputError` with a JSON pointer for wrong types or a
    message that is empty or longer than `max_chars`.
    """
    body = read_object(raw)
    request = validated(ChatRequest, body)
    has_message = isinstance(body.get("message"), str) and body["message"].strip()
    pointer = "/message" if has_message or not request.messages else f"/messages/{len(request.messages) - 1}"
    if not request.message:
        raise InvalidInputError(
            "There is no message. Send `message`, or `messages` that end with the user's.", pointer=pointer
        )
    check_length(request.message, max_chars, pointer)
    return request
