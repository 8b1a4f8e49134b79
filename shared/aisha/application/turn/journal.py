"""The journal of a turn: its decisions are stored as they are made, so that a retry of the request continues the turn.

A model that is asked again may give another answer, and the operation ids of the first try would then name other calls.
So each model answer is stored before it has any effect, and so is the decision about a pending question. Turns of
requests without an `Idempotency-Key` are never retried and have no journal.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import count
from typing import Any

from msgspec import Struct, convert, field, to_builtins

from aisha.application.idempotency.keys import ANSWER_TTL, Attempt
from aisha.application.idempotency.operation_ids import sibling_ulid
from aisha.application.models.completion import closing_events
from aisha.domain.conversations.conversation import PendingConfirmation
from aisha.domain.errors import ConflictError, PayloadTooLargeError
from aisha.domain.models import ModelEvent, ModelFinished, TextChunk
from aisha.domain.ports import Clock, EntryRepository
from aisha.domain.principal import Principal

KIND = "turn_journal"


class Settlement(Struct, frozen=True):
    """A decision about a pending question and its time."""

    pending: PendingConfirmation
    approved: bool
    at: datetime


class _Answer(Struct, frozen=True):
    text: str
    finished: ModelFinished


class TurnJournal(Struct):
    """The journal of one request's turn, shared by all tries of it. `is_resumed` is True from the second try on."""

    entries: EntryRepository
    clock: Clock
    tenant: str
    user: str
    operation: str
    is_resumed: bool
    _answer_numbers: Iterator[int] = field(default_factory=count)

    @classmethod
    def of(cls, attempt: Attempt, principal: Principal, entries: EntryRepository, clock: Clock) -> "TurnJournal":
        return cls(entries, clock, principal.tenant, principal.user, attempt.operation, attempt.is_resumed)

    @property
    def conversation_id(self) -> str:
        """The id of the conversation that the request begins, if it begins one."""
        return f"conv_{self.operation}"

    @property
    def question_id(self) -> str:
        return f"msg_{sibling_ulid(self.operation, 'question')}"

    @property
    def answer_id(self) -> str:
        return f"msg_{self.operation}"

    def settlement(self) -> Settlement | None:
        """Return the decision that another try has stored, whether or not that try could carry it out."""
        body = self._find("settlement") if self.is_resumed else None
        return convert(body, Settlement) if body is not None else None

    def settle(self, settlement: Settlement) -> None:
        """Store a decision before it is carried out. Raises `UnavailableError`; it must not be carried out then."""
        self._store("settlement", to_builtins(settlement))

    def first_value(self, name: str, value: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the value that the first try stored under this name; in the first try store and return `value`.

        Raises `UnavailableError`.
        """
        # `_store` returns the value of a try before this one, None if this one was stored.
        return self._store(name, value) or value

    def replay_or_store(self, events: Iterator[ModelEvent]) -> Iterator[ModelEvent]:
        """Yield the answer of the turn's next model call: the stored one, or else `events`, whose end is stored first.

        Raises `UnavailableError` when the answer could not be stored; it must have no effect then.
        """
        name = f"answer.{next(self._answer_numbers):03}"
        if self.is_resumed and (body := self._find(name)) is not None:
            yield from _events_of(convert(body, _Answer))
            return
        texts = []
        for event in closing_events(events):
            if isinstance(event, TextChunk):
                texts.append(event.text)
                yield event
            else:
                answer = _Answer("".join(texts), event)
                # Another try may still be running and have stored its answer first; then that one counts.
                earlier = self._store(name, to_builtins(answer))
                yield (answer if earlier is None else convert(earlier, _Answer)).finished

    def _find(self, name: str) -> Mapping[str, Any] | None:
        entry = self.entries.find(self.tenant, self.user, KIND, f"{self.operation}.{name}")
        return entry.body if entry is not None else None

    def _store(self, name: str, body: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Store an entry; if there is one of that name already, return its body instead."""
        entry_id, ends = f"{self.operation}.{name}", self.clock.now() + ANSWER_TTL
        try:
            self.entries.put(self.tenant, self.user, KIND, entry_id, body, expected_version=0, expires_at=ends)
        except ConflictError:
            return self._find(name)
        except PayloadTooLargeError:
            # Another try will ask the model again. Writes are still done once: their operation ids are the same.
            return None
        return None


def _events_of(answer: _Answer) -> Iterator[ModelEvent]:
    if answer.text:
        yield TextChunk(answer.text)
    yield answer.finished
