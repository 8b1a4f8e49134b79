"""The endpoints of scans and suggestions, over stores in memory and the sweep's own functions."""

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest

from aisha.application.sweep import SweepDependencies, process_partition, start_sweep
from aisha.domain.models import ModelFinished, ModelRequest, TextChunk
from aisha.domain.queries import RecordQuery
from aisha.domain.records import Lead, Record
from aisha.settings import read_settings
from infra.local.aws_fakes.manual_queue import ManualQueue
from tests.fakes.api_gateway import Answer, answer_of, assert_problem, call, event, function
from tests.fakes.world import ALICE, BOB, RIVAL, World


def post(name: str, url: str, body: object = None, user: Mapping[str, str] = ALICE, key: str | None = None) -> Answer:
    sent = event(name, "POST", url, user, None if body is None else json.dumps(body))
    if key is not None:
        sent["headers"]["Idempotency-Key"] = key
    return answer_of(function(name), sent)


def scan(scan_type: str = "stale_leads", user: Mapping[str, str] = ALICE, key: str | None = None) -> Answer:
    return post("scans", "/api/ai/scans", {"scanType": scan_type}, user, key)


def listed(user: Mapping[str, str] = ALICE, query: str = "") -> Any:
    answer = call("suggestions", "GET", f"/api/ai/suggestions{query}", user)
    assert answer.status == 200, answer.text
    return answer.json


def sweep(world: World, name: str = "one") -> None:
    queue = ManualQueue()
    deps = SweepDependencies(world.services.tool_ports, queue)
    assert start_sweep("demo", name, world.clock.now(), deps)
    queue.drain(lambda message: process_partition(message, deps))


# --- scans


def test_a_scan_tells_what_it_found(world: World, crm: dict[str, Record]) -> None:
    answer = scan()
    assert answer.status == 200, answer.text
    assert (answer.json["success"], answer.json["scanType"], answer.json["findingsTotal"]) == (True, "stale_leads", 1)
    (found,) = answer.json["findings"]
    assert found["entity"] == {"type": "lead", "id": crm["jack"].id, "name": "Jack Russel"}
    assert (found["tool"], found["priority"]) == ("create_activity", 10)
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
def test_what_is_no_scan_is_refused(world: World, body: dict[str, Any], status: int, code: str) -> None:
    answer = post("scans", "/api/ai/scans", body)
    assert (answer.status, answer.json["code"]) == (status, code)


def test_a_scan_of_closed_modules_is_refused(world: World) -> None:
    assert_problem(scan("deals_at_risk", BOB), 403, "permission_denied")


def test_the_briefing_tells_runs_and_can_be_short(world: World, crm: dict[str, Record]) -> None:
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
def test_a_briefing_of_what_is_not_there_is_refused(world: World, query: str) -> None:
    answer = call("scans", "GET", f"/api/ai/scan-briefing?{query}", ALICE)
    assert_problem(answer, 422, "invalid_input", f"/{query.partition('=')[0]}")


# --- the next step


