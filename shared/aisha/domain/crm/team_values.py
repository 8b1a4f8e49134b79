"""Stages, statuses and other labels that a tenant's CRM has under names of its own, and what they count as here."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, Self

from msgspec import Struct

from aisha.domain.crm.enumerations import (
    AccountHealth,
    AccountType,
    ActivityStatus,
    ContactStatus,
    LeadSource,
    LeadStatus,
    Stage,
)


class TeamValue(Struct, frozen=True):
    """A value of the tenant's CRM: its `label`, and AiSHA's value that it counts as, e.g. for forecasts.

    `is_standard`: it is AiSHA's value itself, which every team of this CRM has beside its own, e.g. won deals.
    """

    label: str
    counts_as: str
    is_standard: bool = False

    @property
    def key(self) -> str:
        """The label as an enumerated value: "Legal review" is `legal_review`."""
        return key_of(self.label)


TeamValues = Mapping[str, Sequence[TeamValue]]
"""A tenant's own values in the CRM's order, by `<type>.<field>`, e.g. `opportunity.stage`."""


def key_of(text: str) -> str:
    """Return a text in lower case, with one underscore for all that is neither letter nor digit."""
    return "_".join("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())


PLACES: dict[type[StrEnum], str] = {
    Stage: "opportunity.stage",
    LeadStatus: "lead.status",
    LeadSource: "lead.source",
    ContactStatus: "contact.status",
    AccountType: "account.type",
    AccountHealth: "account.health",
    ActivityStatus: "activity.status",
}
"""The `<type>.<field>` of enumerations for which a CRM may have values of its own."""


Outcome = Literal["open", "won", "lost"]
_ENDS: Mapping[str, Mapping[str, Outcome]] = {
    PLACES[Stage]: {Stage.CLOSED_WON: "won", Stage.CLOSED_LOST: "lost"},
    PLACES[LeadStatus]: {LeadStatus.CONVERTED: "won", LeadStatus.UNQUALIFIED: "lost", LeadStatus.LOST: "lost"},
}


def values_in_use(values: TeamValues) -> TeamValues:
    """Return the values of each place in their order: the tenant's own, or AiSHA's where the tenant has none."""
    # All places: the tenant may have stages of its own, and AiSHA's sources.
    return {place: values.get(place) or [standard_value(value) for value in kind] for kind, place in PLACES.items()}


def standard_value(value: str) -> TeamValue:
    """Return AiSHA's value itself, labelled in words."""
    return TeamValue(value.replace("_", " ").capitalize(), str(value), is_standard=True)


def outcome_of(place: str, value: TeamValue) -> Outcome | None:
    """Return whether a value leaves a record open, won or lost; None where records have no outcome."""
    return _ENDS[place].get(value.counts_as, "open") if place in _ENDS else None


class NamedValue(str):
    """One of AiSHA's values, equal to it, that a user gave by the tenant's own `label`."""

    __slots__ = ("label",)
    label: str

    @classmethod
    def of(cls, value: TeamValue) -> Self:
        # A `str` equal to AiSHA's value: validation and comparisons need not know of labels.
        value_of_tenant = cls(value.counts_as)
        value_of_tenant.label = value.label
        return value_of_tenant


def named_value(options: Sequence[TeamValue], text: str) -> NamedValue | None:
    """Return the team's own value that a text names, whatever its case and punctuation."""
    # AiSHA's own values need no label.
    match = next((option for option in options if option.key == key_of(text) and not option.is_standard), None)
    return NamedValue.of(match) if match else None


def labelled(changes: Mapping[str, Any], custom: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes of a record with the labels of named values: they are in `custom`, under the field's name."""
    labels = {name: value.label for name, value in changes.items() if isinstance(value, NamedValue)}
    if not labels:
        return dict(changes)
    return {**changes, "custom": {**custom, **(changes.get("custom") or {}), **labels}}
