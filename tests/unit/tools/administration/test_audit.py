"""Tests of the tool that lists the audit trail."""

from datetime import timedelta

from msgspec.structs import replace

from aisha.application.tooling.context import make_context
from aisha.application.tooling.gate.policy import decide
from tests.support.tenants.desk import ANN, EVE, REGISTRY, Desk

ADMIN = replace(ANN, user="ada", roles=frozenset(("admin",)))


def test_an_admin_sees_what_was_done(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", last_name="Russel")
    desk.do("update_lead", lead_id=jack, status="qualified")
    desk.do("search_leads", status="warm")
    trail = desk.at(ADMIN).do("get_audit_trail")
    assert [(call["tool"], call["user"], call["status"]) for call in trail["items"]] == [
        ("search_leads", "ann", "executed"),
        ("update_lead", "ann", "executed"),
    ]
    assert trail["items"][1]["changes"] == ["updated lead Jack Russel"]
    assert trail["items"][1]["confirmed"] is False
    again = desk.at(ADMIN).do("get_audit_trail", limit=1)
    assert [call["tool"] for call in again["items"]] == ["get_audit_trail"]
    rest = desk.at(ADMIN).do("get_audit_trail", cursor=again["next_cursor"])
    assert [call["tool"] for call in rest["items"]] == ["search_leads", "update_lead"]


def test_the_trail_is_filtered_by_record_and_time(desk: Desk) -> None:
    jack, jane = (desk.put("lead", first_name=name, last_name="Doe") for name in ("Jack", "Jane"))
    desk.do("update_lead", lead_id=jack, status="qualified")
    desk.clock.advance(timedelta(days=3))
    desk.do("get_lead", lead_id=jane)
    admin = desk.at(ADMIN)

    def tools(**filters: str) -> list[str]:
        return [call["tool"] for call in admin.do("get_audit_trail", **filters)["items"]]

    assert tools(entity=jack) == tools(entity="jack doe")[-1:] == ["update_lead"]
    assert "get_lead" in tools(since="yesterday")
    assert "update_lead" not in tools(since="yesterday")


def test_only_admins_may_read_the_trail(desk: Desk) -> None:
    spec = REGISTRY.spec("get_audit_trail")
    assert spec is not None
    assert decide(ANN, spec).verdict == "deny"
    assert decide(ADMIN, spec).verdict == "allow"
    refused = REGISTRY.call_tool("get_audit_trail", {}, make_context(ANN, desk.ports, "op.1"))
    assert (refused.status, refused.error and refused.error["code"]) == ("rejected", "permission_denied")


def test_the_trail_of_another_tenant_is_not_visible(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", last_name="Russel")
    desk.do("get_lead", lead_id=jack)
    theirs = desk.at(replace(EVE, roles=frozenset(("admin",))))
    assert theirs.do("get_audit_trail", entity=jack)["items"] == []


def test_without_an_audit_log_the_tool_is_not_set_up(desk: Desk) -> None:
    desk.ports = replace(desk.ports, audit=None)
    assert desk.at(ADMIN).refuse("get_audit_trail")["code"] == "not_set_up"
