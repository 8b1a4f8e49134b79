"""Synchronisation from a tenant's CRM: the first load, changes by timer and webhook, and deletions once a day.

Each message does a bounded piece of work and then sends the next one, so a load survives any kill: the state is one
entry, and a piece that is done twice changes nothing twice.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import batched
from typing import Any

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from aisha.application.connections.mirror import Mirror
from aisha.application.tenants.sweep_enrolment import SYSTEM
from aisha.domain.crm.pages import items
from aisha.domain.crm.queries import MAX_PAGE, RecordQuery, Written
from aisha.domain.crm.records import Record
from aisha.domain.crm.team_values import TeamValue, TeamValues
from aisha.domain.errors import AishaError, ConflictError, InvalidInputError, PermissionDeniedError
from aisha.domain.ports import Clock, EntryRepository, RecordRepository, WorkQueue
from aisha.domain.retries import retrying

TASK = "crm"
"""`task` of the queue's messages."""
STATE = "crm_sync"
"""Kind and id of a tenant's entry."""
VALUES = "crm_values"
"""Kind and id of the entry with the CRM's own values, such as stages."""
FIELDS = "crm_fields"
"""Kind and id of the entry with the CRM's custom fields."""
CONNECTED = "crm_connected"
"""Kind of the list of connected tenants, by connection id."""
ORDER = ("account", "contact", "lead", "opportunity", "activity", "note")
"""Types in the order of the first load: activities and notes need what they are about."""
OVERLAP = timedelta(minutes=5)
"""Overlap of two readings of changes: clocks differ, and searches find a change late."""
STALE_AFTER = timedelta(minutes=15)
"""Age from which answers say how old the copy is: three runs of the timer."""
PAGES_PER_MESSAGE = 5
MESSAGE_TIME = timedelta(seconds=40)
"""Time after which a message leaves the next page to another message: the worker has 120 seconds."""
LOST_AFTER = timedelta(minutes=15)
"""Time without progress after which a reading is taken up again."""
REFS_PER_MESSAGE = 50
DELETIONS_EVERY = timedelta(days=1)
MAX_PROBLEMS = 20
_LOGGER = logging.getLogger(__name__)


class SyncState(Struct, frozen=True):
    """The state of a tenant's copy. `at` and `cursor` are the place in `ORDER`'s resources of a load, or of a reading
    of changes, that runs.

    `since` is up to where changes were read, `synced_at` when the copy was last complete. `error` is what the last run
    failed with. `problems` are the last records that could not be read.
    """

    connection: str
    phase: str = "loading"
    at: int = 0
    cursor: str | None = None
    loaded: int = 0
    started_at: datetime | None = None
    since: datetime | None = None
    synced_at: datetime | None = None
    deletions_at: datetime | None = None
    error: str | None = None
    problems: list[str] = field(default_factory=list)
    saved_at: datetime | None = None

    @property
    def is_idle(self) -> bool:
        """True when no reading is under way."""
        return self.phase == "ready" and self.at == 0 and self.cursor is None


class SyncDependencies(Struct, frozen=True):
    """`remember` gets what changed, for memory; `warn` tells the tenant's admins."""

    mirror_of: Callable[[str], Mirror | None]
    local: RecordRepository
    entries: EntryRepository
    clock: Clock
    queue: WorkQueue
    remember: Callable[[str, Sequence[Written]], None]
    warn: Callable[[str, str], None]
    queue_name: str = "sweep"


def sync_state(entries: EntryRepository, tenant: str) -> SyncState | None:
    """Return the state of a tenant's copy; None without a connection."""
    entry = entries.find(tenant, None, STATE, STATE)
    return convert(entry.body, SyncState) if entry else None


def connect(entries: EntryRepository, tenant: str, connection: str) -> None:
    """Enrol a tenant's connection for the timer and for webhooks."""
    entries.put(SYSTEM, None, CONNECTED, connection, {"tenant": tenant})


def tenant_of(entries: EntryRepository, connection: str) -> str | None:
    """Return the tenant of a connection."""
    entry = entries.find(SYSTEM, None, CONNECTED, connection)
    return str(entry.body["tenant"]) if entry else None


def connected_tenants(entries: EntryRepository) -> Iterator[str]:
    """Yield every tenant with a connection."""
    connected = items(lambda cursor: entries.page(SYSTEM, None, CONNECTED, cursor=cursor, oldest_first=True))
    return (str(entry.body["tenant"]) for entry in connected)


