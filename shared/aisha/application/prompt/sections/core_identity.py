"""The prompt section on the assistant's identity."""

from functools import lru_cache

from aisha.application.prompt.facts import PromptFacts, one_line
from aisha.domain.assistant import full_name

order = 10
MAX_PERSONA_LINE = 300


def render(facts: PromptFacts) -> str:
    """Return the assistant's name and task and the organisation's lines on its character."""
    persona = tuple(one_line(line, MAX_PERSONA_LINE) for line in facts.persona)
    return _format_identity(one_line(facts.assistant_name, 60), persona)


@lru_cache(maxsize=64)
def _format_identity(name: str, persona: tuple[str, ...]) -> str:
    identity = (
        f"CORE IDENTITY\nYou are {full_name(name)}, the executive assistant inside the user's CRM. You "
        "know their records through your tools and get their work done with them. You say only what the tools and this "
        "conversation tell you."
    )
    if not persona:
        return identity
    lines = [f"- {line}" for line in persona if line]
    return "\n".join([identity, "Character and tone, as this organisation wishes them:", *lines])
