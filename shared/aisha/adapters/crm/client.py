"""Requests to a CRM: signed in, within its limits, and its errors in our own terms."""

import json
import re
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import ceil
from random import uniform
from threading import Lock
from typing import Any, Final
from urllib.parse import quote, urlencode, urljoin, urlsplit

import httpcore2
from jmespath.exceptions import JMESPathError  # type: ignore[import-untyped]
from pydantic_core import from_json

from aisha.adapters.crm.mapping import Endpoint, MappingFile, compiled
from aisha.adapters.http.http_client import HttpAnswer, HttpClient, HttpRequest
from aisha.adapters.http_tools.endpoint import without_secret
from aisha.adapters.http_tools.templates import filled, filled_path, names_in, query_pairs
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
from aisha.domain.ports import SecretStore

TURN_SECONDS = 12.0
"""For one request with its repetitions, within a turn's 25 seconds."""
MAX_BYTES = 16 * 1024 * 1024
_TOKEN_MARGIN = 60.0
_MAX_REASON_LENGTH = 300
_RESET = re.compile(r"\b(?:reset|t)=([0-9]{1,6}(?:\.[0-9]{1,6})?)")
NO_CONTENT: Final[Mapping[str, Any]] = {}
"""The answer of the statuses 204 and 304: nothing is there, or nothing has changed. A 200 without a body is not it."""