def start_load(tenant: str, deps: SyncDependencies) -> None:
    """Begin the first load of a connected tenant, or begin it again."""
    mirror = _mirror(tenant, deps)
    connect(deps.entries, tenant, mirror.connection.id)
    _save(deps, tenant, SyncState(mirror.connection.id, started_at=deps.clock.now()))
    _send(deps, tenant, "load")


def dispatch_sync(deps: SyncDependencies) -> list[str]:
    """Send the message that reads changes, for each connected tenant; return the tenants."""
    tenants = list(connected_tenants(deps.entries))
    for tenant in tenants:
        state = sync_state(deps.entries, tenant)
        now = deps.clock.now()
        # Its own messages carry a reading on; one whose message was lost goes on here.
        is_fresh = state is not None and state.saved_at is not None and now - state.saved_at < LOST_AFTER
        if state is not None and not state.is_idle and state.error is None and is_fresh:
            continue
        _send(deps, tenant, "load" if state is not None and state.phase == "loading" else "changes")
    return tenants


def request_fetch(tenant: str, refs: Sequence[str], deps: SyncDependencies) -> None:
    """Send the messages that read these records again, after a webhook."""
    for batch in batched(refs, REFS_PER_MESSAGE):
        deps.queue.send(deps.queue_name, {"task": TASK, "tenant": tenant, "step": "fetch", "refs": list(batch)})


def handle_sync(message: Mapping[str, Any], deps: SyncDependencies) -> None:
    """Do the work of one message. Raises the errors after which it is to be delivered again."""
    tenant, step = str(message.get("tenant")), message.get("step")
    if step not in ("load", "changes", "fetch", "deletions"):
        raise InvalidInputError("This is no message of a connection", detail=sorted(message))
    mirror = _mirror(tenant, deps)
    try:
        if step == "load":
            _load(mirror, deps)
        elif step == "changes":
            _changes(mirror, deps)
        elif step == "deletions":
            find_deleted(mirror, deps)
        else:
            fetch(mirror, message.get("refs") or (), deps)
    except AishaError as error:
        _note_failure(tenant, error, deps)
        raise


def fetch(mirror: Mirror, refs: Sequence[str], deps: SyncDependencies) -> None:
    """Read records by ref, and store or forget them."""
    for ref in refs:
        kinds, now = mirror.connector.types_of(ref), deps.clock.now()
        if not kinds:
            continue
        remote = mirror.connector.get(ref)
        if remote is not None:
            _store(mirror, [remote], now, deps)
        else:
            pairs = [(kind, mirror.record_id(kind, ref)) for kind in kinds]
            _forget(mirror, list(deps.local.get_many(mirror.tenant, pairs).values()), deps)


def _load(mirror: Mirror, deps: SyncDependencies) -> None:
    tenant, names = mirror.tenant, _in_order(mirror)
    state = sync_state(deps.entries, tenant)
    if state is None or state.phase != "loading":
        return
    keep_values(mirror, deps)
    state = _read_pages(mirror, deps, state, names, None)
    if state.at < len(names):
        _send(deps, tenant, "load")
        return
    started = state.started_at or deps.clock.now()
    _save(deps, tenant, replace(state, phase="ready", at=0, since=started, synced_at=started, deletions_at=started))
    _LOGGER.info("the first load of %s is complete: %d records", tenant, state.loaded)


def _changes(mirror: Mirror, deps: SyncDependencies) -> None:
    tenant, names = mirror.tenant, _in_order(mirror)
    state = sync_state(deps.entries, tenant)
    if state is None or state.phase != "ready":
        return
    if state.is_idle:
        keep_values(mirror, deps)
        state = replace(state, started_at=deps.clock.now())
    started = state.started_at or deps.clock.now()
    state = _read_pages(mirror, deps, state, names, (state.since or started) - OVERLAP)
    if state.at < len(names):
        _send(deps, tenant, "changes")
        return
    _save(deps, tenant, replace(state, at=0, since=started, synced_at=started))
    if state.deletions_at is None or started - state.deletions_at >= DELETIONS_EVERY:
        _send(deps, tenant, "deletions")


def keep_values(mirror: Mirror, deps: SyncDependencies) -> None:
    """Store the CRM's own values, such as stages, and its custom fields for the tools and the prompt."""
    definitions = {VALUES: mirror.connector.team_values(), FIELDS: mirror.connector.custom_fields()}
    for kind, values in definitions.items():
        body = to_builtins(values)
        stored = deps.entries.find(mirror.tenant, None, kind, kind)
        if stored is None or stored.body != body:
            deps.entries.put(mirror.tenant, None, kind, kind, body)


