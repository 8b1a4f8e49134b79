"""The audit log in DynamoDB: `AuditLog` in the table of entries, each tenant in a partition of its own.

| pk | sk | what |
|---|---|---|
| audit#tenant | entry#000000000042 | an entry at its place, sealed |
| audit#tenant | head | how many there are, and the last one's hash |

An append is one transaction: the new entries, which must not be there yet, and the head, which must be as it was read.
There is no method that changes or deletes an entry.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.exceptions import DoesNotExist, TransactWriteError
from pynamodb.expressions.update import Action
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

from aisha.adapters.dynamodb.collisions import COLLISIONS, CollisionError, codes_of, pause_after
from aisha.adapters.dynamodb.tables import storage_errors, table_meta
from aisha.domain.audit import AuditEntry, AuditHead, AuditLink, chained, entry_of
from aisha.domain.errors import InvalidInputError, UnavailableError

MOST_AT_ONCE = 25
TRIES = 40
"""Of one append while others append too; each round one of them gets through."""
MOST_HEADS = 10_000
"""Tenants whose last head is remembered; without one an append reads it first."""
HEAD = "head"
_DIGITS = 12


class AuditItem(Model):
    """An entry (`body` and its seal) or the head (`sequence` and `hash`)."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    body = UnicodeAttribute(null=True)
    previous_hash = UnicodeAttribute(null=True)
    hash = UnicodeAttribute(null=True)
    sequence = NumberAttribute(null=True)


def _item_model(name: str, region: str, endpoint: str | None) -> type[AuditItem]:
    class StoredAudit(AuditItem):
        Meta = table_meta(name, region, endpoint)

    return StoredAudit


class DynamoDBAuditLog:
    """The log in `table`. No connection is made before the first call."""

    def __init__(
        self,
        table: str,
        *,
        region: str = "us-east-1",
        endpoint: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = _item_model(table, region, endpoint)
        self._sleep = sleep
        self._heads: dict[str, AuditHead] = {}

    def append(self, tenant: str, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
        """Adds all or none: one request while nobody else appends. Raises `UnavailableError`."""
        if not 0 < len(entries) <= MOST_AT_ONCE:
            raise InvalidInputError(f"1 to {MOST_AT_ONCE} entries can be added at once.")
        head = self._heads.get(tenant) or self.head(tenant)
        for tried in range(TRIES):
            added = list(chained(head, entries))
            if self._is_added(tenant, head, [link for _, link in added]):
                last = added[-1][1]
                self._remember(tenant, AuditHead(last.sequence, last.hash))
                return [entry for entry, _ in added]
            self._sleep(pause_after(tried))
            head = self.head(tenant)
        raise UnavailableError("The audit log can't be added to right now. Please try again in a moment.")

    def page(self, tenant: str, limit: int, before: int | None = None) -> list[AuditEntry]:
        """The last first; strongly consistent."""
        if before is not None and before <= 1:
            return []
        last = before - 1 if before is not None else 10**_DIGITS - 1
        with storage_errors():
            found = list(self._query(tenant, 1, last, scan_index_forward=False, limit=limit))
        return [entry_of(tenant, _link(item)) for item in found]

    def links(self, tenant: str, after: int = 0) -> Iterator[AuditLink]:
        """As stored, page by page; strongly consistent."""
        with storage_errors():
            yield from map(_link, self._query(tenant, after + 1, 10**_DIGITS - 1))

    def head(self, tenant: str) -> AuditHead:
        """Strongly consistent."""
        with storage_errors():
            try:
                item = self._model.get(_partition(tenant), HEAD, consistent_read=True)
            except DoesNotExist:
                return AuditHead()
        return AuditHead(int(item.sequence or 0), item.hash or "")

    def _query(self, tenant: str, first: int, last: int, **options: Any) -> Iterator[AuditItem]:
        within = self._model.sk.between(_place(first), _place(last))
        yield from self._model.query(_partition(tenant), range_key_condition=within, consistent_read=True, **options)

    def _is_added(self, tenant: str, head: AuditHead, links: Sequence[AuditLink]) -> bool:
        """False when another append was there first. A lost answer is looked up: it may have been a yes."""
        try:
            self._save(tenant, head, links)
        except CollisionError:
            self._heads.pop(tenant, None)
            return self._is_there(tenant, links[0])
        except UnavailableError:
            self._heads.pop(tenant, None)
            with suppress(UnavailableError):
                if self._is_there(tenant, links[0]):
                    return True
            raise
        return True

    def _save(self, tenant: str, head: AuditHead, links: Sequence[AuditLink]) -> None:
        """One transaction. Raises `CollisionError` when the head is another by now."""
        model, pk, last = self._model, _partition(tenant), links[-1]
        with storage_errors():
            try:
                with TransactWrite(connection=model._get_connection().connection) as transaction:
                    if head.sequence:
                        as_read = (model.sequence == head.sequence) & (model.hash == head.hash)
                        actions: list[Action] = [model.sequence.set(last.sequence), model.hash.set(last.hash)]
                        transaction.update(model(pk, HEAD), actions, condition=as_read)
                    else:
                        first = model(pk, HEAD, sequence=last.sequence, hash=last.hash)
                        transaction.save(first, condition=model.pk.does_not_exist())
                    for link in links:
                        transaction.save(_item(model, pk, link), condition=model.pk.does_not_exist())
            except TransactWriteError as error:
                if codes_of(error) & COLLISIONS:
                    raise CollisionError("Another entry was added first.") from error
                raise

    def _is_there(self, tenant: str, link: AuditLink) -> bool:
        """Whether exactly this entry is stored: its id makes its seal one of a kind."""
        with storage_errors():
            try:
                item = self._model.get(_partition(tenant), _place(link.sequence), consistent_read=True)
            except DoesNotExist:
                return False
        return item.hash == link.hash

    def _remember(self, tenant: str, head: AuditHead) -> None:
        if len(self._heads) >= MOST_HEADS:
            self._heads.clear()
        self._heads[tenant] = head


def _partition(tenant: str) -> str:
    return f"audit#{quote(tenant, safe='@')}"


def _place(sequence: int) -> str:
    return f"entry#{sequence:0{_DIGITS}}"


def _item(model: type[AuditItem], pk: str, link: AuditLink) -> AuditItem:
    return model(pk, _place(link.sequence), body=link.body, previous_hash=link.previous_hash, hash=link.hash)


def _link(item: AuditItem) -> AuditLink:
    """What an item holds, whatever became of it: the check is to say what is wrong."""
    place = item.sk.rpartition("#")[2]
    sequence = int(place) if place.isdecimal() else 0
    return AuditLink(sequence, item.body or "", item.previous_hash or "", item.hash or "")
