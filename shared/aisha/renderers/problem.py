"""Errors as RFC 9457 problem documents, the one error object of every HTTP endpoint."""

import json
from http import HTTPStatus
from typing import Any, NamedTuple

from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import (
    AishaError,
    InProgressError,
    RateLimitedError,
    UnauthenticatedError,
    UnavailableError,
    public_error,
)

CONTENT_TYPE = "application/problem+json"
RETRY_SECONDS = 2
# The names of OpenAI's API for errors of these statuses.
_TYPES = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
"""The titles of RFC 9110, which Python has only since 3.13."""
_SUGGESTIONS = {
    "unauthenticated": "Send a valid token in the header `Authorization: Bearer <token>`.",
    "not_found": "Check the id: it may be gone, or belong to another user.",
    "method_not_allowed": "Send one of the methods that /docs lists for this address.",
    "conflict": "Read the current state, and send the request again if it still applies.",
    "payload_too_large": "Send less at once.",
    "deadline_exceeded": "Try again, or ask for less at once.",
    "internal_error": "Try again. If it keeps happening, give your administrator this request id.",
}
"""The remedy for an error, by its code, where the error itself names none."""


class OpenAIErrorJson(DeferredModel):
    """The error in the shape that OpenAI's clients read."""

    message: str
    type: str
    param: str | None = None
    code: str


class ProblemJson(DeferredModel):
    """RFC 9457 problem details with the members of the one error object. `code` never changes, `message` is for people.

    `detail` repeats the message. `pointer` is the JSON pointer to the invalid value; `errors` lists all invalid values
    with their messages, `data` the facts of other errors. `retryable`: the same request may succeed later.
    """

    type: str
    title: str
    status: int
    code: str
    message: str
    retryable: bool
    request_id: str
    detail: str
    error: OpenAIErrorJson
    errors: list[dict[str, Any]] | None = None
    data: Any = None
    pointer: str | None = None
    tool: str | None = None
    entity_type: str | None = None
    entity_id: str | None = None
    suggestion: str | None = None


class Problem(NamedTuple):
    """An answer; `body` is JSON text."""

    status: int
    headers: dict[str, str]
    body: str


def openai_error(error: AishaError) -> dict[str, Any]:
    """Return the members that OpenAI's clients look for."""
    kind = _TYPES.get(error.status) or ("server_error" if error.status >= 500 else "invalid_request_error")
    param = error.pointer.strip("/").replace("/", ".") if error.pointer else None
    return {"message": error.message, "type": kind, "param": param, "code": error.code}


def _are_pointed_at(facts: Any) -> bool:
    """Return whether these are errors at places of the input, as RFC 9457's example of `errors` has them."""
    return isinstance(facts, list) and all(isinstance(fact, dict) and "pointer" in fact for fact in facts)


def problem(error: BaseException, request_id: str) -> Problem:
    """Return the answer to an error. An unexpected error's own text is not part of it."""
    public = public_error(error)
    members = public.members()
    facts = members.pop("detail", None)
    document = {
        "type": f"urn:aisha:problem:{public.code}",
        "title": _TITLES.get(public.status) or HTTPStatus(public.status).phrase,
        "status": public.status,
        "detail": public.message,
        **({"suggestion": _SUGGESTIONS[public.code]} if public.code in _SUGGESTIONS else {}),
        **members,
        "request_id": request_id,
        "error": openai_error(public),
    }
    if facts is not None:
        document["errors" if _are_pointed_at(facts) else "data"] = facts
    headers = {"content-type": CONTENT_TYPE, "x-request-id": request_id, "cache-control": "no-store"}
    if isinstance(public, UnauthenticatedError):
        headers["www-authenticate"] = "Bearer"
    if isinstance(public, UnavailableError) and public.retryable:
        headers["retry-after"] = str(RETRY_SECONDS)
    if isinstance(public, RateLimitedError | InProgressError):
        headers["retry-after"] = str(public.retry_after)
    return Problem(public.status, headers, json.dumps(document, ensure_ascii=False, default=str))
