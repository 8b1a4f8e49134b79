"""Format the planner's replies: short sentences made of tool results."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from aisha.adapters.llm.planner.state import Ref
from aisha.domain.wording import format_day, format_moment, with_article
from aisha.domain.wording import format_money as format_money
from aisha.domain.wording import humanise as humanise
from aisha.domain.wording import join_names as join_names
from aisha.domain.wording import plural as plural

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
MAX_LEFT = 4
MAX_QUOTED = 80
"""Characters of a message that are quoted back."""
_MONEY = frozenset(("amount", "estimated_value", "annual_revenue", "weighted", "total_amount", "value"))
_MISSING = "Missing required field: "
"""The beginning of the reason of a call that lacks an argument, before the argument's name."""
_OF_ARGUMENTS = re.compile(r"\A(?:There is no parameter|[a-z_]++(?:\.[a-z_\d]++)*+: |The arguments )")
"""The beginning of a reason that is about the arguments of a call, and for models only."""
TOO_MANY_STEPS = "I needed more steps than one turn allows. Ask me to go on and I'll take the next one."


def format_instant(text: str, now: datetime) -> str:
    """Format an ISO instant: "tomorrow at 9:00 AM", "Fri, Nov 27 at 2:30 PM"."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return format_moment(moment, now)


def at_instant(text: str, now: datetime) -> str:
    """Format when something happens: "tomorrow at 9:00 AM", "on Fri, Nov 27 at 2:30 PM"."""
    told = format_instant(text, now)
    return f"on {told}" if told[:1].isupper() else told


def format_age(text: str, now: datetime) -> str:
    """Format how many days ago an ISO instant was: "today", "3 days ago"."""
    try:
        days = (now.date() - datetime.fromisoformat(text).astimezone(now.tzinfo).date()).days
    except ValueError:
        return text
    return "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"


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
        return format_day(date.fromisoformat(str(value)[:10]), now.date())
    if field == "employee_count":
        return f"{value:,}"
    if field == "probability":
        return f"{value}%"
    return humanise(str(value)) if field in ("status", "stage", "source", "health", "type", "priority") else str(value)


def state_of(record: Mapping[str, Any], field: str) -> str:
    """Return a record's stage or status in words, by the team's own name of it where its CRM has one."""
    return str((record.get("custom") or {}).get(field) or humanise(str(record.get(field) or "")))


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
        verb = "closed" if str(record.get("stage", "")).startswith("closed") else "closes"
        closes = f"{verb} {format_field('close_date', record['close_date'], now)}" if record.get("close_date") else ""
        amount = (
            format_money(record["amount"], record.get("currency", "USD")) if record.get("amount") is not None else ""
        )
        parts += [state_of(record, "stage"), amount, closes]
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


def format_profile(record: Mapping[str, Any], now: datetime, user: str = "") -> str:
    """Format a record as one sentence on what it is and its status, then its facts. The owner `user` is "you"."""
    kind, name = str(record.get("entity_type")), str(record.get("display_name", ""))
    currency = str(record.get("currency", "USD"))
    status = next((text for text in (state_of(record, name) for name in ("status", "stage", "type")) if text), "")
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
        + (
            format_value(record, field, now, user)
            if field == "owner"
            else format_field(field, record[field], now, currency)
        )
        for field in _FACTS.get(kind, "").split()
        if record.get(field) not in (None, "", [])
    ]
    facts += [f"- {humanise(name).capitalize()}: {value}" for name, value in _own_values(record)]
    return sentence + "." + ("\n\n" + "\n".join(facts) if facts else "")


def _own_values(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of the team's own fields; a label of another field's value is none of them."""
    for name, value in (record.get("custom") or {}).items() if record.get("entity_type") in _PROFILED else ():
        is_short = isinstance(value, str | int | float) and 0 < len(str(value)) <= _MAX_OWN_LENGTH
        if is_short and name not in record:
            yield name, {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def format_count(number: int, kind: str, qualifier: str = "") -> str:
    """Format a count: "1 warm lead", "12 deals"."""
    noun = LABELS.get(kind, (kind, kind + "s"))[0 if number == 1 else 1]
    return " ".join(part for part in (str(number), qualifier, noun) if part)


def ask_which(name: str, candidates: Sequence[Ref]) -> str:
    """Ask which record a name means; at most five are listed."""
    if len(candidates) == 1:
        label = LABELS.get(candidates[0].type, (candidates[0].type,))[0]
        return f"The closest that I found to “{name}” is the {label} {candidates[0].shown}. Do you mean that one?"
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
    head = f"I found {len(candidates)} records for {name}" if name else "You may mean one of several"
    return f"{head}:\n\n" + "\n".join(lines) + f"{more}\n\nWhich one do you mean?"


def not_found(name: str, kind: str | None) -> str:
    """Explain that no record has the name."""
    noun = LABELS[kind][0] if kind in LABELS else "lead, contact, account or deal"
    example = LABELS[kind][0] if kind in LABELS else "lead"
    if name.islower() and " " not in name:
        # A single word in lower case is seldom a name: nothing is offered to be called so.
        return f"I couldn't find any {noun} called “{name}”. Could you give me the full name?"
    return (
        f"I couldn't find any {noun} called {name}. Tell me the name again, "
        f"or say “create {with_article(example)} called {name}”."
    )


def no_access(module: str) -> str:
    return f"You don't have access to {module}. Please contact your admin if you need it."


# What was not understood, and failures.


def not_understood(text: str) -> str:
    """Say that an ask was not understood, in its own words."""
    shown = " ".join(text.split()).strip(" .,;:!?")
    shown = shown if len(shown) <= MAX_QUOTED else f"{shown[:MAX_QUOTED].rstrip()}…"
    return (
        f"I'm not sure what you mean by “{shown}”. Could you put it another way? "
        "I can look up, create and change records, plan activities, keep notes and tell you what to do next."
    )


_JOINT = re.compile(r"^\W{0,3}(?:and|then|also|plus)\s+(?:then\s+|also\s+)?", re.IGNORECASE)


def left_over(texts: Sequence[str], *, is_offered: bool = False) -> str:
    """Name the asks that were not answered, at most `MAX_LEFT`, and offer to go on with them where a "yes" can."""
    going_on = "Shall I go on with it?" if is_offered else "Please send it again when you're ready."
    return f"I haven't done the rest yet: {_named_asks(texts)}. {going_on}"


def after_answer(texts: Sequence[str]) -> str:
    """Name the asks that are answered after a yes to the question that follows, at most `MAX_LEFT`."""
    return f"After your yes I'll go on with {_named_asks(texts)}."


def _named_asks(texts: Sequence[str]) -> str:
    asks = [f"“{_JOINT.sub('', text).strip(' .,;:!?')}”" for text in dict.fromkeys(texts)]
    more = f" and {len(asks) - MAX_LEFT} more" if len(asks) > MAX_LEFT else ""
    return "; ".join(asks[:MAX_LEFT]) + more


def no_tool() -> str:
    """Say that a tool is missing."""
    return "I can't do that here: the tool for it isn't set up. Your admin may be able to add it."


def failure(error: Mapping[str, Any], reason: str, what: str) -> str:
    """Explain in plain words that `what` ("create the lead") failed, with a way forward."""
    if error.get("error") == "Permission denied":
        return no_access(reason.rsplit(":", 1)[-1].strip())
    if error.get("error") == "Entity not found":
        return "I couldn't find that record any more. It may have been deleted. Tell me its name and I'll look for it."
    reason = reason.strip().rstrip(".")
    if reason.startswith(_MISSING):
        return f"I couldn't {what} without the {field_noun(reason.removeprefix(_MISSING))}. Tell me, and I'll do it."
    if _OF_ARGUMENTS.match(reason):
        return f"I couldn't {what} that way. Could you put it differently?"
    # What begins like a sentence is one.
    return f"I couldn't {what}. {reason}." if reason[:1].isupper() else f"I couldn't {what}: {reason}."


# Lookups: searches in words, counts, fields and comparisons.

_PROFILED = ("lead", "contact", "account", "opportunity")
_MAX_OWN_LENGTH = 200
_ADJECTIVES = ("status", "stage", "health", "type", "priority")
_TAILS = {
    "name_contains": "named “{}”",
    "source": "from {}",
    "industry": "in {}",
    "state": "in {}",
    "city": "in {}",
    "department": "in {}",
    "company": "at {}",
    "job_title": "with the title {}",
    "min_score": "with a score of at least {}",
    "min_employees": "with at least {} employees",
    "max_employees": "with at most {} employees",
}
_BELONGING = {"lead": "at", "contact": "at", "opportunity": "with", "activity": "with", "note": "about"}
"""The preposition between records and whom they belong to: "contacts at Globex"."""
_SOURCES = {
    "website": "the website",
    "referral": "referrals",
    "cold_call": "cold calls",
    "trade_show": "trade shows",
    "other": "other sources",
}
_SUMS = {"value": "worth", "revenue": "with revenue of"}
_MOMENTS = {"created": "created", "contacted": "last contacted", "closing": "closing", "due": "due"}
_OPEN_STAGES = frozenset(("prospecting", "qualification", "proposal", "negotiation"))
_LONGEST_MONTH = 31
_SHORT_STAGES = {"closed_won": "won", "closed_lost": "lost"}
_FIELD_NOUNS = {
    "last_contacted_at": "last contact",
    "created_at": "creation date",
    "employee_count": "number of employees",
    "estimated_value": "estimated value",
    "expected": "expected value",
    "phone": "phone number",
    "email": "email address",
    "due_at": "due date",
    "body": "description",
}


def field_noun(field: str) -> str:
    """Return what a field is called in a sentence."""
    return _FIELD_NOUNS.get(field) or humanise(field)


def describe(kind: str, arguments: Mapping[str, Any], number: int, names: Mapping[str, str]) -> str:
    """Describe what a search finds: "warm leads in TX". `names` are those of records that its ids mean."""
    words = [_adjective(name, str(arguments[name])) for name in _ADJECTIVES if name in arguments]
    words += ["open"] * bool(arguments.get("open_only"))
    # "accounts at risk", "deals in negotiation"
    tails = [word for word in words if " " in word] + [f"in {word}" for word in words if word in _OPEN_STAGES]
    words = [word for word in words if " " not in word and word not in _OPEN_STAGES]
    tails += [text.format(_named(name, str(arguments[name]))) for name, text in _TAILS.items() if name in arguments]
    owners = [names[value] for value in map(str, arguments.values()) if value in names]
    tails += [f"{_BELONGING.get(kind, 'of')} {name}" for name in owners]
    for name, text in _SUMS.items():
        least, most = (arguments.get(f"{end}_{name}") for end in ("min", "max"))
        if least is not None and least == most:
            tails.append(f"{text} {format_money(least)}")
        else:
            tails += [f"{text} at least {format_money(least)}"] if least is not None else []
            tails += [f"{text} at most {format_money(most)}"] if most is not None else []
    is_closed = str(arguments.get("stage", "")).startswith("closed")
    for name, text in _MOMENTS.items():
        is_past = name in ("created", "contacted") or (name == "closing" and is_closed)
        verb = "closed" if name == "closing" and is_closed else text
        first, last = arguments.get(f"{name}_after"), arguments.get(f"{name}_before")
        if period := format_period(first, last, is_past=is_past):
            tails.append(f"{verb} {period}")
    activity = str(arguments.get("activity_type") or "")
    nouns = (activity, plural(activity)) if activity else LABELS.get(kind, (kind, f"{kind}s"))
    noun = nouns[0 if number == 1 else 1]
    return " ".join([*words, noun, *tails])


def _adjective(name: str, value: str) -> str:
    """Return a value as it stands before a noun: "won" deals, "high-priority" calls."""
    if name == "priority":
        return value if value == "urgent" else f"{value}-priority"
    return _SHORT_STAGES.get(value, humanise(value))


def _named(name: str, value: str) -> str:
    """Return an argument of a search as it stands in a sentence: "Albany" for "albany"."""
    if name == "source":
        return _SOURCES.get(value, humanise(value))
    is_name = name in ("state", "city", "company", "industry", "department") and value.islower()
    return value.title() if is_name else humanise(value)


def format_period(first: Any, last: Any, *, is_past: bool = False) -> str:
    """Format two ISO days: "from Sun, Mar 1 to Sat, Mar 7", "in March 2026", "since …", "by …"; empty for none."""
    begin, end = (date.fromisoformat(str(one)[:10]) if one else None for one in (first, last))
    if begin and end:
        if begin == end:
            return f"on {_short_day(begin)}"
        after = end + timedelta(days=1)
        if begin.day == after.day == 1 and begin.month == after.month and after.year == begin.year + 1:
            return f"in {begin.year}" if begin.month == 1 else f"from {begin:%B %Y} to {end:%B %Y}"
        if begin.day == after.day == 1 and (after - begin).days <= _LONGEST_MONTH:
            return f"in {begin:%B %Y}"
        return f"from {_short_day(begin)} to {_short_day(end)}"
    if begin:
        return f"since {_short_day(begin)}" if is_past else f"from {_short_day(begin)} on"
    return f"{'on or before' if is_past else 'by'} {_short_day(end)}" if end else ""


def _short_day(day: date) -> str:
    return f"{day:%a}, {day:%b} {day.day}"


def format_total(owner: Any, number: int, described: str) -> str:
    """Say how many there are: "You have 7 warm leads", "There are no deals", "Bob has 3 deals"."""
    holder = "There is" if number == 1 else "There are"
    if owner:
        holder = "You have" if owner == "me" else f"{str(owner).capitalize()} has"
    return f"{holder} {number:,} {described}" if number else f"{holder} no {described}"


def with_limits(text: str, unknown: Sequence[str], checked: int = 0) -> str:
    """Say before a text which conditions it leaves out, and that only the first `checked` records were looked at."""
    starts_plainly = text.partition(" ")[0] in ("You", "Your", "There", "Here", "The")
    lowered = text[:1].lower() + text[1:] if starts_plainly else text
    if unknown:
        quoted = join_names([f"“{one}”" for one in unknown])
        text = f"I don't know how to filter by {quoted}; without {'it' if len(unknown) == 1 else 'them'}, {lowered}"
    return f"{text} (I looked at the first {checked} only.)" if checked else text


def format_list(
    head: str, records: Sequence[Mapping[str, Any]], total: int | None, now: datetime, *, has_more: bool = False
) -> str:
    """Format a list under its head. `total` counts those not shown, too; None when it is not known."""
    if not records:
        return f"{head}."
    left = (total or 0) - len(records)
    more = [f"… and {left:,} more."] if left > 0 else []
    if has_more or left > 0:
        more.append("Say “show more” for the next ones." if has_more else "Tell me how many you want to see.")
    return f"{head}:\n\n{format_numbered(records, now)}" + ("\n\n" + " ".join(more) if more else "")


def format_value(record: Mapping[str, Any], field: str, now: datetime, user: str = "") -> str:
    """Format a field of a record as it stands in a sentence."""
    value = record[field]
    if field == "owner":
        return "you" if value in ("me", user) else str(value).capitalize()
    if field == "address" and isinstance(value, Mapping):
        return ", ".join(str(part) for part in value.values() if part)
    if field in ("last_contacted_at", "created_at"):
        return format_age(str(value), now)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return format_field(field, value, now, str(record.get("currency") or "USD"))


def format_details(record: Mapping[str, Any], now: datetime, user: str = "") -> str:
    """Format all fields of a record that have a value, without ids."""
    hidden = {"id", "entity_type", "display_name", "related", "custom", "updated_at"}
    shown = {**record, **(record.get("custom") or {})}
    lines = [
        f"- {field_noun(field).capitalize()}: {format_value(shown, field, now, user)}"
        for field, value in shown.items()
        if value not in (None, "", [], {}, False) and field not in hidden and not field.endswith("_id")
        if not isinstance(value, Mapping) or field == "address"
    ]
    return f"**{record.get('display_name', '')}**\n\n" + "\n".join(lines)


def tell_fields(record: Mapping[str, Any], fields: Sequence[str], now: datetime, user: str = "") -> str:
    """Tell one field of a record in a sentence, or several in one."""
    name = f"**{record.get('display_name', '')}**"
    known = [field for field in fields if record.get(field) not in (None, "", [], {})]
    values = {field: f"**{format_value(record, field, now, user)}**" for field in known}
    if len(fields) > 1:
        return f"{name}: {', '.join(f'{field_noun(field)} {values.get(field, "not known")}' for field in fields)}."
    field = fields[0]
    if field == "last_contacted_at":
        if not values:
            return f"{name} has not been contacted yet."
        day = datetime.fromisoformat(str(record[field])).astimezone(now.tzinfo).date()
        told = format_day(day, now.date())
        when = values[field] if told in ("today", "yesterday") else f"{values[field]}, on {told}"
        return f"{name} was last contacted {when}."
    if not values:
        return f"There is no {field_noun(field)} on record for {name}."
    verbs = {"owner": "is owned by", "address": "is in", "company": "works for"}
    if field in verbs:
        return f"{name} {verbs[field]} {values[field]}."
    return f"The {field_noun(field)} of {name} is {values[field]}."


def nothing_belongs(name: str, kind: str) -> str:
    return f"**{name}** has no {'open deals' if kind == 'opportunity' else LABELS[kind][1]} on record."


def confirm_state(record: Mapping[str, Any], said: Collection[str]) -> str:
    """Say whether a record is in the state that was said, and which it is in."""
    states = [str(record[name]) for name in ("status", "stage", "type", "health") if record.get(name)]
    answer = "Yes" if {*states} & {*said} else "No"
    nouns, known = {record.get("type")}, [one for one in states if one != "unknown"] or states
    labels = {str(record[name]): state_of(record, name) for name in ("status", "stage") if record.get(name)}
    shown = join_names([f"{'a ' if one in nouns else ''}**{labels.get(one) or humanise(one)}**" for one in known])
    return f"{answer}, **{record.get('display_name', '')}** is {shown}."


def held_by(owner: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Say which records of a list a colleague owns."""
    names = join_names([f"**{one.get('display_name')}**" for one in records])
    return f"Of these, {owner.capitalize()} has {names or 'none'}."


def lacks_field(name: str, fields: Sequence[str]) -> str:
    """Say that records have no such field, before what there is."""
    if not fields:
        return ""
    return f"I have no field for {join_names([f'“{one}”' for one in fields])}; here is what I have on {name}:\n\n"


def tell_activities(name: str, kind: str, found: Sequence[Mapping[str, Any]], now: datetime, *, is_past: bool) -> str:
    """Tell when activities with somebody are or were."""
    noun = "to-do" if kind == "task" else kind
    if not found:
        return f"There was no {noun} with **{name}** yet." if is_past else f"No {noun} with **{name}** is planned."
    if len(found) > 1:
        return f"These {plural(noun)} with **{name}** are planned:\n\n{format_numbered(found, now)}"
    due = found[0].get("due_at")
    when = format_instant(str(due), now) if due else "without a date"
    place = "Your last" if is_past else "Your next"
    return f"{place} {noun} with **{name}** {'was' if is_past else 'is'} **{when}**: {found[0].get('display_name')}."


def format_around(
    people: Sequence[Mapping[str, Any]],
    deals: Sequence[Mapping[str, Any]],
    planned: Sequence[Mapping[str, Any]],
    now: datetime,
) -> str:
    """Format what belongs to a record: its people, its open deals, and what is planned; empty for nothing."""
    lines = []
    if people:
        lines.append(f"- Contacts: {_first_names(people)}")
    if deals:
        lines.append(f"- Open deals: {_first_names(deals)}")
    if planned:
        due = planned[0].get("due_at")
        when = f", {format_instant(str(due), now)}" if due else ""
        lines.append(f"- Next: **{planned[0].get('display_name')}**{when}")
    return "\n" * bool(lines) + "\n".join(lines)


def _first_names(records: Sequence[Mapping[str, Any]], most: int = 5) -> str:
    names = [str(one.get("display_name")) for one in records[:most]]
    return f"{', '.join(names)} and {len(records) - most} more" if len(records) > most else join_names(names)


def is_between(text: Any, first: float | None, last: float | None) -> bool:
    """Return whether an ISO instant is between two timestamps, each open if None. An unknown instant is not."""
    if not text:
        return False
    moment = datetime.fromisoformat(str(text)).timestamp()
    return (first is None or first <= moment) and (last is None or moment <= last)


def format_history(summary: str, entries: Sequence[Mapping[str, Any]], total: int, now: datetime) -> str:
    """Format a record's summary and the newest entries of its history."""
    lines = [
        f"- {_day_of(str(entry['when']), now) if entry.get('when') else 'without a date'}: {entry.get('text', '')}"
        for entry in entries
    ]
    if not lines:
        return f"{summary}\n\nNothing is on record for that time."
    older = f"\n\nThere are {total - len(lines)} older entries." if total > len(lines) else ""
    return f"{summary}\n\n" + "\n".join(lines) + older


def _day_of(text: str, now: datetime) -> str:
    moment = datetime.fromisoformat(text).astimezone(now.tzinfo)
    told = format_day(moment.date(), now.date())
    return f"{told[0].upper()}{told[1:]}"


def format_similar(name: str, items: Sequence[Mapping[str, Any]]) -> str:
    """Format the records that resemble one, each with its reasons."""
    lines = [f"{place}. **{one['name']}**: {one['reasons']}" for place, one in enumerate(items, 1)]
    return f"Most like **{name}**:\n\n" + "\n".join(lines) if lines else f"Nothing resembles **{name}** closely."


def format_score(value: Mapping[str, Any]) -> str:
    """Format a score with its reasons."""
    stored = value.get("stored_score")
    stored_text = f" The score on record is {stored}." if stored not in (None, value["score"]) else ""
    lines = [f"- {one['reason']}: {one['points']:+d} points" for one in value.get("reasons", ())]
    return f"**{value['lead']['name']}** scores **{value['score']}** of 100.{stored_text}\n\n" + "\n".join(lines)


def format_sums(sums: Mapping[str, float]) -> str:
    """Format sums by their currency: "$12,500 and 300 EUR"."""
    return join_names([format_money(round(total, 2), currency) for currency, total in sums.items()])


def _sums_of(part: Mapping[str, Any], field: str = "amount") -> str:
    sums: dict[str, float] = {}
    for row in part.get("by_currency") or [part]:
        currency = str(row.get("currency") or "USD")
        sums[currency] = sums.get(currency, 0) + float(row.get(field) or 0)
    return format_sums({currency: total for currency, total in sums.items() if total})


def format_overview(value: Mapping[str, Any], owner: Any, opened: Mapping[str, Sequence[str]]) -> str:
    """Format counts and sums by status, for each kind of record; of deals the open ones first."""
    blocks = []
    for section in value.get("sections", ()):
        kind, rows = str(section["entity_type"]), section["by_status"]
        lines = [f"- {humanise(str(row['status']))}: {row['count']}" + _worth(row, ", ") for row in rows]
        head = f"**{format_count(int(section['count']), kind)}**{_worth(section)}"
        if kind == "opportunity":
            open_rows = [row for row in rows if row["status"] in opened[kind]]
            totals = [one for row in open_rows for one in row.get("by_currency") or [row]]
            number = sum(int(row["count"]) for row in open_rows)
            worth = _worth({"by_currency": totals})
            head = f"**{format_count(number, kind, 'open')}**{worth}, {section['count']} in all"
        blocks.append("\n".join([head, *lines]))
    whose = "your" if owner == "me" else f"{str(owner).capitalize()}'s" if owner else "the"
    return f"Here are {whose} figures:\n\n" + "\n\n".join(blocks)


def _worth(part: Mapping[str, Any], joint: str = " worth ") -> str:
    sums = _sums_of(part)
    return f"{joint}{sums}" if sums else ""


def unsplit(fields: Sequence[str]) -> str:
    """Say by which fields counts can't be split; empty for none."""
    return f" I can't split that by {join_names(fields)}." if fields else ""


def compare_people(owners: Sequence[str], values: Sequence[Mapping[str, Any]]) -> str:
    """Format the figures of colleagues side by side."""
    lines = []
    for owner, value in zip(owners, values, strict=True):
        parts = [
            format_count(int(part["count"]), str(part["entity_type"])) + _worth(part)
            for part in value.get("sections", ())
        ]
        lines.append(f"- **{'You' if owner == 'me' else owner.capitalize()}**: {join_names(parts) or 'nothing'}")
    return "Side by side:\n\n" + "\n".join(lines)


def compare(records: Sequence[Mapping[str, Any]], now: datetime, user: str) -> str:
    """Format the facts of records side by side, a line for each fact that one of them has."""
    facts = [name for record in records for name in _FACTS.get(str(record.get("entity_type")), "").split()]
    fields = dict.fromkeys(
        field
        for field in ("status", "stage", "type", *facts, "last_contacted_at")
        if any(record.get(field) not in (None, "", []) for record in records)
    )
    names = [str(record.get("display_name", "")) for record in records]
    lines = []
    for field in fields:
        values = [
            f"{name}: {format_value(record, field, now, user) if record.get(field) not in (None, '', []) else 'none'}"
            for name, record in zip(names, records, strict=True)
        ]
        lines.append(f"- **{field_noun(field).capitalize()}**: {'; '.join(values)}")
    return f"{join_names(names)} side by side:\n\n" + "\n".join(lines)


def format_ranked(
    owner: Any,
    order: str,
    described: str,
    top: Sequence[Mapping[str, Any]],
    field: str,
    total: int | None,
    now: datetime,
) -> str:
    """Format the first records of an order, or of a field where `order` is empty, each with the value of its place."""
    if not top:
        return f"I can't say: no {field_noun(field)} is on record for {described}."
    whose = "Your" if owner == "me" else f"{str(owner).capitalize()}'s" if owner else "The"
    lines = [format_line(record, now) + _ranked_by(record, field, now) for record in top]
    described = f"{order} {described}" if order else f"{described} by {field_noun(field)}"
    if len(top) == 1:
        return f"{whose} {described} is {lines[0]}."
    number = f"{len(top)} of {total:,}" if total is not None and total > len(top) else f"{len(top)}"
    numbered = "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))
    return f"{whose} {described} ({number}):\n\n{numbered}"


def cant_rank(kind: str) -> str:
    return f"I can't rank {LABELS[kind][1]} by that, only by their age. "


def _ranked_by(record: Mapping[str, Any], field: str, now: datetime) -> str:
    if field in ("score", "amount", "close_date", "stage", "status", "name"):
        return ""  # The line has it.
    if field == "created_at":
        return f", created {format_value(record, field, now)}"
    currency = str(record.get("currency") or "USD")
    value = format_money(record[field], currency) if field == "expected" else format_value(record, field, now)
    return f", {field_noun(field)} {value}"


def format_forecast(value: Mapping[str, Any], described: str) -> str:
    """Format the totals of open deals with their weighted sums, by stage where they are known."""
    if not int(value["count"]):
        return f"There are no {described} to forecast."
    lines = []
    for stage in value.get("stages", ()):
        weighted = f", weighted {_sums_of(stage, 'weighted')}" if _sums_of(stage, "weighted") else ""
        lines.append(f"- {humanise(str(stage.get('stage')))}: {stage['count']}{_worth(stage, ', ')}{weighted}")
    head = f"I expect **{_sums_of(value, 'weighted') or format_money(0)}** from {value['count']} {described}"
    text = f"{head}: their {_sums_of(value) or 'amounts'} weighted by probability."
    return text + ("\n\n" + "\n".join(lines) if lines else "")


# Records created, changed and deleted: acts/creating.py and acts/changing.py.

LIST_FIRST = (
    "I only change records that you name or that I have just listed. Show them first, for example "
    "“show me my warm leads”, and then say what to change."
)
GOAL_LIMITS = "I can set a goal's status, its progress and how far a key result is, but not its target or its deadline."
NOTHING_CHANGED = "I haven't changed anything. Tell me what to do with which record when you want me to."
_FLAGS = {
    "do_not_call": ("may be called again", "must not be called"),
    "do_not_email": ("may be emailed again", "must not be emailed"),
}
_IMAGINED = {
    "delete": (
        "That would delete **{name}**. “Undo that” would bring it back within a day.",
        "delete the {kind} {name}",
    ),
    "convert": ("That would turn the lead **{name}** into a contact at an account.", "convert the lead {name}"),
    "advance_stage": (
        "That would move the deal **{name}** to {value}, and its probability would change with the stage.",
        "move the deal {name} to {value}",
    ),
    "set_status": ("That would change the status of **{name}** to {value}.", "mark the {kind} {name} as {value}"),
    "update_record": ("That would give **{name}** to {owner}.", "assign the {kind} {name} to {owner}"),
    "": ("I can't work out what that would change on **{name}**.", ""),
}
"""The effect that an order would have, and the order, by its act."""


def bold(refs: Sequence[Ref]) -> str:
    """Return the names of records in bold: "**Ann Lee** (Acme) and **Bob Ray**"."""
    return join_names([f"**{ref.name}**" + ref.shown.removeprefix(ref.name) for ref in refs])


def created(what: str, records: Sequence[Mapping[str, Any]], now: datetime, user: str) -> str:
    """Tell what was created ("the lead **Ann Lee**"), with the facts of a single record. The owner `user` is "you"."""
    facts = format_profile(records[0], now, user).partition("\n\n")[2] if len(records) == 1 else ""
    return f"I've created {what}." + (f"\n\n{facts}" if facts else "")


def not_linked(name: str) -> str:
    """Say that a new deal has no customer, as a paragraph, and offer to create one."""
    return f"\n\nI found no account, contact or lead called {name}, so it isn't linked to one. Shall I add the account?"


def changed(refs: Sequence[Ref], values: Mapping[str, Any], now: datetime) -> str:
    """Tell the new values of records: "I've updated **Ann Lee**: status is now **warm**."."""
    return f"I've updated {join_names([f'**{ref.name}**' for ref in refs])}: {_changes_text(values, now)}."


def unchanged(ref: Ref, values: Mapping[str, Any], now: datetime) -> str:
    """Say that a record has these values already."""
    return f"Nothing had to change: {_states_text(f'**{ref.name}**', values, now, 'already')}."


def _changes_text(values: Mapping[str, Any], now: datetime) -> str:
    texts = []
    for field, value in _shown(values).items():
        verb = "are" if field == "tags" else "is"
        text = f"{field_noun(field)} {verb} now **{format_value(values, field, now)}**"
        texts.append(_FLAGS[field][bool(value)] if field in _FLAGS else text)
    return join_names(texts)


def _states_text(name: str, values: Mapping[str, Any], now: datetime, adverb: str) -> str:
    """Return values as states: "the status of **Ann Lee** is already **warm** and the score is already **80**"."""
    texts: list[str] = []
    for field, value in _shown(values).items():
        verb, whose = "are" if field == "tags" else "is", "" if texts else f" of {name}"
        text = f"the {field_noun(field)}{whose} {verb} {adverb} **{format_value(values, field, now)}**"
        texts.append(f"{name} {_FLAGS[field][bool(value)]}" if field in _FLAGS else text)
    return join_names(texts)


def _shown(values: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in values.items() if field != "currency" and not field.endswith("_id")}


def left_out(kind: str, left: Sequence[tuple[str, str]]) -> str:
    """Name what was said and not stored, as a paragraph: see `acts.creating.fit`; empty for nothing."""
    noun = f"{'an' if kind == 'account' else 'a'} {LABELS[kind][0]}"
    unset = join_names([f"the {field} to “{value}”" for field, value in left if field and value])
    missing = join_names([field for field, value in left if field and not value])
    loose = [f"“{value}”" for field, value in left if not field]
    sentences = [
        f"I can't set {unset} on {noun}." if unset else "",
        f"I didn't catch the {missing}." if missing else "",
        f"I didn't know where to put {join_names(loose)}, so I left {'it' if len(loose) == 1 else 'them'} out."
        if loose
        else "",
    ]
    return "".join(f"\n\n{text}" for text in [" ".join(filter(None, sentences))] if text)


def no_field(kind: str, field: str) -> str:
    """Say that a kind of record has no such field."""
    return f"{LABELS[kind][1].capitalize()} have no field for “{field}”, so I haven't changed anything."


def read_only_field(field: str) -> str:
    """Say that a field of the team's own can be read alone."""
    return f"I can read the {field} and not change it, so I haven't changed anything. An admin can make it writable."


def ask_change(ref: Ref, field: str, value: str, options: Sequence[str]) -> str:
    """Ask for the field or the value that a change lacks."""
    if field and not value:
        return f"{'Who' if field == 'owner' else 'What'} is the new {field} of **{ref.name}**?"
    if field and options:
        return no_such_value(field, value, options)
    if value:
        return f"Which field of **{ref.name}** shall I set to “{value}”?"
    return f"What shall I change on **{ref.name}**? For example its status, owner or phone number."


def no_such_value(field: str, value: str, options: Sequence[str]) -> str:
    """Say that a field has no such value, and ask for one that it has."""
    return f"There is no {field} “{value}”. It can be {', '.join(map(humanise, options))}. Which one shall it be?"


def converted(name: str, done: Mapping[str, Any]) -> str:
    """Tell what a lead became."""
    deal = f", with the deal **{done['opportunity']['name']}**" if done.get("opportunity") else ""
    text = f"I've converted **{name}** to a contact at the account **{done['account']['name']}**{deal}."
    similar = join_names([f"**{one['name']}**" for one in done.get("possible_duplicates") or ()])
    return f"{text} The account is new; {similar} may be the same company." if similar else text


def undone(receipts: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Tell which changes were taken back: "I've taken that back: **Ann Lee** is gone again."."""
    texts = []
    for receipt in receipts:
        name, after = f"**{receipt['entity']['name']}**", receipt.get("after") or {}
        values = {field: value for field, value in after.items() if value is not None}
        text = f"{name} is {'gone again' if receipt['action'] == 'deleted' else 'back'}"
        if receipt["action"] == "updated":
            text = _states_text(name, values, now, "again") or f"{name} is as it was before"
        texts.append(text)
    return f"I've taken that back: {'; '.join(texts)}."


def only_the_last(written: str) -> str:
    """Say that only the last change can be taken back, and offer that."""
    return f"I can only take back the last change. {written} Shall I take that back?"


def goal_line(goal: Mapping[str, Any]) -> str:
    """Format a goal as `**Win six new customers** (in progress, 46% done)`."""
    progress = f", {goal['progress']}% done" if goal.get("progress") is not None else ""
    return f"**{goal.get('title', '')}** ({humanise(str(goal.get('status', '')))}{progress})"


def goal_updated(goal: Mapping[str, Any]) -> str:
    """Tell how far a goal is after a change."""
    status, progress = humanise(str(goal["status"])), goal["progress"]
    return f"I've updated the goal **{goal['title']}**: it is {status}, at **{progress}%**."


def _join_choices(names: Sequence[str]) -> str:
    """Join names to choose from: "A, B or C"."""
    return " or ".join([part for part in (", ".join(names[:-1]), *names[-1:]) if part])


def ask_goal(titles: Sequence[str]) -> str:
    """Ask which goal is meant."""
    return f"Which goal do you mean: {_join_choices([f'**{title}**' for title in titles])}?"


def no_goal(name: str, titles: Sequence[str]) -> str:
    """Say that there is no such goal, and which there are."""
    return f"There is no goal called “{name}”. There are {join_names([f'**{title}**' for title in titles])}."


def ask_part(goal: str, titles: Sequence[str]) -> str:
    """Ask which key result of a goal is meant."""
    parts = _join_choices([f"**{title}**" for title in titles]) or "its progress in percent"
    return f"Which part of **{goal}** do you mean: {parts}?"


def ask_result(result: Mapping[str, Any]) -> str:
    """Ask for the new value of a key result."""
    return f"What is **{result['title']}** at now? The target is {result['target']:g}."


def imagined(act: str, ref: Ref, slots: Mapping[str, str]) -> tuple[str, str]:
    """Return what an imagined order would do, and the order that does it; empty where a slot is missing."""
    if act == "advance_stage" and ref.type != "opportunity":
        act = "set_status"
    text, order = _IMAGINED.get(act, _IMAGINED[""])
    known = {"name": ref.name, "kind": LABELS.get(ref.type, (ref.type,))[0], **slots}
    try:
        return f"{text.format_map(known)} I haven't changed anything.", order.format_map(known)
    except KeyError:
        return f"{_IMAGINED[''][0].format_map(known)} I haven't changed anything.", ""


def awaited(order: str) -> str:
    """Return the answer to an order on a condition of which it is not known what it would change."""
    return (
        f"I haven't changed anything: “{order.strip(' .,!?')}” has to wait for something, and I can't wait for it. "
        "Tell me when it has happened, and I'll do it."
    )


# Activities, notes and advice.

_TYPE_NOUNS = {one: (one, f"{one}s") for one in ("call", "email", "meeting", "demo", "task")}
_CHANGES = {
    "status": ("cancel {}", "cancelled {}"),
    "due_date": ("move {} to {value}", "moved {} to {value}"),
    "priority": ("set the priority of {} to {value}", "set the priority of {} to {value}"),
    "title": ("rename {} to **{value}**", "renamed {} to **{value}**"),
    "owner": ("assign {} to {value}", "assigned {} to {value}"),
    "duration_minutes": ("set {} to {value} minutes", "set {} to {value} minutes"),
    "activity_type": ("make {} a {value}", "made {} a {value}"),
}
"""A change of activities, to be done and done."""
MAX_LINES = 10


def quote_all(texts: Sequence[str]) -> str:
    """Join texts in quotation marks: “a” and “b”."""
    return join_names([f"“{text}”" for text in texts])


def numbered(lines: Sequence[str], total: int | None = None) -> str:
    """Number the first ten lines, and say how many more there are. `total` counts those of further pages, too."""
    shown = "\n".join(f"{place}. {line}" for place, line in enumerate(lines[:MAX_LINES], 1))
    left = (total or len(lines)) - len(lines[:MAX_LINES])
    return shown + (f"\n… and {left} more." if left > 0 else "")


def planned(records: Sequence[Mapping[str, Any]], now: datetime, who: str, owner: str = "") -> str:
    """Tell which activities were planned: "I've scheduled **Call with Ann Lee** for tomorrow at 9:00 AM."."""
    lines = [_planned_line(record, now) for record in records]
    assigned = f" and assigned {'it' if len(lines) == 1 else 'them'} to {owner}" if owner else ""
    if len(lines) == 1:
        return f"{who} scheduled {lines[0]}{assigned}."
    return f"{who} scheduled {len(lines)} activities{assigned}:\n\n{numbered(lines)}"


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
        shown = "you" if value == "me" else str(value)
        if name == "due_date":
            moments = {format_instant(draft["due_date"], now) for draft in drafts}
            days = {moment.partition(" at ")[0] for moment in moments}
            shown = moments.pop() if len(moments) == 1 else days.pop() if len(days) == 1 else "their new times"
        order, done = (text.replace("{value}", shown) for text in _CHANGES[name])
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
    adjectives = [_adjective(name, str(arguments[name])) for name in ("status", "priority") if name in arguments]
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
        told = format_day(begin, now.date())
        return f" {told}" if told[0].islower() else f" on {told}"
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
    parts.append("overdue" if is_late else status if status != "scheduled" else "")
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


def format_note(record: Mapping[str, Any], now: datetime, *, is_about: bool) -> str:
    """Format a note, with whom it is about if `is_about`."""
    about = (record.get("related") or {}).get("name") or ""
    whose = f"**{about}**: " if is_about and about else ""
    return f"{whose}{record.get('content', '')} ({format_age(str(record.get('created_at', '')), now)})"


def format_advice(suggestions: Sequence[Mapping[str, Any]], name: str, note: str) -> str:
    """Format suggested steps as a numbered list with their reasons."""
    reasons = [str(one["reasoning"]).rstrip(".") for one in suggestions]
    pairs = zip(suggestions, reasons, strict=True)
    lines = [f"**{one['action']}** (**{one['priority']}**): {reason}." for one, reason in pairs]
    head = f"Here is what I'd do next{f' with **{name}**' if name else ''}:"
    return "\n\n".join([head, numbered(lines), *([note] if note else [])])


def format_cases(items: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Format earlier cases: what was done with whom, and how it ended."""
    lines = []
    for item in items:
        facts = dict(line.split(": ", 1) for line in str(item["text"]).splitlines() if ": " in line)
        about = facts.get("About", "").partition(" ")[2]
        done = (facts.get("Done") or facts.get("Situation") or str(item["text"])).rstrip(".")
        ended = humanise(str(facts.get("Outcome") or item.get("outcome") or ""))
        outcome = f" Outcome: {ended.rstrip('.')}." if ended else ""
        lines.append(f"{f'**{about}**: ' if about else ''}{done}.{outcome} ({format_age(str(item['when']), now)})")
    return f"This is what was done in similar cases:\n\n{numbered(lines)}"
