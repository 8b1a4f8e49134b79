"""Deletion of a user's data, apart from the CRM's own records.

Notes, activities and the audit trail belong to the business and stay. So do grants of roles and modules, which an
administrator revokes. Every step can be repeated: the next run finishes one that was cut off.
"""

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from aisha.application.conversations import analytics
from aisha.application.email.draft import DRAFT_TITLE
from aisha.application.idempotency import keys as idempotency
from aisha.application.mcp import reads as mcp_reads
from aisha.application.mcp import waiting as mcp_waiting
from aisha.application.memory import user_memories
from aisha.application.notifications import delivery as notification_delivery
from aisha.application.notifications import reminders
from aisha.application.notifications import settings as notification_settings
from aisha.application.notifications.due import DISMISSED_ACTIVITY, NOTIFICATION
from aisha.application.suggestions import store as suggestions
from aisha.application.sweep.state import forget_owner
from aisha.application.tenants.preferences import PREFERENCES
from aisha.application.tooling.gate.receipts import KIND as RECEIPT
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.application.turn import journal as turn_journal
from aisha.application.voice import session as voice_session
from aisha.domain.crm.enumerations import NoteType
from aisha.domain.crm.paging import items
from aisha.domain.crm.queries import MAX_PAGE, Condition, Delete, RecordQuery
from aisha.domain.crm.records import Note
from aisha.domain.entries import Entry
from aisha.domain.errors import NotFoundError
from aisha.domain.ports import ConversationRepository, EntryRepository, MemoryStore, RecordRepository

OWN_KINDS = (
    PREFERENCES,
    user_memories.KIND,
    reminders.KIND,
    NOTIFICATION,
    DISMISSED_ACTIVITY,
    RECEIPT,
    idempotency.KIND,
    turn_journal.KIND,
    voice_session.KIND,
    suggestions.KIND,
    suggestions.SHOWN_KIND,
    notification_settings.KIND,
    mcp_reads.KIND,
    mcp_waiting.KIND,
)
"""Kinds of entries that belong to one user."""
SHARED_KINDS = (analytics.KIND, notification_delivery.KIND)
"""Kinds of a tenant's entries that name their user in the body."""
PAGE_SIZE = 50


class ForgottenUser(Struct, frozen=True):
    """Counts of what was deleted. `memories` is None when no memory is set up."""

    conversations: int
    entries: int
    drafts: int
    memories: int | None


def forget_user(
    tenant: str,
    user: str,
    *,
    conversations: ConversationRepository,
    entries: EntryRepository,
    records: RecordRepository,
    memory: MemoryStore | None,
) -> ForgottenUser:
    """Delete the user's conversations, entries, drafts of emails and memories.

    Removes their name from the tenant's data: suggestions that they decided on, and the last sweep. Raises
    `UnavailableError`, and `ConflictError` when others changed the same data meanwhile: the caller repeats it.
    """
    # What others see of the user first: a run that is cut off after it has left no name with them.
    suggestions.forget_decisions(OwnedEntries(entries, tenant, None), user)
    forget_owner(entries, tenant, user)
    return ForgottenUser(
        conversations=_delete_conversations(conversations, tenant, user),
        entries=sum(
            entries.delete(tenant, owner, entry.kind, entry.id) for owner, entry in _entries(entries, tenant, user)
        ),
        drafts=_delete_drafts(records, tenant, user),
        memories=memory.delete_user(tenant, user) if memory is not None else None,
    )


def _delete_conversations(conversations: ConversationRepository, tenant: str, user: str) -> int:
    count, cursor = 0, None
    while True:
        page, cursor = conversations.recent(tenant, user, PAGE_SIZE, cursor)
        for conversation in page:
            with suppress(NotFoundError):  # Another request deleted it meanwhile, or it has expired.
                conversations.delete(tenant, user, conversation.id)
                count += 1
        if cursor is None:
            return count


def _entries(entries: EntryRepository, tenant: str, user: str) -> Iterator[tuple[str | None, Entry]]:
    """Yield the user's own entries, and the tenant's that name the user, each with its owner."""
    for kind in OWN_KINDS:
        # The caller deletes while the pages are read: a cursor names a position by id, so no entry is skipped.
        yield from ((user, entry) for entry in _all(entries, tenant, user, kind))
    for kind in SHARED_KINDS:
        yield from ((None, entry) for entry in _all(entries, tenant, None, kind) if entry.body.get("user") == user)


def _all(entries: EntryRepository, tenant: str, owner: str | None, kind: str) -> Iterator[Entry]:
    return items(lambda cursor: entries.page(tenant, owner, kind, limit=PAGE_SIZE, cursor=cursor))


def _delete_drafts(records: RecordRepository, tenant: str, user: str) -> int:
    # Drafts of emails are notes until they are sent.
    where = (Condition("owner", "eq", user), Condition("note_type", "eq", NoteType.EMAIL))
    count = 0
    for note in items(
        lambda cursor: records.search(tenant, RecordQuery(Note.TYPE, where=where, limit=MAX_PAGE, cursor=cursor))
    ):
        if isinstance(note, Note) and (note.title or "").startswith(DRAFT_TITLE):
            records.write(tenant, [Delete(Note.TYPE, note.id)])
            count += 1
    return count
