"""A record is meant by its name, by what it belongs to, by its place in a list, or by a pronoun: `references.jsonl`."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from aisha.application.orders.matching.targets import Focus, is_referred_to, record_mention
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.conversations.conversation import SessionEntity

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
RECORDS = {
    "Russel": ("lead", "Jack Russel", "Globex"),
    "Sparrow": ("lead", "Jack Sparrow", "Pearl Shipping"),
    "Omar": ("lead", "Omar Benali", "Initech"),
    "Helios": ("opportunity", "Helios Support Renewal", "Helios Solar"),
    "Silverline": ("opportunity", "Silverline Support Renewal", "Silverline Bank"),
    "Rollout": ("opportunity", "Stonebridge Platform Rollout", "Stonebridge Legal"),
    "Quote": ("activity", "Send the revised quote to Priya", "Priya Nair"),
    "Call": ("activity", "Call Rafael about the pilot", "Rafael Monteiro"),
    "Reminder": ("reminder", "Buy flowers", ""),
}
IDS = {key: f"{kind}_01KJWNSTC09TMXGZ2GFDXDYS{place:02}" for place, (key, (kind, *_)) in enumerate(RECORDS.items())}
ROWS = [json.loads(line) for line in Path(__file__).with_name("references.jsonl").read_text("utf-8").splitlines()]


def ids(keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(IDS[key] for key in keys)


def meant(row: dict[str, Any]) -> list[str]:
    """Return the records that a message means, after what a row tells of the conversation."""
    lists = {name: row.get(name, []) for name in ("recent", "candidates", "found", "created")}
    replies = row.get("replies", [])
    known = {key for keys in (*lists.values(), *replies) for key in keys}
    entities = [SessionEntity(IDS[key], kind, name) for key, (kind, name, _) in RECORDS.items() if key in known]
    focus = Focus(
        recently_mentioned=ids(lists["recent"]),
        pronoun_candidates=ids(lists["candidates"]),
        found_this_turn=ids(lists["found"]),
        named_in_replies=[ids(keys) for keys in replies],
        created_this_turn=ids(lists["created"]),
        conversation_records=entities,
        previous_message=row.get("before", ""),
    )
    names = [entity.name for entity in entities]
    is_answer = row.get("answer", False)
    utterance = Utterance(row["say"], NOW, earlier=row.get("earlier", ()), is_answer=is_answer, known_names=names)
    mentions = {key: record_mention(IDS[key], [name], [owner]) for key, (_, name, owner) in RECORDS.items()}
    return [key for key, mention in mentions.items() if is_referred_to(mention, utterance, focus)]


@pytest.mark.parametrize("about", ["names", "pronouns", "lists"])
def test_words_mean_the_records_that_a_reader_would_take_them_for(about: str) -> None:
    rows = [row for row in ROWS if row["about"] == about]
    assert [{**row, "meant": meant(row)} for row in rows] == rows
