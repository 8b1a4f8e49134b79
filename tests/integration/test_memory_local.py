"""Memory in the local server: kept beside the data, filled and emptied on demand, opened only when something asks."""

import subprocess
import sys
from pathlib import Path

import pytest

from aisha import bootstrap
from infra.local.client import ApiClient
from infra.local.errors import RequestFailedError
from infra.local.remembering import memory_environment
from infra.local.server import LocalServer
from tests.fakes.words_embedder import WordsEmbedder

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GROQ_API_KEY", "GEMINI_API_KEY", "AISHA_MEMORY")


def count(tenant: str) -> int:
    """How many memories a tenant has."""
    bootstrap.finish_work()
    store = bootstrap.memory_store()
    assert store is not None
    return store._database.execute("SELECT count(*) FROM chunks WHERE tenant = ?", (tenant,)).fetchone()[0]  # type: ignore[attr-defined,no-any-return]


def test_a_server_with_memory_learns_is_emptied_and_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("aisha.adapters.embeddings.minilm.MiniLMEmbedder", WordsEmbedder)
    with LocalServer(tmp_path, with_memory=True) as server, ApiClient(server.url) as alice:
        assert not (tmp_path / "memory").exists(), "it is opened when something asks for it"
        alice.chat("Set up a demo for Jack Russel next Tuesday at 3pm")
        assert count("demo") == 1
        loaded = alice.command("memory-load")
        assert loaded["note"]["added"] > 10
        assert loaded["opportunity"]["added"] > 1
        assert alice.command("memory-load")["note"]["added"] == 0
        assert count("rival") == 0
        gone = alice.command("forget")
        assert (gone["conversations"], gone["memories"] > 1) == (1, True)
        assert count("demo") > 0, "others' memories stay"
        alice.reset()
        assert count("demo") == 0
        with pytest.raises(RequestFailedError, match="no such command"):
            alice.command("delete-everything")


def test_what_the_developer_chose_stays_and_without_the_packages_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AISHA_MEMORY", "none")
    assert memory_environment(tmp_path, None) == {"AISHA_QUEUE": "in_process"}
    monkeypatch.delenv("AISHA_MEMORY")
    there = memory_environment(tmp_path, "http://127.0.0.1:9200")
    assert (there["AISHA_MEMORY"], there["AISHA_OPENSEARCH_ENDPOINT"]) == ("opensearch", "http://127.0.0.1:9200")
    monkeypatch.setattr("infra.local.remembering.PACKAGES", ("no_such_package_of_ours",))
    assert memory_environment(tmp_path, None) == {}


def test_starting_loads_neither_the_model_nor_its_libraries() -> None:
    program = "import infra.local.server, infra.local.serving, sys; print({'numpy', 'tokenizers', 'sqlite3'} & set(sys.modules))"
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=root, env={"PYTHONPATH": f"{root / 'shared'}:{root}"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.strip() == "set()"
