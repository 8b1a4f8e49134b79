"""Administer a deployment: `python -m infra.admin.cli COMMAND`.

The commands on a user's data and memory take tables and endpoints from the same AISHA_* variables as the functions.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence

from aisha.domain.errors import AishaError
from aisha.settings import SettingsError
from infra.admin.errors import AdminError

COMMANDS = {
    "onboard": ("onboarding.command", "set up a tenant at a deployed stack"),
    "connect": ("connect", "connect a tenant to its CRM at a deployed stack"),
    "connect-check": ("connect", "read one page of each record type of a CRM, and say what maps"),
    "web-deploy": ("web", "put the web client's files where a deployed stack serves them"),
    "memory-load": ("data", "load a tenant's records into memory"),
    "memory-reindex": ("data", "rebuild memory's index and vectors"),
    "forget": ("data", "delete the data of a user"),
    "verify": ("audit", "verify a tenant's audit log"),
}
"""The module of each command, which has `add_arguments` and `run`, and its help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 1 for an expected error, which is printed in one line."""
    parser = argparse.ArgumentParser(prog="aisha-admin")
    commands = parser.add_subparsers(dest="command", required=True)
    modules = {}
    for name, (module, description) in COMMANDS.items():
        modules[name] = importlib.import_module(f"infra.admin.{module}")
        modules[name].add_arguments(commands.add_parser(name, help=description), name)
    options = parser.parse_args(arguments)
    try:
        # Each raises its own errors, whose messages and suggestions say what to do.
        modules[options.command].run(options)
    except (AdminError, AishaError, SettingsError) as error:
        suggestion = getattr(error, "suggestion", None)
        text = f"{str(error).rstrip('.')}. {suggestion}" if suggestion else str(error)
        print(f"error: {text}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
