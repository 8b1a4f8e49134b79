"""The recommendation of a scan that takes the user's suggestions into account."""

from time import monotonic

from aisha.application.scans.recommendation import NextScan, next_scan
from aisha.application.suggestions.store import count_suggestions
from aisha.application.tenants.sweep_enrolment import enrol
from aisha.application.tooling.context import ToolContext
from aisha.domain.ports import ChatModel


def recommended_scan(context: ToolContext) -> NextScan:
    """Return the scan to run next by rules alone."""
    counts = count_suggestions(context)
    return next_scan(context, counts.pending, counts.accepted)


def recommend_scan(
    context: ToolContext,
    model: ChatModel,
    seconds: float,
    selection: tuple[str | None, str | None] = (None, None),
) -> NextScan:
    """Return the scan to run next, and enrol the tenant for the daily sweep.

    The `model` has at most `seconds`. `selection` is the provider and the model that the user chose. Raises
    `InvalidInputError` for unknown ones.
    """
    enrol(context.ports.entries, context.principal.tenant)
    counts = count_suggestions(context)
    return next_scan(context, counts.pending, counts.accepted, model, monotonic() + seconds, selection)
