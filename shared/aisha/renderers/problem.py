"""Errors as RFC 9457 problem documents, the one error object of every door that speaks HTTP."""

import json
from http import HTTPStatus
from typing import Any, NamedTuple

from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InProgressError, RateLimitedError, UnauthenticatedError, UnavailableError, as_told

CONTENT_TYPE = "application/problem+json"
RETRY_SECONDS = 2
_TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
"""RFC 9110's, which Python has only since 3.13."""


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
    """An answer: `body` is JSON text."""

    status: int
    headers: dict[str, str]
    body: str


def problem(error: BaseException, request_id: str) -> Problem:
    """The answer to an error: what was raised on purpose says so itself, of anything else only that it happened."""
    told = as_told(error)
    document = {
        "type": f"urn:aisha:problem:{told.code}",
        "title": _TITLES.get(told.status) or HTTPStatus(told.status).phrase,
        "status": told.status,
        **told.members(),
        "request_id": request_id,
    }
    headers = {"content-type": CONTENT_TYPE, "x-request-id": request_id, "cache-control": "no-store"}
    if isinstance(told, UnauthenticatedError):
        headers["www-authenticate"] = "Bearer"
    if isinstance(told, UnavailableError) and told.retryable:
        headers["retry-after"] = str(RETRY_SECONDS)
    if isinstance(told, RateLimitedError | InProgressError):
        headers["retry-after"] = str(told.retry_after)
    return Problem(told.status, headers, json.dumps(document, ensure_ascii=False, default=str))
