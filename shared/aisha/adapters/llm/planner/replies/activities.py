"""Tell which activities were planned, changed, or found."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.planner.replies.formats import LABELS, format_instant, numbered
from aisha.adapters.llm.planner.replies.listings import adjective_of
from aisha.adapters.llm.planner.replies.profiles import format_line
from aisha.domain.wording import format_day, join_names, with_article

_TYPE_NOUNS = {one: (one, f"{one}s") for one in ("call", "email", "meeting", "demo", "task")}
_CHANGES: Mapping[str, tuple[str, ...]] = {
    "status": ("cancel {}", "cancelled {}"),
    "due_date": ("move {} to {value}", "moved {} to {value}"),
    "priority": ("set the priority of {} to {value}", "set the priority of {} to {value}"),
    "title": ("rename {} to **{value}**", "renamed {} to **{value}**"),
    "owner": ("assign {} to {value}", "assigned {} to {value}"),
    "duration_minutes": ("set {} to {value} minutes", "set {} to {value} minutes"),
    "activity_type": ("make {} {value}", "made {} {value}"),
}


def planned(records: Sequence[Mapping[str, Any]], now: datetime, who: str, owner: str = "") -> str:
    """Tell which activities were planned: "I've scheduled **Call with Ann Lee** for tomorrow at 9:00 AM."."""
    lines = [_planned_line(record, now) for record in records]
    assigned = f" and assigned {'it' if len(lines) == 1 else 'them'} to {owner}" if owner else ""
    if len(lines) == 1:
        return f"{who} scheduled {lines[0]}{assigned}."
    return f"{who} scheduled {len(lines)} activities{assigned}:\n\n{numbered(lines)}"


def logged(records: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Tell which activities were logged: "I've logged **Call with Ann Lee** as completed, today at 9:00 AM."."""
    titles = join_names([f"**{record['title']}**" for record in records])
    body = records[0].get("body")
    when = format_instant(str(records[0]["due_at"]), now)
    return f"I've logged {titles} as completed, {when}" + (f": “{body}”" if body else ".")


def not_planned(activity: str, name: str) -> str:
    return f"I don't see “{activity}” among what is planned with {name}, so I marked nothing as done."


def _planned_line(record: Mapping[str, Any], now: datetime) -> str:
    about = (record.get("related") or {}).get("name") or ""
    is_told = not about or about in record["title"]
    extra = [f"{record['duration_minutes']} minutes"] if record.get("duration_minutes") else []
    extra += [f"{record['priority']} priority"] if record.get("priority") not in (None, "normal") else []
    extra += [f"at {record['location']}"] if record.get("location") else []
    when = format_instant(str(record["due_at"]), now)
    head = f"**{record['title']}** for {when}" if is_told else f"**{record['title']}** for **{about}**, due {when}"
    return ", ".join([head, *extra])


def changing(drafts: Sequence[Mapping[str, Any]], now: datetime) -> tuple[str, str]:
    """Return changes as an order and as done, with `{}` for the activities: "moved {} to tomorrow at 9:00 AM"."""
    parts: list[tuple[str, str]] = []
    for name, value in drafts[0].items():
        value_text = "you" if value == "me" else str(value)
        value_text = value_text.capitalize() if name == "owner" and value != "me" else value_text
        if name == "due_date":
            moments = {format_instant(draft["due_date"], now) for draft in drafts}
            days = {moment.partition(" at ")[0] for moment in moments}
            shared = moments if len(moments) == 1 else days
            value_text = shared.pop() if len(shared) == 1 else "their new times"
        value_text = with_article(value_text) if name == "activity_type" else value_text
        order, done = (text.replace("{value}", value_text) for text in _CHANGES[name])
        parts.append((order, done) if not parts else (order.replace("{}", "it"), done.replace("{}", "it")))
    return join_names([order for order, _ in parts]), join_names([done for _, done in parts])


