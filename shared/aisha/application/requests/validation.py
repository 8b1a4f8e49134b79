"""Validation errors of requests as JSON pointers and messages."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from pydantic import BaseModel, ValidationError

from aisha.domain.errors import InvalidInputError, MalformedRequestError, MissingFieldError
from aisha.domain.finite_json import finite_json

MAX_DETAILS = 10
"""Field errors that an answer lists."""


class FieldError(Struct, frozen=True):
    """An invalid value: its path of names and indexes, the reason, and pydantic's type of the error."""

    path: tuple[int | str, ...]
    reason: str
    type: str = ""

    @property
    def pointer(self) -> str:
        """The path as a JSON pointer (RFC 6901), empty for the whole value."""
        return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in self.path)


def field_errors(error: ValidationError) -> list[FieldError]:
    """Return all errors without the invalid values."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    # pydantic writes "Value error, " before the message of a validator's own ValueError.
    return [FieldError(item["loc"], item["msg"].removeprefix("Value error, "), item["type"]) for item in details]


def read_object(raw: bytes) -> dict[str, Any]:
    """Return the JSON object in a request's body. Raises `MalformedRequestError`, `InvalidInputError`."""
    try:
        body = finite_json(raw)
    except ValueError as error:
        raise MalformedRequestError(f"The request is not JSON: {error}", suggestion="Send one JSON object.") from None
    if not isinstance(body, dict):
        raise InvalidInputError("The request must be one JSON object.", pointer="")
    return body


def validated[M: BaseModel](model: type[M], values: object, source: str = "The request") -> M:
    """Return `values` as the model. Raises `InvalidInputError` with the pointer of the first invalid value."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        errors = field_errors(error)
    # Raised outside of the `except`, so that pydantic's error, which has the invalid values, is not chained to it.
    first = errors[0]
    place = f" at {first.pointer[1:]}" if first.pointer else ""
    raise InvalidInputError(
        f"{source} does not fit{place}: {first.reason}",
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
    text = f"{name}: {error.reason}" if name else error.reason
    return InvalidInputError(text, pointer=error.pointer, suggestion="Correct the value.")


def check_length(text: str, max_chars: int, pointer: str) -> None:
    """Raise `InvalidInputError` with the member's name for a text of more than `max_chars` characters."""
    if len(text) > max_chars:
        name = "message" if pointer.startswith("/messages/") else pointer[1:]
        raise InvalidInputError(
            f"The {name} has {len(text)} characters, at most {max_chars} are read. Shorten it.", pointer=pointer
        )
