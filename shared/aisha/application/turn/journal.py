"""What a turn decided, kept as it decides, so that the same request goes on where another try of it was cut off.

A model asked twice may answer twice differently: then the operation ids of the first try would name other calls. So
each model answer is kept before anything is done on its account, and what the user's words settled before it is
settled. Turns of requests without an `Idempotency-Key` have no journal: nobody will try them again.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, convert, to_builtins

from aisha.application.idempotency.keys import KEPT, Attempt
from aisha.application.idempotency.operation_ids import sibling_ulid
from aisha.application.models.completion import closing_events
from aisha.domain.conversation import PendingConfirmation
from aisha.domain.errors import ConflictError, PayloadTooLargeError
from aisha.domain.models import ModelEvent, ModelFinished, TextChunk
from aisha.domain.ports import Clock, EntryRepository
from aisha.domain.principal import Principal

KIND = "turn_journal"


class Settlement(Struct, frozen=True):
    """What the user's words decided about the question that waited, and when."""

    pending: PendingConfirmation
    approved: bool
    at: datetime


class _Answer(Struct, frozen=True):
    text: str
    finished: ModelFinished


class TurnJournal(Struct):
    """The journal of one request's turn, whichever try this is. `is_resumed`: another try went before."""

    entries: EntryRepository
    clock: Clock
    tenant: str
    user: str
    operation: str
    is_resumed: bool
    _asked: int = 0

    @classmethod
    def of(cls, attempt: Attempt, principal: Principal, entries: EntryRepository, clock: Clock) -> "TurnJournal":
        return cls(entries, clock, principal.tenant, principal.user, attempt.operation, attempt.is_resumed)

    @property
    def conversation_id(self) -> str:
        """Of the conversation that the request begins, if it begins one."""
        return f"conv_{self.operation}"

    @property
    def question_id(self) -> str:
        return f"msg_{sibling_ulid(self.operation, 'question')}"

    @property
    def answer_id(self) -> str:
        return f"msg_{self.operation}"

    def settlement(self) -> Settlement | None:
        """What another try settled, or was about to."""
        kept = self._find("settlement") if self.is_resumed else None
        return convert(kept, Settlement) if kept is not None else None

    def settle(self, settlement: Settlement) -> None:
        """Keeps what is about to be settled. Raises `UnavailableError`: then it must not be."""
        self._keep("settlement", to_builtins(settlement))

    def agreed(self, name: str, found: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the first try found under this name: `found`, if this is it. Raises `UnavailableError`."""
        kept = self._find(name) if self.is_resumed else None
        return kept or self._keep(name, found) or found

    def asked(self, events: Iterator[ModelEvent]) -> Iterator[ModelEvent]:
        """The answer of the turn's next model call: the kept one, or else `events`, kept before their end is passed on.

        Raises `UnavailableError` when it could not be kept: then nothing may be done on its account.
        """
        name, self._asked = f"answer.{self._asked:03}", self._asked + 1
        if self.is_resumed and (kept := self._find(name)) is not None:
            yield from _events_of(convert(kept, _Answer))
            return
        texts = []
        for event in closing_events(events):
            if isinstance(event, TextChunk):
                texts.append(event.text)
                yield event
            else:
                yield self._agreed(name, _Answer("".join(texts), event)).finished

    def _agreed(self, name: str, answer: _Answer) -> _Answer:
        """This answer, or the one of another try that is still alive and was quicker."""
        kept = self._keep(name, to_builtins(answer))
        return answer if kept is None else convert(kept, _Answer)

    def _find(self, name: str) -> Mapping[str, Any] | None:
        entry = self.entries.find(self.tenant, self.user, KIND, f"{self.operation}.{name}")
        return entry.body if entry is not None else None

    def _keep(self, name: str, body: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """None when it is kept, else what was there already."""
        entry_id, ends = f"{self.operation}.{name}", self.clock.now() + KEPT
        try:
            self.entries.put(self.tenant, self.user, KIND, entry_id, body, expected_version=0, expires_at=ends)
        except ConflictError:
            return self._find(name)
        except PayloadTooLargeError:
            return None  # Another try will ask again; what was written is still not written twice.
        return None


def _events_of(answer: _Answer) -> Iterator[ModelEvent]:
    if answer.text:
        yield TextChunk(answer.text)
    yield answer.finished
