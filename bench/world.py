"""What both sides of the bench work on: the same records, the same scripted answers, the same tools."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from aisha.application.tooling import ToolRegistry, discover
from aisha.application.tooling.registry import tools_of
from aisha.domain.principal import Principal
from aisha.domain.queries import Create
from aisha.domain.records import RECORD_TYPES, Activity, Lead, Note, Related
from aisha.tools import activities, leads
from tests.fakes.in_memory import FixedClock, InMemoryRecordRepository
from tests.fakes.model_server import Answer

ROOT = Path(__file__).parents[1]
QUESTION = "Tell me about Jack Russel, put down that I call him tomorrow, and what is open with him?"
REPLY = (
    "**Jack Russel** (ABC Corp) is a warm lead with a score of 82. He was referred to you, and the last contact was a "
    "call in which he asked for prices by the end of the week.\n\n"
    "- Next action: call him tomorrow, as you asked; I have put that down.\n"
    "- Open: one scheduled call about the proposal, due on Tuesday at 15:00.\n"
    "- Notes: he prefers mornings and decides together with his head of purchasing.\n\n"
    "Would you like me to prepare an email with the price list before you call?"
)
TOOLS = ("search_leads", "get_lead", "list_activities", "update_lead")
"""The four that a turn calls."""
ALICE = Principal(
    "demo",
    "alice",
    roles=frozenset(("member",)),
    modules=frozenset(record_type.MODULE for record_type in RECORD_TYPES.values()),
    name="Alice Adams",
    zone="Europe/Berlin",
)


def jack_id() -> str:
    """The id of the lead that the turn is about, the same in every world."""
    return "lead_01KJQ5V0W8Y2Z6T4R9K7M1N3P5"


def filled_records(clock: FixedClock) -> InMemoryRecordRepository:
    """A small CRM: 25 leads, and what is about Jack."""
    records = InMemoryRecordRepository(clock)
    jack = Lead(
        id=jack_id(), first_name="Jack", last_name="Russel", company="ABC Corp", email="jack@abc.example", score=82
    )
    others = [Lead(first_name=f"Ann{n}", last_name=f"Lee{n}", company="Globex", score=n) for n in range(24)]
    about = Related(type="lead", id=jack.id, name="Jack Russel")
    call = Activity(title="Call about the proposal", activity_type="call", related=about)
    note = Note(content="Prefers mornings.", related=about)
    for record in (jack, *others, call, note):
        records.write(ALICE.tenant, [Create(record)])
    return records


def registry(only_called: bool) -> ToolRegistry:
    """The product's tools, or just the four that are called."""
    if not only_called:
        return discover("aisha.tools")
    return ToolRegistry(item for module in (leads, activities) for item in tools_of(module) if item.spec.name in TOOLS)


def answers() -> list[Answer]:
    """Three answers of the model: two calls, two calls, the reply."""
    jack = jack_id()
    about = json.dumps({"entity_type": "lead", "entity_id": jack})
    change = json.dumps({"lead_id": jack, "next_action": "Call him tomorrow about the proposal"})
    return [
        Answer(calls=[
            ("call_8Zk2Qm1T0aYp", "search_leads", json.dumps({"name_contains": "Jack Russel"})),
            ("call_L3vN9cX7dRbE", "get_lead", json.dumps({"lead_id": jack})),
        ]),
        Answer(calls=[("call_W5sJ4hG2uKfA", "list_activities", about), ("call_P1oI6yB8nMqC", "update_lead", change)]),
        Answer(text=REPLY),
    ]  # fmt: skip


@contextmanager
def model_server(pause: float) -> Iterator[str]:
    """The fake provider's address; it runs in a process of its own, so that its work is nobody's CPU time here."""
    script = [asdict(answer) | {"pause": pause} for answer in answers()]
    command = [sys.executable, "-m", "tests.fakes.model_server"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin and server.stdout
        print(json.dumps(script), file=server.stdin, flush=True)
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
