"""Commands that talk to the running local server, or to one of their own when none runs."""

import argparse
import importlib
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from infra.local.commands.client import ApiClient, is_serving
from infra.local.commands.terminal import TerminalChat, show_details, show_turn


def chat(options: argparse.Namespace) -> None:
    """Chat in the terminal until the user leaves."""
    with client_of(options) as client:
        TerminalChat(client, Console(highlight=False)).run()


def ask(options: argparse.Namespace) -> None:
    """Ask one question and print the answer."""
    with client_of(options) as client:
        console, turn = Console(highlight=False), client.chat(options.question)
        show_turn(console, turn)
        if options.verbose:
            show_details(console, turn)


@contextmanager
def client_of(options: argparse.Namespace) -> Iterator[ApiClient]:
    """Yield a client of the server at the port, or of one in this process on a free port when none runs."""
    url = f"http://127.0.0.1:{options.port}"
    if is_serving(url):
        with ApiClient(url, options.user, options.tenant) as client:
            yield client
        return
    # Imported late: it loads the whole product, which takes a second or two.
    server_class = importlib.import_module("infra.local.server.server").LocalServer
    with (
        server_class(options.folder, with_memory=True) as server,
        ApiClient(server.url, options.user, options.tenant) as client,
    ):
        yield client
