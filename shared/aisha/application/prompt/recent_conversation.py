"""The last exchanges, shortened, and what the tools found in them."""

import json

from aisha.application.prompt.facts import PromptFacts, one_line

order = 90
MESSAGES = 6
CHARACTERS = 100
"""The last 3 exchanges, the first 100 characters of each message (A-074)."""


SUMMARY = 1200
"""Characters of the summary of what was said before the messages that the model gets."""
RESULTS = 8
"""Tool results of earlier turns that are told again, the last ones (C-X7)."""


def render(facts: PromptFacts) -> str:
    """`User: ...` and `AiSHA: ...` lines, oldest first, then a line a tool result; nothing at a conversation's start."""
    earlier = [f"Earlier: {one_line(facts.summary, SUMMARY)}"] if facts.summary else []
    spoken = [item for item in facts.messages if item.role in ("user", "assistant") and item.content][-MESSAGES:]
    if not spoken and not earlier:
        return ""
    lines = [
        f"{'User' if item.role == 'user' else 'AiSHA'}: {' '.join(item.content[: CHARACTERS * 2].split())[:CHARACTERS]}"
        for item in spoken
    ]
    return "\n".join(["RECENT CONVERSATION", *earlier, *lines, *_results(facts)])


def _results(facts: PromptFacts) -> list[str]:
    calls = [call for message in facts.messages for call in message.tool_calls][-RESULTS:]
    if not calls:
        return []
    told = []
    for call in calls:
        found = "".join(f" [{entity.name}: {entity.type}, ID: {entity.id}]" for entity in call.entities)
        told.append(
            f"- {call.name} {json.dumps(call.arguments, ensure_ascii=False)}: {one_line(call.line)}{one_line(found, 600)}"
        )
    return ["What the tools gave earlier (it may have changed since):", *told]
