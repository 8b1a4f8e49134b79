"""Changes of a tenant's profile by its admins: the assistant's name, persona, labels, rules and trust.

Plan, limits and provider are the operator's, who sets them with `make onboard`. Each change is in the audit log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from aisha.application.audit.trail import Audit, AuditTrail
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.entries import PROFILE
from aisha.domain.errors import ConflictError, InvalidInputError
from aisha.domain.ports import Clock, EntryRepository
from aisha.domain.principal import Principal, require_admin

if TYPE_CHECKING:
    # Its cache is not imported at a cold start.
    from aisha.application.tenants.profile_cache import TenantProfiles

ACTION = "update_profile"
"""The name of a change in the audit log."""
_ADMIN_TASK = "change the assistant's settings"


class ProfileChange(Struct, frozen=True):
    """The members to replace; None leaves one as it is, an empty one removes it."""

    assistant_name: str | None = None
    persona: list[str] | None = None
    labels: Mapping[str, str] | None = None
    rules: Mapping[str, str] | None = None
    role_rules: Mapping[str, Mapping[str, str]] | None = None
    trust: Mapping[str, Sequence[str]] | None = None
    brainlets: Mapping[str, Any] | None = None
    custom_fields: Mapping[str, Sequence[Mapping[str, Any]]] | None = None


class StoredProfile(Struct, frozen=True):
    """The body of a tenant's profile and its version, which is 0 when none is stored."""

    body: Mapping[str, Any]
    version: int


class ProfileEditor(Struct, frozen=True):
    """The stores that a change needs. `tools` are the names that a rule can have."""

    entries: EntryRepository
    profiles: TenantProfiles
    audit: Audit
    clock: Clock

    def read(self, tenant: str) -> StoredProfile:
        """Return the profile as it is stored now."""
        entry = self.entries.find(tenant, None, PROFILE, PROFILE)
        return StoredProfile(entry.body, entry.version) if entry else StoredProfile({}, 0)

    def change(
        self, principal: Principal, change: ProfileChange, tools: frozenset[str], expected_version: int
    ) -> StoredProfile:
        """Store the change under the version that the admin saw, and return the profile.

        Raises `PermissionDeniedError`, `InvalidInputError` for an unknown type or tool, `ConflictError` when somebody
        else has changed it, and `UnavailableError` when it can't be recorded in the audit log: then nothing changes.
        """
        require_admin(principal, _ADMIN_TASK)
        _check(change, tools)
        stored = self.read(principal.tenant)
        if stored.version != expected_version:
            raise ConflictError("Somebody else has changed these settings.", suggestion="Read them again.")
        new_values = {
            name: getattr(change, name) for name in change.__struct_fields__ if getattr(change, name) is not None
        }
        trail = AuditTrail(self.audit, principal, self.clock)
        intent = trail.entry(ACTION, "intended", arguments=new_values, line="is about to run", severity="high")
        trail.write(intent)
        body = {name: value for name, value in {**stored.body, **new_values}.items() if name not in new_values or value}
        self.entries.put(principal.tenant, None, PROFILE, PROFILE, body, expected_version=stored.version)
        self.profiles.forget(principal.tenant)
        line = f"changed {_names(new_values)}"
        trail.add(trail.entry(ACTION, "executed", arguments=new_values, line=line, severity="high", intent=intent.id))
        return self.read(principal.tenant)


def _check(change: ProfileChange, tools: frozenset[str]) -> None:
    for name in change.labels or {}:
        if name not in RECORD_TYPES:
            raise InvalidInputError(
                f"There are no records called {name[:60]!r}.",
                pointer="/labels",
                detail={"types": sorted(RECORD_TYPES)},
                suggestion=f"Use one of: {', '.join(sorted(RECORD_TYPES))}.",
            )
    for member, pointer in (("rules", "/rules"), ("role_rules", "/roleRules"), ("trust", "/trust")):
        for name in getattr(change, member) or {}:
            if name not in tools:
                raise InvalidInputError(
                    f"There is no tool {name[:60]!r}.",
                    pointer=pointer,
                    suggestion="Use a name that GET /api/ai/tools lists.",
                )


def _names(values: Mapping[str, Any]) -> str:
    return ", ".join(name.replace("_", " ") for name in values) or "nothing"
