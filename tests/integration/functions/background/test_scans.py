"""The endpoints of scans, suggestions and notification settings."""

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest

from aisha.application.sweep import SweepDependencies, process_partition, start_sweep
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import Lead, Record
from aisha.domain.models import ModelFinished, ModelRequest, TextChunk
from aisha.settings import read_settings
from infra.local.aws_fakes.manual_queue import ManualQueue
from tests.fakes.aws.api_gateway import Answer, answer_of, assert_problem, call, event, function
from tests.fakes.world import ALICE, BOB, RIVAL, World


def post(name: str, url: str, body: object = None, user: Mapping[str, str] = ALICE, key: str | None = None) -> Answer:
    sent = event(name, "POST", url, user, None if body is None else json.dumps(body))
    if key is not None:
        sent["headers"]["Idempotency-Key"] = key
    return answer_of(function(name), sent)


def scan(scan_type: str = "stale_leads", user: Mapping[str, str] = ALICE, key: str | None = None) -> Answer:
    return post("scans", "/api/ai/scans", {"scanType": scan_type}, user, key)


def list_suggestions(user: Mapping[str, str] = ALICE, query: str = "") -> Any:
    answer = call("suggestions", "GET", f"/api/ai/suggestions{query}", user)
    assert answer.status == 200, answer.text
    return answer.json


def sweep(world: World, name: str = "one") -> None:
    queue = ManualQueue()
    deps = SweepDependencies(world.services.tool_ports, queue)
    assert start_sweep("demo", name, world.clock.now(), deps)
    queue.drain(lambda message: process_partition(message, deps))


# --- scans


def test_a_scan_returns_its_findings(world: World, crm: dict[str, Record]) -> None:
    answer = scan()
    assert answer.status == 200, answer.text
    assert (answer.json["success"], answer.json["scanType"], answer.json["findingsTotal"]) == (True, "stale_leads", 1)
    (finding,) = answer.json["findings"]
    assert finding["entity"] == {"type": "lead", "id": crm["jack"].id, "name": "Jack Russel"}
    assert (finding["tool"], finding["priority"]) == ("create_activity", 10)
    assert "T10:00:00+01:00" in answer.json["startedAt"]


def test_a_scan_with_one_key_runs_once(world: World, crm: dict[str, Record]) -> None:
    first, second = scan(key="one"), scan(key="one")
    assert first.text == second.text
    assert len(world.records.search("demo", RecordQuery("event")).items) == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"scanType": "vision"}, 422, "invalid_input"),
        ({}, 422, "invalid_input"),
        ({"scanType": 7}, 422, "invalid_input"),
    ],
)
def test_an_unknown_scan_is_refused(world: World, body: dict[str, Any], status: int, code: str) -> None:
    answer = post("scans", "/api/ai/scans", body)
    assert (answer.status, answer.json["code"]) == (status, code)


def test_a_scan_of_closed_modules_is_refused(world: World) -> None:
    assert_problem(scan("deals_at_risk", BOB), 403, "permission_denied")


def test_a_briefing_is_full_or_quick(world: World, crm: dict[str, Record]) -> None:
    scan()
    answer = call("scans", "GET", "/api/ai/scan-briefing", ALICE).json
    assert answer["success"]
    assert "Stale Leads at 10:00 AM (1 finding, 1 new)" in answer["text"]
    assert answer["data"]["statistics"] == {"totalScans": 1, "successfulScans": 1, "failedScans": 0}
    assert answer["data"]["recentScans"][0]["type"] == "stale_leads"
    quick = call("scans", "GET", "/api/ai/scan-briefing?variant=quick&timeframeHours=1", ALICE).json
    assert set(quick) == {"success", "text"}
    assert call("scans", "GET", "/api/ai/scan-briefing", RIVAL).json["text"] == "No scan ran in the last 24 hours."


