"""The setup of a tenant, parsed from the command line."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from aisha.adapters.llm.provider import providers
from aisha.application.tenants.access import Access
from aisha.application.tenants.plans import PLAN_NAMES
from aisha.application.tenants.profile import ANY_ROLE
from aisha.domain.crm.records import RECORD_TYPES
from infra.admin.errors import OnboardingError

IDENTIFIER = re.compile(r"[\w.@|:+-]{1,128}", re.ASCII)
"""Tenants and users that the authorizer accepts."""


@dataclass(frozen=True, slots=True)
class TenantSetup:
    """The profile and users of a tenant.

    `labels` maps entity types to the tenant's own terms, `access` users to their roles and modules. `limits` are those
    that differ from the plan's. With a `provider`, only its models serve the tenant. `trust` are the
    roles, by tool, whose users are not asked about writes that they did not order word for word.
    """

    tenant: str
    plan: str
    assistant_name: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    access: Mapping[str, Access] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    provider: str | None = None
    mask_contacts: bool | None = None
    trust: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def check(self, modules: Set[str], tools: Set[str]) -> None:
        """Raise `OnboardingError` for values that the functions would not accept. `modules` and `tools` are all."""
        _check_names("tool", set(self.trust), tools)
        for name in (self.tenant, *self.access):
            if not IDENTIFIER.fullmatch(name):
                raise OnboardingError(f"{name!r} is no tenant or user that a token can name.")
        _check_names("plan", {self.plan}, set(PLAN_NAMES))
        _check_names("entity type", set(self.labels), set(RECORD_TYPES))
        if self.provider:
            _check_names("provider", {self.provider}, set(providers()))
        for access in self.access.values():
            _check_names("module", set(access.modules), modules)
        for name, value in self.limits.items():
            # `not >=`, so that NaN is refused, too.
            if not value >= (0 if name == "budget_usd" else 1):
                raise OnboardingError(f"{name} can't be {value:g}.")


def parse_labels(text: str) -> dict[str, str]:
    """Parse `lead=Prospect,account=Client`. Raises `OnboardingError`."""
    labels = {}
    for part in filter(None, (label.strip() for label in text.split(","))):
        kind, _, word = (piece.strip() for piece in part.partition("="))
        if not kind or not word:
            raise OnboardingError(f"{part!r} is no label; write lead=Prospect,account=Client")
        labels[kind] = word
    return labels


def parse_access(text: str) -> dict[str, Access]:
    """Parse `alice:admin:leads,contacts;bob:member:leads`: users, roles, modules. Raises `OnboardingError`."""
    access = {}
    for part in filter(None, (user.strip() for user in text.split(";"))):
        # From the right: the id of a user may have colons.
        pieces = [piece.strip() for piece in part.rsplit(":", 2)]
        if len(pieces) != 3 or not pieces[0]:
            raise OnboardingError(f"{part!r} is no user; write alice:admin:leads,contacts;bob:member:leads")
        access[pieces[0]] = Access(_names(pieces[1]), _names(pieces[2]))
    return access


def parse_trust(text: str) -> dict[str, tuple[str, ...]]:
    """Parse `create_note;update_lead=admin,manager`: tools, and roles if not all. Raises `OnboardingError`."""
    trust = {}
    for part in filter(None, (tool.strip() for tool in text.split(";"))):
        tool, mark, roles = (piece.strip() for piece in part.partition("="))
        names = _names(roles)
        if not tool or (mark and not names):
            raise OnboardingError(f"{part!r} trusts nobody; write create_note;update_lead=admin,manager")
        # An empty list takes the trust away again: tool=none.
        trust[tool] = () if names == ("none",) else names or (ANY_ROLE,)
    return trust


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _check_names(kind: str, names: Set[str], existing: Set[str]) -> None:
    if unknown := sorted(names - existing):
        raise OnboardingError(f"There is no {kind} {unknown[0]!r}. There are: {', '.join(sorted(existing))}.")


def join_names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
