"""The CRM's records in DynamoDB: `RecordRepository` over one table."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta

from aisha.adapters.dynamodb.collisions import CollisionError
from aisha.adapters.dynamodb.record_changes import Pair, Put, apply, new_words, not_found, pairs, steps, with_ids
from aisha.adapters.dynamodb.record_index import Key, operation_key, record_key
from aisha.adapters.dynamodb.record_items import RecordItems
from aisha.adapters.dynamodb.record_json import decode_item, decode_result, encode_result
from aisha.adapters.dynamodb.record_names import RecordNames
from aisha.adapters.dynamodb.record_search import RecordSearch
from aisha.domain.errors import ConflictError, InvalidInputError, UnavailableError
from aisha.domain.ports import Clock
from aisha.domain.queries import Change, CountRow, Create, Period, RecordPage, RecordQuery, Written
from aisha.domain.records import Record

MOST_CHANGES = 10
MOST_IDS = 100
WRITE_TRIES = 12
RESULT_KEPT = timedelta(days=7)
"""How long a repeated operation id finds what the first did."""


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
        self._names = RecordNames(self._items)
        self._search = RecordSearch(self._items, self._names)

    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        """Raises `NotFoundError`, also for an id of another type or tenant."""
        record = self._search.records(tenant, [record_id]).get(record_id)
        if record is None or entity_type != record.TYPE:
            raise not_found(entity_type, record_id)
        return record

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Records by id for at most 100 `(entity_type, id)` pairs; what does not exist is left out."""
        if len(ids) > MOST_IDS:
            raise InvalidInputError(f"At most {MOST_IDS} records at once.")
        wanted = set(ids)
        found = self._search.records(tenant, (record_id for _, record_id in ids))
        return {record.id: record for record in found.values() if (record.TYPE, record.id) in wanted}

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """One page, see `RecordQuery`. Raises `InvalidInputError`: a field, a limit or a cursor does not fit."""
        return self._search.search(tenant, query)

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Exact counts and sums by owner, status (or stage, health, note type) and currency."""
        return self._search.counts(tenant, entity_type, period)

    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """All of `changes` (at most 10) or none; the same `operation_id` again, also without changes, returns what the first did.

        A record to create may bring its id (`lead_` and a ULID), so that others of the same write can link to it.
        Raises `NotFoundError`, `ConflictError`, `InvalidInputError`.
        """
        if len(changes) > MOST_CHANGES:
            raise InvalidInputError(f"At most {MOST_CHANGES} records can be written at once.")
        if not changes:
            return self._done(tenant, operation_id) if operation_id else []
        identified = with_ids(changes, self._clock.now())
        for attempt in range(WRITE_TRIES):
            try:
                return self._attempt(tenant, identified, operation_id)
            except CollisionError:
                self._items.pause(attempt)
        raise ConflictError("Others are changing the same records right now. Please try again in a moment.")

    def _attempt(self, tenant: str, changes: Sequence[Change], operation_id: str | None) -> list[Written]:
        operation = operation_key(tenant, operation_id) if operation_id else None
        stored, done = self._before(tenant, changes, operation)
        if done is not None:
            return done
        written = apply(tenant, changes, stored, self._clock.now())
        try:
            self._commit(tenant, pairs(stored, written), self._result(operation, written))
        except UnavailableError:
            # The answer may be lost, not the write: the operation's own item tells.
            done = self._before(tenant, (), operation)[1]
            if done is None:
                raise
            return done
        return written

    def _done(self, tenant: str, operation_id: str) -> list[Written]:
        return self._before(tenant, (), operation_key(tenant, operation_id))[1] or []

    def _before(
        self, tenant: str, changes: Sequence[Change], operation: Key | None
    ) -> tuple[dict[str, Record], list[Written] | None]:
        """The records that the changes are about, and what the operation did if it ran already. One request."""
        ids = {change.record.id if isinstance(change, Create) else change.record_id for change in changes}
        keys = [record_key(tenant, one) for one in ids] + ([operation] if operation else [])
        found = self._items.get_many(keys)
        result = found.pop(operation, None) if operation else None
        records = (decode_item(item.body) for item in found.values() if item.body)
        return {record.id: record for record in records}, decode_result(result.body or "[]") if result else None

    def _result(self, operation: Key | None, written: Sequence[Written]) -> Put | None:
        if operation is None:
            return None
        expires_at = int((self._clock.now() + RESULT_KEPT).timestamp())
        return Put(operation, encode_result(written), expected=0, expires_at=expires_at)

    def _commit(self, tenant: str, changed: Sequence[Pair], result: Put | None) -> None:
        plan = steps(tenant, changed, result)
        for (owner, entity_type), new in new_words(changed).items():
            self._names.learn(owner, entity_type, new)
        if plan.early:
            self._items.put_all(plan.early)
        self._items.transact(plan.transaction)
        if plan.late:
            self._items.remove_all(plan.late)
