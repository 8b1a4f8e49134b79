"""Entries in DynamoDB: `EntryRepository` over one table.

| pk | sk | what |
|---|---|---|
| tenant#u#user#kind | id | an entry of a user |
| tenant#t##kind | id | an entry of the tenant |
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.exceptions import DeleteError, DoesNotExist, UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action
from pynamodb.models import Model

from aisha.adapters.dynamodb.collisions import LOST
from aisha.adapters.dynamodb.entry_body import LONGEST_ID, checked_body
from aisha.adapters.dynamodb.page_cursor import checked_limit, read_position, write_position
from aisha.adapters.dynamodb.tables import storage_errors, table_meta
from aisha.domain.entries import Entry, EntryPage
from aisha.domain.errors import ConflictError
from aisha.domain.ports import Clock


class EntryItem(Model):
    """An entry; times are ISO 8601 in UTC, `expires_at` seconds since 1970."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    body = UnicodeAttribute()
    version = NumberAttribute()
    created_at = UnicodeAttribute()
    updated_at = UnicodeAttribute()
    expires_at = NumberAttribute(null=True)


def _item_model(name: str, region: str, endpoint: str | None) -> type[EntryItem]:
    class StoredEntry(EntryItem):
        Meta = table_meta(name, region, endpoint)

    return StoredEntry


class DynamoDBEntryRepository:
    """Entries in `table`. No connection is made before the first call.

    Every method raises `UnavailableError` when DynamoDB does not answer.
    """

    def __init__(self, table: str, clock: Clock, *, region: str = "us-east-1", endpoint: str | None = None) -> None:
        self._model = _item_model(table, region, endpoint)
        self._clock = clock

    def find(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> Entry | None:
        """The entry, or None; strongly consistent."""
        if not 0 < len(entry_id) <= LONGEST_ID:
            return None
        with storage_errors():
            try:
                item = self._model.get(_partition(tenant, owner, kind), entry_id, consistent_read=True)
            except DoesNotExist:
                return None
        return _entry(kind, item) if self._is_there(item) else None

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
        """One page; what has expired is left out and does not count."""
        after = read_position(cursor, str)[0] if cursor else None
        within: Condition | None = None
        if after is not None:
            within = self._model.sk > after if oldest_first else self._model.sk < after
        pk, wanted = _partition(tenant, owner, kind), checked_limit(limit)
        shown: list[EntryItem] = []
        with storage_errors():
            found = self._model.query(
                pk, range_key_condition=within, scan_index_forward=oldest_first, consistent_read=True,
                page_size=wanted + 1,
            )  # fmt: skip
            for item in found:
                if self._is_there(item):
                    shown.append(item)
                if len(shown) > wanted:
                    break
        more = write_position(shown[wanted - 1].sk) if len(shown) > wanted else None
        return EntryPage([_entry(kind, item) for item in shown[:wanted]], more)

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
        """Saves the whole body under the version that `expected_version` asks for. Raises `ConflictError`."""
        text = checked_body(entry_id, body)
        model, now = self._model, self._clock.now()
        item = model(_partition(tenant, owner, kind), entry_id)
        actions: list[Action] = [
            model.body.set(text),
            model.updated_at.set(_instant(now)),
            model.created_at.set(model.created_at | _instant(now)),
            model.version.set((model.version | 0) + 1),
            model.expires_at.set(int(expires_at.timestamp())) if expires_at else model.expires_at.remove(),
        ]
        with storage_errors():
            try:
                item.update(actions=actions, condition=self._expected(expected_version, now))
            except UpdateError as error:
                if error.cause_response_code == LOST:
                    raise ConflictError(
                        "This was changed in the meantime.", suggestion="Read it again and repeat the change."
                    ) from None
                raise
        return _entry(kind, item)

    def delete(self, tenant: str, owner: str | None, kind: str, entry_id: str) -> bool:
        """Whether there was one: True for exactly one caller."""
        if not 0 < len(entry_id) <= LONGEST_ID:
            return False
        item = self._model(_partition(tenant, owner, kind), entry_id)
        now = int(self._clock.now().timestamp())
        alive = self._model.expires_at.does_not_exist() | (self._model.expires_at > now)
        with storage_errors():
            try:
                item.delete(condition=self._model.pk.exists() & alive)
            except DeleteError as error:
                if error.cause_response_code == LOST:
                    return False
                raise
        return True

    def _expected(self, version: int | None, now: datetime) -> Condition | None:
        model = self._model
        if version is None:
            return None
        absent: Condition = model.pk.does_not_exist() | (model.expires_at <= int(now.timestamp()))
        stored: Condition = model.version == version
        return stored if version else absent

    def _is_there(self, item: EntryItem) -> bool:
        return item.expires_at is None or item.expires_at > self._clock.now().timestamp()


def _partition(tenant: str, owner: str | None, kind: str) -> str:
    place = f"u#{quote(owner, safe='@')}" if owner is not None else "t#"
    return f"{quote(tenant, safe='@')}#{place}#{quote(kind, safe='')}"


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
