"""Conversion of values between a CRM's JSON and AiSHA's records, by the fields of a mapping file."""

import hashlib
import html
import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from aisha.adapters.crm.mapping import FieldMap, Resource, compiled, steps_of
from aisha.adapters.http_tools.templates import filled
from aisha.domain.crm.connector import Outgoing, RemoteRecord
from aisha.domain.crm.team_values import TeamValue
from aisha.domain.errors import InvalidInputError

_ODOO_TIME = "%Y-%m-%d %H:%M:%S"
_PARTS = {"cents": 100, "micros": 1_000_000}
"""The units of an amount that some CRMs send as a whole number."""
_MAX_TEXT_LENGTH = 8000
_TAGS, _BREAKS = re.compile(r"<[^>]+>"), re.compile(r"<br\s*/?>|</p>|</div>", re.IGNORECASE)
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}

Tables = Mapping[str, Mapping[str, str]]
"""The CRM's values by AiSHA's, for each table of values."""


def picked(expression: str | None, row: Any) -> Any:
    """Return what the JMESPath picks; the row itself without one. Odoo writes an empty value as `false`."""
    return row if expression is None else compiled(expression).search(row)


class RowReader:
    """Reads rows of one resource as records in AiSHA's fields."""

    def __init__(self, resource: Resource, tables: Tables) -> None:
        self._resource = resource
        self._tables = tables

    def read(self, row: Mapping[str, Any]) -> RemoteRecord | None:
        """Return the row's record, None for a row that is none. Raises ValueError with the field that can't be read."""
        resource = self._resource
        native_id = picked(resource.id, row)
        if native_id in (None, "", False):
            raise ValueError(f"it has no id at {resource.id!r}")
        if (resource.where and not picked(resource.where, row)) or (resource.deleted and picked(resource.deleted, row)):
            return None
        values: dict[str, Any] = {}
        links: dict[str, str | None] = {}
        owner: str | None = None
        for name in resource.fields:
            for one in resource.maps(name):
                if one.when and not picked(one.when, row):
                    continue
                value = self._value(name, one, row, values)
                if one.user:
                    owner = None if value is None else str(value)
                    values[name] = owner
                elif one.link:
                    if value is not None or name not in links:
                        links[name] = None if value is None else f"{one.link}/{value}"
                else:
                    _put(values, name, value)
        self._complete(values)
        digest = json.dumps([values, links, owner], sort_keys=True, default=str, ensure_ascii=False)
        return RemoteRecord(
            ref=f"{resource.kind}/{native_id}",
            entity_type=resource.type,
            values=values,
            links=links,
            owner=owner,
            created_at=_instant(picked(resource.created_at, row)) if resource.created_at else None,
            updated_at=_instant(picked(resource.updated_at, row)) if resource.updated_at else None,
            fingerprint=hashlib.sha256(digest.encode()).hexdigest()[:24],
        )

    def _value(self, name: str, one: FieldMap, row: Mapping[str, Any], values: dict[str, Any]) -> Any:
        place = row if one.item else picked(self._resource.fields_at, row)
        raw = picked(one.item or one.at, place)
        if raw is None or raw == "" or (raw is False and one.type != "boolean"):
            return None
        try:
            if one.values is not None:
                return self._canonical(name, one, raw, values)
            if one.user or one.link:
                return str(raw)
            return read_value(one, raw)
        except (ValueError, InvalidOperation, OverflowError):
            raise ValueError(f"{name}: {str(raw)[:60]!r} is no {one.type}") from None

    def _canonical(self, name: str, one: FieldMap, raw: Any, values: dict[str, Any]) -> Any:
        table = _table(one, self._tables)
        found = next((ours for ours, theirs in table.items() if str(theirs).casefold() == str(raw).casefold()), None)
        labels = self._tables.get(f"{one.values}#read", {}) if isinstance(one.values, str) else {}
        found = found or labels.get(str(raw)) or one.shown.get(str(raw))
        if found is None or f"{one.values}#label" in self._tables:
            # Shown by its own label: the nearest of our values alone would say something else.
            _put(values, f"custom.{name}", self._tables.get(f"{one.values}#label", {}).get(str(raw), str(raw)))
        return found or one.other

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


