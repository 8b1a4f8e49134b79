"""The prompt section with the mode of answering and the user's standing instructions."""

from aisha.application.prompt.facts import PromptFacts
from aisha.application.prompt.mode import mode_text
from aisha.application.prompt.standing_instructions import standing_instructions

order = 66


def render(facts: PromptFacts) -> str:
    """Return the rules of the mode, then the standing instructions; empty without either."""
    mode = mode_text(facts.mode, facts.spoken)
    parts = (f"MODE OF ANSWERING\n{mode}" if mode else "", standing_instructions(facts.instructions))
    return "\n\n".join(part for part in parts if part)
