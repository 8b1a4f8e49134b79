"""Tools work with the records and entries of their caller, and a repeated operation finds what it has done."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.tooling.context import ToolContext, ToolPorts, make_context
from aisha.application.tooling.discovery import tools_of
from aisha.application.tooling.gate.visibility import missing_record, readable_page
from aisha.application.tooling.registry import ToolRegistry
from aisha.application.tooling.tenant_stores import ReadVersions, TenantRecords
from aisha.domain.crm.queries import Create, RecordQuery, Update
from aisha.domain.crm.records import Goal, Lead, Note
from aisha.domain.entries import PROFILE
from aisha.domain.errors import ConflictError, NotFoundError, PermissionDeniedError
from aisha.domain.principal import Principal
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports
from tests.support.dialogue.conversations import NOW
from tests.unit.application.tooling import sample_tools

ALICE = Principal("demo", "alice", modules=frozenset(("leads", "notes", "goals")))
BOB = replace(ALICE, user="bob")
UNKNOWN = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"


@pytest.fixture
def ports() -> Iterator[ToolPorts]:
    yield in_memory_ports(FixedClock(NOW))


def context_of(ports: ToolPorts, operation: str = "op_1", principal: Principal = ALICE, **more: Any) -> ToolContext:
    return make_context(principal, ports, operation, **more)


def a_lead(ports: ToolPorts, name: str = "Russel") -> Lead:
    (written,) = ports.records.write("demo", [Create(Lead(last_name=name, company="ABC", owner="alice"))])
    assert isinstance(written.record, Lead)
    return written.record


def test_each_way_to_read_a_record_tells_its_version(ports: ToolPorts) -> None:
    lead = a_lead(ports)
    key = (lead.id, lead.updated_at)
    ways: list[Callable[[TenantRecords], object]] = [
        lambda records: records.get("lead", lead.id),
        lambda records: records.get_many([("lead", lead.id)]),
        lambda records: records.search(RecordQuery("lead")),
    ]
    for reading in ways:
        read: ReadVersions = {}
        reading(context_of(ports, read=read).records)
        assert read == {key: 1}
    read = {}
    context_of(ports, read=read).records.write(Update("lead", lead.id, {"company": "XYZ"}))
    assert list(read.values()) == [2]


def test_a_repeated_operation_finds_records_as_they_were_and_writes_nothing_again(ports: ToolPorts) -> None:
    lead, other = a_lead(ports), a_lead(ports, "Doe")
    change = Update("lead", lead.id, {"company": "XYZ"})
    context_of(ports).records.write(change)
    again = context_of(ports, is_repeated=True).records
    records_before = again.get_many([("lead", lead.id), ("lead", other.id)])
    assert (again.get("lead", lead.id).company, records_before[lead.id].company) == ("ABC", "ABC")  # type: ignore[attr-defined]
    assert records_before[other.id].display_name == again.get("lead", other.id).display_name == other.display_name
    assert [written.record.version for written in again.write(change)] == [2]
    assert ports.records.get("demo", "lead", lead.id).version == 2
    # The first attempt of another operation sees them as they are.
    now = context_of(ports, "op_2").records.get("lead", lead.id)
    assert now.company == "XYZ"  # type: ignore[attr-defined]


def test_a_repeated_operation_of_two_writes_finds_before_each_what_it_found_then(ports: ToolPorts) -> None:
    lead = a_lead(ports)
    for records in (context_of(ports).records, context_of(ports, is_repeated=True).records):
        for before, after in (("ABC", "XYZ"), ("XYZ", "Acme")):
            assert records.get("lead", lead.id).company == before  # type: ignore[attr-defined]
            records.write(Update("lead", lead.id, {"company": after}))
    assert ports.records.get("demo", "lead", lead.id).version == 3


def test_a_write_to_another_version_than_the_caller_has_read_is_a_conflict(ports: ToolPorts) -> None:
    lead = a_lead(ports)
    context_of(ports, versions={lead.id: 1}).records.write(Update("lead", lead.id, {"company": "XYZ"}))
    with pytest.raises(ConflictError):
        context_of(ports, "op_2", versions={lead.id: 1}).records.write(Update("lead", lead.id, {"company": "ABC"}))


def test_an_entry_of_a_repeated_operation_is_the_one_that_it_has_added(ports: ToolPorts) -> None:
    first = context_of(ports).own.add("reminder", {"text": "Call"})
    again = context_of(ports, is_repeated=True).own.add("reminder", {"text": "Call"})
    other = context_of(ports, "op_2").own.add("reminder", {"text": "Call"})
    own = context_of(ports).own
    assert (first.id, first.id == other.id) == (again.id, False)
    assert {entry.id for entry in own.page("reminder").items} == {first.id, other.id}
    assert context_of(ports, "op_3", BOB).own.page("reminder").items == []
    assert own.get("reminder", first.id).body == {"text": "Call"}
    assert own.delete("reminder", first.id)
    assert own.find("reminder", first.id) is None
    with pytest.raises(NotFoundError, match="no such reminder"):
        own.get("reminder", first.id)


def test_records_that_a_user_may_not_see_are_missing_from_a_call(ports: ToolPorts) -> None:
    lead = a_lead(ports)
    related = {"type": "lead", "id": lead.id, "name": "Russel"}
    note = Note(content="Leaves soon", related=related, owner="bob", is_private=True)
    ((written),) = ports.records.write("demo", [Create(note)])
    records = context_of(ports).records
    assert missing_record(ALICE, records, {"lead_id": lead.id, "text": "Hello", "count": 3}) is None
    for arguments in ({"lead_id": UNKNOWN}, {"ids": [lead.id, UNKNOWN]}, {"one": {"lead_id": UNKNOWN}}):
        assert missing_record(ALICE, records, arguments) is not None
    assert missing_record(ALICE, records, {"note_id": written.record.id}) is not None
    assert missing_record(BOB, records, {"note_id": written.record.id}) is None
    assert missing_record(replace(BOB, modules=frozenset()), records, {"lead_id": lead.id}) is not None


def test_a_page_of_a_closed_module_is_refused(ports: ToolPorts) -> None:
    a_lead(ports)
    stranger = replace(ALICE, modules=frozenset(("notes",)))
    with pytest.raises(PermissionDeniedError, match="leads"):
        readable_page(stranger, context_of(ports, principal=stranger).records, RecordQuery("lead"))


def test_a_page_of_goals_is_counted_only_where_it_is_the_whole_list(ports: ToolPorts) -> None:
    mine = [Goal(title=f"Mine {n}", owner="alice", scope="mine") for n in range(2)]
    shared = [Goal(title=f"Shared {n}", owner="bob", scope="shared") for n in range(2)]
    hidden = [Goal(title="Bob's own", owner="bob", scope="mine")]
    ports.records.write("demo", [Create(goal) for goal in (*mine, *shared, *hidden)])
    records = context_of(ports).records
    whole = readable_page(ALICE, records, RecordQuery("goal", limit=10))
    assert (whole.total, len(whole.items), whole.next_cursor) == (4, 4, None)
    begun = readable_page(ALICE, records, RecordQuery("goal", limit=3))
    assert (begun.total, len(begun.items)) == (None, 3)
    titles: list[str] = []
    cursor = None
    for _ in range(4):
        page = readable_page(ALICE, records, RecordQuery("goal", limit=1, cursor=cursor))
        titles += [one.display_name for one in page.items]
        cursor = page.next_cursor
        assert page.total is None
    assert sorted(titles) == ["Mine 0", "Mine 1", "Shared 0", "Shared 1"]


def test_a_page_of_other_records_and_their_number_are_those_of_the_tenant(ports: ToolPorts) -> None:
    lead = a_lead(ports)
    ports.records.write("other", [Create(Lead(last_name="Foreign", company="ABC", owner="alice"))])
    records = context_of(ports).records
    page = readable_page(ALICE, records, RecordQuery("lead"))
    assert [one.id for one in page.items] == [lead.id]
    assert sum(row.count for row in records.counts("lead")) == 1


def test_what_a_deployment_has_not_set_up_is_empty(ports: ToolPorts) -> None:
    context = context_of(replace(ports, mail=None))
    assert (dict(context.team_values), context.mail, ports.masks_contacts("demo")) == ({}, None, False)
    mail: Any = object()
    assert context_of(replace(ports, mail=mail)).mail is mail


@pytest.mark.parametrize("is_logged", [True, False])
def test_a_call_outside_of_a_turn_is_logged_where_there_is_a_log(ports: ToolPorts, is_logged: bool) -> None:
    assert ports.audit is not None
    registry = ToolRegistry(tools_of(sample_tools, schemas=None))
    gardener = replace(ALICE, modules=frozenset(("gardens",)))
    context = context_of(ports if is_logged else replace(ports, audit=None), principal=gardener)
    assert registry.call_tool("grow_forest", {"label": "oak"}, context).ok
    assert [entry.tool for entry in ports.audit.log.page("demo", 10, None)] == ["grow_forest"] * is_logged


def test_a_profile_is_the_tenants_own(ports: ToolPorts) -> None:
    ports.entries.put("demo", None, PROFILE, PROFILE, {"assistant_name": "Nova"})
    assert ports.profile("demo") == {"assistant_name": "Nova"}
    assert ports.profile("other") == {}
    assert replace(ports, profiles=lambda _: {"assistant_name": "Kept"}).profile("demo") == {"assistant_name": "Kept"}