def _put(values: dict[str, Any], name: str, value: Any) -> None:
    outer, _, inner = name.partition(".")
    if inner:
        if value is not None or outer == "address":
            values.setdefault(outer, {})[inner] = value
    elif value is not None or name not in values:
        values[name] = value


def read_value(one: FieldMap, raw: Any) -> Any:
    """Return a CRM's value as JSON of AiSHA's type. Raises ValueError for one that isn't of the mapping's type."""
    match one.type:
        case "integer":
            return int(Decimal(str(raw)))
        case "number":
            return float(raw)
        case "decimal":
            return str(Decimal(str(raw)).quantize(Decimal("0.01")))
        case "cents" | "micros":
            return str((Decimal(str(raw)) / _PARTS[one.type]).quantize(Decimal("0.01")))
        case "boolean":
            return raw if isinstance(raw, bool) else _TRUTH[str(raw).lower()]
        case "date":
            moment = _instant(raw) if "T" in str(raw) or str(raw).isdigit() else None
            return (moment.date() if moment else date.fromisoformat(str(raw)[:10])).isoformat()
        case "day":
            return f"{str(raw)[:10]}T09:00:00+00:00"
        case "datetime" | "epoch_ms":
            instant = _instant(raw)
            return instant.isoformat() if instant else None
    if isinstance(raw, dict | list):
        raise ValueError
    text = str(raw)
    if one.type == "html":
        text = html.unescape(_TAGS.sub("", _BREAKS.sub("\n", text))).strip()
    if one.part:
        first, _, rest = text.strip().partition(" ")
        text = (first if rest else "") if one.part == "first" else rest or first
    return text[:_MAX_TEXT_LENGTH].strip() or None


def _instant(raw: Any) -> datetime | None:
    if raw in (None, "", False):
        return None
    if isinstance(raw, int | float) or str(raw).isdigit():
        seconds = int(raw)
        return datetime.fromtimestamp(seconds / 1000 if seconds > 10**11 else seconds, UTC)
    instant = datetime.fromisoformat(str(raw))
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def remote_value(name: str, one: FieldMap, value: Any, tables: Tables) -> Any:
    """Return AiSHA's value as the CRM takes it. Raises `InvalidInputError` for a value without a mapping."""
    if value is None:
        return None
    if one.values is not None:
        table = _table(one, tables)
        if str(value) not in table:
            allowed = ", ".join(sorted(table)) or "none"
            raise InvalidInputError(
                f"{name.replace('_', ' ')} can't be {str(value).replace('_', ' ')!r} in the connected CRM.",
                pointer=f"/{name}",
                suggestion=f"Use one of: {allowed}.",
            )
        return table[str(value)]
    match one.type:
        case "integer":
            return int(value)
        case "number" | "decimal":
            return float(value)
        case "cents" | "micros":
            return int(Decimal(str(value)) * _PARTS[one.type])
        case "boolean":
            return bool(value)
        case "date" | "day":
            return value.isoformat()[:10] if isinstance(value, date) else str(value)[:10]
        case "datetime" | "epoch_ms":
            instant = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
            form = "epoch_ms" if one.type == "epoch_ms" else one.datetime_format
            return (
                instant.astimezone(UTC).isoformat(timespec="milliseconds") if form == "iso" else moment(instant, form)
            )
        case "html":
            return "<p>" + html.escape(str(value), quote=False).replace("\n", "<br>") + "</p>"
    return str(value)


