"""What a user may see of the records: the one rule for the tools and for the record pages.

A note, an activity or an event is no way around a closed module; private notes and the goals of one person (scope
`mine`) are their owner's alone.
"""

from msgspec.structs import replace

from aisha.application.tooling.context import TenantRecords
from aisha.domain.errors import NotFoundError, PermissionDeniedError
from aisha.domain.principal import Principal
from aisha.domain.queries import Condition, RecordPage, RecordQuery
from aisha.domain.records import RECORD_TYPES, SUBJECT_TYPES, Event, Goal, Note, Record, Related

ABOUT_SUBJECTS = ("activity", "note", "event")
"""Types whose records may be about one of those."""
_ROUNDS = 5
"""Pages read to fill one page of notes: other people's private notes seldom stand in the way."""
_NEXT_PART = "shared:"
"""Begins the cursor of the second part of a list of goals."""


def may_see(principal: Principal, entity_type: str) -> bool:
    """Whether records of this type are open to the user. Events belong to no module: what they are about does."""
    return entity_type == Event.TYPE or principal.may_use(RECORD_TYPES[entity_type].MODULE)


def require_module(principal: Principal, entity_type: str) -> None:
    """Raises `PermissionDeniedError` when records of this type are closed to the user."""
    if not may_see(principal, entity_type):
        module = RECORD_TYPES[entity_type].MODULE
        raise PermissionDeniedError(
            f"User lacks module access: {module}",
            detail={"module": module},
            suggestion=f"Ask your admin for access to {module}.",
        )


def reachable(principal: Principal) -> tuple[Condition, ...]:
    """Keeps what is about records of closed modules out of a search of `ABOUT_SUBJECTS`."""
    return tuple(Condition("related.type", "ne", kind) for kind in SUBJECT_TYPES if not may_see(principal, kind))


def is_private_to_other(principal: Principal, record: Record) -> bool:
    """True for what its owner keeps private: for anybody else it does not exist."""
    is_private = (isinstance(record, Note) and record.is_private) or (
        isinstance(record, Goal) and record.scope == "mine"
    )
    return is_private and record.owner != principal.user


def is_open_to(principal: Principal, record: Record) -> bool:
    """Whether the user may know that there is this record: what `readable` gives, of records that were read already."""
    if not may_see(principal, record.TYPE) or is_private_to_other(principal, record):
        return False
    about = getattr(record, "related", None)
    return not isinstance(about, Related) or may_see(principal, about.type)


def readable(principal: Principal, records: TenantRecords, entity_type: str, record_id: str) -> Record:
    """The record. Raises `NotFoundError`, also for another user's private one, and `PermissionDeniedError`."""
    require_module(principal, entity_type)
    record = records.get(entity_type, record_id)
    if is_private_to_other(principal, record):
        raise NotFoundError(  # word for word what the record store says, so that nobody learns that there is one
            f"There is no {entity_type} with this id.",
            suggestion=f"Search for the {entity_type} by name.",
            entity_type=entity_type,
            entity_id=record_id,
        )
    about = getattr(record, "related", None)
    if isinstance(about, Related):
        require_module(principal, about.type)
    return record


def readable_page(principal: Principal, records: TenantRecords, query: RecordQuery) -> RecordPage:
    """A page of what the user may see; shared goals follow the user's own. Raises `PermissionDeniedError`.

    `total` is None where the store counts what is not shown, too, unless the page is the whole list.
    """
    require_module(principal, query.entity_type)
    if query.entity_type in ABOUT_SUBJECTS:
        query = replace(query, where=(*query.where, *reachable(principal)))
    if query.entity_type == Note.TYPE:
        return _without_private(principal, records, query)
    if query.entity_type == Goal.TYPE:
        return _goals(principal, records, query)
    return records.search(query)


def related_to(record: Record) -> Related:
    """The reference that a note or an activity about this record keeps."""
    return Related.model_validate({"type": record.TYPE, "id": record.id, "name": record.display_name})


def _without_private(principal: Principal, records: TenantRecords, query: RecordQuery) -> RecordPage:
    found: list[Record] = []
    cursor = query.cursor
    for _ in range(_ROUNDS):
        page = records.search(replace(query, limit=query.limit - len(found), cursor=cursor))
        found += [record for record in page.items if not is_private_to_other(principal, record)]
        cursor = page.next_cursor
        if cursor is None or len(found) >= query.limit:
            break
    return RecordPage(found, len(found) if query.cursor is None and cursor is None else None, cursor)


def _goals(principal: Principal, records: TenantRecords, query: RecordQuery) -> RecordPage:
    """The user's own and then the shared ones: two searches, however many goals other people have."""
    if query.cursor and query.cursor.startswith(_NEXT_PART):
        return _shared_goals(records, query, query.limit, query.cursor.removeprefix(_NEXT_PART))
    own = (Condition("scope", "eq", "mine"), Condition("owner", "eq", principal.user))
    first = records.search(replace(query, where=(*query.where, *own)))
    room = query.limit - len(first.items)
    if first.next_cursor is not None or not room:
        return replace(first, total=None, next_cursor=first.next_cursor or _NEXT_PART)
    second = _shared_goals(records, query, room)
    items = [*first.items, *second.items]
    is_whole = query.cursor is None and second.next_cursor is None
    return RecordPage(items, len(items) if is_whole else None, second.next_cursor)


def _shared_goals(records: TenantRecords, query: RecordQuery, room: int, cursor: str = "") -> RecordPage:
    shared = (*query.where, Condition("scope", "eq", "shared"))
    page = records.search(replace(query, where=shared, limit=room, cursor=cursor or None))
    more = None if page.next_cursor is None else _NEXT_PART + page.next_cursor
    return RecordPage(page.items, None, more)
