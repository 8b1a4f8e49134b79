"""The gate's rules alone: who may use a tool, how many records a call writes, and which rule decides."""

from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.tooling.gate.policy import LASTS, NEVER_UNDONE, UNDONE_FOR_A_DAY, count_records, decide, is_open
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolCall, ToolSpec

ALICE = Principal("demo", "alice", modules=frozenset(("leads",)), roles=frozenset(("member",)))
WRITE = ToolSpec("change_lead", "Change it.", {}, {}, "leads", "write", module="leads")
READ = replace(WRITE, access="read")
OTHER_SYSTEMS = replace(WRITE, toolkit="mcp")
ONE, TWO = [{"name": "A"}], [{"name": "A"}, {"name": "B"}]


@pytest.mark.parametrize(
    ("spec", "roles", "verdict"),
    [
        (WRITE, ["member"], "allow"),
        (replace(WRITE, role="admin"), ["member"], "deny"),
        (replace(WRITE, role="admin"), [], "deny"),
        (replace(WRITE, role="admin"), ["member", "admin"], "allow"),
        (replace(WRITE, module="deals"), ["admin"], "deny"),
        (replace(WRITE, clients=("voice",)), ["admin"], "deny"),
        (replace(WRITE, module=None), [], "allow"),
    ],
)
def test_who_may_use_a_tool(spec: ToolSpec, roles: list[str], verdict: str) -> None:
    user = replace(ALICE, roles=frozenset(roles))
    decision = decide(user, spec)
    assert (decision.verdict, is_open(user, spec)) == (verdict, verdict != "deny")
    assert (decision.error is not None) == (verdict == "deny")


@pytest.mark.parametrize(
    ("spec", "arguments", "count"),
    [
        (READ, {"items": TWO}, 0),
        (WRITE, {}, 1),
        (WRITE, {"tags": ["a", "b"]}, 1),
        (WRITE, {"items": []}, 1),
        (WRITE, {"items": TWO}, 2),
        (WRITE, {"few": ONE, "many": TWO}, 2),
        (WRITE, {"many": TWO, "few": ONE}, 2),
        (WRITE, {"mixed": [*TWO, "a text"]}, 3),
        (OTHER_SYSTEMS, {"ids": ["a", "b"]}, 2),
        (OTHER_SYSTEMS, {"batch": {"close": [{"ids": [1, 2, 3]}]}}, 3),
        (OTHER_SYSTEMS, {"name": "a", "limit": 20}, 1),
    ],
)
def test_a_call_writes_as_many_records_as_its_longest_list_has(
    spec: ToolSpec, arguments: dict[str, Any], count: int
) -> None:
    assert count_records(ToolCall("c1", spec.name, arguments, spec)) == count


def test_a_call_of_no_tool_writes_nothing() -> None:
    assert count_records(ToolCall("c1", "sing", {"items": TWO}, None)) == 0


@pytest.mark.parametrize(("written", "verdict"), [(10, "allow"), (11, "ask")])
def test_more_than_ten_records_are_asked_about(written: int, verdict: str) -> None:
    assert decide(ALICE, WRITE, records_written=written).verdict == verdict
    assert decide(ALICE, READ, records_written=written).verdict == "allow"


@pytest.mark.parametrize(
    ("rule", "doubt", "verdict"),
    [
        ("allow", "", "allow"),
        ("allow", "a doubt", "ask"),
        ("ask", "", "ask"),
        ("deny", "", "deny"),
        ("deny", "a doubt", "deny"),
    ],
)
def test_the_strictest_of_rule_and_doubt_holds(rule: Any, doubt: str, verdict: str) -> None:
    assert decide(ALICE, WRITE, doubt=doubt, rules={WRITE.name: rule}).verdict == verdict
    assert decide(ALICE, WRITE, doubt=doubt, rules={"another_tool": rule}).verdict == ("ask" if doubt else "allow")
    assert is_open(ALICE, WRITE, {WRITE.name: rule}) == (verdict != "deny")


RECEIPTS: dict[str, dict[str, dict[str, str]]] = {"properties": {"receipt": {}}}


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (replace(WRITE, confirmation="always"), LASTS),
        (replace(WRITE, access="delete", confirmation="destructive"), NEVER_UNDONE),
        (replace(WRITE, access="delete", confirmation="destructive", returns=RECEIPTS), UNDONE_FOR_A_DAY),
        (replace(WRITE, access="external", confirmation="destructive", returns=RECEIPTS), NEVER_UNDONE),
        (replace(WRITE, access="external", confirmation="always"), NEVER_UNDONE),
        (replace(WRITE, confirmation="destructive"), ""),
    ],
)
def test_why_a_tool_is_asked_about_by_itself(spec: ToolSpec, reason: str) -> None:
    decision = decide(ALICE, spec)
    assert (decision.verdict, decision.reason) == ("ask" if reason else "allow", reason)
    # What a tool asks for by itself is lifted by no rule and comes before a doubt.
    assert decide(ALICE, spec, doubt="a doubt", rules={spec.name: "allow"}).reason == (reason or "a doubt")
