"""Format records: a line, a profile, single fields, what belongs to them, and several side by side."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.adapters.llm.planner.replies.formats import (
    LABELS,
    at_instant,
    field_noun,
    format_age,
    format_field,
    format_instant,
    format_value,
    number_lines,
    state_of,
)
from aisha.domain.crm.enumerations import OPEN_STAGES
from aisha.domain.wording import format_day, format_money, humanise, join_names, plural

_FACTS: Mapping[str, str] = {
    "lead": "job_title email phone score source estimated_value next_action owner",
    "contact": "job_title department email phone owner",
    "account": "industry website phone annual_revenue employee_count health owner",
    "opportunity": "amount probability close_date next_step owner",
    "activity": "activity_type status priority body outcome",
    "note": "content",
}
_LINE_FIELDS: Mapping[str, str] = {
    "lead": "last_name company status score",
    "contact": "last_name company job_title email",
    "account": "company_name industry type",
    "opportunity": "name stage amount close_date",
    "activity": "title due_at due_date activity_type status",
}
_FACT_LABELS: Mapping[str, str] = {
    "employee_count": "Employees",
    "close_date": "Closes",
    "activity_type": "Type",
    "body": "Details",
    "content": "Note",
}


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
        return format_note(record, now, is_about=False)
    return ", ".join(part for part in parts if part)


def format_numbered(
    records: Sequence[Mapping[str, Any]], now: datetime, columns: Sequence[str] = (), user: str = ""
) -> str:
    """Format records as a numbered list, each with the fields of `columns` that its line lacks."""
    return number_lines(format_line(record, now) + _columns(record, columns, now, user) for record in records)


def _columns(record: Mapping[str, Any], names: Sequence[str], now: datetime, user: str) -> str:
    usual = _LINE_FIELDS.get(str(record.get("entity_type")), "").split()
    known = {name: format_value(record, name, now, user) for name in names if record.get(name) not in (None, "")}
    texts = [f"{field_noun(name)} {known.get(name, 'not known')}" for name in names if name not in usual]
    return "".join(f", {text}" for text in texts)


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
        sentence += (
            f", last contacted {format_age(str(contacted), now)}" if contacted else ", with no contact recorded yet"
        )
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


_PROFILED = ("lead", "contact", "account", "opportunity")
_MAX_OWN_LENGTH = 200


def format_details(record: Mapping[str, Any], now: datetime, user: str = "") -> str:
    """Format all fields of a record that have a value, without ids."""
    hidden = {"id", "entity_type", "display_name", "related", "custom", "updated_at"}
    fields = {**record, **(record.get("custom") or {})}
    lines = [
        f"- {field_noun(field).capitalize()}: {format_value(fields, field, now, user)}"
        for field, value in fields.items()
        if value not in (None, "", [], {}, False) and field not in hidden and not field.endswith("_id")
        if not isinstance(value, Mapping) or field == "address"
    ]
    return f"**{record.get('display_name', '')}**\n\n" + "\n".join(lines)


def tell_fields(record: Mapping[str, Any], fields: Sequence[str], now: datetime, user: str = "") -> str:
    """Tell one field of a record in a sentence, or several in one."""
    name = f"**{record.get('display_name', '')}**"
    existing = [field for field in fields if record.get(field) not in (None, "", [], {})]
    values = {field: f"**{format_value(record, field, now, user)}**" for field in existing}
    if len(fields) > 1:
        return f"{name}: {', '.join(f'{field_noun(field)} {values.get(field, "not known")}' for field in fields)}."
    field = fields[0]
    if field == "last_contacted_at":
        if not values:
            return f"{name} has not been contacted yet, as far as the records say."
        day = datetime.fromisoformat(str(record[field])).astimezone(now.tzinfo).date()
        day_text = format_day(day, now.date())
        when = values[field] if day_text in ("today", "yesterday") else f"{values[field]}, on {day_text}"
        return f"{name} was last contacted {when}."
    if field == "created_at" and values:
        day = datetime.fromisoformat(str(record[field])).astimezone(now.tzinfo).date()
        age = format_age(str(record[field]), now)
        since = f"**{format_day(day, now.date())}**" + (f", {age}" if age not in ("today", "yesterday") else "")
        return f"{name} has been on record since {since}."
    if not values:
        return f"There is no {field_noun(field)} on record for {name}."
    verbs = {"owner": "is owned by", "address": "is in", "company": "works for"}
    if field in verbs:
        return f"{name} {verbs[field]} {values[field]}."
    return f"The {field_noun(field)} of {name} is {values[field]}."


def tell_tie(records: Sequence[Mapping[str, Any]], field: str, now: datetime) -> str:
    """Say that records come first together, with the value that they share."""
    names = join_names([f"**{one.get('display_name')}**" for one in records])
    return f"That's a tie: {names} have the same {field_noun(field)}, **{format_value(records[0], field, now)}**."


def nothing_belongs(name: str, kind: str) -> str:
    return f"**{name}** has no {'open deals' if kind == 'opportunity' else LABELS[kind][1]} on record."


def confirm_state(record: Mapping[str, Any], values: Collection[str]) -> str:
    """Say whether a record is in the state that was said, and which it is in."""
    states = [str(record[name]) for name in ("status", "stage", "type", "health") if record.get(name)]
    answer = "Yes" if {*states} & {*values} else "No"
    nouns, known_states = {record.get("type")}, [one for one in states if one != "unknown"] or states
    labels = {str(record[name]): state_of(record, name) for name in ("status", "stage") if record.get(name)}
    articles = dict.fromkeys(nouns, "a ") | dict.fromkeys(OPEN_STAGES, "in ")
    state_text = join_names([f"{articles.get(one, '')}**{labels.get(one) or humanise(one)}**" for one in known_states])
    return f"{answer}, **{record.get('display_name', '')}** is {state_text}."


def tell_since(record: Mapping[str, Any], values: Collection[str], since: str | None, now: datetime) -> str:
    """Say when a record was set to a state, or that nothing tells since when it is in it."""
    if since is not None:
        state = next(humanise(one) for one in sorted(values))
        return f"**{record.get('display_name', '')}** was set to **{state}** {at_instant(since, now)}."
    state_text = confirm_state(record, values).removeprefix("Yes, ")
    if state_text.startswith("No, "):
        return state_text
    created = tell_fields(record, ["created_at"], now).partition(" has ")[2]
    return f"{state_text[:-1]}, but nothing on record says since when. It has {created}"


def held_by(owner: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Say which records of a list a colleague owns."""
    names = join_names([f"**{one.get('display_name')}**" for one in records])
    return f"Of these, {owner.capitalize()} has {names or 'none'}."


