"""The tenants that are swept: those whose users have used what sweeps are for."""

from collections.abc import Iterator
from contextlib import suppress

from aisha.domain.errors import ConflictError
from aisha.domain.pages import items
from aisha.domain.ports import EntryRepository

SYSTEM = "#system"
"""Where the list of tenants is kept. No token can name it: an identifier there has no `#`."""
KIND = "tenant"
_PAGE = 50


def enrol(entries: EntryRepository, tenant: str) -> None:
    """Adds the tenant to those that are swept; again changes nothing."""
    if entries.find(SYSTEM, None, KIND, tenant) is None:
        with suppress(ConflictError):
            entries.put(SYSTEM, None, KIND, tenant, {}, expected_version=0)


def enrolled(entries: EntryRepository) -> Iterator[str]:
    """Every tenant that is swept, page by page."""
    tenants = items(lambda cursor: entries.page(SYSTEM, None, KIND, limit=_PAGE, cursor=cursor, oldest_first=True))
    return (tenant.id for tenant in tenants)
