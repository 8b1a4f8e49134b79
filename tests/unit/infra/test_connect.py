"""The commands that check and make a tenant's connection."""

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.application.connections.sync_state import connected_tenants, sync_state, tenant_of
from aisha.domain.entries import PROFILE
from aisha.domain.errors import InvalidInputError
from infra.admin.connect import check, connect_tenant, connection_of
from infra.admin.errors import AdminError
from tests.fakes.stores.in_memory import InMemoryEntryRepository
from tests.fakes.systems.hubspot import Fault, HubSpot
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import OneSecret


@pytest.fixture
def hubspot() -> Iterator[HubSpot]:
    with HubSpot(TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))) as server:
        server.add("deals", dealname="Renewal", dealstage="contractsent", amount="many")
        server.add("deals", dealname="Roof", dealstage="closedwon", amount="5")
        yield server


def connection(url: str, **more: Any) -> dict[str, Any]:
    return {"id": "conn_test_0001", "crm": "hubspot", "url": url, "secret": "token", **more}


def test_a_check_says_what_maps_and_what_does_not_and_writes_nothing(hubspot: HubSpot) -> None:
    users = {"alice": "alice@demo.example", "carol": "carol@demo.example"}
    lines = check(connection(hubspot.url, users=users), OneSecret("pat-na1-test"), allow_private=True)
    text = "\n".join(lines)
    assert "users: carol (carol@demo.example) is there 0 times" in text
    assert "Contract Sent = negotiation" in text
    assert "deals (opportunity): 1 records on the first page; with a value: name 1, amount 1, stage 1" in text
    assert "deals: can't be read: deals 101: amount: 'many' is no decimal" in text
    assert "not supported: lead.convert" in text
    writes = [path for method, path in hubspot.requests if method != "GET" and not path.endswith("/search")]
    assert writes == []


def test_a_check_goes_on_after_a_type_that_can_not_be_read(hubspot: HubSpot) -> None:
    hubspot.before = lambda method, path: Fault(403, {"message": "Missing scope"}) if path.endswith("/tasks") else None
    text = "\n".join(check(connection(hubspot.url), OneSecret("pat-na1-test"), allow_private=True))
    assert "tasks: FAILED: HubSpot refused our credentials or rights: Missing scope" in text
    assert "notes (note): 0 records" in text


def test_connecting_again_keeps_the_id_and_the_rest_of_the_profile() -> None:
    entries = InMemoryEntryRepository(TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))
    entries.put("acme", None, PROFILE, PROFILE, {"plan": "standard"})
    connect_tenant(entries, "acme", connection("https://api.hubapi.com"))
    connect_tenant(entries, "acme", {**connection("https://api.hubapi.com", currency="EUR"), "id": "conn_test_0002"})
    profile = entries.find("acme", None, PROFILE, PROFILE)
    assert profile is not None
    assert (profile.body["plan"], profile.body["crm"]["id"]) == ("standard", "conn_test_0001")
    assert profile.body["crm"]["currency"] == "EUR"
    assert tenant_of(entries, "conn_test_0001") == "acme"
    assert list(connected_tenants(entries)) == ["acme"]
    state = sync_state(entries, "acme")
    assert state is not None and state.phase == "loading"


def test_a_crm_without_a_file_or_an_address_is_refused() -> None:
    options = argparse.Namespace(
        command="connect-check", crm="siebel", tenant="a", url="", secret="", users="", time_zone="UTC", variables=""
    )
    with pytest.raises(AdminError, match="There are files for"):
        connection_of(options)
    options.crm = "odoo"
    with pytest.raises(AdminError, match="Odoo needs its address"):
        connection_of(options)
    options.url, options.time_zone = "https://odoo.example", "Berlin"
    with pytest.raises(InvalidInputError, match="is not a time zone"):
        connection_of(options)
    options.url, options.time_zone = "odoo.example", "UTC"
    with pytest.raises(InvalidInputError, match=r"`url` must be an address such as https://crm\.example\.com"):
        connection_of(options)
