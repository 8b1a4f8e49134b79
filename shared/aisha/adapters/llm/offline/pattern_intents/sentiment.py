"""How a text, or what is noted about a record, sounds."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.pattern_intents.calls import called, names_somebody, record_in
from aisha.adapters.llm.offline.plan import Answer, Plan

_MOOD = re.compile(r"\b(?:sentiment|mood|tone|attitude|sounds?|positive|negative)\b", re.IGNORECASE)
_QUOTE = re.compile(r"[\"“](?P<text>[^\"”]{3,})[\"”]")
_AFTER_COLON = re.compile(
    r"[^:]*\b(?:sentiment|mood|tone)\s+(?:of|in)\s+(?:(?:this|the\s+following)(?:\s+\w+)?)?\s*:\s*(?P<text>.+)"
    r"|(?:how\s+(?:does|do|would)|does|is|are|what\s+do\s+you\s+make\s+of)\b[^:]*\b(?:this|that|these|following|they|he|she|email|e-mail|message|reply)\b[^:]*:\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OF_RECORD = re.compile(
    r"how\s+(?:does|do|did|is|are)\b.*\b(?:sound(?:ing)?|feel(?:ing)?|come\s+across)\b.*"
    r"|.*\b(?:sentiment|mood|tone|attitude)\b.*\b(?:in|of|around|about|towards?|for|with)\b.*"
    r"|(?:is|are|does|do)\b.*\b(?:happy|unhappy|annoyed|angry|upset|satisfied|frustrated|positive|negative)\b.*",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(r"\b(?:add|create|write|draft|note\s+that|schedule|mark|set)\b", re.IGNORECASE)


def mood_of_quote(plan: Plan, text: str) -> Answer | None:
    """ "Analyze the sentiment of "..."", "she wrote: "...". What's the tone of that?"."""
    match = _QUOTE.search(text)
    around = f"{text[: match.start()]} {text[match.end() :]}" if match else ""
    if match is None or not _MOOD.search(around) or _OTHERWISE.search(around):
        match = _AFTER_COLON.fullmatch(text)
    if match is None or "analyze_sentiment" not in plan.tools:
        return None
    return called(
        plan,
        "analyze_sentiment",
        "analyze that text",
        _told,
        text=(match.groupdict().get("what") or match["text"]).strip(),
    )


def mood_of_record(plan: Plan, text: str) -> Answer | None:
    """ "How does Ann Lee sound in her notes?"."""
    if "analyze_sentiment" not in plan.tools or not _OF_RECORD.fullmatch(text) or _OTHERWISE.search(text):
        return None
    if ":" in text or not names_somebody(plan, text):
        return None
    found = record_in(plan, text, "Whose mood do you mean?")
    if isinstance(found, Answer):
        return found
    about = {"entity_type": found.type, "entity_id": found.id}
    return called(plan, "analyze_sentiment", f"read the notes about {found.name}", _told, refs=(found,), **about)


def _told(value: Mapping[str, Any]) -> str:
    entity, texts = value.get("entity"), int(value.get("texts") or 0)
    if entity and not texts:
        return f"There are no notes about {entity['name']} to judge by."
    where = (
        f"The {'newest note' if texts == 1 else f'{texts} newest notes'} about **{entity['name']}**" if entity else ""
    )
    verb = "sound" if entity and texts > 1 else "sounds"
    evidence = ", ".join(f'"{phrase}"' for phrase in value.get("evidence", ()))
    said = f"{where or 'That'} {verb} **{value['sentiment']}** (score {value['score']:g})."
    return f"{said} What tells: {evidence}." if evidence else said
