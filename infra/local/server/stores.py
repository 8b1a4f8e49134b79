"""Where a local server keeps its data: in this process, or in DynamoDB Local."""

import socket
import subprocess
import threading
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import boto3

from aisha import bootstrap
from aisha.adapters.dynamodb.tables import create_tables
from infra.local.aws_fakes.aws_credentials_guard import no_account
from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.demo.data import seed
from infra.local.errors import ServiceError

ROOT = Path(__file__).parents[3]
TABLES = ("aisha-records", "aisha-conversations", "aisha-entries")
REGION = "us-east-1"
SEED_HOURS = 8
"""How long the kept demo data counts as new; its dates follow the hour that it was made."""


class Store(Protocol):
    """`start` comes first; `seed_if_empty` and `reset` use the repositories of the process's settings."""

    @property
    def endpoint(self) -> str | None:
        """Of DynamoDB, for the settings; None is the one in this process."""
        ...

    @property
    def search_endpoint(self) -> str | None:
        """Of OpenSearch; None where none runs."""
        ...

    def describe(self) -> str:
        """Where the data is, for people."""
        ...

    def start(self) -> None:
        """Raises a `LocalError` when it can't."""
        ...

    def stop(self) -> None: ...

    def seed_if_empty(self) -> None: ...

    def reset(self) -> None:
        """Demo data as new; every conversation is gone."""
        ...


class EmbeddedStore:
    """moto in this process, kept in `folder`."""

    endpoint = None
    search_endpoint = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._aws = EmbeddedAWS(folder, records_table=TABLES[0], conversations_table=TABLES[1], entries_table=TABLES[2])
        self._resetting = threading.Lock()

    def describe(self) -> str:
        made = self._aws.seeded_at
        since = f", demo data of {made.astimezone():%d %B %Y}" if made else ""
        return f"{_short(self._folder)}{since}"

    def start(self) -> None:
        self._aws.start()

    def stop(self) -> None:
        self._aws.stop()

    def seed_if_empty(self) -> None:
        if self._aws.is_empty:
            self._seed()

    def reset(self) -> None:
        with self._resetting:
            if not self._aws.restore_seed(datetime.now(UTC) - timedelta(hours=SEED_HOURS)):
                self._aws.clear()
                self._seed()

    def _seed(self) -> None:
        now = datetime.now(UTC)
        seed(bootstrap.records(), now)
        self._aws.keep_as_seed(now)


class DynamoDBLocalStore:
    """DynamoDB Local, and OpenSearch beside it, started by their scripts and stopped again if this started them."""

    def __init__(self, port: int = 8000, search_port: int = 9200, data: str = ".local/dynamodb") -> None:
        self._services = (("services/dynamodb.sh", port, (data,)), ("services/opensearch.sh", search_port, ()))
        self.endpoint = f"http://127.0.0.1:{port}"
        self.search_endpoint = f"http://127.0.0.1:{search_port}"
        self._data = data
        self._open = ExitStack()
        self._resetting = threading.Lock()

    def describe(self) -> str:
        return f"{self._data} (DynamoDB Local at {self.endpoint})"

    def start(self) -> None:
        with ExitStack() as opened:
            opened.enter_context(no_account())
            for script, port, options in self._services:
                was_there = _listens(port)
                _run(script, "start", str(port), *options)
                if not was_there:
                    opened.callback(_run, script, "stop", str(port))
            create_tables(*TABLES, region=REGION, endpoint=self.endpoint)
            self._open = opened.pop_all()

    def stop(self) -> None:
        self._open.close()

    def seed_if_empty(self) -> None:
        if not self._client().scan(TableName=TABLES[0], Limit=1)["Items"]:
            seed(bootstrap.records(), datetime.now(UTC))

    def reset(self) -> None:
        with self._resetting:
            client = self._client()
            for table in TABLES:
                client.delete_table(TableName=table)
                client.get_waiter("table_not_exists").wait(TableName=table, WaiterConfig={"Delay": 1})
            create_tables(*TABLES, region=REGION, endpoint=self.endpoint)
            seed(bootstrap.records(), datetime.now(UTC))

    def _client(self) -> Any:
        return boto3.client("dynamodb", region_name=REGION, endpoint_url=self.endpoint)


def _run(script: str, *arguments: str) -> None:
    """Run a script of `infra`, named by its path there; what it says goes to stderr. Raises `ServiceError`."""
    done = subprocess.run([str(ROOT / "infra" / script), *arguments], check=False, stdout=subprocess.DEVNULL)
    if done.returncode:
        raise ServiceError(f"{script} {arguments[0]} failed; without it: make run SERVICES=embedded")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _short(folder: Path) -> str:
    return str(folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder)
