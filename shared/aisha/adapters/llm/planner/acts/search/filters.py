"""Hold the conditions that an ask sets for records: arguments of a tool, and those that are checked here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.replies import listings
from aisha.domain.language.amounts import Amount
from aisha.domain.wording import humanise

FIRST_FIELDS = {"lead": "city", "account": "industry"}
"""The parameter that a value is tried for first; where it finds nothing, all fields of the records are looked at."""
AMOUNT_FIELDS = {"lead": "estimated_value", "opportunity": "amount", "account": "annual_revenue"}
STATUSES = ("status", "stage", "health", "type", "priority")


class Condition(Struct, frozen=True):
    """A condition checked here, since no tool filters by it. `text` tells it: "without phone number"."""

    text: str
    holds: Callable[[Mapping[str, Any]], bool]


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
    is_narrowed: bool = False
    """True for conditions that are added to those of the last list."""
    custom: dict[str, str] = field(default_factory=dict)
    """The words for the tenant's own fields, by their names."""

    @property
    def enums(self) -> dict[str, str]:
        """The parameter of each enumerated value; of those of several, a status."""
        names = sorted(self.properties.keys() - self.custom.keys(), key=lambda name: name in STATUSES)
        return {str(value): name for name in names for value in self.properties[name].get("enum", ())}

    def described(self, number: int) -> str:
        description = listings.describe(self.kind, self.arguments, number, self.names)
        own = (f"with {label} {self.arguments[name]}" for name, label in self.custom.items() if name in self.arguments)
        return " ".join([description, *own, *(one.text for one in self.conditions)])


def lacks(name: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return the condition that a field is empty."""
    return lambda record: record.get(name) in (None, "", [], {})


def differs(name: str, value: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return the condition that a field has another value."""
    return lambda record: record.get(name) != value


def beyond(amount: Amount, kind: str) -> Condition:
    """Return the condition that an amount is on the other side of a limit: "leave out anything below 50k"."""
    name, limit, is_less = AMOUNT_FIELDS.get(kind, ""), amount.value, amount.relation == "less"
    text = f"of {'at least' if is_less else 'at most'} {limit:,.0f}"
    return Condition(text, lambda record: record.get(name) is not None and (float(record[name]) >= limit) == is_less)


def among(name: str, values: Sequence[str], *, is_denied: bool = False) -> Condition:
    """Return the condition that a field has one of the values, or none of them if it is denied."""
    text = f"that are {'not ' if is_denied else ''}{' or '.join(map(humanise, values))}"
    return Condition(text, lambda record: (record.get(name) in values) != is_denied)


def mentioning(text: str) -> Condition:
    """Return the condition that a record has all words of a value somewhere in its fields."""
    stems = stems_of(text)
    return Condition(
        f"with “{text}” on record",
        lambda record: stems <= stems_of(" ".join(str(record[name]) for name in record if name != "id")),
    )
