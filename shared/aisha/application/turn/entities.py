"""The session's records after a turn, in the order in which people would mean them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aisha.domain.conversation import SessionEntity
from aisha.domain.records import SUBJECT_TYPES
from aisha.domain.tool_results import entity_in, found_in, receipts_in
from aisha.domain.tools import ToolCall

MAX_ENTITIES = 20
_WORD = re.compile(r"[^\W_]+")
_NOWHERE = -1


def mentioned(calls: Sequence[ToolCall], text: str, before: Sequence[SessionEntity]) -> tuple[SessionEntity, ...]:
    """The session's records after a turn, the one meant by "him" or "it" first, at most 20.

    In front: what the user's words name or a call points at; then single hits and what was read or written; then lists
    in their order; then what was there before. People and deals come before activities and notes, later calls before
    earlier ones. What was deleted is gone.
    """
    done = [call for call in calls if call.result.ok]
    found = _found(done)
    pointed = {text for call in done for text in _texts(call.arguments)}
    targets = {target for call in done for target in _targets(call.result.value)}
    said = f" {' '.join(_WORD.findall(text.lower()))} "

    def rank(entity: SessionEntity) -> tuple[int, int, int]:
        strength, place = _said_of(entity, said)
        is_side = entity.type not in SUBJECT_TYPES
        if strength or (entity.id in pointed and not is_side):
            return 0, -strength, -place
        group = 1 if entity.id in targets else 2 if entity.id in found else 3
        return group, int(is_side), 0

    deleted = {receipt["entity"]["id"] for call in done for receipt in receipts_in(call.result.value)
               if receipt.get("action") == "deleted"}  # fmt: skip
    known = {entity.id: entity for entity in before} | found
    candidates = [*found.values(), *(entity for entity in before if entity.id not in found)]
    ordered = sorted((known[entity.id] for entity in candidates if entity.id not in deleted), key=rank)
    return tuple(ordered[:MAX_ENTITIES])


def _found(calls: Sequence[ToolCall]) -> dict[str, SessionEntity]:
    """By id, those of later calls first."""
    found: dict[str, SessionEntity] = {}
    for call in reversed(calls):
        for entity in found_in(call.result):
            known = found.get(entity.id)
            if known is None or len(known.aliases) < len(entity.aliases):
                found[entity.id] = entity
    return found


def _targets(value: Any) -> Iterable[str]:
    """Ids of what the call was about: the only hit of a list, a record read on its own or written."""
    if not isinstance(value, dict):
        return
    items = value.get("items")
    if isinstance(items, list):
        if len(items) == 1 and value.get("total") in (1, None):
            yield from _own_id(items[0])
    else:
        yield from _own_id(value)
        for part in value.values():
            yield from _own_id(part)
    for receipt in receipts_in(value):
        yield receipt["entity"]["id"]


def _own_id(value: Any) -> Iterable[str]:
    if isinstance(value, dict) and (entity := entity_in(value)) is not None:
        yield entity.id


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def _said_of(entity: SessionEntity, said: str) -> tuple[int, int]:
    """How surely the words name the record (2: its whole name, 1: a word of it) and where; (0, -1) when they don't."""
    words = _WORD.findall(entity.name.lower())
    if (place := said.rfind(f" {' '.join(words)} ")) != _NOWHERE:
        return 2, place
    places = [said.rfind(f" {word} ") for word in words if len(word) > 1]
    best = max(places, default=_NOWHERE)
    return (1, best) if best != _NOWHERE else (0, _NOWHERE)
