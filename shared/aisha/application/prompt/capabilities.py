"""What the assistant can do."""

from collections.abc import Mapping

from aisha.application.prompt.facts import PromptFacts

order = 20
TEXT = """CAPABILITIES OVERVIEW
- Find and summarise records: leads, contacts, accounts, opportunities, activities, notes, goals.
- Create and change them: new records, updates, lead conversion, scheduling, completing, notes, drafts of emails.
- Advise: next actions for a record or for the whole pipeline, what is due today, what is overdue, exact counts and sums."""

ON_DEMAND = """- More on demand: call req_more_info with the ids you need from these lists, all in one call and only for what the question
  needs; what it attaches stands at the end of this prompt. A tool of the list can be called once it is attached."""


def render(facts: PromptFacts) -> str:
    """What everybody has, then what can be attached."""
    wanted = facts.on_demand
    lists = (("Data sections", wanted.sections), ("Knowledge", wanted.knowledge), ("Tools", wanted.tools))
    told = [f"  {title}:\n{_listed(items)}" for title, items in lists if items]
    return "\n".join([TEXT, ON_DEMAND, *told]) if told else TEXT


def _listed(items: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {description}" for name, description in items.items())
