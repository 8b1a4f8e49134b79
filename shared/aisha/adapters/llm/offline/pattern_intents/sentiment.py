"""Analyse the sentiment of a text or of a record's notes."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern

_SENTIMENT = pattern(r"\b(?:sentiment|mood|tone|attitude|sounds?|positive|negative)\b")
_QUOTE = re.compile(r"[\"“](?P<text>[^\"”]{3,})[\"”]")
# "the sentiment of this: ...".
_AFTER_COLON = re.compile(
    r"[^:]*\b(?:sentiment|mood|tone)\s+(?:of|in)\s+(?:(?:this|the\s+following)(?:\s+\w+)?)?\s*:\s*(?P<text>.+)"
    r"|(?:how\s+(?:does|do|would)|does|is|are|what\s+do\s+you\s+make\s+of)\b[^:]*\b"
    r"(?:this|that|these|following|they|he|she|email|e-mail|message|reply)\b[^:]*:\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
# "how does Ann sound", "what's the mood of Ann's notes".
_OF_RECORD = pattern(
    r"how (?:does|do|did|is|are)\b.*\b(?:sound(?:ing)?|feel(?:ing)?|come across)\b.*"
    r"|.*\b(?:sentiment|mood|tone|attitude)\b.*\b(?:in|of|around|about|towards?|for|with)\b.*"
    r"|(?:is|are|does|do)\b.*\b(?:happy|unhappy|annoyed|angry|upset|satisfied|frustrated|positive|negative)\b.*"
)
_OTHER_REQUEST = pattern(r"\b(?:add|create|write|draft|note that|schedule|mark|set)\b")


def sentiment_of_quote(plan: Plan, text: str) -> Answer | None:
    """Match "Analyze the sentiment of ...", "she wrote: .... What's the tone of that?"."""
    match = _QUOTE.search(text)
    around = f"{text[: match.start()]} {text[match.end() :]}" if match else ""
    if match is None or not _SENTIMENT.search(around) or _OTHER_REQUEST.search(around):
        match = _AFTER_COLON.fullmatch(text)
    if match is None or "analyze_sentiment" not in plan.tools:
        return None
    return plan.run(
        "analyze_sentiment",
        "analyze that text",
        _format_sentiment,
        text=(match.groupdict().get("what") or match["text"]).strip(),
    )


def sentiment_of_record(plan: Plan, text: str) -> Answer | None:
    """Match "how does Ann Lee sound in her notes?"."""
    if "analyze_sentiment" not in plan.tools or not _OF_RECORD.fullmatch(text) or _OTHER_REQUEST.search(text):
        return None
    if ":" in text or not plan.mentions_record(text):
        return None
    record = plan.record_named(text, "Whose mood do you mean?")
    about = {"entity_type": record.type, "entity_id": record.id}
    return plan.run(
        "analyze_sentiment", f"read the notes about {record.name}", _format_sentiment, refs=(record,), **about
    )


def _format_sentiment(value: Mapping[str, Any]) -> str:
    entity, texts = value.get("entity"), int(value.get("texts") or 0)
    if entity and not texts:
        return f"There are no notes about {entity['name']} to judge by."
    source = (
        f"The {'newest note' if texts == 1 else f'{texts} newest notes'} about **{entity['name']}**" if entity else ""
    )
    verb = "sound" if entity and texts > 1 else "sounds"
    evidence = ", ".join(f'"{phrase}"' for phrase in value.get("evidence", ()))
    sentence = f"{source or 'That'} {verb} **{value['sentiment']}** (score {value['score']:g})."
    return f"{sentence} What tells: {evidence}." if evidence else sentence
