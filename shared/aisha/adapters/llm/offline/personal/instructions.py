"""How the user wants to be answered from now on."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.personal.shared import items, kept, meant, numbered
from aisha.adapters.llm.offline.plan import Answer, Plan

_ANSWERING = (
    r"(?:answer|reply|respond|write|speak|talk|address|use|say|keep|be|sound|give\s+me|tell\s+me|show|start|begin|end|include|"
    r"mention|explain|format|translate|ask\s+me|call\s+me|sign|avoid|stick\s+to)"
)
_FROM_NOW_ON = r"(?:from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|from\s+here\s+on)"
_WISHES = (
    re.compile(rf"(?P<text>(?:always|never)\s+{_ANSWERING}\b.+)", re.IGNORECASE | re.DOTALL),
    re.compile(rf"{_FROM_NOW_ON}[\s,:]+(?P<text>.+)", re.IGNORECASE | re.DOTALL),
    re.compile(
        rf"(?P<text>(?:{_ANSWERING}|(?:don't|dont|do\s+not|stop)\s+\w+)\b.*?)[\s,]+(?:{_FROM_NOW_ON}|in\s+your\s+(?:answers|replies))[\s.!]*",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(
        r"(?:add|make|create|set|save|new)\s+(?:(?:a|an|another|new|my|the)\s+)*(?:standing\s+)?instruction\s*(?::|-|to|that|saying)?\s+(?P<text>.+)",
        re.IGNORECASE | re.DOTALL,
    ),
)
_OF_MINE = r"(?:standing\s+(?:instruction|order|wish|rule)(?:e?s)?|(?:my|the|your)\s+instructions?|(?:rules|instructions|wishes)\s+(?:(?:have|did)\s+)?i\s+(?:have\s+|'ve\s+)?(?:given|gave|give|set|told))"
_LIST = re.compile(
    rf"(?:show|list|what|which|read|tell|see|display|give\s+me|are|any)\b[^:]*\b{_OF_MINE}\b[^:]*", re.IGNORECASE
)
_DELETE = re.compile(
    rf"(?:delete|remove|drop|forget|erase|cancel)\s+(?:(?:the|that|my|your)\s+)*(?:{_OF_MINE}|instructions?|rules?|wish(?:es)?)\b"
    r"(?:\s*(?:about|on|regarding|to|that|with|:))?\s*(?P<query>.*?)[.!\s]*",
    re.IGNORECASE,
)
_PERSONALITY = re.compile(
    r".*\b(?:your\s+(?:personality|persona|character|answering\s+style)|(?:which|what)\s+mode\s+(?:are\s+you|am\s+i|is)|how\s+do\s+you\s+(?:answer|talk\s+to|reply\s+to)\s+me)\b.*",
    re.IGNORECASE,
)


def keep_wish(plan: Plan, text: str) -> Answer | None:
    """ "Always answer in short sentences", "from now on call me boss". What is about a record is none."""
    match = next((found for pattern in _WISHES if (found := pattern.fullmatch(text))), None)
    if match is None or "manage_prompt" not in plan.tools:
        return None
    said = match["text"].strip().rstrip(".!").strip('"“”')
    wish = said[:1].upper() + said[1:]
    done = f'Done: from now on I keep to this: "{wish}".'
    return kept(plan, "manage_prompt", "keep that wish", lambda _: done, action="add", text=wish)


def list_wishes(plan: Plan, text: str) -> Answer | None:
    """ "Show my standing instructions"."""
    if not _LIST.fullmatch(text):
        return None
    return kept(plan, "manage_prompt", "look them up", _listed, action="list")


def delete_wish(plan: Plan, text: str) -> Answer | None:
    """ "Delete the standing instruction about emojis": the only one that fits."""
    match = _DELETE.fullmatch(text)
    if match is None:
        return None
    known = items(plan, "manage_prompt", action="list")
    found = meant(match["query"], known)
    if len(found) != 1:
        texts = [str(one["text"]) for one in found or known]
        return Answer(f"Which one do you mean?\n{numbered(texts)}" if texts else "You have no standing instructions.")
    said = found[0]["text"]
    return kept(
        plan, "manage_prompt", "delete it", lambda _: f'Done: "{said}" no longer counts.',
        action="delete", instruction_id=found[0]["id"],
    )  # fmt: skip


def personality(plan: Plan, text: str) -> Answer | None:
    """ "What is your personality?"."""
    if not _PERSONALITY.fullmatch(text):
        return None
    return kept(plan, "get_personality", "look that up", _personality)


def _listed(value: Mapping[str, Any]) -> str:
    texts = [str(one["text"]) for one in value["items"]]
    nothing = 'You have given me no standing instructions yet. For example: "Always answer in short sentences".'
    return f"Your standing instructions:\n{numbered(texts)}" if texts else nothing


def _personality(value: Mapping[str, Any]) -> str:
    lines = [f"I'm {value.get('name') or 'AiSHA'}, in {value['mode']} mode: professional, concise and action-oriented."]
    lines += [str(line) for line in value.get("persona", ())]
    if wishes := value.get("instructions"):
        lines.append(f"You asked me for this:\n{numbered(wishes)}")
    return "\n".join(lines)
