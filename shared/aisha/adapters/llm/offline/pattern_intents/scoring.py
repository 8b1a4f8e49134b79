"""Score a lead, with reasons."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern

# "score Ann Lee", "how good a lead is he", "rate her and tell me why".
_SCORE = re.compile(
    r"(?:(?:please|can|could|would|you|now|and)\s+)*(?:re-?)?(?:score|rate|grade)\s+"
    r"(?!of\b|for\b|to\b|is\b|over\b|above\b|below\b|under\b|by\b).+|.*[,.?!]\s*(?:please\s+)?(?:score|rate|grade)\s+"
    r"(?:him|her|them|it)\b.*|(?:explain|calculate|compute|justify|break\s+down)\b.*\bscore\b.*|why\b.*\bscored?\b.*"
    r"|.*\bscore\b.*\b(?:and\s+why|with\s+(?:the\s+)?reasons?|and\s+(?:the\s+)?reasons?)\b.*"
    r"|how\s+(?:good|promising|strong|hot|warm|serious|likely)\s+(?:a\s+(?:lead|prospect)\s+)?(?:is|are)\b"
    r"(?!.*\b(?:close|deal|pipeline)\b).*"
    r"|is\s+\S.*\b(?:any\s+good|worth\s+(?:my|our|the)\s+(?:time|while|effort)|worth\s+(?:chasing|pursuing|it))\b.*",
    re.IGNORECASE | re.DOTALL,
)
_WHY = pattern(
    r"(?:and |but |ok )?(?:why|how come|how so|what makes you (?:say|think) (?:so|that))"
    r"(?: (?:him|her|them|that|this one|that one))?[?.!\s]*"
)


def score_lead(plan: Plan, text: str) -> Answer | None:
    """Match "score Ann Lee and tell me why", "how good a lead is he? rate him"."""
    if (
        not (_SCORE.fullmatch(text) or _WHY.fullmatch(text))
        or "score_lead" not in plan.tools
        or re.search(r"[:=]|\bto\s+\d|\bscore\s+(?:\w+\s+){1,2}\d+\W*$", text)
    ):
        return None
    lead = plan.topic.refs[0] if len(plan.topic.refs) == 1 and plan.topic.refs[0].type == "lead" else None
    if _WHY.fullmatch(text) and lead is not None:
        return plan.run("score_lead", f"score {lead.name}", _format_score, refs=(lead,), lead_id=lead.id)
    if not plan.mentions_record(text):
        return None
    reading = plan.read(text)
    if reading.has("schedule", "create", "note", "delete", "update", "convert") or reading.times:
        return None
    lead_found = plan.record_named(text, "Which lead shall I score?", "lead")
    return plan.run("score_lead", f"score {lead_found.name}", _format_score, refs=(lead_found,), lead_id=lead_found.id)


def _format_score(value: Mapping[str, Any]) -> str:
    lines = [f"- {one['reason']}: {one['points']:+d} points" for one in value.get("reasons", ())]
    stored = value.get("stored_score")
    stored_text = f" The score on record is {stored}." if stored not in (None, value["score"]) else ""
    return "\n".join(
        [f"**{value['lead']['name']}** scores **{value['score']}** of 100.{stored_text}", "", *lines]
    ).rstrip()
