"""JSON lines on stdout. Each says which request or message it belongs to; none says what people and models wrote.

Where the setting `log_content` is on, the messages of errors and a turn's texts and calls are logged, too, but for fields
of sensitive names.
"""

import logging
import traceback
from types import TracebackType
from typing import TYPE_CHECKING

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from aisha.domain.errors import AishaError
from aisha.observability.metrics import SERVICE, measure, measure_for
from aisha.observability.request_context import current
from aisha.settings import settings

if TYPE_CHECKING:
    from aisha.application.tenants.limits import Admission
    from aisha.application.turn.brainlets.spec import Brainlet

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def logs_content() -> bool:
    """Whether the settings want content logged."""
    return settings().log_content


class ContentFreeFormatter(LambdaPowertoolsFormatter):
    """Powertools' JSON with traces that name the errors and where they were raised: what they say may quote a user."""

    def formatException(self, ei: ExceptionInfo) -> str:
        if logs_content() or ei[1] is None:
            return super().formatException(ei)
        parts, error = [], ei[1]
        seen: set[int] = set()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            parts.append("".join(traceback.format_tb(error.__traceback__)) + _name_of(error))
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)  # type: ignore[assignment]
        return "\n\nwhich came of\n\n".join(parts)


def _in_scope(record: logging.LogRecord) -> bool:
    """Adds what is known of the request to a line about it."""
    if (scope := current()) is not None:
        for name, value in scope.fields.items():
            record.__dict__.setdefault(name, value)
    record.__dict__.pop("taskName", None)
    if not logs_content():
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
    """Notes an error unless it was raised on purpose: those the caller is told, and they are nobody's fault here."""
    if not isinstance(error, AishaError) or type(error) is AishaError:
        log_failure(error, request_id)


def log_failure(error: BaseException, request_id: str) -> None:
    """Notes an error that nobody raised on purpose, with its trace; the caller gets only the request id."""
    logger.error("unexpected error", exc_info=error, extra={"request_id": request_id, "error": type(error).__name__})


def error_fields(error: BaseException) -> dict[str, str]:
    """What a line says of an error: its kind, and what it says where content is logged."""
    fields = {"error": type(error).__name__}
    if isinstance(error, AishaError):
        fields["code"] = error.code
    return fields | ({"reason": str(error)} if logs_content() else {})


def log_admission(admission: "Admission", tenant: str) -> None:
    """Counts requests that a limit refused, by limit, and those that nobody could count and that were let in."""
    if admission.refusal:
        measure_for(tenant, "RateLimited", limit=admission.refusal.detail["limit"])
    elif not admission.is_counted:
        measure_for(tenant, "RateLimiterUnavailable")


def log_brainlet_failure(brainlet: "Brainlet", error: Exception) -> None:
    """Notes a brainlet that was left out of a turn, and counts it; the turn went on without it."""
    logger.warning("brainlet left out", exc_info=error, extra={"brainlet": brainlet.name, **error_fields(error)})
    measure("BrainletFailures", brainlet=brainlet.name)
    if brainlet.counts_memory:
        measure("MemoryUnavailable")


def log_audit_loss(error: AishaError, count: int) -> None:
    """Notes audit entries that could not be recorded: of reads, which were answered, or the outcomes of writes."""
    logger.error("audit entries lost", extra={"entries": count, **error_fields(error)})
    measure("AuditEntriesLost", count)


def log_message_failure(what: str, error: Exception, message_id: str, tries: int) -> None:
    """Notes a message of a queue that failed at this try."""
    logger.warning(what, exc_info=error, extra={"message_id": message_id, "tries": tries, **error_fields(error)})


def _name_of(error: BaseException) -> str:
    kind = type(error)
    return f"{kind.__module__}.{kind.__qualname__}" if kind.__module__ != "builtins" else kind.__qualname__
