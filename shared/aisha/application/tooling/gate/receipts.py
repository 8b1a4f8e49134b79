"""Storage of the receipts of a user's writes, so that the last one can be undone."""

from datetime import timedelta
from typing import Any

from aisha.application.tooling.context import ToolContext
from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.errors import AishaError
from aisha.domain.tools import ToolSpec

KIND = "receipt"
UNDO_TOOL = "undo_last"
"""The tool whose own writes leave no receipts, so that the next undo reverts the write before."""
RECEIPT_TTL = timedelta(hours=24)


def keep_receipts(context: ToolContext, spec: ToolSpec, value: Any) -> None:
    """Store the receipts of a write. A store that does not answer is only logged: the write is done already."""
    if (
        spec.access == "read"
        or spec.name == UNDO_TOOL
        or not (receipts := [dict(receipt) for receipt in receipts_in(value)])
    ):
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
