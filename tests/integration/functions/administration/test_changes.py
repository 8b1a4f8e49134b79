"""The feed of changes: who changed which records, and the button that undoes one."""

import json
from collections.abc import Mapping
from time import time_ns
from typing import Any

import pytest

from aisha.application.tooling.context import make_context
from aisha.domain.crm.records import Record
from aisha.domain.principal import Principal
from tests.fakes.aws.api_gateway import ALL_MODULES, Answer, assert_problem, call
from tests.fakes.world import ALICE, BOB, RIVAL, World

pytestmark = pytest.mark.usefixtures("crm")
PRINCIPAL = Principal("demo", "alice", modules=frozenset(ALL_MODULES))


class Writer:
    """Runs tools on behalf of Alice."""

    def __init__(self, world: World, crm: Mapping[str, Record]) -> None:
        self._world, self._crm, self._count = world, crm, 0

    def run(self, tool: str, **arguments: Any) -> None:
        self._count += 1
        moment = time_ns() // 1_000_000
        while time_ns() // 1_000_000 == moment:
            pass  # Receipts of one millisecond have no order.
        context = make_context(PRINCIPAL, self._world.services.tool_ports, f"op_{self._count}")
        result = self._world.services.tools.call_tool(tool, arguments, context)
        assert result.ok, result.error

    def move_deal(self) -> None:
        self.run("advance_opportunity_stage", opportunity_id=self._crm["deal"].id, stage="negotiation")

    def set_status(self, status: str) -> None:
        self.run("update_lead", lead_id=self._crm["jack"].id, status=status)

    def note(self, *, is_private: bool) -> None:
        jack = self._crm["jack"].id
        self.run("create_note", entity_type="lead", entity_id=jack, content="Leaves soon", is_private=is_private)


@pytest.fixture
def alice(world: World, crm: dict[str, Record]) -> Writer:
    return Writer(world, crm)


def feed(since: int | None = None, caller: Mapping[str, str] = ALICE) -> dict[str, Any]:
    answer = call("crm", "GET", f"/api/crm/changes?since={'' if since is None else since}", caller)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def undo(operation: str | None = None, key: str | None = None) -> Answer:
    headers = {"idempotency-key": key} if key else {}
    return call("undo", "POST", "/api/ai/undo", ALICE, json.dumps({"operation": operation}), headers=headers)


def test_a_change_tells_who_changed_what(alice: Writer) -> None:
    start = feed()["next"]
    alice.move_deal()
    (change,) = feed(start)["items"]
    assert (change["user"], change["isOwn"], change["action"], change["entity"]["name"]) == (
        "alice",
        True,
        "updated",
        "ABC renewal",
    )
    assert (change["before"]["stage"], change["after"]["stage"]) == ("proposal", "negotiation")
    assert change["record"]["stage"] == "negotiation"


def test_each_change_comes_once_and_in_order(alice: Writer) -> None:
    start = feed()["next"]
    alice.set_status("lost")
    first = feed(start)
    alice.set_status("warm")
    second = feed(first["next"])
    assert [one["after"]["status"] for page in (first, second) for one in page["items"]] == ["lost", "warm"]
    assert feed(second["next"])["items"] == []
    assert feed(second["next"])["next"] >= second["next"]


def test_colleagues_see_it_and_other_tenants_do_not(alice: Writer) -> None:
    start = {"alice": feed()["next"], "rival": feed(caller=RIVAL)["next"]}
    alice.set_status("lost")
    (theirs,) = feed(start["alice"], BOB)["items"]
    assert (theirs["user"], theirs["isOwn"]) == ("alice", False)
    assert feed(start["rival"], RIVAL)["items"] == []
    assert feed(0, RIVAL)["items"] == []


def test_records_of_a_closed_module_are_left_out(alice: Writer) -> None:
    alice.move_deal()
    assert feed(0, BOB)["items"] == []


def test_a_private_note_is_left_out_for_others_even_once_it_is_deleted(alice: Writer) -> None:
    alice.note(is_private=True)
    assert [one["entity"]["type"] for one in feed(0)["items"]] == ["note"]
    assert feed(0, BOB)["items"] == []
    assert undo().status == 200
    assert len(feed(0)["items"]) == 2
    assert feed(0, BOB)["items"] == []


@pytest.mark.parametrize("since", ["-1", "x", "1.5"])
def test_a_place_that_is_none_is_refused(since: str) -> None:
    assert_problem(call("crm", "GET", f"/api/crm/changes?since={since}", ALICE), 422, "invalid_input", "/since")


# --- undo


def test_a_button_undoes_the_change_beside_it(alice: Writer) -> None:
    start = feed()["next"]
    alice.move_deal()
    (change,) = feed(start)["items"]
    answer = undo(change["operation"])
    assert answer.status == 200, answer.text
    assert answer.json["receipts"][0]["entity"]["name"] == "ABC renewal"
    assert feed(change["sequence"])["items"][-1]["record"]["stage"] == "proposal"


def test_a_change_that_was_not_the_last_is_refused(alice: Writer) -> None:
    start = feed()["next"]
    alice.move_deal()
    alice.set_status("lost")
    first, _ = feed(start)["items"]
    problem = assert_problem(undo(first["operation"]), 409, "conflict")
    assert "later changes" in problem["suggestion"]
    assert feed(start)["items"][0]["record"]["stage"] == "negotiation"


def test_two_clicks_undo_once(alice: Writer) -> None:
    start = feed()["next"]
    alice.set_status("lost")
    alice.move_deal()
    change = feed(start)["items"][-1]
    first, second = (undo(change["operation"], key="click") for _ in range(2))
    assert (first.status, second.json) == (200, first.json)
    assert_problem(undo(change["operation"]), 409, "conflict")
    assert feed(start)["items"][0]["record"]["status"] == "lost"


def test_without_a_change_there_is_nothing_to_undo() -> None:
    assert_problem(undo(), 404, "not_found")


def test_a_rule_of_the_tenant_holds_for_the_button(alice: Writer, world: World) -> None:
    alice.move_deal()
    world.entries.put("demo", None, "profile", "profile", {"rules": {"undo_last": "deny"}})
    world.services.tenant_profiles.forget("demo")
    assert_problem(undo(), 403, "permission_denied")
