"""Encode records and the results of writes as JSON."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from aisha.domain.crm.queries import Written
from aisha.domain.crm.records import RECORD_TYPES, Record


def encode(record: Record) -> dict[str, Any]:
    """Return the record as JSON values, with the fields that its own dump leaves out."""
    # Left out by `exclude=True`, so that no tool's result and no prompt can have them.
    hidden: dict[str, Any] = {"tenant_id": record.tenant_id, "version": record.version}
    if record.remote is not None:
        hidden["remote"] = record.remote.model_dump(mode="json")
    return {**record.model_dump(mode="json"), **hidden}


def decode(values: Mapping[str, Any]) -> Record:
    return RECORD_TYPES[values["entity_type"]].model_validate(values)


def encode_item(record: Record) -> str:
    return json.dumps(encode(record), ensure_ascii=False)


def decode_item(body: str) -> Record:
    return decode(json.loads(body))


def encode_result(written: Iterable[Written]) -> str:
    values = [
        {
            "action": change.action,
            "before": encode(change.before) if change.before else None,
            "after": encode(change.after) if change.after else None,
        }
        for change in written
    ]
    return json.dumps(values, ensure_ascii=False)


def decode_result(body: str) -> list[Written]:
    return [
        Written(
            item["action"],
            decode(item["before"]) if item["before"] else None,
            decode(item["after"]) if item["after"] else None,
        )
        for item in json.loads(body)
    ]
