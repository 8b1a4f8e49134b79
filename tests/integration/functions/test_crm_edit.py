"""A page changes a record: only in the version that it has read, and through the gate."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from aisha.domain.crm.records import Record
from tests.fakes.aws.api_gateway import Answer, assert_problem, call
from tests.fakes.world import ALICE, BOB, RIVAL, World

ADMIN = ALICE | {"roles": '["admin"]'}


@pytest.fixture
def path(crm: Mapping[str, Record]) -> str:
    return f"/api/crm/lead/{crm['jack'].id}"


def read(path: str, caller: Mapping[str, str] = ALICE) -> Answer:
    answer = call("crm", "GET", path, caller)
    assert answer.status == 200, answer.text
    return answer


def tag(path: str) -> str:
    return str(read(path).headers["etag"])


def patch(path: str, version: str | None, caller: Mapping[str, str] = ALICE, **values: Any) -> Answer:
    headers = {"if-match": version} if version else {}
    return call("crm", "PATCH", path, caller, json.dumps(values), headers=headers)


def test_a_change_of_the_version_that_was_read_is_done_and_recorded(path: str) -> None:
    before = tag(path)
    answer = patch(path, before, status="qualified")
    assert (answer.status, answer.json["status"]) == (200, "qualified"), answer.text
    assert answer.headers["etag"] == tag(path) != before
    (entry,) = call("audit", "GET", "/api/ai/audit?tool=update_lead", ADMIN).json["items"]
    assert (entry["user"], entry["status"]) == ("alice", "executed")


def test_of_two_who_read_the_same_version_the_second_is_told_what_the_first_did(path: str) -> None:
    version = tag(path)
    assert patch(path, version, BOB, status="lost").status == 200
    answer = patch(path, version, status="qualified")
    assert_problem(answer, 412, "changed_meanwhile")
    assert answer.json["detail"].startswith("Bob changed the status of “Jack Russel” to lost since you read it")
    assert read(path).json["status"] == "lost"
    assert patch(path, tag(path), status="qualified").status == 200


def test_without_a_version_nothing_is_changed_and_a_star_takes_any(path: str) -> None:
    assert_problem(patch(path, None, status="lost"), 428, "version_needed")
    assert patch(path, "*", status="lost").json["status"] == "lost"


def test_a_repeated_change_is_done_once_and_gets_the_same_answer(path: str) -> None:
    version = tag(path)
    headers = {"if-match": version, "idempotency-key": "one"}
    first, second = (
        call("crm", "PATCH", path, ALICE, json.dumps({"status": "lost"}), headers=headers) for _ in range(2)
    )
    assert (first.status, first.json) == (second.status, second.json)


@pytest.mark.parametrize(
    ("values", "pointer"),
    [
        ({"status": "perhaps"}, "/status"),
        ({"wings": 2}, None),
        ({"lead_id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"}, "/lead_id"),
        ({}, None),
    ],
)
def test_what_the_tool_refuses_is_refused(path: str, values: dict[str, Any], pointer: str | None) -> None:
    assert_problem(patch(path, tag(path), **values), 422, "invalid_input", pointer)


def test_another_tenants_record_does_not_exist(path: str) -> None:
    assert_problem(patch(path, "*", RIVAL, status="lost"), 404, "not_found")


def test_a_tenants_rule_holds_for_pages_too(path: str, world: World) -> None:
    world.entries.put("demo", None, "profile", "profile", {"rules": {"update_lead": "deny"}})
    assert_problem(patch(path, tag(path), status="lost"), 403, "permission_denied")
    world.services.tenant_profiles.forget("demo")
    world.entries.put("demo", None, "profile", "profile", {"rules": {"update_lead": "ask"}})
    assert_problem(patch(path, tag(path), status="lost"), 409, "needs_confirmation")


def test_what_another_request_changes_at_the_same_moment_is_not_overwritten(
    path: str, world: World, monkeypatch: pytest.MonkeyPatch, crm: Mapping[str, Record]
) -> None:
    version, records = tag(path), world.services.records
    old = records.get("demo", "lead", crm["jack"].id)
    assert patch(path, version, BOB, status="lost").status == 200
    # The request reads the record just before the other one writes it.
    monkeypatch.setattr("functions.crm.handler.get_record", lambda *_: old)
    assert_problem(patch(path, version, status="qualified"), 412, "changed_meanwhile")
    assert records.get("demo", "lead", crm["jack"].id).status == "lost"  # type: ignore[attr-defined]
