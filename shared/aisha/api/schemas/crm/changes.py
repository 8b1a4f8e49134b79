"""Schemas of the feed of changes, and of undoing one."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from aisha.api.params import NoneIfEmpty
from aisha.api.schemas.camel_model import CamelModel
from aisha.api.schemas.conversations.chat import EntityRefJson
from aisha.application.records.changes import ChangePage, RecordChange
from aisha.application.records.listing import record_json


class ChangesQuery(BaseModel):
    """The place from which the feed is read."""

    since: Annotated[int | None, NoneIfEmpty] = Field(
        None, ge=0, description="`next` of the answer before; left out, the latest changes are returned."
    )


class ChangeJson(CamelModel):
    """One changed record. `before` and `after` have the fields that differ, `record` is the record as it is now.

    `operation` names the write: `POST /api/ai/undo` takes it.
    """

    sequence: int
    at: datetime
    user: str
    is_own: bool
    door: str
    tool: str
    operation: str | None = None
    action: Literal["created", "updated", "deleted"]
    entity: EntityRefJson
    before: dict[str, Any]
    after: dict[str, Any]
    record: dict[str, Any] | None = None


class ChangesJson(CamelModel):
    """Changes in their order. Poll again with `since=<next>`, at once if `hasMore`."""

    items: list[ChangeJson]
    next: int
    has_more: bool


class UndoBody(CamelModel):
    """The write that is expected to be the user's last one."""

    operation: str | None = Field(
        None, min_length=1, max_length=200, description="`operation` of the change; refused if it was not the last one."
    )


class ReceiptJson(BaseModel):
    """A record that was restored, changed back or removed."""

    action: Literal["created", "updated", "deleted"]
    entity: EntityRefJson


class UndoneJson(CamelModel):
    """The writes that took the change back."""

    success: bool
    operation: str | None = None
    receipts: list[ReceiptJson]


def changes_json(page: ChangePage, user: str) -> ChangesJson:
    """Return a page of the feed as the user sees it."""
    return ChangesJson.from_attributes(page, items=[_change(change, user) for change in page.items], next=page.sequence)


def _change(change: RecordChange, user: str) -> ChangeJson:
    return ChangeJson.from_attributes(
        change,
        is_own=change.user == user,
        entity=EntityRefJson(type=change.entity_type, id=change.entity_id, name=change.name),
        record=record_json(change.record) if change.record is not None else None,
    )
