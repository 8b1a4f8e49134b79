"""A DynamoDB-backed `ConversationRepository`.

A turn without concurrent turns costs three requests however long the conversation is: `load` is one query, `begin` and
`finish` are one transaction each.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from pynamodb.exceptions import DeleteError, UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from aisha.adapters.dynamodb.conversation_items import (
    HEAD,
    MESSAGE,
    ConversationItem,
    checked_partition,
    head_actions,
    head_item,
    message_item,
    message_key,
    not_found,
    partition,
    partition_of,
    read_head,
    read_message,
    user_key,
)
from aisha.adapters.dynamodb.tables import failure_code, storage_errors, table_model
from aisha.adapters.dynamodb.transactions import (
    COLLISION_CODES,
    CONDITION_FAILED,
    CollisionError,
    pause_after,
    transaction,
)
from aisha.domain.conversations.conversation import Conversation, Message, Session
from aisha.domain.conversations.conversation_merge import merge
from aisha.domain.errors import ConflictError, ContentionError, NotFoundError, PayloadTooLargeError, UnavailableError
from aisha.domain.ids import new_ulid
from aisha.domain.search.cursors import checked_limit, invalid_cursor, read_position, write_position

SAVE_TRIES = 40
"""Tries of one save while other turns save too; in each round at least one of them succeeds."""
MIN_RELOADED_MESSAGES = 10
"""Messages that a turn reads again after another turn saved first: as many as go to a model."""


class DynamoDBConversationRepository:
    """Conversations in `table`. They expire `days` after their last turn, a message `days` after it was written.

    No connection is made before the first call. Every method raises `UnavailableError` when DynamoDB does not answer.
    """

    def __init__(
        self,
        table: str,
        *,
        region: str = "us-east-1",
        endpoint: str | None = None,
        days: int = 365,
        sleep: Callable[[float], None] = time.sleep,
    ):
        self._model = table_model(ConversationItem, table, region, endpoint)
        self._days = days
        self._sleep = sleep

    def load(self, tenant: str, user: str, conversation_id: str, last: int) -> Session:
        """Return the head and the last messages, oldest first, by one strongly consistent query.

        Raises `NotFoundError`.
        """
        pk = checked_partition(partition(tenant, user, conversation_id), conversation_id)
        items = self._query(pk, limit=last + 1, scan_index_forward=False)
        if not items or items[0].sk != HEAD:
            raise not_found(conversation_id)
        messages = tuple(read_message(item) for item in reversed(items[1:]))
        return Session(read_head(items[0]), messages)

    def begin(self, session: Session, message: Message) -> Session:
        """Store the question and an unfinished answer; the returned head's `sequence` is the answer's.

        The session's messages are those before the question. Raises `NotFoundError` when the conversation was deleted
        meanwhile, `ConflictError` after too many tries, `PayloadTooLargeError`.
        """

        def attempt(current: Session) -> Session:
            stored = current.conversation
            # Clocks of two functions differ: a conversation must not move backwards in the list of recent ones.
            moment = max(stored.updated_at, message.created_at)
            head = replace(stored, version=stored.version + 1, sequence=stored.sequence + 2, updated_at=moment)
            question = replace(message, sequence=head.sequence - 1)
            self._save(stored, head, [question, _unfinished(question)])
            return replace(current, conversation=head)

        return self._retrying(session, attempt, lambda: self._reload_session(session))

    def finish(
        self, before: Session, after: Conversation, answer: Message, replaced: Sequence[Message] = ()
    ) -> Conversation:
        """Store the answer and the merged head, and remove the `replaced` messages.

        `before` is the session from `begin`, whose errors apply here too.
        """
        start = before.conversation
        reply = replace(answer, sequence=answer.sequence or start.sequence)

        def attempt(current: Session) -> Conversation:
            stored = current.conversation
            head = replace(merge(start, after, stored), version=stored.version + 1)
            self._save(stored, head, [reply], replaced)
            return head

        return self._retrying(before, attempt, lambda: self._reload(start, 0))

    def take_pending(self, conversation: Conversation, confirmation_id: str, taker: str = "") -> bool:
        head = self._model(partition_of(conversation), HEAD)
        # A taker in any case: a request that botocore repeats finds what its first try has taken.
        taken = f"{confirmation_id}#{taker or new_ulid()}"
        model = self._model
        actions: list[Action] = [model.pending.remove(), model.pending_id.remove(), model.taken.set(taken)]
        condition: Condition = (model.pending_id == confirmation_id) | (model.taken == taken)
        try:
            return self._change_if(lambda: head.update(actions=actions, condition=condition))
        except UnavailableError:
            with suppress(UnavailableError):
                stored = self._query(partition_of(conversation), range_key_condition=self._model.sk == HEAD)
                if stored and stored[0].taken == taken:
                    return True
            raise

    def recent(self, tenant: str, user: str, limit: int, cursor: str | None) -> tuple[list[Conversation], str | None]:
        """Return one page of heads, newest first, and its cursor. Raises `InvalidInputError` for a limit or cursor."""
        owner = user_key(tenant, user)
        start: dict[str, Any] | None = None
        if cursor:
            updated_at, pk = read_position(cursor, str, str)
            # A cursor comes from the client, which may hold one of another user's list.
            if not pk.startswith(f"{owner}#"):
                raise invalid_cursor()
            values = {"pk": pk, "sk": HEAD, "user_key": owner, "updated_at": updated_at}
            start = {name: {"S": value} for name, value in values.items()}
        items = self._query(
            owner,
            index_name="by_user",
            # DynamoDB offers no consistent reads of a global secondary index.
            consistent_read=False,
            scan_index_forward=False,
            limit=checked_limit(limit) + 1,
            last_evaluated_key=start,
        )
        page = items[:limit]
        following = write_position(page[-1].updated_at, page[-1].pk) if len(items) > limit else None
        return [read_head(item) for item in page], following

    def messages(
        self, tenant: str, user: str, conversation_id: str, limit: int, cursor: str | None
    ) -> tuple[list[Message], str | None]:
        """Return one page, oldest first, and its cursor. Raises `NotFoundError`, `InvalidInputError`."""
        # Raises `NotFoundError`: of a deleted conversation some messages may still be there.
        self.load(tenant, user, conversation_id, last=0)
        after = read_position(cursor, int)[0] if cursor else -1
        # ":" follows "9" in ASCII: the range ends after the last message and excludes the head.
        within = self._model.sk.between(message_key(after + 1), f"{MESSAGE}:")
        pk = partition(tenant, user, conversation_id)
        items = self._query(pk, range_key_condition=within, limit=checked_limit(limit) + 1)
        page = [read_message(item) for item in items[:limit]]
        return page, write_position(page[-1].sequence) if len(items) > limit else None

    def rename(self, tenant: str, user: str, conversation_id: str, title: str) -> Conversation:
        """Store another title under the head's version and return the head. Raises `NotFoundError`."""

        def attempt(current: Session) -> Conversation:
            stored = current.conversation
            head = replace(stored, title=title, version=stored.version + 1)
            self._save(stored, head, [])
            return head

        session = self.load(tenant, user, conversation_id, 0)
        return self._retrying(session, attempt, lambda: self._reload(session.conversation, 0))

    def delete(self, tenant: str, user: str, conversation_id: str) -> None:
        """Remove the head, after which no turn can save, then the messages. Raises `NotFoundError`."""
        pk = checked_partition(partition(tenant, user, conversation_id), conversation_id)
        head = self._model(pk, HEAD)
        is_first = self._change_if(lambda: head.delete(condition=self._model.pk.exists()))
        items = self._query(pk, attributes_to_get=["pk", "sk"])
        # Messages without a head were left by a deletion that was cut off or whose answer was lost.
        if not is_first and not items:
            raise not_found(conversation_id)
        with storage_errors(), self._model.batch_write() as batch:
            for item in items:
                batch.delete(item)

    def _query(self, key: str, *, consistent_read: bool = True, **options: Any) -> list[ConversationItem]:
        with storage_errors():
            return list(self._model.query(key, consistent_read=consistent_read, **options))

    def _reload(self, conversation: Conversation, last: int) -> Session:
        return self.load(conversation.tenant, conversation.user, conversation.id, last)

    def _reload_session(self, session: Session) -> Session:
        try:
            return self._reload(session.conversation, max(len(session.messages), MIN_RELOADED_MESSAGES))
        except NotFoundError:
            if session.conversation.version:
                raise
            return session  # Another first turn is just being stored: perhaps it is not there yet.

    def _save(
        self, stored: Conversation, head: Conversation, messages: Sequence[Message], replaced: Sequence[Message] = ()
    ) -> None:
        """Store the head, if it still has the stored version, and the messages in one transaction.

        Raises `CollisionError`.
        """
        model, pk = self._model, checked_partition(partition_of(head), head.id)
        try:
            with transaction(model, _too_large) as writes:
                if stored.version:
                    actions = head_actions(model, stored, head, self._days)
                    writes.update(model(pk, HEAD), actions, condition=model.version == stored.version)
                else:
                    writes.save(head_item(model, head, self._days), condition=model.pk.does_not_exist())
                for message in messages:
                    writes.save(message_item(model, pk, message, self._days))
                for message in replaced:
                    writes.delete(model(pk, message_key(message.sequence)))
        except UnavailableError:
            with suppress(UnavailableError):
                if self._is_stored(pk, messages[-1]):
                    return
            raise

    def _is_stored(self, pk: str, message: Message) -> bool:
        """Return whether the message was saved although the answer was lost; a transaction saves all or nothing."""
        items = self._query(pk, range_key_condition=self._model.sk == message_key(message.sequence))
        return bool(items) and items[0].body == message_item(self._model, pk, message, self._days).body

    def _retrying[T](self, first: Session, attempt: Callable[[Session], T], reload: Callable[[], Session]) -> T:
        current = first
        for tries in range(SAVE_TRIES):
            try:
                return attempt(current)
            except CollisionError:
                self._sleep(pause_after(tries))
                current = reload()
        raise _too_busy()

    def _change_if(self, change: Callable[[], Any]) -> bool:
        """Make a conditional change; return False when its condition does not hold. Other collisions are retried."""
        for tries in range(SAVE_TRIES):
            with storage_errors():
                try:
                    change()
                    return True
                except (UpdateError, DeleteError) as error:
                    if failure_code(error) == CONDITION_FAILED:
                        return False
                    if failure_code(error) not in COLLISION_CODES:
                        raise
            self._sleep(pause_after(tries))
        raise _too_busy()


def _unfinished(question: Message) -> Message:
    return Message(
        id=f"msg_{new_ulid()}",
        sequence=question.sequence + 1,
        role="assistant",
        content="",
        created_at=question.created_at,
        finished=False,
    )


def _too_large(message: str) -> PayloadTooLargeError:
    return PayloadTooLargeError("This message is too long to keep. Shorten it.", detail=message)


def _too_busy() -> ConflictError:
    return ContentionError("Too much is going on in this conversation at once. Please try again in a moment.")
