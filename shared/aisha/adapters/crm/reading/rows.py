"""Rows of a CRM as records in AiSHA's fields, by a mapping file."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from decimal import InvalidOperation
from typing import Any

from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.reading.choices import CUSTOM, Tables, choices_of, ids_by_value
from aisha.adapters.crm.values import at_clock, has_false, instant_of, is_id, picked, read_value, without_template
from aisha.domain.crm.connector import RemoteRecord

_DECIMALS = ("decimal", "cents", "micros")


class RowReader:
    """Reads rows of one resource as records in AiSHA's fields."""

    def __init__(self, resource: Resource, tables: Tables, *, is_queried_by_id: bool) -> None:
        self._resource = resource
        self._is_queried_by_id = is_queried_by_id
        self._tables = tables

    def read(self, row: Mapping[str, Any]) -> RemoteRecord | None:
        """Return the row's record, None for a row that the resource excludes. Raises ValueError with the bad field."""
        resource = self._resource
        if (native_id := self.id_of(row)) is None:
            return None
        values: dict[str, Any] = {}
        links: dict[str, str | None] = {}
        owner: str | None = None
        for name in resource.fields:
            for mapping in resource.maps(name):
                applies = not mapping.when or picked(mapping.when, row)
                value = self._value(name, mapping, row, values) if applies else None
                if mapping.user:
                    owner = None if value is None else str(value)
                    values[name] = owner
                elif mapping.link and not name.startswith(CUSTOM):
                    links[name] = None if value is None else f"{mapping.link}/{value}"
                else:
                    _put(values, name, value)
                if value is not None:
                    break
        # Fields that AiSHA can't do without: other CRMs allow a deal without a name.
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
        """Return the CRM's id of the row's record, None for an excluded row. Raises ValueError for a bad id."""
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

    def _value(self, name: str, mapping: FieldMap, row: Mapping[str, Any], values: dict[str, Any]) -> Any:
        try:
            place = row if mapping.item else picked(self._resource.fields_at, row)
            raw = without_template(mapping, picked(mapping.item or mapping.at, place))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        # Odoo writes an empty value as `false`.
        if raw is None or raw == "" or (raw is False and mapping.type != "boolean" and not has_false(mapping)):
            return None
        if isinstance(raw, dict | list):
            if not raw:
                return None
            kind = "a list" if isinstance(raw, list) else "an object"
            such = (
                f"{mapping.item or mapping.at} | [0]"
                if isinstance(raw, list)
                else f"{mapping.item or mapping.at}.{next(iter(raw))}"
            )
            raise ValueError(
                f"{name}: at {mapping.item or mapping.at!r} is {kind}; pick one value of it, such as {such!r}"
            )
        try:
            if mapping.values is not None:
                return self._canonical(name, mapping, raw, values)
            if mapping.user or mapping.link:
                return str(raw)
            if mapping.time and (clock := picked(mapping.time, picked(self._resource.fields_at, row))):
                return at_clock(mapping, raw, str(clock))
            value = read_value(mapping, raw)
            return float(value) if name.startswith(CUSTOM) and mapping.type in _DECIMALS else value
        except (ValueError, InvalidOperation, OverflowError):
            form = "" if mapping.datetime_format == "iso" else f" of datetime_format {mapping.datetime_format!r}"
            raise ValueError(f"{name}: {str(raw)[:60]!r} is no {mapping.type}{form}") from None

    def _canonical(self, name: str, mapping: FieldMap, raw: Any, values: dict[str, Any]) -> Any:
        choices = choices_of(mapping, self._tables)
        if choices is not None and name.startswith(CUSTOM):
            # A choice of the team's own has no value of AiSHA's: it is stored by its label.
            return choices.label_of(str(raw))
        by_value = ids_by_value(name, mapping, choices).items()
        # CRMs differ in the case of their values: "Open", "OPEN".
        value = next((ours for ours, native_id in by_value if str(native_id).casefold() == str(raw).casefold()), None)
        value = value or (choices.counts_as.get(str(raw)) if choices else None) or mapping.shown.get(str(raw))
        if value is None or choices is not None:
            # Shown by its own label: the nearest of our values alone would say something else.
            _put(values, f"{CUSTOM}{name}", choices.label_of(str(raw)) if choices else str(raw))
        return value or mapping.other

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
