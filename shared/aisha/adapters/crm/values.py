"""Conversion of values between a CRM's JSON and AiSHA's records, by the fields of a mapping file."""

import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from aisha.adapters.crm.mapping import FieldMap, Resource
from aisha.adapters.crm.paths import compiled, put_at
from aisha.adapters.http_tools.templates import filled
from aisha.domain.crm.connector import Outgoing, RemoteRecord
from aisha.domain.crm.custom_fields import CustomField, CustomFieldType, is_name
from aisha.domain.crm.team_values import TeamValue
from aisha.domain.errors import InvalidInputError

_ODOO_TIME = "%Y-%m-%d %H:%M:%S"
_DOTNET_TIME = re.compile(r"/Date\((-?\d+)(?:[+-]\d{4})?\)/")
_ID = re.compile(r"[^\s'\"`\\<>(){}|;\x00-\x1f]{1,120}")
"""Ids may stand in a query's text."""
_PARTS = {"cents": 100, "micros": 1_000_000}
"""The units of an amount that some CRMs send as a whole number."""
_MAX_TEXT_LENGTH = 8000
_CUSTOM_TYPES: Mapping[str, CustomFieldType] = {
    **dict.fromkeys(("integer", "number", "decimal", "cents", "micros"), "number"),
    **dict.fromkeys(("date", "day"), "date"),
    "boolean": "boolean",
}
"""The types of custom fields by those of mappings; the others are texts."""
_MOMENTS = ("datetime", "epoch_ms")
_DECIMALS = ("decimal", "cents", "micros")
_CUSTOM = "custom."
_TAGS, _BREAKS = re.compile(r"<[^>]+>"), re.compile(r"<br\s*/?>|</p>|</div>", re.IGNORECASE)
_TRUTH = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}

Tables = Mapping[str, Mapping[str, str]]
"""The CRM's values by AiSHA's, for each table of values."""


def picked(expression: str | None, row: Any) -> Any:
    """Return what the JMESPath picks; the row itself without one. Raises ValueError where it can't work on the row."""
    return row if expression is None else compiled(expression).search(row)


