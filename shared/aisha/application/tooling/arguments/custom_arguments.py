"""Arguments that are a tenant's own fields of records: parameters of the tools that search, create and update them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import Any

from msgspec.structs import replace

from aisha.application.requests.validation import FieldError, argument_error
from aisha.domain.crm.custom_fields import CUSTOM_TYPES, MAX_TEXT_LENGTH, CustomField, CustomFields, CustomValues
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.crm.team_values import key_of
from aisha.domain.dates.parsing import parse_when
from aisha.domain.errors import InvalidInputError
from aisha.domain.tools import ToolSpec
from aisha.domain.wording import boolean_of

TOOLS = {
    name: kind
    for kind in CUSTOM_TYPES
    for name in (f"search_{RECORD_TYPES[kind].MODULE}", f"create_{kind}", f"update_{kind}")
}
"""The type of records by the name of each tool that takes custom fields."""
_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "text": {"type": "string", "maxLength": MAX_TEXT_LENGTH},
    "number": {"type": "number"},
    "date": {"type": "string", "format": "date"},
    "boolean": {"type": "boolean"},
}


def with_custom_fields(spec: ToolSpec, fields: CustomFields) -> ToolSpec:
    """Return the spec with the tenant's own fields among its parameters; those that write take the writable ones."""
    custom = tuple(field for field in fields.get(TOOLS.get(spec.name, ""), ()) if field.name not in spec.properties)
    if not custom:
        return spec
    # A search also takes fields that only another system writes.
    parameters = {field.name: _schema(field) for field in custom if spec.access == "read" or field.writable}
    return replace(spec, custom=custom, parameters={**spec.parameters, "properties": {**spec.properties, **parameters}})


def _schema(field: CustomField) -> dict[str, Any]:
    text = f"The team's own field {field.label!r}{': ' if field.description else ''}{field.description}"
    options = {"type": "string", "enum": list(field.values)} if field.values else _SCHEMAS[field.type]
    return {**options, "description": text}


def split_arguments(
    spec: ToolSpec, arguments: Mapping[str, Any], now: datetime
) -> tuple[dict[str, Any], CustomValues | None]:
    """Return the tool's other arguments, and the values of custom fields as they are stored; None without any.

    Raises `InvalidInputError` for a value that its field can't have, and for a field that can't be written.
    """
    custom = {field.name: field for field in spec.custom}
    values = CustomValues()
    for name in custom.keys() & arguments.keys():
        if name not in spec.properties:
            raise read_only(custom[name])
        try:
            values[name] = stored_value(custom[name], arguments[name], now)
        except ValueError as error:
            raise argument_error(FieldError((name,), str(error)), custom) from None
    return {name: value for name, value in arguments.items() if name not in custom}, values or None


def stored_value(field: CustomField, value: Any, now: datetime) -> Any:
    """Return a value as it is stored: text, number, a date in ISO's form, or true or false.

    Raises ValueError with the values or the form that the field has.
    """
    excerpt = str(value)[:60]
    if field.values:
        return _chosen(field, value, excerpt)
    match field.type:
        case "number":
            return _number(value, excerpt)
        case "boolean":
            if (flag := value if isinstance(value, bool) else boolean_of(excerpt)) is None:
                raise ValueError(f"{excerpt!r} is neither true nor false")
            return flag
        case "date":
            try:
                return parse_when(excerpt, now).date().isoformat()
            except (ValueError, OverflowError):
                raise ValueError(f"{excerpt!r} is no date") from None
    if isinstance(value, dict | list) or not str(value).strip():
        raise ValueError("it needs a text")
    if len(str(value)) > MAX_TEXT_LENGTH:
        raise ValueError(f"it has {len(str(value))} characters, at most {MAX_TEXT_LENGTH} are stored")
    return str(value).strip()


def _chosen(field: CustomField, value: Any, excerpt: str) -> str:
    """Return the one of the field's values that is meant, whatever its case and punctuation."""
    equal_values = [choice for choice in field.values if choice == value]
    choices = equal_values or [choice for choice in field.values if key_of(choice) == key_of(excerpt)]
    if not choices:
        raise ValueError(f"{excerpt!r} is none of its values: {', '.join(field.values)}")
    return choices[0]


def _number(value: Any, excerpt: str) -> int | float:
    try:
        number = float("" if isinstance(value, bool) else excerpt.replace(",", "").strip(" $€£%"))
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise ValueError(f"{excerpt!r} is no number")
    return int(number) if number.is_integer() else number


def read_only(field: CustomField) -> InvalidInputError:
    """Return the error for a custom field that can't be written."""
    return InvalidInputError(
        f"The {field.label} can be read here, and not changed.",
        pointer=f"/{field.name}",
        suggestion="Tell the user that an admin can make it writable.",
    )


def reserved_names(entity_type: str, specs: Iterable[ToolSpec], members: Sequence[str]) -> frozenset[str]:
    """Return the names that no custom field of a type can have: `members` of the record, and the tools' parameters."""
    of_type = [spec for spec in specs if TOOLS.get(spec.name) == entity_type]
    return frozenset(members).union(*(spec.properties for spec in of_type))
