"""The rules alone tell orders from what is told, asked, refused or put off, and say why a call waits.

`sentences.jsonl` has sentences that set Jack Russel to lost, or not: `reason` is empty where they do. `values.jsonl`
has sentences with the fields of Jack Russel that a call writes, some as answers or after earlier messages.
"""

import json
from collections import defaultdict
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
JACK = "lead_01KJWNSTC09TMXGZ2GFDXDYS43"
READ = ", and I have just read records"
TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "number"}, {"type": "boolean"}
FIELDS: dict[str, Any] = {
    **dict.fromkeys("lead_id email phone website company job_title city owner next_action last_name".split(), TEXT),
    "status": {"type": "string", "enum": ["new", "contacted", "qualified", "warm", "lost"]},
    "source": {"type": "string", "enum": ["website", "email", "referral", "event"]},
    "score": {"type": "integer", "maximum": 100},
    "estimated_value": NUMBER,
    "close_date": {"type": "string", "format": "date"},
    "follow_up_at": {"type": "string", "format": "date-time"},
    "do_not_email": FLAG,
    "do_not_call": FLAG,
    "tags": {"type": "array", "items": TEXT},
}
STORED = {
    "score": 50,
    "estimated_value": "40000",
    "tags": ["berlin", "partner"],
    "close_date": "2026-03-20",
    "follow_up_at": "2026-03-10T14:00:00+00:00",
    "do_not_call": True,
    "email": "j@x.example",
    "owner": "alice",
}
UPDATE = ToolSpec(
    "update_lead",
    "Change a lead.",
    {"properties": FIELDS},
    {},
    "leads",
    "write",
    ordered_by=("update_record", "advance_stage", "assign"),
)


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()]


def grouped() -> list[Any]:
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows("sentences.jsonl"):
        groups[row["about"], row["reason"]].append(row["say"])
    return [pytest.param(*key[1:], says, id=" - ".join(key)) for key, says in groups.items()]


def reason(message: str, fields: dict[str, Any], **before: Any) -> str:
    """Return why Jack Russel is not changed; empty if he is. `before` is what was said before the message."""
    utterance = Utterance(message, NOW, known_names=["Jack Russel", "Omar Benali"], **before)
    context = CallContext(
        Focus(),
        lambda record_id: record_mention(record_id, ["Jack Russel"]),
        lambda _: STORED,
        user="alice",
        untrusted_sources=("records",),
    )
    judgement = judge_by_rules(ToolCall("c1", "update_lead", {"lead_id": JACK, **fields}, UPDATE), utterance, context)
    assert judgement.is_ordered == (not judgement.reason)
    return judgement.reason.removesuffix(READ)


def said_before(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "earlier": row.get("earlier", ()),
        "is_answer": row.get("answer", False),
        "offer_text": row.get("offer", ""),
    }


@pytest.mark.parametrize(("expected", "messages"), grouped())
def test_a_status_is_set_by_an_order_alone_and_the_reason_says_why_not(expected: str, messages: list[str]) -> None:
    assert {message: reason(message, {"status": "lost"}) for message in messages} == dict.fromkeys(messages, expected)


@pytest.mark.parametrize("field", sorted({next(iter(row["args"])) for row in rows("values.jsonl")}))
def test_a_field_gets_the_value_that_was_said_for_it(field: str) -> None:
    own = [row for row in rows("values.jsonl") if next(iter(row["args"])) == field]
    assert [{**row, "reason": reason(row["say"], row["args"], **said_before(row))} for row in own] == own