def moment(instant: datetime, form: str) -> Any:
    """Return a time in a form of the mapping file: `iso`, `odoo`, `epoch_ms`, or a pattern of `strftime` in UTC."""
    utc = instant.astimezone(UTC)
    if form == "epoch_ms":
        return int(utc.timestamp() * 1000)
    return utc.strftime({"iso": "%Y-%m-%dT%H:%M:%SZ", "odoo": _ODOO_TIME}.get(form, form))


def remote_fields(resource: Resource, outgoing: Outgoing, tables: Tables, *, is_new: bool) -> dict[str, Any]:
    """Return the `{fields}` of a create or update: the changed fields alone, at their places in the CRM's object."""
    body: dict[str, Any] = {}
    if is_new:
        for path, value in resource.constants.items():
            _nest(body, path, value)
    for name in _sent(resource, outgoing.changed):
        for one in resource.maps(name):
            link = outgoing.links.get(name)
            if one.link and link is not None and link.partition("/")[0] != one.link:
                continue
            if (place := one.place) is None or (one.create_only and not is_new):
                continue
            if not _applies(name, one, resource, outgoing, tables):
                continue
            value = _outgoing_value(name, one, outgoing, resource, tables)
            if value is None and is_new:
                continue
            if one.numeric and str(value).isdigit():
                value = int(value)
            for path, beside in one.also.items() if value is not None else ():
                _nest(body, path, beside)
            _nest(body, place, _wrapped(one, value))
    return body


def _applies(name: str, one: FieldMap, resource: Resource, outgoing: Outgoing, tables: Tables) -> bool:
    """Return whether this mapping, of several with values, is the one that has the value; the last one if none has."""
    maps = resource.maps(name)
    if one.values is None or len(maps) == 1:
        return True
    value = str(outgoing.values.get(name))
    having = [other for other in maps if other.values is not None and value in _table(other, tables)]
    return one is (having or maps)[-1]


def _table(one: FieldMap, tables: Tables) -> Mapping[str, Any]:
    return tables.get(one.values, {}) if isinstance(one.values, str) else one.values or {}


def named_values(one: FieldMap, tables: Tables) -> dict[str, TeamValue]:
    """Return the tenant's own values of a field by the CRM's id, those of a table of values alone."""
    if not isinstance(one.values, str):
        return {}
    read, own = tables.get(f"{one.values}#read", {}), tables.get(one.values, {})
    counted = {**{str(theirs): ours for ours, theirs in own.items()}, **read}
    labels = tables.get(f"{one.values}#label", {})
    kinds = {theirs: counted.get(theirs) or one.shown.get(theirs) or one.other for theirs in labels}
    return {theirs: TeamValue(labels[theirs], ours) for theirs, ours in kinds.items() if ours}


def _named_value(name: str, one: FieldMap, outgoing: Outgoing, tables: Tables) -> str | None:
    """Return the CRM's id of the value that the record names by the tenant's own label, if it is one of this value."""
    label, value = (outgoing.values.get("custom") or {}).get(name), outgoing.values.get(name)
    values = named_values(one, tables).items()
    return next((theirs for theirs, own in values if (own.label, own.counts_as) == (label, value)), None)


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
    outer, _, inner = name.partition(".")
    value = outgoing.values.get(outer)
    if not inner and (named := _named_value(name, one, outgoing, tables)) is not None:
        return named
    return remote_value(name, one, value.get(inner) if inner and isinstance(value, Mapping) else value, tables)


def _shares(resource: Resource, name: str, one: FieldMap) -> bool:
    return any(other.part and other.place == one.place for other in resource.maps(name))


def _wrapped(one: FieldMap, value: Any) -> Any:
    """Return the value within the field's template; without a value an empty list, or None."""
    if one.around is None:
        return value
    if value is None:
        return [] if isinstance(one.around, list) else None
    return filled(one.around, {"value": value})


def _nest(body: dict[str, Any], path: str, value: Any) -> None:
    *outer, last = steps_of(path)
    for step in outer:
        body = body.setdefault(step, {})
    body[last] = value
