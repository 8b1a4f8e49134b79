"""The prompt section on the context that the model can attach."""

from collections.abc import Mapping
from functools import lru_cache

from aisha.application.prompt.facts import PromptFacts
from aisha.domain.wording import adds_to_name

order = 62
_INTRODUCTION = """CONTEXT ON DEMAND
Call req_more_info once, with all ids of these lists that the question needs; only an attached tool can be called."""


def render(facts: PromptFacts) -> str:
    """Return the lists of data sections, articles and tools that can be attached; empty if there are none."""
    context = facts.on_demand
    lists = (("Data sections", context.sections), ("Knowledge", context.knowledge), ("Tools", context.tools))
    blocks = [f"{title}:\n{_format_items(items)}" for title, items in lists if items]
    return "\n".join([_INTRODUCTION, *blocks]) if blocks else ""


def _format_items(items: Mapping[str, str]) -> str:
    """Format the items: names that say enough together on the first line, each of the others with its description."""
    described = [_format_item(name, description) for name, description in items.items()]
    # A name such as create_lead needs no description, and each costs tokens in every turn.
    plain = [name for name, line in zip(items, described, strict=True) if not line]
    return "\n".join(filter(None, [", ".join(plain), *described]))


@lru_cache(maxsize=512)
def _format_item(name: str, description: str) -> str:
    """Return a line; it is empty if the description only says the name again, as "Create a lead" does."""
    return f"{name}: {description}" if adds_to_name(description, name) else ""
