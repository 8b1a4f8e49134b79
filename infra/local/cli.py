"""The local commands: `python -m infra.local.cli COMMAND`, one of COMMANDS. The Makefile names their options."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from aisha.domain.errors import AishaError
from aisha.settings import SettingsError
from infra.local.errors import LocalError

FOLDER = Path(__file__).parents[2] / ".local"
COMMANDS = {
    "serve": ("serve", "serves until Ctrl-C"),
    "chat": ("chat", "talks in the terminal"),
    "ask": ("chat", "asks one question"),
    "token": ("token", "prints a token and nothing else"),
    "reset": ("chat", "demo data as new"),
    "memory-load": ("memory", "loads a tenant's records into memory"),
    "memory-reindex": ("memory", "makes memory's index and vectors anew"),
    "forget": ("memory", "deletes what is kept about a user"),
    "sweep": ("sweep", "sweeps a tenant's open records"),
    "verify": ("audit", "checks a tenant's audit log"),
}
"""The module of each, loaded when it is asked for, and what it does."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="aisha")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, does) in COMMANDS.items():
        command = commands.add_parser(name, help=does)
        command.add_argument("--port", type=_port, default=3000)
        command.add_argument("--folder", type=Path, default=FOLDER, help="of the data and the signing key")
        command.add_argument("--user", default="alice")
        command.add_argument("--tenant", default="demo")
        if name in ("serve", "verify"):
            command.add_argument("--services", choices=("embedded", "real"), default="embedded")
            command.add_argument("--dynamodb-port", type=_port, default=8000)
        if name == "verify":
            command.add_argument("--table", help="of entries in AWS, instead of what is kept here")
            command.add_argument("--known", help="the log's end as an earlier check gave it: 42:<hash>")
        if name == "serve":
            command.add_argument("--opensearch-port", type=_port, default=9200)
        if name in ("memory-load", "memory-reindex", "forget"):
            command.add_argument(
                "--deployed", action="store_true", help="what AISHA_* variables name, not the local data"
            )
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
    """The exit code: 1 when something known went wrong, which is then said in one line."""
    options = _parser().parse_args(arguments)
    module, _ = COMMANDS[options.command]
    try:
        run = getattr(importlib.import_module(f"infra.local.commands.{module}"), options.command.replace("-", "_"))
        run(options)
    except (LocalError, AishaError, SettingsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
