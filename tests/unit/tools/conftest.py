"""Fixtures of the tests of tools: a CRM in memory and the desk of a user who runs tools on it."""

import pytest

from aisha.application.tooling import ToolRegistry
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.support.tenants.desk import ANN, NOW, REGISTRY, Desk


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def desk(clock: FixedClock) -> Desk:
    return Desk(ANN, clock, InMemoryRecordRepository(clock))


@pytest.fixture(scope="session")
def registry() -> ToolRegistry:
    return REGISTRY
