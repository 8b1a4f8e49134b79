"""A stream that asked the user waits for what another request brings, which may reach another instance."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from time import monotonic
from typing import Any

from msgspec import Struct

from aisha.application.turn.settle import conversation_of
from aisha.application.turn.state import TurnDependencies
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import PayloadTooLargeError, UnavailableError
from aisha.domain.principal import Principal

KIND = "mcp_answer"
KEPT = timedelta(minutes=10)
_FIRST_PAUSE, _LONGEST_PAUSE, _GROWTH = 0.1, 1.0, 1.3
_TRIES_WITHOUT = 3
"""Looks after the call was settled before it is taken for settled at another door, where no answer is kept."""


class Settled(Struct, frozen=True):
    """`result` is what is to be sent; None when another door settled the call, which then `said` this."""

    result: Mapping[str, Any] | None
    said: str = ""


def keep_result(confirmation_id: str, result: Mapping[str, Any], principal: Principal, deps: TurnDependencies) -> None:
    """Leaves the result for the stream that asked. One that is too large it hears of as if another door had settled it."""
    ends = deps.clock.now() + KEPT
    try:
        deps.entries.put(principal.tenant, principal.user, KIND, confirmation_id, {"result": result}, expires_at=ends)
    except PayloadTooLargeError:
        return


def watched(
    pending: PendingConfirmation,
    principal: Principal,
    deps: TurnDependencies,
    seconds: float,
    pause: Callable[[float], None],
) -> Iterator[Settled | None]:
    """None at each look, with pauses between them; last what became of the question, unless `seconds` pass before.

    A look that the store does not answer finds nothing. Raises `NotFoundError` when the conversation is gone.
    """
    ends, wait, without = monotonic() + seconds, _FIRST_PAUSE, 0
    while True:
        found = _look(pending, principal, deps)
        without += found is not None
        if found is not None and (found.result is not None or without >= _TRIES_WITHOUT):
            yield found
            return
        if monotonic() >= ends:
            return
        yield None
        pause(wait)
        wait = min(wait * _GROWTH, _LONGEST_PAUSE)


def _look(pending: PendingConfirmation, principal: Principal, deps: TurnDependencies) -> Settled | None:
    with suppress(UnavailableError):
        entry = deps.entries.find(principal.tenant, principal.user, KIND, pending.id)
        if entry is not None:
            return Settled(entry.body["result"])
        if (said := _said_elsewhere(pending, principal, deps)) is not None:
            return Settled(None, said)
    return None


def _said_elsewhere(pending: PendingConfirmation, principal: Principal, deps: TurnDependencies) -> str | None:
    """The last answer of the conversation, once it is whole and the call no longer waits."""
    named = conversation_of(pending.id)
    session = deps.conversations.load(principal.tenant, principal.user, named, 1)
    still = session.conversation.pending
    last = session.messages[-1] if session.messages else None
    if (still is not None and still.id == pending.id) or last is None or not last.finished:
        return None
    return last.content
