"""A DynamoDB-backed `AuditLog` in the table of entries, with a partition for each tenant.

| pk | sk | item |
|---|---|---|
| audit#tenant | entry#000000000042 | an entry by its sequence number, with its hash |
| audit#tenant | head | the number of entries, and the last one's hash |

An append is one transaction: the new entries, which must not be there yet, and the head, which must be as it was read.
There is no method that changes or deletes an entry, and the functions' permissions boundary allows neither. Each new
head is logged, too: no function can change its log, so a chain that was written anew does not match it.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.exceptions import DoesNotExist
from pynamodb.models import Model

from aisha.adapters.dynamodb.tables import storage_errors, table_model
from aisha.adapters.dynamodb.transactions import CollisionError, pause_after, transaction
from aisha.domain.audit import AuditEntry, AuditHead, AuditLink, chained, entry_of
from aisha.domain.errors import InvalidInputError, UnavailableError

MAX_ENTRIES = 25
"""Entries of one append."""
APPEND_TRIES = 40
"""Tries of one append while others append too; in each round one of them succeeds."""
MAX_CACHED_HEADS = 10_000
"""Tenants whose last head is cached; for others an append reads it first."""
HEAD = "head"
_LOGGER = logging.getLogger(__name__)
_DIGITS = 12


class AuditItem(Model):
    """An entry (`body` and its hashes) or the head (`sequence` and `hash`)."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    body = UnicodeAttribute(null=True)
    previous_hash = UnicodeAttribute(null=True)
    hash = UnicodeAttribute(null=True)
    sequence = NumberAttribute(null=True)


class DynamoDBAuditLog:
    """Audit entries in `table`. No connection is made before the first call."""

    def __init__(
        self,
        table: str,
        *,
        region: str = "us-east-1",
        endpoint: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = table_model(AuditItem, table, region, endpoint)
        self._sleep = sleep
        self._heads: dict[str, AuditHead] = {}

    def append(self, tenant: str, entries: Sequence[AuditEntry]) -> list[AuditEntry]:
        """Append all entries or none, with one request unless others append, too. Raises `UnavailableError`."""
        if not 0 < len(entries) <= MAX_ENTRIES:
            raise InvalidInputError(f"1 to {MAX_ENTRIES} entries can be added at once.")
        # A cached head saves a read. It may be outdated: the transaction then fails and the head is read again.
        head = self._heads.get(tenant) or self.head(tenant)
        for tries in range(APPEND_TRIES):
            added = list(chained(head, entries))
            if self._append_after(tenant, head, [link for _, link in added]):
                last = added[-1][1]
                self._cache_head(tenant, AuditHead(last.sequence, last.hash))
                _LOGGER.info("audit head", extra={"tenant": tenant, "head": f"{last.sequence}:{last.hash}"})
                return [entry for entry, _ in added]
            self._sleep(pause_after(tries))
            head = self.head(tenant)
        raise UnavailableError("The audit log can't be added to right now. Please try again in a moment.")

    def page(self, tenant: str, limit: int, before: int | None = None) -> list[AuditEntry]:
        """Return one page, the last entry first; strongly consistent."""
        if before is not None and before <= 1:
            return []
        last = before - 1 if before is not None else 10**_DIGITS - 1
        with storage_errors():
            items = list(self._query(tenant, 1, last, scan_index_forward=False, limit=limit))
        return [entry_of(tenant, _link(item)) for item in items]

    def links(self, tenant: str, after: int = 0) -> Iterator[AuditLink]:
        """Yield the stored entries page by page; strongly consistent."""
        with storage_errors():
            yield from map(_link, self._query(tenant, after + 1, 10**_DIGITS - 1))

    def head(self, tenant: str) -> AuditHead:
        """Return the end of the chain; strongly consistent."""
        with storage_errors():
            try:
                item = self._model.get(_partition(tenant), HEAD, consistent_read=True)
            except DoesNotExist:
                return AuditHead()
        return AuditHead(int(item.sequence or 0), item.hash or "")

    def _query(self, tenant: str, first: int, last: int, **options: Any) -> Iterator[AuditItem]:
        within = self._model.sk.between(_entry_key(first), _entry_key(last))
        yield from self._model.query(_partition(tenant), range_key_condition=within, consistent_read=True, **options)

    def _append_after(self, tenant: str, head: AuditHead, links: Sequence[AuditLink]) -> bool:
        """Append after `head`; return False when another append was first.

        When the response is lost, the entry is looked up: the write may have been done.
        """
        try:
            self._save(tenant, head, links)
        # The collision may be with a first attempt of this very request whose response was lost.
        except CollisionError:
            self._heads.pop(tenant, None)
            return self._is_stored(tenant, links[0])
        except UnavailableError:
            self._heads.pop(tenant, None)
            with suppress(UnavailableError):
                if self._is_stored(tenant, links[0]):
                    return True
            raise
        return True

    def _save(self, tenant: str, head: AuditHead, links: Sequence[AuditLink]) -> None:
        """Store the entries and the head in one transaction. Raises `CollisionError` when `head` is outdated."""
        model, pk, last = self._model, _partition(tenant), links[-1]
        with transaction(model) as writes:
            is_unchanged = (model.sequence == head.sequence) & (model.hash == head.hash)
            condition = is_unchanged if head.sequence else model.pk.does_not_exist()
            # A put, not an update: no function may update items of this partition.
            writes.save(model(pk, HEAD, sequence=last.sequence, hash=last.hash), condition=condition)
            for link in links:
                writes.save(_item(model, pk, link), condition=model.pk.does_not_exist())

    def _is_stored(self, tenant: str, link: AuditLink) -> bool:
        """Return whether exactly this entry is stored: its id makes its hash unique."""
        with storage_errors():
            try:
                item = self._model.get(_partition(tenant), _entry_key(link.sequence), consistent_read=True)
            except DoesNotExist:
                return False
        return item.hash == link.hash

    def _cache_head(self, tenant: str, head: AuditHead) -> None:
        # Emptied at once rather than by age: it only costs each tenant one more read.
        if len(self._heads) >= MAX_CACHED_HEADS:
            self._heads.clear()
        self._heads[tenant] = head


def _partition(tenant: str) -> str:
    return f"audit#{quote(tenant, safe='@')}"


def _entry_key(sequence: int) -> str:
    return f"entry#{sequence:0{_DIGITS}}"


def _item(model: type[AuditItem], pk: str, link: AuditLink) -> AuditItem:
    return model(pk, _entry_key(link.sequence), body=link.body, previous_hash=link.previous_hash, hash=link.hash)


def _link(item: AuditItem) -> AuditLink:
    """Return an item's link, also when it is damaged: verifying the chain reports that."""
    digits = item.sk.rpartition("#")[2]
    sequence = int(digits) if digits.isdecimal() else 0
    return AuditLink(sequence, item.body or "", item.previous_hash or "", item.hash or "")
