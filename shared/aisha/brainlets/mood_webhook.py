"""Tells the deployment's webhook how the user sounds (C-K6)."""

from collections.abc import Mapping
from typing import Any

from aisha.application.turn.brainlets.registry import BrainletOptions, brainlet
from aisha.application.turn.brainlets.view import BrainletTurn


def has_webhook(turn: BrainletTurn) -> bool:
    """Whether one is set up, and there is a mood to tell it."""
    return turn.state.deps.ports.mood_webhook is not None and turn.state.mood is not None


@brainlet(stage="post", depends_on=("mood",), applies=has_webhook, options=BrainletOptions(seconds=2.0))
def mood_webhook(outputs: Mapping[str, Any], turn: BrainletTurn) -> None:
    """The mood that the widget shows, signed; nothing where no webhook is set up."""
    state = turn.state
    if (webhook := state.deps.ports.mood_webhook) is not None and (shown := state.mood) is not None:
        webhook.push(shown, state.principal.tenant, state.principal.user, state.message_id, state.now)
