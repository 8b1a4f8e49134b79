"""What a user's writes did, kept for a day, and how one of them is taken back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.receipts import KIND as RECEIPT
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, NotFoundError
from aisha.domain.queries import Change, Create, Delete, Update
from aisha.domain.records import RECORD_TYPES

_REMOVABLE = {"memory": "memory", "sticky_note": "reminder"}
"""What users keep besides records, by the type in its receipt: the kind of its entry."""
AT_ONCE = 10
"""Changes of one transaction of the record store."""


def undo_last(context: ToolContext) -> tuple[list[Receipt], str | None]:
    """Takes the user's last write back, all of it, and forgets it; the receipts of doing so, and the write's operation id.

    Raises `NotFoundError` when there is none of the last 24 hours, `ConflictError` when it can't be taken back: it left
    the CRM, or a record has changed since.
    """
    newest = context.own.page(RECEIPT).items
    if (before := next((one for one in newest if one.body.get("undone_by") == context.operation_id), None)) is not None:
        # Another try of this very undo got so far; the last change is another one by now.
        return [Receipt.model_validate(one) for one in before.body["undone"]], before.body.get("operation")
    entry = _last(newest)
    receipts: list[Mapping[str, Any]] = entry.body["receipts"]
    if all(one["action"] == "created" and one["entity"]["type"] in _REMOVABLE for one in receipts):
        return _removed(context, entry, receipts), entry.body.get("operation")
    changes = [inverse(receipt) for receipt in reversed(receipts)]
    if entry.body["is_outside"]:
        raise ConflictError(f"What {entry.body['tool']} did has left the CRM and can't be taken back.")
    _check_unchanged(context, receipts)
    # Whoever undoes the same at the same moment meets the records' versions.
    done = [Receipt.of(one) for part in _parts(changes) for one in context.records.write(*part)]
    return _undone(context, entry, done), entry.body.get("operation")


def _undone(context: ToolContext, entry: Entry, done: list[Receipt]) -> list[Receipt]:
    """Marks the write as taken back, by whom and with what result: deleted, it would let another try undo one more."""
    told = [one.model_dump(mode="json") for one in done]
    body = {"undone_by": context.operation_id, "undone": told, "operation": entry.body.get("operation")}
    context.own.put(RECEIPT, entry.id, body, expires_at=entry.expires_at)
    return done


def _removed(context: ToolContext, entry: Entry, receipts: Sequence[Mapping[str, Any]]) -> list[Receipt]:
    """What the user had kept for themselves a moment ago is no longer kept."""
    done = []
    for one in receipts:
        entity = EntityRef.model_validate(one["entity"])
        if context.own.delete(_REMOVABLE[entity.type], entity.id):
            done.append(Receipt(action="deleted", entity=entity))
    _undone(context, entry, done)
    if not done:
        raise NotFoundError(f"{receipts[0]['entity']['name']} is gone already.")
    return done


def _last(newest: Sequence[Entry]) -> Entry:
    found = next((one for one in newest if "undone_by" not in one.body), None)
    if found is None:
        raise NotFoundError("There is nothing to undo: no change of yours in the last 24 hours.")
    return found


def inverse(receipt: Mapping[str, Any]) -> Change:
    """The change that takes this one back; written, it conflicts when the record is no longer what the change left.

    Raises `ConflictError` for what is no record, or nothing was kept of.
    """
    entity, before, after = receipt["entity"], receipt.get("before"), receipt.get("after")
    kind = entity["type"]
    if kind not in RECORD_TYPES or (before is None and after is None):
        raise ConflictError(f"The change of {kind.replace('_', ' ')} {entity['name']} can't be taken back by itself.")
    if receipt["action"] == "deleted":
        return Create(RECORD_TYPES[kind].model_validate({"id": entity["id"], **(before or {})}))
    version = receipt.get("version")
    if receipt["action"] == "created":
        return Delete(kind, entity["id"], version)
    fields = {*(before or {}), *(after or {})}
    return Update(kind, entity["id"], {name: (before or {}).get(name) for name in fields}, version)


def _check_unchanged(context: ToolContext, receipts: Sequence[Mapping[str, Any]]) -> None:
    """Before anything is written: with more changes than one transaction takes, a late conflict would leave half."""
    written = [one for one in receipts if one["action"] != "deleted"]
    pairs = [(one["entity"]["type"], one["entity"]["id"]) for one in written]
    stored = context.records.get_many(pairs) if pairs else {}
    for one in written:
        record = stored.get(one["entity"]["id"])
        if record is None or record.version != one["version"]:
            raise ConflictError(
                f"{one['entity']['name']} has changed since, so nothing was undone.",
                suggestion="Look at the record and change it back by hand.",
            )


def _parts(changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    for start in range(0, len(changes), AT_ONCE):
        yield changes[start : start + AT_ONCE]
