"""What this tenant calls its records."""

from aisha.application.prompt.facts import PromptFacts, one_line

order = 70


def render(facts: PromptFacts) -> str:
    """A line a renamed type; nothing when the tenant uses the standard words."""
    if not facts.labels:
        return ""
    lines = [f'- {kind}: say "{one_line(label, 60)}"' for kind, label in sorted(facts.labels.items())]
    return "\n".join(
        ["ENTITY LABELS", "This organisation has its own words; the tools keep the standard ones:", *lines]
    )
