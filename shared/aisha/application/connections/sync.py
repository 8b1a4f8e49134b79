"""Synchronisation from a tenant's CRM: the first load, changes by timer and webhook, and a comparison once a day.

Each message does a bounded piece of work and then sends the next one, so a load survives any kill: the state is one
entry, and a piece that is done twice changes nothing twice.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import batched
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from aisha.application.connections.comparison import STEP as COMPARISON
from aisha.application.connections.comparison import compare, comparison, is_due, note_complete
from aisha.application.connections.dependencies import (
    QUEUE,
    STALL_TIMEOUT,
    TASK,
    Stored,
    SyncDependencies,
    after_page,
    forget,
    in_order,
    read_pages,
    send,
    store,
)
from aisha.application.connections.mirror import Mirror
from aisha.application.connections.sync_state import (
    FIELDS,
    STATE,
    VALUES,
    SyncState,
    connect,
    connected_tenants,
    sync_state,
)
from aisha.domain.crm.connector import WHOLE_LIST
from aisha.domain.errors import (
    AishaError,
    ConflictError,
    InvalidInputError,
    PermissionDeniedError,
    UnreadableRecordError,
)
from aisha.domain.retries import retrying

LOOKBACK_WINDOW = timedelta(minutes=5)
"""Overlap of two readings of changes: clocks differ, and searches find a change late."""
MAX_REFS_PER_MESSAGE = 50
MAX_PROBLEMS = 20
MIN_BULK_REQUESTS = 500
"""Up to this many changed records are always read one by one."""
USUAL_PAGE_SIZE = 50
"""The number of records of a type on a usual page of a whole list."""
_LOGGER = logging.getLogger(__name__)


def start_load(tenant: str, deps: SyncDependencies) -> None:
    """Begin the first load of a connected tenant, or begin it again."""
    mirror = _mirror(tenant, deps)
    connect(deps.entries, tenant, mirror.connection.id)
    _save(deps, tenant, SyncState(mirror.connection.id, started_at=deps.clock.now()))
    send(deps, tenant, "load")


def dispatch_sync(deps: SyncDependencies) -> list[str]:
    """Send the message that reads changes, for each connected tenant; return the tenants."""
    tenants = list(connected_tenants(deps.entries))
    for tenant in tenants:
        state = sync_state(deps.entries, tenant)
        now = deps.clock.now()
        # A running reading sends its own next message; only one whose message was lost is resumed here.
        is_fresh = state is not None and state.saved_at is not None and now - state.saved_at < STALL_TIMEOUT
        if state is not None and not state.is_idle and state.error is None and is_fresh:
            continue
        send(deps, tenant, "load" if state is not None and state.phase == "loading" else "changes")
    return tenants


def request_fetch(tenant: str, refs: Sequence[str], deps: SyncDependencies) -> None:
    """Send the messages that read these records again, after a webhook."""
    for batch in batched(refs, MAX_REFS_PER_MESSAGE):
        deps.queue.send(QUEUE, {"task": TASK, "tenant": tenant, "step": "fetch", "refs": list(batch)})


def handle_sync(message: Mapping[str, Any], deps: SyncDependencies) -> None:
    """Do the work of one message. Raises the errors after which it is to be delivered again."""
    tenant, step = str(message.get("tenant")), message.get("step")
    if step not in ("load", "changes", "fetch", COMPARISON):
        raise InvalidInputError("This is no message of a connection", detail=sorted(message))
    mirror = _mirror(tenant, deps)
    try:
        if step == "load":
            _load(mirror, deps)
        elif step == "changes":
            _changes(mirror, deps)
        elif step == COMPARISON:
            _note(tenant, compare(mirror, deps), deps)
        else:
            fetch(mirror, message.get("refs") or (), deps)
    except AishaError as error:
        _note_failure(tenant, error, deps)
        raise


def fetch(mirror: Mirror, refs: Sequence[str], deps: SyncDependencies) -> None:
    """Read records by ref, and store or forget each; a record that cannot be read is noted as a problem."""
    for ref in refs:
        kinds, now = mirror.connector.types_of(ref), deps.clock.now()
        if not kinds:
            continue
        try:
            # Read again rather than taken from the webhook: its content may be forged or overtaken.
            remote = mirror.connector.get(ref)
        except UnreadableRecordError as error:
            _note(mirror.tenant, Stored([error.message]), deps)
            continue
        if remote is not None:
            _note(mirror.tenant, store(mirror, [remote], now, deps), deps)
        else:
            # A ref may stand for one of two types, such as a lead that became a contact: whichever is here is deleted.
            pairs = [(kind, mirror.record_id(kind, ref)) for kind in kinds]
            forget(mirror, list(deps.local.get_many(mirror.tenant, pairs).values()), deps)


def _load(mirror: Mirror, deps: SyncDependencies) -> None:
    tenant, names = mirror.tenant, in_order(mirror)
    state = sync_state(deps.entries, tenant)
    if state is None or state.phase != "loading":
        return
    store_values(mirror, deps)
    state = read_pages(deps, state, names, lambda state, name: _read_page(mirror, deps, state, name, None))
    if state.at < len(names):
        send(deps, tenant, "load")
        return
    started = state.started_at or deps.clock.now()
    # The start of the load counts, not its end: what changed meanwhile may lie on a page that was read before.
    _save(deps, tenant, replace(state, phase="ready", at=0, since=started, synced_at=started))
    note_complete(mirror, deps, started)
    _LOGGER.info("the first load of %s is complete: %d records", tenant, state.loaded)


def _changes(mirror: Mirror, deps: SyncDependencies) -> None:
    tenant, names = mirror.tenant, in_order(mirror)
    state = sync_state(deps.entries, tenant)
    if state is None or state.phase != "ready":
        return
    if state.is_idle:
        store_values(mirror, deps)
        state = replace(state, started_at=deps.clock.now())
    started = state.started_at or deps.clock.now()
    since = (state.since or started) - LOOKBACK_WINDOW
    state = read_pages(deps, state, names, lambda state, name: _read_page(mirror, deps, state, name, since))
    if state.at < len(names):
        send(deps, tenant, "changes")
        return
    _save(deps, tenant, replace(state, at=0, since=started, synced_at=started))
    if is_due(comparison(deps.entries, tenant), started):
        send(deps, tenant, COMPARISON)


def store_values(mirror: Mirror, deps: SyncDependencies) -> None:
    """Store the CRM's own values, such as stages, and its custom fields for the tools and the prompt."""
    definitions = {VALUES: mirror.connector.team_values(), FIELDS: mirror.connector.custom_fields()}
    for kind, values in definitions.items():
        body = to_builtins(values)
        stored = deps.entries.find(mirror.tenant, None, kind, kind)
        if stored is None or stored.body != body:
            deps.entries.put(mirror.tenant, None, kind, kind, body)


