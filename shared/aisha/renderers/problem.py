"""Errors as RFC 9457 problem documents, the one error object of every HTTP endpoint."""

import json
from http import HTTPStatus
from typing import Any, NamedTuple

from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InProgressError, RateLimitedError, UnauthenticatedError, UnavailableError, as_told

CONTENT_TYPE = "application/problem+json"
RETRY_SECONDS = 2
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
"""The titles of RFC 9110, which Python has only since 3.13."""


class ProblemJson(DeferredModel):
    """RFC 9457 problem details with the members of the one error object. `code` never changes, `message` is for people.

    `pointer` is the JSON pointer of what does not fit; `retryable` says whether the same request may succeed later.
    """

    type: str
    title: str
    status: int
    code: str
    message: str
    retryable: bool
    request_id: str
    detail: Any = None
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


def problem(error: BaseException, request_id: str) -> Problem:
    """Return the answer to an error. An unexpected error's own text is not part of it."""
    public = as_told(error)
    document = {
        "type": f"urn:aisha:problem:{public.code}",
        "title": _TITLES.get(public.status) or HTTPStatus(public.status).phrase,
        "status": public.status,
        **public.members(),
        "request_id": request_id,
    }
    headers = {"content-type": CONTENT_TYPE, "x-request-id": request_id, "cache-control": "no-store"}
    if isinstance(public, UnauthenticatedError):
        headers["www-authenticate"] = "Bearer"
    if isinstance(public, UnavailableError) and public.retryable:
        headers["retry-after"] = str(RETRY_SECONDS)
    if isinstance(public, RateLimitedError | InProgressError):
        headers["retry-after"] = str(public.retry_after)
    return Problem(public.status, headers, json.dumps(document, ensure_ascii=False, default=str))
