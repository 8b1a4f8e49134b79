"""Conversations as items of their table, and back.

| pk | sk | what |
|---|---|---|
| tenant#user#conversation | m#<sequence, 10 digits> | a message |
| tenant#user#conversation | ~head | the head: it sorts after every message, so that one descending query brings both |

The index `by_user` (user_key, updated_at) has heads alone. The pending confirmation has attributes of its own: it can
be taken without rewriting the head; `taken` says by whom the last one was.
"""

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from msgspec import json
from msgspec.structs import replace
from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.expressions.update import Action
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model

from aisha.adapters.dynamodb.tables import BY_USER, table_meta
from aisha.domain.conversation import Conversation, Message, PendingConfirmation

HEAD = "~head"
MESSAGE = "m#"
_conversation = json.Decoder(Conversation)
_message = json.Decoder(Message)
_pending = json.Decoder(PendingConfirmation)


class ByUser(GlobalSecondaryIndex["ConversationItem"]):  # type: ignore[no-untyped-call]
    """Heads of one user's conversations by their last change."""

    class Meta:
        index_name = BY_USER
        projection = AllProjection()

    user_key = UnicodeAttribute(hash_key=True)
    updated_at = UnicodeAttribute(range_key=True)


class ConversationItem(Model):
    """Any item of the table; `sequence` to `pending_id` are the head's."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    body = UnicodeAttribute(null=True)
    expires_at = NumberAttribute(null=True)
    sequence = NumberAttribute(null=True)
    version = NumberAttribute(null=True)
    user_key = UnicodeAttribute(null=True)
    updated_at = UnicodeAttribute(null=True)
    pending = UnicodeAttribute(null=True)
    pending_id = UnicodeAttribute(null=True)
    taken = UnicodeAttribute(null=True)


def conversation_item(name: str, region: str, endpoint: str | None) -> type[ConversationItem]:
    """The model bound to one table of one place."""

    class StoredItem(ConversationItem):
        Meta = table_meta(name, region, endpoint)

        by_user = ByUser()

    return StoredItem


def user_key(tenant: str, user: str) -> str:
    """`tenant#user`; neither can break out of its place."""
    return f"{quote(tenant, safe='@')}#{quote(user, safe='@')}"


def partition(tenant: str, user: str, conversation_id: str) -> str:
    return f"{user_key(tenant, user)}#{quote(conversation_id, safe='')}"


def partition_of(conversation: Conversation) -> str:
    return partition(conversation.tenant, conversation.user, conversation.id)


def message_key(sequence: int) -> str:
    return f"{MESSAGE}{sequence:010d}"


def instant(value: datetime) -> str:
    """Text that sorts as the instants do, whatever their zones."""
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def expiry(value: datetime, days: int) -> int:
    """Seconds since 1970, as the table's time to live wants it."""
    return int((value + timedelta(days=days)).timestamp())


def message_item(model: type[ConversationItem], pk: str, message: Message, days: int) -> ConversationItem:
    body = _text(message)
    return model(pk, message_key(message.sequence), body=body, expires_at=expiry(message.created_at, days))


def read_message(item: ConversationItem) -> Message:
    return _message.decode(item.body)


def head_item(model: type[ConversationItem], head: Conversation, days: int) -> ConversationItem:
    """The whole head, for the first turn of a conversation."""
    pending = head.pending
    return model(
        partition_of(head),
        HEAD,
        body=_body(head),
        expires_at=expiry(head.updated_at, days),
        sequence=head.sequence,
        version=head.version,
        user_key=user_key(head.tenant, head.user),
        updated_at=instant(head.updated_at),
        pending=_text(pending) if pending else None,
        pending_id=pending.id if pending else None,
    )


def head_actions(model: type[ConversationItem], stored: Conversation, head: Conversation, days: int) -> list[Action]:
    """What brings the stored head to `head`; the pending confirmation is touched only where it changes."""
    actions: list[Action] = [
        model.sequence.set(head.sequence),
        model.version.set(head.version),
        model.updated_at.set(instant(head.updated_at)),
        model.expires_at.set(expiry(head.updated_at, days)),
    ]
    if _body(head) != _body(stored):
        actions.append(model.body.set(_body(head)))
    if head.pending and head.pending != stored.pending:
        actions.append(model.pending.set(_text(head.pending)))
        actions.append(model.pending_id.set(head.pending.id))
    if stored.pending and not head.pending:
        actions += [model.pending.remove(), model.pending_id.remove()]
    return actions


def _body(head: Conversation) -> str:
    """What has no attribute of its own."""
    still = datetime.min.replace(tzinfo=UTC)
    bare = replace(head, version=0, sequence=0, updated_at=still, pending=None)
    return _text(bare)


def _text(value: Conversation | Message | PendingConfirmation) -> str:
    return json.encode(value).decode()


def read_head(item: ConversationItem) -> Conversation:
    return replace(
        _conversation.decode(item.body),
        version=int(item.version),
        sequence=int(item.sequence),
        updated_at=datetime.fromisoformat(item.updated_at),
        pending=_pending.decode(item.pending) if item.pending else None,
    )
