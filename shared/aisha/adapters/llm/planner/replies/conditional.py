"""Answer orders that are denied, only imagined, or wait for something."""

from collections.abc import Mapping

from aisha.adapters.llm.planner.replies.formats import LABELS
from aisha.adapters.llm.planner.state import Ref

NOTHING_CHANGED = "I haven't changed anything. Tell me what to do with which record when you want me to."
UNCHANGED = "I haven't changed anything."
AS_IT_IS = "That is how it is now. I haven't changed anything, and I can't work out what would be different then."
_IMAGINED: Mapping[str, tuple[str, ...]] = {
    "delete": (
        "That would delete **{name}**. “Undo that” would bring it back within a day.",
        "delete the {kind} {name}",
    ),
    "convert": ("That would turn the lead **{name}** into a contact at an account.", "convert the lead {name}"),
    "advance_stage": (
        "That would move the deal **{name}** to {value}, and its probability would change with the stage.",
        "move the deal {name} to {value}",
    ),
    "set_status": ("That would change the status of **{name}** to {value}.", "mark the {kind} {name} as {value}"),
    "update_record": ("That would give **{name}** to {owner}.", "assign the {kind} {name} to {owner}"),
    "set_field": (
        "That would set the {field} of **{name}** to {amount}.",
        "set the {field} of the {kind} {name} to {amount}",
    ),
    "": ("I can't work out what that would change on **{name}**.", ""),
}


def imagined(act: str, ref: Ref, slots: Mapping[str, str]) -> tuple[str, str]:
    """Return what an imagined order would do, and the order that does it; empty where a slot is missing."""
    if act == "advance_stage" and ref.type != "opportunity":
        act = "set_status"
    text, order = _IMAGINED.get(act, _IMAGINED[""])
    names = {"name": ref.name, "kind": LABELS.get(ref.type, (ref.type,))[0], **slots}
    try:
        return f"{text.format_map(names)} I haven't changed anything.", order.format_map(names)
    except KeyError:
        return f"{_IMAGINED[''][0].format_map(names)} I haven't changed anything.", ""


def awaited(order: str) -> str:
    """Return the answer to an order on a condition of which it is not known what it would change."""
    return (
        f"I haven't changed anything: “{order.strip(' .,!?')}” has to wait for something, and I can't wait for it. "
        "Tell me when it has happened, and I'll do it."
    )
