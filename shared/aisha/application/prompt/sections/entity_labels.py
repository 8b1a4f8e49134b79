"""The prompt section on the tenant's own words for record types."""

from aisha.application.prompt.facts import PromptFacts, one_line

order = 70


def render(facts: PromptFacts) -> str:
    """Return one line per renamed type; empty when the tenant uses the standard words."""
    if not facts.labels:
        return ""
    lines = [f'- {kind}: say "{one_line(label, 60)}"' for kind, label in sorted(facts.labels.items())]
    return "\n".join(
        ["ENTITY LABELS", "This organisation has its own words; the tools keep the standard ones:", *lines]
    )
