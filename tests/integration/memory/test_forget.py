"""Deleting a user removes all that the product's features store about them; the features themselves fill the stores."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from msgspec.structs import asdict

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.application.administration.forget import forget_user
from aisha.application.sweep import SweepDependencies, SweepLimits
from aisha.domain.crm.records import Activity, Lead
from aisha.domain.memory import MemoryChunk
from aisha.settings import read_settings
from infra.local.aws_fakes.manual_queue import ManualQueue
from infra.local.server.sweep import sweep_with
from tests.fakes.aws.api_gateway import ALL_MODULES, Answer, answer_of, call, caller, chat, event, function
from tests.fakes.models.openai_realtime import KEY, openai_realtime
from tests.fakes.world import World

USER = "zelda-7f3c"
MODULES = (*ALL_MODULES, "email")
ZELDA = caller("demo", USER, modules=MODULES, name="Zelda", email="zelda-7f3c@example.com", zoneinfo="Europe/Berlin")
OTHER = caller(
    "demo", "otto-9b1d", modules=MODULES, name="Otto", email="otto-9b1d@example.com", zoneinfo="Europe/Berlin"
)
RECIPIENTS = {USER: "Ada Lovelace", "otto-9b1d": "Grace Hopper"}
"""The lead to whom each user writes, by the user's id."""
WEBHOOK = "https://hooks.example.com/aisha"
KINDS = set(
    "memory reminder preferences receipt idempotency notification notification_settings delivery dismissed_reminder "
    "command suggestion sweep realtime_session".split()
)
"""Kinds of entries that the features store for a user."""


def post(name: str, path: str, body: object, user: Mapping[str, str], key: str | None = None) -> Answer:
    request = event(name, "POST", path, user, json.dumps(body))
    if key is not None:
        request["headers"]["Idempotency-Key"] = key
    answer = answer_of(function(name), request)
    assert answer.status == 200, answer.text
    return answer


def say(text: str, user: Mapping[str, str]) -> None:
    answer = chat({"message": text}, user)
    if answer.json["status"] == "needs_confirmation":
        # What lasts waits for a yes.
        answer = chat({"message": "yes", "conversationId": answer.json["conversationId"]}, user)
    assert answer.status == 200, answer.text
    assert answer.json["status"] == "completed", answer.text


def use_every_feature(world: World, user: Mapping[str, str]) -> None:
    """Use every feature that stores something besides records as this user."""
    lead, _ = world.add(
        "demo", Lead(last_name="Lost", status="contacted"), Lead(last_name="Mine", status="warm", owner=user["user"])
    )
    sweep(world)
    for text in (
        "Remember that I like short answers",
        "Put up a sticky note: water the plant",
        "From now on answer in short sentences",
    ):
        say(text, user)
    say(f"Create a lead named {RECIPIENTS[user['user']]} from Acme", user)
    say(f"Draft a follow-up email to {RECIPIENTS[user['user']]}", user)
    settings = {"channel": "webhook", "webhookUrl": WEBHOOK}
    post("notifications", "/api/ai/notifications/settings", settings, user)
    post("notifications", "/api/ai/notifications", {"title": "Look", "when": "tomorrow at 9am"}, user, "new")
    related, due_at = {"type": "lead", "id": lead.id}, world.clock.now() - timedelta(hours=1)
    due = Activity.model_validate(
        {"title": "Call", "activity_type": "call", "owner": user["user"], "due_at": due_at, "related": related}
    )
    post("notifications", f"/api/ai/notifications/{world.add('demo', due)[0].id}/dismiss", {}, user)
    command = {"commandName": "project_status", "commandType": "button_command", "executionTimeMs": 5, "success": True}
    post("analytics", "/api/ai/analytics", command, user)
    suggestions = call("suggestions", "GET", "/api/ai/suggestions", user).json["suggestions"]
    shared = [suggestion for suggestion in suggestions if suggestion["shared"]]
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


def count_entries(world: World, user: str) -> dict[str, int]:
    """Count by kind the entries that are the user's or contain the user's id."""
    counts: dict[str, int] = {}
    for (tenant, owner, kind), entries in world.entries._entries.items():
        for entry in entries.values():
            is_live = world.entries.find(tenant, owner, kind, entry.id) is not None
            if is_live and (owner == user or user in json.dumps({"id": entry.id, "body": entry.body})):
                counts[kind] = counts.get(kind, 0) + 1
    return counts


def forget(world: World, store: EmbeddedMemoryStore, user: str) -> Mapping[str, Any]:
    return asdict(
        forget_user(
            "demo", user, conversations=world.conversations, entries=world.entries, records=world.records, memory=store
        )
    )


def test_nothing_that_a_feature_stored_names_the_user_afterwards(world: World, store: EmbeddedMemoryStore) -> None:
    for user in (OTHER, ZELDA):
        use_every_feature(world, user)
    store.add([MemoryChunk(f"mem_{USER}", "demo", "Called Ada", world.clock.now(), USER)], [[1.0] * store._dimensions])
    before, other_users = count_entries(world, USER), count_entries(world, "otto-9b1d")
    assert before.keys() >= KINDS, "the features store what is to be deleted"
    deleted = forget(world, store, USER)
    assert count_entries(world, USER) == {}
    assert deleted["conversations"] > 0
    assert (deleted["drafts"], deleted["memories"]) == (1, 1)
    assert count_entries(world, "otto-9b1d") == other_users
    assert world.conversations.recent("demo", USER, 50, None)[0] == []


def suggestion_ids() -> list[str]:
    page = call("suggestions", "GET", "/api/ai/suggestions", OTHER).json
    return [suggestion["id"] for suggestion in page["suggestions"]]


def test_the_users_decisions_about_the_tenants_suggestions_stay(world: World, store: EmbeddedMemoryStore) -> None:
    world.add("demo", Lead(last_name="Lost", status="contacted"))
    sweep(world)
    path = "/api/ai/suggestions"
    dismissed = suggestion_ids()[0]
    post("suggestions", f"{path}/{dismissed}/dismiss", {}, ZELDA)
    remaining = suggestion_ids()
    forget(world, store, USER)
    assert suggestion_ids() == remaining
    assert call("suggestions", "GET", f"{path}?status=dismissed", OTHER).json["suggestions"] == []
    sweep(world)
    assert dismissed not in suggestion_ids()
