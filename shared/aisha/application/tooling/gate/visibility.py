"""Visibility of records to a user, for the tools and for the record pages.

A note, an activity or an event about a record of a closed module is closed, too. Only the owner sees private notes and
goals of scope `mine`.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from aisha.application.tooling.tenant_stores import TenantRecords
from aisha.domain.crm.queries import MAX_PAGE, Condition, RecordPage, RecordQuery
from aisha.domain.crm.record_changes import not_found
from aisha.domain.crm.records import RECORD_TYPES, SUBJECT_TYPES, Event, Goal, Note, Record, Related
from aisha.domain.errors import NotFoundError, PermissionDeniedError
from aisha.domain.ids import record_kind_of
from aisha.domain.json_values import texts_in
from aisha.domain.principal import Principal

ABOUT_SUBJECTS = ("activity", "note", "event")
"""Types whose records are about a subject."""
_MAX_PAGES = 5
"""Pages read to fill one page of notes; few of them are other users' private notes."""
_SHARED_PREFIX = "shared:"
"""Prefix of a cursor in the second part of a list of goals."""


def may_see(principal: Principal, entity_type: str) -> bool:
    """Return whether the user has the module of this type. Events have none: the module of their subject counts."""
    return entity_type == Event.TYPE or principal.may_use(RECORD_TYPES[entity_type].MODULE)


def require_module(principal: Principal, entity_type: str) -> None:
    """Raise `PermissionDeniedError` when the user lacks the module of this type."""
    if not may_see(principal, entity_type):
        module = RECORD_TYPES[entity_type].MODULE
        raise PermissionDeniedError(
            f"User lacks module access: {module}",
            detail={"module": module},
            suggestion=f"Ask your admin for access to {module}.",
        )


def _visible_subjects(principal: Principal) -> tuple[Condition, ...]:
    """Return the conditions that exclude subjects of closed modules from a search of `ABOUT_SUBJECTS`."""
    # Excluded by the store: a filter of its pages would make short ones and a wrong total.
    return tuple(Condition("related.type", "ne", kind) for kind in SUBJECT_TYPES if not may_see(principal, kind))


def is_private_to_other(principal: Principal, record: Record) -> bool:
    """Return whether the record is private to another user; for all others it does not exist."""
    is_private = (isinstance(record, Note) and record.is_private) or (
        isinstance(record, Goal) and record.scope == "mine"
    )
    return is_private and record.owner != principal.user


def is_visible(principal: Principal, record: Record) -> bool:
    """Return whether the user may see this record, by the same rule as `readable`."""
    if not may_see(principal, record.TYPE) or is_private_to_other(principal, record):
        return False
    about = getattr(record, "related", None)
    return not isinstance(about, Related) or may_see(principal, about.type)


def readable(principal: Principal, records: TenantRecords, entity_type: str, record_id: str) -> Record:
    """Return the record. Raises `NotFoundError`, also for one private to another user, and `PermissionDeniedError`."""
    require_module(principal, entity_type)
    record = records.get(entity_type, record_id)
    if is_private_to_other(principal, record):
        # As the record store says it: it must not reveal that the record exists.
        raise not_found(entity_type, record_id)
    about = getattr(record, "related", None)
    if isinstance(about, Related):
        require_module(principal, about.type)
    return record


def missing_record(principal: Principal, records: TenantRecords, arguments: Mapping[str, Any]) -> NotFoundError | None:
    """Return the error for the first record of a call that does not exist or that the user may not see, or None.

    A call that can't run is no question to the user.
    """
    ids = [(kind, text) for text in texts_in(arguments) if (kind := record_kind_of(text))][:MAX_PAGE]
    existing = records.get_many(ids) if ids else {}
    for kind, record_id in ids:
        if record_id not in existing or not is_visible(principal, existing[record_id]):
            return not_found(kind, record_id)
    return None


def readable_page(principal: Principal, records: TenantRecords, query: RecordQuery) -> RecordPage:
    """Return a page of the records that the user may see; shared goals follow the user's own.

    `total` is None for notes and goals, whose count in the store includes hidden ones, unless the page is the whole
    list. Raises `PermissionDeniedError`.
    """
    require_module(principal, query.entity_type)
    if query.entity_type in ABOUT_SUBJECTS:
        query = replace(query, where=(*query.where, *_visible_subjects(principal)))
    if query.entity_type == Note.TYPE:
        return _without_private(principal, records, query)
    if query.entity_type == Goal.TYPE:
        return _goals(principal, records, query)
    return records.search(query)


def related_to(record: Record) -> Related:
    """Return the reference to this record for a note or an activity about it."""
    return Related.model_validate({"type": record.TYPE, "id": record.id, "name": record.display_name})


def _without_private(principal: Principal, records: TenantRecords, query: RecordQuery) -> RecordPage:
    notes: list[Record] = []
    cursor = query.cursor
    for _ in range(_MAX_PAGES):
        page = records.search(replace(query, limit=query.limit - len(notes), cursor=cursor))
        notes += [record for record in page.items if not is_private_to_other(principal, record)]
        cursor = page.next_cursor
        if cursor is None or len(notes) >= query.limit:
            break
    # The number is exact only if the list began and ended here.
    return RecordPage(notes, len(notes) if query.cursor is None and cursor is None else None, cursor)


def _goals(principal: Principal, records: TenantRecords, query: RecordQuery) -> RecordPage:
    """Return the user's own goals, then the shared ones, with one search each: other users' goals cost nothing."""
    if query.cursor and query.cursor.startswith(_SHARED_PREFIX):
        return _shared_goals(records, query, query.limit, query.cursor.removeprefix(_SHARED_PREFIX))
    own_goals = (Condition("scope", "eq", "mine"), Condition("owner", "eq", principal.user))
    first = records.search(replace(query, where=(*query.where, *own_goals)))
    room = query.limit - len(first.items)
    if first.next_cursor is not None or not room:
        # The user's own goals fill the page exactly: the next page begins with the shared ones.
        return replace(first, total=None, next_cursor=first.next_cursor or _SHARED_PREFIX)
    second = _shared_goals(records, query, room)
    items = [*first.items, *second.items]
    is_whole = query.cursor is None and second.next_cursor is None
    return RecordPage(items, len(items) if is_whole else None, second.next_cursor)


def _shared_goals(records: TenantRecords, query: RecordQuery, room: int, cursor: str = "") -> RecordPage:
    shared = (*query.where, Condition("scope", "eq", "shared"))
    page = records.search(replace(query, where=shared, limit=room, cursor=cursor or None))
    next_cursor = None if page.next_cursor is None else _SHARED_PREFIX + page.next_cursor
    return RecordPage(page.items, None, next_cursor)
