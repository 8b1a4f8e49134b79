"""Two turns at once on one conversation: what both did to the head, put together. Pure: no storage here."""

from collections.abc import Sequence

from msgspec.structs import replace

from aisha.domain.conversation import Conversation, PendingConfirmation, SessionEntity

MOST_ENTITIES = 20
"""Records that a conversation keeps in mind."""


def merge(before: Conversation, after: Conversation, stored: Conversation) -> Conversation:
    """The head to store by a turn that found `before` and leaves `after`, when `stored` is what is there now.

    What the turn changed wins; what it left alone stays as stored. Its entities come in front. `version` and
    `sequence` are the stored ones.
    """
    return replace(
        stored,
        title=after.title if after.title != before.title else stored.title,
        summary=after.summary if after.summary != before.summary else stored.summary,
        pending=_pending(before.pending, after.pending, stored.pending),
        entities=_entities(before.entities, after.entities, stored.entities),
        attachments=stored.attachments | after.attachments,
        updated_at=max(after.updated_at, stored.updated_at),
    )


def _pending(
    before: PendingConfirmation | None, after: PendingConfirmation | None, stored: PendingConfirmation | None
) -> PendingConfirmation | None:
    if after == before:
        return stored
    if after is None and stored and before and stored.id != before.id:
        return stored  # This turn settled its own question; another turn asked a new one since.
    return after


def _entities(
    before: Sequence[SessionEntity], after: Sequence[SessionEntity], stored: Sequence[SessionEntity]
) -> tuple[SessionEntity, ...]:
    mentioned = after[: len(after) - _untouched(before, after)]
    dropped = {entity.id for entity in before} - {entity.id for entity in after}
    by_id = {entity.id: entity for entity in stored if entity.id not in dropped}
    merged = {entity.id: entity for entity in mentioned}
    merged.update((entity_id, entity) for entity_id, entity in by_id.items() if entity_id not in merged)
    return tuple(merged.values())[:MOST_ENTITIES]


def _untouched(before: Sequence[SessionEntity], after: Sequence[SessionEntity]) -> int:
    """How many entities at the end of `after` stand there as they did before, in the old order."""
    rest = list(before)
    count = 0
    for entity in reversed(after):
        if entity not in rest:
            break
        del rest[len(rest) - 1 - rest[::-1].index(entity) :]
        count += 1
    return count
