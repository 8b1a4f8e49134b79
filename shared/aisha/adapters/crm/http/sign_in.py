"""The sign-in to a CRM: the connection's secret, access tokens, and refresh tokens that are replaced at each use."""

import json
import logging
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import UTC, datetime
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from pydantic_core import from_json

from aisha.adapters.crm.http.answers import error_message, picked_or_none, text_at
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.http.http_client import HttpAnswer, HttpClient, HttpRequest
from aisha.adapters.http_tools.templates import filled, names_in
from aisha.domain.crm.connector import Connection
from aisha.domain.errors import AishaError, DeadlineExceededError, PermissionDeniedError, UnavailableError
from aisha.domain.ports import WritableSecretStore

MAX_TOKEN_BYTES = 1024 * 1024
_TOKEN_EXPIRY_MARGIN, _TOKEN_TTL = 60.0, 3600.0
_TOKEN, _TOKEN_UNTIL = "access_token", "access_token_until"
"""Members of a secret beside a refresh token that is replaced at each use."""
_LOGGER = logging.getLogger(__name__)


class Access(Struct, frozen=True):
    """All that the requests of one connection are made with.

    `renewal_lock` is held while a refresh token is exchanged: one that two processes use at once may be revoked.
    """

    file: MappingFile
    connection: Connection
    secrets: WritableSecretStore
    http: HttpClient
    allow_private: bool = False
    renewal_lock: Callable[[], AbstractContextManager[None]] = nullcontext
    clock: Callable[[], float] = time.monotonic


