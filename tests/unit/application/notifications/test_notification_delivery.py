"""Delivery of due notifications over the user's channel, with retries, and the settings of the channel."""

import json
from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from aisha.application.notifications.delivery import Channels, DeliveryCounts, deliver_due, has_due
from aisha.application.notifications.settings import NotificationSettings, save_settings, settings_of
from aisha.application.notifications.store import NewNotification, create_notification, dismiss_notification
from aisha.application.tooling.context import make_context
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.external.mail import MailMessage
from aisha.domain.principal import Principal
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.support.tenants.desk import ANN, BOB, NOW, REGISTRY, Desk

MAILED = replace(ANN, email="ann@acme.example")
HOOK = "https://hooks.example.com/x"


class Outbox:
    """A `MailSender` and a `WebhookSender` that record messages, after raising each of `failures` once."""

    def __init__(self) -> None:
        self.mails: list[MailMessage] = []
        self.hooks: list[tuple[str, str, str, bytes]] = []
        self.failures: list[Exception] = []

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.pop(0)

    @property
    def channels(self) -> Channels:
        return Channels(_Mail(self), _Hooks(self))


class _Mail:
    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    def send(self, message: MailMessage) -> str:
        self._outbox._fail()
        self._outbox.mails.append(message)
        return message.id


class _Hooks:
    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox

    def send(self, url: str, secret: str, message_id: str, body: bytes, at: datetime) -> None:
        self._outbox._fail()
        self._outbox.hooks.append((url, secret, message_id, body))


@pytest.fixture
def desk() -> Desk:
    clock = FixedClock(NOW)
    return Desk(MAILED, clock, InMemoryRecordRepository(clock))


def _set(desk: Desk, principal: Principal = MAILED, **values: object) -> NotificationSettings:
    return save_settings(desk.ports.entries, principal, NotificationSettings(**values))  # type: ignore[arg-type]


def _notify(desk: Desk, title: str = "Call Jack", hours: int = 0, principal: Principal = MAILED) -> str:
    context = make_context(principal, desk.ports, "op")
    new = NewNotification(title, "He waits.", desk.clock.now() + timedelta(hours=hours))
    return create_notification(new, context, REGISTRY, f"{title}.{hours}".replace(" ", "_"))[1].id


def _deliver(desk: Desk, outbox: Outbox) -> DeliveryCounts:
    desk.clock.advance(timedelta(seconds=1))
    return deliver_due(desk.ports.entries, desk.clock, MAILED.tenant, outbox.channels)


def test_it_is_mailed_once_when_it_is_due(desk: Desk) -> None:
    outbox = Outbox()
    _set(desk, channel="email")
    notification_id = _notify(desk, hours=1)
    assert not has_due(desk.ports.entries, MAILED.tenant, desk.clock.now())
    assert _deliver(desk, outbox) == DeliveryCounts()
    desk.clock.advance(timedelta(hours=1))
    assert has_due(desk.ports.entries, MAILED.tenant, desk.clock.now())
    assert _deliver(desk, outbox) == DeliveryCounts(sent=1)
    assert _deliver(desk, outbox) == DeliveryCounts()
    (mail,) = outbox.mails
    assert (mail.id, mail.to, mail.subject, mail.body) == (
        notification_id,
        "ann@acme.example",
        "Call Jack",
        "He waits.",
    )


def test_a_webhook_gets_the_notification(desk: Desk) -> None:
    outbox = Outbox()
    settings = _set(desk, channel="webhook", webhook_url=HOOK)
    notification_id = _notify(desk)
    assert _deliver(desk, outbox) == DeliveryCounts(sent=1)
    ((url, secret, message_id, body),) = outbox.hooks
    assert (url, secret, message_id) == (HOOK, settings.webhook_secret, notification_id)
    message = json.loads(body)
    assert message["type"] == "notification.due"
    assert message["data"] == {
        "id": notification_id,
        "title": "Call Jack",
        "body": "He waits.",
        "dueAt": NOW.isoformat(),
    }


def test_a_user_who_wants_the_app_alone_gets_no_mail(desk: Desk) -> None:
    outbox = Outbox()
    _notify(desk, principal=BOB)
    _set(desk, channel="email")
    _notify(desk)
    _set(desk)
    assert _deliver(desk, outbox) == DeliveryCounts(dropped=1)
    assert outbox.mails == []


def test_what_was_dismissed_is_not_sent(desk: Desk) -> None:
    outbox = Outbox()
    _set(desk, channel="email")
    dismiss_notification(_notify(desk), make_context(MAILED, desk.ports, "op"))
    assert _deliver(desk, outbox) == DeliveryCounts(dropped=1)
    assert outbox.mails == []


