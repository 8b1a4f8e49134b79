"""The words for a call's arguments: names for ids, and values as people write them, in the user's time zone."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from aisha.application.redaction.summaries import without_sensitive
from aisha.application.tooling.gate.visibility import is_visible
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput
from aisha.domain.crm.record_changes import MAX_IDS
from aisha.domain.crm.records import Record
from aisha.domain.dates.parsing import parse_when
from aisha.domain.ids import ENTRY_KINDS, KNOWN_ID, record_kind_of
from aisha.domain.json_values import texts_in
from aisha.domain.tools import DECLARED, ToolSpec
from aisha.domain.wording import (
    format_day,
    format_members,
    format_moment,
    format_money,
    format_number,
    humanise,
    join_names,
    on_one_line,
    quoted,
)

MAX_INLINE = 100
"""Characters of a value that stands in a sentence; a longer one is listed below it."""
_TITLED = frozenset(("activity", "note", "goal", "memory", "reminder", "instruction"))
"""Kinds whose name is a title or text and stands in quotation marks."""


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of `phrases.toml`."""
    return frozenset(tables()["words"][name].split())


@cache
def tables() -> dict[str, Any]:
    """Return the tables of `phrases.toml`."""
    return tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))


def name_parts(spec: ToolSpec, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Return ("delete", "lead") for `delete_lead`, and ("close", "ticket") for the action close of `ticket`."""
    # The name of another system's tool begins with that system's.
    name = spec.name.rpartition("__")[2]
    # A tool of several actions has the verb in an argument.
    if spec.read_actions and isinstance(action := arguments.get("action"), str):
        verb, _, rest = humanise(action).partition(" ")
        return verb, humanise(f"{rest} {name}")
    verb, _, kind = name.partition("_")
    return verb, humanise(kind)


def is_long(text: str) -> bool:
    """Return whether a value is listed below the sentence."""
    return len(text) > MAX_INLINE or "\n" in text


class Referents:
    """The records and entries that a turn's calls refer to. What the turn does not know is read when it is needed."""

    def __init__(self, turn_input: TurnInput, record: TurnRecord) -> None:
        self._turn_input, self._names = turn_input, record.names
        self._records: dict[str, Record | None] = {}
        self.now = turn_input.now
        self.sensitive = turn_input.deps.ports.sensitive

    def kind(self, kind: str) -> str:
        """Return the tenant's word for a kind of record, or ours."""
        labels = {**tables()["kinds"], **self._turn_input.labels}
        return humanise(labels.get(kind, kind))

    def load(self, arguments: Mapping[str, Any]) -> None:
        """Read the first records that have no name yet, all at once."""
        texts = dict.fromkeys(texts_in(arguments))
        self._read([text for text in texts if record_kind_of(text) and text.lower() not in self._names][:MAX_IDS])

    def name(self, record_id: str) -> str | None:
        """Return the name of a record, or the text of the user's entry; None if there is none that they may see."""
        kind = record_id.partition("_")[0].lower()
        if record_id.lower() not in self._names and kind in ENTRY_KINDS:
            if text := self._entry_text(kind, record_id):
                self._names[record_id.lower()] = text
        elif record_id.lower() not in self._names:
            self.record(record_id)
        return self._names.get(record_id.lower())

    def record(self, record_id: str) -> Record | None:
        """Return a record that the user may see."""
        if record_id not in self._records:
            self._read([record_id])
        return self._records.get(record_id)

    def addressee(self, record_id: str) -> Record | None:
        """Return who gets an email about a record: the contact or lead of a deal, or else the record itself."""
        record = self.record(record_id)
        ids = (getattr(record, name, None) for name in ("contact_id", "lead_id"))
        return next(
            (person for person_id in ids if person_id and (person := self.record(person_id)) is not None), record
        )

    def _read(self, ids: Sequence[str]) -> None:
        keys = [(kind, record_id) for record_id in ids if (kind := record_kind_of(record_id))]
        records = self._turn_input.deps.records.get_many(self._turn_input.principal.tenant, keys) if keys else {}
        for record_id in ids:
            stored = records.get(record_id)
            # The question must not reveal the name of a record that the user may not see.
            self._records[record_id] = stored if stored and is_visible(self._turn_input.principal, stored) else None
            if (visible := self._records[record_id]) is not None:
                self._names[record_id.lower()] = visible.display_name

    def _entry_text(self, kind: str, entry_id: str) -> str:
        if kind == "instruction":
            instructions = self._turn_input.preferences.instructions
            return next((instruction.text for instruction in instructions if instruction.id == entry_id), "")
        user = self._turn_input.principal
        entry = self._turn_input.deps.entries.find(user.tenant, user.user, kind, entry_id)
        return str(entry.body.get("text", "")) if entry else ""


class CallWords:
    """The words for the arguments of one call."""

    def __init__(self, spec: ToolSpec, arguments: Mapping[str, Any], referents: Referents) -> None:
        self.spec, self.referents = spec, referents
        visible = without_sensitive(arguments, referents.sensitive)
        # A step of a plan refers to what an earlier step has yet to bring by an object; there are no words for that.
        self.arguments = {name: value for name, value in visible.items() if not _is_reference(value)}
        self.secret_names = [name for name in arguments if name not in visible]

    def ids(self) -> list[str]:
        """Return the ids among the arguments, in their order."""
        return [value for value in self.arguments.values() if isinstance(value, str) and KNOWN_ID.fullmatch(value)]

    def record(self, record_id: str, form: str = "") -> str:
        """Return a record's name: alone, in quotation marks, or with its kind ("the") and in bold type ("bold")."""
        kind = record_id.partition("_")[0].lower()
        word, name = self.referents.kind(kind), self.referents.name(record_id)
        if name is None:
            return f"that {word}"
        name = on_one_line(name)
        if form == "bold":
            return f"the {word} **{name}**"
        name = quoted(name) if kind in _TITLED or form == "quoted" else name
        return f"the {word} {name}" if form == "the" else name

    def label(self, name: str) -> str:
        """Return an argument's name in words: "due date"."""
        labels: dict[str, str] = tables()["labels"]
        stem = name.removesuffix("_id")
        return labels.get(name) or (self.referents.kind(stem) if stem != name else humanise(name))

    def value(self, name: str, value: Any) -> str:
        """Return a value in words."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.spec.toolkit in DECLARED and not isinstance(value, str):
            return _declared(value)
        if isinstance(value, list):
            return "; ".join(map(self._member, value)) if _has_objects(value) else join_names([*map(str, value)])
        if isinstance(value, Mapping):
            return format_members(value)
        if name in word_list("money"):
            return format_money(value, self._currency())
        if name in word_list("minutes"):
            return f"{value} minutes"
        if isinstance(value, int | float):
            return f"{value}%" if name in ("probability", "progress") else format_number(value)
        return self._text(name, str(value))

    def _text(self, name: str, text: str) -> str:
        if KNOWN_ID.fullmatch(text):
            return self.record(text)
        schema = self.spec.properties.get(name, {})
        values: dict[str, str] = tables()["values"]
        if name == "owner" and text not in values and text.isalpha():
            return text.capitalize()
        if "enum" in schema or (name == "owner" and text in values):
            return values.get(text, humanise(text))
        if schema.get("format") == "date-time":
            return self.moment(text)
        return self._day(text) if schema.get("format") == "date" else text

    def moment(self, text: str) -> str:
        """Format an instant, also one in the words that a tool takes for it."""
        try:
            return format_moment(parse_when(text, self.referents.now), self.referents.now)
        except ValueError:
            return text

    def _day(self, text: str) -> str:
        try:
            return format_day(date.fromisoformat(text), self.referents.now.date())
        except ValueError:
            return text

    def _member(self, item: Mapping[str, Any]) -> str:
        """Format an object of a list, such as a key result: "New deals: 5"."""
        first, *others = [self.value(name, value) for name, value in item.items() if value not in (None, "")] or [""]
        return f"{first}: {', '.join(others)}" if others else first

    def _currency(self) -> str:
        if currency := self.arguments.get("currency"):
            return str(currency)
        records = (
            self.referents.record(record_id) for record_id in self.ids() if record_kind_of(record_id) == "opportunity"
        )
        return next((str(getattr(record, "currency", "USD")) for record in records if record), "USD")


def _has_objects(value: Sequence[Any]) -> bool:
    return any(isinstance(item, Mapping) for item in value)


def _is_reference(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() == {"$step", "path"}


def _declared(value: Any) -> str:
    """Return a value of another system in full: `city: Bonn, items: (name: A; name: B)`. What it counts is unknown."""
    if isinstance(value, Mapping):
        return ", ".join(f"{humanise(str(name))}: {_nested(item)}" for name, item in value.items()) or "nothing"
    if isinstance(value, list):
        return ("; " if _has_objects(value) else ", ").join(map(_declared, value)) or "nothing"
    return "nothing" if value is None else str(value)


def _nested(value: Any) -> str:
    return f"({_declared(value)})" if isinstance(value, Mapping | list) else _declared(value)
