"""Functions over in-memory stores with two tenants, whose records must stay apart."""

from collections.abc import Iterator

import pytest

from aisha.domain.crm.records import Account, Lead, Opportunity, Record
from infra.local.server.server import LocalServer
from tests.fakes.aws.api_gateway import serve
from tests.fakes.local import local_server
from tests.fakes.world import World
from tests.support.tenants.connected_office import Office, connected_office


@pytest.fixture
def world() -> Iterator[World]:
    """Serve every function of a test from in-memory stores; without the machine's environment, the planner answers."""
    world = World()
    serve(world.services)
    yield world
    serve()
    world.close()


@pytest.fixture
def crm(world: World) -> dict[str, Record]:
    """Store a few records of both tenants and return them by a short name."""
    jack, jane, abc, deal = world.add(
        "demo",
        Lead.model_validate(
            {"first_name": "Jack", "last_name": "Russel", "company": "ABC Corp", "status": "warm", "owner": "alice"}
        ),
        Lead.model_validate({"first_name": "Jane", "last_name": "Doe", "company": "Globex", "owner": "bob"}),
        Account.model_validate({"name": "ABC Corp", "industry": "Software", "owner": "alice"}),
        Opportunity.model_validate({"name": "ABC renewal", "amount": 5000, "stage": "proposal", "owner": "alice"}),
    )
    (theirs,) = world.add(
        "rival", Lead.model_validate({"first_name": "Jack", "last_name": "Rival", "company": "Initech"})
    )
    return {"jack": jack, "jane": jane, "abc": abc, "deal": deal, "theirs": theirs}


@pytest.fixture
def office() -> Iterator[Office]:
    """Serve every function for a tenant whose records are in a fake HubSpot."""
    with connected_office() as office:
        yield office


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """Run a local server with the demo data for the tests of a module."""
    with local_server(tmp_path_factory.mktemp("server")) as running:
        yield running
