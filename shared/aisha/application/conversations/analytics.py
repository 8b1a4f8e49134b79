"""Records of the assistant's commands per tenant, and summaries of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from msgspec import Struct

from aisha.domain.crm.paging import pages
from aisha.domain.entries import Entry
from aisha.domain.errors import ConflictError
from aisha.domain.ports import Clock, EntryRepository
from aisha.domain.principal import Principal

KIND, TURN = "command", "turn"
"""The kind of the entries, and the type of a command that the server has recorded itself: a turn."""
COMMAND_TTL = timedelta(days=90)
MAX_READ = 2000
"""Newest commands that one summary reads, so that its cost does not grow with their number."""
PAGE_SIZE = 50
MAX_LISTED = 10
TIMES = ("stt_ms", "llm_ms", "tts_ms", "total_ms")


class CommandFilter(Struct, frozen=True):
    """The commands of a summary. None does not filter; `start` and `end` have a time zone."""

    command_name: str | None = None
    command_type: str | None = None
    success: bool | None = None
    start: datetime | None = None
    end: datetime | None = None

    def matches(self, entry: Entry) -> bool:
        """Return whether the command passes the filter."""
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
    """A summary of commands. `success_rate` is in percent, times are in ms; an average without values is None.

    `truncated`: older commands were not read, and the figures are exact for the `commands_read` newest ones.
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
    """Store a command for 90 days and return its id. A repetition of `operation` (a ULID) stores nothing again."""
    entry_id = f"{KIND}_{operation}"
    body, expires_at = {**body, "user": principal.user}, clock.now() + COMMAND_TTL
    with suppress(ConflictError):  # An earlier attempt of the same request has stored it.
        entries.put(principal.tenant, None, KIND, entry_id, body, expected_version=0, expires_at=expires_at)
    return entry_id


def summarize_commands(entries: EntryRepository, tenant: str, filter_by: CommandFilter) -> CommandSummary:
    """Return the summary of the tenant's commands that pass the filter, among the newest `MAX_READ`."""
    read, truncated = newest_commands(entries, tenant, filter_by.start)
    commands = [entry for entry in read if filter_by.matches(entry)]
    succeeded = [entry for entry in commands if entry.body["success"]]
    failed = [entry for entry in commands if not entry.body["success"]]
    return CommandSummary(
        total_commands=len(commands),
        success_rate=100 * len(succeeded) / len(commands) if commands else 0.0,
        average_execution_ms=_mean(entry.body["execution_time_ms"] for entry in commands) or 0.0,
        most_frequent=_most_frequent(commands),
        recent_failures=[_failure(entry) for entry in failed[:MAX_LISTED]],
        # Of those that succeeded: a command that failed at once would make the average look fast.
        averages={name: _mean(_times(succeeded, name)) for name in TIMES},
        commands_read=len(read),
        truncated=truncated,
    )


def newest_commands(entries: EntryRepository, tenant: str, start: datetime | None) -> tuple[list[Entry], bool]:
    """Return the newest commands down to `start`, and whether there are more."""
    read: list[Entry] = []
    newest = pages(lambda cursor: entries.page(tenant, None, KIND, limit=PAGE_SIZE, cursor=cursor), max_items=MAX_READ)
    for page in newest:
        recent = [entry for entry in page.items if start is None or entry.created_at >= start]
        read += recent
        # The newest come first, so a page with an older one is the last that matters.
        if page.next_cursor is None or len(recent) < len(page.items):
            return read, False
    return read, True


def _most_frequent(commands: Sequence[Entry]) -> list[FrequentCommand]:
    times: dict[str, list[float]] = defaultdict(list)
    for entry in commands:
        times[entry.body["command_name"]].append(entry.body["execution_time_ms"])
    # By name where the counts are equal, so that the list does not change from request to request.
    ordered = sorted(times.items(), key=lambda item: (-len(item[1]), item[0]))
    return [FrequentCommand(name, len(durations), _mean(durations) or 0.0) for name, durations in ordered[:MAX_LISTED]]


def _failure(entry: Entry) -> FailedCommand:
    message = entry.body.get("error_message") or "Unknown error"
    return FailedCommand(entry.body["command_name"], message, entry.created_at)


def _times(commands: Iterable[Entry], name: str) -> Iterator[float]:
    return (entry.body[name] for entry in commands if entry.body.get(name) is not None)


def _mean(values: Iterable[float]) -> float | None:
    # Fractions make the sum independent of the order; only the last step rounds.
    exact = [Fraction(value) for value in values]
    return float(sum(exact) / len(exact)) if exact else None
