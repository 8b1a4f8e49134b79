"""Enrolment for sweeps: the list of tenants whose users have used scans or saved notification settings."""

from collections.abc import Iterator
from contextlib import suppress

from aisha.domain.crm.paging import items
from aisha.domain.errors import ConflictError
from aisha.domain.ports import EntryRepository

SYSTEM = "#system"
"""The owner of the list, in the place of a tenant. No token can name it: a tenant's id has no `#`."""
KIND = "tenant"
_PAGE = 50


def enrol(entries: EntryRepository, tenant: str) -> None:
    """Enrol the tenant for sweeps; enrolling it again changes nothing."""
    if not is_enrolled(entries, tenant):
        # Another request of the tenant has enrolled it at the same moment.
        with suppress(ConflictError):
            entries.put(SYSTEM, None, KIND, tenant, {}, expected_version=0)


def is_enrolled(entries: EntryRepository, tenant: str) -> bool:
    """Return whether the tenant is swept every day."""
    return entries.find(SYSTEM, None, KIND, tenant) is not None


def enrolled_tenants(entries: EntryRepository) -> Iterator[str]:
    """Yield every enrolled tenant. Pages are read on demand."""
    tenants = items(lambda cursor: entries.page(SYSTEM, None, KIND, limit=_PAGE, cursor=cursor, oldest_first=True))
    return (tenant.id for tenant in tenants)
