"""The daily comparison of a tenant's copy with its CRM: what was missed is stored, what is gone there is deleted.

It is done by messages, each a bounded piece of work. At first the CRM's lists are read, and the refs in them are kept
in entries; then the copies are walked through for those that no list had. A copy is deleted after the CRM was asked
for its record alone: a list that was cut short must not delete anything.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import batched

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from aisha.application.connections.dependencies import (
    LOST_AFTER,
    MESSAGE_TIME,
    ORDER,
    PAGES_PER_MESSAGE,
    Stored,
    SyncDependencies,
    forget,
    in_order,
    send,
    store,
)
from aisha.application.connections.mirror import Mirror
from aisha.domain.crm.pages import items
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.ports import EntryRepository

STEP = "deletions"
STATE = "crm_comparison"
"""Kind and id of a tenant's entry."""
SEEN = "crm_seen"
"""Kind of the entries with refs of the CRM's lists."""
EVERY = timedelta(days=1)
KEPT = timedelta(days=2)
REFS_PER_ENTRY = 1000
COPIES_PER_PAGE = 20
"""Copies compared in one piece: each may take a request to the CRM."""


class Comparison(Struct, frozen=True):
    """A comparison's progress: `at` and `cursor` are the place in the CRM's resources, and after these in the types.

    `started_at` is None between two; `finished_at` is when the last complete one began. `seen` counts the entries with
    refs.
    """

    started_at: datetime | None = None
    finished_at: datetime | None = None
    at: int = 0
    cursor: str | None = None
    seen: int = 0
    saved_at: datetime | None = None


def comparison(entries: EntryRepository, tenant: str) -> Comparison:
    """Return the state of a tenant's comparison."""
    entry = entries.find(tenant, None, STATE, STATE)
    return convert(entry.body, Comparison) if entry else Comparison()


def note_complete(mirror: Mirror, deps: SyncDependencies, started: datetime) -> None:
    """Note that the copy has all that the CRM had at this time: after a first load nothing has to be compared."""
    _save(mirror, deps, Comparison(finished_at=started))


def is_due(state: Comparison, now: datetime) -> bool:
    """Return whether a comparison is to be begun, or one whose message was lost to be taken up."""
    if state.started_at is not None:
        return state.saved_at is None or now - state.saved_at >= LOST_AFTER
    return state.finished_at is None or now - state.finished_at >= EVERY


def compare(mirror: Mirror, deps: SyncDependencies) -> Stored:
    """Do the next piece of the comparison and send the message for what follows; return what could not be stored."""
    began, outcome = deps.clock.now(), Stored()
    state = comparison(deps.entries, mirror.tenant)
    if state.started_at is None:
        state = Comparison(began, state.finished_at)
    names = in_order(mirror)
    for _ in range(PAGES_PER_MESSAGE):
        if state.at >= len(names) or deps.clock.now() - began > MESSAGE_TIME:
            break
        state = _read_page(mirror, deps, state, names[state.at], outcome)
        _save(mirror, deps, state)
    if state.at >= len(names):
        state = _walk(mirror, deps, state, began, len(names))
    if state.at < len(names) + len(ORDER):
        send(deps, mirror.tenant, STEP)
    else:
        note_complete(mirror, deps, state.started_at or began)
    return outcome


def _read_page(mirror: Mirror, deps: SyncDependencies, state: Comparison, name: str, outcome: Stored) -> Comparison:
    read_at = deps.clock.now()
    page = mirror.connector.page(name, None, state.cursor)
    stored = store(mirror, page.items, read_at, deps)
    outcome.problems.extend([*page.skipped, *stored.problems])
    outcome.emptied.extend(one for one in stored.emptied if one not in outcome.emptied)
    refs = [*(one.ref for one in page.items), *page.unread]
    for batch in batched(refs, REFS_PER_ENTRY):
        state = _keep(mirror, deps, state, batch)
    return replace(state, cursor=page.next_cursor, at=state.at + (page.next_cursor is None))


def _keep(mirror: Mirror, deps: SyncDependencies, state: Comparison, refs: Sequence[str]) -> Comparison:
    place, expires_at = f"{_run(state)}{state.seen:08d}", deps.clock.now() + KEPT
    deps.entries.put(mirror.tenant, None, SEEN, place, {"refs": list(refs)}, expires_at=expires_at)
    return replace(state, seen=state.seen + 1)


def _run(state: Comparison) -> str:
    return f"{state.started_at:%Y%m%d%H%M%S}_"


def _walk(mirror: Mirror, deps: SyncDependencies, state: Comparison, began: datetime, names: int) -> Comparison:
    """Delete the copies whose record is gone, from the state's place on, for as long as a message may take."""
    pages = items(lambda cursor: deps.entries.page(mirror.tenant, None, SEEN, cursor=cursor, oldest_first=True))
    seen = {ref for entry in pages if entry.id.startswith(_run(state)) for ref in entry.body["refs"]}
    while state.at < names + len(ORDER) and deps.clock.now() - began <= MESSAGE_TIME:
        kind = ORDER[state.at - names]
        query = RecordQuery(kind, order="newest", limit=COPIES_PER_PAGE, cursor=state.cursor)
        page = deps.local.search(mirror.tenant, query)
        started = state.started_at or began
        unseen = [
            (one, one.remote.ref)
            for one in page.items
            if one.remote and one.remote.ref not in seen and one.remote.read_at < started
        ]
        forget(mirror, [one for one, ref in unseen if mirror.connector.get(ref) is None], deps)
        state = replace(state, cursor=page.next_cursor, at=state.at + (page.next_cursor is None))
        _save(mirror, deps, state)
    return state


def _save(mirror: Mirror, deps: SyncDependencies, state: Comparison) -> None:
    body = to_builtins(replace(state, saved_at=deps.clock.now()))
    deps.entries.put(mirror.tenant, None, STATE, STATE, body)
