"""Acts that run scans and report what the last ones found."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.replies.result_text import MAX_FINDINGS, format_scan
from aisha.adapters.llm.offline.results import PlannedCall
from aisha.adapters.llm.offline.state import Question, Ref, Topic

_PROBLEMS = {
    "stale_leads": r"\b(?:stale|silent|neglected|forgotten|cold|untouched)\b",
    "deals_at_risk": r"\bat[\s_-]risk\b|\brisk\w*\b|\bslip\w*\b",
    "overdue_activities": r"\b(?:overdue|late|missed)\b",
    "data_quality": r"\b(?:quality|duplicates?|incomplete|missing|clean\w*)\b",
    "goal_progress": r"\b(?:goals?|okrs?|objectives?)\b",
    "next_steps": r"\bnext[\s_-]+(?:steps?|actions?)\b|\bpriorit\w+\b",
}
_KINDS = {
    "stale_leads": r"\b(?:leads?|prospects?)\b",
    "deals_at_risk": r"\b(?:deals?|opportunit\w+|opps?)\b",
    "overdue_activities": r"\b(?:activit\w+|tasks?)\b",
    "data_quality": r"\bdata\b",
}
_RUN = pattern(
    r"\s*(?:(?:please|can|could|would|you|just|so|now|then|let's) )*"
    r"(?:run|start|do|launch|perform|trigger|(?:re-?)?scan)\b"
)
# Asks about scans that ran already.
_PAST = pattern(
    r"\b(?:found|ran|ended|finished|briefing|brief|results?|outcomes?|report|summary|history)\b"
    r"|\b(?:last|latest|recent|previous|earlier) (?:\w+ ){0,3}scans?\b"
    r"|\bscans? (?:\w+ )?(?:find|last|lately|recently|fail\w*)\b|^\s*(?:did|have|has|were|was|when|which|how many)\b"
)
_SPAN = pattern(r"\b(\d{1,3})\s*(hour|hr|h|day|week)s?\b")
_NAMED_SPANS = (
    (r"\b(?:week|weekly)\b", 168), (r"\b(?:month|monthly)\b", 720), (r"\byesterday\b", 48),
    (r"^\s*when\b|\bever\b", 720), (r"\blast\s+hour\b", 1),
)  # fmt: skip
_HOURS = {"h": 1, "d": 24, "w": 168}
_MAX_HOURS = 720
_QUICK = pattern(r"\b(?:quick|quickly|short|shortly|briefly|in brief|one sentence)\b")
_WHICH = (
    "Which scan shall I run: next steps, stale leads, deals at risk, overdue activities, data quality or goal progress?"
)
_REFERENCED_TYPES = ("lead", "contact", "account", "opportunity", "activity")


def scan(plan: Plan, _intent: Intent, reading: Reading) -> Answer:
    """Run the scans named, or ask which; a question about earlier runs gets the briefing."""
    is_order = any(_RUN.match(sentence) for sentence in re.split(r"[.?!,;]", reading.text))
    if _PAST.search(reading.text) and not is_order:
        return _brief(plan, reading.text)
    types = scan_types(reading.text)
    if not types:
        return Answer(_WHICH, Question("missing", tool="run_scan", arguments={}, field="scan_type"))
    calls = [PlannedCall("run_scan", {"scan_type": one}) for one in types]
    outcomes = plan.need_all(calls)
    texts: list[str] = []
    refs: list[Ref] = []
    for call, outcome in zip(calls, outcomes, strict=True):
        if outcome.error:
            texts.append(
                plan.failure(outcome, call, f"run the {phrasing.humanise(call.arguments['scan_type'])} scan").text
            )
        else:
            texts.append(format_scan(outcome.value) or "")
            refs += _refs(outcome.value)
    return Answer("\n\n".join(texts), topic=Topic(refs=tuple(refs)))


def scan_types(text: str) -> list[str]:
    """Return the scans in the order named, by the problem they look for, else by the kind of record."""
    for names in (_PROBLEMS, _KINDS):
        offsets = {
            name: match.start() for name, words in names.items() if (match := re.search(words, text, re.IGNORECASE))
        }
        if offsets:
            return sorted(offsets, key=lambda name: offsets[name])
    return []


def _brief(plan: Plan, text: str) -> Answer:
    arguments = {"variant": "quick" if _QUICK.search(text) else None, "timeframe_hours": _timeframe(text)}
    outcome = plan.need("get_scan_briefing", **arguments)
    if outcome.error:
        return plan.failure(outcome, PlannedCall("get_scan_briefing", arguments), "tell what the scans found")
    return Answer(format_scan(outcome.value) or "")


def _timeframe(text: str) -> int | None:
    if match := _SPAN.search(text):
        return max(1, min(_MAX_HOURS, int(match[1]) * _HOURS[match[2][0].lower()]))
    return next((hours for words, hours in _NAMED_SPANS if re.search(words, text, re.IGNORECASE)), None)


def _refs(value: Mapping[str, Any]) -> Sequence[Ref]:
    entities = [finding["entity"] for finding in value.get("findings", ())[:MAX_FINDINGS]]
    return [Ref(one["type"], one["id"], one["name"]) for one in entities if one["type"] in _REFERENCED_TYPES]
