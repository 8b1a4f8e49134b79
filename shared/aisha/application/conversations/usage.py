"""Usage of a tenant for its admins: turns with their cost, by user, model and day, and single turns."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from aisha.application.conversations.analytics import KIND, TURN, newest_commands
from aisha.domain.crm.paging import pages
from aisha.domain.entries import Entry
from aisha.domain.errors import NotFoundError
from aisha.domain.ports import EntryRepository

MAX_READ = 1000
"""Entries read for one page of turns: with a rare filter a page is short but has a cursor."""
PREFIX = "msg_"


class UsageRow(Struct):
    """The turns of one user, model or day."""

    name: str
    turns: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    def add(self, entry: Entry) -> None:
        """Count one more turn."""
        turn: Mapping[str, Any] = entry.body["turn"]
        self.turns += 1
        self.failed += not entry.body["success"]
        self.input_tokens += turn["input_tokens"]
        self.output_tokens += turn["output_tokens"]
        self.cost_usd = round(self.cost_usd + turn["cost_usd"], 6)


class Usage(Struct, frozen=True):
    """The usage since a day. `truncated`: older turns were not read, and the figures are those of the newest ones."""

    by_user: list[UsageRow]
    by_model: list[UsageRow]
    by_day: list[UsageRow]
    truncated: bool


def usage_since(entries: EntryRepository, tenant: str, days: int, now: datetime, zone: ZoneInfo) -> Usage:
    """Return the usage of the last days, of which today in `zone` is one."""
    # A day is the admin's, from midnight to midnight in their zone.
    today = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    read, truncated = newest_commands(entries, tenant, today - timedelta(days=days - 1))
    turns = [entry for entry in read if is_turn(entry)]
    by_day = _rows(turns, lambda entry: f"{entry.created_at.astimezone(zone):%Y-%m-%d}")
    return Usage(
        by_user=sorted(_rows(turns, lambda entry: entry.body["user"]), key=_most_expensive),
        by_model=sorted(
            _rows(turns, lambda entry: f"{entry.body['provider']}:{entry.body['model']}"), key=_most_expensive
        ),
        by_day=sorted(by_day, key=lambda row: row.name),
        truncated=truncated,
    )


class TurnFilter(Struct, frozen=True):
    """The turns of a list; None does not filter."""

    user: str | None = None
    tool: str | None = None
    conversation: str | None = None
    success: bool | None = None

    def matches(self, entry: Entry) -> bool:
        """Return whether the turn passes the filter."""
        body = entry.body
        return (
            self.user in (None, body["user"])
            and self.success in (None, body["success"])
            and self.conversation in (None, body["turn"]["conversation_id"])
            and (self.tool is None or any(call["name"] == self.tool for call in body["turn"]["calls"]))
        )


def list_turns(
    entries: EntryRepository, tenant: str, filter_by: TurnFilter, limit: int, cursor: str | None
) -> tuple[list[Entry], str | None]:
    """Return a page of turns, the newest first, and its cursor. Raises `InvalidInputError` for a foreign cursor."""
    turns: list[Entry] = []
    read = pages(lambda at: entries.page(tenant, None, KIND, limit=limit, cursor=at or cursor), max_items=MAX_READ)
    following: str | None = None
    for page in read:
        turns += [entry for entry in page.items if is_turn(entry) and filter_by.matches(entry)]
        following = page.next_cursor
        # Whole pages, so that the cursor is the store's own: a page may have more than `limit` turns.
        if len(turns) >= limit:
            break
    return turns, following


def find_turn(entries: EntryRepository, tenant: str, message_id: str) -> Entry:
    """Return the turn of an answer. Raises `NotFoundError`, also for one of more than 90 days ago."""
    entry = entries.find(tenant, None, KIND, f"{KIND}_{message_id.removeprefix(PREFIX)}")
    if entry is None or not is_turn(entry):
        raise NotFoundError(
            "There is no such turn.",
            entity_type="turn",
            entity_id=message_id[:200],
            suggestion="Take the id of an answer of the last 90 days.",
        )
    return entry


def message_id_of(entry: Entry) -> str:
    """Return the id of the answer that a turn gave."""
    return PREFIX + entry.id.removeprefix(f"{KIND}_")


def is_turn(entry: Entry) -> bool:
    """Return whether the command is a turn that the server recorded."""
    return entry.body.get("command_type") == TURN and "turn" in entry.body


def _rows(turns: Iterable[Entry], name: Callable[[Entry], str]) -> list[UsageRow]:
    rows: dict[str, UsageRow] = defaultdict(lambda: UsageRow(""))
    for entry in turns:
        row = rows[name(entry)]
        row.name = name(entry)
        row.add(entry)
    return list(rows.values())


def _most_expensive(row: UsageRow) -> tuple[float, int, str]:
    return (-row.cost_usd, -row.turns, row.name)