def test_what_fails_is_tried_again_with_growing_pauses_five_times(desk: Desk) -> None:
    outbox = Outbox()
    outbox.failures = [UnavailableError("The mail server does not answer")] * 5
    _set(desk, channel="email")
    _notify(desk)
    outcomes = []
    for minutes in (0, 5, 15, 45, 135, 600):
        desk.clock.advance(timedelta(minutes=minutes))
        outcomes.append(_deliver(desk, outbox))
    assert outcomes == [*[DeliveryCounts(postponed=1)] * 4, DeliveryCounts(dropped=1), DeliveryCounts()]


def test_a_pause_is_kept_and_then_it_is_sent(desk: Desk) -> None:
    outbox = Outbox()
    outbox.failures = [UnavailableError("The mail server does not answer")]
    _set(desk, channel="email")
    _notify(desk)
    assert [_deliver(desk, outbox), _deliver(desk, outbox)] == [DeliveryCounts(postponed=1), DeliveryCounts()]
    desk.clock.advance(timedelta(minutes=5))
    assert _deliver(desk, outbox) == DeliveryCounts(sent=1)


def test_a_refusal_is_final_and_does_not_stop_others(desk: Desk) -> None:
    outbox = Outbox()
    outbox.failures = [InvalidInputError("The recipient is refused")]
    _set(desk, channel="email")
    _notify(desk, "First")
    _notify(desk, "Second")
    assert _deliver(desk, outbox) == DeliveryCounts(sent=1, dropped=1)


def test_what_one_worker_is_sending_no_other_worker_sends(desk: Desk) -> None:
    outbox = Outbox()
    _set(desk, channel="email")
    _notify(desk)
    outbox.failures = [KeyError("killed in between")]
    with pytest.raises(KeyError):
        _deliver(desk, outbox)
    assert _deliver(desk, outbox) == DeliveryCounts()
    desk.clock.advance(timedelta(minutes=5))
    assert _deliver(desk, outbox) == DeliveryCounts(sent=1)


# --- settings


def test_zone_and_address_are_the_tokens(desk: Desk) -> None:
    saved = _set(desk, channel="email", email="boss@acme.example", zone="Asia/Tokyo")
    assert (saved.email, saved.zone) == ("ann@acme.example", "Europe/Berlin")
    assert settings_of(desk.ports.entries, MAILED.tenant, "ann") == saved


def test_a_secret_stays_with_its_address(desk: Desk) -> None:
    first = _set(desk, channel="webhook", webhook_url=HOOK)
    assert first.webhook_secret
    assert first.webhook_secret.startswith("whsec_")
    assert _set(desk, channel="in_app", webhook_url=HOOK).webhook_secret == first.webhook_secret
    assert _set(desk, webhook_url=f"{HOOK}/2").webhook_secret not in (None, first.webhook_secret)
    assert _set(desk).webhook_secret is None


@pytest.mark.parametrize(
    ("principal", "values", "pointer"),
    [
        (ANN, {"channel": "email"}, "/channel"),
        (ANN, {"channel": "webhook"}, "/webhookUrl"),
        (ANN, {"channel": "webhook", "webhook_url": "ftp://x.example"}, "/webhookUrl"),
        (ANN, {"channel": "webhook", "webhook_url": "https://u:p@x.example/"}, "/webhookUrl"),
        (ANN, {"channel": "webhook", "webhook_url": "https://x.example/a b"}, "/webhookUrl"),
        (ANN, {"channel": "webhook", "webhook_url": "https://x.example:x/"}, "/webhookUrl"),
        (ANN, {"digest_hour": 24}, "/digestHour"),
    ],
)
def test_what_can_not_reach_the_user_is_refused(
    desk: Desk, principal: Principal, values: dict[str, object], pointer: str
) -> None:
    with pytest.raises(InvalidInputError) as error:
        _set(desk, principal, **values)
    assert error.value.pointer == pointer
    assert settings_of(desk.ports.entries, ANN.tenant, "ann") == NotificationSettings()


def test_settings_that_can_not_be_read_are_the_defaults(desk: Desk) -> None:
    settings = {"channel": "pigeon", "zone": "Mars/Base", "digest": False}
    desk.ports.entries.put(ANN.tenant, "ann", "notification_settings", "notification_settings", settings)
    assert settings_of(desk.ports.entries, ANN.tenant, "ann") == NotificationSettings(digest=False)
