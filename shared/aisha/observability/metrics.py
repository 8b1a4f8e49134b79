"""Metrics in CloudWatch's embedded metric format: JSON lines on stdout, from which CloudWatch extracts the metrics.

A request writes one line for each set of dimensions that it measured. The tenant is in the line, to be searched for,
and no dimension: every new value of a dimension is another metric to pay for. Powertools' `Metrics` does not fit: it
collects into one object of the process, where requests that run at the same time would mix, and writes one set of
dimensions.
"""

import json
import sys
from collections.abc import Mapping
from time import time
from typing import Any

from aisha.observability.request_context import Dimensions, Scope, current
from aisha.settings import settings

SERVICE = "aisha"
NAMESPACE = settings().metrics_namespace
MAX_VALUES = 100
"""The maximum number of a metric's values in one line, by the format's specification."""
_MS, _COUNT, _NONE = "Milliseconds", "Count", "None"
UNITS = {
    # of a request, by route
    "Latency": _MS,
    "Errors": _COUNT,
    # of a turn, by route
    "TurnLatency": _MS,
    "TimeToFirstToken": _MS,
    "LoadLatency": _MS,
    "EnrichLatency": _MS,
    "PromptLatency": _MS,
    "ModelsLatency": _MS,
    "ToolsLatency": _MS,
    "ConcludeLatency": _MS,
    "SaveLatency": _MS,
    "Rounds": _COUNT,
    "Degraded": _COUNT,
    "TurnFailures": _COUNT,
    "ConfirmationsAsked": _COUNT,
    "ConfirmationsApproved": _COUNT,
    "ConfirmationsDeclined": _COUNT,
    # of a model call, by provider and model
    "ModelLatency": _MS,
    "ModelTimeToFirstToken": _MS,
    "ModelErrors": _COUNT,
    "InputTokens": _COUNT,
    "OutputTokens": _COUNT,
    "CostUSD": _NONE,
    # of a tool call, by tool
    "ToolLatency": _MS,
    "ToolErrors": _COUNT,
    # of a brainlet, by its name
    "BrainletLatency": _MS,
    "BrainletFailures": _COUNT,
    # of failures and refusals
    "BudgetRefusals": _COUNT,
    "RateLimited": _COUNT,
    "RateLimiterUnavailable": _COUNT,
    "MemoryUnavailable": _COUNT,
    "AuditEntriesLost": _COUNT,
}
"""Every metric with its unit."""
DIMENSIONS = ("route", "provider", "model", "tool", "limit", "brainlet")
_METADATA = ("tenant", "request_id", "correlation_id", "message_id", "conversation_id")


def measure(name: str, value: float = 1, /, **dimensions: str) -> None:
    """Add a value to a metric. It is written when the request ends, or at once outside of one.

    Every metric is also written without its dimensions, for the whole service.
    """
    key, scope = tuple(dimensions.items()), current()
    if scope is None or scope.is_over:
        _write(key, {name: [float(value)]}, scope.fields if scope else {})
    else:
        scope.add(key, name, float(value))


def count_for(tenant: str, name: str, /, **dimensions: str) -> None:
    """Add 1 to a metric where the request's fields may not have their tenant yet."""
    scope = current()
    if scope is None:
        _write(tuple(dimensions.items()), {name: [1.0]}, {"tenant": tenant})
    else:
        scope.fields.setdefault("tenant", tenant)
        measure(name, **dimensions)


def write_measured(scope: Scope) -> None:
    """Write what a request measured, at its end."""
    # Marked as over first: a thread that still works writes its values itself from now on.
    measured, scope.measured, scope.is_over = scope.measured, {}, True
    for dimensions, values in measured.items():
        _write(dimensions, values, scope.fields)


def _write(dimensions: Dimensions, values: Mapping[str, list[float]], fields: Mapping[str, Any]) -> None:
    while values and settings().metrics:
        first = {name: numbers[:MAX_VALUES] for name, numbers in values.items()}
        sys.stdout.write(_emf_line(dimensions, first, fields))
        values = {name: remaining for name, numbers in values.items() if (remaining := numbers[MAX_VALUES:])}


def _emf_line(dimensions: Dimensions, values: Mapping[str, list[float]], fields: Mapping[str, Any]) -> str:
    # One line feeds two metrics: one of the whole service and one with all dimensions.
    names = [["service"]]
    if dimensions:
        names.append(["service", *(name for name, _ in dimensions)])
    directive = {
        "Namespace": NAMESPACE,
        "Dimensions": names,
        "Metrics": [{"Name": name, "Unit": UNITS[name]} for name in values],
    }
    metadata = {name: fields[name] for name in _METADATA if name in fields}
    head = {"_aws": {"Timestamp": int(time() * 1000), "CloudWatchMetrics": [directive]}, "service": SERVICE}
    return json.dumps(head | dict(dimensions) | dict(values) | metadata, separators=(",", ":")) + "\n"