def is_id(text: str) -> bool:
    """Return whether a text can be a record's id in requests."""
    return _ID.fullmatch(text) is not None


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
            raise ValueError(f"it has no id at {resource.id!r}{_members_of(row)}")
        if isinstance(native_id, dict | list) or not is_id(str(native_id)):
            raise ValueError(f"{str(native_id)[:60]!r} at {resource.id!r} can't be an id: pick a text or a number")
        if (resource.where and not picked(resource.where, row)) or (resource.deleted and picked(resource.deleted, row)):
            return None
        values: dict[str, Any] = {}
        links: dict[str, str | None] = {}
        owner: str | None = None
        for name in resource.fields:
            for one in resource.maps(name):
                applies = not one.when or picked(one.when, row)
                value = self._value(name, one, row, values) if applies else None
                if one.user:
                    owner = owner if value is None else str(value)
                    values[name] = owner
                elif one.link and not name.startswith(_CUSTOM):
                    if value is not None or name not in links:
                        links[name] = None if value is None else f"{one.link}/{value}"
                else:
                    _put(values, name, value)
        self._complete(values)
        # A field of the team's own counts from its first value on, so that a new mapping changes no fingerprint.
        own = {name: value for name, value in values.get("custom", {}).items() if value is not None}
        counted = {name: value for name, value in values.items() if name != "custom"} | ({"custom": own} if own else {})
        digest = json.dumps([counted, links, owner], sort_keys=True, default=str, ensure_ascii=False)
        return RemoteRecord(
            ref=f"{resource.kind}/{native_id}",
            entity_type=resource.type,
            values=values,
            links=links,
            owner=owner,
            created_at=self._time("created_at", resource.created_at, row),
            updated_at=self._time("updated_at", resource.updated_at, row),
            version=str(version) if (version := picked(resource.version, row) if resource.version else None) else "",
            fingerprint=hashlib.sha256(digest.encode()).hexdigest()[:24],
        )

    def is_deleted(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row says of its record that it was deleted."""
        return bool(self._resource.deleted and picked(self._resource.deleted, row))

    def _time(self, name: str, path: str | None, row: Mapping[str, Any]) -> datetime | None:
        raw = picked(path, row) if path else None
        try:
            return _instant(raw, self._resource.datetime_format)
        except (ValueError, OverflowError):
            form = self._resource.datetime_format
            raise ValueError(f"{name}: {str(raw)[:60]!r} is no time of datetime_format {form!r}") from None

    def _value(self, name: str, one: FieldMap, row: Mapping[str, Any], values: dict[str, Any]) -> Any:
        try:
            place = row if one.item else picked(self._resource.fields_at, row)
            raw = _without_template(one, picked(one.item or one.at, place))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        # Odoo writes an empty value as `false`.
        if raw is None or raw == "" or (raw is False and one.type != "boolean" and not _has_false(one)):
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
            value = read_value(one, raw)
            return float(value) if name.startswith(_CUSTOM) and one.type in _DECIMALS else value
        except (ValueError, InvalidOperation, OverflowError):
            form = "" if one.datetime_format == "iso" else f" of datetime_format {one.datetime_format!r}"
            raise ValueError(f"{name}: {str(raw)[:60]!r} is no {one.type}{form}") from None

    def _canonical(self, name: str, one: FieldMap, raw: Any, values: dict[str, Any]) -> Any:
        if name.startswith(_CUSTOM) and isinstance(one.values, str):
            # A choice of the team's own has no value of AiSHA's: it is stored by its label.
            return self._tables.get(f"{one.values}#label", {}).get(str(raw), str(raw))
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
        parts = values.setdefault(outer, {})
        if value is not None or inner not in parts:
            parts[inner] = value
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
        case "date" | "day":
            day = _day(raw, one.datetime_format)
            return day if one.type == "date" else f"{day}T09:00:00+00:00"
        case "datetime" | "epoch_ms":
            instant = _instant(raw, "iso" if one.type == "epoch_ms" else one.datetime_format)
            return instant.isoformat() if instant else None
    text = str(raw)
    if one.type == "html":
        text = html.unescape(_TAGS.sub("", _BREAKS.sub("\n", text))).strip()
    if one.part:
        first, _, rest = text.strip().partition(" ")
        text = (first if rest else "") if one.part == "first" else rest or first
    return text[:_MAX_TEXT_LENGTH].strip() or None


def _day(raw: Any, form: str) -> str:
    """Return the date in a CRM's text or number, in ISO's form."""
    text = str(raw)
    is_time = form != "iso" or "T" in text or ((isinstance(raw, int | float) or text.isdigit()) and len(text) > 8)
    if not is_time:
        return date.fromisoformat(text[:10] if "-" in text[:10] else text).isoformat()
    instant = _instant(raw, form)
    return instant.date().isoformat() if instant else ""


def _instant(raw: Any, form: str = "iso") -> datetime | None:
    """Return the time in a form of the mapping file; one without a zone is UTC. `iso` reads numbers since 1970 too."""
    if raw in (None, "", False):
        return None
    if found := _DOTNET_TIME.fullmatch(str(raw)):
        raw, form = found[1], "epoch_ms"
    if "%" in form:
        instant = datetime.strptime(str(raw), form)  # noqa: DTZ007 - the zone follows below
    elif form == "epoch":
        return datetime.fromtimestamp(float(raw), UTC)
    elif form == "epoch_ms":
        return datetime.fromtimestamp(float(raw) / 1000, UTC)
    elif isinstance(raw, int | float) or str(raw).isdigit():
        seconds = int(raw)
        return datetime.fromtimestamp(seconds / 1000 if seconds > 10**11 else seconds, UTC)
    else:
        instant = datetime.fromisoformat(str(raw))
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


def _without_template(one: FieldMap, raw: Any) -> Any:
    """Return what stands at `{value}` of the field's text template, such as the 7 of "/users/7"; else the value."""
    if not isinstance(raw, str) or not isinstance(one.around, str) or one.around == "{value}":
        return raw
    before, _, after = one.around.partition("{value}")
    found = re.search(rf"{re.escape(before)}([^/?#]+){re.escape(after)}/?$", raw)
    return found[1] if found else raw


def _has_false(one: FieldMap) -> bool:
    return isinstance(one.values, Mapping) and any(value is False for value in one.values.values())


def _members_of(row: Any) -> str:
    """Return the names of a row's members, for people who look for one."""
    return f"; it has {', '.join(list(row)[:20])}" if isinstance(row, Mapping) else ""


def remote_value(name: str, one: FieldMap, value: Any, tables: Tables) -> Any:
    """Return AiSHA's value as the CRM takes it. Raises `InvalidInputError` for a value without a mapping."""
    if value is None:
        return None
    if one.values is not None:
        table = _table(one, tables)
        if str(value) not in table:
            allowed = ", ".join(sorted(table)) or "none"
            raise InvalidInputError(
                f"{name.removeprefix(_CUSTOM).replace('_', ' ')} can't be {str(value).replace('_', ' ')!r} "
                "in the connected CRM.",
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
            day = value.isoformat()[:10] if isinstance(value, date) else str(value)[:10]
            if one.datetime_format == "iso":
                return day
            return moment(datetime.fromisoformat(day).replace(tzinfo=UTC), one.datetime_format)
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
    """Return a time in a form of the mapping file, see `TimeFormat`."""
    utc = instant.astimezone(UTC)
    if form in ("epoch", "epoch_ms"):
        return int(utc.timestamp() * (1000 if form == "epoch_ms" else 1))
    return utc.strftime({"iso": "%Y-%m-%dT%H:%M:%SZ", "odoo": _ODOO_TIME}.get(form, form))


def remote_fields(
    resource: Resource, outgoing: Outgoing, tables: Tables, *, is_new: bool, onto: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the `{fields}` of a create or update: the changed fields alone, at their places in the CRM's object.

    With `onto`, what the CRM has there, the rest of that stays beside them.
    """
    body: dict[str, Any] = deepcopy(dict(onto or {}))
    if is_new:
        for path, value in resource.constants.items():
            put_at(body, path, value)
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
                put_at(body, path, beside)
            put_at(body, place, _wrapped(one, value))
    return body


def _applies(name: str, one: FieldMap, resource: Resource, outgoing: Outgoing, tables: Tables) -> bool:
    """Return whether this mapping, of several with values, is the one that has the value; the last one if none has."""
    maps = resource.maps(name)
    if one.values is None or len(maps) == 1:
        return True
    value, tables = str(outgoing.values.get(name)), _of_group(one, outgoing, tables)
    having = [other for other in maps if other.values is not None and value in _table(other, tables)]
    return one is (having or maps)[-1]


def _table(one: FieldMap, tables: Tables) -> Mapping[str, Any]:
    return tables.get(one.values, {}) if isinstance(one.values, str) else one.values or {}


def _of_group(one: FieldMap, outgoing: Outgoing, tables: Tables) -> Tables:
    """Return the tables with the values of the record's group alone, such as the stages of its pipeline."""
    group = _value_at(outgoing, one.group) if one.group else None
    if group is None or not isinstance(one.values, str):
        return tables
    name, groups = one.values, tables.get(f"{one.values}#group", {})
    within = {theirs for theirs, other in groups.items() if other == str(group)}
    read = {theirs: ours for theirs, ours in tables.get(f"{name}#read", {}).items() if theirs in within}
    own = {ours: theirs for ours, theirs in tables.get(name, {}).items() if str(theirs) in within}
    for theirs, ours in read.items():
        own.setdefault(ours, theirs)
    labels = {theirs: label for theirs, label in tables.get(f"{name}#label", {}).items() if theirs in within}
    return {**tables, name: own, f"{name}#read": read, f"{name}#label": labels}


def named_values(one: FieldMap, tables: Tables) -> dict[str, TeamValue]:
    """Return the tenant's own values of a field by the CRM's id, those of a table of values alone."""
    if not isinstance(one.values, str):
        return {}
    read, own = tables.get(f"{one.values}#read", {}), tables.get(one.values, {})
    counted = {**{str(theirs): ours for ours, theirs in own.items()}, **read}
    labels = tables.get(f"{one.values}#label", {})
    kinds = {theirs: counted.get(theirs) or one.shown.get(theirs) or one.other for theirs in labels}
    return {theirs: TeamValue(labels[theirs], ours) for theirs, ours in kinds.items() if ours}


def custom_field(name: str, maps: Sequence[FieldMap], tables: Tables) -> CustomField | None:
    """Return the tenant's own field that the mappings of `custom.<name>` describe; None for another field."""
    outer, _, own = name.partition(".")
    if outer != "custom" or not is_name(own):
        return None
    values = [value for one in maps for value in (_shown_values(one, tables) if one.values is not None else ())]
    is_writable = all(
        one.place and not (one.create_only or one.user or one.link or one.type in _MOMENTS) for one in maps
    )
    kind: CustomFieldType = "text" if values else _CUSTOM_TYPES.get(maps[0].type, "text")
    return CustomField(own, kind, tuple(dict.fromkeys(values)), is_writable)


def _shown_values(one: FieldMap, tables: Tables) -> list[str]:
    labels = tables.get(f"{one.values}#label", {}) if isinstance(one.values, str) else {}
    return [*labels.values()] or [str(ours) for ours in _table(one, tables)]


def _named_value(name: str, one: FieldMap, outgoing: Outgoing, tables: Tables) -> str | None:
    """Return the CRM's id of the value that the record names by the tenant's own label, if it is one of this value."""
    label, value = (outgoing.values.get("custom") or {}).get(name), outgoing.values.get(name)
    within = named_values(one, _of_group(one, outgoing, tables))
    found = next((theirs for theirs, own in within.items() if (own.label, own.counts_as) == (label, value)), None)
    others = [own for own in named_values(one, tables).values() if (own.label, own.counts_as) == (label, value)]
    if found is None and others:
        # Another value of its own group that counts as the same was not what was ordered.
        noun, allowed = name.replace("_", " "), ", ".join(own.label for own in within.values())
        raise InvalidInputError(
            f"{noun} can't be {label!r} for this record in the connected CRM.",
            pointer=f"/{name}",
            suggestion=f"Use one of: {allowed}.",
        )
    return found


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
    if name.startswith(_CUSTOM) and isinstance(one.values, str):
        labels = tables.get(f"{one.values}#label", {})
        tables = {**tables, one.values: {label: theirs for theirs, label in labels.items()}}
    elif "." not in name and (named := _named_value(name, one, outgoing, tables)) is not None:
        return named
    return remote_value(name, one, _value_at(outgoing, name), _of_group(one, outgoing, tables))


def _value_at(outgoing: Outgoing, name: str) -> Any:
    outer, _, inner = name.partition(".")
    value = outgoing.values.get(outer)
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
