"""A brainlet that shows the user's mood in the widget (C-K6)."""

from collections.abc import Mapping
from typing import Any

from aisha.application.sentiment.lexicon import rate_sentiment
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.domain.conversations.events import MoodChanged

MOODS = {
    "positive": ("😊", "#2e7d32"),
    "negative": ("😟", "#c62828"),
    "mixed": ("😕", "#ef6c00"),
    "neutral": ("🙂", "#546e7a"),
}


@brainlet(stage="post", options=BrainletOptions(computes_only=True))
def mood(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Show the sentiment of the user's message as an emoji and a colour."""
    rating = rate_sentiment([turn.text])
    if rating.evidence:
        # Imported only for a message with words of feeling: the lexicon of the CRM's words takes long to load.
        from aisha.application.sentiment.own_feeling import words_of_feeling  # noqa: PLC0415

        rating = rate_sentiment([words_of_feeling(turn.text, turn.calls)])
    emoji, color = MOODS[rating.sentiment]
    turn.show_mood(MoodChanged(rating.sentiment, emoji, color))
