"""Apply creates, updates and deletes to records in memory, before a store saves the result."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from aisha.domain.crm.queries import Change, Create, Delete, Update, Written
from aisha.domain.crm.records import Record
from aisha.domain.crm.team_values import labelled
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ids import UlidSequence

MAX_CHANGES = 10
"""Changes of one write."""
MAX_IDS = 100
"""Records of one lookup by id."""
_CUSTOM = "custom."
_PROTECTED_FIELDS = frozenset({"id", "tenant_id", "version", "created_at", "updated_at", "remote"})
_ULIDS = UlidSequence()
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


def with_ids(changes: Sequence[Change], now: datetime) -> list[Change]:
    """Return the changes with an id on every record to create.

    A record may bring its own id (`lead_` and a ULID), so that others of the same write can link to it; the rest get
    a new one. Raises `InvalidInputError` for more than `MAX_CHANGES` changes or for a malformed id.
    """
    if len(changes) > MAX_CHANGES:
        raise InvalidInputError(f"At most {MAX_CHANGES} records can be written at once.")
    return [Create(_with_id(change.record, now)) if isinstance(change, Create) else change for change in changes]


def _with_id(record: Record, now: datetime) -> Record:
    if not record.id:
        return record.model_copy(update={"id": f"{record.TYPE}_{_ULIDS.next(now)}"})
    # The id is a part of keys and of texts for models: nothing else may get into it.
    prefix, _, ulid = record.id.partition("_")
    if prefix != record.TYPE or not _ULID.fullmatch(ulid):
        raise InvalidInputError(f"{record.id!r} is no id of a {record.TYPE}.", pointer="/id")
    return record


def changed_ids(changes: Iterable[Change]) -> set[str]:
    """Return the ids of the records that the changes create, update or delete."""
    return {change.record.id if isinstance(change, Create | Written) else change.record_id for change in changes}


def apply(tenant: str, changes: Sequence[Change], stored: Mapping[str, Record], now: datetime) -> list[Written]:
    """Return what each change does, in order; a later change of the same record builds on the earlier one.

    `stored` holds the records with `changed_ids` that exist, by id. Raises `NotFoundError`, `ConflictError` (another
    version than expected, or an id that exists already), `InvalidInputError`.
    """
    current: dict[str, Record] = dict(stored)
    results: list[Written] = []
    for change in changes:
        if isinstance(change, Written):
            result = _done_elsewhere(tenant, change, stored)
        elif isinstance(change, Create):
            result = _create(tenant, change, current, now)
        else:
            before = _existing(change, current)
            result = _update(before, change, stored, now) if isinstance(change, Update) else Written("deleted", before)
        # What the next change of this write sees.
        if result.after:
            current[result.record.id] = result.after
        else:
            current.pop(result.record.id, None)
        results.append(result)
    return results


def _done_elsewhere(tenant: str, change: Written, stored: Mapping[str, Record]) -> Written:
    if change.after is None:
        return change
    # The copy counts its own versions; what the CRM counts is in its `remote`.
    original = stored.get(change.after.id)
    stamps = {"tenant_id": tenant, "version": original.version + 1 if original else 1}
    return Written(change.action, change.before, change.after.model_copy(update=stamps))


def _create(tenant: str, change: Create, current: Mapping[str, Record], now: datetime) -> Written:
    if change.record.id in current:
        raise ConflictError("A record with this id exists already.", entity_id=change.record.id)
    stamps = {"tenant_id": tenant, "created_at": now, "updated_at": now, "version": 1}
    return Written("created", None, change.record.model_copy(update=stamps))


def _existing(change: Update | Delete, current: Mapping[str, Record]) -> Record:
    record = current.get(change.record_id)
    # The id of a contact must not be usable with the rights for leads.
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
    """Return the error for a record that does not exist."""
    return NotFoundError(
        f"There is no {entity_type} with this id.",
        entity_type=entity_type,
        entity_id=record_id,
        suggestion=f"Search for the {entity_type} by name.",
    )


def _update(before: Record, change: Update, stored: Mapping[str, Record], now: datetime) -> Written:
    changes = _with_custom(before, change.changes)
    for field in changes:
        # A model may name any field in a call: those of the store are not its business.
        if field in _PROTECTED_FIELDS or field not in type(before).model_fields:
            raise InvalidInputError(
                f"{field!r} can't be set on a {before.TYPE}.", pointer=f"/{field}", entity_type=before.TYPE
            )
    try:
        # The dump has computed fields, which the model ignores, and lacks tenant and version, which are set below.
        merged = type(before).model_validate({**before.model_dump(), **labelled(changes, before.custom)})
    except ValidationError as error:
        raise _invalid(before.TYPE, error) from error
    # One write counts one version, however often it changes the record.
    original = stored.get(before.id)
    version = original.version + 1 if original else 1
    stamps = {"tenant_id": before.tenant_id, "updated_at": now, "version": version, "remote": before.remote}
    return Written("updated", before, merged.model_copy(update=stamps))


def _with_custom(before: Record, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes in which those of `custom.<name>` are in a whole `custom`."""
    custom_changes = {name.removeprefix(_CUSTOM): value for name, value in changes.items() if name.startswith(_CUSTOM)}
    if not custom_changes:
        return dict(changes)
    standard = {name: value for name, value in changes.items() if not name.startswith(_CUSTOM)}
    custom = {**(standard.get("custom", before.custom) or {}), **custom_changes}
    return {**standard, "custom": {name: value for name, value in custom.items() if value is not None}}


def _invalid(entity_type: str, error: ValidationError) -> InvalidInputError:
    first = error.errors(include_url=False, include_context=False)[0]
    path = [str(part) for part in first["loc"]]
    message = f"{'.'.join(path)}: {first['msg']}" if path else str(first["msg"])
    return InvalidInputError(message, pointer="/" + "/".join(path), entity_type=entity_type)
