"""Notification settings of a user: the channel besides the app, and the daily digest of a sweep's suggestions."""

import base64
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, Literal, get_args
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import asdict, replace

from aisha.domain.errors import ConflictError, InvalidInputError, UnavailableError
from aisha.domain.external.mail import is_mail_address
from aisha.domain.ports import EntryRepository
from aisha.domain.principal import Principal

Channel = Literal["in_app", "email", "webhook"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
KIND = "notification_settings"
DIGEST_HOUR = 8
UNNAMED_ZONE = "UTC"
"""The zone of a principal whose token names none."""
SECRET_PREFIX = "whsec_"  # noqa: S105 - how a secret begins by the Standard Webhooks specification
_SECRET_BYTES = 32
_MAX_URL_LENGTH = 500


class NotificationSettings(Struct, frozen=True):
    """The settings of one user. The app shows every notification; `channel` is where due ones are sent as well.

    `email` is from the token with which the settings were saved, `zone` from the latest token that named a time zone.
    `digest_hour` (0 to 23) is in that zone. `webhook_secret` signs the messages to `webhook_url`.
    """

    channel: Channel = "in_app"
    digest: bool = True
    digest_hour: int = DIGEST_HOUR
    zone: str = UNNAMED_ZONE
    email: str | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = None


def settings_of(entries: EntryRepository, tenant: str, user: str) -> NotificationSettings:
    """Return the user's settings, with defaults for missing or invalid values: the app alone, a digest at 08:00 UTC."""
    entry = entries.find(tenant, user, KIND, KIND)
    return _settings(entry.body) if entry else NotificationSettings()


def save_settings(
    entries: EntryRepository, principal: Principal, settings: NotificationSettings, *, allow_http: bool = False
) -> NotificationSettings:
    """Store and return the settings with the time zone and address of the user's token, and a secret for a new webhook.

    `allow_http` is for tests and local servers, whose webhooks have no TLS. Raises `InvalidInputError` for a channel
    that can't reach the user, and for an invalid hour or URL.
    """
    before = settings_of(entries, principal.tenant, principal.user)
    # A new address gets a new secret: the receiver at the old one could forge messages with the old secret.
    secret = before.webhook_secret if settings.webhook_url == before.webhook_url else None
    if settings.webhook_url is not None and secret is None:
        secret = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()
    settings = replace(settings, zone=principal.zone, email=principal.email, webhook_secret=secret)
    _check(settings, ("https", "http") if allow_http else ("https",))
    entries.put(principal.tenant, principal.user, KIND, KIND, asdict(settings))
    return settings


def remember_zone(entries: EntryRepository, principal: Principal) -> None:
    """Store the time zone of the user's token, in which the digest is sent, if another one is stored.

    A token without a zone has UTC and changes nothing.
    """
    if principal.zone == UNNAMED_ZONE:
        return
    # A failure must not break the caller's work: the user's next request stores the zone.
    with suppress(ConflictError, UnavailableError):
        entry = entries.find(principal.tenant, principal.user, KIND, KIND)
        body, version = (entry.body, entry.version) if entry else ({}, 0)
        if body.get("zone") != principal.zone:
            body = {**body, "zone": principal.zone}
            entries.put(principal.tenant, principal.user, KIND, KIND, body, expected_version=version)


def _check(settings: NotificationSettings, schemes: Collection[str]) -> None:
    if settings.channel == "email" and not is_mail_address(settings.email):
        raise InvalidInputError(
            "Your sign-in has no email address to write to", pointer="/channel", suggestion="Use another channel."
        )
    if settings.channel == "webhook" and settings.webhook_url is None:
        raise InvalidInputError("The channel webhook needs a URL", pointer="/webhookUrl", suggestion="Give webhookUrl.")
    if not 0 <= settings.digest_hour <= 23:
        raise InvalidInputError("The hour of the digest must be 0 to 23", pointer="/digestHour")
    if settings.webhook_url is not None and not _is_web_address(settings.webhook_url, schemes):
        raise InvalidInputError(
            "The webhook's URL must be https://<host>/<path> without a user or a fragment", pointer="/webhookUrl"
        )


def _is_web_address(url: str, schemes: Collection[str]) -> bool:
    # Only the form is checked here; the sender checks the host's address at each call, as it can change.
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    is_plain = not (parts.username or parts.password or parts.fragment) and url.isascii() and url.isprintable()
    is_short = len(url) <= _MAX_URL_LENGTH and " " not in url
    return parts.scheme in schemes and bool(parts.hostname) and port != 0 and is_plain and is_short


def _settings(body: Mapping[str, Any]) -> NotificationSettings:
    settings = NotificationSettings(
        **{name: body[name] for name in NotificationSettings.__struct_fields__ if name in body}
    )
    if settings.channel not in CHANNELS:
        settings = replace(settings, channel="in_app")
    try:
        ZoneInfo(settings.zone)
    # `ZoneInfo` raises ValueError for a path, LookupError for an unknown name and OSError for one that is too long.
    except (ValueError, LookupError, OSError):
        settings = replace(settings, zone=UNNAMED_ZONE)
    return settings
