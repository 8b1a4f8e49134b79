"""The last exchanges, shortened."""

from aisha.application.prompt.facts import PromptFacts

order = 90
MESSAGES = 6
CHARACTERS = 100
"""The last 3 exchanges, the first 100 characters of each message (A-074)."""


def render(facts: PromptFacts) -> str:
    """`User: ...` and `AiSHA: ...` lines, oldest first; nothing at a conversation's start."""
    spoken = [item for item in facts.messages if item.role in ("user", "assistant") and item.content][-MESSAGES:]
    if not spoken:
        return ""
    lines = [
        f"{'User' if item.role == 'user' else 'AiSHA'}: {' '.join(item.content[: CHARACTERS * 2].split())[:CHARACTERS]}"
        for item in spoken
    ]
    return "\n".join(["RECENT CONVERSATION", *lines])
