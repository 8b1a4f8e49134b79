"""Search for the record of a create whose answer was lost: it is a new one with the values that were sent."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.reading.choices import Tables, choices_of
from aisha.adapters.crm.reading.definitions import Definitions
from aisha.adapters.crm.reading.lists import MAX_PAGES
from aisha.adapters.crm.reading.reader import MAX_CLOCK_SKEW, RemoteReader
from aisha.adapters.crm.values import remote_value
from aisha.adapters.crm.writing.outgoing_fields import applies, remote_fields, with_parts
from aisha.domain.crm.connector import Outgoing, RemoteRecord
from aisha.domain.errors import InvalidInputError

MAX_PAGES_SEARCHED = 5
"""Pages of the newest changes that are searched for a create whose answer was lost."""


class CreatedRecords:
    """The newest records of one connection, compared with what was sent."""

    def __init__(self, file: MappingFile, reader: RemoteReader, definitions: Definitions) -> None:
        self._file = file
        self._reader = reader
        self._definitions = definitions

    def alike(self, resource: Resource, outgoing: Outgoing, since: datetime) -> list[RemoteRecord]:
        """Return the records created since this time, by the CRM's clock, that have the values of `outgoing`."""
        earliest, expected = since - MAX_CLOCK_SKEW, self._expected(resource, outgoing)
        return [
            record
            for record in self._candidates(resource, outgoing, earliest)
            if (record.created_at is None or record.created_at >= earliest)
            and self._is_like(resource, record, expected)
        ]

    def _candidates(self, resource: Resource, outgoing: Outgoing, earliest: datetime) -> Iterator[RemoteRecord]:
        """Yield the records among which a new one is."""
        fields = with_parts("fields", remote_fields(resource, outgoing, self._tables(), is_new=True))
        if resource.parent is not None:
            variables = {**fields, **self._file.parent_of(resource, outgoing.links)}
            yield from self._reader.page_under(resource, resource.find or resource.list_, earliest, variables).items
            return
        # Newest first where the CRM can sort; without changes or a search the whole list has to be read.
        cursor = None
        for _ in range(MAX_PAGES_SEARCHED if resource.changes or resource.find else MAX_PAGES):
            if resource.find is not None:
                page = self._reader.page_of(resource, resource.find, earliest, cursor, fields)
            else:
                page = self._reader.page(resource.name, earliest, cursor)
            yield from page.items
            if (cursor := page.next_cursor) is None:
                break

    def _expected(self, resource: Resource, outgoing: Outgoing) -> dict[str, Any]:
        """Return the written values that the CRM gives back, but the owner."""
        names = {
            name
            for name in outgoing.changed
            for mapping in resource.maps(name)
            if mapping.place and not mapping.user and applies(name, mapping, resource, outgoing, self._tables())
        }
        return {
            name: outgoing.links[name] if name in outgoing.links else outgoing.values.get(name)
            for name in names
            if outgoing.values.get(name) is not None or outgoing.links.get(name) is not None
        }

    def _is_like(self, resource: Resource, record: RemoteRecord, expected: Mapping[str, Any]) -> bool:
        """Return whether a record has the expected values, as far as the CRM can hold them: a day has no time."""
        for name, value in expected.items():
            stored = record.links.get(name) if name in record.links else record.values.get(name)
            if not any(mapping.link or mapping.part for mapping in resource.maps(name)):
                # Both sides in the CRM's form: 12.50 and "12.5000", or a time and its day, are equal there.
                value, stored = (self._as_sent(resource, name, side) for side in (value, stored))
            if not _same(stored, value):
                return False
        return True

    def _as_sent(self, resource: Resource, name: str, value: Any) -> Any:
        """Return a value as the CRM takes it; of several mappings by the one that has it."""
        for mapping in resource.maps(name):
            with suppress(InvalidInputError):
                return remote_value(name, mapping, value, choices_of(mapping, self._tables()))
        return value

    def _tables(self) -> Tables:
        return self._definitions.tables()


def _same(stored: Any, written: Any) -> bool:
    if stored is None or written is None:
        return stored is written
    try:
        return float(stored) == float(written)
    except (TypeError, ValueError):
        pass
    try:
        return datetime.fromisoformat(str(stored)) == datetime.fromisoformat(str(written))
    except (TypeError, ValueError):
        return str(stored).split() == str(written).split()
