"""What a write does to records and what that takes in the table. Pure: no storage here."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import ValidationError
from ulid import ULID

from aisha.adapters.dynamodb.record_index import (
    Counts,
    Key,
    counters,
    entries,
    record_key,
    record_words,
)
from aisha.adapters.dynamodb.record_json import encode_item
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.queries import Change, Create, Delete, Update, Written
from aisha.domain.records import Record

PROTECTED = frozenset({"id", "tenant_id", "version", "created_at", "updated_at"})
TRANSACTION = 100
"""Items of one transaction, by DynamoDB's own limit."""
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


class Put(NamedTuple):
    """A whole item. `expected` is the version that the stored item must have, 0: there must be none, None: any."""

    key: Key
    body: str | None = None
    version: int | None = None
    expected: int | None = None
    expires_at: int | None = None


class Remove(NamedTuple):
    key: Key
    expected: int | None = None


class Add(NamedTuple):
    key: Key
    counts: Counts


Step = Put | Remove | Add


class Pair(NamedTuple):
    """A record before and after all changes of a write; None where it does not exist."""

    before: Record | None
    after: Record | None


class Steps(NamedTuple):
    """`early` are index entries put before the transaction, `late` those removed after it; both may be empty.

    Only entries that don't fit into the transaction are there. Searches check each entry against its record, so an
    early one shows nothing yet and a late one nothing any more.
    """

    transaction: list[Step]
    early: list[Key]
    late: list[Key]


def with_ids(changes: Sequence[Change], now: datetime) -> list[Change]:
    """The changes, each created record with an id: its own, when the caller needs it for a link, or a new one."""
    return [Create(_identified(change.record, now)) if isinstance(change, Create) else change for change in changes]


def _identified(record: Record, now: datetime) -> Record:
    if not record.id:
        return record.model_copy(update={"id": f"{record.TYPE}_{ULID.from_datetime(now)}"})
    prefix, _, ulid = record.id.partition("_")
    if prefix != record.TYPE or not _ULID.fullmatch(ulid):
        raise InvalidInputError(f"{record.id!r} is no id of a {record.TYPE}.", pointer="/id")
    return record


def apply(tenant: str, changes: Sequence[Change], stored: Mapping[str, Record], now: datetime) -> list[Written]:
    """What each change does, in order; a later change of the same record builds on the earlier one.

    Raises `NotFoundError`, `ConflictError` (another version than expected), `InvalidInputError`.
    """
    current: dict[str, Record] = dict(stored)
    written: list[Written] = []
    for change in changes:
        if isinstance(change, Create):
            one = _create(tenant, change, current, now)
        else:
            before = _existing(change, current)
            one = _update(before, change, stored, now) if isinstance(change, Update) else Written("deleted", before)
        if one.after:
            current[one.record.id] = one.after
        else:
            del current[one.record.id]
        written.append(one)
    return written


def _create(tenant: str, change: Create, current: Mapping[str, Record], now: datetime) -> Written:
    if change.record.id in current:
        raise ConflictError("A record with this id exists already.", entity_id=change.record.id)
    given = {"tenant_id": tenant, "created_at": now, "updated_at": now, "version": 1}
    return Written("created", None, change.record.model_copy(update=given))


def _existing(change: Update | Delete, current: Mapping[str, Record]) -> Record:
    record = current.get(change.record_id)
    if record is None or change.entity_type != record.TYPE:
        raise not_found(change.entity_type, change.record_id)
    if change.expected_version is not None and change.expected_version != record.version:
        raise ConflictError(
            f"{record.display_name} was changed by someone else meanwhile. Look at it again before you change it.",
            entity_type=record.TYPE,
            entity_id=record.id,
            detail={"expected_version": change.expected_version, "version": record.version},
        )
    return record


def not_found(entity_type: str, record_id: str) -> NotFoundError:
    return NotFoundError(
        f"There is no {entity_type} with this id.",
        entity_type=entity_type,
        entity_id=record_id,
        suggestion=f"Search for the {entity_type} by name.",
    )


def _update(before: Record, change: Update, stored: Mapping[str, Record], now: datetime) -> Written:
    for field in change.changes:
        if field in PROTECTED or field not in type(before).model_fields:
            raise InvalidInputError(
                f"{field!r} can't be set on a {before.TYPE}.", pointer=f"/{field}", entity_type=before.TYPE
            )
    try:
        merged = type(before).model_validate({**before.model_dump(), **change.changes})
    except ValidationError as error:
        raise _invalid(before.TYPE, error) from error
    first = stored.get(before.id)
    given = {"tenant_id": before.tenant_id, "updated_at": now, "version": first.version + 1 if first else 1}
    return Written("updated", before, merged.model_copy(update=given))


def _invalid(entity_type: str, error: ValidationError) -> InvalidInputError:
    first = error.errors(include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    message = f"{field}: {first['msg']}" if field else str(first["msg"])
    return InvalidInputError(
        message, pointer="/" + "/".join(str(part) for part in first["loc"]), entity_type=entity_type
    )


def pairs(stored: Mapping[str, Record], written: Iterable[Written]) -> list[Pair]:
    """Each record once, as it was and as it will be; what was created and deleted in one write is left out."""
    last = {one.record.id: one.after for one in written}
    both = (Pair(stored.get(record_id), after) for record_id, after in last.items())
    return [pair for pair in both if pair.before or pair.after]


def new_words(changed: Iterable[Pair]) -> dict[tuple[str, str], set[str]]:
    """Words by `(tenant, type)` that these records did not have before."""
    found: dict[tuple[str, str], set[str]] = {}
    for before, after in changed:
        if after:
            known = set(record_words(before)) if before else set()
            found.setdefault((after.tenant_id, after.TYPE), set()).update(set(record_words(after)) - known)
    return found


def steps(tenant: str, changed: Sequence[Pair], result: Put | None) -> Steps:
    """Everything that the write takes. Raises `InvalidInputError` when it can't be one transaction."""
    firm: list[Step] = [result] if result else []
    firm += [_main(tenant, pair) for pair in changed]
    firm += _counted(changed)
    puts: list[Key] = []
    late: list[Key] = []
    for pair in changed:
        old, new = _entries(pair.before), _entries(pair.after)
        puts += sorted(new - old)
        if pair.after:
            firm += [Remove(key) for key in sorted(old - new)]
        else:
            late += sorted(old)
    if len(firm) > TRANSACTION:
        raise InvalidInputError("That is too much for one step. Change fewer records at once.")
    room = TRANSACTION - len(firm)
    removed = late[:room]
    inside = puts[: room - len(removed)]
    firm += [*(Remove(key) for key in removed), *(Put(key) for key in inside)]
    return Steps(firm, puts[len(inside) :], late[len(removed) :])


def _entries(record: Record | None) -> frozenset[Key]:
    return entries(record) if record else frozenset()


def _main(tenant: str, pair: Pair) -> Step:
    if pair.after is None:
        assert pair.before is not None  # noqa: S101 - one side always stands
        return Remove(record_key(tenant, pair.before.id), expected=pair.before.version)
    expected = pair.before.version if pair.before else 0
    return Put(record_key(tenant, pair.after.id), encode_item(pair.after), pair.after.version, expected)


def _counted(changed: Iterable[Pair]) -> list[Step]:
    sums: dict[Key, Counts] = {}
    for pair in changed:
        for record, sign in ((pair.before, -1), (pair.after, 1)):
            for key, counts in counters(record).items() if record else ():
                sums[key] = sums.get(key, Counts()).plus(counts, sign)
    return [Add(key, counts) for key, counts in sorted(sums.items()) if counts != Counts()]
