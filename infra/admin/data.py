"""Load and rebuild memory, and delete a user's data, in the stores that the settings name."""

import argparse
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

from msgspec.structs import asdict

from aisha.application.administration.forget import forget_user
from aisha.application.administration.memory_backfill import load_memory
from aisha.bootstrap import Services
from aisha.domain.errors import UnavailableError

Counts = Mapping[str, Any]


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    if command != "memory-reindex":
        parser.add_argument("--tenant", required=True)
    if command == "forget":
        parser.add_argument("--user", required=True)


def run(options: argparse.Namespace) -> None:
    """Run a command in the deployment that the environment names, and print its result."""
    tenant, user = getattr(options, "tenant", ""), getattr(options, "user", "")
    # Made from the same variables as the functions of the deployment.
    with closing(Services()) as services:
        counts = DATA_COMMANDS[options.command](services, tenant, user)
    print_result(options.command, counts, tenant, user)


def load(services: Services, tenant: str, _user: str) -> Counts:
    """Load the tenant's notes, completed activities and outcomes into memory; return counts of read and new by type."""
    services.finish_work()
    return {kind: asdict(loaded) for kind, loaded in load_memory(tenant, services.tool_ports).items()}


def reindex(services: Services, _tenant: str, _user: str) -> Counts:
    """Rebuild memory's index and vectors, of every tenant; return the number of memories and the name of the model.

    Raises `UnavailableError` when there is no memory or it does not answer: the old index stays in use.
    """
    services.finish_work()
    rebuild, model = services.memory_rebuild, services.embedder
    if rebuild is None or model is None:
        raise UnavailableError("Memory is not set up here", suggestion="Set AISHA_MEMORY and AISHA_EMBEDDER")
    return {"memories": rebuild(model), "space": model.name}


def forget(services: Services, tenant: str, user: str) -> Counts:
    """Delete the data of the user; return how many there were of each kind."""
    # Queued work of the user would store again what is deleted here.
    services.finish_work()
    deleted = forget_user(
        tenant,
        user,
        conversations=services.conversations,
        entries=services.entries,
        records=services.records,
        memory=services.memory_store,
    )
    return asdict(deleted)


DATA_COMMANDS: Mapping[str, Callable[[Services, str, str], Counts]] = {
    "memory-load": load,
    "memory-reindex": reindex,
    "forget": forget,
}
"""The commands by name; each takes the services, a tenant and a user."""


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
