"""Judge a turn by what it changed in the CRM, what it sent and what it said.

An expected change is `{"new": type, "with": {...}}`, `{"changed": "@type:Name", "to": {...}}`, `{"deleted":
"@type:Name"}` or `{"sent": "mail", "with": {...}}`. A value is compared as `value_fits` does; `@type:Name` stands for
every record that has or had this name.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from msgspec import Struct, field

from aisha.application.email.draft import is_draft
from aisha.domain.crm.records import Note, Record
from aisha.domain.external.mail import MailMessage
from aisha.tools.activities.email import MESSAGE_ID
from tests.support.dialogue.conversations import matches, value_fits

WRONG_WRITE, MISSING_WRITE, FALSE_STATEMENT = "wrong write", "missing write", "false statement"
DROPPED_ASK, OTHER = "dropped ask", "other"
KINDS = (WRONG_WRITE, MISSING_WRITE, FALSE_STATEMENT, DROPPED_ASK, OTHER)
SEVERAL_ASKS = "several-asks-in-one-message"

IGNORED = {"id", "version", "created_at", "updated_at", "last_contacted_at", "entity_type", "display_name"}
CONSEQUENCES = {
    "stage": {"probability"},
    "status": {"completed_at", "converted"},
    "company": {"account_id"},
    "account_id": {"company"},
}
"""Fields that the product sets itself when another one changes."""
DENIAL = (
    r"\bno\b[^.\n]*\bmatch"
    r"|\b(couldn.?t|could not|can.?t|cannot|didn.?t|did not|don.?t|do not) (find|see)\b(?! an? (crm )?request)"
    r"|\b(don.?t|do not) have any\b|\bno [\w -]{1,40} (was|were )?found\b"
    r"|\bthere(.s| is| are| was| were) (no|not any|nothing)\b(?! (tool|way))"
    r"|\bnothing\b(?! (was|were|has been|is|will be)? ?(changed|written|saved|sent|done|stored|deleted))"
)
"""Words that deny that something exists."""
WRITING = r"mail|draft|writ|letter|invit|text|message|compos|send|short|formal|friendl|tone"
"""Words of a message that asks for a text: only then is a draft, which is kept as a note, no wrong write."""
CALENDAR_FIELDS = ("due_at", "completed_at")


class Change(Struct, frozen=True):
    """A change of one record, or a sent mail. `kind` is new, changed, deleted or sent.

    `values` are all fields of a new record or a mail, and the changed fields of a changed one, with their new values.
    """

    kind: str
    type: str
    id: str
    name: str
    values: Mapping[str, Any] = {}

    def __str__(self) -> str:
        values = {name: str(value) for name, value in self.values.items() if value not in (None, "", [], {})}
        return f"{self.kind} {self.type} {self.name!r} {values if self.kind != 'deleted' else ''}".rstrip()


class Played(Struct):
    """A turn as it went: its message, the words of all its replies, the calls that ran, the changes.

    `records` are those before and after.
    """

    said: str = ""
    reply: str = ""
    status: str = "completed"
    called: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    asked: bool = False
    flaws: list[str] = field(default_factory=list)

    def ids(self, reference: str) -> set[str]:
        """Return the ids of the records that `@type:Name` may mean."""
        kind, _, name = reference.removeprefix("@").partition(":")
        named = [(record, record.display_name) for record in self.records if kind == record.TYPE]
        exact = {record.id for record, shown in named if shown.casefold() == name.casefold()}
        return exact or {record.id for record, _ in named if getattr(record, "company", None) == name}


class Problem(Struct, frozen=True):
    """A difference between a turn and what was expected of it. `kind` is one of `KINDS`."""

    kind: str
    text: str


def differences(before: Mapping[str, Record], after: Mapping[str, Record], zone: tzinfo) -> list[Change]:
    """Return the changes between two snapshots, by id. Times are in `zone`, `related` is an id."""
    changes = []
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is new:
            continue
        was, now = _values(old, zone), _values(new, zone)
        if new is None or old is None:
            record, kind = (new, "new") if new else (old, "deleted")
            values = now
        else:
            record, kind = new, "changed"
            values = {name: value for name, value in now.items() if value != was[name]}
        if record and (values or kind == "deleted"):
            changes.append(Change(kind, record.TYPE, key, record.display_name, values))
    return changes


def mail_sent(message: MailMessage) -> Change:
    """Return a sent message as a change."""
    values = {"to": message.to, "subject": message.subject, "body": message.body}
    return Change("sent", "mail", message.id, message.to, values)


def _values(record: Record | None, zone: tzinfo) -> dict[str, Any]:
    if record is None:
        return {}
    values = record.model_dump(exclude=IGNORED)
    for name in CALENDAR_FIELDS:
        if isinstance(moment := values.get(name), datetime):
            values[name] = moment.astimezone(zone).isoformat()
    if related := values.get("related"):
        values["related"] = related["id"]
    return values


def judge(expected: Mapping[str, Any], played: Played, category: str = "") -> list[Problem]:
    """Return all problems of a turn. Where it had several asks, what is missing is a dropped ask."""
    problems = [*_judge_writes(expected.get("changes", ()), played), *_judge_statements(expected, played)]
    if category == SEVERAL_ASKS:
        missing = {MISSING_WRITE, OTHER}
        problems = [Problem(DROPPED_ASK, one.text) if one.kind in missing else one for one in problems]
    return problems + list(_judge_conduct(expected, played))


def asked_needlessly(expected: Mapping[str, Any], played: Played) -> bool:
    """Return whether a question for a yes was neither expected, nor required by a rule, nor itself the answer."""
    if not played.asked or expected.get("status") == "needs_confirmation":
        return False
    changes = expected.get("changes", ())
    needs_yes = any(
        "deleted" in one or "sent" in one or one.get("to", {}).get("status") == "converted" for one in changes
    )
    says = expected.get("says", ())
    is_answer = not changes and says and all(matches(pattern, played.reply) for pattern in says)
    return not needs_yes and not is_answer and len(changes) <= 10


def _judge_writes(expected: Sequence[Mapping[str, Any]], played: Played) -> Iterator[Problem]:
    pairs = _pairs(expected, played)
    covered: dict[int, set[str]] = {}
    for index, one in enumerate(expected):
        if index not in pairs:
            yield Problem(MISSING_WRITE, f"missing: {dict(one)}")
            continue
        place = pairs[index]
        change, values = played.changes[place], _targets(one)
        covered.setdefault(place, set()).update(values, *(CONSEQUENCES.get(name, ()) for name in values))
        for name, target in values.items():
            value = change.values.get(name)
            if not _fits(value, target, played):
                kind = MISSING_WRITE if value in (None, "") else WRONG_WRITE
                yield Problem(kind, f"{name} is {value!r}, expected {target!r}: {change.kind} {change.name!r}")
    for place, change in enumerate(played.changes):
        if place not in covered:
            if not _is_consequence(change, played, [played.changes[other] for other in covered]):
                yield Problem(WRONG_WRITE, f"not expected: {change}")
        elif change.kind == "changed" and (extra := set(change.values) - covered[place]):
            yield Problem(WRONG_WRITE, f"not expected: {sorted(extra)} in {change}")


def _pairs(expected: Sequence[Mapping[str, Any]], played: Played) -> dict[int, int]:
    """Return the place of the actual change for each expected one; those that agree in most fields come first."""
    scored = []
    for index, one in enumerate(expected):
        for place, change in enumerate(played.changes):
            if (score := _likeness(one, change, played)) is not None:
                scored.append((-score, index, place))
    pairs: dict[int, int] = {}
    for _, index, place in sorted(scored):
        # Two expectations may name different fields of the same record.
        if index not in pairs and (place not in pairs.values() or "changed" in expected[index]):
            pairs[index] = place
    return pairs


def _likeness(one: Mapping[str, Any], change: Change, played: Played) -> int | None:
    """Return the number of agreeing fields, or None for a change that can't be the expected one."""
    if change.kind not in one:
        return None
    subject, values = one[change.kind], _targets(one)
    score = sum(_fits(change.values.get(name), target, played) for name, target in values.items())
    if change.kind in ("changed", "deleted"):
        return score if change.id in played.ids(subject) else None
    return score if subject == change.type and (score or not values) else None


