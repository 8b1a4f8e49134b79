"""The functions over stores in memory: two tenants whose records must never meet."""

from collections.abc import Iterator

import pytest

from aisha import bootstrap
from aisha.domain.records import Account, Lead, Opportunity, Record
from aisha.settings import read_settings
from tests.fakes.world import World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Behind every function of the test. Nothing of this machine's environment is looked at: the planner answers."""
    made = World()
    monkeypatch.setattr(bootstrap, "clock", lambda: made.clock)
    monkeypatch.setattr(bootstrap, "records", lambda: made.records)
    monkeypatch.setattr(bootstrap, "entries", lambda: made.entries)
    monkeypatch.setattr(bootstrap, "audit_log", lambda: made.audit)
    monkeypatch.setattr(bootstrap, "conversations", lambda: made.conversations)
    monkeypatch.setattr(bootstrap, "rate_limiter", lambda: made.limiter)
    monkeypatch.setattr(bootstrap, "spending_ledger", lambda: made.ledger)
    monkeypatch.setattr(bootstrap, "settings", lambda: read_settings({}))
    limits = (bootstrap.tenant_profiles, bootstrap.tenant_plans, bootstrap.request_limits, bootstrap.budgets)
    kept = (bootstrap.chat_model, bootstrap.tool_ports, bootstrap.turn_dependencies, *limits)
    for factory in kept:
        factory.cache_clear()
    yield made
    if bootstrap.turn_dependencies.cache_info().currsize:
        bootstrap.turn_dependencies().workers.shutdown()
    for factory in kept:
        factory.cache_clear()


@pytest.fixture
def crm(world: World) -> dict[str, Record]:
    """A few records of both tenants by a short name."""
    jack, jane, abc, deal = world.add(
        "demo",
        Lead.model_validate(
            {"first_name": "Jack", "last_name": "Russel", "company": "ABC Corp", "status": "warm", "owner": "alice"}
        ),
        Lead.model_validate({"first_name": "Jane", "last_name": "Doe", "company": "Globex", "owner": "bob"}),
        Account.model_validate({"name": "ABC Corp", "industry": "Software", "owner": "alice"}),
        Opportunity.model_validate({"name": "ABC renewal", "amount": 5000, "stage": "proposal", "owner": "alice"}),
    )
    (theirs,) = world.add(
        "rival", Lead.model_validate({"first_name": "Jack", "last_name": "Rival", "company": "Initech"})
    )
    return {"jack": jack, "jane": jane, "abc": abc, "deal": deal, "theirs": theirs}
