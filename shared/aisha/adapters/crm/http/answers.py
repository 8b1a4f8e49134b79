"""Reading of a CRM's answers: their text, their errors, and how long to wait."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any

from aisha.adapters.crm.mapping_file.client import Errors
from aisha.adapters.crm.mapping_file.paths import compiled
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.http.http_client import HttpAnswer
from aisha.domain.errors import (
    AnswerLostError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
)

_MAX_REASON_LENGTH = 300
_RESET = re.compile(r"\b(?:reset|t)=([0-9]{1,6}(?:\.[0-9]{1,6})?)")
_CHARSET = re.compile(r"""charset=["']?([\w.:-]{1,40})""", re.IGNORECASE)


def decoded(answer: HttpAnswer) -> str:
    """Return the body's text in the encoding that its header names, UTF-8 by default, without a byte order mark."""
    # Older CRMs answer in Latin-1 or Windows-1252.
    charset = _CHARSET.search(answer.headers.get("content-type", ""))
    try:
        text = answer.body.decode(charset[1] if charset else "utf-8", errors="replace")
    except LookupError:
        text = answer.body.decode(errors="replace")
    return text.removeprefix("\ufeff")


def is_listed(listed: list[int | str], status: int, code: str) -> bool:
    return status in listed or (code != "" and code in map(str, listed))


def labelled_texts_in(value: Any) -> Iterator[str]:
    """Yield the texts of an error that is not in the form that the file says, each with the name of its member."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            texts = labelled_texts_in(inner)
            yield from texts if isinstance(inner, Mapping) else (f"{name}: {text}" for text in texts)
    elif isinstance(value, list):
        for inner in value:
            yield from labelled_texts_in(inner)
    elif isinstance(value, str) and value:
        yield value


def picked_or_none(expression: str, value: Any) -> Any:
    """Return what the JMESPath picks; None where a function met a type that this answer does not have."""
    try:
        return compiled(expression).search(value)
    except ValueError:
        return None


def error_message(errors: Errors, value: Any) -> str:
    """Return the message of an error in an answer; "" where it has none."""
    return text_at(errors.message, value)


def text_at(expression: str | None, value: Any) -> str:
    reason = picked_or_none(expression, value) if expression and value is not None else None
    # Some give a list of messages, one for each field.
    if isinstance(reason, list):
        reason = "; ".join(str(text) for text in reason if text)
    if isinstance(reason, Mapping):
        # A form's errors by field: {"status": ["..."]}.
        reason = "; ".join(
            f"{name}: {' '.join(map(str, why)) if isinstance(why, list) else why}" for name, why in reason.items()
        )
    return str(reason or "")[:_MAX_REASON_LENGTH]


def retry_after(headers: Mapping[str, str]) -> int:
    """Return the seconds to wait: `Retry-After`, else `RateLimit-Reset` or `RateLimit: reset=` of the IETF's drafts."""
    text = headers.get("retry-after")
    if not text:
        reset = _RESET.search(headers.get("ratelimit", ""))
        reset = reset or re.fullmatch(r"([0-9]{1,6})", headers.get("ratelimit-reset", ""))
        return ceil(float(reset[1])) if reset else 0
    # The header has seconds, or a date (RFC 9110, section 10.2.3).
    if text.strip().isdecimal():
        return int(text)
    try:
        return max(0, round((parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()))
    except ValueError:
        return 0


@contextmanager
def lost_afterwards(title: str) -> Iterator[None]:
    """Re-raise errors as `AnswerLostError` once the CRM has carried out a request: the write itself did not fail."""
    try:
        yield
    except (NotFoundError, PermissionDeniedError, RateLimitedError, UnavailableError) as error:
        raise AnswerLostError(f"{title} did not show what it has done: {error.message}") from error


@contextmanager
def naming_fields(resource: Resource) -> Iterator[None]:
    """Re-raise the CRM's refusal of a value with AiSHA's name of the field."""
    try:
        yield
    except InvalidInputError as error:
        native_name = error.detail["field"] if isinstance(error.detail, Mapping) else ""
        # The CRM names its own field; users and models know AiSHA's name of it.
        for name in resource.fields:
            for mapping in resource.maps(name):
                if native_name and native_name in (
                    mapping.place,
                    mapping.column,
                    (mapping.place or "").rpartition(".")[2],
                ):
                    label = name.replace("_", " ")
                    message = error.message if label in error.message else f"{error.message} ({label})"
                    raise InvalidInputError(message, pointer=f"/{name}", entity_type=resource.type) from None
        raise
