"""`make audit-verify` on the log of a local server, while the server runs and afterwards."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from infra.local.cli import main
from tests.fakes.aws.api_gateway import ROOT
from tests.fakes.local import local_server, token

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a server that answered one question and stopped."""
    data = tmp_path_factory.mktemp("local")
    with local_server(data) as server:
        headers = {"authorization": f"Bearer {token(server)}"}
        question = {"message": "Tell me about Jack Russel"}
        answer = httpx.post(f"{server.url}/api/ai/chat", json=question, headers=headers, trust_env=False, timeout=60)
        assert answer.status_code == 200
    return data


def check(folder: Path, *more: str) -> int:
    return main(["verify", "--folder", str(folder), "--tenant", "demo", *more])


def test_a_whole_log(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "data" / "tables.json").read_bytes()
    assert check(folder) == 0
    output = capsys.readouterr().out
    match = re.search(r"The audit log of demo is intact: (\d+) entries", output)
    assert match is not None
    assert int(match[1]) > 0
    head = output.partition("KNOWN=")[2].strip()
    assert check(folder, "--known", head) == 0
    assert (folder / "data" / "tables.json").read_bytes() == before
    assert main(["verify", "--folder", str(folder), "--tenant", "nobody"]) == 0


def test_it_is_checked_while_a_server_runs_on_it(folder: Path) -> None:
    with local_server(folder):
        process = subprocess.run(
            [sys.executable, "-m", "infra.local.cli", "verify", "--folder", str(folder)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'shared'}{os.pathsep}{ROOT}"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert process.returncode == 0, process.stderr
    assert "is intact" in process.stdout


def test_an_edited_entry(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    text = (folder / "data" / "tables.json").read_text(encoding="utf-8")
    tampered = text.replace(json.dumps('"user":"alice"')[1:-1], json.dumps('"user":"mallory"')[1:-1])
    assert tampered != text
    (tmp_path / "data" / "tables.json").write_text(tampered, encoding="utf-8")
    assert check(tmp_path) == 1
    output = capsys.readouterr()
    assert "Entry 1 was edited" in output.out
    assert "tampered with" in output.err


def test_an_end_that_is_not_known(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder, "--known", f"7:{'a' * 64}") == 1
    assert "There was an entry 7" in capsys.readouterr().out
    assert check(folder, "--known", "7") == 1
    assert "is no end of a log" in capsys.readouterr().err


def test_a_folder_without_data_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path) == 1
    assert "make run" in capsys.readouterr().err
