"""From a bearer token to the principal, and the principal's way from the authorizer to the functions."""

import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import jwt
from jwt import PyJWKClient
from jwt.exceptions import PyJWKClientConnectionError, PyJWTError

from aisha.application.requests import is_zone
from aisha.domain.errors import UnauthenticatedError, UnavailableError
from aisha.domain.principal import Principal

ALGORITHMS = ("RS256", "ES256")
"""Asymmetric ones only: `none` is no signature, and with HS256 whoever can read the public key could sign."""
LEEWAY = timedelta(seconds=60)
JWKS_SECONDS = 300
JWKS_TIMEOUT_SECONDS = 3
MOST_CHARACTERS = 8192
_IDENTIFIER = re.compile(r"[\w.@|:+-]{1,128}", re.ASCII)
_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_SIGN_IN = "Sign in again and send the token as 'Authorization: Bearer <token>'."


class TokenVerifier:
    """Checks tokens against the keys at `jwks_url`, which are kept for five minutes.

    Raises ValueError for a URL that a stranger on the way could answer: only https is taken, and http on this machine.
    """

    def __init__(self, jwks_url: str, *, issuer: str, audience: str) -> None:
        if not _is_safe(jwks_url):
            raise ValueError(f"the JWKS URL must be https, not {jwks_url!r}")
        self._keys = PyJWKClient(jwks_url, lifespan=JWKS_SECONDS, timeout=JWKS_TIMEOUT_SECONDS)
        self._issuer = issuer
        self._audience = audience

    def claims(self, token: str) -> dict[str, Any]:
        """The claims of a valid token. Raises `UnauthenticatedError`; `UnavailableError` when the keys can't be had."""
        if len(token) > MOST_CHARACTERS:
            raise UnauthenticatedError("The token is not valid.", suggestion=_SIGN_IN)
        try:
            if jwt.get_unverified_header(token).get("alg") not in ALGORITHMS:
                raise UnauthenticatedError("The token is not valid.", suggestion=_SIGN_IN)
            return self._verified(token)
        except PyJWKClientConnectionError as error:
            raise UnavailableError("The sign-in service's keys can't be fetched right now.") from error
        except jwt.ExpiredSignatureError:
            raise UnauthenticatedError("The token has expired.", suggestion=_SIGN_IN) from None
        except PyJWTError as error:
            raise UnauthenticatedError("The token is not valid.", suggestion=_SIGN_IN) from error

    def _verified(self, token: str) -> dict[str, Any]:
        return jwt.decode(
            token,
            self._keys.get_signing_key_from_jwt(token),
            algorithms=list(ALGORITHMS),
            issuer=self._issuer,
            audience=self._audience,
            leeway=LEEWAY,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )


def bearer_token(header: str | None) -> str:
    """The token of an `Authorization` header. Raises `UnauthenticatedError` when there is none."""
    scheme, _, token = (header or "").strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise UnauthenticatedError("A bearer token is missing.", suggestion=_SIGN_IN)
    return token.strip()


def context_of_claims(claims: Mapping[str, Any]) -> dict[str, str]:
    """The authorizer's context: text values only, lists as JSON, as API Gateway wants it.

    Raises `UnauthenticatedError` when the token names no tenant or user, or a list is none.
    """
    context = {
        "tenant_id": _identifier(claims, "tenant_id"),
        "user_id": _identifier(claims, "sub"),
        "roles": json.dumps(_names(claims, "roles")),
        "modules": json.dumps(_names(claims, "modules")),
        "expires_at": str(int(claims["exp"])),
    }
    for name in ("name", "email", "zoneinfo", "locale"):
        if isinstance(value := claims.get(name), str) and value:
            context[name] = value[:200]
    return context


def principal_of_context(context: Mapping[str, Any], now: datetime, *, door: str = "api") -> Principal:
    """The principal that the authorizer found. Raises `UnauthenticatedError` when it found none or it ended meanwhile.

    API Gateway keeps an authorizer's answer for minutes: the token's own end is looked at again here.
    """
    if not context.get("tenant_id") or not context.get("user_id"):
        raise UnauthenticatedError("A bearer token is missing.", suggestion=_SIGN_IN)
    if now.timestamp() > float(context.get("expires_at") or 0) + LEEWAY.total_seconds():
        raise UnauthenticatedError("The token has expired.", suggestion=_SIGN_IN)
    zone, locale = str(context.get("zoneinfo") or ""), str(context.get("locale") or "")
    return Principal(
        tenant=str(context["tenant_id"]),
        user=str(context["user_id"]),
        roles=frozenset(json.loads(context.get("roles") or "[]")),
        modules=frozenset(json.loads(context.get("modules") or "[]")),
        name=context.get("name"),
        email=context.get("email"),
        zone=zone if is_zone(zone) else "UTC",
        locale=locale if _LOCALE.fullmatch(locale) else "en-US",
        door=door,
    )


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme == "https":
        return bool(parts.hostname)
    host = parts.hostname or ""
    return parts.scheme == "http" and (host == "localhost" or (_is_address(host) and ip_address(host).is_loopback))


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _identifier(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not _IDENTIFIER.fullmatch(value):
        raise UnauthenticatedError(f"The token's {name} is missing or not usable.", suggestion=_SIGN_IN)
    return value


def _names(claims: Mapping[str, Any], name: str) -> list[str]:
    value = claims.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UnauthenticatedError(f"The token's {name} must be a list of names.", suggestion=_SIGN_IN)
    return sorted(set(value))
