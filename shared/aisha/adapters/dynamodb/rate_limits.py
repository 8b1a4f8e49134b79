"""Requests counted in DynamoDB: `RateLimiter` over one item for each tenant and hour, in the table of entries.

| pk | sk | what |
|---|---|---|
| tenant#c#rate | 2026-03-02T09 | `total` of the hour; `minute`, the latest one, and how often each user asked in it |

One conditional update counts for both limits or for neither, so that no number of requests at once passes one. Users
are kept for the latest minute alone: the item stays as small as the number of those who ask within a minute.
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

from aisha.adapters.dynamodb.collisions import LOST
from aisha.adapters.dynamodb.tables import storage_errors, table_meta
from aisha.domain.errors import UnavailableError
from aisha.domain.limits import RateCount, RateLimits

KEPT = timedelta(hours=2)
"""From an hour's begin until its item expires."""
TRIES = 8
"""Others may begin a minute between two of ours; each try meets another such moment."""


class RateItem(Model):
    """`minute` counts minutes since 1970; `users` are those of this minute, by the hash of their id."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    total = NumberAttribute()
    minute = NumberAttribute()
    users: MapAttribute[str, Any] = MapAttribute()  # type: ignore[no-untyped-call]
    expires_at = NumberAttribute()


def _item_model(name: str, region: str, endpoint: str | None) -> type[RateItem]:
    class StoredRate(RateItem):
        Meta = table_meta(name, region, endpoint)

    return StoredRate


class DynamoDBRateLimiter:
    """Counters in `table`. No connection is made before the first call."""

    def __init__(self, table: str, *, region: str = "us-east-1", endpoint: str | None = None) -> None:
        self._model = _item_model(table, region, endpoint)

    def take(self, tenant: str, user: str, limits: RateLimits, now: datetime) -> RateCount:
        """One write, two for the first request of a minute. Raises `UnavailableError`."""
        hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        minute, who = int(now.timestamp()) // 60, hashlib.sha256(user.encode()).hexdigest()[:16]
        key = f"{quote(tenant, safe='@')}#c#rate", f"{hour:%Y-%m-%dT%H}"
        with storage_errors():
            for _ in range(TRIES):
                if count := self._counted(key, who, minute, limits):
                    return count
                item = self._stored(key)
                if item is None or item.minute < minute:
                    if count := self._begun(key, who, minute, limits, hour + KEPT):
                        return count
                    item = self._stored(key)
                if item is not None and (refused := _refused(item, who, minute, limits)):
                    return refused
        raise UnavailableError("Too many requests at once to be counted. Please try again in a moment.")

    def _counted(self, key: tuple[str, str], who: str, minute: int, limits: RateLimits) -> RateCount | None:
        """In the item's minute. One whose clock is behind counts in the latest minute, too."""
        model = self._model
        asked: Any = model.users[who]
        condition = (
            (model.minute >= minute)
            & (model.total < limits.tenant_per_hour)
            & (asked.does_not_exist() | (asked < limits.user_per_minute))
        )
        return self._updated(key, who, [model.total.add(1), asked.set((asked | 0) + 1)], condition)

    def _begun(
        self, key: tuple[str, str], who: str, minute: int, limits: RateLimits, expires_at: datetime
    ) -> RateCount | None:
        """As the first of its minute, whose item forgets the users of those before."""
        model = self._model
        is_first = model.pk.does_not_exist() | (model.minute < minute)
        has_room = model.total.does_not_exist() | (model.total < limits.tenant_per_hour)
        actions: list[Action] = [
            model.total.add(1),
            model.minute.set(minute),
            model.users.set({who: 1}),
            model.expires_at.set(int(expires_at.timestamp())),
        ]
        return self._updated(key, who, actions, is_first & has_room)

    def _updated(self, key: tuple[str, str], who: str, actions: list[Action], condition: Condition) -> RateCount | None:
        item = self._model(*key)
        try:
            item.update(actions=actions, condition=condition)
        except UpdateError as error:
            if error.cause_response_code == LOST:
                return None
            raise
        return RateCount(True, _asked(item, who), int(item.total))

    def _stored(self, key: tuple[str, str]) -> RateItem | None:
        try:
            return self._model.get(*key, consistent_read=True)
        except DoesNotExist:
            return None


def _refused(item: RateItem, who: str, minute: int, limits: RateLimits) -> RateCount | None:
    """The counts if one is used up, else None: it was somebody else who came between."""
    user = _asked(item, who) if item.minute >= minute else 0
    if user < limits.user_per_minute and item.total < limits.tenant_per_hour:
        return None
    return RateCount(False, user, int(item.total))


def _asked(item: RateItem, who: str) -> int:
    return int(item.users.attribute_values.get(who, 0))
