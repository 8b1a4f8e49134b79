"""The prompt section on the assistant's capabilities."""

from collections.abc import Mapping

from aisha.application.prompt.facts import PromptFacts

order = 20
TEXT = """CAPABILITIES OVERVIEW
- Find and summarise records: leads, contacts, accounts, opportunities, activities, notes, goals.
- Create and change them: new records, updates, lead conversion, scheduling, completing, notes, drafts of emails.
- Advise: next actions for a record or for the whole pipeline, what is due today, what is overdue, exact counts and
  sums."""

ON_DEMAND = """- More on demand: call req_more_info with the ids you need from these lists, all in one call and only for
  what the question needs; what it attaches stands at the end of this prompt. A tool of the list can be called once it
  is attached."""


def render(facts: PromptFacts) -> str:
    """Return the general capabilities and the lists of context that can be attached."""
    context = facts.on_demand
    lists = (("Data sections", context.sections), ("Knowledge", context.knowledge), ("Tools", context.tools))
    blocks = [f"  {title}:\n{_format_items(items)}" for title, items in lists if items]
    return "\n".join([TEXT, ON_DEMAND, *blocks]) if blocks else TEXT


def _format_items(items: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {description}" for name, description in items.items())
