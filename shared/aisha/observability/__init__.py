"""Log lines, metrics and traces, without any text that people and models write.

docs/observability.md lists every field, metric and span.
"""

from aisha.observability.lifecycle import begin_request, end_request, message_scope, observed_handler
from aisha.observability.logs import (
    error_fields,
    log_admission,
    log_audit_loss,
    log_brainlet_failure,
    log_message_failure,
    log_unexpected,
    logger,
)
from aisha.observability.tracing import flush

__all__ = [
    "begin_request",
    "end_request",
    "error_fields",
    "flush",
    "log_admission",
    "log_audit_loss",
    "log_brainlet_failure",
    "log_message_failure",
    "log_unexpected",
    "logger",
    "message_scope",
    "observed_handler",
]
