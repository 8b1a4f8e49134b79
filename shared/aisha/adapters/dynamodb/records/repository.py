"""A DynamoDB-backed `RecordRepository`."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta

from aisha.adapters.dynamodb.records.index import Key, operation_key, record_key
from aisha.adapters.dynamodb.records.items import RecordItems
from aisha.adapters.dynamodb.records.names import NameIndex
from aisha.adapters.dynamodb.records.search import RecordSearch
from aisha.adapters.dynamodb.records.transaction import Pair, Put, new_words, pairs, plan_transaction
from aisha.adapters.dynamodb.transactions import CollisionError
from aisha.domain.crm.queries import Change, Written
from aisha.domain.crm.record_changes import MAX_IDS, apply, changed_ids, not_found, with_ids
from aisha.domain.crm.record_json import decode_item, decode_result, encode_result
from aisha.domain.crm.records import Record
from aisha.domain.errors import ContentionError, InvalidInputError, UnavailableError
from aisha.domain.ports import Clock

WRITE_TRIES = 12
RESULT_TTL = timedelta(days=7)
"""Time for which a repeated operation id returns the first result."""


class DynamoDBRecordRepository:
    """Records, their indexes and counters in `table`. Every read is strongly consistent, every write one transaction.

    No connection is made before the first call. Every method raises `UnavailableError` when DynamoDB does not answer.
    """

    def __init__(
        self,
        table: str,
        clock: Clock,
        *,
        region: str = "us-east-1",
        endpoint: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ):
        self._clock = clock
        self._items = RecordItems(table, region, endpoint, sleep)
        self._names = NameIndex(self._items)
        self._search = RecordSearch(self._items, self._names)
        self.search = self._search.search
        self.counts = self._search.counts

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        record = self._search.records(tenant, [record_id]).get(record_id)
        if record is None or entity_type != record.TYPE:
            raise not_found(entity_type, record_id)
        return record

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        if len(ids) > MAX_IDS:
            raise InvalidInputError(f"At most {MAX_IDS} records at once.")
        pairs_of_ids = set(ids)
        records = self._search.records(tenant, (record_id for _, record_id in ids))
        return {record.id: record for record in records.values() if (record.TYPE, record.id) in pairs_of_ids}

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        operation = operation_key(tenant, operation_id) if operation_id else None
        if not changes:
            return self._read(tenant, (), operation)[1] or []
        identified = with_ids(changes, self._clock.now())
        for attempt in range(WRITE_TRIES):
            try:
                return self._attempt(tenant, identified, operation)
            except CollisionError:
                self._items.pause(attempt)
        raise ContentionError("Others are changing the same records right now. Please try again in a moment.")

    def _attempt(self, tenant: str, changes: Sequence[Change], operation: Key | None) -> list[Written]:
        stored, earlier_result = self._read(tenant, changes, operation)
        if earlier_result is not None:
            return earlier_result
        written = apply(tenant, changes, stored, self._clock.now())
        try:
            self._commit(tenant, pairs(stored, written), self._result_item(operation, written))
        except UnavailableError:
            # Perhaps only the response was lost: the operation's own item shows whether the write was done.
            result = self._read(tenant, (), operation)[1]
            if result is None:
                raise
            return result
        return written

    def _read(
        self, tenant: str, changes: Sequence[Change], operation: Key | None
    ) -> tuple[dict[str, Record], list[Written] | None]:
        """Return the records that the changes touch, and the operation's result if it ran already. One request."""
        keys = [record_key(tenant, record_id) for record_id in changed_ids(changes)]
        items = self._items.get_many([*keys, operation] if operation else keys)
        result = items.pop(operation, None) if operation else None
        records = (decode_item(item.body) for item in items.values() if item.body)
        return {record.id: record for record in records}, decode_result(result.body or "[]") if result else None

    def _result_item(self, operation: Key | None, written: Sequence[Written]) -> Put | None:
        if operation is None:
            return None
        expires_at = int((self._clock.now() + RESULT_TTL).timestamp())
        return Put(operation, encode_result(written), expected=0, expires_at=expires_at)

    def _commit(self, tenant: str, changed: Sequence[Pair], result: Put | None) -> None:
        plan = plan_transaction(tenant, changed, result)
        # In this order a failure in between leaves index entries too many, never too few; searches check each entry
        # against its record.
        for (tenant_id, entity_type), words in new_words(changed).items():
            self._names.add_words(tenant_id, entity_type, words)
        if plan.early:
            self._items.put_all(plan.early)
        self._items.transact(plan.transaction)
        if plan.late:
            self._items.remove_all(plan.late)
