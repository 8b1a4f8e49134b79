"""Checks of a resource of a mapping file: its values, its requests, and what stands below other records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aisha.adapters.crm.mapping_file.errors import suggested
from aisha.adapters.crm.mapping_file.record_fields import LINK_TYPES, enumerated
from aisha.adapters.http_tools.templates import names_in
from aisha.domain.crm.records import RECORD_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aisha.adapters.crm.mapping_file.requests import Endpoint
    from aisha.adapters.crm.mapping_file.resource import Resource


def problems_of(resource: Resource) -> Iterator[str]:
    """Yield what is wrong with a resource by itself, one sentence each."""
    yield from _wrong_values(resource)
    yield from _wrong_requests(resource)
    yield from _wrong_parents(resource)


def _wrong_values(resource: Resource) -> Iterator[str]:
    """Yield AiSHA's values in mappings that AiSHA does not have, and ids of records that are no links."""
    for name in resource.fields:
        field = RECORD_TYPES[resource.type].model_fields.get(name)
        allowed = enumerated(field.annotation) if field else []
        for mapping in resource.maps(name):
            named = [
                *(mapping.values if isinstance(mapping.values, dict) else ()),
                *mapping.shown.values(),
                mapping.other,
            ]
            for value in named if allowed else ():
                if value is not None and value not in allowed:
                    yield f"fields.{name}: {resource.type} has no {name} {value!r}. {suggested(value, allowed)}"
            if name in LINK_TYPES and not mapping.link:
                yield f"fields.{name}: say with link which object the id is of"
            for other in sorted(set(names_in(mapping.also)) - resource.fields.keys() - {"now"}):
                yield f"fields.{name}.also: {{{other}}} is none of this resource's fields"
    # A connection's values are known when it is made, and differ from customer to customer.
    constants = {name for name in names_in(resource.constants) if not name.startswith("connection.")}
    for other in sorted(constants - resource.fields.keys() - {"now"}):
        yield f"constants: {{{other}}} is none of this resource's fields"


def _wrong_requests(resource: Resource) -> Iterator[str]:
    """Yield requests without the placeholder that they are for, or with one that they have no value for."""
    needed = {
        "get": ("id", "number"), "create": ("fields",), "update": ("fields", "record"), "delete": ("id", "number"),
        "restore": ("id", "number"), "find": ("fields",),
    }  # fmt: skip
    lists = {"list": resource.list_} | ({"changes": resource.changes} if resource.changes else {})
    others: dict[str, Endpoint] = {name: request for name in needed if (request := getattr(resource, name))}
    for name, request in others.items():
        if not request.has(*needed[name]):
            yield f"{name}: it has no {{{needed[name][0]}}}, so it is the same request for every record"
    if resource.update is not None and not resource.update.has("id", "number") and not _repeats_id(resource):
        yield "update: it has no {id}, so it is the same request for every record"
    # Then each run reads the whole list and believes that everything changed.
    if resource.changes is not None and resource.list_ == resource.changes and not resource.incremental.is_data_feed:
        yield "changes: it is the same as list; leave it out"
    partial = resource.incremental.reach_days or resource.incremental.is_data_feed
    if resource.changes is not None and not resource.changes.has("since") and not partial:
        yield (
            "changes: it has no {since}; where it reaches back a fixed time, say incremental.reach_days, and where "
            "it begins with the latest change, incremental.is_data_feed"
        )
    if resource.incremental.is_data_feed and not (resource.changes and resource.updated_at):
        yield "incremental.is_data_feed: it needs changes and updated_at"
    for name, request in (lists | others).items():
        # Only an update has a row that was read before, which it can repeat.
        if name != "update" and request.has("record"):
            yield f"{name}: {{record}} is for update alone"
        if request.has("version") and not (resource.version or resource.version_header):
            yield f"{name}: {{version}} needs version or version_header"
    for name, request in lists.items():
        place = {"cursor": "cursor", "header_cursor": "cursor", "offset": "offset", "page_number": "page"}
        kind = request.paginator.type if request.paginator else ""
        if kind in place and place[kind] not in request.names():
            yield f"{name}: a paginator of type {kind} needs {{{place[kind]}}} in params, json or headers"


def _repeats_id(resource: Resource) -> bool:
    """Return whether the `{record}` of an update has the record's id."""
    assert resource.update is not None  # noqa: S101 - the caller has looked
    is_whole = resource.record is None and resource.fields_at is None
    is_picked = re.search(rf"(?<![\w.]){re.escape(resource.id)}(?![\w.])", resource.record or "") is not None
    return resource.update.has("record") and (is_whole or is_picked)


def _wrong_parents(resource: Resource) -> Iterator[str]:
    """Yield requests below records of a resource that nothing says the id of."""
    # Below another record the list itself can be looked through; a whole list would be too long.
    if resource.get is None and resource.parent is None:
        yield "'get' is missing"
    if resource.incremental_dependency and resource.parent is None:
        yield "incremental_dependency: list has no {resources.<name>.id}, so it depends on no resource"
    for name in ("get", "changes", "create", "update", "delete", "restore", "find"):
        request: Endpoint | None = getattr(resource, name)
        # A new record names its parent by a link; a ref does where the list has it.
        if (
            request is not None
            and request.parent not in (None, resource.parent)
            and (name != "create" or resource.parent)
        ):
            yield f"{name}: it has {{resources.{request.parent}.id}}, and list has not"
    if resource.parent and resource.changes is not None and resource.changes.parent is None:
        yield f"changes: it has no {{resources.{resource.parent}.id}}, and list has"
