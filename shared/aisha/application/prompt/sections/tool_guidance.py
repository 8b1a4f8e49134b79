"""The prompt section with the guidance of the attached tools."""

from aisha.application.prompt.facts import PromptFacts

order = 64


def render(facts: PromptFacts) -> str:
    """Return each tool's guidance once; empty without any."""
    guidance = dict.fromkeys(spec.guidance for spec in facts.tools if spec.guidance)
    return "\n".join(["NOTES ON THE TOOLS", *(f"- {text}" for text in guidance)]) if guidance else ""
