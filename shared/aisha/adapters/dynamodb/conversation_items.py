"""Convert conversations to items of their table, and back.

| pk | sk | item |
|---|---|---|
| tenant#user#conversation | m#<sequence, 10 digits> | a message |
| tenant#user#conversation | ~head | the head: it sorts after every message, so that one descending query brings both |

The index `by_user` (user_key, updated_at) holds only heads. The pending confirmation has attributes of its own, so that
it can be taken without rewriting the head; `taken` holds the id of the last one taken, and its taker.
"""

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from msgspec import json
from msgspec.structs import replace
from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.expressions.update import Action
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model

from aisha.adapters.dynamodb.tables import BY_USER
from aisha.domain.conversations.conversation import Conversation, Message, PendingConfirmation
from aisha.domain.errors import NotFoundError

HEAD = "~head"
MESSAGE = "m#"
MAX_ID_LENGTH = 200
_conversation_decoder = json.Decoder(Conversation)
_message_decoder = json.Decoder(Message)
_pending_decoder = json.Decoder(PendingConfirmation)


class ByUser(GlobalSecondaryIndex["ConversationItem"]):  # type: ignore[no-untyped-call]
    """The heads of one user's conversations by their last change."""

    class Meta:
        index_name = BY_USER
        projection = AllProjection()

    user_key = UnicodeAttribute(hash_key=True)
    updated_at = UnicodeAttribute(range_key=True)


class ConversationItem(Model):
    """Any item of the table; only the head has the attributes from `sequence` to `taken`."""

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
    by_user = ByUser()


def user_key(tenant: str, user: str) -> str:
    """Return `tenant#user`, both quoted so that they contain no `#` of their own."""
    return f"{quote(tenant, safe='@')}#{quote(user, safe='@')}"


def partition(tenant: str, user: str, conversation_id: str) -> str:
    return f"{user_key(tenant, user)}#{quote(conversation_id, safe='')}"


def partition_of(conversation: Conversation) -> str:
    return partition(conversation.tenant, conversation.user, conversation.id)


def checked_partition(pk: str, conversation_id: str) -> str:
    """Return the pk. Raises `NotFoundError` for an id that a key can't hold: no conversation has one."""
    if not 0 < len(conversation_id) <= MAX_ID_LENGTH:
        raise not_found(conversation_id[:MAX_ID_LENGTH])
    return pk


def not_found(conversation_id: str) -> NotFoundError:
    return NotFoundError(
        "There is no such conversation.",
        entity_type="conversation",
        entity_id=conversation_id,
        suggestion="List yours, or start a new one by leaving out the conversation's id.",
    )


def message_key(sequence: int) -> str:
    return f"{MESSAGE}{sequence:010d}"


def instant(value: datetime) -> str:
    """Return the instant in UTC as text that sorts chronologically."""
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def expiry(value: datetime, days: int) -> int:
    """Return the end of the retention time in seconds since 1970, as the table's time to live expects it."""
    return int((value + timedelta(days=days)).timestamp())


def message_item(model: type[ConversationItem], pk: str, message: Message, days: int) -> ConversationItem:
    body = _text(message)
    return model(pk, message_key(message.sequence), body=body, expires_at=expiry(message.created_at, days))


def read_message(item: ConversationItem) -> Message:
    return _message_decoder.decode(item.body)


def head_item(model: type[ConversationItem], head: Conversation, days: int) -> ConversationItem:
    """Return the item of a new head, for the first turn of a conversation."""
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
    """Return the updates from the stored head to `head`; the pending confirmation is touched only when it changes."""
    actions: list[Action] = [
        model.sequence.set(head.sequence),
        model.version.set(head.version),
        model.updated_at.set(instant(head.updated_at)),
        model.expires_at.set(expiry(head.updated_at, days)),
    ]
    # Most turns change no more than the numbers and times above, which have attributes of their own.
    if _body(head) != _body(stored):
        actions.append(model.body.set(_body(head)))
    # `take_pending` does not change the version, so no transaction would notice it: writing an unchanged confirmation
    # again would restore one that was taken meanwhile.
    if head.pending and head.pending != stored.pending:
        actions.append(model.pending.set(_text(head.pending)))
        actions.append(model.pending_id.set(head.pending.id))
    if stored.pending and not head.pending:
        actions += [model.pending.remove(), model.pending_id.remove()]
    return actions


def _body(head: Conversation) -> str:
    """Return the head as JSON, without the values that have attributes of their own."""
    no_time = datetime.min.replace(tzinfo=UTC)
    return _text(replace(head, version=0, sequence=0, updated_at=no_time, pending=None))


def _text(value: Conversation | Message | PendingConfirmation) -> str:
    return json.encode(value).decode()


def read_head(item: ConversationItem) -> Conversation:
    return replace(
        _conversation_decoder.decode(item.body),
        version=int(item.version),
        sequence=int(item.sequence),
        updated_at=datetime.fromisoformat(item.updated_at),
        pending=_pending_decoder.decode(item.pending) if item.pending else None,
    )
