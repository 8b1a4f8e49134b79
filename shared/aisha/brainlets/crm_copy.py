"""Brainlets that tell how complete and how old the copy of another CRM's records is, and what that CRM lacks."""

from collections.abc import Mapping
from typing import Any

from aisha.application.connections.sync_state import copy_age, sync_state
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.domain.conversations.tool_results import receipts_in


def is_connected(turn: BrainletView) -> bool:
    """Return whether the tenant's records are in another CRM."""
    return bool(turn.ports.profile(turn.principal.tenant).get("crm"))


@brainlet(stage="pre", applies=is_connected, options=BrainletOptions(seconds=2.0))
def crm_copy(outputs: Mapping[str, Any], turn: BrainletView) -> dict[str, str] | None:
    """Tell the model and the user that the copy is not complete yet, or its time while newer changes are missing."""
    state = sync_state(turn.ports.entries, turn.principal.tenant)
    if state is None or state.synced_at is None:
        mark, as_of = "still being read", {}
        number = f": {state.loaded:,} so far" if state and state.loaded else ""
        text = f"The CRM's records are {mark}{number}. What is not found here may be there."
    elif (at := copy_age(state, turn.now)) is not None:
        local = at.astimezone(turn.now.tzinfo)
        mark = f"{local:%H:%M}" if local.date() == turn.now.date() else f"{local:%d %B, %H:%M}"
        reason = "the CRM has not answered since" if state.error else "what has changed since is still being read"
        text, as_of = f"Records are as of {mark}: {reason}.", {"as_of": at.isoformat()}
    else:
        return None
    turn.add_insight(text)
    turn.close_reply(mark, text)
    return {**as_of, "say": text}


def has_written_there(turn: BrainletView) -> bool:
    """Return whether the turn has written records of another CRM."""
    return is_connected(turn) and any(call.has_written for call in turn.calls)


@brainlet(stage="post", applies=has_written_there, options=BrainletOptions(computes_only=True))
def crm_only_here(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Name the fields that were kept in AiSHA alone, because the CRM has no place for them."""
    for call in turn.calls:
        for receipt in receipts_in(call.result.value) if call.result.ok else ():
            if names := receipt.get("only_here"):
                labels = ", ".join(name.replace("_", " ").removeprefix("custom.") for name in names)
                turn.add_insight(f"Kept in AiSHA alone, since the CRM has no place for it: {labels}.")
