"""Answer questions about the audit trail and recent events, and undo the last change."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.arguments import merge_times
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.times import find_times
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.replies.result_text import format_receipts

_AUDIT = pattern(r"[^:]*\baudit (?:trail|log|records?|history)\b[^:]*")
# "anything new in the CRM?", "what changed since Monday?", "show the latest events".
_NEWS = pattern(
    r"(?:is there )?(?:any(?:thing)? (?:new|news)|what(?:'s|s| is| has been) (?:new|going on|happening))"
    r" (?:in|with|from|around) (?:the|our|my) (?:crm|system|tenant|company)\b.*"
    r"|(?:did )?(?:anything|what(?:'s| has| have)?|something|whats) (?:has |have )?"
    r"(?:happen(?:ed|ing|s)?|changed|been going on|going on|gone on|new)(?: (?:in|with|to|around|on|here|the|our|my|crm"
    r"|system|account|since\b.*|lately|recently|while i\b.*|today|overnight))*[?.!\s]*"
    r"|(?:show|list|tell|give|what|which)\b.*\b(?:recent|latest|last) (?:events|news|happenings)\b.*"
)
# "undo that", "put it back how it was", "revert my last change".
_UNDO = pattern(
    r"(?:.*[,.;!]\s*)?(?:(?:please|can|could|you|and|so|just) )*(?P<undo>undo|revert|roll back|reverse"
    r"|(?=(?:put|change|set|move|turn|switch|take) (?:it|that|this) back)(?:put|change|set|move|turn|switch|take))"
    r" (?:(?:it|that|this) back(?: (?:to )?(?:how|what|where|as) it was)?|it|that|this"
    r"|(?:the|my|your) last (?:change|action|step|thing|one))(?: (?:please|again|for me))*[.!?\s]*"
)
# "who changed X?", "what was changed about X?".
_WHO = pattern(
    r"who (?:has |have |was it that )?(?:last |recently )?"
    r"(?:touched|changed|edited|updated|modified|altered|messed with) (?P<what>.+?)"
    r"(?: (?:last|lately|recently|most recently))?[?.!\s]*|(?:what|which) (?:has |was |changes )?"
    r"(?:changed|changes|been changed|were made|edits) (?:on|to|about|with|at|in)"
    r" (?P<whose>(?!the crm|the system)\S.*?)(?: (?:lately|recently|last|most recently))?[?.!\s]*"
)
_FOR_ADMINS = "The audit trail is open to administrators alone. Please contact your admin if you need it."


def who_changed(plan: Plan, text: str) -> Answer | None:
    """Answer "who touched Blue Harbor Logistics last?" with the calls about that record."""
    match = _WHO.fullmatch(text)
    what = (match["what"] or match["whose"]) if match else ""
    if match is None or not plan.mentions_record(f"show me {what}"):
        return None
    if "get_audit_trail" not in plan.tools:
        return Answer(_FOR_ADMINS)
    record = plan.record_named(f"show me {what}", "Which record do you mean?")

    def format_calls(value: Mapping[str, Any]) -> str:
        return _format_audit(plan, value) or f"The audit trail has no changes of {record.name}."

    return plan.run("get_audit_trail", "read the audit trail", format_calls, refs=(record,), entity=record.id)


def _format_audit(plan: Plan, value: Mapping[str, Any]) -> str:
    return "\n".join(
        f"{place}. {phrasing.format_instant(str(one['at']), plan.now)}: {one['user']}, "
        f"**{phrasing.humanise(str(one['tool']))}**, {one['status']}"
        for place, one in enumerate(value.get("items", ()), 1)
    )


def audit_trail(plan: Plan, text: str) -> Answer | None:
    """Answer "show me the audit log since Monday". Only administrators have the tool."""
    if not _AUDIT.fullmatch(text) or plan.read(text).has("note", "schedule", "create", "remind"):
        return None
    if "get_audit_trail" not in plan.tools:
        return Answer(_FOR_ADMINS)

    def format_calls(value: Mapping[str, Any]) -> str:
        return _format_audit(plan, value) or "The audit trail has no calls for that."

    spans = find_times(text, plan.now)
    since = merge_times(spans).moment(plan.now).isoformat() if spans else None
    return plan.run("get_audit_trail", "read the audit trail", format_calls, since=since)


def recent_events(plan: Plan, text: str) -> Answer | None:
    """Answer "anything new in the CRM lately?"."""
    if not _NEWS.fullmatch(text) or "get_recent_events" not in plan.tools:
        return None

    def format_events(value: Mapping[str, Any]) -> str:
        lines = [
            f"{place}. **{one['title']}** ({phrasing.format_age(str(one.get('created_at')), plan.now)})"
            for place, one in enumerate(value.get("items", ()), 1)
        ]
        return "What happened lately:\n\n" + "\n".join(lines) if lines else "Nothing happened lately."

    return plan.run("get_recent_events", "look up the events", format_events)


def undo(plan: Plan, text: str) -> Answer | None:
    """Match "oops, undo it", "revert my last change please"."""
    match = _UNDO.fullmatch(text)
    if match is None or "undo_last" not in plan.tools:
        return None
    before = text[: match.start("undo")]
    if ":" in before or plan.read(before).has("create", "note", "schedule", "update", "remind", "show"):
        return None
    return plan.run("undo_last", "undo that", format_receipts)
