"""The commands that talk to a local server, or to one of their own where none runs."""

import argparse
import importlib
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from infra.local.commands.client import ApiClient, is_serving
from infra.local.commands.terminal import TerminalChat, show_details, show_turn


def chat(options: argparse.Namespace) -> None:
    """Talks in the terminal until the user leaves."""
    with client_of(options) as client:
        TerminalChat(client, Console(highlight=False)).run()


def ask(options: argparse.Namespace) -> None:
    """Asks one question."""
    with client_of(options) as client:
        console, turn = Console(highlight=False), client.chat(options.question)
        show_turn(console, turn)
        if options.verbose:
            show_details(console, turn)


def reset(options: argparse.Namespace) -> None:
    """Demo data as new, in the running server or in the kept tables."""
    with client_of(options) as client:
        client.reset()
    print("The demo data is as new; conversations are gone.")


@contextmanager
def client_of(options: argparse.Namespace) -> Iterator[ApiClient]:
    """A client of the server at the port; where none runs, of one in this process on a port of its own."""
    url = f"http://127.0.0.1:{options.port}"
    if is_serving(url):
        with ApiClient(url, options.user, options.tenant) as client:
            yield client
        return
    # It brings the whole product with it, which takes a second or two.
    server_class = importlib.import_module("infra.local.server.server").LocalServer
    with (
        server_class(options.folder, with_memory=True) as server,
        ApiClient(server.url, options.user, options.tenant) as client,
    ):
        yield client
