"""Roles and modules of users whose identity provider does not have them, stored at the tenant's onboarding."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    # The ports import all record types, which the authorizer does not load.
    from aisha.domain.ports import EntryRepository

ACCESS = "access"
"""Kind and id of the entry, one per user."""


class Access(Struct, frozen=True):
    """A user's roles and modules, by default none."""

    roles: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def access_of(entries: "EntryRepository", tenant: str, user: str) -> Access:
    """Return what is granted to the user. Raises `UnavailableError`: a failed read is never an access by default."""
    entry = entries.find(tenant, user, ACCESS, ACCESS)
    body = entry.body if entry else {}
    return Access(_names(body.get("roles")), _names(body.get("modules")))


def grant(entries: "EntryRepository", tenant: str, user: str, access: Access) -> None:
    """Replace the user's access. It takes effect when the gateway's cached answer of the authorizer expires."""
    body = {"roles": sorted(set(access.roles)), "modules": sorted(set(access.modules))}
    entries.put(tenant, user, ACCESS, ACCESS, body)


def _names(value: Any) -> tuple[str, ...]:
    return tuple(sorted({name for name in value if isinstance(name, str)})) if isinstance(value, list) else ()
