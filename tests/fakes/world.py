"""Stores in memory for the functions, and users of two tenants as the authorizer describes them."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Unpack

from aisha.application.tooling import ToolRegistry
from aisha.bootstrap import Services
from aisha.bootstrap.services import Overrides
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Record
from aisha.domain.ports import RateLimiter, SpendingLedger
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import caller, serve
from tests.fakes.stores.audit import InMemoryAuditLog
from tests.fakes.stores.in_memory import (
    FixedClock,
    InMemoryConversationRepository,
    InMemoryEntryRepository,
    InMemoryRecordRepository,
)
from tests.fakes.stores.rate_limits import InMemoryRateLimiter, InMemorySpendingLedger

ALICE = caller("demo", "alice", name="Zoë Müller", email="alice@example.com", zoneinfo="Europe/Berlin", locale="de-DE")
BOB = caller("demo", "bob", modules=("leads", "contacts", "accounts", "activities", "notes"))
RIVAL = caller("rival", "alice")


@cache
def tools() -> ToolRegistry:
    """Discover the tools once; they hold no state, since stores come with the context of each call."""
    return Services(settings=read_settings({})).tools


@dataclass
class World:
    """The services of the functions. The clock stands at 2026-03-02 09:00 UTC, a Monday."""

    clock: FixedClock = field(default_factory=lambda: FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))
    records: InMemoryRecordRepository = field(init=False)
    entries: InMemoryEntryRepository = field(init=False)
    conversations: InMemoryConversationRepository = field(default_factory=InMemoryConversationRepository)
    limiter: RateLimiter = field(default_factory=InMemoryRateLimiter)
    ledger: SpendingLedger = field(default_factory=InMemorySpendingLedger)
    audit: InMemoryAuditLog = field(default_factory=InMemoryAuditLog)
    services: Services = field(init=False)

    def __post_init__(self) -> None:
        self.records = InMemoryRecordRepository(self.clock)
        self.entries = InMemoryEntryRepository(self.clock)
        self.services = Services(
            settings=read_settings({}),
            clock=self.clock,
            records=self.records,
            entries=self.entries,
            audit_log=self.audit,
            conversations=self.conversations,
            rate_limiter=self.limiter,
            spending_ledger=self.ledger,
            tools=tools(),
        )
        self._replaced: list[Services] = []

    def use(self, **overrides: Unpack[Overrides]) -> Services:
        """Replace services of the functions. The previous ones stay open: the new ones may use parts of them."""
        self._replaced.append(self.services)
        self.services = self.services.replace(**overrides)
        serve(self.services)
        return self.services

    def close(self) -> None:
        """Close all services that this world created."""
        for services in (self.services, *reversed(self._replaced)):
            services.close()

    def add(self, tenant: str, *records: Record) -> list[Record]:
        """Store records and return them with their ids."""
        return [self.records.write(tenant, [Create(record)])[0].record for record in records]

    def has(self, tenant: str, record: Record) -> bool:
        return record.id in self.records.get_many(tenant, [(record.TYPE, record.id)])
