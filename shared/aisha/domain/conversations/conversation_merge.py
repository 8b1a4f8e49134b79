"""Merge the changes of two turns that ran at once on one conversation."""

from collections.abc import Sequence

from msgspec.structs import replace

from aisha.domain.conversations.conversation import Conversation, PendingConfirmation, SessionEntity

MAX_ENTITIES = 20
"""Records that a conversation remembers."""


def merge(before: Conversation, after: Conversation, stored: Conversation) -> Conversation:
    """Return the head to store by a turn that read `before` and leaves `after`, when `stored` is there by now.

    Values that the turn changed win; the others stay as stored. Its entities come first. `version` and `sequence`
    are the stored ones.
    """
    return replace(
        stored,
        title=after.title if after.title != before.title else stored.title,
        summary=after.summary if after.summary != before.summary else stored.summary,
        pending=_merge_pending(before.pending, after.pending, stored.pending),
        entities=_merge_entities(before.entities, after.entities, stored.entities),
        untrusted_sources=tuple(dict.fromkeys((*stored.untrusted_sources, *after.untrusted_sources))),
        attachments=stored.attachments | after.attachments,
        # The clocks of two functions differ: the time must not go back.
        updated_at=max(after.updated_at, stored.updated_at),
    )


def _merge_pending(
    before: PendingConfirmation | None, after: PendingConfirmation | None, stored: PendingConfirmation | None
) -> PendingConfirmation | None:
    if after == before:
        return stored
    # This turn settled its own question; another turn has asked a new one since.
    if after is None and stored and before and stored.id != before.id:
        return stored
    return after


def _merge_entities(
    before: Sequence[SessionEntity], after: Sequence[SessionEntity], stored: Sequence[SessionEntity]
) -> tuple[SessionEntity, ...]:
    # A turn puts the records that it mentions in front; the rest is as it was.
    mentioned = after[: len(after) - _count_unchanged(before, after)]
    dropped = {entity.id for entity in before} - {entity.id for entity in after}
    merged = {entity.id: entity for entity in mentioned}
    # Those that the other turn mentioned, and the older ones, follow.
    for entity in stored:
        if entity.id not in dropped:
            merged.setdefault(entity.id, entity)
    return tuple(merged.values())[:MAX_ENTITIES]


def _count_unchanged(before: Sequence[SessionEntity], after: Sequence[SessionEntity]) -> int:
    """Return how many entities at the end of `after` are in `before` too, in the same order."""
    rest = list(before)
    count = 0
    for entity in reversed(after):
        if entity not in rest:
            break
        # The next entity must stand before this one in `before`, otherwise the order has changed.
        del rest[len(rest) - 1 - rest[::-1].index(entity) :]
        count += 1
    return count
