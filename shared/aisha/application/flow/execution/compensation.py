"""Compensation: the writes of a named flow's steps are undone when a later step of it fails."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.application.flow.steps import Step
from aisha.application.records.undo import inverse
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.receipts import KIND as RECEIPT
from aisha.application.tooling.results import Receipt
from aisha.application.turn.state import Turn
from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.errors import AishaError

MAX_RECEIPTS = 20
"""Stored receipts that are searched for those of the plan, which has at most 16 steps."""


def undo_steps(turn: Turn, steps: Sequence[Step], operation: str) -> None:
    """Delete the records that the steps created and restore those that they changed, the last step first.

    Each step is undone as a whole or not at all. A step whose records someone else has changed since is left as it is,
    with a warning.
    """
    for step in reversed(steps):
        receipts = list(receipts_in(step.value))
        if step.status != "executed" or not receipts:
            continue
        # An operation of its own: under the step's, the store would take this for a repetition of the step's write.
        context = turn.context(f"{operation}.{step.id}.undo")
        try:
            undone = context.records.write(*(inverse(receipt) for receipt in reversed(receipts)))
            if turn.input.trail is not None:
                undo_receipts = [Receipt.of(change).model_dump(mode="json", exclude_none=True) for change in undone]
                turn.input.trail.record_compensation(
                    step.tool, undo_receipts, context.operation_id, turn.input.deps.ports.sensitive
                )
            _delete_receipts(context, receipts)
        except AishaError as error:
            turn.record.warn(f"What was done before the failure could not be taken back: {error.message}")
        else:
            step.end("undone", "a later step failed, so it was taken back")


def _delete_receipts(context: ToolContext, receipts: Sequence[Mapping[str, Any]]) -> None:
    """Delete the stored receipts, so that the user cannot undo the step again."""
    for entry in context.own.page(RECEIPT, limit=MAX_RECEIPTS).items:
        if entry.body.get("receipts") == receipts:
            context.own.delete(RECEIPT, entry.id)
