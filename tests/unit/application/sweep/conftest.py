"""The desk of the tests of the sweep."""

import pytest

from aisha.application.sweep import SweepLimits
from tests.fakes.stores.in_memory import FixedClock
from tests.fakes.stores.indexed_records import IndexedRecordRepository
from tests.support.tenants.desk import NOW
from tests.support.tenants.swept_desk import SweptDesk


@pytest.fixture
def desk() -> SweptDesk:
    clock = FixedClock(NOW)
    return SweptDesk(IndexedRecordRepository(clock), clock, SweepLimits(page=2, concurrency=3))
