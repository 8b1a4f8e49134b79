"""Result types of tools."""

from typing import Any, Literal, Self, cast

from aisha.domain.crm.queries import RecordPage, Written
from aisha.domain.crm.records import Record
from aisha.domain.deferred_model import DeferredModel


class EntityRef(DeferredModel):
    """A record by kind, id and name."""

    type: str
    id: str
    name: str

    @classmethod
    def of(cls, record: Record) -> Self:
        return cls(type=record.TYPE, id=record.id, name=record.display_name)


class RecordList[T](DeferredModel):
    """One page. `total` is exact, or missing where only a count tool knows it; the last page has no `next_cursor`."""

    items: list[T]
    total: int | None = None
    next_cursor: str | None = None

    @classmethod
    def of(cls, page: RecordPage) -> Self:
        items = cast(list[T], page.items)
        return cast(Self, cls.model_construct(items=items, total=page.total, next_cursor=page.next_cursor))


class Receipt(DeferredModel):
    """The effect of a write. `before` and `after` hold the fields that differ (all of them for a create or a delete).

    `version` is the record's version after it, None for a delete: the write can be undone as long as it is current.
    `only_here` are fields that the team's own CRM does not keep.
    """

    action: Literal["created", "updated", "deleted"]
    entity: EntityRef
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    version: int | None = None
    only_here: list[str] | None = None

    @classmethod
    def of(cls, written: Written) -> Self:
        before, after = (_fields(record) for record in (written.before, written.after))
        if before is not None and after is not None:
            changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
            before = {name: value for name, value in before.items() if name in changed}
            after = {name: value for name, value in after.items() if name in changed}
        entity = EntityRef.of(written.record)
        version = written.after.version if written.after else None
        only_here = list(written.only_here) or None
        return cls(
            action=written.action, entity=entity, before=before, after=after, version=version, only_here=only_here
        )


class WriteResult[T](DeferredModel):
    """The record after the write (before it, for a delete) and the receipt of the write."""

    record: T
    receipt: Receipt

    @classmethod
    def of(cls, written: Written) -> Self:
        return cast(Self, cls.model_construct(record=cast(T, written.record), receipt=Receipt.of(written)))


class BulkResult[T](DeferredModel):
    """Several writes of one call, in the requested order."""

    items: list[WriteResult[T]]


def _fields(record: Record | None) -> dict[str, Any] | None:
    if record is None:
        return None
    return record.model_dump(mode="json", exclude_none=True, exclude={"updated_at", "entity_type", "display_name"})
