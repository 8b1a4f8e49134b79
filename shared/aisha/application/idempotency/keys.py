"""One write per `Idempotency-Key`, however often a client sends it.

The first request with a key takes it, runs and stores its answer; repetitions get that answer for 24 hours. Source:
draft-ietf-httpapi-idempotency-key-header-07.
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

from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError, InProgressError, InvalidInputError, PayloadTooLargeError
from aisha.domain.ids import new_ulid
from aisha.domain.principal import Principal

if TYPE_CHECKING:
    # The ports import all record types, which a function without records does not load.
    from aisha.domain.ports import Clock, EntryRepository

KIND = "idempotency"
ANSWER_TTL = timedelta(hours=24)
LEASE_TTL = timedelta(seconds=60)
"""Time that an attempt has before another one may take over; API Gateway ends a request after 29 s."""
MAX_KEY_LENGTH = 255
_MIN_COMPRESSED_LENGTH = 2048
"""Characters from which an answer is stored compressed: the events of a stream are very similar."""


class StoredAnswer(Struct, frozen=True):
    """The answer to the first request with a key."""

    status: int
    content_type: str
    body: str


class Attempt(Struct, frozen=True):
    """An attempt with a taken key. `operation` is a ULID for the write, the same for all attempts of a request.

    `is_resumed`: an earlier attempt may have done any part of the work.
    """

    entry: Entry
    fingerprint: str
    operation: str
    is_resumed: bool = False


def fingerprint_of(method: str, path: str, body: bytes) -> str:
    """Return the SHA-256 of a request, the same for JSON bodies that differ only in spaces and order."""
    # A body that is not JSON is compared byte by byte.
    with suppress(ValueError, RecursionError):
        body = json.dumps(json.loads(body), sort_keys=True).encode()
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).hexdigest()


class IdempotencyKeys:
    """The keys of one user, stored by their hash."""

    def __init__(self, entries: "EntryRepository", clock: "Clock", principal: Principal) -> None:
        self._entries, self._clock = entries, clock
        self._tenant, self._user = principal.tenant, principal.user

    def take(self, key: str, fingerprint: str) -> Attempt | StoredAnswer:
        """Take the key for an attempt, or return the stored answer.

        Raises `InvalidInputError` for a key that was used for another request, and `InProgressError` while another
        attempt runs.
        """
        entry_id = _entry_id(key)
        entry = self._entries.find(self._tenant, self._user, KIND, entry_id)
        if entry is not None:
            if entry.body["fingerprint"] != fingerprint:
                raise _other_request()
            if "status" in entry.body:
                return _stored_answer(entry.body)
            if datetime.fromisoformat(entry.body["until"]) > self._clock.now():
                raise _in_progress()
        # An earlier attempt gave no answer in time. This one continues its operation, so that nothing is written twice.
        operation = entry.body["operation"] if entry else new_ulid()
        lease = self._lease(entry_id, fingerprint, operation, entry.version if entry else 0)
        return Attempt(lease, fingerprint, operation, is_resumed=entry is not None)

    def is_unanswered(self, key: str) -> bool:
        """Return whether a request with the key began and has no answer yet."""
        entry = self._entries.find(self._tenant, self._user, KIND, _entry_id(key))
        return entry is not None and "status" not in entry.body

    def keep(self, attempt: Attempt, answer: StoredAnswer) -> None:
        """Store the answer for repetitions of the request.

        One that is too large is not stored: repetitions are refused as running until the lease ends.
        """
        body = {**attempt.entry.body, "status": answer.status, "content_type": answer.content_type}
        # ConflictError: another attempt has taken over, and its answer counts.
        with suppress(ConflictError, PayloadTooLargeError):
            self._put(attempt.entry.id, body | _pack(answer.body), attempt.entry.version)

    def release(self, attempt: Attempt, *, is_settled: bool) -> None:
        """Release the key after an error. `is_settled`: nothing was written, so any request may take the key."""
        now = self._clock.now()
        body = {**attempt.entry.body, "until": now.isoformat()}
        # An expired entry in place of a deletion, which could not check the version. It lies in the past by a whole
        # lease, so that it is expired for other clocks too.
        ends = now - LEASE_TTL if is_settled else None
        with suppress(ConflictError):  # Another attempt has taken over.
            self._put(attempt.entry.id, body, attempt.entry.version, ends)

    def _lease(self, entry_id: str, fingerprint: str, operation: str, version: int) -> Entry:
        until = (self._clock.now() + LEASE_TTL).isoformat()
        body = {"fingerprint": fingerprint, "operation": operation, "until": until}
        try:
            return self._put(entry_id, body, version)
        except ConflictError:
            # Another attempt took the key between the read and this write.
            raise _in_progress() from None

    def _put(self, entry_id: str, body: Mapping[str, object], version: int, ends: datetime | None = None) -> Entry:
        return self._entries.put(
            self._tenant,
            self._user,
            KIND,
            entry_id,
            body,
            expected_version=version,
            expires_at=ends or self._clock.now() + ANSWER_TTL,
        )


def check_key(key: str) -> None:
    """Raise `InvalidInputError` for a key that is too long, empty or no printable ASCII."""
    if not (0 < len(key) <= MAX_KEY_LENGTH and key.isascii() and key.isprintable()):
        raise InvalidInputError(
            f"An Idempotency-Key must have 1 to {MAX_KEY_LENGTH} characters of printable ASCII.",
            suggestion="Send a new UUID with every new request, and the same one with its repetitions.",
        )


def _entry_id(key: str) -> str:
    check_key(key)
    return hashlib.sha256(key.encode()).hexdigest()


def _pack(body: str) -> dict[str, str]:
    if len(body) < _MIN_COMPRESSED_LENGTH:
        return {"body": body}
    return {"packed": base64.b64encode(zlib.compress(body.encode())).decode()}


def _stored_answer(entry: Mapping[str, Any]) -> StoredAnswer:
    body = zlib.decompress(base64.b64decode(entry["packed"])).decode() if "packed" in entry else entry["body"]
    return StoredAnswer(entry["status"], entry["content_type"], body)


def _other_request() -> InvalidInputError:
    return InvalidInputError(
        "This Idempotency-Key was used for another request.",
        suggestion="Send a new key with a new request; the same key repeats the same request.",
    )


def _in_progress() -> InProgressError:
    return InProgressError(
        "A request with this Idempotency-Key is being worked on.", suggestion="Send it again in a moment."
    )
