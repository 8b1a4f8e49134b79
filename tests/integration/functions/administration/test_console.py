"""The endpoints of an admin's console (usage, turns, profile, the audit log's chain, sweeps) and instructions."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from aisha.application.memory import user_memories
from aisha.application.notifications.reminders import create_reminder
from aisha.application.tenants.profile import profile_of
from aisha.application.tenants.sweep_enrolment import enrol
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.errors import UnavailableError
from tests.fakes.aws.api_gateway import Answer, assert_problem, call, chat
from tests.fakes.world import ALICE, BOB, RIVAL, World

ADMIN = ALICE | {"roles": '["admin"]'}
OTHER_ADMIN = RIVAL | {"roles": '["admin"]'}


def say(text: str, caller: Mapping[str, str] = ALICE) -> dict[str, Any]:
    answer = chat({"message": text}, caller)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def get(function: str, path: str, caller: Mapping[str, str] = ADMIN) -> dict[str, Any]:
    answer = call(function, "GET", path, caller)
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.json
    return body


def change(caller: Mapping[str, str] = ADMIN, **members: Any) -> Answer:
    return call("profile", "PATCH", "/api/ai/profile", caller, json.dumps(members))


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("function", "path"),
    [
        ("analytics", "/api/ai/usage"),
        ("analytics", "/api/ai/turns"),
        ("analytics", "/api/ai/turns/msg_1"),
        ("audit", "/api/ai/audit/verification"),
        ("scans", "/api/ai/sweeps"),
    ],
)
def test_only_admins_read_the_console(function: str, path: str) -> None:
    assert_problem(call(function, "GET", path, ALICE), 403, "permission_denied")


# --- turns and usage


@pytest.mark.usefixtures("crm")
def test_every_turn_is_recorded_by_the_server_with_its_calls_and_cost() -> None:
    answer = say("Tell me about Jack Russel")
    turn = get("analytics", f"/api/ai/turns/{answer['messageId']}")
    assert (turn["user"], turn["status"], turn["conversationId"]) == ("alice", "completed", answer["conversationId"])
    assert [call["name"] for call in turn["calls"]] == [call["name"] for call in answer["toolCalls"]]
    assert turn["calls"][0]["arguments"] == answer["toolCalls"][0]["arguments"]
    assert (turn["costUsd"], turn["model"]) == (answer["usage"]["costUsd"], answer["model"])
    assert turn["promptTokens"] == answer["usage"]["promptTokens"]
    assert "Tell me" not in json.dumps(turn)


@pytest.mark.usefixtures("crm")
def test_turns_are_part_of_the_analytics_without_any_client() -> None:
    say("Show me my warm leads")
    summary = get("analytics", "/api/ai/analytics?commandType=turn", ALICE)
    assert (summary["totalCommands"], summary["mostFrequentCommands"][0]["commandName"]) == (1, "search_leads")
    say("What is on my plate today?")
    assert {"get_my_day", "search_leads"} == {
        command["commandName"]
        for command in get("analytics", "/api/ai/analytics?commandType=turn", ALICE)["mostFrequentCommands"]
    }


def test_a_failed_turn_is_recorded_with_its_error(world: World) -> None:
    class Away:
        def stream(self, request: Any) -> Any:
            raise UnavailableError("The model is away.")

    world.use(chat_model=Away())
    assert chat({"message": "Show me my warm leads"}, ALICE).status == 503
    (turn,) = get("analytics", "/api/ai/turns?success=false")["items"]
    assert (turn["status"], turn["error"]) == ("failed", "The model is away.")


@pytest.mark.usefixtures("crm")
def test_usage_is_added_up_by_user_model_and_day(world: World) -> None:
    say("Show me my warm leads")
    world.clock.advance(timedelta(days=1))
    say("Show me my warm leads")
    say("Show me my cold leads", BOB)
    usage = get("analytics", "/api/ai/usage?days=7")
    assert {row["name"]: row["turns"] for row in usage["byUser"]} == {"alice": 2, "bob": 1}
    assert [(row["name"], row["turns"]) for row in usage["byDay"]] == [("2026-03-02", 1), ("2026-03-03", 2)]
    assert sum(row["turns"] for row in usage["byModel"]) == 3
    assert usage["budget"] == {"month": "2026-03", "budgetUsd": 100.0, "spentUsd": 0.0}
    assert [row["name"] for row in get("analytics", "/api/ai/usage?days=1")["byDay"]] == ["2026-03-03"]


@pytest.mark.usefixtures("crm")
def test_turns_are_filtered_and_stay_within_the_tenant() -> None:
    answer = say("Show me my warm leads")
    say("Show me my contacts", BOB)
    assert [turn["user"] for turn in get("analytics", "/api/ai/turns")["items"]] == ["bob", "alice"]
    assert [turn["user"] for turn in get("analytics", "/api/ai/turns?tool=search_leads")["items"]] == ["alice"]
    assert [turn["user"] for turn in get("analytics", "/api/ai/turns?user=bob")["items"]] == ["bob"]
    assert get("analytics", "/api/ai/turns", OTHER_ADMIN)["items"] == []
    path = f"/api/ai/turns/{answer['messageId']}"
    assert_problem(call("analytics", "GET", path, OTHER_ADMIN), 404, "not_found")


# --- profile


@pytest.mark.usefixtures("world")
def test_without_values_of_its_own_a_tenant_has_the_assistants_stages_and_statuses() -> None:
    values = get("profile", "/api/ai/profile", ALICE)["values"]
    stages = [(one["label"], one["outcome"]) for one in values["opportunity.stage"]]
    assert stages[0] == ("Prospecting", "open")
    assert stages[-2:] == [("Closed won", "won"), ("Closed lost", "lost")]
    assert "outcome" not in values["account.type"][0]


def test_every_user_sees_the_name_and_labels_and_only_admins_the_rest(world: World) -> None:
    world.entries.put("demo", None, "profile", "profile", {"assistant_name": "Ada", "labels": {"lead": "prospect"}})
    profile = get("profile", "/api/ai/profile", ALICE)
    assert (profile["assistantName"], profile["labels"], profile["isAdmin"]) == ("Ada", {"lead": "prospect"}, False)
    assert "admin" not in profile
    assert get("profile", "/api/ai/profile")["admin"]["limits"]["userPerMinute"] == 100


@pytest.mark.usefixtures("crm")
def test_an_admins_change_takes_effect_and_is_in_the_audit_log(world: World) -> None:
    changed = change(assistantName="Ada", rules={"search_leads": "deny"}, version=0)
    assert (changed.status, changed.json["admin"]["version"]) == (200, 1)
    tools = {tool["name"] for tool in get("tools", "/api/ai/tools", ALICE)["items"]}
    assert "search_leads" not in tools
    (entry,) = get("audit", "/api/ai/audit?tool=update_profile")["items"]
    assert (entry["user"], entry["severity"], entry["arguments"]["assistant_name"]) == ("alice", "high", "Ada")


@pytest.mark.usefixtures("crm")
def test_a_rule_by_role_holds_for_the_users_of_that_role_alone() -> None:
    assert change(roleRules={"search_leads": {"trainee": "deny"}}, version=0).status == 200
    tools = {
        roles: {tool["name"] for tool in get("tools", "/api/ai/tools", ALICE | {"roles": roles})["items"]}
        for roles in ('["member"]', '["member", "trainee"]')
    }
    assert ["search_leads" in tools[roles] for roles in sorted(tools)] == [False, True]


def test_an_admin_reads_and_changes_whom_the_tenant_trusts(world: World) -> None:
    world.entries.put("demo", None, "profile", "profile", {"trust": {"create_note": ["*"], "create_lead": []}})
    assert get("profile", "/api/ai/profile")["admin"]["trust"] == {"create_note": ["*"]}
    assert change(trust={"update_lead": ["manager", "admin"]}, version=1).status == 200
    assert get("profile", "/api/ai/profile")["admin"]["trust"] == {"update_lead": ["admin", "manager"]}
    profile = profile_of(world.services.tenant_profiles, "demo")
    assert [profile.trusts("update_lead", [role]) for role in ("admin", "member")] == [True, False]
    assert not profile.trusts("create_note", ["admin"])
    (entry,) = get("audit", "/api/ai/audit?tool=update_profile")["items"]
    assert entry["arguments"] == {"trust": {"update_lead": ["manager", "admin"]}}
    assert change(trust={}, version=2).json["admin"]["trust"] == {}


def test_what_is_left_out_stays_and_what_is_empty_goes(world: World) -> None:
    world.entries.put("demo", None, "profile", "profile", {"plan": "free", "labels": {"lead": "prospect"}})
    assert change(persona=["Warm."], version=1).json["labels"] == {"lead": "prospect"}
    assert change(labels={}, version=2).json["labels"] == {}
    assert get("profile", "/api/ai/profile")["admin"]["plan"] == "free"


@pytest.mark.usefixtures("world")
def test_of_two_admins_at_once_the_second_is_told() -> None:
    assert change(assistantName="Ada", version=0).status == 200
    assert_problem(change(assistantName="Eve", version=0), 409, "conflict")
    assert get("profile", "/api/ai/profile")["assistantName"] == "Ada"


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"personas": ["Kind."]}, "/personas"),
        ({"labels": {"deal": "x"}}, "/labels"),
        ({"rules": {"fly_to_the_moon": "deny"}}, "/rules"),
        ({"rules": {"delete_lead": "maybe"}}, "/rules/delete_lead"),
        ({"roleRules": {"fly_to_the_moon": {"member": "deny"}}}, "/roleRules"),
        ({"roleRules": {"delete_lead": {"member": "maybe"}}}, "/roleRules/delete_lead/member"),
        ({"trust": {"fly_to_the_moon": ["*"]}}, "/trust"),
        ({"trust": {"create_note": []}}, "/trust/create_note"),
        ({"brainlets": {"moood": {"enabled": False}}}, "/brainlets"),
        ({"brainlets": {"summary": {"provider": "acme"}}}, "/brainlets/summary"),
        ({"brainlets": {"summary": {"provider": "offline", "model": "gpt-6"}}}, "/brainlets/summary"),
        ({"persona": [" "]}, "/persona/0"),
        ({"assistantName": "x" * 61}, "/assistantName"),
    ],
)
def test_a_wrong_change_is_refused_and_nothing_is_stored(members: dict[str, Any], pointer: str) -> None:
    assert_problem(change(**members, version=0), 422, "invalid_input", pointer)
    assert get("profile", "/api/ai/profile")["admin"]["version"] == 0


def test_a_change_that_cannot_be_recorded_is_not_made(world: World) -> None:
    world.audit.is_away = True
    assert_problem(change(assistantName="Ada", version=0), 503, "unavailable")
    assert get("profile", "/api/ai/profile")["assistantName"] == "AiSHA"


@pytest.mark.usefixtures("world")
def test_only_admins_change_the_profile() -> None:
    assert_problem(change(ALICE, assistantName="Ada", version=0), 403, "permission_denied")
    assert_problem(change(ALICE, trust={"create_note": ["*"]}, version=0), 403, "permission_denied")


# --- the audit log's chain, sweeps


@pytest.mark.usefixtures("crm")
def test_the_chain_of_the_audit_log_is_verified() -> None:
    say("Set Jack Russel's status to lost")
    report = get("audit", "/api/ai/audit/verification")
    assert (report["isIntact"], report["problems"]) == (True, [])
    assert report["entries"] == report["head"]["sequence"] > 0


def test_a_tenant_without_sweeps_is_told_so(world: World) -> None:
    assert get("scans", "/api/ai/sweeps") == {
        "isEnrolled": False,
        "status": "never",
        "recordsExamined": 0,
        "pages": 0,
        "supersededSuggestions": 0,
        "truncated": False,
        "scans": [],
        "jobs": [],
    }
    enrol(world.entries, "demo")
    assert get("scans", "/api/ai/sweeps")["isEnrolled"] is True


# --- standing instructions


@pytest.mark.usefixtures("world")
def test_instructions_are_added_listed_and_deleted_by_their_user() -> None:
    added = call("preferences", "POST", "/api/ai/instructions", ALICE, json.dumps({"text": "Give amounts in euros."}))
    assert (added.status, added.json["text"]) == (200, "Give amounts in euros.")
    assert [one["text"] for one in get("preferences", "/api/ai/instructions", ALICE)["items"]] == [
        "Give amounts in euros."
    ]
    assert get("preferences", "/api/ai/instructions", BOB)["items"] == []
    path = f"/api/ai/instructions/{added.json['id']}"
    assert_problem(call("preferences", "DELETE", path, BOB), 404, "not_found")
    assert call("preferences", "DELETE", path, ALICE).status == 204
    assert get("preferences", "/api/ai/instructions", ALICE)["items"] == []


# --- what is kept for a user


def test_memories_and_sticky_notes_are_listed_and_deleted_by_their_user(world: World) -> None:
    own = OwnedEntries(world.entries, "demo", "alice")
    own.add(user_memories.KIND, {"text": "ABC Corp pays late."})
    create_reminder(own, "Buy flowers", None)
    create_reminder(own, "Call my dentist", world.clock.now() - timedelta(minutes=1))
    (memory,) = get("preferences", "/api/ai/memories", ALICE)["items"]
    assert memory["text"] == "ABC Corp pays late."
    notes = get("preferences", "/api/ai/sticky-notes", ALICE)["items"]
    assert [(one["text"], one["isDue"]) for one in notes] == [("Call my dentist", True), ("Buy flowers", False)]
    assert (
        not get("preferences", "/api/ai/memories", BOB)["items"]
        + get("preferences", "/api/ai/sticky-notes", BOB)["items"]
    )
    for path in (f"/api/ai/memories/{memory['id']}", f"/api/ai/sticky-notes/{notes[0]['id']}"):
        assert_problem(call("preferences", "DELETE", path, BOB), 404, "not_found")
        assert call("preferences", "DELETE", path, ALICE).status == 204
        assert_problem(call("preferences", "DELETE", path, ALICE), 404, "not_found")
    assert get("preferences", "/api/ai/memories", ALICE)["items"] == []
    assert [one["text"] for one in get("preferences", "/api/ai/sticky-notes", ALICE)["items"]] == ["Buy flowers"]
