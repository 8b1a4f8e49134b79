"""Webhooks of CRMs: signed as each CRM does it, and refused when forged, late or for another tenant."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from aisha.application.connections.sync_state import connect
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Opportunity
from aisha.domain.entries import PROFILE
from tests.fakes.aws.api_gateway import Answer, call
from tests.support.tenants.connected_office import CONNECTION, HOOK_SECRET, Office

PATH = "/api/crm/hooks/conn_demo_1"


def hook(
    office: Office, changes: Any, *, secret: str = HOOK_SECRET, age_ms: int = 0, path: str = PATH, signed_for: str = ""
) -> Answer:
    """Send a webhook, signed for its own address or for another one."""
    body = json.dumps(changes)
    timestamp = str(int(office.world.clock.now().timestamp() * 1000) - age_ms)
    signed = f"POSThttps://api.example.com/v1{signed_for or path}{body}{timestamp}".encode()
    signature = base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest()).decode()
    headers: Mapping[str, str] = {
        "host": "api.example.com",
        "x-hubspot-signature-v3": signature,
        "x-hubspot-request-timestamp": timestamp,
    }
    return call("crm_hooks", "POST", path, None, body=body, headers=headers)


def deal_change(office: Office) -> list[dict[str, Any]]:
    [deal] = office.hubspot.rows["deals"]
    office.hubspot.change("deals", deal, amount="7777")
    return [{"subscriptionType": "deal.propertyChange", "objectId": int(deal), "propertyValue": "1"}]


def amount(office: Office) -> str:
    office.services.finish_work()
    return office.say("Tell me about the deal ABC renewal")


def test_a_signed_webhook_brings_the_change_which_is_read_from_the_crm(office: Office) -> None:
    answer = hook(office, deal_change(office))
    assert (answer.status, answer.json) == (202, {"accepted": 1})
    # The payload says 1, the CRM says 7,777.
    assert "7,777" in amount(office)


def test_a_webhook_that_comes_twice_changes_nothing_twice(office: Office) -> None:
    changes = deal_change(office)
    for _ in range(2):
        assert hook(office, changes * 3).json == {"accepted": 1}
    assert "7,777" in amount(office)


@pytest.mark.parametrize("options", [{"secret": "guessed"}, {"age_ms": 301_000}, {"age_ms": -301_000}])
def test_a_forged_or_late_webhook_is_refused(office: Office, options: dict[str, Any]) -> None:
    assert hook(office, deal_change(office), **options).status == 401
    assert "7,777" not in amount(office)


def test_a_webhook_for_an_unknown_connection_or_unknown_objects_reads_nothing(office: Office) -> None:
    assert hook(office, deal_change(office), path="/api/crm/hooks/conn_of_nobody").status == 404
    office.hubspot.requests.clear()
    assert hook(office, [{"subscriptionType": "ticket.creation", "objectId": 1}]).json == {"accepted": 0}
    office.services.finish_work()
    assert office.hubspot.requests == []


def test_a_webhook_reaches_the_tenant_of_its_own_connection_alone(office: Office) -> None:
    path, changes = "/api/crm/hooks/conn_rival_1", deal_change(office)
    body = {"crm": {**CONNECTION, "id": "conn_rival_1", "url": office.hubspot.url}}
    office.world.entries.put("rival", None, PROFILE, PROFILE, body)
    connect(office.world.entries, "rival", "conn_rival_1")
    # One that was made for demo is none of the rival's, even where both have the same secret.
    assert hook(office, changes, path=path, signed_for=PATH).status == 401
    assert hook(office, changes, path=path).json == {"accepted": 1}
    office.services.finish_work()
    [theirs] = office.services.local_records.search("rival", RecordQuery("opportunity")).items
    [ours] = office.services.local_records.search("demo", RecordQuery("opportunity")).items
    assert isinstance(theirs, Opportunity) and isinstance(ours, Opportunity)
    assert (theirs.amount, ours.amount) == (Decimal(7777), Decimal(5000))
    assert theirs.id != ours.id


def test_of_a_flood_the_first_are_read_at_once_and_the_others_with_the_next_reading(office: Office) -> None:
    change = deal_change(office)
    assert [hook(office, change).json["accepted"] for _ in range(40)] == [1] * 30 + [0] * 10
    office.services.finish_work()
    [deal] = office.hubspot.rows["deals"]
    office.hubspot.change("deals", deal, amount="8888")
    hook(office, change)
    assert "7,777" in amount(office)
    office.sync()
    assert "8,888" in amount(office)
