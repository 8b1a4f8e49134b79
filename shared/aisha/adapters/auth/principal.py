"""The caller's way from the authorizer to the functions: token claims, API Gateway's context, principal."""

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from aisha.domain.errors import UnauthenticatedError
from aisha.domain.principal import Principal

SIGN_IN = "Sign in again and send the token as 'Authorization: Bearer <token>'."
SKEW = timedelta(seconds=60)
"""Tolerance for the identity provider's clock: a token is valid so much earlier, and so much longer."""
# Ids of the usual providers: "auth0|5f7c8ec7c33c", "anna@abc.example"; "#" separates the parts of storage keys.
_IDENTIFIER = re.compile(r"[\w.@|:+-]{1,128}", re.ASCII)
# "de", "de-DE", "zh-Hant-TW", and with underscores as some providers write it: "pt_BR".
_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


class ClaimNames(Struct, frozen=True):
    """The identity provider's names of the claims that OpenID Connect does not define."""

    tenant: str = "tenant_id"
    roles: str = "roles"
    modules: str = "modules"


def bearer_token(header: str | None) -> str:
    """Return the token of an `Authorization` header. Raises `UnauthenticatedError` when there is none."""
    scheme, _, token = (header or "").strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise UnauthenticatedError("A bearer token is missing.", suggestion=SIGN_IN)
    return token.strip()


def context_of_claims(claims: Mapping[str, Any], names: ClaimNames | None = None) -> dict[str, str]:
    """Return the authorizer's context: text values only, lists as JSON, as API Gateway requires.

    Raises `UnauthenticatedError` when the token names no tenant or user, or a list claim is not a list.
    """
    names = names or ClaimNames()
    context = {
        "tenant_id": _identifier(claims, names.tenant),
        "user": _identifier(claims, "sub"),
        "roles": json.dumps(_names(claims, names.roles)),
        "modules": json.dumps(_names(claims, names.modules)),
        "expires_at": str(int(claims["exp"])),
    }
    for name in ("name", "email", "zoneinfo", "locale"):
        if isinstance(value := claims.get(name), str) and value:
            context[name] = value[:200]
    # Notifications go there, and answers to the user's mail: it must not be somebody else's. Some providers write text.
    if claims.get("email_verified") in (False, "false"):
        context.pop("email", None)
    return context


def usage_key(api: str, stage: str, tenant: str) -> str:
    """Return the value of the tenant's API key at a stage of an API, both by their ids.

    The gateway finds the usage plan by it. It need not be secret: the gateway accepts it from the authorizer alone.
    """
    return sha256(f"aisha/{api}/{stage}/{tenant}".encode()).hexdigest()


def principal_of_context(context: Mapping[str, Any], now: datetime) -> Principal:
    """Return the principal of an authorizer's context. Raises `UnauthenticatedError` without one, or after its end.

    API Gateway caches an authorizer's answer for minutes, so the token's own expiry is checked again here.
    """
    if not context.get("tenant_id") or not context.get("user"):
        raise UnauthenticatedError("A bearer token is missing.", suggestion=SIGN_IN)
    if (end := context.get("expires_at")) and now.timestamp() >= float(end):
        raise UnauthenticatedError("The token has expired.", suggestion=SIGN_IN)
    locale = str(context.get("locale") or "")
    return Principal(
        tenant=str(context["tenant_id"]),
        user=str(context["user"]),
        roles=frozenset(json.loads(context.get("roles") or "[]")),
        modules=frozenset(json.loads(context.get("modules") or "[]")),
        name=context.get("name"),
        email=context.get("email"),
        zone=_zone(str(context.get("zoneinfo") or "")),
        locale=locale if _LOCALE.fullmatch(locale) else "en-US",
    )


def _zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    # ValueError for a path that leads out of the zone database, OSError for one of its folders, such as "Europe".
    except (ValueError, LookupError, OSError):
        return "UTC"


def _identifier(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not _IDENTIFIER.fullmatch(value):
        raise UnauthenticatedError(f"The token's {name} is missing or not usable.", suggestion=SIGN_IN)
    return value


def _names(claims: Mapping[str, Any], name: str) -> list[str]:
    value = claims.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UnauthenticatedError(f"The token's {name} must be a list of names.", suggestion=SIGN_IN)
    return sorted(set(value))
