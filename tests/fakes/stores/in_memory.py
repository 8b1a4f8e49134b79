"""Repositories and a clock in memory, for tests and the bench. They pass the contract suites of the adapters."""

import json
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from aisha.application.audit.trail import Audit
from aisha.application.tooling.context import ToolPorts
from aisha.domain.conversations.conversation import Conversation, Message, Session
from aisha.domain.conversations.conversation_merge import merge
from aisha.domain.crm.queries import Change, CountRow, Period, RecordPage, RecordQuery, Written
from aisha.domain.crm.record_changes import MAX_IDS, apply, changed_ids, not_found, with_ids
from aisha.domain.crm.records import Record
from aisha.domain.entries import MAX_ENTRIES, Entry, EntryKey, EntryPage, EntryPut, encode_body
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ports import Clock, RecordRepository
from aisha.domain.search.conditions import check_query, check_type, matches
from aisha.domain.search.counts import Counts, Group, count_rows, counts_of, group_of
from aisha.domain.search.cursors import (
    SearchPosition,
    checked_limit,
    invalid_cursor,
    read_position,
    read_search_cursor,
    write_position,
    write_search_cursor,
)
from aisha.domain.search.ordering import order_of, sort_key
from aisha.domain.search.words import FUZZY_TYPES, names_match, record_words, words
from tests.fakes.stores.audit import InMemoryAuditLog
from tests.fakes.systems.mail import RecordingMailSender


