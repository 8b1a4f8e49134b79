"""Hold the conditions that an ask sets for records: arguments of a tool, and those that are checked here."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.replies import listings
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.wording import join_names, with_article

FIRST_FIELDS = {"lead": "city", "account": "industry"}
"""The parameter that a value is tried for first; where it finds nothing, all fields of the records are looked at."""
AMOUNT_FIELDS = {"lead": "estimated_value", "opportunity": "amount", "account": "annual_revenue"}
_CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+")
"""An enumerated value of several words."""
_UNCOUNTED = frozenset(("tags", "annual revenue"))
"""Nouns of fields without an article."""
STATUSES = ("status", "stage", "health", "type", "priority")


class Condition(Struct, frozen=True):
    """A condition checked here, since no tool filters by it. `text` tells it: "without phone number".

    `opposite` tells its denial. `guess` are the user's words where they may be no condition at all: where nothing
    meets it, it is left out and named; one `of_address` only where no record has an address.
    """

    text: str
    holds: Callable[[Mapping[str, Any]], bool]
    opposite: str = ""
    guess: str = ""
    of_address: bool = False

    @property
    def denied(self) -> "Condition":
        return Condition(self.opposite, lambda record: not self.holds(record), self.text)


class Filters(Struct):
    """The conditions that an ask sets for records of a kind.

    `unknown` are conditions that nothing checks, in the user's words, `names` those of the ids in `arguments`.
    `is_silent`: the records were not contacted in the time named.
    """

    kind: str
    tool: str
    properties: Mapping[str, Any]
    arguments: dict[str, Any]
    conditions: list[Condition] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    is_silent: bool = False
    within: tuple[str, tuple[str, ...]] | None = None
    columns: list[str] = field(default_factory=list)
    """Fields asked for beside the usual ones of a list."""
    guesses: dict[str, str] = field(default_factory=dict)
    """The words of arguments that may be no conditions, by the argument."""
    accounts: tuple[Ref, ...] = ()
    """The company whose activities are meant: its own, those with its people and those of its deals."""
    contact: tuple[datetime | None, datetime | None] | None = None
    """The first and last instant of a contact that the records themselves do not tell."""
    custom: dict[str, str] = field(default_factory=dict)
    """The words for the tenant's own fields, by their names."""

    @property
    def enums(self) -> dict[str, str]:
        """The parameter of each enumerated value; of those of several, a status."""
        names = sorted(self.properties.keys() - self.custom.keys(), key=lambda name: name in STATUSES)
        return {str(value): name for name in names for value in self.properties[name].get("enum", ())}

    @property
    def strict(self) -> "Filters":
        """These filters with every word as a condition: an order leaves none of them out."""
        conditions = [replace(one, guess="") for one in self.conditions]
        return replace(self, conditions=conditions, guesses=dict.fromkeys(self.guesses, ""))

    def described(self, number: int) -> str:
        description = listings.describe(self.kind, self.arguments, number, self.names)
        own = (f"with {label} {self.arguments[name]}" for name, label in self.custom.items() if name in self.arguments)
        texts = dict.fromkeys(one.text for one in self.conditions if one.text)
        return " ".join([description, *own, *listings.merged(texts, number)])


def having(name: str, noun: str) -> Condition:
    """Return the condition that a field has a value."""
    said = noun if noun in _UNCOUNTED else with_article(noun)
    return Condition(f"with {said}", lambda record: record.get(name) not in (None, "", [], {}), f"without {said}")


def equal(name: str, value: str, text: str, opposite: str) -> Condition:
    """Return the condition that a field has this value."""
    return Condition(text, lambda record: record.get(name) == value, opposite)


def among(name: str, values: Sequence[str]) -> Condition:
    """Return the condition that a field has one of the values."""
    said, opposite = listings.told_values(name, values)
    return Condition(said, lambda record: record.get(name) in values, opposite)


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Return the condition that a record matches one of several values."""
    texts = [one.text.removeprefix("matching ") for one in conditions]
    text = f"matching {' or '.join(texts)}"
    of_address = all(one.of_address for one in conditions)
    if of_address:
        text = " or ".join(one.text for one in conditions)
    guess = " or ".join(one.guess for one in conditions) if of_address else ""
    return Condition(
        text, lambda record: any(one.holds(record) for one in conditions), guess=guess, of_address=of_address
    )


def listed_within(within: tuple[str, tuple[str, ...]]) -> Condition:
    """Return the condition that a record was in a list: the words of its conditions, and the ids of its records."""
    text, ids = within
    return Condition(text, lambda record: record.get("id") in ids)


def one_of(refs: Sequence[Ref], text: str = "") -> Condition:
    """Return the condition that a record is one of these."""
    ids = {ref.id for ref in refs}
    others = f"other than {join_names([ref.name for ref in refs])}"
    return Condition(text, lambda record: record.get("id") in ids, others)


def mentioning(text: str, guess: str = "") -> Condition:
    """Return the condition that a record has all words of a value somewhere in its fields."""
    stems = stems_of(lexicon.US_STATES.get(text.lower(), text))

    def holds(record: Mapping[str, Any]) -> bool:
        texts = (str(record[name]) for name in record if name != "id")
        # "Cold" is no part of the source "cold_call".
        return stems <= stems_of(" ".join(one for one in texts if not _CODE.fullmatch(one) or stems_of(one) <= stems))

    return Condition(f"matching “{text}”", holds, f"not matching “{text}”", guess)


def in_place(text: str) -> Condition | None:
    """Return the condition that a record's address is in a country or a state of the US; None for another text."""
    part, code = (
        ("country", lexicon.COUNTRIES.get(text.lower()))
        if text.lower() in lexicon.COUNTRIES
        else ("state", lexicon.US_STATES.get(text.lower()))
    )
    if code is None:
        return None
    names, said = {text.lower(), code.lower()}, text.title() if text.islower() else text

    def holds(record: Mapping[str, Any]) -> bool:
        return str((record.get("address") or {}).get(part) or "").lower() in names

    return Condition(f"in {said}", holds, f"outside {said}", text, of_address=True)
