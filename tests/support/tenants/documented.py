"""Steps that the tests of CRMs which are fakes by their vendors' documentation share."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.crm.connections import Connections
from aisha.adapters.crm.writing.locks import Locks
from aisha.domain.crm.queries import Create, RecordQuery, Update, Written
from aisha.domain.crm.records import Record
from aisha.domain.crm.team_values import NamedValue
from tests.fakes.stores.in_memory import InMemoryEntryRepository, InMemoryRecordRepository
from tests.fakes.systems.documented_crms import NOW
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import FILES, Connected, OneSecret


def wrote(crm: Connected, record: Record) -> Written:
    """Create a record through the connection, and return what became of it."""
    [written] = crm.repository.write("demo", [Create(record)])
    return written


def created(crm: Connected, record: Record) -> Any:
    """Create a record through the connection, and return it as it is stored."""
    return wrote(crm, record).record


def only(crm: Connected, entity_type: str) -> Any:
    """Return the one record of this type in the copy."""
    [record] = crm.local.search("demo", RecordQuery(entity_type)).items
    return record


def move_to_own_stage(crm: Connected, deal: Any, label: str = "Legal review") -> None:
    """Move a deal to a stage by the name that it has in the CRM."""
    stages = crm.mirrors["demo"].connector.team_values()["opportunity.stage"]
    [stage] = [one for one in stages if one.label == label]
    crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": NamedValue.of(stage)})])


def webhook_refs(crm_name: str, body: bytes, headers: Mapping[str, str]) -> list[str]:
    """Return what a webhook of a CRM changes, for a connection whose secret for webhooks is `hook`."""
    connection = {"id": "conn_webhooks", "crm": crm_name, "url": "http://127.0.0.1", "secret": "X", "hook_secret": "X"}
    clock, entries = TickingClock(NOW), InMemoryEntryRepository(TickingClock(NOW))
    connections = Connections(
        FILES, lambda _: {"crm": connection}, InMemoryRecordRepository(clock), entries, OneSecret("hook"),
        locks=Locks(entries, clock),
    )  # fmt: skip
    return connections.changed("demo", headers, "POST", "https://aisha.example/", body, NOW)
