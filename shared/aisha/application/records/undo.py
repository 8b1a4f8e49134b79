"""Undo of a user's last write, by the receipts that are kept for a day."""

from collections.abc import Mapping, Sequence
from itertools import batched, takewhile
from typing import Any

from aisha.application.tenants.profile import rules_of
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.execution import execute_gated, refuse_to_ask
from aisha.application.tooling.gate.receipts import KIND as RECEIPT
from aisha.application.tooling.gate.receipts import UNDO_TOOL
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.crm.queries import Change, Create, Delete, Update
from aisha.domain.crm.record_changes import MAX_CHANGES
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, NotFoundError
from aisha.domain.tools import ToolCall

_REMOVABLE = {"memory": "memory", "sticky_note": "reminder"}
"""Types of receipts about entries instead of records, and the kind of the entry."""


def undo_last(context: ToolContext) -> tuple[list[Receipt], str | None]:
    """Undo the user's last write as a whole; return the receipts of the undo and the operation id of the write.

    Of a message that changed one record several times, or several in the same way, all is changed back.

    Raises `NotFoundError` without a write in the last 24 hours, and `ConflictError` for a write that can't be undone
    because it has left the CRM or a record has changed since.
    """
    newest = context.own.page(RECEIPT).items
    done = next((entry for entry in newest if entry.body.get("undone_by") == context.operation_id), None)
    if done is not None:
        # An earlier try of this request has undone the write; undoing the last one now would undo another.
        return [Receipt.model_validate(receipt) for receipt in done.body["undone"]], done.body.get("operation")
    entries = _last_order(newest)
    entry = entries[0]
    receipts: list[Mapping[str, Any]] = [receipt for each in reversed(entries) for receipt in each.body["receipts"]]
    if all(receipt["action"] == "created" and receipt["entity"]["type"] in _REMOVABLE for receipt in receipts):
        return _remove_entries(context, entry, receipts), entry.body.get("operation")
    # The last change first, as it may build on those before it.
    merged = [_with_version_now(receipt, newest) for receipt in _merge_by_record(receipts)]
    changes = [inverse(receipt) for receipt in reversed(merged)]
    # Only now, because a receipt that has no inverse has the more exact reason.
    if entry.body["is_outside"]:
        change = str(entry.body["tool"]).replace("_", " ")
        raise ConflictError(f"Your last change ({change}) has left the CRM, so it can't be taken back.")
    _check_unchanged(context, merged)
    # Another request that undoes the same write at the same time fails at the records' versions.
    undone = [
        Receipt.of(written) for batch in batched(changes, MAX_CHANGES) for written in context.records.write(*batch)
    ]
    earliest = {receipt["entity"]["id"]: receipt.get("version") for receipt in reversed(receipts)}
    for undone_entry in entries:
        _mark_undone(context, undone_entry, undone, earliest)
    return undone, entry.body.get("operation")


