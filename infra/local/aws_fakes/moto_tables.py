"""Make moto's DynamoDB fast enough for a local server: a request costs what it touches, not what the tables hold.

moto 5.2 checks and sorts every item of a table at each Query, and deep-copies every touched table for each item of a
transaction; it has no hook for either. A local server starts with its demo data in 5 s of CPU time and answers a warm
turn in 0.1 to 0.4 s. Without `IndexedTable`, the demo data alone is not stored after 140 s.
"""

import base64
import copy
from bisect import bisect_left, bisect_right
from typing import Any

from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType, Item, LimitedSizeDict
from moto.dynamodb.models.table import Table

Attributes = dict[str, dict[str, Any]]
# The highest code point: a prefix with it sorts after every key that begins with the prefix.
_AFTER_ALL = "\U0010ffff"


class IndexedTable(Table):
    """A table that keeps the sort keys of its partitions in order. `changes` counts its writes."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.changes = 0
        self._orders: dict[DynamoType, list[str]] = {}
        self._candidates: list[Item] | None = None
        self._range_name = self.range_key_attr or ""

    def __deepcopy__(self, memo: dict[int, Any]) -> "IndexedTable":
        # moto copies a table only to roll back a transaction, which `undo_transact_write_items` does.
        return self

    def put_item(self, item_attrs: Attributes, *args: Any, **options: Any) -> Item:
        item = super().put_item(item_attrs, *args, **options)
        self.changes += 1
        order = self._orders.get(item.hash_key)
        if order is not None and item.range_key:
            at = bisect_left(order, item.range_key.value)
            if order[at : at + 1] != [item.range_key.value]:
                order.insert(at, item.range_key.value)
        return item

    def delete_item(self, hash_key: DynamoType, range_key: DynamoType | None) -> Item | None:
        item = super().delete_item(hash_key, range_key)
        self.changes += 1
        order = self._orders.get(hash_key)
        if item is not None and order is not None and range_key:
            del order[bisect_left(order, range_key.value)]
        self._drop_if_empty(hash_key)
        return item

    def get_item(self, hash_key: DynamoType, range_key: DynamoType | None = None, *args: Any) -> Item | None:
        # moto would leave an empty partition behind for each key that does not exist.
        return super().get_item(hash_key, range_key, *args) if hash_key in self.items else None

    def restore(self, hash_key: DynamoType, range_key: DynamoType, item: Item | None) -> None:
        """Restore an item; with None, delete it, because it did not exist."""
        self._orders.pop(hash_key, None)
        if item is not None:
            self.items[hash_key][range_key] = item
        elif hash_key in self.items:
            self.items[hash_key].pop(range_key, None)
            self._drop_if_empty(hash_key)

    def _drop_if_empty(self, hash_key: DynamoType) -> None:
        if hash_key in self.items and not self.items[hash_key]:
            del self.items[hash_key]
            self._orders.pop(hash_key, None)

    def query(self, *args: Any, **options: Any) -> Any:
        # moto's `query` starts from `all_items`, which returns only these meanwhile.
        self._candidates = self._query_candidates(*args[:8])
        try:
            return super().query(*args, **options)
        finally:
            self._candidates = None

    def _query_candidates(
        self,
        hash_key: DynamoType,
        comparison: str | None,
        compared: list[DynamoType],
        limit: int | None,
        start_key: Attributes | None,
        is_forward: bool,
        _projection: Any,
        index_name: str | None = None,
    ) -> list[Item]:
        """Return the items that may be on the page; moto checks and sorts each of them again."""
        if index_name:
            return self._items_with(index_name, hash_key)
        start = start_key[self._range_name]["S"] if start_key else None
        order = self._slice(hash_key, comparison, [operand.value for operand in compared], start, is_forward)
        if limit is not None:
            order = order[: limit + 1] if is_forward else order[-limit - 1 :]
        partition = self.items.get(hash_key, {})
        return [partition[DynamoType({"S": key})] for key in order]

    def all_items(self) -> list[Item]:
        return super().all_items() if self._candidates is None else self._candidates

    def _items_with(self, index_name: str, value: DynamoType) -> list[Item]:
        name = next(key["AttributeName"] for key in self.get_index(index_name).schema if key["KeyType"] == "HASH")
        parts = self.items.values()
        return [item for part in parts for item in part.values() if name in item.attrs and item.attrs[name] == value]

    def _slice(
        self, hash_key: DynamoType, comparison: str | None, values: list[str], start: str | None, is_forward: bool
    ) -> list[str]:
        """Return the range keys of a partition that may pass the condition, ascending."""
        order = self._order(hash_key)
        low, high = 0, len(order)
        match (comparison or "").upper():
            case "BETWEEN":
                low, high = bisect_left(order, values[0]), bisect_right(order, values[1])
            case "BEGINS_WITH":
                low, high = bisect_left(order, values[0]), bisect_right(order, values[0] + _AFTER_ALL)
            case "=":
                low, high = bisect_left(order, values[0]), bisect_right(order, values[0])
            case ">":
                low = bisect_right(order, values[0])
            case ">=":
                low = bisect_left(order, values[0])
            case "<":
                high = bisect_left(order, values[0])
            case "<=":
                high = bisect_right(order, values[0])
        if start is not None and is_forward:
            low = max(low, bisect_right(order, start))
        elif start is not None:
            high = min(high, bisect_left(order, start))
        return order[low:high]

    def _order(self, hash_key: DynamoType) -> list[str]:
        order = self._orders.get(hash_key)
        if order is None:
            order = self._orders[hash_key] = sorted(key.value for key in self.items.get(hash_key, ()))
        return order

    def dump(self) -> list[dict[str, DynamoType]]:
        """Return a copy of every item's attributes."""
        return [dict(item.attrs) for part in self.items.values() for item in part.values()]

    def load(self, items: list[Attributes]) -> None:
        """Replace all items, without the checks of a request."""
        self.items.clear()
        self._orders.clear()
        self.changes += 1
        for attributes in items:
            item = _item(attributes, self.hash_key_attr, self._range_name)
            self.items[item.hash_key][item.range_key] = item


