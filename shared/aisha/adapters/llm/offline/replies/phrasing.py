"""Format the planner's replies: short sentences made of tool results."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from aisha.adapters.llm.offline.state import Ref

LABELS = {
    "lead": ("lead", "leads"),
    "contact": ("contact", "contacts"),
    "account": ("account", "accounts"),
    "opportunity": ("deal", "deals"),
    "activity": ("activity", "activities"),
    "note": ("note", "notes"),
}
_FACTS = {
    "lead": "job_title email phone score source estimated_value next_action owner",
    "contact": "job_title department email phone owner",
    "account": "industry website phone annual_revenue employee_count health owner",
    "opportunity": "amount probability close_date next_step owner",
    "activity": "activity_type status priority body outcome",
    "note": "content",
}
"""The fields of a profile, by kind of record."""
_FACT_LABELS = {
    "employee_count": "Employees",
    "close_date": "Closes",
    "activity_type": "Type",
    "body": "Details",
    "content": "Note",
}
_MONEY = frozenset(("amount", "estimated_value", "annual_revenue", "weighted", "total_amount", "value"))
HELLO = (
    "Hello! I can look up and update your leads, contacts, accounts and deals, schedule activities, keep notes, and "
    "tell you what to do next. What would you like to start with?"
)
THANKS = "You're welcome! Is there anything else I can do for you?"
BYE = "Goodbye! Your records are up to date whenever you come back."
HELP = (
    'I\'m your CRM assistant. For example:\n\n- **Find**: "Show me warm leads", "Tell me about" somebody\n'
    '- **Act**: "Schedule a call tomorrow", "Add a note", "Mark as qualified"'
    '\n- **Count**: "How many leads do we have?"\n- **Advise**: "What should I do next?", "What is overdue?"'
)
NOT_UNDERSTOOD = (
    "I didn't find a CRM request in that. I can look up people and companies, list or count records, schedule "
    "activities, add notes, change records, and suggest next steps. Could you put it another way?"
)
NOTHING_CHANGED = "All right, nothing was changed. What would you like to do instead?"
NOTHING_WAITS = "There is nothing waiting for your confirmation. What would you like to do next?"


def humanise(value: str) -> str:
    """Return an identifier as words: `at_risk` is "at risk"."""
    return value.replace("_", " ")


def format_day(value: date) -> str:
    """Format a day: "Fri, Nov 27"."""
    return f"{value:%a}, {value:%b} {value.day}"


def format_instant(text: str, now: datetime) -> str:
    """Format an ISO instant: "tomorrow at 9:00 AM", "Fri, Nov 27 at 2:30 PM"."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if moment.tzinfo is not None:
        moment = moment.astimezone(now.tzinfo)
    gap = (moment.date() - now.date()).days
    day_text = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(gap, format_day(moment.date()))
    return f"{day_text} at {moment.hour % 12 or 12}:{moment:%M} {'AM' if moment.hour < 12 else 'PM'}"


def format_age(text: str, now: datetime) -> str:
    """Format how many days ago an ISO instant was: "today", "3 days ago"."""
    try:
        days = (now.date() - datetime.fromisoformat(text).astimezone(now.tzinfo).date()).days
    except ValueError:
        return text
    return "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"


def format_money(value: Any, currency: str = "USD") -> str:
    """Format an amount: "$12,500", without cents where there are none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    digits = f"{number:,.0f}" if number.is_integer() else f"{number:,.2f}"
    return f"${digits}" if currency == "USD" else f"{digits} {currency}"


def format_field(field: str, value: Any, now: datetime, currency: str = "USD") -> str:
    """Format one field's value."""
    if field == "owner" and value == "me":
        return "you"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field in ("due_date", "due_at") and "T" in str(value):
        return format_instant(str(value), now)
    if field in _MONEY:
        return format_money(value, currency)
    if field.endswith("_at"):
        return format_instant(str(value), now)
    if field == "close_date":
        return format_day(date.fromisoformat(str(value)[:10]))
    if field == "probability":
        return f"{value}%"
    return humanise(str(value)) if field in ("status", "stage", "source", "health", "type", "priority") else str(value)


