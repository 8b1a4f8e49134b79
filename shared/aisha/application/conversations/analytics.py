"""How the assistant's commands do: each is recorded for its tenant, and summed up on demand."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from msgspec import Struct

from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError
from aisha.domain.pages import pages
from aisha.domain.ports import Clock, EntryRepository
from aisha.domain.principal import Principal

KIND = "command"
KEPT = timedelta(days=90)
MOST_READ = 2000
"""Commands that one summary looks at, the newest first: it costs the same however many a tenant has."""
PAGE = 50
MOST_SHOWN = 10
TIMES = ("stt_ms", "llm_ms", "tts_ms", "total_ms")


class CommandFilter(Struct, frozen=True):
    """What a summary counts. None does not filter; `start` and `end` are aware."""

    command_name: str | None = None
    command_type: str | None = None
    success: bool | None = None
    start: datetime | None = None
    end: datetime | None = None

    def takes(self, entry: Entry) -> bool:
        """Whether the command counts."""
        body = entry.body
        return (
            self.command_name in (None, body["command_name"])
            and self.command_type in (None, body["command_type"])
            and self.success in (None, body["success"])
            and (self.start is None or entry.created_at >= self.start)
            and (self.end is None or entry.created_at <= self.end)
        )


class FrequentCommand(Struct, frozen=True):
    command_name: str
    count: int
    average_ms: float


class FailedCommand(Struct, frozen=True):
    command_name: str
    error_message: str
    timestamp: datetime


class CommandSummary(Struct, frozen=True):
    """`success_rate` in percent, times in ms; an average of `averages` is None where nothing was measured.

    `truncated`: older commands were not looked at; the figures are exact for the `commands_read` newest.
    """

    total_commands: int
    success_rate: float
    average_execution_ms: float
    most_frequent: Sequence[FrequentCommand]
    recent_failures: Sequence[FailedCommand]
    averages: Mapping[str, float | None]
    commands_read: int
    truncated: bool


def record_command(
    entries: EntryRepository, clock: Clock, principal: Principal, operation: str, body: Mapping[str, Any]
) -> str:
    """Keeps a command for 90 days and returns its id. The same `operation` (a ULID) again records nothing twice."""
    entry_id = f"{KIND}_{operation}"
    kept = {**body, "user": principal.user}
    try:
        entries.put(principal.tenant, None, KIND, entry_id, kept, expected_version=0, expires_at=clock.now() + KEPT)
    except ConflictError:
        # An earlier try of the same request got this far.
        return entry_id
    return entry_id


def summarize_commands(entries: EntryRepository, tenant: str, wanted: CommandFilter) -> CommandSummary:
    """The figures of the tenant's commands that `wanted` takes, among the newest `MOST_READ` of the last 90 days."""
    read, truncated = _newest(entries, tenant, wanted.start)
    found = [entry for entry in read if wanted.takes(entry)]
    succeeded = [entry for entry in found if entry.body["success"]]
    failed = [entry for entry in found if not entry.body["success"]]
    return CommandSummary(
        total_commands=len(found),
        success_rate=100 * len(succeeded) / len(found) if found else 0.0,
        average_execution_ms=_mean(entry.body["execution_time_ms"] for entry in found) or 0.0,
        most_frequent=_most_frequent(found),
        recent_failures=[_failure(entry) for entry in failed[:MOST_SHOWN]],
        averages={name: _mean(_measured(succeeded, name)) for name in TIMES},
        commands_read=len(read),
        truncated=truncated,
    )


def _newest(entries: EntryRepository, tenant: str, start: datetime | None) -> tuple[list[Entry], bool]:
    """Newest first, down to `start`, and whether there are more than are read."""
    read: list[Entry] = []
    for page in pages(lambda cursor: entries.page(tenant, None, KIND, limit=PAGE, cursor=cursor), max_items=MOST_READ):
        recent = [entry for entry in page.items if start is None or entry.created_at >= start]
        read += recent
        if page.next_cursor is None or len(recent) < len(page.items):
            return read, False
    return read, True


def _most_frequent(found: Sequence[Entry]) -> list[FrequentCommand]:
    times: dict[str, list[float]] = defaultdict(list)
    for entry in found:
        times[entry.body["command_name"]].append(entry.body["execution_time_ms"])
    ordered = sorted(times.items(), key=lambda item: (-len(item[1]), item[0]))
    return [FrequentCommand(name, len(each), _mean(each) or 0.0) for name, each in ordered[:MOST_SHOWN]]


def _failure(entry: Entry) -> FailedCommand:
    message = entry.body.get("error_message") or "Unknown error"
    return FailedCommand(entry.body["command_name"], message, entry.created_at)


def _measured(found: Iterable[Entry], name: str) -> Iterator[float]:
    """Times of what succeeded: a command that broke off says nothing about how fast a stage is."""
    for entry in found:
        if (value := entry.body.get(name)) is not None:
            yield value


def _mean(values: Iterable[float]) -> float | None:
    """Exact but for the last rounding, whatever the order."""
    exact = [Fraction(value) for value in values]
    return float(sum(exact) / len(exact)) if exact else None
