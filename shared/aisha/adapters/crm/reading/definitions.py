"""Read the definitions of a tenant's CRM: users, values such as stages, and fields of its own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aisha.adapters.crm.mapping_file.file import MappingFile, ValueTable
from aisha.adapters.crm.reading.choices import Tables, choices_of, custom_field, read_choices, team_values_of
from aisha.adapters.crm.reading.lists import Lists
from aisha.domain.crm.connector import Connection, RemoteUser
from aisha.domain.crm.custom_fields import CustomField, CustomFields
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.crm.team_values import TeamValue, TeamValues, standard_value
from aisha.domain.errors import UnavailableError


class Definitions:
    """The definitions of one connection. Each list is read at first use and kept with the object."""

    def __init__(self, file: MappingFile, connection: Connection, lists: Lists) -> None:
        self._file = file
        self._connection = connection
        self._lists = lists
        self._read_tables: Tables | None = None
        self._users: list[RemoteUser] | None = None

    def users(self) -> Sequence[RemoteUser] | None:
        """Return the CRM's users; None where records name their owners by e-mail address."""
        if any(
            mapping.user == "email"
            for each in self._file.resources
            for name in each.fields
            for mapping in each.maps(name)
        ):
            return None
        if self._users is None:
            users = self._file.users
            rows = self._lists.all_rows(users.endpoint) if users else []
            self._users = [
                RemoteUser(str(native_id), str(email).lower())
                for row in rows
                if users and (native_id := self._lists.picked(users.id, row)) is not None
                if (email := self._lists.picked(users.email, row))
            ]
        return self._users

    def team_values(self) -> TeamValues:
        """Return the values of the team's own by place, such as `opportunity.stage`."""
        values_by_place: dict[str, dict[str, TeamValue]] = {}
        for resource in self._file.resources:
            for name in resource.fields:
                maps = resource.maps(name)
                values = [
                    value
                    for mapping in maps
                    for value in team_values_of(mapping, choices_of(mapping, self.tables())).values()
                ]
                fixed = [
                    key for mapping in maps if values and isinstance(mapping.values, dict) for key in mapping.values
                ]
                values += [standard_value(key) for key in fixed]
                for value in values:
                    values_by_place.setdefault(f"{resource.type}.{name}", {}).setdefault(value.key, value)
        return {place: list(values.values()) for place, values in values_by_place.items()}

    def custom_fields(self) -> CustomFields:
        """Return the mapped fields that AiSHA does not have itself, by type."""
        fields_by_type: dict[str, dict[str, CustomField]] = {}
        for resource in self._file.resources:
            for name in resource.fields:
                own = custom_field(name, resource.maps(name), self.tables())
                if own is not None and own.name not in RECORD_TYPES[resource.type].model_fields:
                    fields_by_type.setdefault(resource.type, {}).setdefault(own.name, own)
        return {kind: list(fields.values()) for kind, fields in fields_by_type.items()}

    def tables(self) -> Tables:
        """Return the choices of each table of values, read at first use."""
        if self._read_tables is None:
            own = self._connection.values
            self._read_tables = {
                name: read_choices(self._values_of(name, table), table, own.get(name, {}), self._lists.picked)
                for name, table in self._file.values.items()
            }
        return self._read_tables

    def _values_of(self, name: str, table: ValueTable) -> Iterator[tuple[Mapping[str, Any], Any]]:
        """Yield the rows of a table of values, each with the group that it belongs to."""
        for row in self._lists.all_rows(table.endpoint):
            group = self._lists.picked(table.group, row) if table.group else None
            values = self._lists.picked(table.items, row) if table.items else [row]
            if not isinstance(values, list):
                raise UnavailableError(f"{self._file.title}'s values of {name} have no list at items {table.items!r}.")
            yield from ((value, group) for value in values)
