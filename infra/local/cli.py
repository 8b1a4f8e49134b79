"""The local commands: `python -m infra.local.cli COMMAND`. The Makefile passes their options."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from aisha.domain.errors import AishaError
from aisha.settings import SettingsError
from infra.admin.audit import add_known_argument
from infra.admin.errors import AdminError
from infra.local.errors import LocalError

FOLDER = Path(__file__).parents[2] / ".local"
COMMANDS = {
    "serve": ("serve.serve", "serve until Ctrl-C"),
    "chat": ("chat.chat", "chat in the terminal"),
    "ask": ("chat.ask", "ask one question"),
    "token": ("administer.token", "print a token and nothing else"),
    "reset": ("administer.reset", "restore the demo data"),
    "memory-load": ("administer.administer", "load a tenant's records into memory"),
    "memory-reindex": ("administer.administer", "rebuild memory's index and vectors"),
    "forget": ("administer.administer", "delete the data of a user"),
    "sweep": ("administer.sweep", "sweep a tenant's open records"),
    "verify": ("audit.verify", "verify a tenant's audit log"),
}
"""The module and function of each command, imported when it runs, and its help."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="aisha")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, description) in COMMANDS.items():
        command = commands.add_parser(name, help=description)
        command.add_argument("--port", type=_port, default=3000)
        command.add_argument("--folder", type=Path, default=FOLDER, help="of the data and the signing key")
        command.add_argument("--user", default="alice")
        command.add_argument("--tenant", default="demo")
        if name in ("serve", "verify"):
            command.add_argument("--services", choices=("embedded", "real"), default="embedded")
            command.add_argument("--dynamodb-port", type=_port, default=8000)
        if name == "verify":
            add_known_argument(command)
        if name == "serve":
            command.add_argument("--opensearch-port", type=_port, default=9200)
            command.add_argument(
                "--crm", default="", help="a CRM for the tenant demo; bottlecrm without --crm-url starts one"
            )
            command.add_argument("--crm-url", default="", help="its address; the token is the variable CRM_TOKEN")
            command.add_argument(
                "--crm-users", default="", help="whose e-mail addresses they are: alice=ann@acme.example"
            )
            command.add_argument("--crm-variables", default="", help="what the file's {connection.<name>} are: view=12")
            command.add_argument("--crm-time-zone", default="UTC", help="of its times that name none: Europe/Berlin")
        if name == "ask":
            command.add_argument("question")
            command.add_argument("--verbose", action="store_true", help="results, timing, the prompt's size by section")
    return parser


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 1 for an expected error, which is printed in one line."""
    options = _parser().parse_args(arguments)
    module, _, function = COMMANDS[options.command][0].partition(".")
    try:
        # Imported when it runs: printing a token needs no web server.
        getattr(importlib.import_module(f"infra.local.commands.{module}"), function)(options)
    except (LocalError, AdminError, AishaError, SettingsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
