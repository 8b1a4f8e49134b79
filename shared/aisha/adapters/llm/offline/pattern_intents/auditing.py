"""What happened: the audit trail, the news, and taking the last change back."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import together
from aisha.adapters.llm.offline.generic import generic_receipts
from aisha.adapters.llm.offline.pattern_intents.calls import called, names_somebody, record_in
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.times import find_times

_AUDIT = re.compile(r"[^:]*\baudit\s+(?:trail|log|records?|history)\b[^:]*", re.IGNORECASE)
_NEWS = re.compile(
    r"(?:is\s+there\s+)?(?:any(?:thing)?\s+(?:new|news)|what(?:'s|s|\s+is|\s+has\s+been)\s+(?:new|going\s+on|happening))\s+(?:in|with|from|around)\s+(?:the|our|my)\s+(?:crm|system|tenant|company)\b.*"
    r"|(?:did\s+)?(?:anything|what(?:'s|\s+has|\s+have)?|something|whats)\s+(?:has\s+|have\s+)?(?:happen(?:ed|ing|s)?|changed|been\s+going\s+on|going\s+on|gone\s+on|new)(?:\s+(?:in|with|to|around|on|here|the|our|my|crm|system|account|since\b.*|lately|recently|while\s+i\b.*|today|overnight))*[?.!\s]*"
    r"|(?:show|list|tell|give|what|which)\b.*\b(?:recent|latest|last)\s+(?:events|news|happenings)\b.*",
    re.IGNORECASE,
)
_UNDO = re.compile(
    r"(?:.*[,.;!]\s*)?(?:(?:please|can|could|you|and|so|just)\s+)*(?P<undo>undo|revert|roll\s+back|reverse|(?=(?:put|change|set|move|turn|switch|take)\s+(?:it|that|this)\s+back)(?:put|change|set|move|turn|switch|take))\s+"
    r"(?:(?:it|that|this)\s+back(?:\s+(?:to\s+)?(?:how|what|where|as)\s+it\s+was)?|it|that|this|(?:the|my|your)\s+last\s+(?:change|action|step|thing|one))(?:\s+(?:please|again|for\s+me))*[.!?\s]*",
    re.IGNORECASE,
)


_WHO = re.compile(
    r"who\s+(?:has\s+|have\s+|was\s+it\s+that\s+)?(?:last\s+|recently\s+)?(?:touched|changed|edited|updated|modified|altered|messed\s+with)\s+(?P<what>.+?)(?:\s+(?:last|lately|recently|most\s+recently))?[?.!\s]*"
    r"|(?:what|which)\s+(?:has\s+|was\s+|changes\s+)?(?:changed|changes|been\s+changed|were\s+made|edits)\s+(?:on|to|about|with|at|in)\s+(?P<whose>(?!the\s+crm|the\s+system)\S.*?)(?:\s+(?:lately|recently|last|most\s+recently))?[?.!\s]*",
    re.IGNORECASE,
)


def who_changed(plan: Plan, text: str) -> Answer | None:
    """ "Who touched Blue Harbor Logistics last?": the calls about that record."""
    match = _WHO.fullmatch(text)
    what = (match["what"] or match["whose"]) if match else ""
    if match is None or not names_somebody(plan, f"show me {what}"):
        return None
    if "get_audit_trail" not in plan.tools:
        return Answer(_FOR_ADMINS)
    found = record_in(plan, f"show me {what}", "Which record do you mean?")
    if isinstance(found, Answer):
        return found

    def told(value: Mapping[str, Any]) -> str:
        return _audited(plan, value) or f"The audit trail has no changes of {found.name}."

    return called(plan, "get_audit_trail", "read the audit trail", told, refs=(found,), entity=found.id)


_FOR_ADMINS = "The audit trail is open to administrators alone. Please contact your admin if you need it."


def _audited(plan: Plan, value: Mapping[str, Any]) -> str:
    return "\n".join(
        f"{place}. {phrasing.instant(str(one['at']), plan.now)}: {one['user']}, **{phrasing.words(str(one['tool']))}**, {one['status']}"
        for place, one in enumerate(value.get("items", ()), 1)
    )


def audit_trail(plan: Plan, text: str) -> Answer | None:
    """ "Show me the audit log since Monday". Only administrators have the tool."""
    if not _AUDIT.fullmatch(text) or plan.read(text).has("note", "schedule", "create", "remind"):
        return None
    if "get_audit_trail" not in plan.tools:
        return Answer(_FOR_ADMINS)

    def audited(value: Mapping[str, Any]) -> str:
        return _audited(plan, value) or "The audit trail has no calls for that."

    spans = find_times(text, plan.now)
    since = together(spans).moment(plan.now).isoformat() if spans else None
    return called(plan, "get_audit_trail", "read the audit trail", audited, since=since)


def recent_events(plan: Plan, text: str) -> Answer | None:
    """ "Anything new in the CRM lately?"."""
    if not _NEWS.fullmatch(text) or "get_recent_events" not in plan.tools:
        return None

    def told(value: Mapping[str, Any]) -> str:
        lines = [
            f"{place}. **{one['title']}** ({phrasing.ago(str(one.get('created_at')), plan.now)})"
            for place, one in enumerate(value.get("items", ()), 1)
        ]
        return "What happened lately:\n\n" + "\n".join(lines) if lines else "Nothing happened lately."

    return called(plan, "get_recent_events", "look up the events", told)


def undo(plan: Plan, text: str) -> Answer | None:
    """ "Oops, undo it", "revert my last change please"."""
    match = _UNDO.fullmatch(text)
    if match is None or "undo_last" not in plan.tools:
        return None
    ahead = text[: match.start("undo")]
    if ":" in ahead or plan.read(ahead).has("create", "note", "schedule", "update", "remind", "show"):
        return None
    return called(plan, "undo_last", "undo that", generic_receipts)