ONLY_ONE = " That's the only one on record."


def lacks_fields(fields: Sequence[str]) -> str:
    """Say that records have no such fields, after those that they have; empty for none."""
    return f" I have no field for {join_names([f'“{one}”' for one in fields])}." if fields else ""


def lacks_field(name: str, fields: Sequence[str]) -> str:
    """Say that records have no such field, before what there is."""
    if not fields:
        return ""
    return f"I have no field for {join_names([f'“{one}”' for one in fields])}; here is what I have on {name}:\n\n"


def tell_activities(name: str, kind: str, records: Sequence[Mapping[str, Any]], now: datetime, *, is_past: bool) -> str:
    """Tell when activities with somebody are or were."""
    noun = "to-do" if kind == "task" else kind
    if not records:
        return f"There was no {noun} with **{name}** yet." if is_past else f"No {noun} with **{name}** is planned."
    if len(records) > 1:
        return f"These {plural(noun)} with **{name}** are planned:\n\n{format_numbered(records, now)}"
    due = records[0].get("due_at")
    when = format_instant(str(due), now) if due else "without a date"
    place = "Your last" if is_past else "Your next"
    return f"{place} {noun} with **{name}** {'was' if is_past else 'is'} **{when}**: {records[0].get('display_name')}."


def format_around(
    people: Sequence[Mapping[str, Any]],
    deals: Sequence[Mapping[str, Any]],
    planned: Sequence[Mapping[str, Any]],
    notes: Sequence[Mapping[str, Any]],
    now: datetime,
) -> str:
    """Format what belongs to a record: its people, open deals, plans and last note; empty for nothing."""
    lines = []
    if people:
        lines.append(f"- Contacts: {_first_names(people)}")
    if deals:
        lines.append(f"- Open deals: {_first_names(deals)}")
    if planned:
        due = planned[0].get("due_at")
        when = f", {format_instant(str(due), now)}" if due else ""
        lines.append(f"- Next: **{planned[0].get('display_name')}**{when}")
    if notes:
        lines.append(f"- Last note: {format_note(notes[0], now, is_about=False)}")
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


