"""The desk of the tests of flow-chat."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from aisha.application.flow.confirmed_plan import run_stored
from aisha.application.tooling import ToolRegistry
from aisha.application.turn.confirming.settle import RUN_PLAN
from aisha.application.turn.state import TurnDependencies, TurnLimits
from aisha.domain.crm.enumerations import LeadStatus
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Lead
from tests.fakes.models.scripted_model import ScriptedModel
from tests.fakes.stores.in_memory import FixedClock, InMemoryConversationRepository, in_memory_ports
from tests.support.tenants.flow_desk import Desk


@pytest.fixture
def desk(registry: ToolRegistry) -> Iterator[Desk]:
    clock = FixedClock()
    ports = in_memory_ports(clock)
    for first, last, company in (("Jack", "Russel", "ABC"), ("Jack", "Sparrow", "Pearl"), ("Ann", "Lee", "Globex")):
        lead = Lead(first_name=first, last_name=last, company=company, owner="alice", status=LeadStatus.QUALIFIED)
        ports.records.write("demo", [Create(lead)])
    with ThreadPoolExecutor(4) as workers:
        yield Desk(
            TurnDependencies(
                ScriptedModel(),
                registry,
                ports,
                InMemoryConversationRepository(),
                TurnLimits(),
                workers,
                stored_call_runners={RUN_PLAN: run_stored},
            ),
            clock,
        )
