"""One write for one `Idempotency-Key`, however often a client sends it.

The first request with a key takes it, runs and leaves its answer; the same request again gets that answer for 24 hours.
Source: draft-ietf-httpapi-idempotency-key-header-07.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from ulid import ULID

from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, InProgressError, InvalidInputError, PayloadTooLargeError
from aisha.domain.principal import Principal

if TYPE_CHECKING:
    # The ports know every record type, which a function without records does not load.
    from aisha.domain.ports import Clock, EntryRepository

KIND = "idempotency"
KEPT = timedelta(hours=24)
LEASE = timedelta(seconds=60)
"""How long a try may take; API Gateway gives up on one after 29 s. After it somebody else may take over."""
LONGEST_KEY = 255
_PACKED_FROM = 2048
"""Characters from which on an answer is kept compressed: a stream says much the same again and again."""


class KeptAnswer(Struct, frozen=True):
    """What the first request with the key was answered. `body` is text."""

    status: int
    content_type: str
    body: str


class Attempt(Struct, frozen=True):
    """A key that was taken. `operation` is a ULID that names the write: the same one at every try of one request.

    `is_resumed`: another try went before, and may have got anywhere.
    """

    entry: Entry
    fingerprint: str
    operation: str
    is_resumed: bool = False


def fingerprint_of(method: str, path: str, body: bytes) -> str:
    """SHA-256 of a request. JSON counts by what it says: a client may write it another way the second time."""
    with suppress(ValueError, RecursionError):
        body = json.dumps(json.loads(body), sort_keys=True).encode()
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).hexdigest()


class IdempotencyKeys:
    """The keys of one user. They are kept by their hash; nobody else's exist."""

    def __init__(self, entries: "EntryRepository", clock: "Clock", principal: Principal) -> None:
        self._entries, self._clock = entries, clock
        self._tenant, self._user = principal.tenant, principal.user

    def take(self, key: str, fingerprint: str) -> Attempt | KeptAnswer:
        """The key for a first try, or what it was answered with.

        Raises `InvalidInputError` for a key that was used for another request, `InProgressError` while the first try runs.
        """
        entry_id = _entry_id(key)
        known = self._entries.find(self._tenant, self._user, KIND, entry_id)
        if known is not None:
            if known.body["fingerprint"] != fingerprint:
                raise _other_request()
            if "status" in known.body:
                return _kept_answer(known.body)
            if datetime.fromisoformat(known.body["until"]) > self._clock.now():
                raise _is_running()
        operation = known.body["operation"] if known else str(ULID())
        lease = self._lease(entry_id, fingerprint, operation, known)
        return Attempt(lease, fingerprint, operation, is_resumed=known is not None)

    def is_unanswered(self, key: str) -> bool:
        """Whether a request with the key began and has no answer yet."""
        known = self._entries.find(self._tenant, self._user, KIND, _entry_id(key))
        return known is not None and "status" not in known.body

    def keep(self, attempt: Attempt, answer: KeptAnswer) -> None:
        """Keeps the answer for whoever sends the request again.

        One that is too long to keep is not: the request is then refused as running until the lease ends.
        """
        body = {**attempt.entry.body, "status": answer.status, "content_type": answer.content_type}
        try:
            self._put(attempt.entry.id, body | _packed(answer.body), attempt.entry.version)
        except (ConflictError, PayloadTooLargeError):
            return

    def release(self, attempt: Attempt, *, is_settled: bool) -> None:
        """Gives the key back after an error. `is_settled`: nothing was written, so another request may have the key."""
        now = self._clock.now()
        body = {**attempt.entry.body, "until": now.isoformat()}
        # A deletion knows no version; what has expired is gone just as well, by a clock that is behind, too.
        ends = now - LEASE if is_settled else None
        with suppress(ConflictError):  # Somebody else has taken over.
            self._put(attempt.entry.id, body, attempt.entry.version, ends)

    def _lease(self, entry_id: str, fingerprint: str, operation: str, known: Entry | None) -> Entry:
        until = (self._clock.now() + LEASE).isoformat()
        body = {"fingerprint": fingerprint, "operation": operation, "until": until}
        try:
            return self._put(entry_id, body, known.version if known else 0)
        except ConflictError:
            raise _is_running() from None

    def _put(self, entry_id: str, body: Mapping[str, object], version: int, ends: datetime | None = None) -> Entry:
        return self._entries.put(
            self._tenant, self._user, KIND, entry_id, body,
            expected_version=version, expires_at=ends or self._clock.now() + KEPT,
        )  # fmt: skip


def _entry_id(key: str) -> str:
    if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise InvalidInputError(
            f"Idempotency-Key has 1 to {LONGEST_KEY} characters of printable ASCII.",
            suggestion="Send a new UUID with every new request, and the same one with its repetitions.",
        )
    return hashlib.sha256(key.encode()).hexdigest()


def _packed(body: str) -> dict[str, str]:
    if len(body) < _PACKED_FROM:
        return {"body": body}
    return {"packed": base64.b64encode(zlib.compress(body.encode())).decode()}


def _kept_answer(kept: Mapping[str, Any]) -> KeptAnswer:
    body = zlib.decompress(base64.b64decode(kept["packed"])).decode() if "packed" in kept else kept["body"]
    return KeptAnswer(kept["status"], kept["content_type"], body)


def _other_request() -> InvalidInputError:
    return InvalidInputError(
        "This Idempotency-Key was used for another request.",
        suggestion="Send a new key with a new request; the same key repeats the same request.",
    )


def _is_running() -> InProgressError:
    return InProgressError(
        "A request with this Idempotency-Key is being worked on.", suggestion="Send it again in a moment."
    )
