"""Requests to a CRM: signed in, within its limits, and its errors in our own terms."""

import json
import logging
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import UTC, datetime
from random import uniform
from threading import Lock
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

import httpcore2
from msgspec import Struct
from pydantic_core import from_json

from aisha.adapters.crm.answers import (
    decoded,
    error_message,
    is_listed,
    picked_or_none,
    retry_after,
    text_at,
    texts_in,
)
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.http.http_client import HttpAnswer, HttpClient, HttpRequest
from aisha.adapters.http_tools.endpoint import without_secret
from aisha.adapters.http_tools.templates import as_text, filled, filled_path, names_in, query_pairs
from aisha.domain.crm.connector import Connection
from aisha.domain.errors import (
    AishaError,
    AnswerLostError,
    ConflictError,
    DeadlineExceededError,
    InvalidInputError,
    NotFoundError,
    PayloadTooLargeError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
)
from aisha.domain.ports import WritableSecretStore

RETRY_TIMEOUT_SECONDS = 12.0
"""For one request with its repetitions, within a turn's 25 seconds."""
MAX_RESPONSE_BYTES = 16 * 1024 * 1024
_TOKEN_EXPIRY_MARGIN, _TOKEN_TTL = 60.0, 3600.0
_TOKEN, _TOKEN_UNTIL = "access_token", "access_token_until"
"""Members of a secret beside a refresh token that is replaced at each use."""
_MAX_EXCERPT_LENGTH = 200
_log = logging.getLogger(__name__)
NO_CONTENT: Final[Mapping[str, Any]] = {}
"""The answer of the statuses 204 and 304: nothing is there, or nothing has changed. A 200 without a body is not it."""


class CrmAnswer(Struct, frozen=True):
    """An answer: its JSON, `NO_CONTENT`, or None for an empty body. `headers` have lower-case names."""

    value: Any
    headers: Mapping[str, str]


