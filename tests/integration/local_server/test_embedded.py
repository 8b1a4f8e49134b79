"""The embedded database: its snapshot in a folder, its seed, and the cost of a query."""

import gc
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from moto.dynamodb.models.dynamo_type import Item

from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.aws_fakes.moto_tables import IndexedTable
from infra.local.errors import BrokenSnapshotError, FolderInUseError
from tests.support.dynamodb_rows import TABLE, Rows, add, delete, put, row

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_a_query_looks_at_its_own_partition_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = {"tables": {TABLE: [row(f"p{number // 10}", f"{number % 10}", number) for number in range(10_000)]}}
    (tmp_path / "tables.json").write_text(json.dumps(full))
    counts: list[int] = []
    query_candidates = IndexedTable._query_candidates

    def watched(self: IndexedTable, *args: Any, **options: Any) -> list[Any]:
        candidates = query_candidates(self, *args, **options)
        counts.append(len(candidates))
        return candidates

    monkeypatch.setattr(IndexedTable, "_query_candidates", watched)
    with EmbeddedAWS(tmp_path):
        assert len(Rows().query("p500")[0]) == 10
    assert counts == [10]


# --- snapshots


def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    with EmbeddedAWS(tmp_path) as aws:
        assert aws.is_empty
        Rows().put("p", "s", 7)
    with EmbeddedAWS(tmp_path) as aws:
        assert not aws.is_empty
        rows = Rows()
        assert rows.get("p", "s") == 7
        rows.put("p", "t", 8)
        rows.transact(add("p", "s", 1))
    with EmbeddedAWS(tmp_path):
        assert Rows().query("p")[0] == ["s", "t"]
        assert Rows().get("p", "s") == 8


CRASH = """
import os, sys, time
from pathlib import Path
from infra.local.aws_fakes.embedded import EmbeddedAWS
from tests.support.dynamodb_rows import Rows
folder = Path(sys.argv[1])
EmbeddedAWS(folder).start()
Rows().put("p", "s", 7)
deadline = time.monotonic() + 10
while not (folder / "tables.json").exists() and time.monotonic() < deadline:
    pass
os._exit(9)
"""


def test_a_crash_leaves_what_was_written_before(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "shared"), str(ROOT)))}
    crashed = subprocess.run([sys.executable, "-c", CRASH, str(tmp_path)], env=environment, check=False)
    assert crashed.returncode == 9
    (tmp_path / "tables.json.part").write_text('{"tables": {"aisha-rec')
    with EmbeddedAWS(tmp_path):
        assert Rows().get("p", "s") == 7


def test_two_can_not_use_a_folder_at_once(tmp_path: Path) -> None:
    with EmbeddedAWS(tmp_path), pytest.raises(FolderInUseError, match=rf"process {os.getpid()}\b.*PORT="):
        EmbeddedAWS(tmp_path).start()
    with EmbeddedAWS(tmp_path):
        pass


def test_a_broken_snapshot_is_reported_and_can_be_moved_away(tmp_path: Path) -> None:
    (tmp_path / "tables.json").write_text("{")
    with pytest.raises(BrokenSnapshotError, match=r"tables\.json"):
        EmbeddedAWS(tmp_path).start()
    (tmp_path / "tables.json").rename(tmp_path / "away")
    with EmbeddedAWS(tmp_path) as aws:
        assert aws.is_empty


def test_stopping_twice_is_harmless_and_leaves_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    before = dict(os.environ)
    aws = EmbeddedAWS(tmp_path)
    aws.start()
    Rows().put("p", "s", 1)
    aws.stop()
    aws.stop()
    assert dict(os.environ) == before


# --- the seed


def test_the_seed_comes_back_whatever_was_done_since(tmp_path: Path) -> None:
    with EmbeddedAWS(tmp_path) as aws:
        rows = Rows()
        rows.put("p", "kept", 1)
        aws.keep_as_seed(NOW)
        for _ in range(2):
            rows.transact(add("p", "kept", 5), put("p", "extra", 1), put("q", "extra", 1))
            assert aws.restore_seed(NOW)
            assert (rows.get("p", "kept"), rows.query("p")[0], rows.query("q")[0]) == (1, ["kept"], [])
        rows.transact(delete("p", "kept"))
    with EmbeddedAWS(tmp_path) as aws:
        assert aws.restore_seed(NOW - timedelta(hours=1))
        assert Rows().get("p", "kept") == 1
    with EmbeddedAWS(tmp_path):
        assert Rows().get("p", "kept") == 1


def test_a_seed_that_is_too_old_or_missing_is_not_restored(tmp_path: Path) -> None:
    with EmbeddedAWS(tmp_path) as aws:
        assert not aws.restore_seed(NOW)
        aws.keep_as_seed(NOW)
        Rows().put("p", "s", 1)
        assert not aws.restore_seed(NOW + timedelta(seconds=1))
        assert Rows().get("p", "s") == 1
        aws.clear()
        assert aws.is_empty


def test_items_that_were_replaced_are_not_kept_in_memory(tmp_path: Path) -> None:
    def living() -> int:
        gc.collect()
        return sum(isinstance(one, Item) for one in gc.get_objects())

    with EmbeddedAWS(tmp_path) as aws:
        rows = Rows()
        for place in range(20):
            rows.put("p", f"{place}")
        aws.keep_as_seed(NOW)
        before = living()
        for _ in range(5):
            assert aws.restore_seed(NOW)
        assert living() == before
