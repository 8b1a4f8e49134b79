"""Locks of writes and sign-ins: one holder at a time, also where an earlier one took longer than its lease."""

from datetime import UTC, datetime, timedelta

import pytest

from aisha.adapters.crm.writing.locks import LEASE_TTL, Locks
from aisha.domain.errors import InProgressError
from tests.fakes.stores.in_memory import InMemoryEntryRepository
from tests.fakes.ticking_clock import TickingClock

NAMES = ["lead_1", "lead_2"]


def test_a_holder_whose_lease_has_ended_does_not_release_what_another_holds() -> None:
    clock = TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    locks = Locks(InMemoryEntryRepository(clock), clock, sleep=lambda _: None)
    slow = locks.held("demo", NAMES, refusal="Busy.")
    slow.__enter__()
    clock.advance(LEASE_TTL + timedelta(seconds=1))
    with locks.held("demo", NAMES, refusal="Busy."):
        slow.__exit__(None, None, None)
        with pytest.raises(InProgressError, match="Busy"), locks.held("demo", ["lead_2"], refusal="Busy."):
            raise AssertionError
    with locks.held("demo", NAMES, refusal="Busy."):
        pass
