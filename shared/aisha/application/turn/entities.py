"""The records of a session, ranked by how likely a pronoun of the next message refers to them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.conversations.tool_results import found_in, receipts_in, record_id_in
from aisha.domain.crm.records import SUBJECT_TYPES
from aisha.domain.json_values import texts_in
from aisha.domain.tools import ToolCall

MAX_ENTITIES = 20
_WORD = re.compile(r"[^\W_]+")
_NOT_NAMED = -1
_WHOLE_NAME = 2
_LISTED = 2
"""The rank of the hits of a list."""


def rank_entities(
    calls: Sequence[ToolCall],
    text: str,
    before: Sequence[SessionEntity],
    versions: Mapping[tuple[str, datetime], int] | None = None,
    reply: str = "",
) -> tuple[SessionEntity, ...]:
    """Return the session's records after a turn, at most 20; the first is the one that "him" or "it" refers to.

    First come records that the user's text names or a call has as an argument; then single hits and records that were
    read or written; then lists in their order; then the records `before` the turn. People and deals come before
    activities and notes, of equals the only one of its kind that the `reply` names, and later calls before earlier
    ones. Left out are deleted records and hits of a list that the `reply` does not name: the user has never seen them,
    so no later "him" or "the oldest" can mean them.
    """
    done = [call for call in calls if call.result.ok]
    results = _with_aliases(_entities_of(done), before)
    words, reply_words = _spaced_words(text), _spaced_words(reply)
    arguments = {argument for call in done for argument in texts_in(call.arguments)}
    targets = {target for call in done for target in _targets(call.result.value)}

    def rank(entity: SessionEntity) -> tuple[int, int, int, bool]:
        strength, place = _match_name(entity, words)
        is_side = entity.type not in SUBJECT_TYPES
        if is_side and entity.id in created:
            strength = 0  # The text that ordered "Meeting with Ann" names Ann, and no meeting that there was.
        # An activity or a note that is only an argument does not take the focus from the person that it is about.
        if strength or (entity.id in arguments and not is_side):
            return 0, -strength, -place, entity.id not in singled_out
        group = 1 if entity.id in targets else _LISTED if entity.id in results else 3
        return group, int(is_side), 0, entity.id not in singled_out

    created, deleted = (_ids_with_action(done, action) for action in ("created", "deleted"))
    candidates = [*results.values(), *(entity for entity in before if entity.id not in results)]
    strengths = {entity.id: _match_name(entity, reply_words)[0] for entity in candidates}
    singled_out = _only_ones_named(candidates, strengths)
    ranks, ids_before = {entity.id: rank(entity) for entity in candidates}, {entity.id for entity in before}

    def is_visible(entity: SessionEntity) -> bool:
        is_mere_hit = entity.id not in ids_before and ranks[entity.id][0] == _LISTED
        return not is_mere_hit or strengths[entity.id] > 0

    visible = [entity for entity in candidates if entity.id not in deleted and is_visible(entity)]
    # Stable: records of one rank keep the order of the calls and of the session.
    ranked = sorted(visible, key=lambda entity: ranks[entity.id])[:MAX_ENTITIES]
    read_at = _last_read((*before, *(entity for call in done for entity in found_in(call.result))))
    versions_seen = {(entity.id, entity.seen): entity.version for entity in before} | dict(versions or {})
    read = ((entity, read_at.get(entity.id)) for entity in ranked)
    return tuple(replace(entity, seen=at, version=versions_seen.get((entity.id, at))) for entity, at in read)


def _only_ones_named(entities: Iterable[SessionEntity], strengths: Mapping[str, int]) -> frozenset[str]:
    """Return the ids of the records that a text names, by the `strengths` of their names in it, alone of their kind."""
    named = [entity for entity in entities if strengths[entity.id] == _WHOLE_NAME]
    counts = Counter(entity.type for entity in named)
    return frozenset(entity.id for entity in named if counts[entity.type] == 1)


def _spaced_words(text: str) -> str:
    """Return the words of a text in lower case, with one space before and after each."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _ids_with_action(calls: Sequence[ToolCall], action: str) -> set[str]:
    receipts = (receipt for call in calls for receipt in receipts_in(call.result.value))
    return {receipt["entity"]["id"] for receipt in receipts if receipt.get("action") == action}


def _last_read(entities: Iterable[SessionEntity]) -> dict[str, datetime]:
    """Return the last change of each record in its latest state that was read, by id."""
    times: dict[str, datetime] = {}
    for entity in entities:
        if entity.seen is not None:
            times[entity.id] = max(entity.seen, times.get(entity.id, entity.seen))
    return times


def _entities_of(calls: Sequence[ToolCall]) -> dict[str, SessionEntity]:
    """Return the records of the calls' results by id, later calls first, each in its version with the most aliases."""
    entities: dict[str, SessionEntity] = {}
    # Later calls first: the last thing that was shown is the likeliest to be meant.
    for call in reversed(calls):
        for entity in found_in(call.result):
            earlier = entities.get(entity.id)
            if earlier is None or len(earlier.aliases) < len(entity.aliases):
                entities[entity.id] = entity
    return entities


def _with_aliases(entities: Mapping[str, SessionEntity], before: Sequence[SessionEntity]) -> dict[str, SessionEntity]:
    """Return the records; one that is only referred to keeps the aliases that it had, such as company and email."""
    earlier = {entity.id: entity for entity in before}
    return {
        entity_id: earlier[entity_id] if _is_mere_reference(entity, earlier.get(entity_id)) else entity
        for entity_id, entity in entities.items()
    }


def _is_mere_reference(entity: SessionEntity, before: SessionEntity | None) -> bool:
    return before is not None and before.name == entity.name and len(before.aliases) > len(entity.aliases)


def _targets(value: Any) -> Iterable[str | None]:
    """Yield the ids of the records that a call was about: the only hit of a list, a record that was read or written.

    Of what is no record, it yields None.
    """
    if not isinstance(value, dict):
        return
    items = value.get("items")
    if isinstance(items, list):
        if len(items) == 1 and value.get("total") in (1, None):
            yield record_id_in(items[0])
    else:
        yield record_id_in(value)
        yield from map(record_id_in, value.values())
    for receipt in receipts_in(value):
        yield receipt["entity"]["id"]


def _match_name(entity: SessionEntity, text: str) -> tuple[int, int]:
    """Return how well a text names the record (2: its whole name, 1: a word of it, 0: not at all) and at which index.

    `text` comes from `_spaced_words`. The index is that of the last mention.
    """
    words = _WORD.findall(entity.name.lower())
    if (place := text.rfind(f" {' '.join(words)} ")) != _NOT_NAMED:
        return _WHOLE_NAME, place
    # An initial does not count: the “a” of “Ann A.” is in every text.
    places = [text.rfind(f" {word} ") for word in words if len(word) > 1]
    last = max(places, default=_NOT_NAMED)
    return (1, last) if last != _NOT_NAMED else (0, _NOT_NAMED)
