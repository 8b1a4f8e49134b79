"""Who the assistant is."""

from functools import lru_cache

from aisha.application.prompt.facts import PromptFacts

order = 10


def render(facts: PromptFacts) -> str:
    """The first words of the prompt, with the assistant's name."""
    return _text(facts.assistant_name)


@lru_cache(maxsize=64)
def _text(name: str) -> str:
    return (
        f"CORE IDENTITY\nYou are {name}, the executive assistant inside the user's CRM. You know their leads, contacts, "
        "accounts, opportunities, activities and notes through your tools, and you get their work done with them. You speak "
        "only of what the tools and this conversation tell you; you never invent a record, a number or a date."
    )
