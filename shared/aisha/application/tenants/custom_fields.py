"""The custom fields that a tenant's profile declares, and those that the tenant's CRM has."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Self

from msgspec import convert
from msgspec.structs import replace
from pydantic import ConfigDict, Field, ValidationError, model_validator

from aisha.domain.crm.custom_fields import (
    CUSTOM_TYPES,
    MAX_FIELDS,
    MAX_TEXT_LENGTH,
    MAX_VALUES,
    NAME,
    CustomField,
    CustomFields,
    CustomFieldType,
)
from aisha.domain.crm.team_values import key_of
from aisha.domain.deferred_model import DeferredModel

Value = Annotated[str, Field(min_length=1, max_length=60, pattern=r"\S")]


class CustomFieldJson(DeferredModel):
    """A field of records that a team has of its own, see `CustomField`."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: Annotated[
        str, Field(pattern=NAME, description="What people call it, with underscores: `budget_band` for “budget band”.")
    ]
    type: CustomFieldType = "text"
    values: Annotated[
        list[Value], Field(max_length=MAX_VALUES, description="The values that it can have; any without them.")
    ] = Field(default_factory=list)
    writable: Annotated[bool, Field(description="True lets the assistant change it when a user orders so.")] = False
    description: Annotated[str, Field(max_length=MAX_TEXT_LENGTH, description="What it means, for models.")] = ""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.values and self.type != "text":
            raise ValueError("a field with values is of type text")
        if len({key_of(value) for value in self.values}) < len(self.values):
            raise ValueError("two of its values differ in case or punctuation alone")
        return self


def declared_fields(profile: Mapping[str, Any]) -> CustomFields:
    """Return the fields that a profile declares, without those that are damaged."""
    declared = profile.get("custom_fields")
    if not isinstance(declared, Mapping):
        return {}
    return {kind: tuple(_read(declared.get(kind)))[:MAX_FIELDS] for kind in CUSTOM_TYPES if declared.get(kind)}


def _read(fields: Any) -> Iterable[CustomField]:
    for value in fields if isinstance(fields, list) else ():
        try:
            field = CustomFieldJson.model_validate(value)
        except ValidationError:
            continue
        yield CustomField(field.name, field.type, tuple(field.values), field.writable, field.description)


def fields_of_crm(body: Mapping[str, Any]) -> CustomFields:
    """Return the fields that the synchronisation stored as the body of an entry."""
    return {kind: convert(fields, tuple[CustomField, ...]) for kind, fields in body.items()}


def merged(declared: CustomFields, of_crm: CustomFields) -> CustomFields:
    """Return the fields of both. The profile's declaration wins, but what is read-only in the CRM stays so."""
    return {
        kind: _merged(declared.get(kind, ()), of_crm.get(kind, ()))
        for kind in CUSTOM_TYPES
        if declared.get(kind) or of_crm.get(kind)
    }


def _merged(declared: Iterable[CustomField], of_crm: Iterable[CustomField]) -> tuple[CustomField, ...]:
    theirs = {field.name: field for field in of_crm}
    ours = {
        field.name: replace(field, writable=field.writable and theirs.get(field.name, field).writable)
        for field in declared
    }
    return tuple((theirs | ours).values())[:MAX_FIELDS]
