"""The errors of the assistant, under one root.

AishaError
├── InvalidInputError          422  the request's shape or values are wrong, at `pointer`
│   ├── MalformedRequestError  400  the body is not JSON
│   └── MissingFieldError      422  a tool needs a value that is missing
├── UnauthenticatedError       401
├── PermissionDeniedError      403
├── NotFoundError              404  also for ids of another tenant
├── MethodNotAllowedError      405
├── ConflictError              409  the record was changed meanwhile, or its state forbids the step
│   ├── ContentionError        409  others are changing the same thing right now; try again
│   │   └── InProgressError    409  the same request is being processed; try again after `retry_after`
│   ├── NeedsConfirmationError 409  a call needs the user's confirmation, and this client can't ask
│   ├── ChangedMeanwhileError  412  the record is not in the state that `If-Match` names
│   └── VersionNeededError     428  a change has to name the state that it is based on, with `If-Match`
├── ToolFailedError            500  a tool's own code failed
├── WriteUndecidedError        409  another CRM may have done a write, or a part of it; the user has to look
├── GoneError                  410  a confirmation was used already or has expired
├── PayloadTooLargeError       413
├── RateLimitedError           429  too many requests of a user or a tenant; try again after `retry_after`
├── NotSetUpError              501  this deployment is not configured for it
│   ├── EmbeddingUnavailableError  501
│   ├── SpeechUnavailableError     501  no voice; clients can use their own
│   └── RealtimeUnavailableError   501
├── UnavailableError           503  a dependency does not respond; try again
│   ├── AnswerLostError        503  another CRM may have done what it was asked; its answer never came
│   ├── UnreadableRecordError  503  another CRM has the record, which does not fit its mapping file
│   └── ModelUnavailableError  503  one provider, or all of a chain
│       ├── ModelNotSetUpError 501  no provider has a key
│       └── BudgetError        503  the tenant's budget can't be read: no paid model was asked
│           └── BudgetExceededError 402  the tenant's monthly budget is used up
└── DeadlineExceededError      504
"""

from typing import Any

UNEXPECTED = "Something went wrong on our side. Please try again; if it happens again, give your admin the request id."


class AishaError(Exception):
    """Root of the tree. `message` tells people what to do; `code` is for programs and never changes."""

    # What an unexpected error is; subclasses replace it.
    code = "internal_error"
    status = 500
    retryable = False

    def __init__(
        self,
        message: str,
        *,
        detail: Any = None,
        pointer: str | None = None,
        tool: str | None = None,
        entity_type: str | None = None,
        entity_id: str | None = None,
        suggestion: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.pointer = pointer
        self.tool = tool
        self.entity_type = entity_type
        self.entity_id = entity_id
        self.suggestion = suggestion

    def members(self) -> dict[str, Any]:
        """Return the members of the error object (`code, message, detail?, tool?, ...`), without empty ones."""
        members: dict[str, Any] = {"code": self.code, "message": self.message, "retryable": self.retryable}
        for name in ("detail", "pointer", "tool", "entity_type", "entity_id", "suggestion"):
            if (value := getattr(self, name)) is not None:
                members[name] = value
        return members


def public_error(error: BaseException) -> AishaError:
    """Return the error to show to a caller: an unexpected one becomes a general `AishaError` without details."""
    # The message of any other error may quote data, a query or a path.
    return error if isinstance(error, AishaError) else AishaError(UNEXPECTED)


class InvalidInputError(AishaError):
    code, status = "invalid_input", 422


class MalformedRequestError(InvalidInputError):
    code, status = "malformed_request", 400


class MissingFieldError(InvalidInputError):
    """A tool needs `field`; the user is asked for it."""

    code = "missing_field"

    def __init__(self, field: str, *, suggestion: str, **members: Any) -> None:
        super().__init__(f"Missing required field: {field}", suggestion=suggestion, detail={"field": field}, **members)
        self.field = field


class UnauthenticatedError(AishaError):
    code, status = "unauthenticated", 401


class PermissionDeniedError(AishaError):
    code, status = "permission_denied", 403


class NotFoundError(AishaError):
    code, status = "not_found", 404


class MethodNotAllowedError(AishaError):
    code, status = "method_not_allowed", 405


class ConflictError(AishaError):
    code, status = "conflict", 409


class ContentionError(ConflictError):
    """Others change the same thing at this moment: the same request may succeed when it is repeated."""

    retryable = True


class InProgressError(ContentionError):
    """An earlier request with the same key still runs. `retry_after` is in seconds."""

    code, retry_after = "in_progress", 2


class NeedsConfirmationError(ConflictError):
    code = "needs_confirmation"


class ChangedMeanwhileError(ConflictError):
    code, status = "changed_meanwhile", 412


class VersionNeededError(ConflictError):
    code, status = "version_needed", 428


class ToolFailedError(AishaError):
    code, retryable = "tool_failed", True


class WriteUndecidedError(AishaError):
    # Not retryable: a repetition might write a second time.
    code, status = "write_undecided", 409


class GoneError(AishaError):
    code, status = "gone", 410


class PayloadTooLargeError(AishaError):
    code, status = "payload_too_large", 413


class RateLimitedError(AishaError):
    """Too many requests. `retry_after` is in seconds."""

    code, status, retryable = "rate_limited", 429, True

    def __init__(self, message: str, *, retry_after: int = 1, **members: Any) -> None:
        super().__init__(message, **members)
        self.retry_after = retry_after


class NotSetUpError(AishaError):
    code, status = "not_set_up", 501


class EmbeddingUnavailableError(NotSetUpError):
    code = "embedding_unavailable"


class SpeechUnavailableError(NotSetUpError):
    code = "speech_unavailable"


class RealtimeUnavailableError(NotSetUpError):
    code = "realtime_unavailable"


class UnavailableError(AishaError):
    code, status, retryable = "unavailable", 503, True


class AnswerLostError(UnavailableError):
    code = "answer_lost"


class UnreadableRecordError(UnavailableError):
    code = "unreadable_record"


class ModelUnavailableError(UnavailableError):
    code = "model_unavailable"

    @property
    def provider_request_id(self) -> str | None:
        """The provider's id of the failed request, or None."""
        return self.detail.get("request_id") if isinstance(self.detail, dict) else None


class ModelNotSetUpError(ModelUnavailableError):
    """No provider of the chain has a key, so none was asked."""

    # Only an admin can change that, so clients should not try again.
    code, status, retryable = "model_not_set_up", 501, False


class BudgetError(ModelUnavailableError):
    code = "budget_unavailable"


class BudgetExceededError(BudgetError):
    code, status, retryable = "budget_exceeded", 402, False


class DeadlineExceededError(AishaError):
    code, status, retryable = "deadline_exceeded", 504, True
