"""A real OpenSearch, stopped and started during conversations (rows 20 and 21 of the fault table)."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from moto import mock_aws

from aisha.adapters.memory.opensearch import OpenSearchMemoryStore
from aisha.adapters.memory.opensearch_client import connect
from aisha.adapters.memory.opensearch_index import ALIAS, MemoryIndex
from aisha.application.memory.ingest import messages
from aisha.bootstrap import Services
from aisha.domain.memory import MemoryChunk
from aisha.settings import read_settings
from infra.sam.emulator import free_port
from tests.fakes.aws.api_gateway import serving
from tests.fakes.aws.memory_lambda import MemoryLambda
from tests.fakes.memory_turns import RememberingChat
from tests.fakes.models.words_embedder import WordsEmbedder
from tests.fakes.stores.in_memory import FixedClock
from tests.real.conftest import ROOT, script

NOW = FixedClock().now()
TOO_LONG = "x" * 40_000
"""Longer than a keyword of Lucene may be (32,766 bytes): the server refuses its document and takes the others."""


class Server:
    """A node of OpenSearch whose data outlives a stop."""

    def __init__(self, folder: Path) -> None:
        self._port, self._folder = str(free_port()), str(folder)
        self.url = f"http://127.0.0.1:{self._port}"
        self.start()
        self.client = connect(self.url, "none", "us-east-1")
        embedder = WordsEmbedder()
        self.store = OpenSearchMemoryStore(MemoryIndex(self.client, embedder.name, embedder.dimensions))

    def start(self) -> None:
        try:
            script("services/opensearch.sh", "start", self._port, self._folder)
        except BaseException:
            self.stop()  # A server that is only slow to start would go on without its test.
            raise

    def stop(self) -> None:
        script("services/opensearch.sh", "stop", self._port)

    def texts(self) -> list[str]:
        self.client.indices.refresh(index=ALIAS)
        hits = self.client.search(index=ALIAS, body={"query": {"match_all": {}}, "size": 100})["hits"]["hits"]
        return sorted(hit["_source"]["text"] for hit in hits)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    # Where the tests run as root, the server runs as the user nobody, who can't read pytest's folder.
    with TemporaryDirectory(prefix="aisha-opensearch-") as folder:
        running = Server(Path(folder))
        yield running
        running.client.close()
        running.stop()


@pytest.fixture
def chat(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[RememberingChat]:
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_SQS"):
        monkeypatch.delenv(name, raising=False)
    server.store.delete_tenant("demo")
    services = Services(settings=read_settings({}), memory_store=server.store, embedder=WordsEmbedder())
    with mock_aws(), serving(services), ThreadPoolExecutor(4) as workers:
        yield RememberingChat(lambda: server.store, MemoryLambda(), workers)


def test_turns_go_on_without_memories_while_the_server_is_stopped(server: Server, chat: RememberingChat) -> None:
    jack, queue = chat.lead("Jack"), chat.memory_lambda
    assert chat.plan(jack, "Tour")["warnings"] == []
    assert queue.poll() == []
    assert len(server.texts()) == 1

    server.stop()
    try:
        for title in ("Call", "Visit", "Workshop"):
            answer = chat.plan(jack, title)
            assert answer["status"] == "completed"
            (warning,) = answer["warnings"]
            assert warning.startswith("memory_search was left out: OpenSearch")
        assert len(chat.activities()) == 4
        assert len(queue.poll()) == 6
        assert (queue.waiting(), queue.waiting(queue.dead_url)) == (6, 0)
    finally:
        server.start()

    assert queue.poll(keep=True) == [], "the messages were handled, but Lambda died before it deleted them"
    assert queue.poll() == []
    assert queue.waiting() == 0
    texts = server.texts()
    assert len(texts) == len(set(texts)) == 4
    assert chat.plan(jack, "Lunch")["warnings"] == []


def test_of_a_batch_that_is_stored_in_part_only_the_rest_comes_again(server: Server, chat: RememberingChat) -> None:
    queue = chat.memory_lambda
    good, bad = [_chunk("Called Jack"), _chunk("Called Tom")], [_chunk("Called Mia"), _chunk("Poison", TOO_LONG)]
    for batch in (good, bad):
        for message in messages("demo", batch):
            queue.queue.send("memory", message)
    for _ in range(5):
        (failed,) = queue.poll()
        assert [memory["text"] for memory in json.loads(failed)["remember"]] == ["Called Mia", "Poison"]
        assert server.texts() == ["Called Jack", "Called Mia", "Called Tom"]
    assert queue.poll() == []
    assert (queue.waiting(), queue.waiting(queue.dead_url)) == (0, 1)


def test_the_store_keeps_its_contract(server: Server) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "real", "-k", "opensearch"]
    environment = {**os.environ, "AISHA_TEST_OPENSEARCH_ENDPOINT": server.url}
    process = subprocess.run(
        [*command, "tests/contract/test_memory_store.py"],
        cwd=ROOT,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stdout[-8000:] + process.stderr[-2000:]


def _chunk(text: str, chunk_id: str | None = None) -> MemoryChunk:
    return MemoryChunk(chunk_id or f"mem_{text}", "demo", text, NOW, "alice", "lead", "lead_1", {"action": "call"})
