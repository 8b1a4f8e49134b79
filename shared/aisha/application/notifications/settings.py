"""How a user wants to be notified: where besides the app, and whether and when of what a sweep found."""

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
from aisha.domain.mail import is_mail_address
from aisha.domain.ports import EntryRepository
from aisha.domain.principal import Principal

Channel = Literal["in_app", "email", "webhook"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
KIND = "notification_settings"
DIGEST_HOUR = 8
UNNAMED_ZONE = "UTC"
SECRET_PREFIX = "whsec_"  # noqa: S105 - how a secret begins by the Standard Webhooks specification
_SECRET_BYTES = 32
_LONGEST_URL = 500


class NotificationSettings(Struct, frozen=True):
    """Of one user. In the app everything is shown; `channel` is where else it is sent when it is due.

    `email` is that of the token with which the settings were saved, `zone` that of the latest token that was seen to name
    one. `digest_hour` is an hour of that zone.
    `webhook_secret` signs what is sent to `webhook_url`.
    """

    channel: Channel = "in_app"
    digest: bool = True
    digest_hour: int = DIGEST_HOUR
    zone: str = UNNAMED_ZONE
    email: str | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = None


def settings_of(entries: EntryRepository, tenant: str, user: str) -> NotificationSettings:
    """The user's settings, or the defaults: in the app alone, a digest at 08:00 UTC. What can't be read is a default."""
    entry = entries.find(tenant, user, KIND, KIND)
    return _settings(entry.body) if entry else NotificationSettings()


def save_settings(
    entries: EntryRepository, principal: Principal, wanted: NotificationSettings, *, allow_http: bool = False
) -> NotificationSettings:
    """Saves them with the zone and the address of the user's token; a new webhook gets a new secret.

    `allow_http` is for tests and local servers, whose webhooks are sent without TLS.
    Raises `InvalidInputError` for a channel that can't reach the user, an hour that is none, or a URL that is none.
    """
    known = settings_of(entries, principal.tenant, principal.user)
    secret = known.webhook_secret if wanted.webhook_url == known.webhook_url else None
    if wanted.webhook_url is not None and secret is None:
        secret = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()
    made = replace(wanted, zone=principal.zone, email=principal.email, webhook_secret=secret)
    _check(made, ("https", "http") if allow_http else ("https",))
    entries.put(principal.tenant, principal.user, KIND, KIND, asdict(made))
    return made


def note_zone(entries: EntryRepository, principal: Principal) -> None:
    """Keeps the zone of the user's token for what is told at an hour of theirs; writes only when another one is known.

    A token without a zone counts as UTC and changes nothing. A store that does not answer leaves it for the next time.
    """
    if principal.zone == UNNAMED_ZONE:
        return
    with suppress(ConflictError, UnavailableError):
        entry = entries.find(principal.tenant, principal.user, KIND, KIND)
        body, version = (entry.body, entry.version) if entry else ({}, 0)
        if body.get("zone") != principal.zone:
            made = {**body, "zone": principal.zone}
            entries.put(principal.tenant, principal.user, KIND, KIND, made, expected_version=version)


def _check(wanted: NotificationSettings, schemes: Collection[str]) -> None:
    if wanted.channel == "email" and not is_mail_address(wanted.email):
        raise InvalidInputError(
            "Your sign-in has no email address to write to", pointer="/channel", suggestion="Use another channel."
        )
    if wanted.channel == "webhook" and wanted.webhook_url is None:
        raise InvalidInputError("The channel webhook needs a URL", pointer="/webhookUrl", suggestion="Give webhookUrl.")
    if not 0 <= wanted.digest_hour <= 23:
        raise InvalidInputError("The hour of the digest must be 0 to 23", pointer="/digestHour")
    if wanted.webhook_url is not None and not _is_web_address(wanted.webhook_url, schemes):
        raise InvalidInputError(
            "The webhook's URL must be https://<host>/<path> without a user or a fragment", pointer="/webhookUrl"
        )


def _is_web_address(url: str, schemes: Collection[str]) -> bool:
    """Of a shape that can be called. What address its host has is looked at when it is called."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    is_plain = not (parts.username or parts.password or parts.fragment) and url.isascii() and url.isprintable()
    is_short = len(url) <= _LONGEST_URL and " " not in url
    return parts.scheme in schemes and bool(parts.hostname) and port != 0 and is_plain and is_short


def _settings(body: Mapping[str, Any]) -> NotificationSettings:
    found = NotificationSettings(
        **{name: body[name] for name in NotificationSettings.__struct_fields__ if name in body}
    )
    if found.channel not in CHANNELS:
        found = replace(found, channel="in_app")
    try:
        ZoneInfo(found.zone)
    except (ValueError, LookupError, OSError):
        found = replace(found, zone=UNNAMED_ZONE)
    return found