class CrmClient:
    """The HTTP side of one connection. Threads share it.

    `renewal_lock` is held while a refresh token is exchanged: one that two processes use at once may be revoked.
    """

    def __init__(
        self,
        file: MappingFile,
        connection: Connection,
        secrets: WritableSecretStore,
        http: HttpClient,
        *,
        allow_private: bool = False,
        renewal_lock: Callable[[], AbstractContextManager[None]] = nullcontext,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._file = file
        self._connection = connection
        self._secrets = secrets
        self._http = http
        self._allow_private = allow_private
        self._renewal_lock = renewal_lock
        self._clock, self._sleep = clock, sleep
        self._base = file.client.base_url.replace("{url}", connection.url.rstrip("/"))
        self._host = urlsplit(self._base).hostname
        self._token: tuple[str, float] = ("", 0.0)
        self._spent: deque[tuple[float, int]] = deque()
        self._refused = ""
        self._unstored: str | None = None
        self._lock, self._renewing, self._storing = Lock(), Lock(), Lock()

    def call(
        self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None = None, *, is_read: bool = False
    ) -> CrmAnswer:
        """Return the answer. `url` is a next page's own; `is_read` says of a POST that it changes nothing.

        A read is repeated after a failure; a write only where the CRM has certainly not done it. Raises
        `AnswerLostError` for a write otherwise, and the errors of `CrmConnector`.
        """
        is_read = is_read or endpoint.method == "GET"
        deadline, delay, renewed = self._clock() + RETRY_TIMEOUT_SECONDS, 0.5, False
        while True:
            wait = self._pause(endpoint.cost)
            if wait > 0:
                self._wait(wait, deadline)
                continue
            try:
                return self._once(endpoint, values, url, is_read=is_read)
            except _ExpiredTokenError as error:
                if renewed:
                    raise self._denied(error.message) from None
                self._refused, self._token, renewed = self._token[0], ("", 0.0), True
            except RateLimitedError as error:
                self._wait(error.retry_after if error.detail else delay, deadline, error)
            except UnavailableError as error:
                if isinstance(error, AnswerLostError):
                    raise
                self._wait(delay, deadline, error)
            delay *= 2

    def _wait(self, seconds: float, deadline: float, error: AishaError | None = None) -> None:
        if self._clock() + seconds > deadline:
            limited = RateLimitedError(
                f"{self._file.title} limits our requests.",
                retry_after=max(1, round(seconds)),
                suggestion="Try again in a moment.",
            )
            raise error if error is not None and not isinstance(error, RateLimitedError) else limited from error
        self._sleep(seconds + uniform(0, 0.1))  # noqa: S311 - spreads repetitions, no secret

    def _pause(self, cost: int) -> float:
        """Count a request and return 0, or return the seconds to wait where a limit of the file is used up."""
        limits, now = self._file.limits, self._clock()
        with self._lock:
            while self._spent and self._spent[0][0] <= now - 60:
                self._spent.popleft()
            for allowed, window in ((limits.per_second, 1.0), (limits.per_minute, 60.0)):
                recent = [(at, one) for at, one in self._spent if at > now - window]
                if allowed is not None and recent and sum(one for _, one in recent) + cost > allowed:
                    return max(recent[0][0] + window - now, 0.01)
            self._spent.append((now, cost))
        return 0.0

    def _once(self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None, *, is_read: bool) -> CrmAnswer:
        secret = self._secret()
        request = self._request(endpoint, values, url, secret)
        title = self._file.title
        try:
            answer = self._http.send(request)
        except (UnavailableError, DeadlineExceededError, PayloadTooLargeError) as error:
            was_sent = not isinstance(error.__cause__, httpcore2.ConnectError)
            message = f"{title} does not answer: {error.message[:1].lower()}{error.message[1:]}."
            kind = AnswerLostError if was_sent and not is_read else UnavailableError
            raise kind(message, suggestion="Try again in a few minutes.") from error
        text = without_secret(_key_of(secret) or None, decoded(answer))
        return CrmAnswer(self._value(answer, text, is_read=is_read), answer.headers)

    def _request(self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None, secret: Any) -> HttpRequest:
        auth = self._file.client.auth
        pairs = [] if url else query_pairs(endpoint.params, values)
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "AiSHA"}
        body = None
        if endpoint.body is not None:
            body = json.dumps(filled(endpoint.body, values), ensure_ascii=False, default=str).encode()
            headers["Content-Type"] = "application/json"
        elif endpoint.form is not None:
            form = filled(endpoint.form, values)
            body = urlencode({name: as_text(one) for name, one in form.items() if one is not None}).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        elif endpoint.method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = "0"
        members = self._members(secret)
        for template, given in ((self._file.client.headers, members), (endpoint.headers, values)):
            headers = _with(headers, {name: str(text) for name, text in filled(template, given).items()})
        location = auth.location if auth.type == "api_key" else "header"
        in_query = location == "query"
        if in_query:
            pairs.append((auth.name, auth.signed(_key_of(secret), members)))
        elif location == "header":
            headers = _with(headers, self._signed_in(secret, members))
        target = self._next_url(url, auth.name if in_query else "") if url else self._address(endpoint, values)
        if pairs:
            target += ("&" if "?" in target else "?") + urlencode(pairs, quote_via=quote)
        if location == "path":
            target = target.replace("{secret}", quote(_key_of(secret), safe="/"))
        seconds = self._file.client.timeout_seconds
        return HttpRequest(endpoint.method, target, headers, body, seconds, MAX_RESPONSE_BYTES, self._allow_private)

    def _address(self, endpoint: Endpoint, values: Mapping[str, Any]) -> str:
        try:
            return f"{self._base}{filled_path(endpoint.path, values)}"
        except KeyError as error:
            raise InvalidInputError(f"{endpoint.path} needs a value for {error}, which this record has not.") from None

    def _next_url(self, url: str, key: str = "") -> str:
        """Return the next page's address, without the parameter of our key, which may be masked in it."""
        target = urljoin(self._base + "/", url)
        if key:
            pairs = [pair for pair in parse_qsl(urlsplit(target).query, keep_blank_values=True) if pair[0] != key]
            target = urlsplit(target)._replace(query=urlencode(pairs, quote_via=quote)).geturl()
        # An answer must not send our credentials elsewhere.
        if urlsplit(target).hostname != self._host or urlsplit(target).scheme != urlsplit(self._base).scheme:
            raise UnavailableError(f"{self._file.title} named a next page at another host, which is not followed.")
        return target

    # --- signing in

    def _secret(self, *, is_fresh: bool = False) -> Any:
        name = self._connection.secret
        if name is None:
            raise PermissionDeniedError(f"The connection to {self._file.title} names no secret.")
        self._store_secret()
        stored = self._unstored or (self._secrets.fresh(name) if is_fresh else self._secrets.get(name))
        value = stored.strip()
        if self._file.client.auth.type in ("bearer", "api_key") and not self._file.client.secret_members:
            return value
        try:
            members = from_json(value)
        except ValueError:
            members = None
        if isinstance(members, dict):
            return {str(member): str(one) for member, one in members.items()}
        if self._file.client.auth.type == "http_basic":
            username, _, password = value.partition(":")
            return {"username": username, "password": password}
        named = self._file.client.secret_members
        which = f": its members are secret, {', '.join(named)}" if named else ""
        raise PermissionDeniedError(f"The secret {name!r} is not the JSON that {self._file.title} needs{which}.")

    def _signed_in(self, secret: Any, members: Mapping[str, str]) -> dict[str, str]:
        auth = self._file.client.auth
        if auth.type == "http_basic":
            pair = f"{secret.get('username', '')}:{secret.get('password', '')}"
            return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
        token = self._access_token(secret) if auth.has_access_token else _key_of(secret)
        return {auth.name: auth.signed(token, members)}

    def _members(self, secret: Any) -> Mapping[str, str]:
        """Return the members of the secret that the headers name. Raises `PermissionDeniedError` for missing ones."""
        needed = self._file.client.secret_members
        if needed and not self._file.client.auth.has_access_token and self._file.client.auth.type != "http_basic":
            needed = ["secret", *needed]
        if missing := [name for name in needed if name not in secret]:
            raise self._denied(f"the secret has no {' and no '.join(missing)}")
        return {name: secret[name] for name in needed}

    def _access_token(self, secret: Mapping[str, str]) -> str:
        token, until = self._token
        if token and self._clock() < until:
            return token
        with self._renewing:
            token, until = self._token
            if token and self._clock() < until:
                return token
            if self._file.client.auth.type != "oauth2_refresh_token":
                return self._new_token(secret)
            with self._renewal_lock():
                with suppress(UnavailableError):
                    # A refresh token that was used once may revoke all of them when it is used again.
                    secret = self._secret(is_fresh=True)
                return self._shared_token(secret) or self._new_token(secret)

    def _shared_token(self, secret: Mapping[str, str]) -> str:
        """Return the access token that another process has stored beside its refresh token; "" where none is good."""
        token, until = secret.get(_TOKEN, ""), float(secret.get(_TOKEN_UNTIL, 0))
        left = until - datetime.now(UTC).timestamp()
        if not token or token == self._refused or left <= _TOKEN_EXPIRY_MARGIN:
            return ""
        self._token = token, self._clock() + left - _TOKEN_EXPIRY_MARGIN
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
            newer = None if is_again else self._newer_secret(secret)
            if newer is not None:
                return self._shared_token(newer) or self._new_token(newer, is_again=True)
            reason = text_at("error_description || error", body) or error_message(self._file.errors, body)
            raise self._denied(f"it gave no access token ({reason or answer.status})")
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
            raise self._denied(f"the secret has no {' and no '.join(missing)}")
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
        return HttpRequest("POST", url, headers, body, seconds, MAX_RESPONSE_BYTES, self._allow_private)

    def _http_send(self, request: HttpRequest) -> HttpAnswer:
        try:
            return self._http.send(request)
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
                self._secrets.put(str(self._connection.secret), self._unstored)
            except AishaError as error:
                _log.error("the new refresh token of %s can't be stored: %s", self._connection.id, error.message)
            else:
                self._unstored = None

    def _newer_secret(self, secret: Mapping[str, str]) -> Mapping[str, str] | None:
        """Return the secret as it is now where another process has renewed its refresh token meanwhile."""
        if self._file.client.auth.type != "oauth2_refresh_token":
            return None
        newer: Mapping[str, str] = self._secret(is_fresh=True)
        return newer if newer.get("refresh_token") != secret.get("refresh_token") else None

    def _denied(self, reason: str) -> PermissionDeniedError:
        return PermissionDeniedError(
            f"{self._file.title} refused our credentials or rights: {reason.rstrip('.')}.",
            detail={"connection": self._connection.id},
            suggestion="Ask your admin to check the connection's token and its rights.",
        )

    # --- answers

    def _value(self, answer: HttpAnswer, text: str, *, is_read: bool) -> Any:
        title, status = self._file.title, answer.status
        if status in (204, 304):
            return NO_CONTENT
        try:
            value = from_json(text) if text.strip() else None
        except ValueError:
            value = None
            if 200 <= status < 300:
                kind = UnavailableError if is_read else AnswerLostError
                excerpt = " ".join(text.split())[:60]
                raise kind(f"{title} answered with something that is no JSON: {excerpt!r}.") from None
        ok_if = self._file.errors.ok_if
        if 200 <= status < 300 and (ok_if is None or value is None or picked_or_none(ok_if, value)):
            return value
        raise self._error(answer, value, is_read=is_read)

    def _error(self, answer: HttpAnswer, value: Any, *, is_read: bool) -> AishaError:
        errors, title, status = self._file.errors, self._file.title, answer.status
        # Salesforce answers with a list of errors.
        code = text_at(errors.code, value)
        texts = "; ".join(texts_in(value))[:_MAX_EXCERPT_LENGTH]
        reason = error_message(errors, value) or texts or f"status {status}"
        if status in errors.limited.status or code in errors.limited.code:
            seconds = retry_after(answer.headers)
            return RateLimitedError(f"{title} limits our requests.", retry_after=seconds or 1, detail=seconds)
        if is_listed(errors.denied, status, code):
            has_expired = self._token[0] and (status == 401 or is_listed(errors.denied, 0, code))
            return _ExpiredTokenError(reason) if has_expired else self._denied(reason)
        if is_listed(errors.not_found, status, code):
            return NotFoundError(f"{title} does not have this record any more.")
        if is_listed(errors.conflict, status, code):
            return ConflictError(f"{title} refused, because things have changed: {reason}")
        if 300 <= status < 400:
            # After a write it may lead to what was written.
            kind = UnavailableError if is_read else AnswerLostError
            return kind(f"{title} answered with a redirect ({status}), which is not followed.")
        if status >= 500 or status == 408:
            message = f"{title} is out of order ({status})."
            kind = UnavailableError if is_read else AnswerLostError
            return kind(message, suggestion="Try again in a few minutes.")
        return InvalidInputError(f"{title} refused this: {reason}", detail={"field": text_at(errors.field, value)})


class _ExpiredTokenError(AishaError):
    """The access token is no longer accepted; it is renewed once."""


def _key_of(secret: Any) -> str:
    """Return the token or key of a secret that is one, or has one as its member `secret`."""
    return secret if isinstance(secret, str) else str(secret.get("secret", ""))


def _with(headers: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Return the headers, of which those in `more` replace others of the same name in any case."""
    names = {name.lower() for name in more}
    return {name: text for name, text in headers.items() if name.lower() not in names} | dict(more)
