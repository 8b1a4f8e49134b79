"""The stored state of a tenant's connection to its CRM: how far its copy has come, and which tenants are connected."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import convert, field

from aisha.application.connections.dependencies import Reading
from aisha.application.tenants.sweep_enrolment import SYSTEM
from aisha.domain.crm.paging import items
from aisha.domain.crm.team_values import TeamValue, TeamValues
from aisha.domain.ports import EntryRepository

STATE = "crm_sync"
"""Kind and id of the entry with a tenant's state."""
VALUES = "crm_values"
"""Kind and id of the entry with the CRM's own values, such as stages."""
FIELDS = "crm_fields"
"""Kind and id of the entry with the CRM's custom fields."""
CONNECTED = "crm_connected"
"""Kind of the list of connected tenants, by connection id."""
MAX_COPY_AGE = timedelta(minutes=15)
"""Age from which answers say how old the copy is: three runs of the timer."""


class SyncState(Reading, frozen=True):
    """The state of a tenant's copy. `at` and `cursor` are how far the running load or reading of changes has come:
    the index of the CRM's resource in the order of reading, and its page.

    `since` is the time up to which changes were read, `synced_at` the time for which the copy was last complete.
    `error` is the message with which the last run failed. `problems` are the last records that could not be read.
    """

    connection: str
    phase: str = "loading"
    loaded: int = 0
    started_at: datetime | None = None
    since: datetime | None = None
    synced_at: datetime | None = None
    error: str | None = None
    problems: list[str] = field(default_factory=list)
    saved_at: datetime | None = None

    @property
    def is_idle(self) -> bool:
        """True when no reading is under way."""
        return self.phase == "ready" and self.at == 0 and self.cursor is None


def sync_state(entries: EntryRepository, tenant: str) -> SyncState | None:
    """Return the state of a tenant's copy; None without a connection."""
    entry = entries.find(tenant, None, STATE, STATE)
    return convert(entry.body, SyncState) if entry else None


def connect(entries: EntryRepository, tenant: str, connection: str) -> None:
    """Register a tenant's connection for the timer and for webhooks."""
    entries.put(SYSTEM, None, CONNECTED, connection, {"tenant": tenant})


def tenant_of(entries: EntryRepository, connection: str) -> str | None:
    """Return the tenant of a connection."""
    entry = entries.find(SYSTEM, None, CONNECTED, connection)
    return str(entry.body["tenant"]) if entry else None


def connected_tenants(entries: EntryRepository) -> Iterator[str]:
    """Yield every tenant with a connection."""
    connected = items(lambda cursor: entries.page(SYSTEM, None, CONNECTED, cursor=cursor, oldest_first=True))
    return (str(entry.body["tenant"]) for entry in connected)


def team_values(body: Mapping[str, Any]) -> TeamValues:
    """Return the values that `store_values` stored as the body of an entry."""
    return {place: convert(values, list[TeamValue]) for place, values in body.items()}


def copy_age(state: SyncState | None, now: datetime) -> datetime | None:
    """Return the time of the copy if answers have to state it, because it is old or the last run failed; else None."""
    if state is None or state.synced_at is None:
        return None
    is_old = now - state.synced_at > MAX_COPY_AGE
    return state.synced_at if is_old or state.error else None