def _read_page(
    mirror: Mirror, deps: SyncDependencies, state: SyncState, name: str, since: datetime | None
) -> SyncState:
    """Read and store the page at the state's place; save and return the new state."""
    read_at, is_loading = deps.clock.now(), state.phase == "loading"
    page = mirror.connector.page(name, since, state.cursor)
    stored = store(mirror, page.items, read_at, deps)
    stored = Stored([*page.skipped, *stored.problems], stored.emptied)
    # At a first load there is no copy that could be deleted.
    if page.deleted and not is_loading:
        fetch(mirror, page.deleted, deps)
    # The records are stored before the place is saved: a message that is killed in between does the page again.
    following = after_page(state, page, mirror, name)
    if page.is_costly and following.cursor and _is_cheaper_whole(following.pages * page.rows, mirror, deps, name):
        following = replace(following, cursor=WHOLE_LIST, pages=0, mark="")
    state = replace(
        following,
        loaded=state.loaded + (len(page.items) if is_loading else 0),
        problems=_note_problems(deps, mirror.tenant, state, stored),
        error=None,
    )
    _save(deps, mirror.tenant, state)
    return state


def _is_cheaper_whole(requests: int, mirror: Mirror, deps: SyncDependencies, name: str) -> bool:
    """Return whether the changes so far have taken as many requests as the whole list would, as after a bulk change."""
    if requests < MIN_BULK_REQUESTS:
        return False
    copies = sum(row.count for row in deps.local.counts(mirror.tenant, mirror.connector.resources[name]))
    return requests * USUAL_PAGE_SIZE >= copies


def _note_problems(deps: SyncDependencies, tenant: str, state: SyncState, stored: Stored) -> list[str]:
    """Return the latest problems, new ones included, and warn the admins of fields that seem to be gone."""
    if emptied := [sentence for sentence in stored.emptied if sentence not in state.problems]:
        deps.warn(tenant, " ".join(emptied))
    new = (problem for problem in [*stored.problems, *emptied] if problem not in state.problems)
    return [*state.problems, *new][-MAX_PROBLEMS:]


def _note(tenant: str, stored: Stored, deps: SyncDependencies) -> None:
    state = sync_state(deps.entries, tenant)
    if state is not None and (stored.problems or stored.emptied):
        _save(deps, tenant, replace(state, problems=_note_problems(deps, tenant, state, stored)))


def _mirror(tenant: str, deps: SyncDependencies) -> Mirror:
    if (mirror := deps.mirror_of(tenant)) is None:
        raise InvalidInputError(f"The tenant {tenant} has no connection to a CRM.")
    return mirror


def _note_failure(tenant: str, error: AishaError, deps: SyncDependencies) -> None:
    state = sync_state(deps.entries, tenant)
    if state is None:
        return
    # Only an admin can mend this; once an error, not once every five minutes.
    if isinstance(error, PermissionDeniedError) and state.error != error.message:
        deps.warn(tenant, error.message)
    # The first error is raised by the caller, and is the one that matters.
    with suppress(AishaError):
        _save(deps, tenant, replace(state, error=error.message))


def _save(deps: SyncDependencies, tenant: str, state: SyncState) -> None:
    body = to_builtins(replace(state, saved_at=deps.clock.now()))
    retrying(3, lambda: deps.entries.put(tenant, None, STATE, STATE, body), on=ConflictError)
