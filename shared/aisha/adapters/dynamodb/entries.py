"""A DynamoDB-backed `EntryRepository`.

| pk | sk | item |
|---|---|---|
| tenant#u#user#kind | id | an entry of a user |
| tenant#t##kind | id | an entry of the tenant |

Each write leaves a token of its own in the item. When its answer is lost, or botocore repeats it and the repetition
meets what the first try wrote, the token tells that the write is done.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from urllib.parse import quote

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.exceptions import DeleteError, DoesNotExist, UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action
from pynamodb.models import Model

from aisha.adapters.dynamodb.batches import get_items
from aisha.adapters.dynamodb.tables import failure_code, storage_errors, table_model
from aisha.adapters.dynamodb.transactions import CONDITION_FAILED, CollisionError, transaction
from aisha.domain.entries import MAX_ENTRIES, Entry, EntryKey, EntryPage, EntryPut, encode_body, is_entry_id
from aisha.domain.errors import ConflictError, ContentionError, InvalidInputError, UnavailableError
from aisha.domain.ids import new_ulid
from aisha.domain.ports import Clock
from aisha.domain.search.cursors import checked_limit, read_position, write_position

_CLOCK_TOLERANCE = timedelta(minutes=10)
"""Time after its expiry from which an entry counts as expired on every clock."""


class EntryItem(Model):
    """An entry. Times are ISO 8601 in UTC, `expires_at` is in seconds since 1970; `written_by` is the token of the last
    write.
    """

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    body = UnicodeAttribute()
    version = NumberAttribute()
    created_at = UnicodeAttribute()
    updated_at = UnicodeAttribute()
    expires_at = NumberAttribute(null=True)
    written_by = UnicodeAttribute(null=True)


class DynamoDBEntryRepository:
    """Entries in `table`. No connection is made before the first call.

    Every method raises `UnavailableError` when DynamoDB does not answer.
    """

    def __init__(self, table: str, clock: Clock, *, region: str = "us-east-1", endpoint: str | None = None) -> None:
        self._model = table_model(EntryItem, table, region, endpoint)
        self._clock = clock

    def find(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> Entry | None:
        """Return the entry, or None; strongly consistent."""
        if not is_entry_id(entry_id):
            return None
        with storage_errors():
            try:
                item = self._model.get(_partition(tenant, owner, kind), entry_id, consistent_read=True)
            except DoesNotExist:
                return None
        return _entry(kind, item) if self._is_alive(item) else None

    def page(
        self,
        tenant: str,
        owner: str | None,
        kind: str,
        *,
        limit: int = 50,
        cursor: str | None = None,
        oldest_first: bool = False,
    ) -> EntryPage:
        """Return one page. Expired entries are left out and don't count."""
        after = read_position(cursor, str)[0] if cursor else None
        within: Condition | None = None
        if after is not None:
            within = self._model.sk > after if oldest_first else self._model.sk < after
        # DynamoDB removes expired items up to two days late, so that the query itself has no limit.
        size = checked_limit(limit) + 1
        with storage_errors():
            stored = self._model.query(
                _partition(tenant, owner, kind),
                range_key_condition=within,
                scan_index_forward=oldest_first,
                consistent_read=True,
                page_size=size,
            )
            items = list(islice(filter(self._is_alive, stored), size))
        page = items[:limit]
        following = write_position(page[-1].sk) if len(items) > limit else None
        return EntryPage([_entry(kind, item) for item in page], following)

    def put(
        self,
        tenant: str,
        owner: str | None,
        kind: str,
        entry_id: str,
        body: Mapping[str, Any],
        *,
        expected_version: int | None = None,
        expires_at: datetime | None = None,
    ) -> Entry:
        now = self._clock.now()
        save = EntryPut(EntryKey(owner, kind, entry_id), body, expected_version, expires_at)
        item = self._model(_partition(tenant, owner, kind), entry_id)
        stored = self._write(item, self._saving(save, now), self._expected(expected_version, now))
        if stored is None:
            raise _changed()
        return _entry(kind, stored)

    def find_many(self, tenant: str, keys: Sequence[EntryKey]) -> dict[EntryKey, Entry]:
        _check_number(keys)
        by_place = {(_partition(tenant, key.owner, key.kind), key.id): key for key in keys if is_entry_id(key.id)}
        placed_items = ((by_place[item.pk, item.sk], item) for item in get_items(self._model, by_place))
        return {key: _entry(key.kind, item) for key, item in placed_items if self._is_alive(item)}

    def put_many(self, tenant: str, puts: Sequence[EntryPut]) -> None:
        _check_number(puts)
        if not puts:
            return
        now, token = self._clock.now(), new_ulid()
        # Encoded before the transaction is opened: a body that is too large must not leave half of it behind.
        saves = [(put, [*self._saving(put, now), self._model.written_by.set(token)]) for put in puts]
        try:
            # botocore adds a token, by which DynamoDB recognises a repetition after a lost answer.
            with transaction(self._model) as writes:
                for put, actions in saves:
                    item = self._model(_partition(tenant, put.key.owner, put.key.kind), put.key.id)
                    writes.update(item, actions=actions, condition=self._expected(put.expected_version, now))
        except CollisionError:
            raise _changed() from None

    def delete(
        self, tenant: str, owner: str | None, kind: str, entry_id: str, *, expected: Mapping[str, Any] | None = None
    ) -> bool:
        """Delete the entry; return True to exactly one caller, False when there is none with the `expected` body.

        It is emptied and expires first: of an item that is gone nobody could tell who deleted it.
        """
        if not is_entry_id(entry_id):
            return False
        model, now = self._model, self._clock.now()
        alive = model.expires_at.does_not_exist() | (model.expires_at > int(now.timestamp()))
        past = int((now - _CLOCK_TOLERANCE).timestamp())
        emptied: list[Action] = [model.body.set("{}"), model.expires_at.set(past)]
        condition = model.pk.exists() & alive
        if expected is not None:
            condition &= model.body == encode_body(entry_id, expected)
        stored = self._write(model(_partition(tenant, owner, kind), entry_id), emptied, condition)
        if stored is None:
            return False
        # DynamoDB removes it by its expiry if this fails, or leaves it if it was written anew.
        with suppress(UnavailableError), storage_errors():
            try:
                stored.delete(condition=model.written_by == stored.written_by)
            except DeleteError as error:
                if failure_code(error) != CONDITION_FAILED:
                    raise
        return True

    def _write(self, item: EntryItem, actions: Sequence[Action], condition: Condition | None) -> EntryItem | None:
        """Change the item and return it as it is stored, None when the condition does not hold."""
        token = new_ulid()
        try:
            with storage_errors():
                try:
                    item.update(actions=[*actions, self._model.written_by.set(token)], condition=condition)
                except UpdateError as error:
                    if failure_code(error) != CONDITION_FAILED:
                        raise
                    return self._written(item, token)
        except UnavailableError:
            with suppress(UnavailableError):
                if (stored := self._written(item, token)) is not None:
                    return stored
            raise
        return item

    def _written(self, item: EntryItem, token: str) -> EntryItem | None:
        """Return the stored item if the write with this token was the last one."""
        with storage_errors():
            try:
                stored = self._model.get(item.pk, item.sk, consistent_read=True)
            except DoesNotExist:
                return None
        return stored if stored.written_by == token else None

    def _saving(self, save: EntryPut, now: datetime) -> list[Action]:
        model, expires_at = self._model, save.expires_at
        # `|` is DynamoDB's if_not_exists: the first write sets the time of creation, each one counts the version up.
        return [
            model.body.set(encode_body(save.key.id, save.body)),
            model.updated_at.set(_instant(now)),
            model.created_at.set(model.created_at | _instant(now)),
            model.version.set((model.version | 0) + 1),
            model.expires_at.set(int(expires_at.timestamp())) if expires_at else model.expires_at.remove(),
        ]

    def _expected(self, version: int | None, now: datetime) -> Condition | None:
        model = self._model
        if version is None:
            return None
        # An expired entry that DynamoDB has not removed yet counts as absent, as it does for `find`.
        absent: Condition = model.pk.does_not_exist() | (model.expires_at <= int(now.timestamp()))
        stored: Condition = model.version == version
        return stored if version else absent

    def _is_alive(self, item: EntryItem) -> bool:
        return item.expires_at is None or item.expires_at > self._clock.now().timestamp()


def _partition(tenant: str, owner: str | None, kind: str) -> str:
    place = f"u#{quote(owner, safe='@')}" if owner is not None else "t#"
    return f"{quote(tenant, safe='@')}#{place}#{quote(kind, safe='')}"


def _check_number(several: Sequence[Any]) -> None:
    if len(several) > MAX_ENTRIES:
        raise InvalidInputError(f"At most {MAX_ENTRIES} entries at once.")


def _changed() -> ConflictError:
    return ContentionError("This was changed in the meantime.", suggestion="Read it again and repeat the change.")


def _instant(value: datetime) -> str:
    return value.astimezone(UTC).isoformat()


def _entry(kind: str, item: EntryItem) -> Entry:
    expires = datetime.fromtimestamp(item.expires_at, UTC) if item.expires_at is not None else None
    return Entry(
        kind=kind,
        id=item.sk,
        body=json.loads(item.body),
        created_at=datetime.fromisoformat(item.created_at),
        updated_at=datetime.fromisoformat(item.updated_at),
        version=int(item.version),
        expires_at=expires,
    )
