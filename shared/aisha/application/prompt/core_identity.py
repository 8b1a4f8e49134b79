"""Who the assistant is."""

from functools import lru_cache

from aisha.application.prompt.facts import PromptFacts, one_line

order = 10
_LINE = 300


def render(facts: PromptFacts) -> str:
    """The first words of the prompt, with the assistant's name and the organisation's lines on its character."""
    return _text(one_line(facts.assistant_name, 60), tuple(one_line(line, _LINE) for line in facts.persona))


@lru_cache(maxsize=64)
def _text(name: str, persona: tuple[str, ...]) -> str:
    identity = (
        f"CORE IDENTITY\nYou are {name}, the executive assistant inside the user's CRM. You know their leads, contacts, "
        "accounts, opportunities, activities and notes through your tools, and you get their work done with them. You speak "
        "only of what the tools and this conversation tell you; you never invent a record, a number or a date."
    )
    if not persona:
        return identity
    lines = [f"- {line}" for line in persona if line]
    return "\n".join([identity, "Character and tone, as this organisation wishes them:", *lines])
