"""The filling of phrases: the words for each slot of a template in `phrases.toml`."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from aisha.application.turn.wording.call_words import CallWords, Referents, is_long, name_parts, tables, word_list
from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.dates.parsing import next_working_day
from aisha.domain.ids import KNOWN_ID, record_kind_of
from aisha.domain.tools import DECLARED, ToolSpec
from aisha.domain.wording import (
    MAX_NAMES,
    format_moment,
    humanise,
    join_first,
    join_names,
    on_one_line,
    plural,
    quoted,
    with_article,
)

MAX_CHANGES = 3
"""Changed fields that stand in the sentence; more are listed below it."""
_ITEM = "{activity}, due {due}[: {topic!quoted}]"
"""The phrase of one activity of a bulk call."""
_IN_NOUN = frozenset(("entity_type", "activity_type", "title", "due_date"))
"""Arguments of a bulk call's item that its noun and its due date tell."""
_PIECE = re.compile(r"\[|\]|\{[^{}]+\}|[^\[\]{}]+")
_WORD = re.compile(r"[^\W_]+")


class Phrasing:
    """The filling of one call's phrase. Every slot returns its text, None if it is missing, and the arguments used."""

    def __init__(self, spec: ToolSpec, arguments: Mapping[str, Any], referents: Referents, result: Any = None) -> None:
        self.words = CallWords(spec, arguments, referents)
        self._spec, self._referents, self._result = spec, referents, result
        self._verb, self._kind = name_parts(spec, arguments)

    def fill(self, template: str) -> tuple[str, set[str]]:
        """Return the text of a template and the names of the arguments that are in it."""
        text, _, used = self._fill(match.group() for match in _PIECE.finditer(template))
        return on_one_line(text), used

    def _fill(self, pieces: Iterator[str]) -> tuple[str, bool, set[str]]:
        text, is_whole, used = "", True, set[str]()
        for piece in pieces:
            if piece == "[":
                part, is_part_whole, part_used = self._fill(pieces)
                if is_part_whole:
                    text, used = text + part, used | part_used
            elif piece == "]":
                break
            elif piece.startswith("{"):
                value, names = self._slot(piece[1:-1])
                is_whole, text, used = is_whole and value is not None, text + (value or ""), used | names
            else:
                text += piece
        return text, is_whole, used

    def _slot(self, slot: str) -> tuple[str | None, set[str]]:
        if slot[0] in "+-":
            names = slot[1:].split("|")
            is_given = any(self._value(name)[0] not in (None, "no") for name in names)
            flags = {name for name in names if self.words.arguments.get(name) is True}
            return ("" if is_given == (slot[0] == "+") else None), flags
        name, _, form = slot.partition("!")
        return self._value(name, form)

    def _value(self, name: str, form: str = "") -> tuple[str | None, set[str]]:
        if form in ("kind", "a"):
            kind = self._referents.kind(name)
            return (with_article(kind) if form == "a" else kind), set()
        if (make := _COMPOSED.get(name)) is not None:
            text, used = make(self, form)
            return (quoted(text) if text and form == "quoted" else text), used
        if name.startswith("result."):
            text = self._from_result(name.removeprefix("result."))
            return (quoted(text) if text and form == "quoted" else text), set()
        value = self.words.arguments.get(name)
        if name.endswith("_id"):
            return self._record(name, value, form), {name}
        if value in (None, "", []):
            return None, set()
        text = self.words.value(name, value)
        # A long value is listed below the sentence.
        if is_long(text):
            return None, set()
        return (quoted(text) if form == "quoted" else text), {name}

    def _record(self, name: str, value: Any, form: str) -> str | None:
        kind = name.removesuffix("_id")
        if not value:
            # A record that a call must have may be known to a later step of the plan only.
            noun = "record" if kind == "entity" else self._referents.kind(kind)
            return f"that {noun}" if self._requires(name) else None
        return self.words.record(str(value), form) if KNOWN_ID.fullmatch(str(value)) else quoted(str(value))

    def _from_result(self, name: str) -> str | None:
        """Return a member of the call's result, a record's name; None if it is missing."""
        value = self._result.get(name) if isinstance(self._result, Mapping) else None
        value = value.get("name") if isinstance(value, Mapping) else value
        return None if value is None else str(value)

    def _requires(self, name: str) -> bool:
        return name in self._spec.required

    def details(self, used: set[str]) -> Iterator[tuple[str, str]]:
        """Yield label and value of the arguments that are not in the phrase."""
        for name, value in self._others(used):
            if (name, value) == self._items():
                yield from self._each(name, value)
            else:
                yield self.words.label(name), self.words.value(name, value) or "nothing"
        # Named all the same: the user is to know that the call has it.
        for name in self.words.secret_names:
            yield self.words.label(name), "not shown, because it is a secret"

    def _others(self, used: set[str]) -> Iterator[tuple[str, Any]]:
        is_declared = self._spec.toolkit in DECLARED
        hidden = used if is_declared else used | word_list("hidden")
        if not is_declared and word_list("money") & self.words.arguments.keys():
            # The amount is shown with it.
            hidden |= {"currency"}
        # To switch something off or to empty a field is a change; where we make something, it is the default.
        is_change = is_declared or self._verb in word_list("changing")
        for name, value in self.words.arguments.items():
            is_default = value is None or (not is_change and (value is False or value in ("", [], {})))
            if name not in hidden and not is_default:
                yield name, value

    def kind(self, _: str) -> tuple[str | None, set[str]]:
        return self._referents.kind(self._kind.replace(" ", "_")), set()

    def object(self, _: str) -> tuple[str | None, set[str]]:
        """Return the words of the tool's name after the verb: "the order", "everything"."""
        is_plain = not self._kind or self._kind in word_list("whole") or self._spec.access == "read"
        return (self._kind if is_plain else f"the {self._referents.kind(self._kind)}"), set()

    def subject(self, form: str) -> tuple[str | None, set[str]]:
        """Return the record that the call is about, with its kind; an id of another system stands in its place."""
        id_name = f"{self._kind.replace(' ', '_')}_id"
        for name in (id_name, "entity_id", *self.words.arguments):
            value = str(self.words.arguments.get(name) or "")
            if KNOWN_ID.fullmatch(value):
                return self.words.record(value, form or "the"), {name}
            if name == id_name and value:
                return f"the {self._referents.kind(self._kind)} {quoted(value)}", {name}
            if name == id_name and self._requires(name):
                return f"that {self._referents.kind(self._kind)}", {name}
        return None, set()

    def title(self, _: str) -> tuple[str | None, set[str]]:
        """Return the name of a record to be created, from the arguments that it is made of."""
        for names in map(str.split, tables()["titles"]["in_order"]):
            parts = [str(value) for name in names if (value := self.words.arguments.get(name))]
            if parts and not is_long(text := " ".join(parts)):
                return text, set(names)
        return None, set()

    def changes(self, _: str) -> tuple[str | None, set[str]]:
        """Return the new values of a record: "the status of the lead Jack Russel to warm and the score to 80"."""
        subject, used = self.subject("the")
        subject = subject or f"the {self._referents.kind(self._kind)}"
        values = {name: self.words.value(name, value) or "nothing" for name, value in self._others(used)}
        # More or longer values are listed below the sentence.
        if not values or len(values) > MAX_CHANGES or any(map(is_long, values.values())):
            return subject, used
        (first, value), *others = [(self.words.label(name), value) for name, value in values.items()]
        more = [f"the {label} to {value}" for label, value in others]
        return join_names([f"the {first} of {subject} to {value}", *more]), used | set(values)

    def bulk(self, _: str) -> tuple[str | None, set[str]]:
        """Return the number of records of a bulk call, and whom they are for: "44 calls for A, B and 42 more"."""
        if (bulk := self._items()) is None:
            return None, set()
        name, items = bulk
        noun = self._noun(items)
        whose, is_about = self._names(items)
        names = f"{' for' if is_about else ':'} {join_first(whose)}" if whose else ""
        is_all = len(whose) <= MAX_NAMES and self._are_alike(items)
        text = f"{len(items)} {noun if len(items) == 1 else plural(noun)}{names}{self._due_of(items)}"
        return text, {name} if is_all else set()

    def _items(self) -> tuple[str, Sequence[Mapping[str, Any]]] | None:
        """Return the argument that has the records of a bulk call; None where a list belongs to one named record."""
        lists = (
            (name, value)
            for name, value in self.words.arguments.items()
            if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value)
        )
        return next(lists, None) if self.title("")[0] is None else None

    def _are_alike(self, items: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether the items differ in nothing but their names, and a noun and a due date say the rest."""
        if not self._names(items)[1]:
            return all(item.keys() <= Phrasing(self._spec, item, self._referents).title("")[1] for item in items)
        first = {name: value for name, value in items[0].items() if name != "entity_id"}
        return first.keys() <= _IN_NOUN and all(
            {**item, "entity_id": None} == {**first, "entity_id": None}
            and Phrasing(self._spec, item, self._referents).topic("")[0] is None
            for item in items
        )

    def _each(self, name: str, items: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """Yield the items of a bulk call in full: their names where nothing else differs, or one after the other."""
        if self._are_alike(items):
            whose, is_about = self._names(items)
            yield "records" if is_about else self.words.label(name), "; ".join(whose)
            return
        spec = replace(self._spec, parameters=self._spec.properties.get(name, {}).get("items", {}))
        for number, item in enumerate(items, 1):
            phrasing = Phrasing(spec, item, self._referents)
            text, used = phrasing.fill(_ITEM if "activity_type" in item else "[{title}]")
            rest = (f"{label}: {value}" for label, value in phrasing.details(used))
            yield f"{self._noun(items)} {number}", ", ".join(part for part in (text, *rest) if part)

    def _noun(self, items: Sequence[Mapping[str, Any]]) -> str:
        """Return the noun for the items: "follow-up", "call", "activity", or that of the tool's name."""
        if all(word_list("follow_up") & _words(str(item.get("title", ""))) for item in items):
            return "follow-up"
        types = {str(item.get("activity_type")) for item in items}
        if len(types) == 1 and types != {"None"}:
            return humanise(types.pop())
        # A bulk tool has the plural in its name: `bulk_create_activities`.
        kind = self._kind.rpartition(" ")[2]
        singular = f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix("s")
        return self._referents.kind(singular or "record")

    def _names(self, items: Sequence[Mapping[str, Any]]) -> tuple[list[str], bool]:
        """Return whom or what the items are about, each once, and whether these are other records than the items."""
        ids = [str(value) for item in items if record_kind_of(str(value := item.get("entity_id")))]
        if ids := list(dict.fromkeys(ids)):
            return [self.words.record(record_id) for record_id in ids], True
        names = (Phrasing(self._spec, item, self._referents).title("")[0] for item in items)
        return [name for name in names if name], False

    def _due_of(self, items: Sequence[Mapping[str, Any]]) -> str:
        times = {item.get("due_date") for item in items if "activity_type" in item}
        return f", {'all ' if len(items) > 1 else ''}due {self._due_text(times.pop())}" if len(times) == 1 else ""

    def due(self, _: str) -> tuple[str | None, set[str]]:
        return self._due_text(self.words.arguments.get("due_date")), {"due_date"}

    def _due_text(self, due: Any) -> str:
        now = self._referents.now
        # An activity without a time is due then.
        return self.words.moment(str(due)) if due else format_moment(next_working_day(now), now)

    def activity(self, _: str) -> tuple[str | None, set[str]]:
        """Return an activity with its record: "a call with Jack Russel", "a follow-up task for ABC Corp"."""
        kind = str(self.words.arguments.get("activity_type") or self._referents.kind("activity"))
        topic = self._topic_words()
        noun = f"follow-up {kind}" if topic and topic <= word_list("follow_up") else kind
        link = tables()["prepositions"].get(kind, "for")
        subject, used = self._value("entity_id")
        return f"{with_article(humanise(noun))} {link} {subject}", used | {"activity_type", "title"}

    def topic(self, _: str) -> tuple[str | None, set[str]]:
        """Return the title of an activity unless it only repeats type and record."""
        is_plain = self._topic_words() <= word_list("follow_up")
        return (None if is_plain else str(self.words.arguments.get("title"))), set()

    def _topic_words(self) -> set[str]:
        subject = self._value("entity_id")[0] or ""
        kind = str(self.words.arguments.get("activity_type"))
        return (
            _words(str(self.words.arguments.get("title") or "")) - _words(subject) - _words(kind) - word_list("fillers")
        )

    def about(self, _: str) -> tuple[str | None, set[str]]:
        """Return the record of a meeting, unless there is none or it is one of the people who attend it."""
        subject, used = self._value("entity_id")
        is_new = self.words.arguments.get("entity_id") and subject not in self.words.arguments.get("attendees", ())
        return (f", about {subject}" if is_new else ""), used

    def recipient(self, _: str) -> tuple[str | None, set[str]]:
        """Return the person who gets an email, with the address: "Jack Russel (jack@abc.example)"."""
        record_id, address = (self.words.arguments.get(name) for name in ("entity_id", "to"))
        record = self._referents.addressee(str(record_id)) if record_id else None
        own = getattr(record, "email", None)
        # Another address may be another person's: the name beside it could be wrong.
        if record is None or (address and str(address).lower() != str(own).lower()):
            return str(address or "that person"), {"to"}
        return f"{record.display_name} ({own or 'no address on record'})", {"to", "entity_id"}

    def written(self, _: str) -> tuple[str | None, set[str]]:
        """Return the name of what the call has written, from its result."""
        return next((str(receipt["entity"]["name"]) for receipt in receipts_in(self._result)), ""), set()


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


_Make = Callable[[Phrasing, str], tuple[str | None, set[str]]]
_COMPOSED: Mapping[str, _Make] = {
    name: getattr(Phrasing, name)
    for name in "about activity bulk changes due kind object recipient subject title topic written".split()
}
"""Slots whose words are composed of several arguments."""
