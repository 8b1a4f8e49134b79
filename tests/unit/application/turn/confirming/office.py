"""Ids and records that the questions about every tool that writes are about."""

from collections.abc import Mapping
from typing import Any

from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import (
    Record,
)
from tests.unit.application.conftest import World

MEMORY = "memory_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
REMINDER = "reminder_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
INSTRUCTION = "instruction_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
UNKNOWN_LEAD = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
JACK = {"entity_type": "lead", "entity_id": "@lead"}
FOLLOW_UP = {"entity_type": "lead", "title": "Follow-up", "activity_type": "task"}
IDS: dict[str, str] = {}
"""Ids by the references such as `@lead`; the fixture `office` fills it."""


def add(world: World, record: Record) -> Record:
    return world.deps.records.write("demo", [Create(record)])[0].record


def with_ids(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: with_ids(item) for name, item in value.items()}
    if isinstance(value, list):
        return [with_ids(item) for item in value]
    return IDS[value[1:]] if isinstance(value, str) and value.startswith("@") else value
