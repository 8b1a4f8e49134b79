"""Which records a turn was about: found in any tool's result, put in the order in which people would mean them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aisha.domain.conversation import SessionEntity
from aisha.domain.records import RECORD_TYPES, Record
from aisha.domain.tools import ToolCall

MOST_ENTITIES = 20
SUBJECTS = ("lead", "contact", "account", "opportunity")
"""What people talk about; an activity or a note is about one of these."""
_SHORTEST_ALIAS = 3
_DEEPEST = 8
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Mention:
    """What one call brought. `targets` are the ids it was about: a single hit, the record read or written."""

    call: ToolCall
    found: tuple[SessionEntity, ...]
    targets: frozenset[str]
    pointed: frozenset[str]
    deleted: frozenset[str]


def aliases_of(name: str, *more: str | None) -> tuple[str, ...]:
    """Lower-cased: the full name, each word of it with 3 letters or more, company and email (C-A9)."""
    lowered = name.lower()
    words = (word for word in _WORD.findall(lowered) if len(word) >= _SHORTEST_ALIAS)
    known = dict.fromkeys((lowered, *words, *(text.lower() for text in more if text)))
    return tuple(alias for alias in known if alias)


def entity_of_record(record: Record) -> SessionEntity:
    """A stored record as the session keeps it."""
    name = record.display_name
    aliases = aliases_of(name, getattr(record, "company", None), getattr(record, "email", None))
    return SessionEntity(record.id, record.entity_type, name, aliases)


def mention_of(call: ToolCall) -> Mention:
    """What the call's result is about; nothing for a call that failed."""
    pointed = frozenset(_ids_in(call.arguments))
    if not call.result.ok:
        return Mention(call, (), frozenset(), pointed, frozenset())
    value = call.result.value
    found: dict[str, SessionEntity] = {}
    for entity in _walk(value, 0):
        known = found.get(entity.id)
        if known is None or len(known.aliases) < len(entity.aliases):
            found[entity.id] = entity
    receipts = list(_receipts(value))
    targets = {receipt["entity"]["id"] for receipt in receipts} | set(_targets(value))
    deleted = {receipt["entity"]["id"] for receipt in receipts if receipt.get("action") == "deleted"}
    return Mention(call, tuple(found.values()), frozenset(targets), pointed, frozenset(deleted))


def ranked(
    mentions: Sequence[Mention], text: str, before: Sequence[SessionEntity], most: int = MOST_ENTITIES
) -> tuple[SessionEntity, ...]:
    """The session's records after a turn, the one meant by "him" or "it" first, at most `most`.

    In front: what the user's words name or a call points at; then single hits and what was read or written; then lists in
    their order; then what was there before. Within these, what people talk about before activities and notes, and later
    calls before earlier ones. What was deleted is gone.
    """
    deleted = {entity_id for mention in mentions for entity_id in mention.deleted}
    said = f" {' '.join(_WORD.findall(text.lower()))} "
    candidates: dict[str, SessionEntity] = {}
    keys: dict[str, tuple[int, int, int, int]] = {}
    for mention in reversed(mentions):
        for place, entity in enumerate(mention.found):
            key = _key(entity, mention, said, place)
            if entity.id not in keys or key[:2] < keys[entity.id][:2]:
                keys[entity.id] = (*key[:2], len(keys), place) if entity.id not in keys else keys[entity.id]
                keys[entity.id] = (key[0], key[1], keys[entity.id][2], keys[entity.id][3])
            candidates.setdefault(entity.id, entity)
    for entity in before:
        if entity.id not in candidates and _is_pointed(entity, mentions):
            candidates[entity.id] = entity
            keys[entity.id] = (0, 0, len(keys), 0)
    return ()


def merged(front: Iterable[SessionEntity], rest: Iterable[SessionEntity]) -> tuple[SessionEntity, ...]:
    """Both without repetition, what stands in front first, at most 20."""
    together: dict[str, SessionEntity] = {}
    for entity in (*front, *rest):
        together.setdefault(entity.id, entity)
    return tuple(together.values())[:MOST_ENTITIES]
