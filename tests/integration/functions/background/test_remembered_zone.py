"""The time zone of a user's token is stored with their settings, so that a digest comes at their eight o'clock."""

from collections.abc import Callable, Mapping

import pytest

from aisha.application.notifications.settings import (
    KIND,
    NotificationSettings,
    remember_zone,
    save_settings,
    settings_of,
)
from aisha.domain.crm.records import Record
from aisha.domain.entries import Entry
from aisha.domain.errors import UnavailableError
from aisha.domain.principal import Principal
from tests.fakes.aws.api_gateway import Answer, call, chat
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.world import ALICE, BOB, World

PLACES: dict[str, Callable[[Mapping[str, str]], Answer]] = {
    "suggestions": lambda user: call("suggestions", "GET", "/api/ai/suggestions", user),
    "briefing": lambda user: call("scans", "GET", "/api/ai/scan-briefing", user),
    "notifications": lambda user: call("notifications", "GET", "/api/ai/notifications", user),
    "turn": lambda user: chat({"message": "Create a note for Jack Russel: likes sailing"}, user),
}
ANN = Principal("demo", "ann", zone="Asia/Tokyo", email="ann@example.com")


def stored(world: World, user: str) -> Entry | None:
    return world.entries.find("demo", user, KIND, KIND)


@pytest.mark.parametrize("place", PLACES)
def test_a_request_stores_the_users_zone_with_one_write(world: World, crm: dict[str, Record], place: str) -> None:
    for _ in range(2):
        assert PLACES[place](ALICE).status == 200
    assert settings_of(world.entries, "demo", "alice") == NotificationSettings(zone="Europe/Berlin")
    assert (entry := stored(world, "alice")) is not None
    assert entry.version == 1
    PLACES[place](BOB)
    assert stored(world, "bob") is None, "his token names no zone"


def test_a_turn_that_only_reads_stores_no_zone(world: World, crm: dict[str, Record]) -> None:
    assert chat({"message": "Tell me about Jack Russel"}, ALICE).status == 200
    assert stored(world, "alice") is None


def test_a_new_zone_leaves_the_other_settings() -> None:
    entries = InMemoryEntryRepository(FixedClock())
    save_settings(entries, ANN, NotificationSettings(channel="email", digest_hour=6))
    remember_zone(entries, Principal("demo", "ann"))
    assert settings_of(entries, "demo", "ann").zone == "Asia/Tokyo", "a token without a zone says nothing"
    remember_zone(entries, Principal("demo", "ann", zone="Europe/Paris"))
    expected = NotificationSettings("email", digest_hour=6, zone="Europe/Paris", email="ann@example.com")
    assert settings_of(entries, "demo", "ann") == expected


def test_a_store_that_does_not_answer_fails_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> Entry:
        raise UnavailableError("The store does not answer")

    entries = InMemoryEntryRepository(FixedClock())
    with monkeypatch.context() as patch:
        patch.setattr(entries, "find", away)
        remember_zone(entries, ANN)
    assert entries.find("demo", "ann", KIND, KIND) is None