def format_reasons(history: str, standing_out: Sequence[str], *, is_of_event: bool) -> str:
    """Format what is on record where a reason or what nothing tells was asked for: the history, what stands out."""
    lead = "Nothing on record says that" if is_of_event else "The records give no reason as such"
    lines = "\n".join(f"- {one}" for one in dict.fromkeys(standing_out))
    rest = f"\n\nWhat stands out:\n\n{lines}" if lines else ""
    return f"{lead}. This is what I have:\n\n{history}{rest}"


def first_contact(name: str, entries: Sequence[Mapping[str, Any]], now: datetime) -> str:
    """Tell the first contact with somebody, the only one of the entries; there may be none."""
    if not entries:
        return f"No contact with **{name}** is on record."
    day = format_day(datetime.fromisoformat(str(entries[0]["when"])).astimezone(now.tzinfo).date(), now.date())
    when = f"on {day}" if day[:1].isupper() else day
    return f"The first contact with **{name}** on record was **{when}**: {entries[0].get('text', '')}."


def _day_of(text: str, now: datetime) -> str:
    moment = datetime.fromisoformat(text).astimezone(now.tzinfo)
    day = format_day(moment.date(), now.date())
    return f"{day[0].upper()}{day[1:]}"


def format_similar(name: str, items: Sequence[Mapping[str, Any]]) -> str:
    """Format the records that resemble one, each with its reasons."""
    lines = number_lines(f"**{one['name']}**: {one['reasons']}" for one in items)
    return f"Most like **{name}**:\n\n{lines}" if lines else f"Nothing resembles **{name}** closely."


def format_score(value: Mapping[str, Any]) -> str:
    """Format a score with its reasons."""
    stored = value.get("stored_score")
    stored_text = f" The score on record is {stored}." if stored not in (None, value["score"]) else ""
    lines = [f"- {one['reason']}: {one['points']:+d} points" for one in value.get("reasons", ())]
    return f"**{value['lead']['name']}** scores **{value['score']}** of 100.{stored_text}\n\n" + "\n".join(lines)


def compare(records: Sequence[Mapping[str, Any]], now: datetime, user: str, asked: Sequence[str] = ()) -> str:
    """Format the facts of records side by side, a line for each fact that one of them has, or for those asked for."""
    facts = [name for record in records for name in _FACTS.get(str(record.get("entity_type")), "").split()]
    fields = dict.fromkeys(
        field
        for field in ("status", "stage", "type", *facts, "last_contacted_at")
        if any(record.get(field) not in (None, "", []) for record in records)
    )
    fields = dict.fromkeys(field for field in asked if field in fields) or fields
    names = [str(record.get("display_name", "")) for record in records]
    lines = []
    for field in fields:
        values = [
            f"{name}: {format_value(record, field, now, user) if record.get(field) not in (None, '', []) else 'none'}"
            for name, record in zip(names, records, strict=True)
        ]
        lines.append(f"- **{field_noun(field).capitalize()}**: {'; '.join(values)}")
    return f"{join_names(names)} side by side:\n\n" + "\n".join(lines)


def format_note(record: Mapping[str, Any], now: datetime, *, is_about: bool) -> str:
    """Format a note, with whom it is about if `is_about`."""
    about = (record.get("related") or {}).get("name") or ""
    whose = f"**{about}**: " if is_about and about else ""
    return f"{whose}{record.get('content', '')} ({format_age(str(record.get('created_at', '')), now)})"
