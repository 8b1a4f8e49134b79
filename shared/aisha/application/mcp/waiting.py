"""Waiting of a stream for the user's answer, which comes with another request, perhaps to another instance."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from time import monotonic
from typing import Any

from msgspec import Struct

from aisha.application.turn.confirming.settle import conversation_of
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.errors import PayloadTooLargeError, UnavailableError
from aisha.domain.principal import Principal

KIND = "mcp_answer"
RESULT_TTL = timedelta(minutes=10)
_FIRST_PAUSE, _MAX_PAUSE, _GROWTH = 0.1, 1.0, 1.3
_MAX_POLLS_WITHOUT_RESULT = 3
"""Polls of a settled call without a stored result until another door, which stores none, must have settled it."""


class Settled(Struct, frozen=True):
    """A settled call. `result` is to be sent, or None when another door settled the call with the answer `text`."""

    result: Mapping[str, Any] | None
    text: str = ""


def store_result(confirmation_id: str, result: Mapping[str, Any], principal: Principal, deps: TurnDependencies) -> None:
    """Store the result for the stream that asked. Of a result that is too large, the stream gets only the text."""
    body, expires_at = {"result": result}, deps.clock.now() + RESULT_TTL
    with suppress(PayloadTooLargeError):
        deps.entries.put(principal.tenant, principal.user, KIND, confirmation_id, body, expires_at=expires_at)


def poll(
    pending: PendingConfirmation,
    principal: Principal,
    deps: TurnDependencies,
    seconds: float,
    pause: Callable[[float], None],
) -> Iterator[Settled | None]:
    """Yield None for each poll, with pauses between them, and at last the settled call unless `seconds` pass before.

    A store that does not answer counts as a poll without result. Raises `NotFoundError` when the conversation is gone.
    """
    deadline, wait, settled_polls = monotonic() + seconds, _FIRST_PAUSE, 0
    while True:
        settled = _read_settled(pending, principal, deps)
        settled_polls += settled is not None
        if settled is not None and (settled.result is not None or settled_polls >= _MAX_POLLS_WITHOUT_RESULT):
            yield settled
            return
        if monotonic() >= deadline:
            return
        yield None
        pause(wait)
        wait = min(wait * _GROWTH, _MAX_PAUSE)


def _read_settled(pending: PendingConfirmation, principal: Principal, deps: TurnDependencies) -> Settled | None:
    with suppress(UnavailableError):
        # The stored result first: it is complete, while the conversation has only the answer's text.
        entry = deps.entries.find(principal.tenant, principal.user, KIND, pending.id)
        if entry is not None:
            return Settled(entry.body["result"])
        if (text := _answer_elsewhere(pending, principal, deps)) is not None:
            return Settled(None, text)
    return None


def _answer_elsewhere(pending: PendingConfirmation, principal: Principal, deps: TurnDependencies) -> str | None:
    """Return the last answer of the conversation once it is finished and the call no longer waits."""
    session = deps.conversations.load(principal.tenant, principal.user, conversation_of(pending.id), 1)
    waiting = session.conversation.pending
    last = session.messages[-1] if session.messages else None
    if (waiting is not None and waiting.id == pending.id) or last is None or not last.finished:
        return None
    return last.content
