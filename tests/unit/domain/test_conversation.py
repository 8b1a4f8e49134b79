"""Stored conversations of earlier releases are read as they were meant."""

from datetime import UTC, datetime

import msgspec

from aisha.domain.conversations.conversation import Conversation

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_what_a_model_has_seen_stays_seen_under_the_name_of_the_first_release() -> None:
    head = Conversation("conv_1", "demo", "alice", "Hi", NOW, NOW, untrusted_sources=("records",))
    stored = msgspec.json.encode(head)
    assert msgspec.json.decode(stored)["sight"] == ["records"]
    assert msgspec.json.decode(stored, type=Conversation) == head
