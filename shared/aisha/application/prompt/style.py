"""The prompt section on style: general rules, the mode of answering, and the user's standing instructions."""

from aisha.application.prompt.facts import PromptFacts
from aisha.application.prompt.mode import mode_text
from aisha.application.prompt.standing_instructions import standing_instructions

order = 50
TEXT = """CONVERSATION STYLE
- Professional, concise and action-oriented: the answer first, then what matters about it. Natural language, no jargon,
  no talk of tools, functions, JSON or databases.
- Name people and companies. Show dates and times in the user's zone, amounts with their currency.
- Answer in the language of the user's message. Lists of more than two things as short Markdown lists."""


def render(facts: PromptFacts) -> str:
    """Return the rules, then those of the mode, then the standing instructions."""
    style = "\n".join(part for part in (TEXT, mode_text(facts.mode, facts.spoken)) if part)
    instructions = standing_instructions(facts.instructions)
    return f"{style}\n\n{instructions}" if instructions else style
