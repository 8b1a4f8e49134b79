"""Fields of records as a CRM's JSON, by a mapping file."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from pydantic import JsonValue

from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.mapping_file.paths import put_at
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.reading.choices import CUSTOM, Choices, Tables, choices_of, ids_by_value, team_values_of
from aisha.adapters.crm.values import remote_value, time_of_day
from aisha.adapters.http_tools.templates import filled, names_in
from aisha.domain.crm.connector import Outgoing, RemoteRecord
from aisha.domain.errors import InvalidInputError


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
        for mapping in resource.maps(name):
            link = outgoing.links.get(name)
            # "Related to" may be mapped once for each type of record.
            if mapping.link and link is not None and link.partition("/")[0] != mapping.link:
                continue
            if (place := mapping.place) is None or resource.is_parent(mapping):
                continue
            if (mapping.create_only or mapping.set_) and not is_new:
                continue
            if not applies(name, mapping, resource, outgoing, tables):
                continue
            value = _numbered(mapping, _outgoing_value(name, mapping, outgoing, resource, tables))
            # A new record has no value to empty.
            if value is None and is_new:
                continue
            for path, beside in mapping.also.items() if value is not None else ():
                put_at(body, path, _composed(beside, outgoing, now))
            put_at(body, place, _wrapped(mapping, value))
            if mapping.time is not None:
                put_at(body, mapping.time, time_of_day(mapping, outgoing.values.get(name)))
    return body


def set_requests(
    resource: Resource, outgoing: Outgoing, tables: Tables, before: RemoteRecord | None, *, is_new: bool
) -> Iterator[tuple[Endpoint, dict[str, Any]]]:
    """Yield the requests that set fields by themselves where they differ from `before`, each with its variables."""
    for name in _sent(resource, outgoing.changed):
        for mapping in resource.maps(name):
            is_in_create = is_new and mapping.put is not None
            if mapping.set_ is None or is_in_create or not applies(name, mapping, resource, outgoing, tables):
                continue
            if _has(before, name, mapping, outgoing, tables):
                continue
            native_id = _outgoing_value(name, mapping, outgoing, resource, tables)
            if native_id is not None or not is_new:
                choices = choices_of(mapping, tables)
                group = choices.groups.get(str(native_id)) if choices else None
                named = {} if group is None else {"group": _numbered(mapping, group)}
                yield mapping.set_, {"value": _wrapped(mapping, _numbered(mapping, native_id)), **named}


def _has(record: RemoteRecord | None, name: str, mapping: FieldMap, outgoing: Outgoing, tables: Tables) -> bool:
    """Return whether a record has a field as it is to be, by the team's own word too where that is said."""
    if record is None:
        return False
    if mapping.user:
        return record.owner == outgoing.owner
    if _value_at(record, name) != _value_at(outgoing, name):
        return False
    is_named = "." not in name and _named_value(name, mapping, outgoing, tables) is not None
    return not is_named or _value_at(record, f"{CUSTOM}{name}") == _value_at(outgoing, f"{CUSTOM}{name}")


def _numbered(mapping: FieldMap, value: Any) -> Any:
    """Return an id as a number where the field says so."""
    return int(value) if mapping.numeric and str(value).isdecimal() else value


def _composed(template: JsonValue, outgoing: Outgoing, now: str) -> Any:
    """Return what is written beside fields, with the record's own values where it names fields of AiSHA."""
    if not (names := set(names_in(template))):
        return template
    values = {name: str(value) for name, value in outgoing.values.items() if value is not None}
    value = filled(template, dict.fromkeys(names, "") | values | {"now": now})
    return " ".join(value.split()) if isinstance(value, str) else value


def applies(name: str, mapping: FieldMap, resource: Resource, outgoing: Outgoing, tables: Tables) -> bool:
    """Return whether this mapping, of several with values, is the one that has the value; the last one if none has."""
    maps = [other for other in resource.maps(name) if other.values is not None]
    if mapping.values is None or len(resource.maps(name)) == 1:
        return True
    value = str(outgoing.values.get(name))
    having = [other for other in maps if value in ids_by_value(name, other, _choices(other, outgoing, tables))]
    return mapping is (having or resource.maps(name))[-1]


def _choices(mapping: FieldMap, outgoing: Outgoing, tables: Tables) -> Choices | None:
    """Return the choices of a field for a record: those of its group alone, such as the stages of its pipeline."""
    choices = choices_of(mapping, tables)
    group = _value_at(outgoing, mapping.group) if mapping.group else None
    return choices.within(str(group)) if choices is not None and group is not None else choices


def _named_value(name: str, mapping: FieldMap, outgoing: Outgoing, tables: Tables) -> str | None:
    """Return the CRM's id of the value that the record names by the tenant's own label, if it is one of this value."""
    label, value = (outgoing.values.get("custom") or {}).get(name), outgoing.values.get(name)
    within = team_values_of(mapping, _choices(mapping, outgoing, tables))
    named = next((key for key, own in within.items() if (own.label, own.counts_as) == (label, value)), None)
    anywhere = team_values_of(mapping, choices_of(mapping, tables)).values()
    # The label exists, but in another group, such as a stage of another pipeline.
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
    groups = [
        *resource.together,
        [name for name in resource.fields if any(mapping.part for mapping in resource.maps(name))],
    ]
    names = set(changed).union(*(group for group in groups if changed & set(group)))
    return [name for name in resource.fields if name in names]


def _outgoing_value(name: str, mapping: FieldMap, outgoing: Outgoing, resource: Resource, tables: Tables) -> Any:
    if mapping.user:
        return outgoing.owner
    if mapping.link:
        link = outgoing.links.get(name)
        return None if link is None else link.partition("/")[2]
    if mapping.part:
        words = (outgoing.values.get(other) for other in resource.fields if _shares(resource, other, mapping))
        return " ".join(str(word) for word in words if word) or None
    if "." not in name and (named := _named_value(name, mapping, outgoing, tables)) is not None:
        return named
    return remote_value(name, mapping, _value_at(outgoing, name), _choices(mapping, outgoing, tables))


def _value_at(record: Outgoing | RemoteRecord, name: str) -> Any:
    outer, _, inner = name.partition(".")
    value = record.values.get(outer)
    return value.get(inner) if inner and isinstance(value, Mapping) else None if inner else value


def _shares(resource: Resource, name: str, mapping: FieldMap) -> bool:
    return any(other.part and other.place == mapping.place for other in resource.maps(name))


def _wrapped(mapping: FieldMap, value: Any) -> Any:
    """Return the value within the field's template; without a value an empty list, or None."""
    if mapping.around is None:
        return value
    if value is None:
        return [] if isinstance(mapping.around, list) else None
    return filled(mapping.around, {"value": value})


def with_parts(name: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of `{fields}` and of its parts, such as `{fields.attributes}`."""
    return {name: value, **{f"{name}.{part}": inner for part, inner in value.items()}}
