"""New notes, activities, reminders and leads have the words, times and names that the user said: `entries.jsonl`."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from aisha.application.orders.case import CallContext
from aisha.application.orders.judge import judge_by_rules
from aisha.application.orders.matching.targets import Focus, record_mention
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.tools import ToolCall, ToolSpec

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
ABOUT_JACK = {"entity_type": "lead", "entity_id": "lead_01KJWNSTC09TMXGZ2GFDXDYS43"}
READ = ", and I have just read records"
TEXT, TIME = {"type": "string"}, {"type": "string", "format": "date-time"}
ABOUT = {"entity_type": TEXT, "entity_id": TEXT}
ACTIVITY = {
    "title": TEXT,
    "activity_type": {"type": "string", "enum": ["call", "meeting", "task", "demo"]},
    "due_date": TIME,
    "duration_minutes": {"type": "integer"},
    "priority": {"type": "string", "enum": ["low", "high"]},
}
LEAD = dict.fromkeys("first_name last_name company email phone job_title city".split(), TEXT)


def tool(name: str, act: str, fields: dict[str, Any], *required: str) -> ToolSpec:
    schema = {"properties": fields, "required": required}
    return ToolSpec(name, "Add it.", schema, {}, "new", "write", ordered_by=(act,))


TOOLS = {
    one.name: one
    for one in (
        tool("create_note", "create_note", {**ABOUT, "content": TEXT}),
        tool("create_activity", "create_activity", {**ABOUT, **ACTIVITY}, "title", "activity_type"),
        tool("create_reminder", "remind", {"text": TEXT, "due_date": TIME}),
        tool("create_lead", "create_record", LEAD),
    )
}
ROWS = [json.loads(line) for line in Path(__file__).with_name("entries.jsonl").read_text("utf-8").splitlines()]


def reason(row: dict[str, Any]) -> str:
    """Return why a call waits; empty if it runs."""
    spec = TOOLS[row["tool"]]
    arguments = {**(ABOUT_JACK if "entity_id" in spec.properties else {}), **row["args"]}
    context = CallContext(
        Focus(), lambda one: record_mention(one, ["Jack Russel"]), lambda _: {}, untrusted_sources=("records",)
    )
    utterance = Utterance(row["say"], NOW, known_names=["Jack Russel"])
    return judge_by_rules(ToolCall("c1", spec.name, arguments, spec), utterance, context).reason.removesuffix(READ)


@pytest.mark.parametrize("name", TOOLS)
def test_an_entry_has_what_the_user_said(name: str) -> None:
    rows = [row for row in ROWS if row["tool"] == name]
    assert [{**row, "reason": reason(row)} for row in rows] == rows
