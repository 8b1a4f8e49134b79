"""Keep the receipts of a user's writes for a day, so that the last one can be undone."""

from datetime import timedelta
from typing import Any

from aisha.application.tooling.context import ToolContext
from aisha.domain.errors import AishaError
from aisha.domain.tool_results import receipts_in
from aisha.domain.tools import ToolSpec

KIND = "receipt"
"""The kind of the entries."""
UNDO_TOOL = "undo_last"
"""Leaves no receipt itself: the next undo takes back the write before."""
RECEIPT_TTL = timedelta(hours=24)


def keep_receipts(context: ToolContext, spec: ToolSpec, value: Any) -> None:
    """Store what a write did. A store that does not answer fails no write that is done: the call's log says so."""
    if spec.access == "read" or spec.name == UNDO_TOOL or not (receipts := [dict(one) for one in receipts_in(value)]):
        return
    body = {
        "tool": spec.name,
        "is_outside": spec.access == "external",
        "receipts": receipts,
        "operation": context.operation_id,
    }
    try:
        context.own.add(KIND, body, expires_at=context.clock.now() + RECEIPT_TTL)
    except AishaError as error:
        context.log(f"The receipt could not be kept: {error.message}")
