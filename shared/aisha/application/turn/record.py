"""The record and the timings of a turn, filled by its steps."""

from collections.abc import Iterable
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from aisha.application.knowledge.on_demand_context import MoreInfo
from aisha.application.records.changed_meanwhile import MeanwhileChange
from aisha.application.redaction.safe_text import safe_text
from aisha.domain.conversations.conversation import PendingConfirmation, SessionEntity
from aisha.domain.conversations.events import MoodChanged, TextDelta
from aisha.domain.ids import ids_in
from aisha.domain.models import ModelMessage, Usage
from aisha.domain.tools import FollowUp, ToolCall

if TYPE_CHECKING:
    from aisha.application.orders.reading.utterance import Utterance


class TurnRecord(Struct):
    """The calls, reply and decisions of a turn so far."""

    more_info: MoreInfo
    names: dict[str, str] = field(default_factory=dict)
    """Names by lower-case record id, for the filter that replaces ids in the reply."""
    known_ids: dict[str, str] = field(default_factory=dict)
    """Further ids that a model has read, without names, by their lower-case form."""
    calls: list[ToolCall] = field(default_factory=list)
    records_written: int = 0
    texts: list[str] = field(default_factory=list)
    """The parts of the reply."""
    text_bytes: int = 0
    """The length of what the models wrote."""
    question: PendingConfirmation | None = None
    """The call that now waits for the user."""
    settled: str | None = None
    """The id of the question that this turn decided."""
    asked_at: datetime | None = None
    """The time at which that question was asked."""
    repeated: PendingConfirmation | None = None
    """The earlier question that the reply asks again."""
    dropped: PendingConfirmation | None = None
    """The question that no longer waits, because the user has ordered something else."""
    chosen_tools: list[str] | None = None
    """Tools sent in addition to those always sent; None means all."""
    sends_only_chosen: bool = False
    """True to send the chosen tools alone, until the model attaches others."""
    brainlet_outputs: dict[str, Any] = field(default_factory=dict)
    insights: list[str] = field(default_factory=list)
    closing: dict[str, str] = field(default_factory=dict)
    """Sentences that end an answer from records, each by a mark: an answer that contains the mark says it already."""
    next_steps: list[str] = field(default_factory=list)
    recommended_scans: list[str] = field(default_factory=list)
    mood: MoodChanged | None = None
    follow_ups: tuple[FollowUp, ...] = ()
    summary: str | None = None
    """The summary of the conversation before the messages that the model gets."""
    recalled: list[str] = field(default_factory=list)
    """Texts from memory."""
    warnings: list[str] = field(default_factory=list)
    provider_state: dict[str, Any] | None = None
    """Passed back to the model in the next turn."""
    utterance: "Utterance | None" = None
    """The user's words, read when the first write is judged."""
    versions: dict[tuple[str, datetime], int] = field(default_factory=dict)
    """Versions of the records that were read, by id and time of the last change."""
    changes: dict[tuple[str, int], MeanwhileChange | None] = field(default_factory=dict)
    """The changes by others since an answer showed a record, by the record's id and present version."""

    @property
    def reply(self) -> str:
        """The text so far, as the user sees it."""
        return "\n\n".join(text.strip() for text in self.texts if text.strip())

    def say(self, text: str) -> TextDelta:
        """Add a part to the reply and return it as an event, made safe: names of records in it may contain markup."""
        safe = safe_text(text)
        self.texts.append(safe)
        return TextDelta(safe)

    def warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    def add_names(self, entities: Iterable[SessionEntity]) -> None:
        self.names.update((entity.id.lower(), entity.name) for entity in entities)

    def note_ids(self, messages: Iterable[ModelMessage]) -> None:
        """Remember the ids that a model reads, so that they are known in whatever spelling they come back."""
        for message in messages:
            for known_id in ids_in(message.content):
                self.known_ids.setdefault(known_id.lower(), "")


class TurnTimings(Struct):
    """The durations, token counts and models of a turn, for reports and metrics; no step depends on them.

    `started` is in seconds of `time.monotonic()`. `seconds` has the durations by step: load, enrich, prompt, models,
    tools, conclude, save. `prompt_tokens` estimates the last model call's prompt by section. `iterations` counts the
    model calls.
    """

    started: float
    seconds: dict[str, float] = field(default_factory=lambda: {"models": 0.0, "tools": 0.0})
    prompt_tokens: dict[str, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    iterations: int = 0
    provider: str = "none"
    model: str = "none"
    degraded: bool = False

    def spend(self, step: str, start: float) -> None:
        """Add the time since `start`, in seconds of `time.monotonic()`, to a step."""
        self.seconds[step] = self.seconds.get(step, 0.0) + monotonic() - start
