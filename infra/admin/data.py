"""Load and rebuild memory, and delete a user's data, in the stores that the settings name."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import asdict

from aisha import bootstrap
from aisha.application.administration.forget import forget_user
from aisha.application.administration.memory_backfill import load_memory

Counts = Mapping[str, Any]


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    if command != "memory-reindex":
        parser.add_argument("--tenant", required=True)
    if command == "forget":
        parser.add_argument("--user", required=True)


def run(options: argparse.Namespace) -> None:
    """Run a command in the deployment that the environment names, and print its result."""
    tenant, user = getattr(options, "tenant", ""), getattr(options, "user", "")
    counts = DATA_COMMANDS[options.command](tenant, user)
    close_memory()
    print_result(options.command, counts, tenant, user)


def load(tenant: str, _user: str) -> Counts:
    """Load the tenant's notes, completed activities and endings into memory; return by type how many were read and new."""
    bootstrap.finish_work()
    return {kind: asdict(loaded) for kind, loaded in load_memory(tenant, bootstrap.tool_ports()).items()}


def reindex(_tenant: str, _user: str) -> Counts:
    """Rebuild memory's index and vectors, of every tenant; return the number of memories and the name of the model."""
    bootstrap.finish_work()
    count, model = bootstrap.reindex_memory(), bootstrap.embedder()
    return {"memories": count, "space": model.name if model else None}


def forget(tenant: str, user: str) -> Counts:
    """Delete the data of the user; return how many there were of each kind."""
    bootstrap.finish_work()
    deleted = forget_user(
        tenant,
        user,
        conversations=bootstrap.conversations(),
        entries=bootstrap.entries(),
        records=bootstrap.records(),
        memory=bootstrap.memory_store(),
    )
    return asdict(deleted)


DATA_COMMANDS: Mapping[str, Callable[[str, str], Counts]] = {
    "memory-load": load,
    "memory-reindex": reindex,
    "forget": forget,
}
"""By name, each takes a tenant and a user."""


def print_result(command: str, counts: Counts, tenant: str, user: str) -> None:
    """Print what a command of `DATA_COMMANDS` returned."""
    match command:
        case "memory-load":
            for kind, loaded in counts.items():
                print(f"{kind}: {loaded['read']} read, {loaded['added']} new in memory")
        case "memory-reindex":
            print(f"{counts['memories']} memories in the new index, with the vectors of {counts['space']}")
        case "forget":
            deleted = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count is not None)
            print(f"Deleted of {user} in tenant {tenant}: {deleted}.")


def close_memory() -> None:
    """Finish the work that waits for memory, and close its store if it was opened."""
    bootstrap.finish_work()
    if bootstrap.memory_store.cache_info().currsize and (close := getattr(bootstrap.memory_store(), "close", None)):
        close()
