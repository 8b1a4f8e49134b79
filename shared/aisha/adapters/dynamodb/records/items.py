"""Items of the records table: strongly consistent reads, and writes that are all or nothing."""

import time
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

from pynamodb.attributes import Attribute, NumberAttribute, UnicodeAttribute
from pynamodb.constants import NUMBER
from pynamodb.expressions.update import Action
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

from aisha.adapters.dynamodb.batches import MAX_PAUSE_SECONDS, get_items
from aisha.adapters.dynamodb.records.index import Key
from aisha.adapters.dynamodb.records.transaction import Add, Put, Remove, Step
from aisha.adapters.dynamodb.tables import storage_errors, table_model
from aisha.adapters.dynamodb.transactions import pause_after, transaction
from aisha.domain.errors import InvalidInputError


class DecimalAttribute(Attribute[Decimal]):
    """An exact number: DynamoDB stores 38 digits, a float would lose some."""

    attr_type = NUMBER

    def serialize(self, value: Decimal) -> str:
        return format(value, "f")

    def deserialize(self, value: str) -> Decimal:
        return Decimal(value)


class RecordItem(Model):
    """Any item of the table; `record_index` lists what its key says about its attributes."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    body = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    expires_at = NumberAttribute(null=True)
    n = NumberAttribute(null=True)
    amount = DecimalAttribute(null=True)
    weighted = DecimalAttribute(null=True)


class RecordItems:
    """Reads and writes of one table. Every read is strongly consistent."""

    def __init__(self, table: str, region: str, endpoint: str | None, sleep: Callable[[float], None] = time.sleep):
        self._model = table_model(RecordItem, table, region, endpoint)
        self._sleep = sleep

    def query(self, partition: str, low: str, high: str, limit: int | None = None) -> list[RecordItem]:
        """Return the items of a partition with `low <= sk <= high`, ascending; all of them without a `limit`."""
        if low > high:
            return []
        with storage_errors():
            within = self._model.sk.between(low, high)
            return list(self._model.query(partition, within, consistent_read=True, limit=limit))

    def get_many(self, keys: Iterable[Key]) -> dict[Key, RecordItem]:
        """Return items by key, 100 a request; keys without an item are left out.

        Raises `UnavailableError` when DynamoDB goes on throttling.
        """
        return {Key(item.pk, item.sk): item for item in get_items(self._model, keys, self._sleep)}

    def put_all(self, keys: Iterable[Key]) -> None:
        """Put items that have no attributes but their key. Not atomic; putting one again changes nothing."""
        with storage_errors(), self._model.batch_write() as batch:
            for key in dict.fromkeys(keys):
                batch.save(self._model(key.pk, key.sk))

    def remove_all(self, keys: Iterable[Key]) -> None:
        """Delete items whatever they hold. Not atomic."""
        with storage_errors(), self._model.batch_write() as batch:
            for key in dict.fromkeys(keys):
                batch.delete(self._model(key.pk, key.sk))

    def transact(self, steps: Sequence[Step]) -> None:
        """Commit all steps or none.

        Raises `CollisionError`, `InvalidInputError` (an item is too large), `UnavailableError`.
        """
        with transaction(self._model, _too_large) as writes:
            for step in steps:
                self._add(writes, step)

    def _add(self, writes: TransactWrite, step: Step) -> None:
        model = self._model
        item = model(step.key.pk, step.key.sk)
        match step:
            case Put():
                item.body, item.version, item.expires_at = step.body, step.version, step.expires_at
                writes.save(item, condition=self._expects(step.expected))
            case Remove():
                writes.delete(item, condition=self._expects(step.expected))
            case Add(counts=counts):
                actions: list[Action] = [
                    model.n.add(counts.n),
                    model.amount.add(counts.amount),
                    model.weighted.add(counts.weighted),
                ]
                writes.update(item, actions=actions)

    def _expects(self, version: int | None) -> Any:
        if version is None:
            return None
        return self._model.version == version if version else self._model.pk.does_not_exist()

    def pause(self, attempt: int) -> None:
        """Wait before the next attempt."""
        self._sleep(pause_after(attempt, MAX_PAUSE_SECONDS))


def _too_large(message: str) -> InvalidInputError:
    return InvalidInputError("That is more than a record can hold. Shorten it.", detail=message)
