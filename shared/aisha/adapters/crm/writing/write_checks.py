"""Checks of what is to be written to a CRM, before the first request."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.reading.choices import Tables
from aisha.adapters.crm.writing.outgoing_fields import remote_fields
from aisha.domain.crm.connector import Outgoing
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.errors import InvalidInputError


def unsent_fields(
    file: MappingFile, resource: Resource, tables: Tables, outgoing: Outgoing, action: str
) -> frozenset[str]:
    """Return the changed fields that the CRM has no place for. Raises `InvalidInputError` for what it can't do."""
    entity_type = outgoing.entity_type
    noun = entity_type.replace("_", " ")
    request: Endpoint | None = getattr(resource, action)
    if request is None:
        reason = file.unsupported.get(f"{entity_type}.{action}", f"this connection can't {action} a {noun}.")
        raise InvalidInputError(f"{file.title}: {reason}", entity_type=entity_type)
    unsent: set[str] = set()
    is_new = action == "create"
    above = file.parent_fields(resource) if is_new else []
    for name in outgoing.changed:
        sendable = [
            mapping
            for mapping in resource.maps(name)
            if (mapping.add or mapping.set_ or name in above or (mapping.place and request.sends(mapping.place)))
            # The record above is part of a record's address, which no update changes.
            and (is_new or not (mapping.create_only or resource.is_parent(mapping)))
        ]
        if not sendable or not _can_link(name, sendable, outgoing):
            unsent.add(name)
            continue
        try:
            remote_fields(resource, replace(outgoing, changed=frozenset((name,))), tables, is_new=is_new)
        except InvalidInputError as error:
            # A default that the CRM has no value for was nobody's wish.
            if not is_new or not _is_default(entity_type, name, outgoing.values.get(name)):
                error.message = error.message.replace("the connected CRM", file.title)
                why = file.unsupported.get(f"{entity_type}.{name}.{outgoing.values.get(name)}")
                error.message += f" {why}" if why else ""
                raise
            unsent.add(name)
    _check_required(file, resource, outgoing, action, unsent)
    return frozenset(unsent)


def _check_required(file: MappingFile, resource: Resource, outgoing: Outgoing, action: str, unsent: set[str]) -> None:
    """Refuse a record without a field that the CRM would make up, or refuse, if it were left out."""
    for name in resource.required:
        is_empty = outgoing.values.get(name) in (None, "") and outgoing.links.get(name) is None
        is_sent = name in outgoing.changed and name not in unsent
        if (action == "create" and not is_sent) or (is_sent and is_empty):
            raise _missing(file, outgoing.entity_type, name)
    parents = file.parent_fields(resource) if action == "create" else []
    if parents and not file.parent_of(resource, outgoing.links):
        raise _missing(file, outgoing.entity_type, parents[0])


def _missing(file: MappingFile, noun: str, name: str) -> InvalidInputError:
    label = "related record" if name == "related" else name.removesuffix("_id").replace("_", " ")
    reason = file.unsupported.get(f"{noun}.{name}", "")
    message = f"{file.title} can't store this {noun} without its {label}. {reason}".strip()
    return InvalidInputError(message, pointer=f"/{name}", entity_type=noun)


def _can_link(name: str, maps: Sequence[FieldMap], outgoing: Outgoing) -> bool:
    if maps[0].user:
        return outgoing.owner is not None or outgoing.values.get(name) is None
    if not maps[0].link:
        return True
    link = outgoing.links.get(name)
    return link is None or any(mapping.link == link.partition("/")[0] for mapping in maps)


def _is_default(entity_type: str, name: str, value: Any) -> bool:
    field = RECORD_TYPES[entity_type].model_fields.get(name)
    return field is not None and value == field.default
