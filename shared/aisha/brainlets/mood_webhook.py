"""A brainlet that sends the user's mood to the deployment's webhook (C-K6)."""

from collections.abc import Mapping
from typing import Any

from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet


def has_webhook(turn: BrainletView) -> bool:
    """Return whether a webhook is set up and the turn has a mood."""
    return turn.ports.mood_webhook is not None and turn.mood is not None


@brainlet(stage="post", depends_on=("mood",), applies=has_webhook, options=BrainletOptions(seconds=2.0))
def mood_webhook(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Send the mood that the widget shows, signed, to the webhook."""
    if (webhook := turn.ports.mood_webhook) is not None and (mood := turn.mood) is not None:
        webhook.push(mood, turn.principal.tenant, turn.principal.user, turn.message_id, turn.now)
