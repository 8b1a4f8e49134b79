"""The shared components of the API description: headers, parameters and problem documents."""

import json
from http import HTTPStatus
from typing import Any

from aisha.domain.errors import (
    AishaError,
    BudgetExceededError,
    ChangedMeanwhileError,
    ConflictError,
    DeadlineExceededError,
    GoneError,
    InvalidInputError,
    MalformedRequestError,
    NotFoundError,
    NotSetUpError,
    PayloadTooLargeError,
    PermissionDeniedError,
    RateLimitedError,
    UnauthenticatedError,
    UnavailableError,
    VersionNeededError,
)
from aisha.renderers.problem import CONTENT_TYPE, problem

REF = "#/components/schemas/{model}"
RATE_LIMITS = {
    "ratelimit": {"$ref": "#/components/headers/RateLimit"},
    "ratelimit-policy": {"$ref": "#/components/headers/RateLimitPolicy"},
}
REQUEST_ID = "6f8e4c1a-1f0b-4f7e-9a55-0d7b7f0c9d11"


ERRORS = {
    error.status: error
    for error in (
        MalformedRequestError("The body is not JSON."),
        UnauthenticatedError("The bearer token is missing, expired or not valid."),
        BudgetExceededError("The tenant's budget for models is used up this month."),
        PermissionDeniedError("The user may not do this."),
        NotFoundError("It does not exist, or it belongs to another user."),
        ConflictError("It was changed meanwhile, or its state does not allow this."),
        GoneError("It was used or has expired."),
        ChangedMeanwhileError("Somebody else has changed the record; the message says what."),
        VersionNeededError("Send the record's `ETag` as `If-Match`."),
        PayloadTooLargeError("The request is larger than 256 KiB."),
        InvalidInputError("The input has a wrong shape or value; `pointer` says where.", pointer="/message"),
        RateLimitedError("Too many requests; try again after `Retry-After` seconds."),
        AishaError("Something broke on our side; the request id finds it."),
        NotSetUpError("This deployment is not set up for it; the message says what to set."),
        UnavailableError("Something it needs does not answer; try again after `Retry-After` seconds."),
        DeadlineExceededError("It took too long; try again."),
    )
}


def problem_response(status: int) -> dict[str, Any]:
    headers = {"x-request-id": {"$ref": "#/components/headers/RequestId"}}
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers |= RATE_LIMITS
    # Both say when to come back.
    if status in (429, 503):
        headers["retry-after"] = {"$ref": "#/components/headers/RetryAfter"}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = {"$ref": "#/components/headers/Challenge"}
    content = {
        "schema": {"$ref": REF.format(model="Problem")},
        "example": json.loads(problem(ERRORS[status], REQUEST_ID).body),
    }
    return {"description": ERRORS[status].message, "headers": headers, "content": {CONTENT_TYPE: content}}


def header_components() -> dict[str, Any]:
    return {
        "RequestId": {"description": "Names this request in the logs.", "schema": {"type": "string"}},
        "RetryAfter": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 0}},
        "RateLimit": {
            "description": "What is left of each limit (`r`) and for how many seconds (`t`), as "
            "draft-ietf-httpapi-ratelimit-headers-11 has it. A 429 of the gateway itself does not have it.",
            "schema": {"type": "string"},
            "example": '"user";r=99;t=42, "tenant";r=480;t=2142',
        },
        "RateLimitPolicy": {
            "description": "The limits of the user and of the tenant: requests (`q`) in so many seconds (`w`).",
            "schema": {"type": "string"},
            "example": '"user";q=100;w=60, "tenant";q=500;w=3600',
        },
        "ETag": {"description": "Names the state of the record, for `If-Match`.", "schema": {"type": "string"}},
        "Challenge": {"description": "How to sign in.", "schema": {"type": "string", "const": "Bearer"}},
    }


def parameter_components() -> dict[str, Any]:
    text = (
        "Names this request, e.g. a UUID. The same key and request within 24 hours does nothing again and gets the "
        "first "
        "answer, with the header `idempotent-replayed`; another request with it is refused."
    )
    schema = {"type": "string", "minLength": 1, "maxLength": 255}
    key = {"name": "Idempotency-Key", "in": "header", "required": False, "description": text, "schema": schema}
    text = "The `ETag` of the record as it was read; `*` for whatever is there now."
    version = {"name": "If-Match", "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
    return {"IdempotencyKey": key, "IfMatch": version}
