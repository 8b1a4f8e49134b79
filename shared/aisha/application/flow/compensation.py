"""Takes back what the steps of a named flow did when a later one of them failed."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.application.flow.steps import Step
from aisha.application.records.undo import inverse
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.receipts import KIND as RECEIPT
from aisha.application.tooling.results import Receipt
from aisha.application.turn.state import Turn
from aisha.domain.errors import AishaError
from aisha.domain.tool_results import receipts_in

_RECENT = 20
"""Kept receipts that are looked through for those of the plan: a plan has at most 16 steps."""


def take_back(turn: Turn, steps: Sequence[Step], operation: str) -> None:
    """Deletes what the steps created and restores what they changed, the last first, all or nothing a step.

    What somebody else changed meanwhile stays, with a warning.
    """
    for step in reversed(steps):
        receipts = list(receipts_in(step.value))
        if step.status != "executed" or not receipts:
            continue
        context = turn.context(f"{operation}.{step.id}.undo")
        try:
            written = context.records.write(*(inverse(receipt) for receipt in reversed(receipts)))
            if turn.input.trail is not None:
                done = [Receipt.of(one).model_dump(mode="json", exclude_none=True) for one in written]
                turn.input.trail.took_back(step.tool, done, context.operation_id, turn.input.deps.ports.sensitive)
            _forget(context, receipts)
        except AishaError as error:
            turn.record.warn(f"What was done before the failure could not be taken back: {error.message}")
        else:
            step.end("undone", "a later step failed, so it was taken back")


def _forget(context: ToolContext, receipts: Sequence[Mapping[str, Any]]) -> None:
    """There is nothing left that the user could undo."""
    for entry in context.own.page(RECEIPT, limit=_RECENT).items:
        if entry.body.get("receipts") == receipts:
            context.own.delete(RECEIPT, entry.id)