def _merge_by_record(receipts: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return one receipt for each record: all that the write did to it, from its first change to its last."""
    by_record: dict[str, Mapping[str, Any]] = {}
    for receipt in receipts:
        record_id = receipt["entity"]["id"]
        earlier = by_record.pop(record_id, None)
        if earlier is None:
            by_record[record_id] = receipt
        # What the write created and deleted again leaves nothing to undo.
        elif not (earlier["action"] == "created" and receipt["action"] == "deleted"):
            by_record[record_id] = _merge_two(earlier, receipt)
    return list(by_record.values())


def _merge_two(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return two changes of one record as one."""
    first, second = earlier.get("before") or {}, later.get("before") or {}
    fields = {*first, *(earlier.get("after") or {})}
    before = {name: value for name, value in second.items() if name not in fields} | {
        name: first[name] for name in fields if name in first
    }
    is_created = earlier["action"] == "created"
    return {
        **later,
        "action": "created" if is_created else later["action"],
        "before": None if is_created else before,
        "after": {**(earlier.get("after") or {}), **(later.get("after") or {})},
    }


def undo_by_button(context: ToolContext, registry: ToolRegistry, operation: str | None) -> ToolCall:
    """Run the tool `undo_last` through the gate, for a button beside the write `operation`, and return its call.

    Raises `ConflictError` if the user has written something else since, and the errors of `undo_last` and of the gate.
    """
    newest = context.own.page(RECEIPT).items
    is_repeated = any(entry.body.get("undone_by") == context.operation_id for entry in newest)
    if operation is not None and not is_repeated and _last_write(newest).body.get("operation") != operation:
        raise ConflictError(
            "This was not your last change, so nothing was undone.",
            suggestion="Undo the later changes first, or change it back by hand.",
        )
    call = registry.create_call(UNDO_TOOL, {}, context, context.operation_id)
    result = execute_gated(call, context.principal, rules_of(context), ask=refuse_to_ask(call, "button"))
    if not result.ok:
        raise result.exception or ConflictError("Nothing was undone.")
    return call


def _with_version_now(receipt: Mapping[str, Any], newest: Sequence[Entry]) -> Mapping[str, Any]:
    """Return a receipt with the version at which its record is again as the write left it: later writes were undone."""
    record_id, version = receipt["entity"]["id"], receipt.get("version")
    again = {
        entry.body["earliest"][record_id] - 1: undone.get("version")
        for entry in newest
        for undone in entry.body.get("undone", ())
        if undone["entity"]["id"] == record_id and entry.body.get("earliest", {}).get(record_id)
    }
    while version in again and again[version] is not None:
        version = again[version]
    return {**receipt, "version": version}


def _mark_undone(
    context: ToolContext, entry: Entry, undone: list[Receipt], earliest: Mapping[str, int | None] | None = None
) -> None:
    """Store that a write was undone; `earliest` are the versions that its changes left first, by record."""
    # The entry is not deleted: another try of the request would take the write before it for the last one.
    receipts = [receipt.model_dump(mode="json") for receipt in undone]
    body = {
        "undone_by": context.operation_id,
        "undone": receipts,
        "earliest": earliest or {},
        "operation": entry.body.get("operation"),
    }
    context.own.put(RECEIPT, entry.id, body, expires_at=entry.expires_at)


def _remove_entries(context: ToolContext, entry: Entry, receipts: Sequence[Mapping[str, Any]]) -> list[Receipt]:
    """Delete the memories and reminders that the write created. Raises `NotFoundError` when none is left."""
    entities = [EntityRef.model_validate(receipt["entity"]) for receipt in receipts]
    undone = [
        Receipt(action="deleted", entity=entity)
        for entity in entities
        if context.own.delete(_REMOVABLE[entity.type], entity.id)
    ]
    _mark_undone(context, entry, undone)
    if not undone:
        raise NotFoundError(f"{entities[0].name} is gone already.")
    return undone


def _last_write(newest: Sequence[Entry]) -> Entry:
    entry = next((entry for entry in newest if "undone_by" not in entry.body), None)
    if entry is None:
        raise NotFoundError(
            "There is nothing to undo: you haven't changed anything in the last 24 hours.",
            suggestion="Change older values back by hand.",
        )
    return entry


def _last_order(newest: Sequence[Entry]) -> list[Entry]:
    """Return the last write, with those before it of the same message that changed the same record, or others so."""
    last = _last_write(newest)
    change = _change_of(last)
    earlier = newest[newest.index(last) + 1 :]
    return [last, *takewhile(lambda entry: change is not None and _is_of_order(change, _change_of(entry)), earlier)]


_Changed = tuple[str, tuple[str, list[Any]], set[str]]
"""A message, the tool of one of its writes with the new values, and the ids of the records that it changed."""


def _is_of_order(last: _Changed, other: _Changed | None) -> bool:
    return other is not None and last[0] == other[0] and (last[1] == other[1] or last[2] == other[2])


def _change_of(entry: Entry) -> _Changed | None:
    """Return what a write changed; None for one that changed no record's fields."""
    message, _, call = str(entry.body.get("operation") or "").rpartition(".")
    receipts = entry.body.get("receipts", ())
    if not (message and call.isdecimal() and receipts) or any(receipt["action"] != "updated" for receipt in receipts):
        return None
    change = (entry.body["tool"], [receipt.get("after") for receipt in receipts])
    return message, change, {receipt["entity"]["id"] for receipt in receipts}


def inverse(receipt: Mapping[str, Any]) -> Change:
    """Return the change that reverts a receipt's change; it expects the version that the receipt's change has left.

    Raises `ConflictError` for a receipt that is not about a record, or that has no values.
    """
    entity, before, after = receipt["entity"], receipt.get("before"), receipt.get("after")
    kind = entity["type"]
    if kind not in RECORD_TYPES or (before is None and after is None):
        raise ConflictError(
            f"The change of {kind.replace('_', ' ')} {entity['name']} can't be taken back by itself.",
            suggestion="Change or delete it directly.",
        )
    if receipt["action"] == "deleted":
        # Under its old id, so that links of other records to it hold again.
        return Create(RECORD_TYPES[kind].model_validate({"id": entity["id"], **(before or {})}))
    version = receipt.get("version")
    if receipt["action"] == "created":
        return Delete(kind, entity["id"], version)
    fields = {*(before or {}), *(after or {})}
    return Update(kind, entity["id"], {name: (before or {}).get(name) for name in fields}, version)


def _check_unchanged(context: ToolContext, receipts: Sequence[Mapping[str, Any]]) -> None:
    # Several transactions may be needed: a conflict found only in a later one would leave the write half undone.
    written = [receipt for receipt in receipts if receipt["action"] != "deleted"]
    pairs = [(receipt["entity"]["type"], receipt["entity"]["id"]) for receipt in written]
    stored = context.records.get_many(pairs) if pairs else {}
    for receipt in written:
        record = stored.get(receipt["entity"]["id"])
        if record is None or record.version != receipt["version"]:
            raise ConflictError(
                f"{receipt['entity']['name']} has changed since, so nothing was undone.",
                suggestion="Look at the record and change it back by hand.",
            )
