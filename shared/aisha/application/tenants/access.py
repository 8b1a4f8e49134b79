"""Roles and modules of users whose identity provider knows nothing of them: kept here since the tenant was set up."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    # The ports know every record type, which the authorizer does not load.
    from aisha.domain.ports import EntryRepository

ACCESS = "access"
"""Kind and id of a user's one entry."""


class Access(Struct, frozen=True):
    """What a user may do; nothing unless somebody said so."""

    roles: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def access_of(entries: "EntryRepository", tenant: str, user: str) -> Access:
    """What was granted to the user here. Raises `UnavailableError`: nobody is let in on a guess."""
    entry = entries.find(tenant, user, ACCESS, ACCESS)
    body = entry.body if entry else {}
    return Access(_names(body.get("roles")), _names(body.get("modules")))


def grant(entries: "EntryRepository", tenant: str, user: str, access: Access) -> None:
    """Puts `access` in the place of what the user had. It holds when the gateway asks the authorizer again."""
    body = {"roles": sorted(set(access.roles)), "modules": sorted(set(access.modules))}
    entries.put(tenant, user, ACCESS, ACCESS, body)


def _names(value: Any) -> tuple[str, ...]:
    return tuple(sorted({name for name in value if isinstance(name, str)})) if isinstance(value, list) else ()
