"""The daily comparison of a tenant's copy with its CRM: it stores missed changes and deletes what the CRM deleted.

Each message does a bounded piece of it. First the CRM's lists are read: their records are stored, and their refs are
kept in entries. Then the copies are searched for records whose ref was in no list. The CRM is asked for each of these
by its ref before the copy is deleted, because a list that was cut short must not delete anything.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import batched

from msgspec import convert, to_builtins
from msgspec.structs import replace

from aisha.application.connections.dependencies import (
    MAX_MESSAGE_TIME,
    ORDER,
    STALL_TIMEOUT,
    Reading,
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
from aisha.domain.crm.paging import items
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.errors import UnreadableRecordError
from aisha.domain.ports import EntryRepository

STEP = "deletions"
STATE = "crm_comparison"
"""Kind and id of the entry with a tenant's comparison."""
REFS_KIND = "crm_seen"
"""Kind of the entries with the refs in the CRM's lists."""
INTERVAL = timedelta(days=1)
"""Time between the starts of two comparisons."""
REFS_TTL = timedelta(days=2)
MAX_REFS_PER_ENTRY = 1000
MAX_COPIES_PER_PAGE = 20
"""Copies on a page: each of them may take a request to the CRM."""


class Comparison(Reading, frozen=True):
    """A comparison's progress. `at` is an index into the CRM's resources, followed by the types in `ORDER`.

    `cursor` is the page within that. `started_at` is None when no comparison runs; `finished_at` is the start of the
    last complete one. `seen` is the number of entries with refs.
    """

    started_at: datetime | None = None
    finished_at: datetime | None = None
    seen: int = 0
    saved_at: datetime | None = None


def comparison(entries: EntryRepository, tenant: str) -> Comparison:
    """Return the state of a tenant's comparison."""
    entry = entries.find(tenant, None, STATE, STATE)
    return convert(entry.body, Comparison) if entry else Comparison()


def note_complete(mirror: Mirror, deps: SyncDependencies, started: datetime) -> None:
    """Note that the copy has all that the CRM had when this reading, or the first load, `started`."""
    _save(mirror, deps, Comparison(finished_at=started))


def is_due(state: Comparison, now: datetime) -> bool:
    """Return whether it is time to start a comparison, or to resume one whose message was lost."""
    if state.started_at is not None:
        return state.saved_at is None or now - state.saved_at >= STALL_TIMEOUT
    return state.finished_at is None or now - state.finished_at >= INTERVAL


def compare(mirror: Mirror, deps: SyncDependencies) -> Stored:
    """Do the next piece of the comparison and send the message for the one after it; return what was not stored."""
    began, outcome = deps.clock.now(), Stored()
    state = comparison(deps.entries, mirror.tenant)
    if state.started_at is None:
        state = Comparison(began, state.finished_at)
    names = in_order(mirror)
    state = read_pages(deps, state, names, lambda state, name: _read_page(mirror, deps, state, name, outcome))
    if state.at >= len(names):
        state = _delete_missing(mirror, deps, state, began, outcome)
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
    outcome.emptied.extend(sentence for sentence in stored.emptied if sentence not in outcome.emptied)
    # Records that could not be read exist too.
    refs = [*(remote.ref for remote in page.items), *page.unread]
    for batch in batched(refs, MAX_REFS_PER_ENTRY):
        state = _store_refs(mirror, deps, state, batch)
    state = after_page(state, page, mirror, name)
    _save(mirror, deps, state)
    return state


def _store_refs(mirror: Mirror, deps: SyncDependencies, state: Comparison, refs: Sequence[str]) -> Comparison:
    entry_id, expires_at = f"{_entry_prefix(state)}{state.seen:08d}", deps.clock.now() + REFS_TTL
    deps.entries.put(mirror.tenant, None, REFS_KIND, entry_id, {"refs": list(refs)}, expires_at=expires_at)
    return replace(state, seen=state.seen + 1)


def _entry_prefix(state: Comparison) -> str:
    return f"{state.started_at:%Y%m%d%H%M%S}_"


def _is_gone(mirror: Mirror, ref: str, outcome: Stored) -> bool:
    try:
        # A list may lack a record for other reasons, such as a filter: only the CRM's answer about the record counts.
        return mirror.connector.get(ref) is None
    except UnreadableRecordError as error:
        # It exists, though AiSHA cannot hold it: its copy stays.
        outcome.problems.append(error.message)
        return False


def _delete_missing(
    mirror: Mirror, deps: SyncDependencies, state: Comparison, began: datetime, outcome: Stored
) -> Comparison:
    """Delete the copies whose record the CRM no longer has, from `state.at` on, until the message's time is up."""
    names = len(in_order(mirror))
    # Entries of an earlier comparison that was given up may still be there: the prefix tells them apart.
    pages = items(lambda cursor: deps.entries.page(mirror.tenant, None, REFS_KIND, cursor=cursor, oldest_first=True))
    listed = {ref for entry in pages if entry.id.startswith(_entry_prefix(state)) for ref in entry.body["refs"]}
    while state.at < names + len(ORDER) and deps.clock.now() - began <= MAX_MESSAGE_TIME:
        kind = ORDER[state.at - names]
        query = RecordQuery(kind, order="newest", limit=MAX_COPIES_PER_PAGE, cursor=state.cursor)
        page = deps.local.search(mirror.tenant, query)
        started = state.started_at or began
        unlisted = [
            (copy, copy.remote.ref)
            for copy in page.items
            if copy.remote and copy.remote.ref not in listed and copy.remote.read_at < started
        ]
        forget(mirror, [copy for copy, ref in unlisted if _is_gone(mirror, ref, outcome)], deps)
        state = replace(state, cursor=page.next_cursor, at=state.at + (page.next_cursor is None))
        _save(mirror, deps, state)
    return state


def _save(mirror: Mirror, deps: SyncDependencies, state: Comparison) -> None:
    body = to_builtins(replace(state, saved_at=deps.clock.now()))
    deps.entries.put(mirror.tenant, None, STATE, STATE, body)
