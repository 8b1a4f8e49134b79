"""Rows of a CRM as records in AiSHA's fields, and fields of records as a CRM's JSON, by a mapping file."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import datetime
from decimal import InvalidOperation
from typing import Any

from pydantic import JsonValue

from aisha.adapters.crm.choices import CUSTOM, Choices, Tables, choices_of, ids_by_value, team_values_of
from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.mapping_file.paths import put_at
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.values import (
    at_clock,
    has_false,
    instant_of,
    is_id,
    picked,
    read_value,
    remote_value,
    time_of_day,
    without_template,
)
from aisha.adapters.http_tools.templates import filled, names_in
from aisha.domain.crm.connector import Outgoing, RemoteRecord
from aisha.domain.errors import InvalidInputError

_DECIMALS = ("decimal", "cents", "micros")


class RowReader:
    """Reads rows of one resource as records in AiSHA's fields."""

    def __init__(self, resource: Resource, tables: Tables, *, is_queried_by_id: bool) -> None:
        self._resource = resource
        self._is_queried_by_id = is_queried_by_id
        self._tables = tables

    def read(self, row: Mapping[str, Any]) -> RemoteRecord | None:
        """Return the row's record, None for a row that is none. Raises ValueError with the field that can't be read."""
        resource = self._resource
        if (native_id := self.id_of(row)) is None:
            return None
        values: dict[str, Any] = {}
        links: dict[str, str | None] = {}
        owner: str | None = None
        for name in resource.fields:
            for one in resource.maps(name):
                applies = not one.when or picked(one.when, row)
                value = self._value(name, one, row, values) if applies else None
                if one.user:
                    owner = None if value is None else str(value)
                    values[name] = owner
                elif one.link and not name.startswith(CUSTOM):
                    links[name] = None if value is None else f"{one.link}/{value}"
                else:
                    _put(values, name, value)
                if value is not None:
                    break
        self._complete(values)
        # A field of the team's own counts from its first value on, so that a new mapping changes no fingerprint.
        own = {name: value for name, value in values.get("custom", {}).items() if value is not None}
        counted = {name: value for name, value in values.items() if name != "custom"} | ({"custom": own} if own else {})
        digest = json.dumps([counted, links, owner], sort_keys=True, default=str, ensure_ascii=False)
        return RemoteRecord(
            ref=resource.ref(native_id, row.get(resource.parent_key or "")),
            entity_type=resource.type,
            values=values,
            links=links,
            owner=owner,
            created_at=self._time("created_at", resource.created_at, row),
            updated_at=self._time("updated_at", resource.updated_at, row),
            version=version_of(resource, row),
            fingerprint=hashlib.sha256(digest.encode()).hexdigest()[:24],
        )

    def id_of(self, row: Mapping[str, Any]) -> str | None:
        """Return the CRM's id of the row's record, None for a row that is none. Raises ValueError for a bad id."""
        resource = self._resource
        native_id = picked(resource.id, row)
        if native_id in (None, "", False):
            raise ValueError(f"it has no id at {resource.id!r}{_members_of(row)}")
        if isinstance(native_id, dict | list) or not is_id(str(native_id), is_queried=self._is_queried_by_id):
            raise ValueError(f"{str(native_id)[:60]!r} at {resource.id!r} can't be an id: pick a text or a number")
        if (resource.where and not picked(resource.where, row)) or (resource.deleted and picked(resource.deleted, row)):
            return None
        return str(native_id)

    def is_deleted(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row says of its record that it was deleted."""
        return bool(self._resource.deleted and picked(self._resource.deleted, row))

    def _time(self, name: str, path: str | None, row: Mapping[str, Any]) -> datetime | None:
        raw = picked(path, row) if path else None
        try:
            return instant_of(raw, self._resource.datetime_format)
        except (ValueError, OverflowError):
            form = self._resource.datetime_format
            raise ValueError(f"{name}: {str(raw)[:60]!r} is no time of datetime_format {form!r}") from None

    def _value(self, name: str, one: FieldMap, row: Mapping[str, Any], values: dict[str, Any]) -> Any:
        try:
            place = row if one.item else picked(self._resource.fields_at, row)
            raw = without_template(one, picked(one.item or one.at, place))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        # Odoo writes an empty value as `false`.
        if raw is None or raw == "" or (raw is False and one.type != "boolean" and not has_false(one)):
            return None
        if isinstance(raw, dict | list):
            if not raw:
                return None
            kind = "a list" if isinstance(raw, list) else "an object"
            such = f"{one.item or one.at} | [0]" if isinstance(raw, list) else f"{one.item or one.at}.{next(iter(raw))}"
            raise ValueError(f"{name}: at {one.item or one.at!r} is {kind}; pick one value of it, such as {such!r}")
        try:
            if one.values is not None:
                return self._canonical(name, one, raw, values)
            if one.user or one.link:
                return str(raw)
            if one.time and (clock := picked(one.time, picked(self._resource.fields_at, row))):
                return at_clock(one, raw, str(clock))
            value = read_value(one, raw)
            return float(value) if name.startswith(CUSTOM) and one.type in _DECIMALS else value
        except (ValueError, InvalidOperation, OverflowError):
            form = "" if one.datetime_format == "iso" else f" of datetime_format {one.datetime_format!r}"
            raise ValueError(f"{name}: {str(raw)[:60]!r} is no {one.type}{form}") from None

    def _canonical(self, name: str, one: FieldMap, raw: Any, values: dict[str, Any]) -> Any:
        choices = choices_of(one, self._tables)
        if choices is not None and name.startswith(CUSTOM):
            # A choice of the team's own has no value of AiSHA's: it is stored by its label.
            return choices.label_of(str(raw))
        by_value = ids_by_value(name, one, choices).items()
        value = next((ours for ours, native_id in by_value if str(native_id).casefold() == str(raw).casefold()), None)
        value = value or (choices.counts_as.get(str(raw)) if choices else None) or one.shown.get(str(raw))
        if value is None or choices is not None:
            # Shown by its own label: the nearest of our values alone would say something else.
            _put(values, f"{CUSTOM}{name}", choices.label_of(str(raw)) if choices else str(raw))
        return value or one.other

    def _complete(self, values: dict[str, Any]) -> None:
        """Fill what AiSHA requires and other CRMs do not."""
        kind = self._resource.type
        if not any((values.get("address") or {"": 1}).values()):
            values["address"] = None
        if kind in ("account", "opportunity") and not values.get("name"):
            values["name"] = "(no name)"
        if kind == "activity":
            values["title"] = values.get("title") or "(no title)"
        if kind == "note":
            values["content"] = values.get("content") or "(empty)"
        if kind in ("lead", "contact") and not any(values.get(name) for name in ("first_name", "last_name", "company")):
            values["last_name"] = values.get("email") or "(no name)"


def version_of(resource: Resource, row: Mapping[str, Any]) -> int | str | None:
    """Return the row's version; a number stays one, as some CRMs compare it with what an update sends."""
    version = picked(resource.version, row) if resource.version else None
    return version if version is None or isinstance(version, int) else str(version)


def _put(values: dict[str, Any], name: str, value: Any) -> None:
    outer, _, inner = name.partition(".")
    if inner:
        parts = values.setdefault(outer, {})
        if value is not None or inner not in parts:
            parts[inner] = value
    elif value is not None or name not in values:
        values[name] = value


def _members_of(row: Any) -> str:
    """Return the names of a row's members, for people who look for one."""
    return f"; it has {', '.join(list(row)[:20])}" if isinstance(row, Mapping) else ""


def remote_fields(
    resource: Resource, outgoing: Outgoing, tables: Tables, *, is_new: bool, onto: Mapping[str, Any] | None = None,
    now: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Return the `{fields}` of a create or update: the changed fields alone, at their places in the CRM's object.

    With `onto`, what the CRM has there, the rest of that stays beside them. `now` is the time for `{now}`.
    """
    body: dict[str, Any] = deepcopy(dict(onto or {}))
    if is_new:
        for path, value in resource.constants.items():
            put_at(body, path, _composed(value, outgoing, now))
    for name in _sent(resource, outgoing.changed):
        for one in resource.maps(name):
            link = outgoing.links.get(name)
            if one.link and link is not None and link.partition("/")[0] != one.link:
                continue
            if (place := one.place) is None or resource.is_parent(one):
                continue
            if (one.create_only or one.set_) and not is_new:
                continue
            if not applies(name, one, resource, outgoing, tables):
                continue
            value = _numbered(one, _outgoing_value(name, one, outgoing, resource, tables))
            if value is None and is_new:
                continue
            for path, beside in one.also.items() if value is not None else ():
                put_at(body, path, _composed(beside, outgoing, now))
            put_at(body, place, _wrapped(one, value))
            if one.time is not None:
                put_at(body, one.time, time_of_day(one, outgoing.values.get(name)))
    return body


def set_requests(
    resource: Resource, outgoing: Outgoing, tables: Tables, before: RemoteRecord | None, *, is_new: bool
) -> Iterator[tuple[Endpoint, dict[str, Any]]]:
    """Yield the requests that set fields by themselves where they differ from `before`, each with its variables."""
    for name in _sent(resource, outgoing.changed):
        for one in resource.maps(name):
            is_in_create = is_new and one.put is not None
            if one.set_ is None or is_in_create or not applies(name, one, resource, outgoing, tables):
                continue
            if _has(before, name, one, outgoing, tables):
                continue
            native_id = _outgoing_value(name, one, outgoing, resource, tables)
            if native_id is not None or not is_new:
                choices = choices_of(one, tables)
                group = choices.groups.get(str(native_id)) if choices else None
                named = {} if group is None else {"group": _numbered(one, group)}
                yield one.set_, {"value": _wrapped(one, _numbered(one, native_id)), **named}


def _has(record: RemoteRecord | None, name: str, one: FieldMap, outgoing: Outgoing, tables: Tables) -> bool:
    """Return whether a record has a field as it is to be, by the team's own word too where that is said."""
    if record is None:
        return False
    if one.user:
        return record.owner == outgoing.owner
    if _value_at(record, name) != _value_at(outgoing, name):
        return False
    is_named = "." not in name and _named_value(name, one, outgoing, tables) is not None
    return not is_named or _value_at(record, f"{CUSTOM}{name}") == _value_at(outgoing, f"{CUSTOM}{name}")


def _numbered(one: FieldMap, value: Any) -> Any:
    """Return an id as a number where the field says so."""
    return int(value) if one.numeric and str(value).isdecimal() else value


def _composed(template: JsonValue, outgoing: Outgoing, now: str) -> Any:
    """Return what is written beside fields, with the record's own values where it names fields of AiSHA."""
    if not (names := set(names_in(template))):
        return template
    values = {name: str(value) for name, value in outgoing.values.items() if value is not None}
    value = filled(template, dict.fromkeys(names, "") | values | {"now": now})
    return " ".join(value.split()) if isinstance(value, str) else value


def applies(name: str, one: FieldMap, resource: Resource, outgoing: Outgoing, tables: Tables) -> bool:
    """Return whether this mapping, of several with values, is the one that has the value; the last one if none has."""
    maps = [other for other in resource.maps(name) if other.values is not None]
    if one.values is None or len(resource.maps(name)) == 1:
        return True
    value = str(outgoing.values.get(name))
    having = [other for other in maps if value in ids_by_value(name, other, _choices(other, outgoing, tables))]
    return one is (having or resource.maps(name))[-1]


def _choices(one: FieldMap, outgoing: Outgoing, tables: Tables) -> Choices | None:
    """Return the choices of a field for a record: those of its group alone, such as the stages of its pipeline."""
    choices = choices_of(one, tables)
    group = _value_at(outgoing, one.group) if one.group else None
    return choices.within(str(group)) if choices is not None and group is not None else choices


def _named_value(name: str, one: FieldMap, outgoing: Outgoing, tables: Tables) -> str | None:
    """Return the CRM's id of the value that the record names by the tenant's own label, if it is one of this value."""
    label, value = (outgoing.values.get("custom") or {}).get(name), outgoing.values.get(name)
    within = team_values_of(one, _choices(one, outgoing, tables))
    named = next((key for key, own in within.items() if (own.label, own.counts_as) == (label, value)), None)
    anywhere = team_values_of(one, choices_of(one, tables)).values()
    if named is None and any((own.label, own.counts_as) == (label, value) for own in anywhere):
        # Another value of its own group that counts as the same was not what was ordered.
        noun, allowed = name.replace("_", " "), ", ".join(own.label for own in within.values())
        raise InvalidInputError(
            f"{noun} can't be {label!r} for this record in the connected CRM.",
            pointer=f"/{name}",
            suggestion=f"Use one of: {allowed}.",
        )
    return named


def _sent(resource: Resource, changed: frozenset[str]) -> list[str]:
    groups = [*resource.together, [name for name in resource.fields if any(one.part for one in resource.maps(name))]]
    names = set(changed).union(*(group for group in groups if changed & set(group)))
    return [name for name in resource.fields if name in names]


def _outgoing_value(name: str, one: FieldMap, outgoing: Outgoing, resource: Resource, tables: Tables) -> Any:
    if one.user:
        return outgoing.owner
    if one.link:
        link = outgoing.links.get(name)
        return None if link is None else link.partition("/")[2]
    if one.part:
        words = (outgoing.values.get(other) for other in resource.fields if _shares(resource, other, one))
        return " ".join(str(word) for word in words if word) or None
    if "." not in name and (named := _named_value(name, one, outgoing, tables)) is not None:
        return named
    return remote_value(name, one, _value_at(outgoing, name), _choices(one, outgoing, tables))


def _value_at(record: Outgoing | RemoteRecord, name: str) -> Any:
    outer, _, inner = name.partition(".")
    value = record.values.get(outer)
    return value.get(inner) if inner and isinstance(value, Mapping) else None if inner else value


def _shares(resource: Resource, name: str, one: FieldMap) -> bool:
    return any(other.part and other.place == one.place for other in resource.maps(name))


def _wrapped(one: FieldMap, value: Any) -> Any:
    """Return the value within the field's template; without a value an empty list, or None."""
    if one.around is None:
        return value
    if value is None:
        return [] if isinstance(one.around, list) else None
    return filled(one.around, {"value": value})
