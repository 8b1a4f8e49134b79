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
    return "\n".join(_format_item(name, description) for name, description in items.items())


@lru_cache(maxsize=512)
def _format_item(name: str, description: str) -> str:
    """Return a line; a description that only says the name again, such as "Create a lead", is left out."""
    return f"- {name}: {description}" if adds_to_name(description, name) else f"- {name}"
