"""Conversations with a scripted model on the demo data, and a world with one record of each kind."""

import pytest

from aisha.application.tooling import ToolRegistry
from aisha.domain.crm.enumerations import ActivityType
from aisha.domain.crm.records import Account, Activity, Contact, Goal, KeyResult, Note, Opportunity, Related
from tests.support.dialogue.conversations import NOW
from tests.support.dialogue.scripted_play import Play
from tests.unit.application.conftest import World
from tests.unit.application.turn.confirming.office import IDS, MEMORY, REMINDER, add


@pytest.fixture
def play(registry: ToolRegistry) -> Play:
    return Play(registry, NOW)


@pytest.fixture
def office(full: World) -> World:
    """Return a world with one record of each kind; `IDS` gets their ids, by the references of `QUESTIONS`."""
    jack = full.add_lead(first_name="Jack", last_name="Russel", email="jack@abc.example", owner="alice")
    ann = add(full, Contact(first_name="Ann", last_name="Lee", email="ann@abc.example", owner="alice"))
    deal = Opportunity(name="ABC Expansion", amount=48000, currency="EUR", contact_id=ann.id, owner="alice")
    about = Related(type="lead", id=jack.id, name="Jack Russel")
    call = Activity(title="Call with Jack", activity_type=ActivityType.CALL, related=about, owner="alice")
    goal = Goal(title="Grow revenue", owner="alice", key_results=[KeyResult(title="New deals", target=10)])
    records = [
        jack,
        ann,
        *(add(full, one) for one in (Account(name="ABC Corp", owner="alice"), deal, call, goal)),
        add(full, Note(content="Likes golf", related=about, owner="alice")),
    ]
    IDS.clear()
    IDS.update({record.TYPE: record.id for record in records})
    IDS.update({str(number): full.add_lead(last_name=f"P{number}", owner="alice").id for number in range(44)})
    full.deps.entries.put("demo", "alice", "memory", MEMORY, {"text": "Ann likes tea"})
    full.deps.entries.put("demo", "alice", "reminder", REMINDER, {"text": "Buy flowers"})
    return full