def format_line(record: Mapping[str, Any], now: datetime) -> str:
    """Format a record in a list: name, company, and its most important facts."""
    kind, name = record.get("entity_type"), record.get("display_name", "")
    parts = [f"**{name}**"]
    if kind in ("lead", "contact") and record.get("company") and record["company"] != name:
        parts[0] += f" ({record['company']})"
    if kind == "lead":
        parts += [
            humanise(str(record.get("status", ""))),
            f"score {record['score']}" if record.get("score") is not None else "",
        ]
    elif kind == "contact":
        parts += [record.get("job_title", ""), record.get("email", "")]
    elif kind == "account":
        parts += [record.get("industry", ""), humanise(str(record.get("type", "")))]
    elif kind == "opportunity":
        closes = f"closes {format_field('close_date', record['close_date'], now)}" if record.get("close_date") else ""
        amount = (
            format_money(record["amount"], record.get("currency", "USD")) if record.get("amount") is not None else ""
        )
        parts += [humanise(str(record.get("stage", ""))), amount, closes]
    elif kind == "activity":
        about = (record.get("related") or {}).get("name")
        if about and about not in name:
            parts[0] += f" ({about})"
        due = record.get("due_at")
        late = due and record.get("status") == "scheduled" and datetime.fromisoformat(due) < now
        when = format_instant(due, now) if due else ""
        parts += [
            str(record.get("activity_type", "")),
            f"overdue, was due {when}" if late else f"{humanise(str(record.get('status', '')))}, {when}",
        ]
    elif kind == "note":
        return f"{record.get('content', '')} ({format_age(str(record.get('created_at', '')), now)})"
    return ", ".join(part for part in parts if part)


def format_numbered(records: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Format records as a numbered list."""
    return "\n".join(f"{place}. {format_line(record, now)}" for place, record in enumerate(records, 1))


def format_profile(record: Mapping[str, Any], now: datetime) -> str:
    """Format a record as one sentence on what it is and its status, then its facts."""
    kind, name = str(record.get("entity_type")), str(record.get("display_name", ""))
    currency = str(record.get("currency", "USD"))
    status = humanise(str(record.get("status") or record.get("stage") or record.get("type") or ""))
    noun = LABELS.get(kind, (kind, ""))[0]
    article = "an" if (status or noun)[:1] in "aeiou" else "a"
    company = f" at {record['company']}" if record.get("company") and record["company"] != name else ""
    sentence = (
        f"**{name}** is {article} {status} {noun}{company}" if status else f"**{name}** is {article} {noun}{company}"
    )
    if kind == "opportunity":
        sentence = f"**{name}** is a deal in the {status} stage"
    if kind == "activity":
        about = (record.get("related") or {}).get("name")
        sentence = f"**{name}** is {article} {status} activity" + (f" with {about}" if about else "")
        if record.get("due_at"):
            sentence += f", due {format_instant(str(record['due_at']), now)}"
    if kind in ("lead", "contact"):
        contacted = record.get("last_contacted_at")
        sentence += f", last contacted {format_age(str(contacted), now)}" if contacted else ", not contacted yet"
    facts = [
        f"- {_FACT_LABELS.get(field) or humanise(field).capitalize()}: "
        + format_field(field, record[field], now, currency)
        for field in _FACTS.get(kind, "").split()
        if record.get(field) not in (None, "", [])
    ]
    return sentence + "." + ("\n\n" + "\n".join(facts) if facts else "")


def format_count(number: int, kind: str, qualifier: str = "") -> str:
    """Format a count: "1 warm lead", "12 deals"."""
    noun = LABELS.get(kind, (kind, kind + "s"))[0 if number == 1 else 1]
    return " ".join(part for part in (str(number), qualifier, noun) if part)


def ask_which(name: str, candidates: Sequence[Ref]) -> str:
    """Ask which record a name means; at most five are listed."""
    kinds = {ref.type for ref in candidates}
    lines = [
        f"{place}. {ref.shown}" + (f", {LABELS.get(ref.type, (ref.type,))[0]}" if len(kinds) > 1 else "")
        for place, ref in enumerate(candidates[:5], 1)
    ]
    more = (
        f"\n\nThere are {len(candidates) - 5} more; a last name or company would tell them apart."
        if len(candidates) > 5
        else ""
    )
    return f"I found {len(candidates)} records for {name}:\n\n" + "\n".join(lines) + f"{more}\n\nWhich one do you mean?"


def not_found(name: str, kind: str | None) -> str:
    """Explain that no record has the name."""
    noun = LABELS[kind][0] if kind in LABELS else "lead, contact or account"
    return (
        f"I couldn't find a {noun} called {name}. Shall I search for another spelling, or would you like to create it?"
    )


def no_access(module: str) -> str:
    return f"You don't have access to {module}. Please contact your admin if you need it."


def join_names(names: Sequence[str]) -> str:
    """Join names: "A, B and C"."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + f" and {names[-1]}" if names else ""
