"""The stores that a connection's messages need, and what every message does with them."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.connections.mirror import Mirror
from aisha.domain.crm.connector import RemotePage, RemoteRecord
from aisha.domain.crm.queries import Written
from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from aisha.domain.ports import Clock, EntryRepository, RecordRepository, WorkQueue

QUEUE = "sweep"
"""The queue of the messages, which sweeps have too."""
TASK = "crm"
"""`task` of the queue's messages."""
ORDER = ("account", "contact", "lead", "opportunity", "activity", "note")
"""Types in the order of reading: activities and notes need what they are about."""
MAX_PAGES_PER_MESSAGE = 5
MAX_MESSAGE_TIME = timedelta(seconds=40)
"""Time after which the next page is left to another message: a worker ends after 120 seconds."""
STALL_TIMEOUT = timedelta(minutes=15)
"""Time without progress after which an interrupted reading is resumed."""
MIN_EMPTIED = 5
"""A field that at least this many records lose at once has probably been renamed in the CRM."""


class SyncDependencies(Struct, frozen=True):
    """`remember` gets what changed, for memory; `warn` tells the tenant's admins."""

    mirror_of: Callable[[str], Mirror | None]
    local: RecordRepository
    entries: EntryRepository
    clock: Clock
    queue: WorkQueue
    remember: Callable[[str, Sequence[Written]], None]
    warn: Callable[[str, str], None]


def send(deps: SyncDependencies, tenant: str, step: str) -> None:
    """Send the message that continues the tenant's synchronisation with a step."""
    deps.queue.send(QUEUE, {"task": TASK, "tenant": tenant, "step": step})


class Reading(Struct, frozen=True, kw_only=True):
    """The place of a reading in the CRM's resources. `pages` counts those of the resource that were read.

    `mark` is the digest of an earlier page. A page with the same digest means that the CRM repeats its pages for ever.
    """

    at: int = 0
    cursor: str | None = None
    pages: int = 0
    mark: str = ""


def after_page[R: Reading](state: R, page: RemotePage, mirror: Mirror, name: str) -> R:
    """Return the state after a resource's page. Raises `UnavailableError` when its pages repeat."""
    if page.next_cursor is None:
        return replace(state, at=state.at + 1, cursor=None, pages=0, mark="")
    refs = [*(remote.ref for remote in page.items), *page.unread, *page.deleted]
    digest = hashlib.sha256("\n".join([page.part, *(refs or [page.next_cursor])]).encode()).hexdigest()[:16]
    if digest == state.mark:
        raise UnavailableError(f"{mirror.connector.title}'s pages of {name} repeat: the same records come again.")
    # Brent's algorithm: the marks of the pages 1, 2, 4, 8, ... find a cycle of any length.
    pages = state.pages + 1
    mark = digest if pages & (pages - 1) == 0 else state.mark
    return replace(state, cursor=page.next_cursor, pages=pages, mark=mark)


def read_pages[R: Reading](
    deps: SyncDependencies, state: R, names: Sequence[str], read_page: Callable[[R, str], R]
) -> R:
    """Read pages from the state's place on, for as long as a message may take, and return the new state."""
    started = deps.clock.now()
    for _ in range(MAX_PAGES_PER_MESSAGE):
        if state.at >= len(names) or deps.clock.now() - started > MAX_MESSAGE_TIME:
            break
        state = read_page(state, names[state.at])
    return state


def in_order(mirror: Mirror) -> list[str]:
    """Return the CRM's resources in the order of reading."""
    resources = mirror.connector.resources
    return sorted(resources, key=lambda name: ORDER.index(resources[name]))


class Stored(Struct, frozen=True):
    """The outcome of storing records: problems with single records, and fields that several records have lost."""

    problems: list[str] = field(default_factory=list)
    emptied: list[str] = field(default_factory=list)


def store(mirror: Mirror, remotes: Sequence[RemoteRecord], read_at: datetime, deps: SyncDependencies) -> Stored:
    """Store records that were read after `read_at`, for memory too."""
    written, problems = mirror.store(remotes, read_at)
    if written:
        deps.remember(mirror.tenant, written)
    return Stored(problems, list(_emptied(written)))


def forget(mirror: Mirror, records: Sequence[Record], deps: SyncDependencies) -> None:
    """Delete records that the CRM does not have any more, in memory too."""
    if records:
        deps.remember(mirror.tenant, mirror.forget(records))


def _emptied(written: Sequence[Written]) -> Iterator[str]:
    """Yield a sentence for each field that several records had before and no changed record has now."""
    pairs = [(write.before, write.after) for write in written if write.before is not None and write.after is not None]
    for kind in dict.fromkeys(before.TYPE for before, _ in pairs):
        # One record may lose a field because a user cleared it; all that had it, hardly.
        sides = [(_filled(before), _filled(after)) for before, after in pairs if before.TYPE == kind]  # noqa: SIM300 - no constant
        for name in sorted(set().union(*(before for before, _ in sides))):
            number = sum(name in before for before, _ in sides)
            if number >= MIN_EMPTIED and not any(name in after for _, after in sides):
                label = name.removeprefix("custom.").replace("_", " ")
                yield f"{kind}: {label} is empty now in each record that had it: does the CRM call it otherwise?"


def _filled(record: Record) -> set[str]:
    custom = {f"custom.{name}" for name, value in record.custom.items() if value not in (None, "")}
    return custom | {name for name in type(record).model_fields if getattr(record, name) not in (None, "", {}, [])}
