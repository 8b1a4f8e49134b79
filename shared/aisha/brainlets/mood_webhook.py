"""Tells the deployment's webhook how the user sounds (C-K6)."""

from collections.abc import Mapping
from typing import Any

from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet


def has_webhook(turn: BrainletView) -> bool:
    """Whether one is set up, and there is a mood to tell it."""
    return turn.ports.mood_webhook is not None and turn.mood is not None


@brainlet(stage="post", depends_on=("mood",), applies=has_webhook, options=BrainletOptions(seconds=2.0))
def mood_webhook(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """The mood that the widget shows, signed; nothing where no webhook is set up."""
    if (webhook := turn.ports.mood_webhook) is not None and (mood := turn.mood) is not None:
        webhook.push(mood, turn.principal.tenant, turn.principal.user, turn.message_id, turn.now)
