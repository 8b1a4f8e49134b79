"""A DynamoDB-backed `RateLimiter` with one item for each tenant and hour, in the table of entries.

| pk | sk | item |
|---|---|---|
| tenant#c#rate | 2026-03-02T09 | `total` of the hour; `minute`, the latest one, and how often each user asked in it |

One conditional update counts for both limits or for neither, so that concurrent requests can't exceed one. The item
holds the users of the latest minute only, which bounds its size.
"""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from pynamodb.attributes import MapAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.exceptions import DoesNotExist, UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action
from pynamodb.models import Model

from aisha.adapters.dynamodb.tables import failure_code, storage_errors, table_model
from aisha.adapters.dynamodb.transactions import CONDITION_FAILED
from aisha.domain.errors import UnavailableError
from aisha.domain.rate_limits import RateCount, RateLimits

ITEM_TTL = timedelta(hours=2)
"""Lifetime of an item, counted from the beginning of its hour."""
TAKE_TRIES = 8
"""Tries of one count: both of its requests are repeated when another request starts a new minute between them."""


class RateItem(Model):
    """The counts of an hour. `minute` counts minutes since 1970; `users` are that minute's, by the hash of their id."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    total = NumberAttribute()
    minute = NumberAttribute()
    users: MapAttribute[str, Any] = MapAttribute()  # type: ignore[no-untyped-call]
    expires_at = NumberAttribute()


class DynamoDBRateLimiter:
    """Request counters in `table`. No connection is made before the first call."""

    def __init__(self, table: str, *, region: str = "us-east-1", endpoint: str | None = None) -> None:
        self._model = table_model(RateItem, table, region, endpoint)

    def take(self, tenant: str, user: str, limits: RateLimits, now: datetime) -> RateCount:
        """Count a request with one write, or two for the first of a minute. Raises `UnavailableError`."""
        hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        minute, user_hash = int(now.timestamp()) // 60, hashlib.sha256(user.encode()).hexdigest()[:16]
        key = f"{quote(tenant, safe='@')}#c#rate", f"{hour:%Y-%m-%dT%H}"
        with storage_errors():
            for _ in range(TAKE_TRIES):
                if count := self._count(key, user_hash, minute, limits):
                    return count
                # There is no item, its minute is over, or a limit is used up: only the item itself shows which. When it
                # changes in between, none of them holds and everything is repeated.
                item = self._stored(key)
                if item is None or item.minute < minute:
                    if count := self._start_minute(key, user_hash, minute, limits, hour + ITEM_TTL):
                        return count
                    item = self._stored(key)
                if item is not None and (refusal := _refusal(item, user_hash, minute, limits)):
                    return refusal
        raise UnavailableError("Too many requests at once to be counted. Please try again in a moment.")

    def _count(self, key: tuple[str, str], user_hash: str, minute: int, limits: RateLimits) -> RateCount | None:
        """Count in the item's minute, which may be later than ours when clocks differ."""
        model = self._model
        user_count: Any = model.users[user_hash]
        condition = (
            (model.minute >= minute)
            & (model.total < limits.tenant_per_hour)
            & (user_count.does_not_exist() | (user_count < limits.user_per_minute))
        )
        return self._update(key, user_hash, [model.total.add(1), user_count.set((user_count | 0) + 1)], condition)

    def _start_minute(
        self, key: tuple[str, str], user_hash: str, minute: int, limits: RateLimits, expires_at: datetime
    ) -> RateCount | None:
        """Count the first request of a minute, which replaces the users of the minute before."""
        model = self._model
        is_first = model.pk.does_not_exist() | (model.minute < minute)
        has_room = model.total.does_not_exist() | (model.total < limits.tenant_per_hour)
        actions: list[Action] = [
            model.total.add(1),
            model.minute.set(minute),
            model.users.set({user_hash: 1}),
            model.expires_at.set(int(expires_at.timestamp())),
        ]
        return self._update(key, user_hash, actions, is_first & has_room)

    def _update(
        self, key: tuple[str, str], user_hash: str, actions: list[Action], condition: Condition
    ) -> RateCount | None:
        item = self._model(*key)
        try:
            item.update(actions=actions, condition=condition)
        except UpdateError as error:
            if failure_code(error) == CONDITION_FAILED:
                return None
            raise
        # PynamoDB's `update` fills the item with the new values, so that no further read is needed.
        return RateCount(True, _user_count(item, user_hash), int(item.total))

    def _stored(self, key: tuple[str, str]) -> RateItem | None:
        try:
            return self._model.get(*key, consistent_read=True)
        except DoesNotExist:
            return None


def _refusal(item: RateItem, user_hash: str, minute: int, limits: RateLimits) -> RateCount | None:
    """Return the counts if a limit is used up, or None when another request changed the item in between."""
    # The item's users are those of its minute; of a later minute there is no request yet.
    user = _user_count(item, user_hash) if item.minute >= minute else 0
    if user < limits.user_per_minute and item.total < limits.tenant_per_hour:
        return None
    return RateCount(False, user, int(item.total))


def _user_count(item: RateItem, user_hash: str) -> int:
    return int(item.users.attribute_values.get(user_hash, 0))
