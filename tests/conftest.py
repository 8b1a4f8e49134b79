"""Fixtures and settings of all tests."""

import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import botocore.loaders
import pytest

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.application.tooling import ToolRegistry
from tests.fakes.models.words_embedder import WordsEmbedder
from tests.support.product_tools import product_tools

# The product's interval is made for a cold start. A resource that a test leaves open is to be reported in that test,
# not a thousand tests later.
gc.set_threshold(20_000, 20, 100)

# Every new session would read and parse the same service descriptions again: a fifth of a second for each client.
botocore.loaders.create_loader = cache(botocore.loaders.create_loader)

SLOWEST_TEST = "test_the_api_does_what_its_description_says"
"""Takes a minute or two by itself, so it begins first while the other workers go on."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.name != SLOWEST_TEST)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedMemoryStore]:
    """Return a memory store in a folder of the test."""
    memory = EmbeddedMemoryStore(tmp_path, WordsEmbedder.name, WordsEmbedder.dimensions)
    yield memory
    memory.close()


@pytest.fixture(scope="session")
def registry() -> ToolRegistry:
    """Return the tools of the product."""
    return product_tools()
