"""Validation of arguments by the JSON Schema (2020-12) of a file, with the same errors as a Python tool's."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import SchemaError, ValidationError, best_match  # type: ignore[import-untyped]

from aisha.application.requests.validation import FieldError, argument_error
from aisha.domain.dates.parsing import parse_when

MAX_MESSAGE_LENGTH = 300
# At most 18 digits, which fit 64 bits: a longer text stays a text, which the schema refuses.
_INTEGER, _NUMBER = re.compile(r"[+-]?\d{1,18}"), re.compile(r"[+-]?\d{1,18}(?:\.\d{1,18})?")
_BOOLEANS = {"true": True, "false": False}


def schema_problem(schema: Mapping[str, Any]) -> str | None:
    """Return why the schema can't be used, or None. It may only refer to itself: nothing is fetched."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"{'/'.join(map(str, error.absolute_path)) or 'schema'}: {error.message[:MAX_MESSAGE_LENGTH]}"
    return next((problem for name, value in _references(schema) if (problem := _reference(schema, name, value))), None)


def _references(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, Mapping):
        yield from ((name, node[name]) for name in ("$ref", "$dynamicRef", "$id") if name in node)
        for part in node.values():
            yield from _references(part)
    elif isinstance(node, list):
        for part in node:
            yield from _references(part)


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
        self._validator = Draft202012Validator(parameters, format_checker=Draft202012Validator.FORMAT_CHECKER)

    def converted(self, arguments: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        """Return valid arguments, with defaults, and times in words as ISO 8601 in the zone of `now`.

        Raises `MissingFieldError`, `InvalidInputError`.
        """
        # Asked before the schema, whose message would name all of them in one text without a pointer.
        if unknown := [name for name in arguments if name not in self._properties]:
            raise argument_error(FieldError((unknown[0],), "", "extra_forbidden"), self._properties)
        converted = {name: _converted(name, value, self._properties[name], now) for name, value in arguments.items()}
        defaults = {name: schema["default"] for name, schema in self._properties.items() if "default" in schema}
        # JSON Schema only describes defaults: validators do not fill them in.
        values = defaults | converted
        if (error := best_match(self._validator.iter_errors(values))) is not None:
            raise argument_error(_field_error(error), self._properties)
        return values


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