def team_values(body: Mapping[str, Any]) -> TeamValues:
    """Return the values that `keep_values` stored as the body of an entry."""
    return {place: convert(values, list[TeamValue]) for place, values in body.items()}


def _read_pages(
    mirror: Mirror, deps: SyncDependencies, state: SyncState, names: Sequence[str], since: datetime | None
) -> SyncState:
    """Read and store pages from the state's place on, for one message; save and return the new state."""
    began = deps.clock.now()
    for _ in range(PAGES_PER_MESSAGE):
        now = deps.clock.now()
        if state.at >= len(names) or now - began > MESSAGE_TIME:
            break
        page = mirror.connector.page(names[state.at], since, state.cursor)
        problems = [*page.skipped, *_store(mirror, page.items, now, deps)]
        if page.deleted and state.phase != "loading":
            fetch(mirror, page.deleted, deps)
        state = replace(
            state,
            loaded=state.loaded + (len(page.items) if state.phase == "loading" else 0),
            cursor=page.next_cursor,
            at=state.at + (page.next_cursor is None),
            problems=[*state.problems, *(one for one in problems if one not in state.problems)][-MAX_PROBLEMS:],
            error=None,
        )
        _save(deps, mirror.tenant, state)
    return state


def find_deleted(mirror: Mirror, deps: SyncDependencies) -> int:
    """Delete the copies of records that the CRM no longer has; return their number."""
    started, names = deps.clock.now(), _in_order(mirror)
    alive = {one.ref for name in names for one in items(partial(mirror.connector.page, name, None))}
    missing = [
        one
        for kind in {mirror.connector.resources[name] for name in names}
        for one in _copies(mirror, kind, deps)
        if one.remote and one.remote.ref not in alive and one.remote.read_at < started
    ]
    # Each is asked for by itself: neither a list that was cut short nor an unreadable row must delete anything.
    gone = [one for one in missing if one.remote and mirror.connector.get(one.remote.ref) is None]
    _forget(mirror, gone, deps)
    state = sync_state(deps.entries, mirror.tenant)
    if state is not None:
        _save(deps, mirror.tenant, replace(state, deletions_at=started))
    return len(gone)


def _copies(mirror: Mirror, kind: str, deps: SyncDependencies) -> Iterator[Record]:
    query = RecordQuery(kind, order="newest", limit=MAX_PAGE)
    return items(lambda cursor: deps.local.search(mirror.tenant, replace(query, cursor=cursor)))


def _store(mirror: Mirror, remotes: Sequence[Any], read_at: datetime, deps: SyncDependencies) -> list[str]:
    written, problems = mirror.store(remotes, read_at)
    if written:
        deps.remember(mirror.tenant, written)
    return problems


def _forget(mirror: Mirror, records: Sequence[Record], deps: SyncDependencies) -> None:
    if records:
        deps.remember(mirror.tenant, mirror.forget(records))


def _in_order(mirror: Mirror) -> list[str]:
    resources = mirror.connector.resources
    return sorted(resources, key=lambda name: ORDER.index(resources[name]))


def _mirror(tenant: str, deps: SyncDependencies) -> Mirror:
    if (mirror := deps.mirror_of(tenant)) is None:
        raise InvalidInputError(f"The tenant {tenant} has no connection to a CRM.")
    return mirror


def _note_failure(tenant: str, error: AishaError, deps: SyncDependencies) -> None:
    state = sync_state(deps.entries, tenant)
    if state is None:
        return
    if isinstance(error, PermissionDeniedError) and state.error != error.message:
        deps.warn(tenant, error.message)
    with suppress(AishaError):
        _save(deps, tenant, replace(state, error=error.message))


def _save(deps: SyncDependencies, tenant: str, state: SyncState) -> None:
    body = to_builtins(replace(state, saved_at=deps.clock.now()))
    retrying(3, lambda: deps.entries.put(tenant, None, STATE, STATE, body), on=ConflictError)


def _send(deps: SyncDependencies, tenant: str, step: str) -> None:
    deps.queue.send(deps.queue_name, {"task": TASK, "tenant": tenant, "step": step})


def copy_age(state: SyncState | None, now: datetime) -> datetime | None:
    """Return the time of the copy when answers have to say it: it is old, or the last run failed; None otherwise."""
    if state is None or state.synced_at is None:
        return None
    is_old = now - state.synced_at > STALE_AFTER
    return state.synced_at if is_old or state.error else None
