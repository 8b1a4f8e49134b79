"""The tool that takes back the user's last change."""

from aisha.application.records import undo
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.results import Receipt
from aisha.domain.deferred_model import DeferredModel


class Undone(DeferredModel):
    """The writes that took the change back, in order. `operation` names the write that was taken back."""

    receipts: list[Receipt]
    operation: str | None = None


@toolkit(name="assistant", description="What the assistant needs for itself.")
class Undo:
    @tool(
        access="write",
        ordered_by=("undo",),
        guidance="When the user wants the last change taken back (undo, revert, that was wrong), call undo_last; say "
        "what it restored.",
        examples=(
            "undo that",
            "undo",
            "undo the last change",
            "revert that",
            "take that back",
            "please undo what you just did",
            "roll that back",
        ),
        typical_followups=(followups.NEXT_STEPS, followups.MY_DAY, followups.PIPELINE),
    )
    def undo_last(self, context: ToolContext) -> Undone:
        """Take back the user's last change, all its records together, within 24 hours.

        Restores what was deleted or changed and removes what was created. Refused when a record has changed since, and
        for what left the CRM, such as an email.
        """
        receipts, operation = undo.undo_last(context)
        return Undone(receipts=receipts, operation=operation)
