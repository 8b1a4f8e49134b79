"""A DynamoDB inside this process for laptops and tests: moto, stored in a folder between starts."""

import fcntl
import json
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

from moto import mock_aws
from moto.core.models import DEFAULT_ACCOUNT_ID, botocore_stubber
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.dynamo_type import Item

from aisha.adapters.dynamodb.tables import create_tables
from infra.local.aws_fakes.aws_credentials_guard import without_real_accounts
from infra.local.aws_fakes.moto_tables import (
    IndexedTable,
    Untracked,
    counted_update_item,
    plain,
    undo_transact_write_items,
)
from infra.local.errors import BrokenSnapshotError, FolderInUseError
from infra.local.tables import REGION, TABLES

SNAPSHOT = "tables.json"
SNAPSHOT_SECONDS = 0.25
"""The time between a write and its snapshot, besides the time that writing takes."""
SNAPSHOT_SHARE = 10
"""A slow snapshot is followed by a pause of this many times its duration."""
_LOGGER = logging.getLogger(__name__)


class EmbeddedAWS:
    """All tables, served to every boto3 and PynamoDB client of this process between `start` and `stop`.

    They are written to `folder/tables.json` shortly after each change and at `stop`, or are lost at the end without a
    folder. A crash leaves the last complete snapshot. Clients must be created after the import of this module.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._open = ExitStack()
        self._stopping = threading.Event()
        self._written = 0
        self._seed: tuple[datetime, dict[str, Any]] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def seeded_at(self) -> datetime | None:
        """The time of the demo data that `restore_seed` restores."""
        return self._seed[0] if self._seed else None

    @property
    def is_empty(self) -> bool:
        """True if no table has an item, as at the first start in a folder."""
        return not any(table.items for table in self._tables())

    def start(self) -> None:
        """Create the tables or load the stored ones. Raises `FolderInUseError`, `BrokenSnapshotError`."""
        with ExitStack() as opened:
            if self._folder:
                opened.callback(_lock_folder(self._folder))
            self._patch(opened)
            create_tables(*TABLES, region=REGION)
            if snapshot := self._read(SNAPSHOT):
                self._load(snapshot)
            self._written = self._changes()
            if seed := self._read("seed.json"):
                self._seed = datetime.fromisoformat(seed["made_at"]), seed
            self._open = opened.pop_all()
        if self._folder:
            self._stopping.clear()
            writer = threading.Thread(target=self._keep_writing, name="snapshots", daemon=True)
            writer.start()
            self._open.callback(self._finish_writing, writer)

    def stop(self) -> None:
        """Write the last snapshot and end the service. Does nothing the second time."""
        self._open.close()

    def _patch(self, opened: ExitStack) -> None:
        opened.enter_context(without_real_accounts())
        opened.enter_context(mock_aws(config={"core": {"service_whitelist": ["dynamodb"]}}))
        opened.enter_context(patch.object(models, "Table", IndexedTable))
        opened.enter_context(patch.object(Item, "instances_tracked", Untracked()))
        opened.enter_context(patch.object(DynamoDBBackend, "transact_write_items", undo_transact_write_items))
        opened.enter_context(patch.object(DynamoDBBackend, "update_item", counted_update_item))
        opened.enter_context(patch.object(botocore_stubber, "process_request", self._locked_requests()))

    def _locked_requests(self) -> Callable[[Any], Any]:
        # moto has no lock of its own: two concurrent requests would see each other's unfinished changes.
        process = botocore_stubber.process_request

        def process_request(request: Any) -> Any:
            with self._lock:
                return process(request)

        return process_request

    def _tables(self) -> list[IndexedTable]:
        tables = dynamodb_backends[DEFAULT_ACCOUNT_ID][REGION].tables
        return [tables[name] for name in TABLES]  # type: ignore[misc]

    def _changes(self) -> int:
        return sum(table.changes for table in self._tables())

    # --- demo data

    def keep_as_seed(self, made_at: datetime) -> None:
        """Store a copy of the tables for `restore_seed`, in the folder too."""
        snapshot = json.loads(self._snapshot()[0]) | {"made_at": made_at.isoformat()}
        self._seed = made_at, snapshot
        self._write("seed.json", json.dumps(snapshot))

    def restore_seed(self, not_before: datetime) -> bool:
        """Restore all tables from the copy; return False when there is none since `not_before`."""
        if self._seed is None or self._seed[0] < not_before:
            return False
        self._load(self._seed[1])
        return True

    def clear(self) -> None:
        """Delete all items."""
        self._load({"tables": {}})

    # --- snapshots

    def flush(self) -> None:
        """Write a snapshot if anything changed since the last one."""
        if self._folder and self._changes() != self._written:
            text, changes = self._snapshot()
            self._write(SNAPSHOT, text)
            self._written = changes

    def _snapshot(self) -> tuple[str, int]:
        with self._lock:
            tables = {table.name: table.dump() for table in self._tables()}
            changes = self._changes()
        return json.dumps({"tables": tables}, default=plain), changes

    def _load(self, snapshot: dict[str, Any]) -> None:
        with self._lock:
            for table in self._tables():
                table.load(snapshot["tables"].get(table.name, []))

    def _keep_writing(self) -> None:
        pause = SNAPSHOT_SECONDS
        while not self._stopping.wait(pause):
            start = time.perf_counter()
            try:
                self.flush()
            except OSError:
                _LOGGER.exception("The tables could not be stored; trying again")
            pause = max(SNAPSHOT_SECONDS, SNAPSHOT_SHARE * (time.perf_counter() - start))

    def _finish_writing(self, writer: threading.Thread) -> None:
        self._stopping.set()
        writer.join()
        self.flush()

    def _read(self, name: str) -> dict[str, Any] | None:
        if self._folder is None or not (path := self._folder / name).exists():
            return None
        try:
            snapshot: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            snapshot["tables"].items()
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise BrokenSnapshotError(f"{path} can't be read. Move it away to start with empty tables.") from error
        return snapshot

    def _write(self, name: str, text: str) -> None:
        if self._folder is None:
            return
        # Replaced as a whole: a crash while writing leaves the old file.
        target, part = self._folder / name, self._folder / f"{name}.part"
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)


def _lock_folder(folder: Path) -> Callable[[], None]:
    """Lock the folder for this process; return the function that unlocks it, which the end of the process does too."""
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / "lock").open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        pid = file.read().strip() or "unknown"
        file.close()
        message = (
            f"{folder} is in use by process {pid}, probably a server that you started. Talk to it with its port, e.g. "
            "`make chat PORT=3001`, or stop it first."
        )
        raise FolderInUseError(message) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file.close
