"""What happened: the audit trail, the news, and taking the last change back."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import together
from aisha.adapters.llm.offline.generic import generic_receipts
from aisha.adapters.llm.offline.patterned.calling import called
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.domain.dates import find_times

_AUDIT = re.compile(r"[^:]*\baudit\s+(?:trail|log|records?|history)\b[^:]*", re.IGNORECASE)
_NEWS = re.compile(
    r"(?:is\s+there\s+)?(?:any(?:thing)?\s+(?:new|news)|what(?:'s|s|\s+is|\s+has\s+been)\s+(?:new|going\s+on|happening))\s+(?:in|with|from|around)\s+(?:the|our|my)\s+(?:crm|system|tenant|company)\b.*"
    r"|(?:show|list|tell|give|what|which)\b.*\b(?:recent|latest|last)\s+(?:events|news|happenings)\b.*",
    re.IGNORECASE,
)
_UNDO = re.compile(
    r"(?:.*[,.;!]\s*)?(?:(?:please|can|could|you|and|so|just)\s+)*(?P<undo>undo|revert|roll\s+back|reverse)\s+"
    r"(?:it|that|this|(?:the|my|your)\s+last\s+(?:change|action|step|thing|one))(?:\s+(?:please|again|for\s+me))*[.!?\s]*",
    re.IGNORECASE,
)


def audit_trail(plan: Plan, text: str) -> Answer | None:
    """ "Show me the audit log since Monday". Only administrators have the tool."""
    if not _AUDIT.fullmatch(text) or plan.read(text).has("note", "schedule", "create", "remind"):
        return None
    if "get_audit_trail" not in plan.tools:
        return Answer("The audit trail is open to administrators alone. Please contact your admin if you need it.")

    def audited(value: Mapping[str, Any]) -> str:
        lines = [
            f"{place}. {phrasing.instant(str(one['at']), plan.now)}: {one['user']}, **{phrasing.words(str(one['tool']))}**, {one['status']}"
            for place, one in enumerate(value.get("items", ()), 1)
        ]
        return "\n".join(lines) or "The audit trail has no calls for that."

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
