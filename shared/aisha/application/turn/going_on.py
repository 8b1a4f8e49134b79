"""The rest of an answer that was too long to be read aloud, for a user who wants to hear more (C-X9)."""

from aisha.application.dialogue.yes_no import read_decision
from aisha.application.turn.state import TurnInput


def rest_of_speech(turn_input: TurnInput) -> str | None:
    """Return what the last answer left out, if the message says yes to its offer to go on."""
    last = next((message for message in reversed(turn_input.session.messages) if message.role == "assistant"), None)
    if last is None or last.metadata.get("format") != "voice" or last.metadata.get("status") != "completed":
        return None
    locale = turn_input.request.locale or turn_input.principal.locale
    offer, rest = turn_input.deps.unspoken(last.content, locale)
    return rest if rest and read_decision(turn_input.request.message, offer) else None
