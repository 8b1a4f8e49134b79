"""The records table as items: bounded, strongly consistent reads, and writes that are all or nothing."""

import time
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

from pynamodb.attributes import Attribute, NumberAttribute, UnicodeAttribute
from pynamodb.constants import NUMBER
from pynamodb.exceptions import TransactWriteError
from pynamodb.expressions.update import Action
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

from aisha.adapters.dynamodb.collisions import COLLISIONS, CollisionError, codes_of, pause_after
from aisha.adapters.dynamodb.record_changes import Add, Put, Remove, Step
from aisha.adapters.dynamodb.record_index import Key
from aisha.adapters.dynamodb.tables import storage_errors, table_meta
from aisha.domain.errors import AishaError, InvalidInputError, UnavailableError

BATCH = 100
"""Keys of one BatchGetItem, by DynamoDB's own limit."""
BATCH_TRIES = 6
LONGEST_PAUSE = 0.5


class DecimalAttribute(Attribute[Decimal]):
    """A number kept exactly: DynamoDB holds 38 digits, a float would not."""

    attr_type = NUMBER

    def serialize(self, value: Decimal) -> str:
        return format(value, "f")

    def deserialize(self, value: str) -> Decimal:
        return Decimal(value)


class RecordItem(Model):
    """Any item of the table; which attributes it has depends on what its key says it is."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    body = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    expires_at = NumberAttribute(null=True)
    n = NumberAttribute(null=True)
    amount = DecimalAttribute(null=True)
    weighted = DecimalAttribute(null=True)


def record_item(name: str, region: str, endpoint: str | None) -> type[RecordItem]:
    """The model bound to one table of one place."""

    class StoredItem(RecordItem):
        Meta = table_meta(name, region, endpoint)

    return StoredItem


class RecordItems:
    """Reads and writes of one table. Every read is strongly consistent."""

    def __init__(self, table: str, region: str, endpoint: str | None, sleep: Callable[[float], None] = time.sleep):
        self._model = record_item(table, region, endpoint)
        self._sleep = sleep

    def query(self, partition: str, low: str, high: str, limit: int | None = None) -> list[RecordItem]:
        """Items of a partition with `low <= sk <= high`, ascending; all of them without a `limit`."""
        if low > high:
            return []
        with storage_errors():
            within = self._model.sk.between(low, high)
            return list(self._model.query(partition, within, consistent_read=True, limit=limit))

    def get_many(self, keys: Iterable[Key]) -> dict[Key, RecordItem]:
        """Items by key, 100 a request; what does not exist is left out. Raises `UnavailableError` when throttled on."""
        distinct = list(dict.fromkeys(keys))
        found: dict[Key, RecordItem] = {}
        for start in range(0, len(distinct), BATCH):
            for item in self._get_batch(distinct[start : start + BATCH]):
                found[Key(item.pk, item.sk)] = item
        return found

    def _get_batch(self, keys: Sequence[Key]) -> list[RecordItem]:
        pending: Any = [{"pk": {"S": key.pk}, "sk": {"S": key.sk}} for key in keys]
        found: list[RecordItem] = []
        for attempt in range(BATCH_TRIES):
            with storage_errors():
                # Model.batch_get would ask for unprocessed keys forever, without a pause.
                answer = self._model._get_connection().batch_get_item(pending, consistent_read=True)
            table = self._model.Meta.table_name
            found += [self._model.from_raw_data(raw) for raw in answer["Responses"].get(table, ())]
            pending = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
            if not pending:
                return found
            self.pause(attempt)
        raise UnavailableError("The record store is too busy right now. Please try again in a moment.")

    def put_all(self, keys: Iterable[Key]) -> None:
        """Puts items that are nothing but their key. Not atomic; putting one again changes nothing."""
        with storage_errors(), self._model.batch_write() as batch:
            for key in dict.fromkeys(keys):
                batch.save(self._model(key.pk, key.sk))

    def remove_all(self, keys: Iterable[Key]) -> None:
        """Deletes items whatever they hold. Not atomic."""
        with storage_errors(), self._model.batch_write() as batch:
            for key in dict.fromkeys(keys):
                batch.delete(self._model(key.pk, key.sk))

    def transact(self, steps: Sequence[Step]) -> None:
        """All steps or none. Raises `CollisionError`, `InvalidInputError` (an item too large), `UnavailableError`."""
        with storage_errors():
            try:
                with TransactWrite(connection=self._model._get_connection().connection) as transaction:
                    for step in steps:
                        self._add(transaction, step)
            except TransactWriteError as error:
                if decided := _decided(error):
                    raise decided from error
                raise

    def _add(self, transaction: TransactWrite, step: Step) -> None:
        model = self._model
        item = model(step.key.pk, step.key.sk)
        match step:
            case Put():
                item.body, item.version, item.expires_at = step.body, step.version, step.expires_at
                transaction.save(item, condition=self._expects(step.expected))
            case Remove():
                transaction.delete(item, condition=self._expects(step.expected))
            case Add(counts=counts):
                actions: list[Action] = [
                    model.n.add(counts.n),
                    model.amount.add(counts.amount),
                    model.weighted.add(counts.weighted),
                ]
                transaction.update(item, actions=actions)

    def _expects(self, version: int | None) -> Any:
        if version is None:
            return None
        return self._model.version == version if version else self._model.pk.does_not_exist()

    def pause(self, attempt: int) -> None:
        """Before the next attempt."""
        self._sleep(pause_after(attempt, LONGEST_PAUSE))


def _decided(error: TransactWriteError) -> AishaError | None:
    """What a cancelled transaction means, None when the store itself failed."""
    codes = codes_of(error)
    if codes & COLLISIONS:
        return CollisionError(sorted(codes & COLLISIONS)[0])
    message = error.cause_response_message or ""
    if codes & {"ValidationError", "ValidationException"} and "size" in message.lower():
        return InvalidInputError("That is more than a record can hold. Shorten it.", detail=message)
    return None
