"""Keep standing wishes on how to answer the user."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.personal.shared import best_matches, list_items, number_lines
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern

_ANSWERING = (
    r"(?:answer|reply|respond|write|speak|talk|address|use|say|keep|be|sound|give\s+me|tell\s+me|show|start|begin|end"
    r"|include|mention|explain|format|translate|ask\s+me|call\s+me|sign|avoid|stick\s+to)"
)
_FROM_NOW_ON = r"(?:from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|from\s+here\s+on)"
# "always answer ...", "from now on ...", "add an instruction: ...".
_WISHES = (
    re.compile(rf"(?P<text>(?:always|never)\s+{_ANSWERING}\b.+)", re.IGNORECASE | re.DOTALL),
    re.compile(rf"{_FROM_NOW_ON}[\s,:]+(?P<text>.+)", re.IGNORECASE | re.DOTALL),
    re.compile(
        rf"(?P<text>(?:{_ANSWERING}|(?:don't|dont|do\s+not|stop)\s+\w+)\b.*?)[\s,]+"
        rf"(?:{_FROM_NOW_ON}|in\s+your\s+(?:answers|replies))[\s.!]*",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(
        r"(?:add|make|create|set|save|new)\s+(?:(?:a|an|another|new|my|the)\s+)*(?:standing\s+)?instruction\s*"
        r"(?::|-|to|that|saying)?\s+(?P<text>.+)",
        re.IGNORECASE | re.DOTALL,
    ),
)
_OF_MINE = (
    r"(?:standing\s+(?:instruction|order|wish|rule)(?:e?s)?|(?:my|the|your)\s+instructions?"
    r"|(?:rules|instructions|wishes)\s+(?:(?:have|did)\s+)?i\s+(?:have\s+|'ve\s+)?(?:given|gave|give|set|told))"
)
_LIST = pattern(rf"(?:show|list|what|which|read|tell|see|display|give me|are|any)\b[^:]*\b{_OF_MINE}\b[^:]*")
# "delete the standing instruction about ...".
_DELETE = pattern(
    r"(?:delete|remove|drop|forget|erase|cancel) (?:(?:the|that|my|your) )*"
    rf"(?:{_OF_MINE}|instructions?|rules?|wish(?:es)?)\b(?:\s*(?:about|on|regarding|to|that|with|:))?\s*"
    r"(?P<query>.*?)[.!\s]*"
)
_PERSONALITY = pattern(
    r".*\b(?:your (?:personality|persona|character|answering style)|(?:which|what) mode (?:are you|am i|is)"
    r"|how do you (?:answer|talk to|reply to) me)\b.*"
)


def keep_wish(plan: Plan, text: str) -> Answer | None:
    """Match "always answer in short sentences", "from now on call me boss"."""
    match = next((wish_match for pattern in _WISHES if (wish_match := pattern.fullmatch(text))), None)
    if match is None or "manage_prompt" not in plan.tools:
        return None
    text_kept = match["text"].strip().rstrip(".!").strip('"“”')
    wish = text_kept[:1].upper() + text_kept[1:]
    reply = f'Done: from now on I keep to this: "{wish}".'
    return plan.run("manage_prompt", "keep that wish", lambda _: reply, action="add", text=wish)


def list_wishes(plan: Plan, text: str) -> Answer | None:
    """Match "show my standing instructions"."""
    if not _LIST.fullmatch(text):
        return None
    return plan.run("manage_prompt", "look them up", _format_wishes, action="list")


def delete_wish(plan: Plan, text: str) -> Answer | None:
    """Match "delete the standing instruction about emojis": the only one that fits."""
    match = _DELETE.fullmatch(text)
    if match is None:
        return None
    wishes = list_items(plan, "manage_prompt", action="list")
    matches = best_matches(match["query"], wishes)
    if len(matches) != 1:
        texts = [str(one["text"]) for one in matches or wishes]
        return Answer(
            f"Which one do you mean?\n{number_lines(texts)}" if texts else "You have no standing instructions."
        )
    text_deleted = matches[0]["text"]
    return plan.run(
        "manage_prompt", "delete it", lambda _: f'Done: "{text_deleted}" no longer counts.',
        action="delete", instruction_id=matches[0]["id"],
    )  # fmt: skip


def personality(plan: Plan, text: str) -> Answer | None:
    """Match "what is your personality?"."""
    if not _PERSONALITY.fullmatch(text):
        return None
    return plan.run("get_personality", "look that up", _format_personality)


def _format_wishes(value: Mapping[str, Any]) -> str:
    texts = [str(one["text"]) for one in value["items"]]
    nothing = 'You have given me no standing instructions yet. For example: "Always answer in short sentences".'
    return f"Your standing instructions:\n{number_lines(texts)}" if texts else nothing


def _format_personality(value: Mapping[str, Any]) -> str:
    lines = [f"I'm {value.get('name') or 'AiSHA'}, in {value['mode']} mode: professional, concise and action-oriented."]
    lines += [str(line) for line in value.get("persona", ())]
    if wishes := value.get("instructions"):
        lines.append(f"You asked me for this:\n{number_lines(wishes)}")
    return "\n".join(lines)
