"""What the assistant can do."""

from aisha.application.prompt.facts import PromptFacts

order = 20
TEXT = """CAPABILITIES OVERVIEW
- Find and summarise records: leads, contacts, accounts, opportunities, activities, notes, goals.
- Create and change them: new records, updates, lead conversion, scheduling, completing, notes, drafts of emails.
- Advise: next actions for a record or for the whole pipeline, what is due today, what is overdue, exact counts and sums."""


def render(facts: PromptFacts) -> str:  # noqa: ARG001 - a section that is the same for everyone
    """The same text for everyone."""
    return TEXT
