"""Reads of many items by key, strongly consistent."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import batched
from typing import Any

from pynamodb.models import Model

from aisha.adapters.dynamodb.tables import storage_errors
from aisha.adapters.dynamodb.transactions import pause_after
from aisha.domain.errors import UnavailableError

BATCH_SIZE = 100
"""Keys of one BatchGetItem: DynamoDB's own limit."""
BATCH_TRIES = 6
MAX_PAUSE_SECONDS = 0.5


def get_items[Item: Model](
    model: type[Item], keys: Iterable[tuple[str, str]], sleep: Callable[[float], None] = time.sleep
) -> Iterator[Item]:
    """Yield the items with these partition and sort keys, 100 a request; keys without an item are left out.

    Raises `UnavailableError` when DynamoDB still throttles after `BATCH_TRIES`.
    """
    for batch in batched(dict.fromkeys(keys), BATCH_SIZE):
        yield from _get_batch(model, batch, sleep)


def _get_batch[Item: Model](
    model: type[Item], keys: Sequence[tuple[str, str]], sleep: Callable[[float], None]
) -> list[Item]:
    table = model.Meta.table_name
    pending: Any = [{"pk": {"S": pk}, "sk": {"S": sk}} for pk, sk in keys]
    items: list[Item] = []
    for attempt in range(BATCH_TRIES):
        with storage_errors():
            # Model.batch_get would ask for unprocessed keys forever, without a pause.
            answer = model._get_connection().batch_get_item(pending, consistent_read=True)
        items += [model.from_raw_data(raw) for raw in answer["Responses"].get(table, ())]
        pending = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
        if not pending:
            return items
        sleep(pause_after(attempt, MAX_PAUSE_SECONDS))
    raise UnavailableError("The record store is too busy right now. Please try again in a moment.")
