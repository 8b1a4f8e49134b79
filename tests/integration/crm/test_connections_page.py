"""The admin's page of connections: their state, and a check that writes nothing."""

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.fakes.aws.api_gateway import assert_problem, call
from tests.fakes.systems.hubspot import TOKEN, Fault
from tests.fakes.world import ALICE, BOB
from tests.support.tenants.connected_office import HOOK_SECRET, Office

ADMIN = ALICE | {"roles": '["admin"]'}
LIST, CHECK = ("GET", "/api/ai/connections"), ("POST", "/api/ai/connections/check")


def asked(request: tuple[str, str]) -> Any:
    answer = call("connections", *request, ADMIN)
    assert answer.status == 200, answer.text
    return answer.json


def test_an_admin_sees_how_old_the_copy_is_and_what_went_wrong(office: Office) -> None:
    office.world.clock.advance(timedelta(minutes=3))
    [connection] = asked(LIST)["items"]
    assert (connection["crm"], connection["title"], connection["url"]) == ("hubspot", "HubSpot", office.hubspot.url)
    assert (connection["phase"], connection["loaded"], connection["problems"]) == ("ready", 4, [])
    assert 180 <= connection["lagSeconds"] < 200 and "error" not in connection
    [deal] = office.hubspot.rows["deals"]
    office.hubspot.change("deals", deal, amount="many")
    office.sync()
    [connection] = asked(LIST)["items"]
    assert "amount: 'many' is no decimal" in connection["problems"][0]


def test_a_check_says_what_maps_and_what_fails_and_writes_nothing(office: Office) -> None:
    office.hubspot.before = lambda _, path: (
        Fault(403, {"message": "Missing scope"}) if path.endswith("/tasks") else None
    )
    before = len(office.hubspot.requests)
    lines = asked(CHECK)["lines"]
    texts = [line["text"] for line in lines]
    assert "deals (opportunity): 1 records on the first page; with a value: name 1" in "\n".join(texts)
    assert [line["text"] for line in lines if line["failed"]] == [
        "tasks: FAILED: HubSpot refused our credentials or rights: Missing scope. Ask your admin to check the "
        "connection's token and its rights."
    ]
    made = office.hubspot.requests[before:]
    assert made and all(method == "GET" or path.endswith("/search") for method, path in made)


def test_the_answers_have_no_secret_and_the_command_names_the_tenants_own(office: Office) -> None:
    body = asked(LIST)
    assert TOKEN not in json.dumps(body) and HOOK_SECRET not in json.dumps(body)
    [pipedrive] = [one for one in body["connectable"] if one["crm"] == "pipedrive"]
    assert pipedrive["secret"] == "pipedrive_demo"
    assert pipedrive["command"].startswith("make connect CRM=pipedrive TENANT=demo ADMINS=alice ")


@pytest.mark.usefixtures("world")
def test_without_a_connection_there_is_none_to_check() -> None:
    assert asked(LIST)["items"] == []
    assert_problem(call("connections", *CHECK, ADMIN), 404, "not_found")


def test_only_admins_see_or_check_connections(office: Office) -> None:
    before = len(office.hubspot.requests)
    for request in (LIST, CHECK):
        assert_problem(call("connections", *request, BOB), 403, "permission_denied")
    assert len(office.hubspot.requests) == before
