"""The commands about what is kept of users: filling memory from records, and forgetting somebody."""

import argparse
import importlib
from collections.abc import Mapping
from typing import Any

from infra.local.commands.chat import client_of


def memory_load(options: argparse.Namespace) -> None:
    """Loads a tenant's notes, activities and endings into memory."""
    loaded = _run("memory-load", options)
    for kind, counts in loaded.items():
        print(f"{kind}: {counts['read']} read, {counts['added']} new in memory")


def memory_reindex(options: argparse.Namespace) -> None:
    """Makes memory's index and vectors anew, of every tenant."""
    made = _run("memory-reindex", options)
    print(f"{made['memories']} memories in the new index, with the vectors of {made['space']}")


def forget(options: argparse.Namespace) -> None:
    """Deletes a user's conversations, entries, drafts and memories."""
    gone = _run("forget", options)
    counts = ", ".join(f"{count} {what}" for what, count in gone.items() if count is not None)
    print(f"Deleted of {options.user} in tenant {options.tenant}: {counts}.")


def _run(name: str, options: argparse.Namespace) -> Mapping[str, Any]:
    """In the local server, or with the settings of the environment for what is deployed."""
    if options.deployed:
        remembering = importlib.import_module("infra.local.server.memory")
        done: Mapping[str, Any] = remembering.COMMANDS[name](options.tenant, options.user)
        remembering.close_memory()
        return done
    with client_of(options) as client:
        return client.command(name)
