"""Reading of a CRM's records by its mapping file: one by its ref, or a page of a resource."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from aisha.adapters.crm.client import NO_CONTENT, CrmAnswer, CrmClient
from aisha.adapters.crm.definitions import Definitions
from aisha.adapters.crm.lists import RESTART, Lists, place_of
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.rows import RowReader, remote_fields
from aisha.adapters.crm.values import is_id, moment, picked
from aisha.domain.crm.connector import Outgoing, RemotePage, RemoteRecord
from aisha.domain.errors import InvalidInputError, NotFoundError, UnavailableError, UnreadableRecordError

CLOCK_DIFFERENCE = timedelta(minutes=5)
"""The difference allowed between the CRM's clock and ours."""


class RemoteReader:
    """The records of one connection, as its file describes them."""

    def __init__(
        self,
        file: MappingFile,
        client: CrmClient,
        lists: Lists,
        definitions: Definitions,
        now: Callable[[], datetime],
    ) -> None:
        self._file = file
        self._client = client
        self._lists = lists
        self._definitions = definitions
        self._now = now

    def get(self, ref: str) -> RemoteRecord | None:
        """Return the record as it is now; None when it does not exist. Raises `UnreadableRecordError`."""
        try:
            return self._record(ref)
        except ValueError as error:
            raise UnreadableRecordError(f"{self._file.title}'s {ref} can't be read: {error}") from None

    def _record(self, ref: str) -> RemoteRecord | None:
        resources = self._file.of_object(ref)
        row, version = self.read_row(resources[0], ref) if resources else (None, None)
        if row is None:
            return None
        readings = [self._reader(resource).read(row) for resource in resources]
        first_record = next((record for record in readings if record is not None), None)
        if first_record is None or version is None:
            return first_record
        return replace(first_record, version=version)

    def read_row(self, resource: Resource, ref: str) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return a record's row, None where it does not exist, and its version where a header has it."""
        # It may stand in a query's text.
        if not is_id(native_id_of(ref)):
            return None, None
        try:
            answer = self._client.call(resource.get, self.variables(resource, id=native_id_of(ref)), is_read=True)
        except NotFoundError:
            return None, None
        row = self.row_of(resource.get, answer)
        if row is not None and not isinstance(row, Mapping):
            raise UnavailableError(
                f"{self._file.title} answered {place_of(resource.get)} without an object of the record."
            )
        return row or None, answer.headers.get((resource.version_header or "").lower())

    def page(self, resource: str, since: datetime | None = None, cursor: str | None = None) -> RemotePage:
        """Return a page of a resource's records, or of those that changed since then."""
        one = next(one for one in self._file.resources if one.name == resource)
        if cursor and cursor.startswith(RESTART):
            since, cursor = datetime.fromisoformat(cursor.removeprefix(RESTART)), None
        reach = one.incremental.reach_days
        if since is not None and reach and since < self._now() - timedelta(days=reach) + CLOCK_DIFFERENCE:
            since = None
        endpoint = one.changes if since is not None and one.changes else one.list_
        return self.page_of(one, endpoint, since, cursor, {})

    def page_of(
        self, one: Resource, endpoint: Endpoint, since: datetime | None, cursor: str | None, more: Mapping[str, Any]
    ) -> RemotePage:
        """Return the records of one answer to a request for a list. `more` are variables of its templates."""
        names = {**self.variables(one), **more}
        if since is not None:
            names["since"] = moment(since, one.incremental.format)
        rows, following = self._lists.rows(endpoint, names, cursor, one)
        items: list[RemoteRecord] = []
        skipped: list[str] = []
        unread: list[str] = []
        deleted: list[str] = []
        reader = self._reader(one)
        for row in rows:
            try:
                if reader.is_deleted(row):
                    deleted.append(f"{one.kind}/{picked(one.id, row)}")
                    continue
                record = self._record(f"{one.kind}/{picked(one.id, row)}") if endpoint.ids_only else reader.read(row)
            except ValueError as error:
                native_id = _id_or_nothing(one, row)
                skipped.append(f"{one.name} {native_id}: {error}")
                unread.append(f"{one.kind}/{native_id}")
                continue
            if record is not None and record.entity_type == one.type:
                items.append(record)
        return RemotePage(items, following, skipped, unread, deleted, len(rows))

    def differences(self, ref: str) -> list[str]:
        """Return what an update of a record with its own values would change, for people who check a connection.

        Fields that are read at one place and written at another are left out.
        """
        resource = self._file.of_object(ref)[0]
        row, _ = self.read_row(resource, ref)
        record = self._reader(resource).read(row) if row else None
        if row is None or record is None:
            return []
        row_fields, lines = self._lists.picked(resource.fields_at, row), []
        outgoing = Outgoing(record.entity_type, record.values, frozenset(), record.links, record.owner)
        for name in resource.fields:
            if any(one.put or not one.place or one.part for one in resource.maps(name)):
                continue
            try:
                changed = replace(outgoing, changed=frozenset((name,)))
                fields = remote_fields(resource, changed, self._definitions.tables(), is_new=False)
            except InvalidInputError:
                continue
            for one in resource.maps(name):
                written, stored = picked(one.at, fields), picked(one.at, row_fields)
                if written is not None and (written != stored or isinstance(written, bool) != isinstance(stored, bool)):
                    lines.append(f"{name} is {stored!r} and would be written as {written!r}")
        return lines

    def variables(self, resource: Resource, **values: Any) -> dict[str, Any]:
        """Return the variables of a resource's templates."""
        columns: dict[str, None] = {}
        for other in (one for one in self._file.resources if one.kind == resource.kind):
            maps = (one for name in other.fields for one in other.maps(name))
            named = [one.column for one in maps if one.column]
            columns |= dict.fromkeys([*other.columns, *named, *other.constants])
        if str(values.get("id", "")).isdigit():
            values["number"] = int(values["id"])
        return {
            "columns": ",".join(columns),
            "column_list": list(columns),
            "now": self._now().isoformat(timespec="seconds"),
            **values,
        }

    def row_of(self, endpoint: Endpoint, answer: CrmAnswer) -> Any:
        """Return the row in an answer; None where it has none."""
        if answer.value is NO_CONTENT:
            return None
        row = self._lists.picked(endpoint.data_selector, answer.value)
        return (row[0] if row else None) if isinstance(row, list) else row

    def _reader(self, resource: Resource) -> RowReader:
        return RowReader(resource, self._definitions.tables())


def native_id_of(ref: str) -> str:
    """Return the CRM's own id in a ref."""
    return ref.partition("/")[2]


def _id_or_nothing(resource: Resource, row: Mapping[str, Any]) -> str:
    try:
        return str(picked(resource.id, row))[:60]
    except ValueError:
        return ""