def head_of_agenda(
    arguments: Mapping[str, Any], number: int, now: datetime, about: str, *, is_one: bool = False
) -> str:
    """Return how many activities of which kind a list has: "You have 3 overdue calls with **Ann Lee**"."""
    first, last, owner = arguments.get("due_after"), arguments.get("due_before"), arguments.get("owner")
    one, many = _TYPE_NOUNS.get(str(arguments.get("activity_type")), LABELS["activity"])
    tail = f" with **{about}**" if about else ""
    tail += f" mentioning “{arguments['name_contains']}”" if arguments.get("name_contains") else ""
    if is_one and number:
        return f"{'Your' if owner == 'me' else 'The'} {'next' if first else 'last'} {one}{tail}"
    adjectives = [adjective_of(name, str(arguments[name])) for name in ("status", "priority") if name in arguments]
    words = " ".join(["no" if not number else str(number), *adjectives, one if number == 1 else many])
    is_past = bool(last) and datetime.fromisoformat(str(last)) < now
    holder = "You" if owner == "me" else str(owner).capitalize()
    verb = f"{holder} had" if is_past else f"{holder} {'have' if owner == 'me' else 'has'}"
    if not owner:
        verb = f"There {'was' if is_past else 'is'}" if number == 1 else f"There {'were' if is_past else 'are'}"
    return f"{verb} {words}{tail}{_format_bounds(first, last, now)}"


def _format_bounds(first: Any, last: Any, now: datetime) -> str:
    moments = (datetime.fromisoformat(str(one)) if one else None for one in (first, last))
    begin, end = (one.astimezone(now.tzinfo).date() if one else None for one in moments)
    if begin and begin == end:
        day = format_day(begin, now.date())
        return f" {day}" if day[0].islower() else f" on {day}"
    if begin and end:
        return f" from {format_day(begin, now.date())} to {format_day(end, now.date())}"
    if begin:
        return f" from {format_day(begin, now.date())} on"
    return f" until {format_day(end, now.date())}" if end else ""


def format_agenda(records: Sequence[Mapping[str, Any]], now: datetime, total: int) -> str:
    """Format activities as a numbered list by day."""
    lines: list[str] = []
    before = ""
    for place, record in enumerate(records, 1):
        day, _, clock = format_instant(str(record.get("due_at") or "without a date"), now).partition(" at ")
        lines += [f"{chr(10) * bool(lines)}**{day[0].upper()}{day[1:]}**"] if day != before else []
        lines.append(f"{place}. {_agenda_line(record, clock, now)}")
        before = day
    left = total - len(records)
    return "\n".join(lines) + (f"\n\n… and {left} more. Say “show more” for the next ones." if left > 0 else "")


def _agenda_line(record: Mapping[str, Any], clock: str, now: datetime) -> str:
    about, title = (record.get("related") or {}).get("name") or "", str(record.get("display_name", ""))
    due, status = record.get("due_at"), str(record.get("status", ""))
    is_late = due and status == "scheduled" and datetime.fromisoformat(str(due)) < now
    whose = f" ({about})" if about and about not in title else ""
    parts = [clock, f"**{title}**{whose}", str(record.get("activity_type", ""))]
    state = status if status != "scheduled" else ""
    parts.append("overdue" if is_late else state)
    return ", ".join(part for part in parts if part)


def format_day_plan(parts: Mapping[str, Sequence[Mapping[str, Any]]], now: datetime, limit: int) -> str:
    """Format the day: a heading for each part, and its first records, numbered throughout."""
    blocks: list[str] = []
    place = 0
    for title, records in parts.items():
        lines = [f"{number}. {format_line(one, now)}" for number, one in enumerate(records[:limit], place + 1)]
        place += len(lines)
        lines += [f"… and {len(records) - limit} more"] if len(records) > limit else []
        blocks += ["\n".join([f"**{title}** ({len(records)})", *lines])] if lines else []
    return "\n\n".join(["Here is your day:", *blocks])


def no_guests(colleagues: Sequence[str]) -> str:
    """Say that colleagues were left out of a meeting, and how to invite them; empty for none."""
    names = join_names([name.capitalize() for name in colleagues])
    text = f"I can't add {names}: only leads, contacts and email addresses can come. Tell me an address to invite."
    return text if colleagues else ""
