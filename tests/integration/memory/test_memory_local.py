"""Memory in the local server: its folder, the commands that fill and empty it, and a change of the embedder."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.adapters.memory.opensearch_index import ALIAS
from aisha.application.memory.retrieval import recall, remember
from aisha.bootstrap import Services
from aisha.domain.memory import MemoryChunk, MemoryQuery
from aisha.settings import settings
from infra.admin import cli as admin
from infra.local.checks.api_check import KEYS
from infra.local.cli import main
from infra.local.commands.client import ApiClient
from infra.local.errors import RequestFailedError
from infra.local.server.memory import memory_environment
from infra.local.server.server import LocalServer
from tests.fakes.aws.serverless_collection import ServerlessCollection
from tests.fakes.models.words_embedder import WordsEmbedder


def count(server: LocalServer, tenant: str) -> int:
    """Finish the queue's work and return the number of a tenant's memories."""
    server.services.finish_work()
    store = server.services.memory_store
    assert isinstance(store, EmbeddedMemoryStore)
    (total,) = store._database.execute("SELECT count(*) FROM chunks WHERE tenant = ?", (tenant,)).fetchone()
    return int(total)


@pytest.mark.slow
def test_a_server_with_memory_learns_is_emptied_and_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {*KEYS, "AISHA_MEMORY"}:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("aisha.adapters.embeddings.minilm.MiniLMEmbedder", WordsEmbedder)
    with LocalServer(tmp_path, with_memory=True) as server, ApiClient(server.url) as alice:
        assert not (tmp_path / "memory").exists(), "it is opened at its first use"
        alice.chat("Set up a demo for Jack Russel next Tuesday at 3pm")
        assert count(server, "demo") == 1
        loaded = alice.command("memory-load")
        assert loaded["note"]["added"] > 10
        assert loaded["opportunity"]["added"] > 1
        assert alice.command("memory-load")["note"]["added"] == 0
        assert count(server, "rival") == 0
        deleted = alice.command("forget")
        assert (deleted["conversations"], deleted["memories"] > 1) == (1, True)
        assert count(server, "demo") > 0, "others' memories stay"
        alice.reset()
        assert count(server, "demo") == 0
        with pytest.raises(RequestFailedError, match="no such command"):
            alice.command("delete-everything")


@pytest.mark.slow
def test_the_demo_has_its_memory_once_it_is_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {*KEYS, "AISHA_MEMORY"}:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("aisha.adapters.embeddings.minilm.MiniLMEmbedder", WordsEmbedder)
    with LocalServer(tmp_path, with_memory=True) as server:
        server.warm_up()
        assert count(server, "demo") > 10


class OtherEmbedder(WordsEmbedder):
    """An embedder whose vectors can't be compared with those of `WordsEmbedder`."""

    name = "other words"


@pytest.mark.slow
def test_after_another_embedder_memory_is_made_anew_by_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in {*KEYS, "AISHA_MEMORY"}:
        monkeypatch.delenv(name, raising=False)
    store = EmbeddedMemoryStore(tmp_path / "memory", WordsEmbedder.name, WordsEmbedder.dimensions)
    texts = [f"called {name}" for name in ("Jack", "Mia", "Zoë")]
    remember(store, WordsEmbedder(), [MemoryChunk(f"mem_{text}", "demo", text, datetime.now(UTC)) for text in texts])
    store.close()
    monkeypatch.setattr("aisha.adapters.embeddings.minilm.MiniLMEmbedder", OtherEmbedder)
    with LocalServer(tmp_path, with_memory=True) as server, ApiClient(server.url) as alice:
        with pytest.raises(RequestFailedError, match="kept with words and can't be read with other words"):
            alice.command("memory-load")
        port = server.url.rpartition(":")[2]
        assert main(["memory-reindex", "--port", port, "--folder", str(tmp_path)]) == 0
        assert capsys.readouterr().out == "3 memories in the new index, with the vectors of other words\n"
        hits = recall(server.services.memory_store, OtherEmbedder(), "demo", MemoryQuery("called Jack"))
        assert hits[0].chunk.text == "called Jack"


@pytest.fixture
def settings_again() -> Iterator[None]:
    """Drop the settings of the test's environment after the test."""
    yield
    settings.cache_clear()


def test_a_deployed_index_is_replaced_behind_its_alias(
    settings_again: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ServerlessCollection() as collection:
        credentials = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
        index = {"AISHA_OPENSEARCH_ENDPOINT": collection.url, "AISHA_OPENSEARCH_SERVICE": "aoss"}
        memory = {"AISHA_MEMORY": "opensearch", "AISHA_EMBEDDER": "minilm"}
        for name, value in (credentials | index | memory).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("aisha.adapters.embeddings.minilm.MiniLMEmbedder", WordsEmbedder)
        settings.cache_clear()
        now = datetime.now(UTC)
        with closing(Services()) as services:
            chunk = MemoryChunk("mem_1", "demo", "called Jack", now)
            remember(services.memory_store, services.embedder, [chunk])
        assert collection.aliases == {ALIAS: f"{ALIAS}-v000001"}
        monkeypatch.setattr("aisha.adapters.embeddings.minilm.MiniLMEmbedder", OtherEmbedder)
        settings.cache_clear()
        assert admin.main(["memory-reindex"]) == 0
        assert capsys.readouterr().out == "1 memories in the new index, with the vectors of other words\n"
        assert collection.aliases == {ALIAS: f"{ALIAS}-v000002"}
        assert list(collection.indexes) == [f"{ALIAS}-v000002"]
    monkeypatch.setenv("AISHA_MEMORY", "none")
    settings.cache_clear()
    assert admin.main(["memory-reindex"]) == 1
    assert "Memory is not set up here" in capsys.readouterr().err


def test_what_the_developer_chose_stays_and_without_the_packages_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AISHA_MEMORY", "none")
    assert memory_environment(tmp_path, None) == {"AISHA_QUEUE": "in_process"}
    monkeypatch.delenv("AISHA_MEMORY")
    environment = memory_environment(tmp_path, "http://127.0.0.1:9200")
    assert (environment["AISHA_MEMORY"], environment["AISHA_OPENSEARCH_ENDPOINT"]) == (
        "opensearch",
        "http://127.0.0.1:9200",
    )
    monkeypatch.setattr("infra.local.server.memory.PACKAGES", ("no_such_package_of_ours",))
    assert memory_environment(tmp_path, None) == {}


@pytest.mark.slow
def test_starting_loads_neither_the_model_nor_its_libraries() -> None:
    program = (
        "import infra.local.server.server, infra.local.commands.serve, sys\n"
        "print({'numpy', 'tokenizers', 'sqlite3'} & set(sys.modules))\n"
    )
    root = Path(__file__).parents[3]
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={"PYTHONPATH": f"{root / 'shared'}:{root}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "set()"