def test_the_next_step_goes_by_what_there_is(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    listed_now = listed()
    answer = post("scans", "/api/ai/next-step", {}).json
    assert (answer["success"], answer["scanType"]) == (True, None)
    assert answer["response"].startswith("No scan is needed right now.")
    statistics = answer["statistics"]
    assert statistics["suggestionsPending"] == listed_now["pending"] > 0
    assert statistics["recentScansCount"] == 6
    assert (statistics["leadsTotal"], statistics["leadsOpen"], statistics["opportunitiesOpen"]) == (2, 2, 1)
    world.clock.advance(timedelta(days=2))
    assert post("scans", "/api/ai/next-step", {}).json["scanType"] == "deals_at_risk"


def test_what_was_accepted_is_counted(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    made = listed()["suggestions"][0]["id"]
    before = post("scans", "/api/ai/next-step", {}).json["statistics"]
    post("suggestions", f"/api/ai/suggestions/{made}/accept", {})
    after = post("scans", "/api/ai/next-step", {}).json["statistics"]
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"suggestionsPending", "suggestionsAccepted", "leadsWithoutActivity"}
    assert (after["suggestionsAccepted"], before["suggestionsAccepted"]) == (1, 0)


class Advisor:
    """A model that always says the same, and remembers who it was to be."""

    def __init__(self, text: str) -> None:
        self.text, self.asked = text, ("", "")

    def stream(self, request: ModelRequest) -> Iterator[TextChunk | ModelFinished]:
        self.asked = (request.provider or "", request.model or "")
        yield TextChunk(self.text)
        yield ModelFinished("test", "test")


def test_a_model_is_asked_first(world: World, crm: dict[str, Record]) -> None:
    advisor = Advisor('{"scanType": "data_quality", "reason": "An import came in."}')
    world.use(chat_model=advisor)
    answer = post("scans", "/api/ai/next-step", {"provider": "openai", "model": "gpt-4o"}).json
    assert (answer["scanType"], answer["reason"]) == ("data_quality", "An import came in.")
    assert advisor.asked == ("openai", "gpt-4o")


def test_a_model_that_can_not_be_asked_is_said(world: World) -> None:
    assert_problem(post("scans", "/api/ai/next-step", {"provider": "nobody"}), 422, "invalid_input", "/provider")


# --- suggestions


def test_a_sweep_gives_suggestions_and_accepting_one_plans_the_call(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    first = listed()
    one = first["suggestions"][0]
    assert (one["entity"]["name"], one["status"], one["priority"]) == ("Jack Russel", "pending", 10)
    answer = post("suggestions", f"/api/ai/suggestions/{one['id']}/accept", {})
    assert answer.status == 200, answer.text
    assert (answer.json["success"], answer.json["suggestion"]["status"]) == (True, "accepted")
    assert answer.json["toolCall"]["name"] == "create_activity"
    (activity,) = world.records.search("demo", RecordQuery("activity")).items
    assert activity.owner == "alice"
    after = listed()
    assert (after["pending"], after["accepted"]) == (first["pending"] - 1, 1)
    assert_problem(post("suggestions", f"/api/ai/suggestions/{one['id']}/accept", {}), 410, "gone")
    assert [other["id"] for other in listed(query="?status=accepted")["suggestions"]] == [one["id"]]


def test_accepting_with_one_key_is_answered_alike(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    url = f"/api/ai/suggestions/{listed()['suggestions'][0]['id']}/accept"
    first, second = (post("suggestions", url, {}, key="k") for _ in range(2))
    assert first.text == second.text
    assert len(world.records.search("demo", RecordQuery("activity")).items) == 1


def test_suggestions_are_dismissed_and_snoozed(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    first, second = (one["id"] for one in listed()["suggestions"][:2])
    assert post("suggestions", f"/api/ai/suggestions/{first}/dismiss").json["suggestion"]["status"] == "dismissed"
    snoozed = post("suggestions", f"/api/ai/suggestions/{second}/snooze", {"until": "tomorrow at 9am"}).json
    assert snoozed["suggestion"]["snoozedUntil"] == "2026-03-03T09:00:00+01:00"
    assert not {first, second} & {one["id"] for one in listed()["suggestions"]}
    world.clock.advance(timedelta(days=1))
    assert second in {one["id"] for one in listed()["suggestions"]}


def test_only_so_many_are_shown_and_all_are_counted(world: World, crm: dict[str, Record]) -> None:
    for number in range(7):
        world.add("demo", Lead(first_name=f"Warm{number}", status="warm", owner="alice"))
    sweep(world)
    page = listed(query="?limit=3")
    assert (len(page["suggestions"]), page["truncated"]) == (3, False)
    assert page["total"] == page["pending"] >= 8


def test_nobody_elses_suggestions_exist(world: World, crm: dict[str, Record]) -> None:
    sweep(world)
    one = listed()["suggestions"][0]["id"]
    for user in (BOB, RIVAL):
        assert one not in {other["id"] for other in listed(user)["suggestions"]}
        for act, body in (("accept", {}), ("dismiss", None), ("snooze", {})):
            assert_problem(post("suggestions", f"/api/ai/suggestions/{one}/{act}", body, user), 404, "not_found")


@pytest.mark.parametrize(
    ("act", "body", "pointer"),
    [
        ("snooze", {"until": "yesterday"}, "/until"),
        ("snooze", {"until": "blurb"}, "/until"),
        ("accept", {"run": "yes"}, "/run"),
        ("accept", {"arguments": []}, "/arguments"),
    ],
)
def test_what_does_not_fit_is_said(world: World, crm: dict[str, Record], act: str, body: object, pointer: str) -> None:
    sweep(world)
    one = listed()["suggestions"][0]["id"]
    assert_problem(post("suggestions", f"/api/ai/suggestions/{one}/{act}", body), 422, "invalid_input", pointer)


# --- settings of notifications


def test_settings_are_saved_and_the_secret_is_told_once(world: World) -> None:
    url, wanted = "/api/ai/notifications/settings", {"channel": "webhook", "webhookUrl": "https://hooks.example.com/a"}
    first = post("notifications", url, wanted).json
    assert first["webhookSecret"].startswith("whsec_")
    assert (first["zone"], first["email"], first["digestHour"]) == ("Europe/Berlin", "alice@example.com", 8)
    again = post("notifications", url, wanted).json
    shown = call("notifications", "GET", url, ALICE).json
    assert again == shown == {name: value for name, value in first.items() if name != "webhookSecret"}
    assert call("notifications", "GET", url, BOB).json["channel"] == "in_app"
    assert_problem(post("notifications", url, {"channel": "webhook"}), 422, "invalid_input", "/webhookUrl")


def test_a_webhook_without_tls_is_for_local_servers_alone(world: World) -> None:
    url, wanted = "/api/ai/notifications/settings", {"channel": "webhook", "webhookUrl": "http://hooks.example.com/a"}
    body = assert_problem(post("notifications", url, wanted), 422, "invalid_input", "/webhookUrl")
    assert "https://" in body["message"]
    assert call("notifications", "GET", url, ALICE).json["channel"] == "in_app"
    world.use(settings=read_settings({"AISHA_WEBHOOKS_TO_PRIVATE": "true"}))
    assert post("notifications", url, wanted).json["webhookUrl"] == wanted["webhookUrl"]