def _item(attributes: Attributes, hash_name: str, range_name: str) -> Item:
    item: Any = Item.__new__(Item)
    item.attrs = LimitedSizeDict()
    # Bypasses the size check in `LimitedSizeDict.__setitem__`.
    dict.update(item.attrs, {name: DynamoType(value) for name, value in attributes.items()})
    item.hash_key, item.range_key = item.attrs[hash_name], item.attrs[range_name]
    loaded: Item = item
    return loaded


class Untracked(list[Any]):
    """A list of a model's instances that stays empty.

    moto keeps every item that it ever made, until its own reset: 3 MB for each reset of the demo data.
    """

    def append(self, instance: Any) -> None:
        """Drop the instance."""


_transact_write_items = DynamoDBBackend.transact_write_items


def undo_transact_write_items(self: Any, transact_items: list[dict[str, Any]]) -> None:
    """Run `DynamoDBBackend.transact_write_items`, and restore the touched items when it fails."""
    # Copies, because moto changes some items in place.
    before: list[tuple[IndexedTable, DynamoType, DynamoType, Item | None]] = []
    for operation in (step for item in transact_items for step in item.values()):
        table = self.get_table(operation["TableName"])
        key = operation.get("Key") or operation["Item"]
        hash_key, range_key = DynamoType(key[table.hash_key_attr]), DynamoType(key[table.range_key_attr])
        before.append((table, hash_key, range_key, copy.deepcopy(table.get_item(hash_key, range_key))))
    try:
        _transact_write_items(self, transact_items)
    except Exception:
        for table, hash_key, range_key, item in before:
            table.restore(hash_key, range_key, item)
        raise


_update_item = DynamoDBBackend.update_item


def counted_update_item(self: Any, table_name: str, *args: Any, **options: Any) -> Item:
    """Run `DynamoDBBackend.update_item`, which changes items in place, and count it as a write."""
    item = _update_item(self, table_name, *args, **options)
    self.get_table(table_name).changes += 1
    return item


def plain(attribute: Any) -> Any:
    """Return an attribute's value as DynamoDB's JSON, `{"S": "text"}`; binary as Base64, which moto reads back."""
    match attribute:
        case DynamoType():
            return {attribute.type: plain(attribute.value)}
        case dict():
            return {name: plain(member) for name, member in attribute.items()}
        case list():
            return [plain(member) for member in attribute]
        case bytes():
            return base64.b64encode(attribute).decode()
        case _:
            return attribute
