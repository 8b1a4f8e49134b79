"""Validation of arguments by the JSON Schema (2020-12) of a file, with the same errors as a Python tool's."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import count
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError, ValidationError, best_match  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]

from aisha.application.requests.validation import FieldError, argument_error
from aisha.domain.dates.parsing import parse_when
from aisha.domain.errors import ToolFailedError
from aisha.domain.json_values import values_in

MAX_MESSAGE_LENGTH = 300
MAX_REFERENCES = 2000
"""References that one validation follows: a short schema can refer to itself a million times."""
# At most 18 digits, which fit 64 bits: a longer text stays a text, which the schema refuses.
_INTEGER, _NUMBER = re.compile(r"[+-]?\d{1,18}"), re.compile(r"[+-]?\d{1,18}(?:\.\d{1,18})?")
_BOOLEANS = {"true": True, "false": False}


def schema_problem(schema: Mapping[str, Any]) -> str | None:
    """Return why the schema can't be used, or None. It may only refer to itself: nothing is fetched."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"{'/'.join(map(str, error.absolute_path)) or 'schema'}: {error.message[:MAX_MESSAGE_LENGTH]}"
    references = (
        (name, part[name])
        for part in values_in(schema)
        if isinstance(part, Mapping)
        for name in ("$ref", "$dynamicRef", "$id")
        if name in part
    )
    return next((problem for name, value in references if (problem := _reference(schema, name, value))), None)


def _reference(schema: Mapping[str, Any], name: str, value: Any) -> str | None:
    if name != "$ref" or not isinstance(value, str) or not value.startswith("#/"):
        return f"{name} {value!r} is not supported: refer to '#/$defs/...'"
    part: Any = schema
    for step in value[2:].split("/"):
        part = part.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(part, Mapping) else None
    return f"$ref {value!r} leads nowhere" if part is None else None


class ArgumentsSchema:
    """The schema of a tool's arguments. `parameters` has passed `schema_problem`."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self._properties: Mapping[str, Mapping[str, Any]] = parameters.get("properties", {})
        self._parameters = parameters

    def converted(self, arguments: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        """Return valid arguments, with defaults, and times in words as ISO 8601 in the zone of `now`.

        Raises `MissingFieldError`, `InvalidInputError`, and `ToolFailedError` for a schema that goes round in circles.
        """
        # Asked before the schema, whose message would name all of them in one text without a pointer.
        if unknown := [name for name in arguments if name not in self._properties]:
            raise argument_error(FieldError((unknown[0],), "", "extra_forbidden"), self._properties)
        converted = {name: _converted(name, value, self._properties[name], now) for name, value in arguments.items()}
        defaults = {name: schema["default"] for name, schema in self._properties.items() if "default" in schema}
        # JSON Schema only describes defaults: validators do not fill them in.
        values = defaults | converted
        if (error := self._error_of(values)) is not None:
            raise argument_error(_field_error(error), self._properties)
        return values

    def _error_of(self, values: Mapping[str, Any]) -> ValidationError | None:
        followed = count()

        def follow(validator: Any, reference: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
            if next(followed) >= MAX_REFERENCES:
                raise RecursionError
            yield from Draft202012Validator.VALIDATORS["$ref"](validator, reference, instance, schema) or ()

        counting = extend(Draft202012Validator, {"$ref": follow, "uniqueItems": _check_unique})
        try:
            return best_match(counting(self._parameters, format_checker=counting.FORMAT_CHECKER).iter_errors(values))
        except RecursionError:
            raise ToolFailedError("The schema of this tool's arguments goes round in circles") from None


def _check_unique(_: Any, is_unique: bool, instance: Any, __: Any) -> Iterator[ValidationError]:
    # By their JSON: the library compares each item with each other, which takes minutes for a long list of objects.
    items = instance if is_unique and isinstance(instance, list) else []
    if len({json.dumps(item, sort_keys=True) for item in items}) < len(items):
        yield ValidationError("the list has an item twice")


def _converted(name: str, value: Any, schema: Mapping[str, Any], now: datetime) -> Any:
    """Return a model's text for a number or a time as the schema's type; anything else unchanged."""
    if not isinstance(value, str):
        return value
    text, kind, form = value.strip(), schema.get("type"), schema.get("format")
    if form in ("date", "date-time"):
        try:
            when = parse_when(text, now)
        except ValueError as error:
            raise argument_error(FieldError((name,), str(error)), ()) from None
        return when.date().isoformat() if form == "date" else when.isoformat()
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if kind == "number" and _NUMBER.fullmatch(text):
        return float(text)
    return _BOOLEANS.get(text.lower(), value) if kind == "boolean" else value


def _field_error(error: ValidationError) -> FieldError:
    path = tuple(error.absolute_path)
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        return FieldError((*path, missing), "Field required", "missing")
    message = error.message
    return FieldError(path, message if len(message) <= MAX_MESSAGE_LENGTH else f"{message[:MAX_MESSAGE_LENGTH]}…")
