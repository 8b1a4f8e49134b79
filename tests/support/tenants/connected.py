"""A tenant's records in a fake CRM, with everything between: repository, mirror, connector and client."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock, local
from time import monotonic
from typing import Any

from aisha.adapters.crm.declarative import DeclarativeConnector
from aisha.adapters.crm.http.client import CrmClient
from aisha.adapters.crm.http.sign_in import Access
from aisha.adapters.crm.mapping_file.file import read_mapping
from aisha.adapters.crm.writing.connected_records import ConnectedRecordRepository
from aisha.adapters.crm.writing.locks import Locks
from aisha.adapters.http.http_client import HttpClient
from aisha.application.connections.dependencies import SyncDependencies
from aisha.application.connections.mirror import Mirror
from aisha.application.connections.sync import handle_sync
from aisha.domain.crm.connector import Connection
from aisha.domain.ports import Clock, RecordRepository
from tests.fakes.stores.in_memory import InMemoryEntryRepository, InMemoryRecordRepository

FILES = Path(__file__).parents[3] / "tool_schemas" / "crm"
USERS = {"alice": "alice@demo.example", "bob": "bob@demo.example"}


class OneSecret:
    """A `WritableSecretStore` with one value for every name."""

    def __init__(self, value: str) -> None:
        self.value = value

    def get(self, name: str) -> str:
        return self.value

    def fresh(self, name: str) -> str:
        return self.value

    def put(self, name: str, value: str) -> None:
        self.value = value


class VirtualTime:
    """A clock in seconds that threads share, with a sleep that moves it on instead of waiting.

    Threads asleep at once share their seconds, as with a real clock: each is woken at the time that it last read plus
    its own seconds, so twenty that wait for one second take one second together. Every wait is added to `waits`.
    """

    def __init__(self, waits: list[float]) -> None:
        self._waits = waits
        self._ahead = 0.0
        self._lock = Lock()
        self._read = local()

    def now(self) -> float:
        with self._lock:
            self._read.at = monotonic() + self._ahead
            return float(self._read.at)

    def sleep(self, seconds: float) -> None:
        """Sleep in a thread that has called `now`."""
        with self._lock:
            self._waits.append(seconds)
            self._ahead = max(self._ahead, self._read.at + seconds - monotonic())


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
    locks: Locks = field(init=False)
    repository: ConnectedRecordRepository = field(init=False)
    store: OneSecret = field(init=False)
    waits: list[float] = field(default_factory=list)
    """The seconds of every wait of the tenants' clients."""

    def __post_init__(self) -> None:
        self.local = InMemoryRecordRepository(self.clock)
        self.entries = InMemoryEntryRepository(self.clock)
        self.locks = Locks(self.entries, self.clock)
        self.store = OneSecret(self.secret)
        self.mirrors = {tenant: self.mirror(tenant) for tenant in self.tenants}
        self.repository = ConnectedRecordRepository(
            self.local, lambda tenant: self.mirrors.get(tenant), self.entries, self.clock
        )

    def mirror(self, tenant: str, http: HttpClient | None = None) -> Mirror:
        connection = Connection(f"conn_{tenant}", self.crm, self.url, "token", users=USERS, **self.options)
        file = read_mapping(self.folder / f"{self.crm}.json", connection)
        time = VirtualTime(self.waits)
        access = Access(
            file,
            connection,
            self.store,
            http or HttpClient(),
            allow_private=True,
            renewal_lock=lambda: self.locks.held(tenant, ["token"], refusal="Renewing.", wait_seconds=600),
            clock=time.now,
        )
        client = CrmClient(access, sleep=time.sleep)
        connector = DeclarativeConnector(file, connection, client, self.clock.now)
        return Mirror(tenant, connection, connector, self.local, self.entries)

    def load(self, since: datetime | None = None) -> list[str]:
        """Read every resource page by page into the copy; return the names of the records."""
        mirror, names = self.mirrors["demo"], list[str]()
        for resource in mirror.connector.resources:
            cursor = None
            while True:
                page = mirror.connector.page(resource, since, cursor)
                assert page.skipped == []
                assert mirror.store(page.items, self.clock.now())[1] == []
                names += [str(one.values.get("name") or one.values.get("last_name")) for one in page.items]
                if (cursor := page.next_cursor) is None:
                    break
        return names


class Sync:
    """A tenant's synchronisation; its messages wait in a list."""

    def __init__(self, crm: Connected) -> None:
        self.crm = crm
        self.messages: list[Mapping[str, Any]] = []
        self.deps = SyncDependencies(
            self.crm.mirrors.get,
            self.crm.local,
            self.crm.entries,
            crm.clock,
            self,
            lambda *_: None,
            lambda *_: None,
        )

    def send(self, queue: str, message: Mapping[str, Any]) -> None:
        self.messages.append(message)

    def work(self, most: int = 1000) -> int:
        """Do the waiting messages, and those that they send, and return their number."""
        done = 0
        while self.messages and done < most:
            handle_sync(self.messages.pop(0), self.deps)
            done += 1
        return done

    def count(self, entity_type: str) -> int:
        return sum(row.count for row in self.crm.local.counts("demo", entity_type))
