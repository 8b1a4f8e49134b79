"""What a tenant shall have, as the command line says it."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from aisha.application.tenants.access import Access
from aisha.application.tenants.plans import PLAN_NAMES
from aisha.domain.providers import PROVIDERS
from aisha.domain.records import RECORD_TYPES

IDENTIFIER = re.compile(r"[\w.@|:+-]{1,128}", re.ASCII)
"""As the authorizer takes tenants and users."""


class OnboardingError(Exception):
    """It can't be done; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class TenantSetup:
    """`labels`: entity type to the tenant's word. `access` by user. `limits` are those that differ from the plan's.

    `provider` is whose models alone the tenant is served with.
    """

    tenant: str
    plan: str
    assistant_name: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    access: Mapping[str, Access] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    provider: str | None = None
    mask_contacts: bool | None = None

    def check(self, modules: Set[str]) -> None:
        """Raises `OnboardingError` for what the functions would not understand. `modules` are those that exist."""
        for name in (self.tenant, *self.access):
            if not IDENTIFIER.fullmatch(name):
                raise OnboardingError(f"{name!r} is no tenant or user that a token can name.")
        _known("plan", {self.plan}, set(PLAN_NAMES))
        _known("entity type", set(self.labels), set(RECORD_TYPES))
        if self.provider:
            _known("provider", {self.provider}, set(PROVIDERS))
        for access in self.access.values():
            _known("module", set(access.modules), modules)
        for name, value in self.limits.items():
            if not value >= (0 if name == "budget_usd" else 1):
                raise OnboardingError(f"{name} can't be {value:g}.")


def labels_of(text: str) -> dict[str, str]:
    """`lead=Prospect,account=Client`. Raises `OnboardingError`."""
    labels = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        kind, _, word = (piece.strip() for piece in part.partition("="))
        if not kind or not word:
            raise OnboardingError(f"{part!r} is no label; write lead=Prospect,account=Client")
        labels[kind] = word
    return labels


def access_of(text: str) -> dict[str, Access]:
    """`alice:admin:leads,contacts;bob:member:leads`: users with their roles and modules. Raises `OnboardingError`."""
    access = {}
    for part in filter(None, (one.strip() for one in text.split(";"))):
        pieces = [piece.strip() for piece in part.rsplit(":", 2)]
        if len(pieces) != 3 or not pieces[0]:
            raise OnboardingError(f"{part!r} is no user; write alice:admin:leads,contacts;bob:member:leads")
        access[pieces[0]] = Access(_names(pieces[1]), _names(pieces[2]))
    return access


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _known(what: str, said: Set[str], known: Set[str]) -> None:
    if unknown := sorted(said - known):
        raise OnboardingError(f"There is no {what} {unknown[0]!r}. There are: {', '.join(sorted(known))}.")


def described(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
