"""The gate: the decision whether a call may run now, for the calls of all doors."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from aisha.application.tooling.context import ToolPorts
from aisha.domain.errors import NotSetUpError, PermissionDeniedError
from aisha.domain.json_values import values_in
from aisha.domain.principal import Principal
from aisha.domain.tools import DECLARED, ToolCall, ToolSpec

Verdict = Literal["allow", "ask", "deny"]
UNDONE_FOR_A_DAY = "it can be undone for one day only"
"""The reason to confirm a change with a receipt, which is kept for `receipts.RECEIPT_TTL`."""
NEVER_UNDONE = "it can't be undone"
LASTS = "it stays in force"
"""The reason to confirm what every later answer depends on: instructions, memories."""
MANY_RECORDS = "it changes more than"
"""The beginning of the reason to confirm a bulk call."""
_RANK: dict[Verdict, int] = {"allow": 0, "ask": 1, "deny": 2}
_RULE_REASONS = {"ask": "your organisation's rules ask for it", "deny": "your organisation has switched it off"}
_NOT_SET_UP: Mapping[str, tuple[str, str]] = {
    "mail": (
        "Sending email is not set up here",
        "Draft it with draft_email and send it from your own mailbox, or ask your admin to set up a sender.",
    ),
    "issues": ("No GitHub repository is set up here", "Ask your admin to name the repository and its token."),
}
"""The sentence for a user, and its remedy, where a port is missing without which a tool can't run."""


class Decision(Struct, frozen=True):
    """A verdict. `reason` is a text for people; `error` is set for a denial."""

    verdict: Verdict
    reason: str = ""
    error: PermissionDeniedError | None = None


def decide(
    principal: Principal,
    spec: ToolSpec,
    *,
    doubt: str = "",
    records_written: int = 0,
    bulk_threshold: int = 10,
    rules: Mapping[str, Verdict] | None = None,
) -> Decision:
    """Allow, ask or deny: the most restrictive rule wins (C-H4, C-X4).

    `doubt` says, in words for the user, why a write may not be what they ordered; such a write needs a confirmation.
    `records_written` is the number of records that the turn has written after this call; `rules` are the tenant's own
    verdicts by tool name.
    """
    # First of all: nobody is asked to confirm what they may not do.
    if (error := denied(principal, spec)) is not None:
        return Decision("deny", error.message, error)
    verdict, reason = _own_verdict(spec, doubt, records_written, bulk_threshold)
    rule = (rules or {}).get(spec.name, "allow")
    # A tenant's rule can only restrict: "allow" never lifts a confirmation.
    if _RANK[rule] > _RANK[verdict]:
        verdict, reason = rule, _RULE_REASONS[rule]
    if verdict == "deny":
        return Decision("deny", reason, PermissionDeniedError(f"{spec.name} is switched off here", tool=spec.name))
    return Decision(verdict, reason)


def count_records(call: ToolCall) -> int:
    """Return the number of records that the call writes: those of its list, or one; 0 for a read.

    What a list of another system's tool has, such as ids, is not known: each item counts as a record.
    """
    if call.spec is None or call.spec.access == "read":
        return 0
    is_declared = call.spec.toolkit in DECLARED
    lists = (
        value
        for value in values_in(call.arguments)
        if isinstance(value, list) and (is_declared or any(isinstance(item, dict) for item in value))
    )
    return max((1, *map(len, lists)))


def denied(principal: Principal, spec: ToolSpec) -> PermissionDeniedError | None:
    """Return the error for a tool that the user may not use through this door, or None. The default is to deny."""
    if principal.door not in spec.clients:
        return PermissionDeniedError(f"{spec.name} can't be used through {principal.door}", tool=spec.name)
    if not principal.may_use(spec.module):
        return PermissionDeniedError(
            f"User lacks module access: {spec.module}",
            tool=spec.name,
            detail={"module": spec.module},
            suggestion=f"Ask your admin for access to {spec.module}.",
        )
    if spec.role is not None and spec.role not in principal.roles:
        return PermissionDeniedError(f"Only {spec.role}s may use {spec.name}", tool=spec.name)
    return None


def is_open(principal: Principal, spec: ToolSpec, rules: Mapping[str, Verdict] | None = None) -> bool:
    """Return whether the user may use the tool at all, with or without a confirmation."""
    return denied(principal, spec) is None and (rules or {}).get(spec.name) != "deny"


def _own_verdict(spec: ToolSpec, doubt: str, records_written: int, threshold: int) -> tuple[Verdict, str]:
    if spec.confirmation == "always" and spec.access == "write":
        return "ask", LASTS
    if spec.confirmation == "always" or (spec.confirmation == "destructive" and spec.access in ("delete", "external")):
        return "ask", UNDONE_FOR_A_DAY if _is_undoable(spec) else NEVER_UNDONE
    if spec.access == "read":
        return "allow", ""
    # Asked about though it was ordered: the user sees here how many it would be.
    if records_written > threshold:
        return "ask", f"{MANY_RECORDS} {threshold} records"
    return ("ask", doubt) if doubt else ("allow", "")


def _is_undoable(spec: ToolSpec) -> bool:
    """Return whether the changes can be undone: they are in the CRM, and the result has their receipts."""
    return spec.access != "external" and not {"receipt", "receipts"}.isdisjoint(spec.returns.get("properties", ()))


def missing_port(spec: ToolSpec, ports: ToolPorts) -> NotSetUpError | None:
    """Return the error of a call that can't run in this deployment, so that nobody is asked to confirm it; or None."""
    if spec.port is None or getattr(ports, spec.port) is not None:
        return None
    message, suggestion = _NOT_SET_UP[spec.port]
    return NotSetUpError(message, tool=spec.name, suggestion=suggestion)
