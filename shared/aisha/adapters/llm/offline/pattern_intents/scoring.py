"""The score of a lead with its reasons."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.pattern_intents.calls import called, names_somebody, record_in
from aisha.adapters.llm.offline.plan import Answer, Plan

_SCORE = re.compile(
    r"(?:(?:please|can|could|would|you|now|and)\s+)*(?:re-?)?(?:score|rate|grade)\s+(?!of\b|for\b|to\b|is\b|over\b|above\b|below\b|under\b|by\b).+"
    r"|.*[,.?!]\s*(?:please\s+)?(?:score|rate|grade)\s+(?:him|her|them|it)\b.*"
    r"|(?:explain|calculate|compute|justify|break\s+down)\b.*\bscore\b.*"
    r"|why\b.*\bscored?\b.*|.*\bscore\b.*\b(?:and\s+why|with\s+(?:the\s+)?reasons?|and\s+(?:the\s+)?reasons?)\b.*"
    r"|how\s+(?:good|promising|strong|hot|warm|serious|likely)\s+(?:a\s+(?:lead|prospect)\s+)?(?:is|are)\b(?!.*\b(?:close|deal|pipeline)\b).*|is\s+\S.*\b(?:any\s+good|worth\s+(?:my|our|the)\s+(?:time|while|effort)|worth\s+(?:chasing|pursuing|it))\b.*",
    re.IGNORECASE | re.DOTALL,
)


_WHY = re.compile(
    r"(?:and\s+|but\s+|ok\s+)?(?:why|how\s+come|how\s+so|what\s+makes\s+you\s+(?:say|think)\s+(?:so|that))(?:\s+(?:him|her|them|that|this\s+one|that\s+one))?[?.!\s]*",
    re.IGNORECASE,
)


def score_lead(plan: Plan, text: str) -> Answer | None:
    """ "Score Ann Lee and tell me why", "how good a lead is he? rate him"."""
    if (
        not (_SCORE.fullmatch(text) or _WHY.fullmatch(text))
        or "score_lead" not in plan.tools
        or re.search(r"[:=]|\bto\s+\d|\bscore\s+(?:\w+\s+){1,2}\d+\W*$", text)
    ):
        return None
    lead = plan.topic.refs[0] if len(plan.topic.refs) == 1 and plan.topic.refs[0].type == "lead" else None
    if _WHY.fullmatch(text) and lead is not None:
        return called(plan, "score_lead", f"score {lead.name}", _told, refs=(lead,), lead_id=lead.id)
    if not names_somebody(plan, text):
        return None
    reading = plan.read(text)
    if reading.has("schedule", "create", "note", "delete", "update", "convert") or reading.times:
        return None
    found = record_in(plan, text, "Which lead shall I score?", "lead")
    if isinstance(found, Answer):
        return found
    return called(plan, "score_lead", f"score {found.name}", _told, refs=(found,), lead_id=found.id)


def _told(value: Mapping[str, Any]) -> str:
    lines = [f"- {one['reason']}: {one['points']:+d} points" for one in value.get("reasons", ())]
    stored = value.get("stored_score")
    kept = f" The score on record is {stored}." if stored not in (None, value["score"]) else ""
    return "\n".join([f"**{value['lead']['name']}** scores **{value['score']}** of 100.{kept}", "", *lines]).rstrip()
