"""How old the copy of another CRM's records is, where an answer has to say it."""

from collections.abc import Mapping
from typing import Any

from aisha.application.connections.sync import copy_age, sync_state
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet


def is_connected(turn: BrainletView) -> bool:
    """Return whether the tenant's records are in another CRM."""
    return bool(turn.ports.profile(turn.principal.tenant).get("crm"))


@brainlet(stage="pre", applies=is_connected, options=BrainletOptions(seconds=2.0))
def crm_copy(outputs: Mapping[str, Any], turn: BrainletView) -> dict[str, str] | None:
    """Tell the model and the user the time of the copy while the CRM does not answer."""
    tenant = turn.principal.tenant
    if (at := copy_age(sync_state(turn.ports.entries, tenant), turn.now)) is None:
        return None
    local = at.astimezone(turn.now.tzinfo)
    when = f"{local:%H:%M}" if local.date() == turn.now.date() else f"{local:%d %B, %H:%M}"
    text = f"Records are as of {when}: the CRM has not answered since."
    turn.add_insight(text)
    return {"as_of": at.isoformat(), "say": text}
