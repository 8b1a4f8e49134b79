"""Search, read, create, update and delete records: what the tools of all record types share."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from aisha.application.tooling.arguments.parameters import owner_id
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.visibility import may_see, readable, readable_page
from aisha.application.tooling.results import RecordList, WriteResult
from aisha.domain.crm.custom_fields import CustomValues
from aisha.domain.crm.enumerations import OPEN_STAGES
from aisha.domain.crm.queries import Change, Condition, Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Record
from aisha.domain.crm.team_values import NamedValue, labelled
from aisha.domain.errors import InvalidInputError, MissingFieldError

IS_OPEN_DEAL = Condition("stage", "in", list(OPEN_STAGES))


def equal(**values: Any) -> tuple[Condition, ...]:
    """Return a filter for each value that is not None. `address__state` names the field `address.state`.

    A value that was given by the tenant's own name is that one alone, without others that count as the same.
    """
    values_given = {name.replace("__", "."): value for name, value in values.items() if value is not None}
    labels = {f"custom.{name}": value.label for name, value in values_given.items() if isinstance(value, NamedValue)}
    return tuple(Condition(name, "eq", value) for name, value in (values_given | labels).items())


def between(field: str, low: Any = None, high: Any = None) -> tuple[Condition, ...]:
    """Return the filters for a field from `low` to `high`, both included; None leaves an end open."""
    at_least = () if low is None else (Condition(field, "gte", low),)
    at_most = () if high is None else (Condition(field, "lte", high),)
    return at_least + at_most


def search_page[R: Record](
    context: ToolContext,
    record_type: type[R],
    where: Iterable[Condition],
    limit: int,
    cursor: str | None = None,
    *,
    name_contains: str | None = None,
    owner: str | None = None,
    custom: CustomValues | None = None,
    order: Literal["due", "newest"] | None = None,
) -> RecordList[R]:
    """Return one page of the records that pass every filter and that the user may see.

    `owner` is a user id or "me", `custom` are values of the tenant's own fields. Raises `PermissionDeniedError` for a
    user without the module of these records.
    """
    custom_values = {f"custom.{name}": value for name, value in (custom or {}).items()}
    filters = (*where, *equal(owner=owner_id(context, owner), **custom_values))
    query = RecordQuery(record_type.TYPE, name_contains, filters, order, limit, cursor)
    return RecordList.of(readable_page(context.principal, context.records, query))


def search_permitted[R: Record](
    context: ToolContext,
    record_type: type[R],
    *where: Condition,
    limit: int,
    name_contains: str | None = None,
    order: Literal["due", "newest"] | None = None,
) -> RecordList[R] | None:
    """Return the first page like `search_page`, or None for a user without the module of these records."""
    # None rather than an empty page: that would say that there are no such records.
    if not may_see(context.principal, record_type.TYPE):
        return None
    return search_page(context, record_type, where, limit, name_contains=name_contains, order=order)


def read_record[R: Record](context: ToolContext, record_type: type[R], record_id: str) -> R:
    """Return the record with this id. Raises `NotFoundError` or `PermissionDeniedError` as `readable` does."""
    return cast(R, readable(context.principal, context.records, record_type.TYPE, record_id))


def read_subject(context: ToolContext, entity_type: str | None, entity_id: str | None) -> Record | None:
    """Return the record that a type and an id name together, None when neither is given.

    Raises `MissingFieldError` when one of them is missing, and the errors of `readable`.
    """
    if entity_type is None and entity_id is None:
        return None
    if entity_type is None or entity_id is None:
        missing = "entity_type" if entity_type is None else "entity_id"
        raise MissingFieldError(missing, suggestion="Give both the type and the id of the record.")
    return readable(context.principal, context.records, entity_type, entity_id)


def create_record[R: Record](
    context: ToolContext, record_type: type[R], *, owner: str | None = None, **fields: Any
) -> WriteResult[R]:
    """Create a record with the fields that are not None. `owner` is a user id or "me"; the caller by default."""
    values = labelled({name: value for name, value in fields.items() if value is not None}, {})
    return _write(context, Create(record_type(**values, owner=owner_id(context, owner) or context.principal.user)))


def require_changes(**fields: Any) -> dict[str, Any]:
    """Return the fields that are not None. Raises `InvalidInputError` when all are."""
    changes = {name: value for name, value in fields.items() if value is not None}
    if not changes:
        names = ", ".join(sorted(fields.keys() - {"custom"}))
        raise InvalidInputError("Nothing to change was given", suggestion=f"Give at least one of: {names}.")
    return changes


def update_record[R: Record](
    context: ToolContext,
    record_type: type[R],
    record_id: str,
    changes: Mapping[str, Any],
    expected_version: int | None = None,
) -> WriteResult[R]:
    """Change fields of a record. The owner is a user id or "me"; other values of `custom` stay.

    Raises `ConflictError` for another version.
    """
    values = dict(changes)
    values |= {f"custom.{name}": value for name, value in values.pop("custom", {}).items()}
    if "owner" in values:
        values["owner"] = owner_id(context, values["owner"])
    return _write(context, Update(record_type.TYPE, record_id, values, expected_version))


def delete_record[R: Record](
    context: ToolContext, record_type: type[R], record_id: str, expected_version: int | None = None
) -> WriteResult[R]:
    """Delete a record. Raises `ConflictError` when it has another version than the expected one."""
    return _write(context, Delete(record_type.TYPE, record_id, expected_version))


def _write(context: ToolContext, change: Change) -> WriteResult[Any]:
    return WriteResult.of(context.records.write(change)[0])
