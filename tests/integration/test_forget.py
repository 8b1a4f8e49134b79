"""All that the product's features keep about a user goes in one call: the features themselves make what is looked for."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import asdict

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.application.administration.forget import forget_user
from aisha.application.sweep import SweepDependencies, SweepLimits
from aisha.domain.memory import MemoryChunk
from aisha.domain.records import Activity, Lead
from aisha.settings import read_settings
from infra.local.aws_fakes.manual_queue import ManualQueue
from infra.local.server.sweep import sweep_with
from tests.fakes.api_gateway import ALL_MODULES, Answer, answer_of, call, caller, chat, event, function
from tests.fakes.openai_realtime import KEY, openai_realtime
from tests.fakes.world import World

USER = "zelda-7f3c"
MODULES = (*ALL_MODULES, "email")
ZELDA = caller("demo", USER, modules=MODULES, name="Zelda", email="zelda-7f3c@example.com", zoneinfo="Europe/Berlin")
OTHER = caller(
    "demo", "otto-9b1d", modules=MODULES, name="Otto", email="otto-9b1d@example.com", zoneinfo="Europe/Berlin"
)
WHOM = {USER: "Ada Lovelace", "otto-9b1d": "Grace Hopper"}
"""Whom they write to."""
WEBHOOK = "https://hooks.example.com/aisha"


def post(name: str, path: str, body: object, user: Mapping[str, str], key: str | None = None) -> Answer:
    sent = event(name, "POST", path, user, json.dumps(body))
    if key is not None:
        sent["headers"]["Idempotency-Key"] = key
    answer = answer_of(function(name), sent)
    assert answer.status == 200, answer.text
    return answer


def say(text: str, user: Mapping[str, str]) -> None:
    answer = chat({"message": text}, user)
    assert answer.status == 200, answer.text
    assert answer.json["status"] == "completed", answer.text


def live(world: World, user: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A day of a user's, with every feature that keeps something besides records."""
    lead, _ = world.add(
        "demo", Lead(last_name="Lost", status="contacted"), Lead(last_name="Mine", status="warm", owner=user["user"])
    )
    sweep(world)
    for said in (
        "Remember that I like short answers",
        "Put up a sticky note: water the plant",
        "From now on answer in short sentences",
    ):
        say(said, user)
    say(f"Create a lead named {WHOM[user['user']]} from Acme", user)
    say(f"Draft a follow-up email to {WHOM[user['user']]}", user)
    settings = {"channel": "webhook", "webhookUrl": WEBHOOK}
    post("notifications", "/api/ai/notifications/settings", settings, user)
    post("notifications", "/api/ai/notifications", {"title": "Look", "when": "tomorrow at 9am"}, user, "new")
    due = Activity.model_validate(
        {"title": "Call", "activity_type": "call", "owner": user["user"], "due_at": world.clock.now() - timedelta(hours=1),
         "related": {"type": "lead", "id": lead.id}}
    )  # fmt: skip
    post("notifications", f"/api/ai/notifications/{world.add('demo', due)[0].id}/dismiss", {}, user)
    command = {"commandName": "project_status", "commandType": "button_command", "executionTimeMs": 5, "success": True}
    post("analytics", "/api/ai/analytics", command, user)
    shared = [
        one for one in call("suggestions", "GET", "/api/ai/suggestions", user).json["suggestions"] if one["shared"]
    ]
    post("suggestions", f"/api/ai/suggestions/{shared[0]['id']}/dismiss", {}, user)
    with openai_realtime() as server:
        environment = {"OPENAI_API_KEY": KEY, "AISHA_OPENAI_BASE_URL": f"{server.url}/v1"}
        world.use(chat_model=world.services.chat_model, settings=read_settings(environment))
        assert call("realtime", "GET", "/api/ai/realtime", user).status == 200
    world.use(settings=read_settings({}))


def sweep(world: World) -> None:
    world.clock.advance(timedelta(days=10))
    queue = ManualQueue()
    sweep_with(SweepDependencies(world.services.tool_ports, queue, SweepLimits()), queue, "demo", 1)


def naming(world: World, user: str) -> dict[str, int]:
    """How many entries of each kind are the user's or have the user's id in them."""
    counts: dict[str, int] = {}
    for (tenant, owner, kind), kept in world.entries._entries.items():
        for entry in kept.values():
            is_there = world.entries.find(tenant, owner, kind, entry.id) is not None
            if is_there and (owner == user or user in json.dumps({"id": entry.id, "body": entry.body})):
                counts[kind] = counts.get(kind, 0) + 1
    return counts


def forget(world: World, store: EmbeddedMemoryStore, user: str) -> Mapping[str, Any]:
    return asdict(
        forget_user(
            "demo", user, conversations=world.conversations, entries=world.entries, records=world.records, memory=store
        )
    )


def test_nothing_that_a_feature_kept_names_the_user_afterwards(
    world: World, store: EmbeddedMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in (OTHER, ZELDA):
        live(world, user, monkeypatch)
    store.add([MemoryChunk(f"mem_{USER}", "demo", "Called Ada", world.clock.now(), USER)], [[1.0] * store._dimensions])
    kept, others = naming(world, USER), naming(world, "otto-9b1d")
    assert kept.keys() >= {
        "memory", "reminder", "preferences", "receipt", "idempotency", "notification", "notification_settings",
        "delivery", "dismissed_reminder", "command", "suggestion", "sweep", "realtime_session",
    }, "the features keep what this test is about"  # fmt: skip
    gone = forget(world, store, USER)
    assert naming(world, USER) == {}
    assert gone["conversations"] > 0
    assert (gone["drafts"], gone["memories"]) == (1, 1)
    assert naming(world, "otto-9b1d") == others
    assert world.conversations.recent("demo", USER, 50, None)[0] == []


def test_what_the_user_decided_about_the_tenants_suggestions_stays_decided(
    world: World, store: EmbeddedMemoryStore
) -> None:
    world.add("demo", Lead(last_name="Lost", status="contacted"))
    sweep(world)
    path = "/api/ai/suggestions"
    shown = call("suggestions", "GET", path, OTHER).json["suggestions"]
    post("suggestions", f"{path}/{shown[0]['id']}/dismiss", {}, ZELDA)
    left = [one["id"] for one in call("suggestions", "GET", path, OTHER).json["suggestions"]]
    forget(world, store, USER)
    assert [one["id"] for one in call("suggestions", "GET", path, OTHER).json["suggestions"]] == left
    assert call("suggestions", "GET", f"{path}?status=dismissed", OTHER).json["suggestions"] == []
    sweep(world)
    assert shown[0]["id"] not in [one["id"] for one in call("suggestions", "GET", path, OTHER).json["suggestions"]]