class CrmClient:
    """The HTTP side of one connection. Threads share it."""

    def __init__(
        self,
        file: MappingFile,
        connection: Connection,
        secrets: SecretStore,
        http: HttpClient,
        *,
        allow_private: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._file = file
        self._connection = connection
        self._secrets = secrets
        self._http = http
        self._allow_private = allow_private
        self._clock, self._sleep = clock, sleep
        self._base = file.client.base_url.replace("{url}", connection.url.rstrip("/"))
        self._host = urlsplit(self._base).hostname
        self._token: tuple[str, float] = ("", 0.0)
        self._spent: deque[tuple[float, int]] = deque()
        self._lock = Lock()

    def call(self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None = None) -> Any:
        """Return the answer's JSON, `NO_CONTENT`, or None for an empty body. `url` is a next page's own.

        A read is repeated after a failure; a write only where the CRM has certainly not done it. Raises
        `AnswerLostError` for a write otherwise, and the errors of `CrmConnector`.
        """
        is_read = endpoint.method == "GET" or endpoint.paginator is not None
        deadline, delay, renewed = self._clock() + TURN_SECONDS, 0.5, False
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
                self._token, renewed = ("", 0.0), True
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

    def _once(self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None, *, is_read: bool) -> Any:
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
        text = without_secret(secret if isinstance(secret, str) else None, answer.body.decode(errors="replace"))
        return self._value(answer, text, is_read=is_read)

    def _request(self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None, secret: Any) -> HttpRequest:
        auth = self._file.client.auth
        pairs = [] if url else query_pairs(endpoint.params, values)
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "AiSHA"}
        headers |= {name: str(text) for name, text in filled(self._file.client.headers, values).items()}
        headers |= {name: str(text) for name, text in filled(endpoint.headers, values).items()}
        if auth.type == "api_key" and auth.location == "query":
            pairs.append((auth.name, str(secret)))
        else:
            headers |= self._signed_in(secret)
        body = None
        if endpoint.body is not None:
            body = json.dumps(filled(endpoint.body, values), ensure_ascii=False, default=str).encode()
            headers["Content-Type"] = "application/json"
        if body is None and endpoint.method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = "0"
        target = self._next_url(url) if url else f"{self._base}{filled_path(endpoint.path, values)}"
        if pairs:
            target += ("&" if "?" in target else "?") + urlencode(pairs, quote_via=quote)
        seconds = self._file.client.timeout_seconds
        return HttpRequest(endpoint.method, target, headers, body, seconds, MAX_BYTES, self._allow_private)

    def _next_url(self, url: str) -> str:
        target = urljoin(self._base + "/", url)
        # An answer must not send our credentials elsewhere.
        if urlsplit(target).hostname != self._host or urlsplit(target).scheme != urlsplit(self._base).scheme:
            raise UnavailableError(f"{self._file.title} named a next page at another host, which is not followed.")
        return target

    # --- signing in

    def _secret(self) -> Any:
        name = self._connection.secret
        if name is None:
            raise PermissionDeniedError(f"The connection to {self._file.title} names no secret.")
        value = self._secrets.get(name).strip()
        if self._file.client.auth.type in ("bearer", "api_key"):
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
        raise PermissionDeniedError(f"The secret {name!r} is not the JSON that {self._file.title} needs.")

    def _signed_in(self, secret: Any) -> dict[str, str]:
        auth = self._file.client.auth
        if auth.type == "http_basic":
            pair = f"{secret.get('username', '')}:{secret.get('password', '')}"
            return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}
        return {auth.name: auth.signed(self._access_token(secret) if auth.type.startswith("oauth2") else str(secret))}

    def _access_token(self, secret: Mapping[str, str]) -> str:
        token, until = self._token
        if token and self._clock() < until:
            return token
        auth = self._file.client.auth
        names = {**secret, "url": self._connection.url.rstrip("/")}
        templates = [str(auth.access_token_url), *auth.access_token_request_data.values()]
        used = {name for text in templates for name in names_in(text)}
        if missing := sorted(used - names.keys()):
            raise self._denied(f"the secret has no {' and no '.join(missing)}")
        url, *data = (str(filled(text, names)) for text in templates)
        form = dict(zip(auth.access_token_request_data, data, strict=True))
        form |= {name: value for name, value in secret.items() if name not in used}
        form["grant_type"] = "refresh_token" if auth.type == "oauth2_refresh_token" else "client_credentials"
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        seconds = self._file.client.timeout_seconds
        request = HttpRequest("POST", url, headers, urlencode(form).encode(), seconds, MAX_BYTES, self._allow_private)
        try:
            answer = self._http.send(request)
        except (UnavailableError, DeadlineExceededError) as error:
            raise UnavailableError(f"{self._file.title} does not answer: {error.message}.") from error
        body = None
        try:
            body = from_json(answer.body)
            token, seconds = str(body["access_token"]), float(body.get("expires_in", 3600))
        except (ValueError, KeyError, TypeError, AttributeError):
            if answer.status >= 500:
                raise UnavailableError(f"{self._file.title} does not answer ({answer.status}).") from None
            reason = _text("error_description || error", body) if isinstance(body, dict) else ""
            raise self._denied(f"it gave no access token ({reason or answer.status})") from None
        self._token = token, self._clock() + max(seconds - _TOKEN_MARGIN, 1.0)
        return token

    def _denied(self, reason: str) -> PermissionDeniedError:
        return PermissionDeniedError(
            f"{self._file.title} refused our credentials or rights: {reason}",
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
                raise kind(f"{title} answered with something that is no JSON.") from None
        ok_if = self._file.errors.ok_if
        if 200 <= status < 300 and (ok_if is None or value is None or compiled(ok_if).search(value)):
            return value
        raise self._error(answer, value, is_read=is_read)

    def _error(self, answer: HttpAnswer, value: Any, *, is_read: bool) -> AishaError:
        errors, title, status = self._file.errors, self._file.title, answer.status
        # Salesforce answers with a list of errors.
        code = _text(errors.code, value)
        reason = _text(errors.message, value) or f"status {status}"
        if status in errors.limited.status or code in errors.limited.code:
            seconds = _retry_after(answer.headers)
            return RateLimitedError(f"{title} limits our requests.", retry_after=seconds or 1, detail=seconds)
        if status in errors.denied or code in errors.denied:
            return _ExpiredTokenError(reason) if self._token[0] and status == 401 else self._denied(reason)
        if status in errors.not_found or code in errors.not_found:
            return NotFoundError(f"{title} does not have this record any more.")
        if status in errors.conflict or code in errors.conflict:
            return ConflictError(f"{title} refused, because things have changed: {reason}")
        if 300 <= status < 400:
            return UnavailableError(f"{title} answered with a redirect ({status}), which is not followed.")
        if status >= 500 or status == 408:
            message = f"{title} is out of order ({status})."
            kind = UnavailableError if is_read else AnswerLostError
            return kind(message, suggestion="Try again in a few minutes.")
        return InvalidInputError(f"{title} refused this: {reason}", detail={"field": _text(errors.field, value)})


class _ExpiredTokenError(AishaError):
    """The access token is no longer accepted; it is renewed once."""


def _text(expression: str | None, value: Any) -> str:
    try:
        found = compiled(expression).search(value) if expression and value is not None else None
    except JMESPathError:
        # A function met a type that this error does not have.
        found = None
    if isinstance(found, list):
        found = "; ".join(str(one) for one in found if one)
    if isinstance(found, Mapping):
        # A form's errors by field: {"status": ["..."]}.
        found = "; ".join(
            f"{name}: {' '.join(map(str, why)) if isinstance(why, list) else why}" for name, why in found.items()
        )
    return str(found or "")[:_MAX_REASON_LENGTH]


def _retry_after(headers: Mapping[str, str]) -> int:
    """Return the seconds to wait: `Retry-After`, else `RateLimit-Reset` or `RateLimit: reset=` of the IETF's drafts."""
    text = headers.get("retry-after")
    if not text:
        reset = _RESET.search(headers.get("ratelimit", ""))
        reset = reset or re.fullmatch(r"([0-9]{1,6})", headers.get("ratelimit-reset", ""))
        return ceil(float(reset[1])) if reset else 0
    if text.strip().isdigit():
        return int(text)
    try:
        return max(0, round((parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()))
    except ValueError:
        return 0
