"""Validation errors of requests as JSON pointers and messages."""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from pydantic import BaseModel, ValidationError

from aisha.domain.errors import InvalidInputError, MalformedRequestError, MissingFieldError
from aisha.domain.json_values import finite_json

MAX_DETAILS = 10
"""Field errors that an answer lists."""
# "Value error, " stands before the message of a validator's own ValueError, the others before what a value should be.
_SUBJECT = re.compile(r"^(?:Value error, |(?:Input|Value|List|Tuple|Set|String|Dictionary) (?=should\b))")
_OBJECT = re.compile(r"should be a valid dictionary(?: or .*)?")
_UNION_TAG = re.compile(r"(?:constrained-)?str|[A-Z][a-z]\w*|list\[.*\]")
"""Matches the names by which pydantic tells the types of a union apart, in the path of an error."""
_GZIP = b"\x1f\x8b"
"""The first bytes of what is compressed by gzip."""


class FieldError(Struct, frozen=True):
    """An invalid value: its path of names and indexes, the reason, and pydantic's type of the error.

    The reason is a sentence, or what follows the name of the value in one: "should be a valid string".
    """

    path: tuple[int | str, ...]
    reason: str
    type: str = ""

    @property
    def pointer(self) -> str:
        """The path as a JSON pointer (RFC 6901), empty for the whole value."""
        return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in self.path)

    def sentence_about(self, name: str) -> str:
        """Return the reason as a sentence about the value of this name."""
        return f"{name} {self.reason}" if self.reason[:1].islower() else f"{name}: {self.reason}"


def field_errors(error: ValidationError) -> list[FieldError]:
    """Return all errors without the invalid values."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    # Of a text or an object, the mistake in the object says more than that it is no text.
    telling = [item for item in details if not (item["loc"] and _is_tag(item["loc"][-1]))] or details
    return [
        FieldError(tuple(part for part in item["loc"] if not _is_tag(part)), _reason(item["msg"]), item["type"])
        for item in telling
    ]


def _is_tag(part: int | str) -> bool:
    return isinstance(part, str) and _UNION_TAG.fullmatch(part) is not None


def _reason(message: str) -> str:
    """Return pydantic's message without its words for the value, which is named beside it."""
    if message == "Field required":
        return "is missing"
    if message == "Extra inputs are not permitted":
        return "is not known here; leave it out"
    return _OBJECT.sub("should be a JSON object", _SUBJECT.sub("", message).replace(" after validation", ""))


def read_object(raw: bytes) -> dict[str, Any]:
    """Return the JSON object in a request's body. Raises `MalformedRequestError`, `InvalidInputError`."""
    try:
        body = finite_json(raw)
    except ValueError as error:
        raise MalformedRequestError(_unreadable(raw, str(error))) from None
    if not isinstance(body, dict):
        raise InvalidInputError("The request must be one JSON object.", pointer="")
    return body


def _unreadable(raw: bytes, reason: str) -> str:
    """Return why a body can't be read as JSON, with the commonest mistakes of clients by name."""
    if not raw.strip():
        return "The request has no body. Send one JSON object."
    if raw.startswith(_GZIP):
        return "The request is compressed. Send the JSON object as it is, without Content-Encoding."
    try:
        # Asked after the parser, whose message for other encodings is about a single byte.
        raw.decode()
    except UnicodeDecodeError:
        return "The request is not in UTF-8, as JSON must be."
    return f"The request is not JSON: {reason}. Send one JSON object."


def validated[M: BaseModel](model: type[M], values: object, source: str = "The request") -> M:
    """Return `values` as the model. Raises `InvalidInputError` with the pointer of the first invalid value."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        errors = field_errors(error)
    # Raised outside of the `except`, so that pydantic's error, which has the invalid values, is not chained to it.
    first = errors[0]
    raise InvalidInputError(
        first.sentence_about(f"{source}'s `{first.pointer[1:]}`" if first.pointer else source),
        pointer=first.pointer,
        detail=[{"pointer": item.pointer, "message": item.reason} for item in errors[:MAX_DETAILS]],
    )


def argument_error(error: FieldError, parameters: Iterable[str]) -> InvalidInputError:
    """Return the error of a tool's argument for the model. `parameters` are the tool's parameters."""
    name = ".".join(map(str, error.path))
    if error.type == "missing":
        return MissingFieldError(name, suggestion=f"Ask the user for {name.replace('_', ' ')}.")
    if error.type == "extra_forbidden":
        return InvalidInputError(f"There is no parameter {name!r}", detail={"parameters": sorted(parameters)})
    text = error.sentence_about(name) if name else error.reason
    return InvalidInputError(text, pointer=error.pointer, suggestion="Correct the value.")


def check_length(text: str, max_chars: int, pointer: str) -> None:
    """Raise `InvalidInputError` with the member's name for a text of more than `max_chars` characters."""
    if len(text) > max_chars:
        name = "message" if pointer.startswith("/messages/") else pointer[1:]
        raise InvalidInputError(
            f"The {name} has {len(text)} characters, at most {max_chars} are read. Shorten it.", pointer=pointer
        )
