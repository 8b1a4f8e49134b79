"""The principal and the records of the bench's conversation."""

from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import RECORD_TYPES, Activity, Lead, Note, Related
from aisha.domain.principal import Principal
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository

JACK_ID = "lead_01KJQ5V0W8Y2Z6T4R9K7M1N3P5"
ALICE = Principal(
    "demo",
    "alice",
    roles=frozenset(("member",)),
    modules=frozenset(record_type.MODULE for record_type in RECORD_TYPES.values()),
    name="Alice Adams",
    zone="Europe/Berlin",
)


def filled_records(clock: FixedClock) -> InMemoryRecordRepository:
    """Return a small CRM: 25 leads, and Jack's activity and note."""
    records = InMemoryRecordRepository(clock)
    jack = Lead(
        id=JACK_ID, first_name="Jack", last_name="Russel", company="ABC Corp", email="jack@abc.example", score=82
    )
    others = [Lead(first_name=f"Ann{n}", last_name=f"Lee{n}", company="Globex", score=n) for n in range(24)]
    about = Related(type="lead", id=jack.id, name="Jack Russel")
    call = Activity(title="Call about the proposal", activity_type="call", related=about)
    note = Note(content="Prefers mornings.", related=about)
    for record in (jack, *others, call, note):
        records.write(ALICE.tenant, [Create(record)])
    return records
