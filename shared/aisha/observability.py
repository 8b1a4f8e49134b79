"""Logger and metrics, set up once. What people and models write to each other is never logged nor measured."""

from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from aisha.application.limits import Admission
from aisha.domain.errors import AishaError
from aisha.settings import settings

SERVICE = "aisha"
NAMESPACE = "AiSHA"

logger = Logger(service=SERVICE, level=settings().log_level, utc=True, log_uncaught_exceptions=False)


def log_unexpected(error: BaseException, request_id: str) -> None:
    """Notes an error unless it was raised on purpose: those the caller is told, and they are nobody's fault here."""
    if not isinstance(error, AishaError) or type(error) is AishaError:
        log_failure(error, request_id)


def log_failure(error: BaseException, request_id: str) -> None:
    """Notes an error that nobody raised on purpose, with its trace; the caller gets only the request id."""
    logger.error("unexpected error", exc_info=error, extra={"request_id": request_id, "error": type(error).__name__})


def log_request(route: str, status: int, request_id: str, duration_ms: float, tenant: str | None = None) -> None:
    """One log line for each request, and its latency and server errors as metrics by route.

    The metrics are the request's own: functions that serve many at once would mix shared ones up.
    """
    extra = {"route": route, "status": status, "request_id": request_id, "duration_ms": round(duration_ms, 1)}
    logger.info("request", extra=extra | ({"tenant": tenant} if tenant else {}))
    metrics = EphemeralMetrics(namespace=NAMESPACE, service=SERVICE)
    metrics.add_dimension(name="route", value=route)
    metrics.add_metric(name="Latency", unit=MetricUnit.Milliseconds, value=duration_ms)
    metrics.add_metric(name="Errors", unit=MetricUnit.Count, value=int(status >= 500))
    metrics.flush_metrics()


def log_admission(admission: Admission, tenant: str) -> None:
    """Counts requests that a limit refused, by limit, and those that nobody could count and that were let in."""
    if admission.is_counted and admission.refusal is None:
        return
    metrics = EphemeralMetrics(namespace=NAMESPACE, service=SERVICE)
    if admission.refusal:
        metrics.add_dimension(name="limit", value=admission.refusal.detail["limit"])
    name = "RateLimited" if admission.refusal else "RateLimiterUnavailable"
    metrics.add_metadata(key="tenant", value=tenant)
    metrics.add_metric(name=name, unit=MetricUnit.Count, value=1)
    metrics.flush_metrics()


def log_brainlet_failure(name: str, error: Exception) -> None:
    """Notes a brainlet that was left out of a turn, and counts it; the turn went on without it."""
    logger.warning("brainlet left out", exc_info=error, extra={"brainlet": name, "error": type(error).__name__})
    metrics = EphemeralMetrics(namespace=NAMESPACE, service=SERVICE)
    metrics.add_dimension(name="brainlet", value=name)
    metrics.add_metric(name="BrainletFailures", unit=MetricUnit.Count, value=1)
    metrics.flush_metrics()


def log_audit_loss(error: AishaError, count: int) -> None:
    """Notes audit entries that could not be recorded: of reads, which were answered, or the outcomes of writes."""
    logger.error("audit entries lost", extra={"entries": count, "error": type(error).__name__, "reason": error.message})
    metrics = EphemeralMetrics(namespace=NAMESPACE, service=SERVICE)
    metrics.add_metric(name="AuditEntriesLost", unit=MetricUnit.Count, value=count)
    metrics.flush_metrics()
