"""Webhooks: they are signed, and go only to public addresses."""

import base64
import hashlib
import hmac
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.adapters.http.http_client import HttpClient
from aisha.adapters.webhooks.signed_webhook import SignedWebhookSender, signature
from aisha.domain.errors import InvalidInputError, PermissionDeniedError, UnavailableError
from tests.fakes.systems.webhook_receiver import WebhookReceiver

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def receiver() -> Iterator[WebhookReceiver]:
    with WebhookReceiver() as server:
        yield server


def _send(receiver: WebhookReceiver) -> None:
    SignedWebhookSender(allow_private=True).send(receiver.url, SECRET, "notification_1", b'{"a":1}', AT)


def test_the_signature_is_the_specifications() -> None:
    """Check the example of the reference implementation, svix/svix-libs."""
    value = signature(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", b'{"test": 2432232314}')
    assert value == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_receiver_can_verify_the_signature(receiver: WebhookReceiver) -> None:
    _send(receiver)
    ((headers, body),) = receiver.received
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body.decode()}".encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert (headers["webhook-timestamp"], headers["webhook-id"]) == (str(int(AT.timestamp())), "notification_1")
    assert (headers["content-type"], body) == ("application/json", b'{"a":1}')


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_temporary_failure_may_be_retried(receiver: WebhookReceiver, status: int) -> None:
    receiver.statuses = [status]
    with pytest.raises(UnavailableError):
        _send(receiver)


@pytest.mark.parametrize("status", [301, 307, 400, 404, 410])
def test_refusals_are_final_and_redirects_are_not_followed(receiver: WebhookReceiver, status: int) -> None:
    receiver.statuses = [status]
    with pytest.raises(InvalidInputError, match=str(status)):
        _send(receiver)
    assert len(receiver.received) == 1


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.7", "192.168.1.1", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.7"]
)
def test_private_addresses_are_off_limits_whatever_the_name(address: str) -> None:
    def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(None, None, None, "", (address, 443))]

    sender = SignedWebhookSender(client=HttpClient(resolve=resolve))
    with pytest.raises(PermissionDeniedError):
        sender.send("https://hooks.example.com/x", SECRET, "id", b"{}", AT)


def test_only_https_is_called(receiver: WebhookReceiver) -> None:
    with pytest.raises(PermissionDeniedError, match="https"):
        SignedWebhookSender().send(receiver.url, SECRET, "id", b"{}", AT)
    assert receiver.received == []


def test_an_invalid_secret_is_an_error() -> None:
    with pytest.raises(InvalidInputError):
        signature("whsec_&&&", "id", "1", b"")
