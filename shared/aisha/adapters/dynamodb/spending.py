"""A DynamoDB-backed `SpendingLedger` with one item for each tenant and month.

| pk | sk | item |
|---|---|---|
| tenant#c#budget | 2026-03 | `spent`, in billionths of a US dollar, including reservations |
"""

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.exceptions import DoesNotExist, UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.models import Model

from aisha.adapters.dynamodb.tables import failure_code, storage_errors, table_model
from aisha.adapters.dynamodb.transactions import CONDITION_FAILED

ITEM_TTL = timedelta(days=400)
"""Lifetime of an item from the beginning of its month: long enough to compare it with the same month a year later."""


class SpendingItem(Model):
    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    spent = NumberAttribute()
    expires_at = NumberAttribute()


class DynamoDBSpendingLedger:
    """Spending counters in `table`. No connection is made before the first call. Methods raise `UnavailableError`."""

    def __init__(self, table: str, *, region: str = "us-east-1", endpoint: str | None = None) -> None:
        self._model = table_model(SpendingItem, table, region, endpoint)

    def reserve(self, tenant: str, month: str, amount: int, limit: int) -> bool:
        # The condition below holds for a month without an item whatever the amount is.
        if amount > limit:
            return False
        model = self._model
        has_room = model.spent.does_not_exist() | (model.spent <= limit - amount)
        return self._add(tenant, month, amount, has_room)

    def adjust(self, tenant: str, month: str, difference: int) -> None:
        self._add(tenant, month, difference)

    def spent(self, tenant: str, month: str) -> int:
        with storage_errors():
            try:
                return int(self._model.get(_partition(tenant), month, consistent_read=True).spent)
            except DoesNotExist:
                return 0

    def _add(self, tenant: str, month: str, amount: int, condition: Condition | None = None) -> bool:
        """Add to the month's counter; return False when the condition does not hold."""
        item, expires_at = self._model(_partition(tenant), month), datetime.fromisoformat(f"{month}-01") + ITEM_TTL
        expiry = self._model.expires_at.set(int(expires_at.replace(tzinfo=UTC).timestamp()))
        with storage_errors():
            try:
                item.update(actions=[self._model.spent.add(amount), expiry], condition=condition)
            except UpdateError as error:
                if failure_code(error) == CONDITION_FAILED:
                    return False
                raise
        return True


def _partition(tenant: str) -> str:
    return f"{quote(tenant, safe='@')}#c#budget"
