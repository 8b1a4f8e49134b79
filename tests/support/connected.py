"""A tenant's records in a fake CRM, with everything between: repository, mirror, connector and client."""

from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from aisha.adapters.crm.client import CrmClient
from aisha.adapters.crm.connected_records import ConnectedRecordRepository
from aisha.adapters.crm.declarative import DeclarativeConnector
from aisha.adapters.crm.mapping import read_mapping
from aisha.adapters.http.http_client import HttpClient
from aisha.application.connections.mirror import Mirror
from aisha.domain.crm.connector import Connection
from aisha.domain.ports import Clock, RecordRepository
from tests.fakes.in_memory import InMemoryEntryRepository, InMemoryRecordRepository

FILES = Path(__file__).parents[2] / "tool_schemas" / "crm"
USERS = {"alice": "alice@demo.example", "bob": "bob@demo.example"}


class OneSecret:
    """A `SecretStore` with one value for every name."""

    def __init__(self, value: str) -> None:
        self.value = value

    def get(self, name: str) -> str:
        return self.value


@dataclass
class Connected:
    """The connection `conn` of every tenant in `tenants` to the CRM of a mapping file at `url`."""

    clock: Clock
    url: str
    crm: str = "hubspot"
    secret: str = "pat-na1-test"
    tenants: tuple[str, ...] = ("demo",)
    options: dict[str, Any] = field(default_factory=dict)
    folder: Path = FILES
    local: RecordRepository = field(init=False)
    entries: InMemoryEntryRepository = field(init=False)
    repository: ConnectedRecordRepository = field(init=False)
    waits: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.local = InMemoryRecordRepository(self.clock)
        self.entries = InMemoryEntryRepository(self.clock)
        self.mirrors = {tenant: self.mirror(tenant) for tenant in self.tenants}
        self.repository = ConnectedRecordRepository(
            self.local, lambda tenant: self.mirrors.get(tenant), self.entries, self.clock
        )

    def mirror(self, tenant: str, http: HttpClient | None = None) -> Mirror:
        connection = Connection(f"conn_{tenant}", self.crm, self.url, "token", users=USERS, **self.options)
        file = read_mapping(self.folder / f"{self.crm}.json", connection.fields)
        client = CrmClient(
            file,
            connection,
            OneSecret(self.secret),
            http or HttpClient(),
            allow_private=True,
            clock=lambda: monotonic() + sum(self.waits),
            sleep=self.waits.append,
        )
        connector = DeclarativeConnector(file, connection, client)
        return Mirror(tenant, connection, connector, self.local, self.entries)
