"""Log lines as JSON on stdout. Each names its request or message; none has texts of people and models.

Where the setting `log_content` is on, the messages of errors and a turn's texts and calls are logged, too, except
fields of sensitive names.
"""

import logging
import traceback
from types import TracebackType
from typing import TYPE_CHECKING

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from aisha.domain.errors import AishaError
from aisha.observability.metrics import SERVICE, count_for, measure
from aisha.observability.request_context import current
from aisha.settings import settings

if TYPE_CHECKING:
    from aisha.application.tenants.rate_limits import Admission
    from aisha.application.turn.brainlets.spec import Brainlet

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def logs_content() -> bool:
    """Return whether the settings allow content in logs."""
    return settings().log_content


class ContentFreeFormatter(LambdaPowertoolsFormatter):
    """Powertools' JSON, with traces that have errors' types and places only: their messages may quote a user."""

    def formatException(self, ei: ExceptionInfo) -> str:
        if logs_content() or ei[1] is None:
            return super().formatException(ei)
        parts, error = [], ei[1]
        # A chain of causes can be a cycle.
        seen: set[int] = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            parts.append("".join(traceback.format_tb(error.__traceback__)) + _qualified_name(error))
            context = None if error.__suppress_context__ else error.__context__
            error = error.__cause__ or context  # type: ignore[assignment]
        return "\n\nwhich came of\n\n".join(parts)


def _in_scope(record: logging.LogRecord) -> bool:
    """Add the request's fields to a line."""
    if (scope := current()) is not None:
        for name, value in scope.fields.items():
            # Fields that the call itself names win.
            record.__dict__.setdefault(name, value)
    # Python adds the asyncio task's name, e.g. Task-7, which is of no use.
    record.__dict__.pop("taskName", None)
    if not logs_content():
        # Powertools logs an error's `__notes__` unless the field is set; they may quote a user like its message.
        record.__dict__["exception_notes"] = None
    return True


logger = Logger(
    service=SERVICE,
    level=settings().log_level,
    utc=True,
    log_uncaught_exceptions=False,
    logger_formatter=ContentFreeFormatter(utc=True, serialize_stacktrace=False),
)
for _handler in logger.handlers:
    _handler.addFilter(_in_scope)


def log_unexpected(error: BaseException, request_id: str) -> None:
    """Log an error unless it was raised on purpose: the response then has its message."""
    # The root class itself stands for an unexpected error without its details; only subclasses are raised on purpose.
    if not isinstance(error, AishaError) or type(error) is AishaError:
        log_failure(error, request_id)


def log_failure(error: BaseException, request_id: str) -> None:
    """Log an unexpected error with its trace; the caller gets only the request id."""
    logger.error("unexpected error", exc_info=error, extra={"request_id": request_id, "error": type(error).__name__})


def error_fields(error: BaseException) -> dict[str, str]:
    """Return the fields of a line about an error: its type and code, and its message where content is logged."""
    fields = {"error": type(error).__name__}
    if isinstance(error, AishaError):
        fields["code"] = error.code
    return fields | ({"reason": str(error)} if logs_content() else {})


def log_admission(admission: "Admission", tenant: str) -> None:
    """Count requests that a limit refused, by limit, and those that were let in uncounted."""
    if admission.refusal:
        count_for(tenant, "RateLimited", limit=admission.refusal.detail["limit"])
    elif not admission.is_counted:
        count_for(tenant, "RateLimiterUnavailable")


def log_brainlet_failure(brainlet: "Brainlet", error: Exception) -> None:
    """Log and count a brainlet that was left out of a turn; the turn went on without it."""
    logger.warning("brainlet left out", exc_info=error, extra={"brainlet": brainlet.name, **error_fields(error)})
    measure("BrainletFailures", brainlet=brainlet.name)
    if brainlet.counts_memory:
        measure("MemoryUnavailable")


def log_audit_loss(error: AishaError, count: int) -> None:
    """Log audit entries that could not be recorded: of reads, which were answered, or the outcomes of writes."""
    logger.error("audit entries lost", extra={"entries": count, **error_fields(error)})
    measure("AuditEntriesLost", count)


def log_message_failure(message: str, error: Exception, message_id: str, tries: int) -> None:
    """Log a message of a queue that failed at this try."""
    logger.warning(message, exc_info=error, extra={"message_id": message_id, "tries": tries, **error_fields(error)})


def _qualified_name(error: BaseException) -> str:
    kind = type(error)
    return f"{kind.__module__}.{kind.__qualname__}" if kind.__module__ != "builtins" else kind.__qualname__
