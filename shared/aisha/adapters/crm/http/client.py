"""Requests to a CRM: signed in, within its limits, and its errors in our own terms."""

import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from random import uniform
from threading import Lock
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

import httpcore2
from msgspec import Struct
from pydantic_core import from_json

from aisha.adapters.crm.http.answers import (
    decoded,
    error_message,
    is_listed,
    labelled_texts_in,
    picked_or_none,
    retry_after,
    text_at,
)
from aisha.adapters.crm.http.sign_in import Access, SignIn, key_of
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.http.http_client import HttpAnswer, HttpRequest
from aisha.adapters.http_tools.endpoint import without_secret
from aisha.adapters.http_tools.templates import as_text, filled, filled_path, query_pairs
from aisha.domain.errors import (
    AishaError,
    AnswerLostError,
    ConflictError,
    DeadlineExceededError,
    InvalidInputError,
    NotFoundError,
    PayloadTooLargeError,
    RateLimitedError,
    UnavailableError,
)

RETRY_TIMEOUT_SECONDS = 12.0
"""For one request with its repetitions, within a turn's 25 seconds."""
MAX_RESPONSE_BYTES = 16 * 1024 * 1024
_MAX_EXCERPT_LENGTH = 200
NO_CONTENT: Final[Mapping[str, Any]] = {}
"""The answer of the statuses 204 and 304: nothing is there, or nothing has changed. A 200 without a body is not it."""


class CrmAnswer(Struct, frozen=True):
    """An answer: its JSON, `NO_CONTENT`, or None for an empty body. `headers` have lower-case names."""

    value: Any
    headers: Mapping[str, str]


class CrmClient:
    """The HTTP side of one connection. Threads share it."""

    def __init__(self, access: Access, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._access = access
        self._file, self._clock, self._sleep = access.file, access.clock, sleep
        self._base = access.file.client.base_url.replace("{url}", access.connection.url.rstrip("/"))
        self._origin = _origin_of(self._base)
        self._spent: deque[tuple[float, int]] = deque()
        self._lock = Lock()
        self._sign_in = SignIn(access)

    def call(
        self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None = None, *, is_read: bool = False
    ) -> CrmAnswer:
        """Return the answer. `url` is a next page's own; `is_read` says of a POST that it changes nothing.

        A read is repeated after a failure; a write only where the CRM has certainly not done it. Raises
        `AnswerLostError` for a write otherwise, and the errors of `CrmConnector`.
        """
        is_read = is_read or endpoint.method == "GET"
        # 0.5 seconds at first, then twice as long each time, until the deadline.
        deadline, delay, renewed = self._clock() + RETRY_TIMEOUT_SECONDS, 0.5, False
        while True:
            wait = self._pause(endpoint.cost)
            if wait > 0:
                self._wait(wait, deadline)
                continue
            try:
                return self._once(endpoint, values, url, is_read=is_read)
            except _ExpiredTokenError as error:
                # A token that is refused twice is not expired: the right is missing.
                if renewed:
                    raise self._sign_in.denied(error.message) from None
                self._sign_in.expire()
                renewed = True
            except RateLimitedError as error:
                self._wait(error.retry_after if error.detail else delay, deadline, error)
            except UnavailableError as error:
                # The CRM may have done it. Only the caller can look.
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
                recent = [(at, spent) for at, spent in self._spent if at > now - window]
                if allowed is not None and recent and sum(spent for _, spent in recent) + cost > allowed:
                    return max(recent[0][0] + window - now, 0.01)
            self._spent.append((now, cost))
        return 0.0

    def _once(self, endpoint: Endpoint, values: Mapping[str, Any], url: str | None, *, is_read: bool) -> CrmAnswer:
        secret = self._sign_in.secret()
        request = self._request(endpoint, values, url, secret)
        title = self._file.title
        try:
            answer = self._access.http.send(request)
        except (UnavailableError, DeadlineExceededError, PayloadTooLargeError) as error:
            # Without a connection nothing was sent, so a write may be repeated.
            was_sent = not isinstance(error.__cause__, httpcore2.ConnectError)
            message = f"{title} does not answer: {error.message[:1].lower()}{error.message[1:]}."
            kind = AnswerLostError if was_sent and not is_read else UnavailableError
            raise kind(message, suggestion="Try again in a few minutes.") from error
        text = without_secret(key_of(secret) or None, decoded(answer))
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
            body = urlencode({name: as_text(value) for name, value in form.items() if value is not None}).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        # Some servers answer 411 to a request without a body and without its length.
        elif endpoint.method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = "0"
        members = self._sign_in.members(secret)
        # The file's own headers first, so that an endpoint can replace them.
        for template, placeholders in ((self._file.client.headers, members), (endpoint.headers, values)):
            headers = _with(headers, {name: str(text) for name, text in filled(template, placeholders).items()})
        location = auth.location if auth.type == "api_key" else "header"
        in_query = location == "query"
        if in_query:
            pairs.append((auth.name, auth.signed(key_of(secret), members)))
        elif location == "header":
            headers = _with(headers, self._sign_in.header(secret, members))
        target = self._next_url(url, auth.name if in_query else "") if url else self._address(endpoint, values)
        if pairs:
            target += ("&" if "?" in target else "?") + urlencode(pairs, quote_via=quote)
        if location == "path":
            target = target.replace("{secret}", quote(key_of(secret), safe="/"))
        seconds, allow_private = self._file.client.timeout_seconds, self._access.allow_private
        return HttpRequest(endpoint.method, target, headers, body, seconds, MAX_RESPONSE_BYTES, allow_private)

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
        # An answer must not send our credentials elsewhere, nor to another service of this host.
        if _origin_of(target) != self._origin:
            raise UnavailableError(f"{self._file.title} named a next page at another host, which is not followed.")
        return target

    def _value(self, answer: HttpAnswer, text: str, *, is_read: bool) -> Any:
        title, status = self._file.title, answer.status
        if status in (204, 304):
            return NO_CONTENT
        try:
            # An error may be HTML of a proxy; a success may not.
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
        texts = "; ".join(labelled_texts_in(value))[:_MAX_EXCERPT_LENGTH]
        reason = error_message(errors, value) or texts or f"status {status}"
        if status in errors.limited.status or code in errors.limited.code:
            seconds = retry_after(answer.headers)
            return RateLimitedError(f"{title} limits our requests.", retry_after=seconds or 1, detail=seconds)
        if is_listed(errors.denied, status, code):
            has_expired = self._sign_in.has_access_token and (status == 401 or is_listed(errors.denied, 0, code))
            return _ExpiredTokenError(reason) if has_expired else self._sign_in.denied(reason)
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


def _origin_of(url: str) -> tuple[str, str | None, int | None]:
    """Return scheme, host and port of an address; a port that can't be is -1."""
    parts = urlsplit(url)
    try:
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    except ValueError:
        port = -1
    return parts.scheme, parts.hostname, port


class _ExpiredTokenError(AishaError):
    """The access token is no longer accepted; it is renewed once."""


def _with(headers: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Return the headers, of which those in `more` replace others of the same name in any case."""
    names = {name.lower() for name in more}
    return {name: text for name, text in headers.items() if name.lower() not in names} | dict(more)
