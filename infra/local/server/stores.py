"""The stores of a local server: tables in this process, or in DynamoDB Local."""

import socket
import subprocess
import threading
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import boto3

from aisha.adapters.dynamodb.tables import create_tables
from aisha.domain.ports import RecordRepository
from infra.local.aws_fakes.aws_credentials_guard import without_real_accounts
from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.demo.data import seed
from infra.local.errors import ServiceError
from infra.local.tables import REGION, TABLES

ROOT = Path(__file__).parents[3]
SEED_HOURS = 8
"""Maximum age of a copy of the demo data: its dates are relative to the hour of its creation."""


class Store(Protocol):
    """The tables of a server. `start` comes first; `seed_if_empty` and `reset` write the demo data to `records`."""

    @property
    def endpoint(self) -> str | None:
        """The endpoint of DynamoDB, for the settings; None for the one in this process."""
        ...

    @property
    def search_endpoint(self) -> str | None:
        """The endpoint of OpenSearch; None where none runs."""
        ...

    def describe(self) -> str:
        """Return where the data is, for people."""
        ...

    def start(self) -> None:
        """Start the services and create missing tables. Raises a `LocalError`."""
        ...

    def stop(self) -> None: ...

    def seed_if_empty(self, records: RecordRepository) -> None: ...

    def reset(self, records: RecordRepository) -> None:
        """Restore the demo data and delete every conversation."""
        ...


class EmbeddedStore:
    """Tables in this process by moto, stored in `folder`."""

    endpoint = None
    search_endpoint = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._aws = EmbeddedAWS(folder)
        self._resetting = threading.Lock()

    def describe(self) -> str:
        seeded_at = self._aws.seeded_at
        age = f", demo data of {seeded_at.astimezone():%d %B %Y}" if seeded_at else ""
        return f"{_relative(self._folder)}{age}"

    def start(self) -> None:
        self._aws.start()

    def stop(self) -> None:
        self._aws.stop()

    def seed_if_empty(self, records: RecordRepository) -> None:
        if self._aws.is_empty:
            self._seed(records)

    def reset(self, records: RecordRepository) -> None:
        with self._resetting:
            # The dates of a copy are relative to its creation, so that an old one is made anew.
            if not self._aws.restore_seed(datetime.now(UTC) - timedelta(hours=SEED_HOURS)):
                self._aws.clear()
                self._seed(records)

    def _seed(self, records: RecordRepository) -> None:
        now = datetime.now(UTC)
        seed(records, now)
        self._aws.keep_as_seed(now)


_DATA = ".local/dynamodb"


class DynamoDBLocalStore:
    """DynamoDB Local, with OpenSearch beside it. Services that ran before are not stopped."""

    def __init__(self, port: int, search_port: int) -> None:
        self._services = (("services/dynamodb.sh", port, (_DATA,)), ("services/opensearch.sh", search_port, ()))
        self.endpoint = f"http://127.0.0.1:{port}"
        self.search_endpoint = f"http://127.0.0.1:{search_port}"
        self._open = ExitStack()
        self._resetting = threading.Lock()

    def describe(self) -> str:
        return f"{_DATA} (DynamoDB Local at {self.endpoint})"

    def start(self) -> None:
        with ExitStack() as opened:
            opened.enter_context(without_real_accounts())
            for script, port, options in self._services:
                was_running = _listens(port)
                _run(script, "start", str(port), *options)
                if not was_running:
                    opened.callback(_run, script, "stop", str(port))
            create_tables(*TABLES, region=REGION, endpoint=self.endpoint)
            self._open = opened.pop_all()

    def stop(self) -> None:
        self._open.close()

    def seed_if_empty(self, records: RecordRepository) -> None:
        if not self._client().scan(TableName=TABLES.records, Limit=1)["Items"]:
            seed(records, datetime.now(UTC))

    def reset(self, records: RecordRepository) -> None:
        with self._resetting:
            client = self._client()
            for table in TABLES:
                # Faster than deleting one item after another.
                client.delete_table(TableName=table)
                client.get_waiter("table_not_exists").wait(TableName=table, WaiterConfig={"Delay": 1})
            create_tables(*TABLES, region=REGION, endpoint=self.endpoint)
            seed(records, datetime.now(UTC))

    def _client(self) -> Any:
        return boto3.client("dynamodb", region_name=REGION, endpoint_url=self.endpoint)


def _run(script: str, *arguments: str) -> None:
    """Run a script, named by its path in `infra`. Raises `ServiceError`."""
    command = [str(ROOT / "infra" / script), *arguments]
    if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode:
        raise ServiceError(f"{script} {arguments[0]} failed; without it: make run SERVICES=embedded")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _relative(folder: Path) -> str:
    return str(folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder)
