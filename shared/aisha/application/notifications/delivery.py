"""Sends notifications that are due by email or to a webhook, to users who want that.

What is to be sent waits in a list of the tenant that is sorted by time: to find what is due takes one page, however many
notifications there are. It is sent at least once; both channels know a message that comes again by its id.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile

from msgspec import Struct

from aisha.application.notifications.due import NOTIFICATION, PENDING, Due, due_of
from aisha.application.notifications.settings import NotificationSettings, settings_of
from aisha.domain.entries import Entry
from aisha.domain.errors import AishaError, ConflictError, UnavailableError
from aisha.domain.mail import MailMessage
from aisha.domain.pages import items
from aisha.domain.ports import Clock, EntryRepository, MailSender, WebhookSender

KIND = "delivery"
EVENT_TYPE = "notification.due"
MOST_TRIES = 5
LEASE = timedelta(minutes=5)
"""How long one try may take before another worker may make it."""
FIRST_PAUSE = timedelta(minutes=5)
KEPT = timedelta(days=7)
"""How long after it was due something is still worth sending."""
_PAGE = 50
_log = logging.getLogger(__name__)


class Channels(Struct, frozen=True):
    """What sends. A channel that this deployment does not have is None: what is due there stays in the app."""

    mail: MailSender | None = None
    webhooks: WebhookSender | None = None


class Delivered(Struct, frozen=True):
    """What became of what was due: sent, put off to be tried again, or dropped because nobody wants it any more."""

    sent: int = 0
    put_off: int = 0
    dropped: int = 0


def schedule_delivery(entries: EntryRepository, tenant: str, user: str, notification: str, due_at: datetime) -> None:
    """Puts the notification on the list if its user has a channel besides the app; again changes nothing."""
    if settings_of(entries, tenant, user).channel == "in_app":
        return
    body = {"user": user, "notification": notification, "tries": 0}
    with suppress(ConflictError):
        _put_on_list(entries, tenant, body, due_at)


def has_due(entries: EntryRepository, tenant: str, now: datetime) -> bool:
    """Whether something of the tenant waits to be sent: one read."""
    first = entries.page(tenant, None, KIND, limit=1, oldest_first=True).items
    return bool(first) and first[0].id < _moment(now)


def deliver_due(entries: EntryRepository, clock: Clock, tenant: str, channels: Channels, most: int = 200) -> Delivered:
    """Sends what is due, at most `most`; what fails is tried again later, five times in all."""
    outcomes = [_deliver(entry, entries, clock, tenant, channels) for entry in _due(entries, clock, tenant, most)]
    return Delivered(outcomes.count("sent"), outcomes.count("put_off"), outcomes.count("dropped"))


def _due(entries: EntryRepository, clock: Clock, tenant: str, most: int) -> Iterator[Entry]:
    end, limit = _moment(clock.now()), min(_PAGE, most)
    waiting = items(lambda cursor: entries.page(tenant, None, KIND, limit=limit, cursor=cursor, oldest_first=True))
    return takewhile(lambda entry: entry.id < end, islice(waiting, most))


def _deliver(entry: Entry, entries: EntryRepository, clock: Clock, tenant: str, channels: Channels) -> str:
    now = clock.now()
    if not _take(entry, entries, tenant, now):
        return "taken"
    user = entry.body["user"]
    wishes = settings_of(entries, tenant, user)
    send = _sender(wishes, channels)
    kept = entries.find(tenant, user, NOTIFICATION, entry.body["notification"])
    if send is None or kept is None or kept.body["state"] != PENDING:
        entries.delete(tenant, None, KIND, entry.id)
        return "dropped"
    try:
        send(due_of(kept), now)
    except AishaError as error:
        return _put_off(entry, entries, tenant, now, error)
    entries.delete(tenant, None, KIND, entry.id)
    return "sent"


def _take(entry: Entry, entries: EntryRepository, tenant: str, now: datetime) -> bool:
    """Keeps other workers from it for a while; False when one of them has it."""
    until = entry.body.get("until")
    if until is not None and datetime.fromisoformat(until) > now:
        return False
    body = {**entry.body, "until": (now + LEASE).isoformat()}
    try:
        entries.put(tenant, None, KIND, entry.id, body, expected_version=entry.version, expires_at=entry.expires_at)
    except ConflictError:
        return False
    return True


def _put_off(entry: Entry, entries: EntryRepository, tenant: str, now: datetime, error: AishaError) -> str:
    tries = entry.body["tries"] + 1
    may_help = isinstance(error, UnavailableError) or error.retryable
    _log.warning("notification %s could not be sent: %s", entry.body["notification"], error.message)
    if tries < MOST_TRIES and may_help:
        body = {"user": entry.body["user"], "notification": entry.body["notification"], "tries": tries}
        with suppress(ConflictError):
            _put_on_list(entries, tenant, body, now + FIRST_PAUSE * 3 ** (tries - 1))
    entries.delete(tenant, None, KIND, entry.id)
    return "put_off" if tries < MOST_TRIES and may_help else "dropped"


def _sender(wishes: NotificationSettings, channels: Channels) -> Callable[[Due, datetime], None] | None:
    """What sends to this user, or None when nothing does."""
    mail, webhooks = channels.mail, channels.webhooks
    if wishes.channel == "email" and mail is not None and (address := wishes.email) is not None:

        def send_mail(due: Due, now: datetime) -> None:
            subject = " ".join(due.title.split())
            mail.send(MailMessage(id=due.id, to=address, subject=subject, body=due.body or subject, date=now))

        return send_mail
    if wishes.channel == "webhook" and webhooks is not None and wishes.webhook_url and (key := wishes.webhook_secret):
        url = wishes.webhook_url
        return lambda due, now: webhooks.send(url, key, due.id, _payload(due, now), now)
    return None


def _payload(due: Due, now: datetime) -> bytes:
    data = {"id": due.id, "title": due.title, "body": due.body, "dueAt": due.due_at.isoformat()}
    message = {"type": EVENT_TYPE, "timestamp": now.isoformat(), "data": data}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def _put_on_list(entries: EntryRepository, tenant: str, body: Mapping[str, object], at: datetime) -> None:
    entry_id = f"{_moment(at)}.{body['notification']}"
    entries.put(tenant, None, KIND, entry_id, body, expected_version=0, expires_at=at + KEPT)


def _moment(at: datetime) -> str:
    """Sorts by time."""
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%S")
