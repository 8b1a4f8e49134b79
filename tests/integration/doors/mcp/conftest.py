"""A running local server whose tools MCP clients call."""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from aisha.domain.crm.queries import Create, Delete
from aisha.domain.crm.records import Lead
from aisha.domain.errors import NotFoundError
from infra.local.server.server import LocalServer
from tests.fakes.local import local_server, with_settings


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    # All tests of the package are one user within a minute.
    with local_server(tmp_path_factory.mktemp("mcp")) as running, with_settings(running, user_requests_per_minute=1000):
        yield running


@pytest.fixture
def fresh(server: LocalServer) -> Iterator[LocalServer]:
    """The server with an additional lead, Dora Flint, which is deleted afterwards."""
    records = server.services.records
    new_lead = Lead(first_name="Dora", last_name="Flint", company="Flint Ltd", owner="alice")
    lead = records.write("demo", [Create(new_lead)])[0].record
    yield server
    with suppress(NotFoundError):
        records.write("demo", [Delete("lead", lead.id)])