@pytest.mark.parametrize("query", ["variant=long", "timeframeHours=0", "timeframeHours=x", "timeframeHours=721"])
def test_an_invalid_briefing_query_is_refused(world: World, query: str) -> None:
    answer = call("scans", "GET", f"/api/ai/scan-briefing?{query}", ALICE)
    assert_problem(answer, 422, "invalid_input", f"/{query.partition('=')[0]}")


# --- the next scan


def test_the_next_scan_depends_on_records_and_past_runs(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    suggestions = list_suggestions()
    answer = post("scans", "/api/ai/next-step", {}).json
    assert (answer["success"], answer["scanType"]) == (True, None)
    assert answer["response"].startswith("No scan is needed right now.")
    statistics = answer["statistics"]
    assert statistics["suggestionsPending"] == suggestions["pending"] > 0
    assert statistics["recentScansCount"] == 6
    assert (statistics["leadsTotal"], statistics["leadsOpen"], statistics["opportunitiesOpen"]) == (2, 2, 1)
    world.clock.advance(timedelta(days=2))
    assert post("scans", "/api/ai/next-step", {}).json["scanType"] == "deals_at_risk"


def test_accepted_suggestions_are_counted(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    suggestion_id = list_suggestions()["suggestions"][0]["id"]
    before = post("scans", "/api/ai/next-step", {}).json["statistics"]
    post("suggestions", f"/api/ai/suggestions/{suggestion_id}/accept", {})
    after = post("scans", "/api/ai/next-step", {}).json["statistics"]
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"suggestionsPending", "suggestionsAccepted", "leadsWithoutActivity"}
    assert (after["suggestionsAccepted"], before["suggestionsAccepted"]) == (1, 0)


class Advisor:
    """A model with one reply, which records the requested provider and model."""

    def __init__(self, text: str) -> None:
        self.text, self.requested = text, ("", "")

    def stream(self, request: ModelRequest) -> Iterator[TextChunk | ModelFinished]:
        self.requested = (request.provider or "", request.model or "")
        yield TextChunk(self.text)
        yield ModelFinished("test", "test")


def test_a_model_is_asked_first(world: World, crm: dict[str, Record]) -> None:
    advisor = Advisor('{"scanType": "data_quality", "reason": "An import came in."}')
    world.use(chat_model=advisor)
    answer = post("scans", "/api/ai/next-step", {"provider": "openai", "model": "gpt-4o"}).json
    assert (answer["scanType"], answer["reason"]) == ("data_quality", "An import came in.")
    assert advisor.requested == ("openai", "gpt-4o")


def test_an_unknown_provider_is_refused(world: World) -> None:
    assert_problem(post("scans", "/api/ai/next-step", {"provider": "nobody"}), 422, "invalid_input", "/provider")


# --- suggestions


def test_a_sweep_gives_suggestions_and_accepting_one_plans_the_call(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    first = list_suggestions()
    suggestion = first["suggestions"][0]
    assert (suggestion["entity"]["name"], suggestion["status"], suggestion["priority"]) == (
        "Jack Russel",
        "pending",
        10,
    )
    answer = post("suggestions", f"/api/ai/suggestions/{suggestion['id']}/accept", {})
    assert answer.status == 200, answer.text
    assert (answer.json["success"], answer.json["suggestion"]["status"]) == (True, "accepted")
    assert answer.json["toolCall"]["name"] == "create_activity"
    (activity,) = world.records.search("demo", RecordQuery("activity")).items
    assert activity.owner == "alice"
    after = list_suggestions()
    assert (after["pending"], after["accepted"]) == (first["pending"] - 1, 1)
    assert_problem(post("suggestions", f"/api/ai/suggestions/{suggestion['id']}/accept", {}), 410, "gone")
    assert [item["id"] for item in list_suggestions(query="?status=accepted")["suggestions"]] == [suggestion["id"]]


def test_accepting_with_the_same_key_gets_the_same_answer(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    url = f"/api/ai/suggestions/{list_suggestions()['suggestions'][0]['id']}/accept"
    first, second = (post("suggestions", url, {}, key="k") for _ in range(2))
    assert first.text == second.text
    assert len(world.records.search("demo", RecordQuery("activity")).items) == 1


def test_suggestions_are_dismissed_and_snoozed(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    first, second = (item["id"] for item in list_suggestions()["suggestions"][:2])
    assert post("suggestions", f"/api/ai/suggestions/{first}/dismiss").json["suggestion"]["status"] == "dismissed"
    snoozed = post("suggestions", f"/api/ai/suggestions/{second}/snooze", {"until": "tomorrow at 9am"}).json
    assert snoozed["suggestion"]["snoozedUntil"] == "2026-03-03T09:00:00+01:00"
    assert not {first, second} & {item["id"] for item in list_suggestions()["suggestions"]}
    world.clock.advance(timedelta(days=1))
    assert second in {item["id"] for item in list_suggestions()["suggestions"]}


def test_the_list_is_limited_and_the_counts_are_not(world: World, crm: dict[str, Record]) -> None:
    for number in range(7):
        world.add("demo", Lead(first_name=f"Warm{number}", status="warm", owner="alice"))
    sweep(world)
    page = list_suggestions(query="?limit=3")
    assert (len(page["suggestions"]), page["truncated"]) == (3, False)
    assert page["total"] == page["pending"] >= 8


def test_users_have_separate_suggestions(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    suggestion_id = list_suggestions()["suggestions"][0]["id"]
    for user in (BOB, RIVAL):
        assert suggestion_id not in {item["id"] for item in list_suggestions(user)["suggestions"]}
        for act, body in (("accept", {}), ("dismiss", None), ("snooze", {})):
            assert_problem(
                post("suggestions", f"/api/ai/suggestions/{suggestion_id}/{act}", body, user), 404, "not_found"
            )


@pytest.mark.parametrize(
    ("act", "body", "pointer"),
    [
        ("snooze", {"until": "yesterday"}, "/until"),
        ("snooze", {"until": "blurb"}, "/until"),
        ("accept", {"run": "yes"}, "/run"),
        ("accept", {"arguments": []}, "/arguments"),
    ],
)
def test_an_invalid_decision_is_refused_with_a_pointer(
    world: World, crm: dict[str, Record], act: str, body: object, pointer: str
) -> None:
    sweep(world)
    suggestion_id = list_suggestions()["suggestions"][0]["id"]
    assert_problem(
        post("suggestions", f"/api/ai/suggestions/{suggestion_id}/{act}", body), 422, "invalid_input", pointer
    )


# --- notification settings


def test_settings_are_saved_and_the_secret_is_sent_once(world: World) -> None:
    url, settings = (
        "/api/ai/notifications/settings",
        {"channel": "webhook", "webhookUrl": "https://hooks.example.com/a"},
    )
    first = post("notifications", url, settings).json
    assert first["webhookSecret"].startswith("whsec_")
    assert (first["zone"], first["email"], first["digestHour"]) == ("Europe/Berlin", "alice@example.com", 8)
    again = post("notifications", url, settings).json
    current = call("notifications", "GET", url, ALICE).json
    assert again == current == {name: value for name, value in first.items() if name != "webhookSecret"}
    assert call("notifications", "GET", url, BOB).json["channel"] == "in_app"
    assert_problem(post("notifications", url, {"channel": "webhook"}), 422, "invalid_input", "/webhookUrl")


def test_a_webhook_without_tls_is_allowed_on_local_servers_only(world: World) -> None:
    url, settings = "/api/ai/notifications/settings", {"channel": "webhook", "webhookUrl": "http://hooks.example.com/a"}
    body = assert_problem(post("notifications", url, settings), 422, "invalid_input", "/webhookUrl")
    assert "https://" in body["message"]
    assert call("notifications", "GET", url, ALICE).json["channel"] == "in_app"
    world.use(settings=read_settings({"AISHA_WEBHOOKS_TO_PRIVATE": "true"}))
    assert post("notifications", url, settings).json["webhookUrl"] == settings["webhookUrl"]
