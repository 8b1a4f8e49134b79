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
    """The calls, reply and decisions of a turn so far.

    `texts` are the parts of the reply, `text_bytes` the length of what the models wrote. `question` is the call that
    now waits for the user, `settled` the id of the question that this turn decided, which was asked at `asked_at`;
    `repeated` is the earlier question that the reply asks again, `dropped` the one that no longer waits because the
    user has ordered something else.
    `chosen_tools` are sent in addition to those always sent, or with `sends_only_chosen` alone until the model attaches
    others; None means all of them. `names` maps lower-case record ids
    to names, for the filter that replaces ids in the reply; `known_ids` has the other lower-case ids that a model has
    read, without names. `recalled` are texts from memory. `summary` covers the conversation before the messages that
    the model gets. `provider_state` is passed back to the model in the next turn. `closing` are sentences with which an
    answer from records ends, by a part of them that an answer which says it already has.
    `utterance` is the user's words, read when the first write is judged. `changes` are what others have changed since
    an answer showed a record, by the record's id and present version.
    """

    more_info: MoreInfo
    names: dict[str, str] = field(default_factory=dict)
    known_ids: dict[str, str] = field(default_factory=dict)
    calls: list[ToolCall] = field(default_factory=list)
    records_written: int = 0
    texts: list[str] = field(default_factory=list)
    text_bytes: int = 0
    question: PendingConfirmation | None = None
    settled: str | None = None
    asked_at: datetime | None = None
    repeated: PendingConfirmation | None = None
    dropped: PendingConfirmation | None = None
    chosen_tools: list[str] | None = None
    sends_only_chosen: bool = False
    brainlet_outputs: dict[str, Any] = field(default_factory=dict)
    insights: list[str] = field(default_factory=list)
    closing: dict[str, str] = field(default_factory=dict)
    next_steps: list[str] = field(default_factory=list)
    recommended_scans: list[str] = field(default_factory=list)
    mood: MoodChanged | None = None
    follow_ups: tuple[FollowUp, ...] = ()
    summary: str | None = None
    recalled: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    provider_state: dict[str, Any] | None = None
    utterance: "Utterance | None" = None
    versions: dict[tuple[str, datetime], int] = field(default_factory=dict)
    changes: dict[tuple[str, int], MeanwhileChange | None] = field(default_factory=dict)

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
