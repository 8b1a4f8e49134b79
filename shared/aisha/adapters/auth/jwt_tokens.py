"""Bearer tokens signed by the identity provider, checked against the keys that it publishes."""

import time
from datetime import timedelta
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import jwt
from jwt import PyJWKClient
from jwt.exceptions import PyJWKClientConnectionError, PyJWTError

from aisha.adapters.auth.principal import SIGN_IN, SKEW
from aisha.domain.errors import UnauthenticatedError, UnavailableError

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Asymmetric algorithms only: `none` has no signature, and HS256 would let anyone sign with the public key."""
JWKS_SECONDS = 300
COOLDOWN_SECONDS = 30
"""Time between two fetches for unknown key ids, so that tokens with invented ids do not flood the provider."""
JWKS_TIMEOUT_SECONDS = 3
MAX_LIFETIME = timedelta(days=1)
"""The longest time from now to a token's end: what outlives a day is a mistake of the provider, or stolen."""
MAX_CHARACTERS = 8192
"""Characters of a token; a longer one is refused before it is decoded."""


class TokenVerifier:
    """Verifies tokens with the keys at `jwks_url`, which are cached for five minutes.

    An unknown key id causes a new fetch at once: providers may change keys at any time. Raises ValueError for a URL
    whose answer could be forged on the way: only https is accepted, and http on this machine.
    """

    def __init__(self, jwks_url: str, *, issuer: str, audience: str) -> None:
        if not _is_safe(jwks_url):
            raise ValueError(f"the JWKS URL must be https, not {jwks_url!r}")
        self._keys = PyJWKClient(
            jwks_url, lifespan=JWKS_SECONDS, timeout=JWKS_TIMEOUT_SECONDS, cooldown_duration=COOLDOWN_SECONDS
        )
        self._issuer = issuer
        self._audience = audience

    def claims(self, token: str) -> dict[str, Any]:
        """Return the claims of a valid token. Raises `UnauthenticatedError`; `UnavailableError` without the keys."""
        if len(token) > MAX_CHARACTERS:
            raise UnauthenticatedError("The token is not valid.", suggestion=SIGN_IN)
        try:
            # Before the key is looked up: a token that is refused anyway must not cause a fetch of the keys.
            if jwt.get_unverified_header(token).get("alg") not in ALGORITHMS:
                raise UnauthenticatedError("The token is not valid.", suggestion=SIGN_IN)
            return self._verified(token)
        except PyJWKClientConnectionError as error:
            raise UnavailableError("The sign-in service's keys can't be fetched right now.") from error
        except jwt.ExpiredSignatureError:
            raise UnauthenticatedError("The token has expired.", suggestion=SIGN_IN) from None
        # A time beyond a float's, and half a surrogate pair, which PyJWT passes on.
        except (PyJWTError, OverflowError, UnicodeError) as error:
            raise UnauthenticatedError("The token is not valid.", suggestion=SIGN_IN) from error

    def _verified(self, token: str) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            self._keys.get_signing_key_from_jwt(token),
            algorithms=list(ALGORITHMS),
            issuer=self._issuer,
            audience=self._audience,
            leeway=SKEW,
            # PyJWT checks `exp` only if it is present: a token without one would be valid for ever.
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        # PyJWT's leeway is for clocks that are behind the provider's. An end is an end.
        seconds_left = float(claims["exp"]) - time.time()
        if seconds_left <= 0:
            raise jwt.ExpiredSignatureError
        if not seconds_left <= (MAX_LIFETIME + SKEW).total_seconds():
            raise UnauthenticatedError("The token is valid for too long.", suggestion=SIGN_IN)
        return claims


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
