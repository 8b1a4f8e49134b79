"""Labelled messages of users, each with a call, as the judge gets them: on the demo data, all records looked up."""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from aisha.application.orders.case import CallContext
from aisha.application.orders.matching.targets import Focus, RecordMention, record_mention
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.tooling import ToolRegistry, discover
from aisha.domain.crm.records import Record
from aisha.domain.tools import ToolCall
from infra.local.demo.data import demo_records

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 3, 4, 10, tzinfo=ZoneInfo("America/New_York"))
"""The time of the demo data that the messages speak of."""
USER, TENANT = "alice", "demo"


class Example(msgspec.Struct, frozen=True):
    """A message with a call that it orders, or does not.

    `voice` is its author, and `missed` is True where the gate's verdict is another today.
    """

    voice: str
    ordered: bool
    say: str
    tool: str
    args: dict[str, Any]
    missed: bool = False


@cache
def examples() -> tuple[Example, ...]:
    """Return the messages of all authors."""
    return tuple(
        Example(path.stem, **json.loads(line))
        for path in sorted(DATA.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )


@cache
def _registry() -> ToolRegistry:
    return discover("aisha.tools")


@cache
def _records() -> Mapping[str, Record]:
    return {record.id: record for record in demo_records(TENANT, NOW)}


@cache
def _ids() -> Mapping[str, str]:
    return {f"@{record.TYPE}:{record.display_name}": record.id for record in _records().values()}


def _mention(record_id: str) -> RecordMention:
    record = _records()[record_id]
    related = [str(text) for field in ("company", "email") if (text := getattr(record, field, None))]
    linked = getattr(record, "account_id", None) or getattr(getattr(record, "related", None), "id", None)
    related += [_records()[linked].display_name] if isinstance(linked, str) and linked in _records() else []
    return record_mention(record_id, [record.display_name], related)


def judged(example: Example) -> tuple[ToolCall, Utterance, CallContext]:
    """Return the call of an example, the user's words, and the context of a model that has looked the record up."""
    arguments = {
        name: _ids().get(value, value) if isinstance(value, str) else value for name, value in example.args.items()
    }
    call = ToolCall("call", example.tool, arguments, _registry().spec(example.tool))
    looked_up = tuple(value for value in arguments.values() if isinstance(value, str) and value in _records())
    context = CallContext(
        Focus(found_this_turn=looked_up),
        _mention,
        lambda record_id: json.loads(_records()[record_id].model_dump_json()) if record_id in _records() else {},
        USER,
        ("records",),
    )
    return call, Utterance(example.say, NOW), context