def _targets(one: Mapping[str, Any]) -> Mapping[str, Any]:
    values: Mapping[str, Any] = one.get("to") or one.get("with") or {}
    return values


def _fits(value: Any, target: Any, played: Played) -> bool:
    if isinstance(target, str) and target.startswith("@"):
        return value in played.ids(target)
    return value_fits(value, target)


def _is_consequence(change: Change, played: Played, expected_changes: Sequence[Change]) -> bool:
    """Return whether the product makes this record itself: a draft, the log of a sent mail, what a lead becomes."""
    record = next((one for one in played.records if one.id == change.id), None)
    if change.kind != "new" or record is None:
        return False
    converted = [one.values["converted"] for one in expected_changes if one.values.get("converted")]
    is_wanted_draft = isinstance(record, Note) and is_draft(record) and matches(WRITING, played.said)
    return is_wanted_draft or MESSAGE_ID in record.custom or any(change.id in one.values() for one in converted)


def _judge_statements(expected: Mapping[str, Any], played: Played) -> Iterator[Problem]:
    missing = [pattern for pattern in expected.get("says", ()) if not matches(pattern, played.reply)]
    for pattern in missing:
        kind = FALSE_STATEMENT if matches(DENIAL, played.reply) else OTHER
        yield Problem(kind, f"does not say {pattern!r}")
    for pattern in expected.get("not_says", ()):
        if matches(pattern, played.reply):
            yield Problem(FALSE_STATEMENT, f"says {pattern!r}")


def _judge_conduct(expected: Mapping[str, Any], played: Played) -> Iterator[Problem]:
    yield from (Problem(OTHER, flaw) for flaw in played.flaws)
    if expected.get("status", played.status) != played.status:
        yield Problem(OTHER, f"status {played.status}")
    calls = expected.get("calls", ())
    if calls and not set(calls) & set(played.called):
        yield Problem(OTHER, f"none of {calls} was called")
