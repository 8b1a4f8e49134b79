"""Delivery of due notifications by email and webhook.

Notifications wait in a list of the tenant that is sorted by time, so finding the due ones takes one page, however many
there are. Delivery is at least once: a receiver recognises a repeated message by its id.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile

from msgspec import Struct

from aisha.application.notifications.due import NOTIFICATION, PENDING, DueItem, to_due_item
from aisha.application.notifications.settings import NotificationSettings, settings_of
from aisha.domain.crm.paging import items
from aisha.domain.entries import Entry
from aisha.domain.errors import AishaError, ConflictError, UnavailableError
from aisha.domain.external.mail import MailMessage
from aisha.domain.ports import Clock, EntryRepository, MailSender, WebhookSender

KIND = "delivery"
EVENT_TYPE = "notification.due"
MAX_TRIES = 5
LEASE = timedelta(minutes=5)
"""The time for which a notification is reserved for the worker that sends it."""
FIRST_PAUSE = timedelta(minutes=5)
"""The pause after the first failure; each later pause is three times as long."""
DELIVERY_RETENTION = timedelta(days=7)
"""The period after its due time in which a notification is still delivered."""
MAX_DELIVERIES = 200
"""Notifications of a tenant that one run sends; the next run goes on."""
_PAGE = 50
_LOGGER = logging.getLogger(__name__)


class Channels(Struct, frozen=True):
    """The senders of the deployment, None for a channel that it does not have: such notifications stay in the app."""

    mail: MailSender | None = None
    webhooks: WebhookSender | None = None


class DeliveryCounts(Struct, frozen=True):
    """The number of notifications that were sent, postponed after a failure, or dropped as no longer wanted."""

    sent: int = 0
    postponed: int = 0
    dropped: int = 0


def schedule_delivery(entries: EntryRepository, tenant: str, user: str, notification: str, due_at: datetime) -> None:
    """Add the notification to the list if its user has a channel besides the app; adding it again changes nothing."""
    if settings_of(entries, tenant, user).channel == "in_app":
        return
    body = {"user": user, "notification": notification, "tries": 0}
    with suppress(ConflictError):
        _add_to_list(entries, tenant, body, due_at)


def has_due(entries: EntryRepository, tenant: str, now: datetime) -> bool:
    """Return whether the tenant has a due notification to deliver. Costs one read."""
    first = entries.page(tenant, None, KIND, limit=1, oldest_first=True).items
    return bool(first) and first[0].id < _sort_key(now)


def deliver_due(entries: EntryRepository, clock: Clock, tenant: str, channels: Channels) -> DeliveryCounts:
    """Send the due notifications, `MAX_DELIVERIES` at most, and return the outcomes. Each has five tries in all."""
    outcomes = [_deliver(entry, entries, clock, tenant, channels) for entry in _due(entries, clock, tenant)]
    return DeliveryCounts(outcomes.count("sent"), outcomes.count("postponed"), outcomes.count("dropped"))


def _due(entries: EntryRepository, clock: Clock, tenant: str) -> Iterator[Entry]:
    end = _sort_key(clock.now())
    waiting = items(lambda cursor: entries.page(tenant, None, KIND, limit=_PAGE, cursor=cursor, oldest_first=True))
    return takewhile(lambda entry: entry.id < end, islice(waiting, MAX_DELIVERIES))


def _deliver(entry: Entry, entries: EntryRepository, clock: Clock, tenant: str, channels: Channels) -> str:
    now = clock.now()
    # Two workers may have read the same list; the lease decides. If this one is cut off, it runs out and another sends.
    if not _lease(entry, entries, tenant, now):
        return "leased"
    user = entry.body["user"]
    # Read now, not when it was scheduled: the user may have changed the channel or dismissed the notification since.
    send = _sender(settings_of(entries, tenant, user), channels)
    notification = entries.find(tenant, user, NOTIFICATION, entry.body["notification"])
    if send is None or notification is None or notification.body["state"] != PENDING:
        entries.delete(tenant, None, KIND, entry.id)
        return "dropped"
    try:
        send(to_due_item(notification), now)
    except AishaError as error:
        return _postpone(entry, entries, tenant, now, error)
    entries.delete(tenant, None, KIND, entry.id)
    return "sent"


def _lease(entry: Entry, entries: EntryRepository, tenant: str, now: datetime) -> bool:
    """Reserve the entry for this worker; return False when another one has it."""
    until = entry.body.get("until")
    if until is not None and datetime.fromisoformat(until) > now:
        return False
    body = {**entry.body, "until": (now + LEASE).isoformat()}
    try:
        entries.put(tenant, None, KIND, entry.id, body, expected_version=entry.version, expires_at=entry.expires_at)
    except ConflictError:
        return False
    return True


def _postpone(entry: Entry, entries: EntryRepository, tenant: str, now: datetime, error: AishaError) -> str:
    tries = entry.body["tries"] + 1
    is_retried = tries < MAX_TRIES and (isinstance(error, UnavailableError) or error.retryable)
    _LOGGER.warning("notification %s could not be sent: %s", entry.body["notification"], error.message)
    if is_retried:
        # Added before the old entry is deleted: a cut-off in between sends twice rather than never. The later time also
        # puts it behind the end of this run's list.
        body = {"user": entry.body["user"], "notification": entry.body["notification"], "tries": tries}
        with suppress(ConflictError):
            _add_to_list(entries, tenant, body, now + FIRST_PAUSE * 3 ** (tries - 1))
    entries.delete(tenant, None, KIND, entry.id)
    return "postponed" if is_retried else "dropped"


def _sender(settings: NotificationSettings, channels: Channels) -> Callable[[DueItem, datetime], None] | None:
    """Return the function that sends an item over the user's channel, None without one."""
    mail, webhooks = channels.mail, channels.webhooks
    if settings.channel == "email" and mail is not None and (address := settings.email) is not None:

        def send_mail(item: DueItem, now: datetime) -> None:
            subject = " ".join(item.title.split())
            # A notification may have no body; an email then repeats its title.
            mail.send(MailMessage(id=item.id, to=address, subject=subject, body=item.body or subject, date=now))

        return send_mail
    url, key = settings.webhook_url, settings.webhook_secret
    if settings.channel == "webhook" and webhooks is not None and url and key:
        return lambda item, now: webhooks.send(url, key, item.id, _payload(item, now), now)
    return None


def _payload(item: DueItem, now: datetime) -> bytes:
    data = {"id": item.id, "title": item.title, "body": item.body, "dueAt": item.due_at.isoformat()}
    message = {"type": EVENT_TYPE, "timestamp": now.isoformat(), "data": data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def _add_to_list(entries: EntryRepository, tenant: str, body: Mapping[str, object], at: datetime) -> None:
    entry_id = f"{_sort_key(at)}.{body['notification']}"
    entries.put(tenant, None, KIND, entry_id, body, expected_version=0, expires_at=at + DELIVERY_RETENTION)


def _sort_key(at: datetime) -> str:
    # The list is sorted by id, so a UTC time in front sorts it by time.
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%S")