class SignIn:
    """The sign-in of one connection. Threads share it."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._file, self._connection, self._clock = access.file, access.connection, access.clock
        self._token: tuple[str, float] = ("", 0.0)
        self._refused = ""
        self._unstored: str | None = None
        self._renewing, self._storing = Lock(), Lock()

    @property
    def has_access_token(self) -> bool:
        """True while the secret has been exchanged for an access token."""
        return bool(self._token[0])

    def expire(self) -> None:
        """Give up an access token that the CRM does not accept any more."""
        self._refused, self._token = self._token[0], ("", 0.0)

    def secret(self, *, is_fresh: bool = False) -> Any:
        """Return the connection's secret: a token or key, or its members. Raises `PermissionDeniedError`."""
        name = self._connection.secret
        if name is None:
            raise PermissionDeniedError(f"The connection to {self._file.title} names no secret.")
        self._store_secret()
        stored = self._unstored or (self._access.secrets.fresh(name) if is_fresh else self._access.secrets.get(name))
        value = stored.strip()
        if self._file.client.auth.type in ("bearer", "api_key") and not self._file.client.secret_members:
            return value
        try:
            members = from_json(value)
        except ValueError:
            members = None
        if isinstance(members, dict):
            return {str(member): str(value) for member, value in members.items()}
        if self._file.client.auth.type == "http_basic":
            username, _, password = value.partition(":")
            return {"username": username, "password": password}
        named = self._file.client.secret_members
        which = f": its members are secret, {', '.join(named)}" if named else ""
        raise PermissionDeniedError(f"The secret {name!r} is not the JSON that {self._file.title} needs{which}.")

    def header(self, secret: Any, members: Mapping[str, str]) -> dict[str, str]:
        """Return the header that signs a request in. Raises `PermissionDeniedError`, `UnavailableError`."""
        auth = self._file.client.auth
        if auth.type == "http_basic":
            pair = f"{secret.get('username', '')}:{secret.get('password', '')}"
            return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
        token = self._access_token(secret) if auth.has_access_token else key_of(secret)
        return {auth.name: auth.signed(token, members)}

    def members(self, secret: Any) -> Mapping[str, str]:
        """Return the members of the secret that the headers name. Raises `PermissionDeniedError` for missing ones."""
        needed = self._file.client.secret_members
        if needed and not self._file.client.auth.has_access_token and self._file.client.auth.type != "http_basic":
            needed = ["secret", *needed]
        if missing := [name for name in needed if name not in secret]:
            raise self.denied(f"the secret has no {' and no '.join(missing)}")
        return {name: secret[name] for name in needed}

    def _access_token(self, secret: Mapping[str, str]) -> str:
        token, until = self._token
        if token and self._clock() < until:
            return token
        # One thread renews, the others wait and find the new token: the same look-up again.
        with self._renewing:
            token, until = self._token
            if token and self._clock() < until:
                return token
            if self._file.client.auth.type != "oauth2_refresh_token":
                return self._new_token(secret)
            with self._access.renewal_lock():
                with suppress(UnavailableError):
                    # A refresh token that was used once may revoke all of them when it is used again.
                    secret = self.secret(is_fresh=True)
                return self._shared_token(secret) or self._new_token(secret)

    def _shared_token(self, secret: Mapping[str, str]) -> str:
        """Return the access token that another process has stored beside its refresh token; "" where none is good."""
        token, until = secret.get(_TOKEN, ""), float(secret.get(_TOKEN_UNTIL, 0))
        seconds_left = until - datetime.now(UTC).timestamp()
        if not token or token == self._refused or seconds_left <= _TOKEN_EXPIRY_MARGIN:
            return ""
        self._token = token, self._clock() + seconds_left - _TOKEN_EXPIRY_MARGIN
        return token

    def _new_token(self, secret: Mapping[str, str], *, is_again: bool = False) -> str:
        answer = self._http_send(self._token_request(secret))
        try:
            body = from_json(answer.body)
        except ValueError:
            body = None
        auth = self._file.client.auth
        token = picked_or_none(auth.access_token_path, body) if answer.status < 400 else None
        if not token:
            if answer.status >= 500:
                raise UnavailableError(f"{self._file.title} does not answer ({answer.status}).")
            # Another process may have used the refresh token a moment before: then the stored one is newer.
            newer = None if is_again else self._newer_secret(secret)
            if newer is not None:
                return self._shared_token(newer) or self._new_token(newer, is_again=True)
            reason = text_at("error_description || error", body) or error_message(self._file.errors, body)
            raise self.denied(f"it gave no access token ({reason or answer.status})")
        try:
            seconds = float(picked_or_none(auth.expires_in_path, body) or _TOKEN_TTL)
        except (TypeError, ValueError):
            seconds = _TOKEN_TTL
        self._token = str(token), self._clock() + max(seconds - _TOKEN_EXPIRY_MARGIN, 1.0)
        self._keep_refresh_token(secret, body, seconds)
        return self._token[0]

    def _token_request(self, secret: Mapping[str, str]) -> HttpRequest:
        auth = self._file.client.auth
        names = {**secret, "url": self._connection.url.rstrip("/")}
        templates = [str(auth.access_token_url), *auth.access_token_request_data.values()]
        used = {name for text in templates for name in names_in(text)}
        if missing := sorted(used - names.keys()):
            raise self.denied(f"the secret has no {' and no '.join(missing)}")
        url, *data = (str(filled(text, names)) for text in templates)
        form = dict(zip(auth.access_token_request_data, data, strict=True))
        if auth.type == "login":
            kind, body = "application/json", json.dumps(form or dict(secret), ensure_ascii=False).encode()
        else:
            unsent = {*used, _TOKEN, _TOKEN_UNTIL}
            form = {name: value for name, value in secret.items() if name not in unsent} | form
            grant = "refresh_token" if auth.type == "oauth2_refresh_token" else "client_credentials"
            form.setdefault("grant_type", grant)
            kind, body = "application/x-www-form-urlencoded", urlencode(form).encode()
        headers = {"Content-Type": kind, "Accept": "application/json", "User-Agent": "AiSHA"}
        seconds = self._file.client.timeout_seconds
        return HttpRequest("POST", url, headers, body, seconds, MAX_TOKEN_BYTES, self._access.allow_private)

    def _http_send(self, request: HttpRequest) -> HttpAnswer:
        try:
            return self._access.http.send(request)
        except (UnavailableError, DeadlineExceededError) as error:
            raise UnavailableError(f"{self._file.title} does not answer: {error.message}.") from error

    def _keep_refresh_token(self, secret: Mapping[str, str], body: Any, seconds: float) -> None:
        """Store a new refresh token in the secret, with the access token for other processes: the old one has ended."""
        token = body.get("refresh_token") if isinstance(body, Mapping) else None
        if self._file.client.auth.type != "oauth2_refresh_token" or not token or token == secret.get("refresh_token"):
            return
        until = datetime.now(UTC).timestamp() + seconds
        members = {**secret, "refresh_token": str(token), _TOKEN: self._token[0], _TOKEN_UNTIL: f"{until:.0f}"}
        self._unstored = json.dumps(members)
        self._store_secret()

    def _store_secret(self) -> None:
        """Store a secret that is not stored yet; until it is, this process alone can sign in."""
        with self._storing:
            if self._unstored is None:
                return
            try:
                self._access.secrets.put(str(self._connection.secret), self._unstored)
            except AishaError as error:
                _LOGGER.error("the new refresh token of %s can't be stored: %s", self._connection.id, error.message)
            else:
                self._unstored = None

    def _newer_secret(self, secret: Mapping[str, str]) -> Mapping[str, str] | None:
        """Return the secret as it is now where another process has renewed its refresh token meanwhile."""
        if self._file.client.auth.type != "oauth2_refresh_token":
            return None
        newer: Mapping[str, str] = self.secret(is_fresh=True)
        return newer if newer.get("refresh_token") != secret.get("refresh_token") else None

    def denied(self, reason: str) -> PermissionDeniedError:
        """Return the error of a refusal."""
        return PermissionDeniedError(
            f"{self._file.title} refused our credentials or rights: {reason.rstrip('.')}.",
            detail={"connection": self._connection.id},
            suggestion="Ask your admin to check the connection's token and its rights.",
        )


def key_of(secret: Any) -> str:
    """Return the token or key of a secret that is one, or has one as its member `secret`."""
    return secret if isinstance(secret, str) else str(secret.get("secret", ""))
