"""The gate: may this call run now? Every door asks here; there is no second way to run a tool."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from aisha.domain.errors import PermissionDeniedError
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec

Verdict = Literal["allow", "ask", "deny"]
Provenance = Literal["user", "record", "memory", "document", "external"]
UNDONE_FOR_A_DAY = "it can be undone for one day only"
"""Why a change that is kept with a receipt waits for a yes; `receipts.RECEIPT_TTL` says for how long it is kept."""
NEVER_UNDONE = "it can't be undone"
_RANK: dict[Verdict, int] = {"allow": 0, "ask": 1, "deny": 2}


class Decision(Struct, frozen=True):
    """`reason` is for people; `error` stands on a denial."""

    verdict: Verdict
    reason: str = ""
    error: PermissionDeniedError | None = None


def decide(
    principal: Principal,
    spec: ToolSpec,
    *,
    provenance: Provenance = "user",
    records_written: int = 0,
    bulk_threshold: int = 10,
    rules: Mapping[str, Verdict] | None = None,
) -> Decision:
    """Allow, ask or deny; the most restrictive answer wins (C-H4, C-X4).

    `provenance` says where the wish came from: a write that the user did not word waits for the user.
    `records_written` is how many records the turn would have written with this call; `rules` are the tenant's own
    verdicts by tool name.
    """
    if (error := denied(principal, spec)) is not None:
        return Decision("deny", error.message, error)
    verdict, reason = _asked(spec, provenance, records_written, bulk_threshold)
    ruled = (rules or {}).get(spec.name, "allow")
    if _RANK[ruled] > _RANK[verdict]:
        verdict, reason = ruled, "your organisation's rules for this tool"
    if verdict == "deny":
        return Decision("deny", reason, PermissionDeniedError(f"{spec.name} is switched off here", tool=spec.name))
    return Decision(verdict, reason)


def records_of(call: ToolCall) -> int:
    """How many records the call writes: those of its list, or one; none for a read."""
    if call.spec is None or call.spec.access == "read":
        return 0
    return max((len(value) for value in call.arguments.values() if _is_bulk(value)), default=1)


def _is_bulk(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def denied(principal: Principal, spec: ToolSpec) -> PermissionDeniedError | None:
    """Why the user may not use the tool through this door at all; None when they may. What nobody granted is denied."""
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
    """Whether `decide` would say anything but deny: for lists of what a user may do."""
    return denied(principal, spec) is None and (rules or {}).get(spec.name) != "deny"


def _asked(spec: ToolSpec, provenance: Provenance, records_written: int, threshold: int) -> tuple[Verdict, str]:
    if spec.confirmation == "always" or (spec.confirmation == "destructive" and spec.access in ("delete", "external")):
        return "ask", UNDONE_FOR_A_DAY if _is_undone(spec) else NEVER_UNDONE
    if spec.access != "read" and provenance != "user":
        return "ask", f"the wish came from a {provenance}, not from you"
    if spec.access != "read" and records_written > threshold:
        return "ask", f"it changes more than {threshold} records"
    return "allow", ""


def _is_undone(spec: ToolSpec) -> bool:
    """Whether its changes can be taken back: they stay in the CRM, and its result has their receipts."""
    return spec.access != "external" and not {"receipt", "receipts"}.isdisjoint(spec.returns.get("properties", ()))
