"""The audit trail as a tool: for admins, of their tenant, by record and time."""

from datetime import timedelta

from msgspec.structs import replace

from aisha.application.tooling.context import make_context
from aisha.application.tooling.policy import decide
from tests.support.desk import ANN, EVE, REGISTRY, Desk

ADMIN = replace(ANN, user="ada", roles=frozenset(("admin",)))


def test_an_admin_sees_what_was_done(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", last_name="Russel")
    desk.do("update_lead", lead_id=jack, status="qualified")
    desk.do("search_leads", status="warm")
    found = desk.at(ADMIN).do("get_audit_trail")
    assert [(one["tool"], one["user"], one["status"]) for one in found["items"]] == [
        ("search_leads", "ann", "executed"),
        ("update_lead", "ann", "executed"),
    ]
    assert found["items"][1]["changes"] == ["updated lead Jack Russel"]
    assert found["items"][1]["confirmed"] is False
    again = desk.at(ADMIN).do("get_audit_trail", limit=1)
    assert [one["tool"] for one in again["items"]] == ["get_audit_trail"]
    rest = desk.at(ADMIN).do("get_audit_trail", cursor=again["next_cursor"])
    assert [one["tool"] for one in rest["items"]] == ["search_leads", "update_lead"]


def test_by_record_and_time(desk: Desk) -> None:
    jack, jane = (desk.put("lead", first_name=name, last_name="Doe") for name in ("Jack", "Jane"))
    desk.do("update_lead", lead_id=jack, status="qualified")
    desk.clock.advance(timedelta(days=3))
    desk.do("get_lead", lead_id=jane)
    admin = desk.at(ADMIN)

    def tools(**wanted: str) -> list[str]:
        return [one["tool"] for one in admin.do("get_audit_trail", **wanted)["items"]]

    assert tools(entity=jack) == tools(entity="jack doe")[-1:] == ["update_lead"]
    assert "get_lead" in tools(since="yesterday")
    assert "update_lead" not in tools(since="yesterday")


def test_nobody_else_may_use_it(desk: Desk) -> None:
    spec = REGISTRY.spec("get_audit_trail")
    assert spec is not None
    assert decide(ANN, spec).verdict == "deny"
    assert decide(ADMIN, spec).verdict == "allow"
    refused = REGISTRY.call_tool("get_audit_trail", {}, make_context(ANN, desk.ports, "op.1"))
    assert (refused.status, refused.error and refused.error["code"]) == ("rejected", "permission_denied")


def test_of_another_tenant_there_is_nothing(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", last_name="Russel")
    desk.do("get_lead", lead_id=jack)
    theirs = desk.at(replace(EVE, roles=frozenset(("admin",))))
    assert theirs.do("get_audit_trail", entity=jack)["items"] == []


def test_where_no_log_is_kept_it_says_so(desk: Desk) -> None:
    desk.ports = replace(desk.ports, audit=None)
    assert desk.at(ADMIN).refuse("get_audit_trail")["code"] == "not_set_up"
