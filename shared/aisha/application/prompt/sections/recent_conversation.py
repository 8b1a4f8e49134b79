"""The prompt section with the last exchanges, shortened, and their tool results."""

import json

from aisha.application.prompt.facts import PromptFacts, one_line

order = 90
MAX_MESSAGES = 6
MAX_CHARACTERS = 100
"""The last 3 exchanges, the first 100 characters of each message (A-074)."""
MAX_SUMMARY_CHARACTERS = 1200
MAX_RESULTS = 8
"""The last tool results of earlier turns (C-X7)."""


def render(facts: PromptFacts) -> str:
    """Return the summary, lines `User: ...` and `AiSHA: ...`, oldest first, and one line per tool result.

    Empty at a conversation's start.
    """
    earlier = [f"Earlier: {one_line(facts.summary, MAX_SUMMARY_CHARACTERS)}"] if facts.summary else []
    recent = [item for item in facts.messages if item.role in ("user", "assistant") and item.content][-MAX_MESSAGES:]
    if not recent and not earlier:
        return ""
    lines = [f"{'User' if item.role == 'user' else 'AiSHA'}: {_shorten(item.content)}" for item in recent]
    return "\n".join(["RECENT CONVERSATION", *earlier, *lines, *_format_results(facts)])


def _shorten(text: str) -> str:
    # Cut before splitting: a message may be very long.
    return " ".join(text[: MAX_CHARACTERS * 2].split())[:MAX_CHARACTERS]


def _format_results(facts: PromptFacts) -> list[str]:
    calls = [call for message in facts.messages for call in message.tool_calls][-MAX_RESULTS:]
    if not calls:
        return []
    lines = []
    for call in calls:
        # JSON has no line breaks of its own and escapes those of texts, so that no argument can start a section.
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        entities = "".join(f" [{entity.name}: {entity.type}, ID: {entity.id}]" for entity in call.entities)
        lines.append(f"- {call.name} {arguments}: {one_line(call.line)}{one_line(entities, 600)}")
    return ["What the tools gave earlier (it may have changed since):", *lines]
