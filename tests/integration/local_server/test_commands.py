"""The commands that use the running local server: token, ask and chat."""

import io
from pathlib import Path

import httpx
import pytest
from rich.console import Console

from infra.local.cli import main
from infra.local.commands.client import ApiClient
from infra.local.commands.terminal import TerminalChat
from infra.local.server.server import LocalServer
from tests.support.local_http import as_user, find_jack

pytestmark = pytest.mark.slow


def test_the_token_command_prints_the_token_alone(
    http: httpx.Client, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["token", "--folder", str(folder), "--user", "rita", "--tenant", "rival"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert main(["token", "--folder", str(folder), "--user", "nobody"]) == 1
    assert capsys.readouterr().out == ""
    assert find_jack(http, {"authorization": f"Bearer {line}"}) == ["Jack Russel"]


def test_the_ask_command_shows_what_was_done_and_said(server: LocalServer, capsys: pytest.CaptureFixture[str]) -> None:
    port = server.url.rpartition(":")[2]
    assert main(["ask", "--port", port, "Tell me about Jack Russel"]) == 0
    output = capsys.readouterr().out
    assert "search_leads(" in output
    assert 'name_contains="Jack Russel"' in output
    assert "**Jack Russel**" in output
    assert "\n  1. " in output
    assert main(["ask", "--port", port, ""]) == 1


def talk(server: LocalServer, *lines: str) -> str:
    answers = iter(lines)

    def read(_: str) -> str:
        for line in answers:
            return line
        raise EOFError

    output = io.StringIO()
    with ApiClient(server.url) as client:
        TerminalChat(client, Console(file=output, width=100), read).run()
    return output.getvalue()


def test_the_terminal_takes_numbers_and_yes_or_no(server: LocalServer, http: httpx.Client) -> None:
    first = talk(server, "Tell me about Jack Russel")
    suggestion = next(line for line in first.splitlines() if line.startswith("  1. ")).split(maxsplit=2)[2]
    assert talk(server, "Tell me about Jack Russel", "1").count(suggestion) > first.count(suggestion)
    assert "Nothing was changed" in talk(server, "Delete Jack Russel", "no")
    assert find_jack(http, as_user(http)) == ["Jack Russel"]
    assert "delete_lead(" in talk(server, "Delete Jack Russel", "yes")
    assert find_jack(http, as_user(http)) == []
    http.post("/local/reset")


def test_the_terminal_has_commands_to_start_anew_and_to_leave(server: LocalServer, http: httpx.Client) -> None:
    http.post("/local/reset")
    output = talk(server, "Tell me about Jack Russel", "/new", "", "Hello", "/quit", "Delete Jack Russel")
    assert "delete_lead" not in output
    assert len(http.get("/api/ai/conversations", headers=as_user(http)).json()["items"]) == 2


def test_the_terminal_goes_on_after_an_error(server: LocalServer) -> None:
    output = talk(server, "x" * 9000, "Tell me about Jack Russel")
    assert "error: " in output
    assert "**Jack Russel**" in output