class FixedClock:
    """A clock that stands still until it is advanced."""

    def __init__(self, now: datetime = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        self._now += by


def in_memory_ports(clock: Clock, records: RecordRepository | None = None, **more: Any) -> ToolPorts:
    """Return the ports of tools, with new stores in memory and a sender that keeps its mails. `more` are others."""
    ports: dict[str, Any] = {"audit": Audit(InMemoryAuditLog()), "mail": RecordingMailSender()} | more
    return ToolPorts(records or InMemoryRecordRepository(clock), InMemoryEntryRepository(clock), clock, **ports)


class InMemoryRecordRepository:
    """A `RecordRepository` that searches by reading every record of a tenant."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._records: dict[str, dict[str, Record]] = {}
        self._results: dict[tuple[str, str], list[Written]] = {}
        self._lock = threading.RLock()

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        records = self.get_many(tenant, [(entity_type, record_id)])
        if record_id not in records:
            raise not_found(entity_type, record_id)
        return records[record_id]

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        if len(ids) > MAX_IDS:
            raise InvalidInputError(f"At most {MAX_IDS} records at once.")
        with self._lock:
            stored = self._records.get(tenant, {})
            return {key: stored[key] for kind, key in ids if key in stored and kind == stored[key].TYPE}

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        check_query(query)
        order = order_of(query.entity_type, query.order)
        position = read_search_cursor(tenant, query)
        records = sorted(self._matching(tenant, query), key=lambda record: sort_key(record, order))
        rest = [record for record in records if position is None or sort_key(record, order) > position.after]
        page = rest[: query.limit]
        following = SearchPosition("set", sort_key(page[-1], order)) if len(rest) > query.limit else None
        return RecordPage(page, len(records), write_search_cursor(tenant, query, following))

    def _matching(self, tenant: str, query: RecordQuery) -> list[Record]:
        query_words = words(query.name_contains or "")
        if not query_words and (query.name_contains or "").strip():
            return []
        records = [record for record in self._all(tenant) if query.entity_type == record.TYPE]
        named = [record for record in records if names_match(query_words, record_words(record), fuzzy=False)]
        if not named and query.entity_type in FUZZY_TYPES:
            named = [record for record in records if names_match(query_words, record_words(record), fuzzy=True)]
        return [record for record in named if matches(record, query.where)]

    def _all(self, tenant: str) -> list[Record]:
        with self._lock:
            return list(self._records.get(tenant, {}).values())

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        check_type(entity_type)
        sums: dict[Group, Counts] = {}
        for record in self._all(tenant):
            created = record.created_at.astimezone(UTC).date() if record.created_at else None
            if entity_type == record.TYPE and (not period or (created and period.first <= created <= period.last)):
                group = group_of(record)
                sums[group] = sums.get(group, Counts()).plus(counts_of(record))
        return count_rows(sums)

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        with self._lock:
            if operation_id and (earlier_result := self._results.get((tenant, operation_id))):
                return earlier_result
            now = self._clock.now()
            stored = self._records.setdefault(tenant, {})
            identified = with_ids(changes, now)
            touched = {key: stored[key] for key in changed_ids(identified) if key in stored}
            results = apply(tenant, identified, touched, now)
            for result in results:
                if result.after:
                    stored[result.record.id] = result.after
                else:
                    del stored[result.record.id]
            if operation_id:
                self._results[tenant, operation_id] = results
            return results


class InMemoryConversationRepository:
    """A `ConversationRepository` under one lock."""

    def __init__(self) -> None:
        self._heads: dict[tuple[str, str, str], Conversation] = {}
        self._messages: dict[tuple[str, str, str], dict[int, Message]] = {}
        self._taken: dict[tuple[str, str, str], tuple[str, str]] = {}
        self._lock = threading.RLock()

    def load(self, tenant: str, user: str, conversation_id: str, last: int) -> Session:
        with self._lock:
            head = self._head(tenant, user, conversation_id)
            messages = self._ordered(head)
            return Session(head, tuple(messages[max(0, len(messages) - last) :]))

    def begin(self, session: Session, message: Message) -> Session:
        with self._lock:
            start = session.conversation
            stored = self._heads.get(_key(start))
            if stored is None and start.version:
                raise _not_found(start.id)
            stored = stored or start
            moment = max(stored.updated_at, message.created_at)
            head = replace(stored, version=stored.version + 1, sequence=stored.sequence + 2, updated_at=moment)
            earlier = session.messages
            if stored.version != start.version:
                earlier = tuple(self._ordered(stored)[-max(len(earlier), 10) :])
            question = replace(message, sequence=head.sequence - 1)
            answer_id = f"{message.id}.answer"
            answer = Message(answer_id, head.sequence, "assistant", "", message.created_at, finished=False)
            self._heads[_key(head)] = head
            self._messages.setdefault(_key(head), {}).update({question.sequence: question, answer.sequence: answer})
            return Session(head, earlier)

    def finish(
        self, before: Session, after: Conversation, answer: Message, replaced: Sequence[Message] = ()
    ) -> Conversation:
        with self._lock:
            start = before.conversation
            stored = self._head(start.tenant, start.user, start.id)
            head = replace(merge(start, after, stored), version=stored.version + 1)
            sequence = answer.sequence or start.sequence
            self._heads[_key(head)] = head
            self._messages[_key(head)][sequence] = replace(answer, sequence=sequence)
            for message in replaced:
                self._messages[_key(head)].pop(message.sequence, None)
            return head

    def take_pending(self, conversation: Conversation, confirmation_id: str, taker: str = "") -> bool:
        with self._lock:
            if taker and self._taken.get(_key(conversation)) == (confirmation_id, taker):
                return True
            head = self._heads.get(_key(conversation))
            if head is None or head.pending is None or head.pending.id != confirmation_id:
                return False
            self._heads[_key(head)] = replace(head, pending=None)
            self._taken[_key(head)] = (confirmation_id, taker)
            return True

    def recent(self, tenant: str, user: str, limit: int, cursor: str | None) -> tuple[list[Conversation], str | None]:
        with self._lock:
            own = [head for head in self._heads.values() if (head.tenant, head.user) == (tenant, user)]
        own.sort(key=_recency, reverse=True)
        if cursor:
            position = read_position(cursor, str, str, str, str)
            if position[:2] != [tenant, user]:
                raise invalid_cursor()
            own = [head for head in own if _recency(head) < (position[2], position[3])]
        page = own[: checked_limit(limit)]
        return page, write_position(tenant, user, *_recency(page[-1])) if len(own) > limit else None

    def messages(
        self, tenant: str, user: str, conversation_id: str, limit: int, cursor: str | None
    ) -> tuple[list[Message], str | None]:
        with self._lock:
            ordered = self._ordered(self._head(tenant, user, conversation_id))
        after = read_position(cursor, int)[0] if cursor else -1
        rest = [message for message in ordered if message.sequence > after]
        page = rest[: checked_limit(limit)]
        return page, write_position(page[-1].sequence) if len(rest) > limit else None

    def rename(self, tenant: str, user: str, conversation_id: str, title: str) -> Conversation:
        with self._lock:
            stored = self._head(tenant, user, conversation_id)
            head = self._heads[_key(stored)] = replace(stored, title=title, version=stored.version + 1)
            return head

    def delete(self, tenant: str, user: str, conversation_id: str) -> None:
        with self._lock:
            key = _key(self._head(tenant, user, conversation_id))
            del self._heads[key]
            del self._messages[key]

    def _head(self, tenant: str, user: str, conversation_id: str) -> Conversation:
        head = self._heads.get((tenant, user, conversation_id))
        if head is None:
            raise _not_found(conversation_id)
        return head

    def _ordered(self, head: Conversation) -> list[Message]:
        return [message for _, message in sorted(self._messages[_key(head)].items())]


class InMemoryEntryRepository:
    """An `EntryRepository` under one lock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: dict[tuple[str, str | None, str], dict[str, Entry]] = {}
        self._lock = threading.RLock()

    def find(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> Entry | None:
        with self._lock:
            entry = self._entries.get((tenant, owner, kind), {}).get(entry_id)
        return entry if entry and (entry.expires_at is None or entry.expires_at > self._clock.now()) else None

    def page(
        self, tenant: str, owner: str | None, kind: str, *,
        limit: int = 50, cursor: str | None = None, oldest_first: bool = False,
    ) -> EntryPage:  # fmt: skip
        after = read_position(cursor, str)[0] if cursor else None
        with self._lock:
            ids = sorted(self._entries.get((tenant, owner, kind), {}), reverse=not oldest_first)
        rest = [key for key in ids if after is None or (key > after if oldest_first else key < after)]
        entries = [entry for key in rest if (entry := self.find(tenant, owner, kind, key))]
        page = entries[: checked_limit(limit)]
        return EntryPage(page, write_position(page[-1].id) if len(entries) > limit else None)

    def put(
        self, tenant: str, owner: str | None, kind: str, entry_id: str, body: Mapping[str, Any], *,
        expected_version: int | None = None, expires_at: datetime | None = None,
    ) -> Entry:  # fmt: skip
        text = encode_body(entry_id, body)
        with self._lock:
            stored = self.find(tenant, owner, kind, entry_id)
            if expected_version is not None and expected_version != (stored.version if stored else 0):
                raise ConflictError("This was changed in the meantime.")
            now = self._clock.now()
            created_at, version = (stored.created_at, stored.version + 1) if stored else (now, 1)
            entry = Entry(kind, entry_id, json.loads(text), created_at, now, version, expires_at)
            self._entries.setdefault((tenant, owner, kind), {})[entry_id] = entry
            return entry

    def find_many(self, tenant: str, keys: Sequence[EntryKey]) -> dict[EntryKey, Entry]:
        if len(keys) > MAX_ENTRIES:
            raise InvalidInputError(f"At most {MAX_ENTRIES} entries at once.")
        return {key: entry for key in keys if (entry := self.find(tenant, *key))}

    def put_many(self, tenant: str, puts: Sequence[EntryPut]) -> None:
        if len(puts) > MAX_ENTRIES:
            raise InvalidInputError(f"At most {MAX_ENTRIES} entries at once.")
        with self._lock:
            for one in puts:
                encode_body(one.key.id, one.body)
                stored = self.find(tenant, *one.key)
                if one.expected_version is not None and one.expected_version != (stored.version if stored else 0):
                    raise ConflictError("This was changed in the meantime.")
            for one in puts:
                # Of the class itself: what a test counts or breaks is one request, not each of its entries.
                InMemoryEntryRepository.put(self, tenant, *one.key, one.body, expires_at=one.expires_at)

    def delete(
        self, tenant: str, owner: str | None, kind: str, entry_id: str, *, expected: Mapping[str, Any] | None = None
    ) -> bool:
        with self._lock:
            stored = self.find(tenant, owner, kind, entry_id)
            if stored is None or (expected is not None and stored.body != expected):
                return False
            del self._entries[tenant, owner, kind][entry_id]
            return True


def _key(head: Conversation) -> tuple[str, str, str]:
    return head.tenant, head.user, head.id


def _recency(head: Conversation) -> tuple[str, str]:
    return head.updated_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f"), head.id


def _not_found(conversation_id: str) -> NotFoundError:
    return NotFoundError("There is no such conversation.", entity_type="conversation", entity_id=conversation_id)
