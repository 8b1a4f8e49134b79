"""Find where a mapping file reads a value and writes another: an update with a record's own values would change it."""

import re
from typing import Any

from msgspec.structs import replace

from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.reading.choices import Tables
from aisha.adapters.crm.reading.lists import Lists
from aisha.adapters.crm.reading.reader import RemoteReader
from aisha.adapters.crm.values import picked
from aisha.adapters.crm.writing.outgoing_fields import remote_fields
from aisha.domain.crm.connector import Outgoing
from aisha.domain.errors import InvalidInputError

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def update_differences(file: MappingFile, reader: RemoteReader, lists: Lists, tables: Tables, ref: str) -> list[str]:
    """Return what an update of a record with its own values would change, for people who check a connection.

    Fields that are read at one place and written at another are left out.
    """
    resource = file.of_object(ref)[0]
    row, _ = reader.read_row(resource, ref)
    record = reader.row_reader(resource).read(row) if row else None
    if row is None or record is None:
        return []
    row_fields, lines = lists.picked(resource.fields_at, row), []
    outgoing = Outgoing(record.entity_type, record.values, frozenset(), record.links, record.owner)
    for name in resource.fields:
        if any(mapping.put or not mapping.place or mapping.part for mapping in resource.maps(name)):
            continue
        try:
            changed = replace(outgoing, changed=frozenset((name,)))
            fields = remote_fields(resource, changed, tables, is_new=False)
        except InvalidInputError:
            continue
        for mapping in resource.maps(name):
            written, stored = picked(mapping.at, fields), picked(mapping.at, row_fields)
            if written is not None and not _is_same(mapping, written, stored):
                is_number = isinstance(stored, int | float) and written == str(stored)
                hint = "; say numeric" if is_number and mapping.is_id else ""
                lines.append(f"{name} is {stored!r} and would be written as {written!r}{hint}")
    return lines


def _is_same(mapping: FieldMap, written: Any, stored: Any) -> bool:
    """Return whether a value is written as the CRM shows it; a number may be shown as text."""
    if (
        isinstance(written, int | float)
        and isinstance(stored, str)
        and not (mapping.is_id or isinstance(written, bool))
    ):
        return _NUMBER.fullmatch(stored) is not None and float(stored) == written
    return bool(written == stored) and isinstance(written, bool) == isinstance(stored, bool)
