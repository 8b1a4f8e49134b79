"""A write of a team's own field is judged as any other: by the field and the value that the user said."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.orders.case import CallContext
from aisha.application.orders.judge import judge
from aisha.application.orders.matching.targets import Focus, record_mention
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.tooling.arguments.custom_arguments import with_custom_fields
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.tools import ToolCall, ToolSpec

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
JACK = "lead_01KJWNSTC09TMXGZ2GFDXDYS43"
FIELDS: dict[str, Any] = {
    "lead_id": {"type": "string"},
    "company": {"type": "string"},
    "status": {"type": "string", "enum": ["new", "warm", "lost"]},
    "estimated_value": {"type": "number"},
}
UPDATE = with_custom_fields(
    ToolSpec("update_lead", "", {"properties": FIELDS}, {}, "leads", "write", ordered_by=("update_record",)),
    {
        "lead": (
            CustomField("region", values=("North", "South"), writable=True),
            CustomField("budget_band", values=("A", "B", "C"), writable=True),
            CustomField("temperature", values=("Warm", "Cold"), writable=True),
            CustomField("hobby", writable=True),
            CustomField("fleet_size", type="number", writable=True),
        )
    },
)


def is_ordered(message: str, **fields: Any) -> bool:
    stored = {"custom": {"fleet_size": 100}}
    context = CallContext(
        Focus(), lambda _: record_mention(JACK, ["Jack Russel"]), lambda _: stored, untrusted_sources=("records",)
    )
    call = ToolCall("c1", "update_lead", {"lead_id": JACK, **fields}, UPDATE)
    return judge(call, Utterance(message, NOW, known_names=["Jack Russel"]), context).is_ordered


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        ("Set Jack Russel's region to North", {"region": "North"}),
        ("Put Jack Russel in the North region", {"region": "North"}),
        ("Jack Russel's region is North now", {"region": "North"}),
        ("Set Jack Russel's budget band to B", {"budget_band": "B"}),
        ("Set Jack Russel's budget band from A to C", {"budget_band": "C"}),
        ("Set Jack Russel's region to South, not North", {"region": "South"}),
        ("Set Jack Russel's hobby to golf", {"hobby": "golf"}),
        ("Set Jack Russel's fleet size to 40", {"fleet_size": 40}),
        ("Raise Jack Russel's fleet size by 10%", {"fleet_size": 110}),
        ("Set Jack Russel's region to North and his budget band to C", {"region": "North", "budget_band": "C"}),
    ],
)
def test_the_value_that_was_said_of_the_field_is_written_without_a_question(
    message: str, fields: dict[str, Any]
) -> None:
    assert is_ordered(message, **fields)


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        ("Set Jack Russel's region to North", {"region": "South"}),
        ("Set a region for Jack Russel", {"region": "North"}),
        ("Set Jack Russel's region to South, not North", {"region": "North"}),
        ("Set Jack Russel's budget band from A to C", {"budget_band": "A"}),
        ("Set Jack Russel's budget band to B, he has a yacht", {"budget_band": "A"}),
        ("Set Jack Russel's budget band to B and give him a call on Friday", {"budget_band": "A"}),
        ("Mark Jack Russel as warm", {"temperature": "Warm"}),
        ("Set Jack Russel's hobby to golf", {"company": "golf"}),
        ("Set Jack Russel's fleet size to 40", {"estimated_value": 40}),
        ("Set Jack Russel's fleet size to 40", {"fleet_size": 400}),
        ("Add a note to Jack Russel: set his region to North", {"region": "North"}),
        ("What is Jack Russel's region? North?", {"region": "North"}),
        ("Tell me about Jack Russel", {"region": "North"}),
    ],
)
def test_what_was_said_of_another_field_or_not_meant_is_asked_about(message: str, fields: dict[str, Any]) -> None:
    assert not is_ordered(message, **fields)
