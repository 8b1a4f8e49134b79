"""Reading of a CRM's records by its mapping file: one by its ref, or a page of a resource."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace
from pydantic_core import from_json, to_json

from aisha.adapters.crm.http.answers import error_message
from aisha.adapters.crm.http.client import NO_CONTENT, CrmAnswer, CrmClient
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.reading.definitions import Definitions
from aisha.adapters.crm.reading.lists import (
    PLACE_SEPARATOR,
    RESTART_PREFIX,
    Lists,
    place_of,
    restart_of,
    within_restart,
)
from aisha.adapters.crm.reading.rows import RowReader
from aisha.adapters.crm.values import is_id, moment, picked
from aisha.domain.crm.connector import WHOLE_LIST, RemotePage, RemoteRecord
from aisha.domain.errors import NotFoundError, UnavailableError, UnreadableRecordError

MAX_CLOCK_SKEW = timedelta(minutes=5)
"""The difference allowed between the CRM's clock and ours."""

PARENTS_PER_PAGE = 10
"""Records of which one page has what is listed below them, each by a request of its own."""


class RemoteReader:
    """The records of one connection, as its file describes them."""

    def __init__(
        self, file: MappingFile, client: CrmClient, lists: Lists, definitions: Definitions, now: Callable[[], datetime]
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
        readings = [self.row_reader(resource).read(row) for resource in resources]
        first_record = next((record for record in readings if record is not None), None)
        if first_record is None or version is None:
            return first_record
        return replace(first_record, version=version)

    def read_row(self, resource: Resource, ref: str) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return a record's row, None where it does not exist, and its version where a header has it."""
        ids = resource.ids(ref)
        # An id becomes part of an address or a query: one that could leave its place is no id.
        if not all(is_id(native_id, is_queried=self._file.is_queried_by_id) for native_id in ids.values()):
            return None, None
        try:
            if resource.get is None:
                return self._listed_row(resource, ids), None
            answer = self._client.call(resource.get, self.variables(resource, **ids), is_read=True)
        except NotFoundError:
            return None, None
        row = self.row_of(resource.get, answer)
        if not row:
            self._check_absence(resource.get, answer)
            return None, None
        if not isinstance(row, Mapping):
            raise self._no_record(resource.get)
        native_id = self._lists.picked(resource.id, row)
        # Some CRMs answer an unknown id with the first record of the list.
        if native_id and str(native_id).casefold() != ids["id"].casefold():
            raise UnreadableRecordError(
                f"{self._file.title}'s {ref} can't be read: {place_of(resource.get)} answered with the record "
                f"{str(native_id)[:60]!r}"
            )
        version = answer.headers.get((resource.version_header or "").lower())
        return _below(resource, row, ids), version

    def _check_absence(self, endpoint: Endpoint, answer: CrmAnswer) -> None:
        """Raise `UnavailableError` for an answer without a row, unless it means that the record does not exist."""
        if answer.value is NO_CONTENT or answer.value == []:
            return
        message = error_message(self._file.errors, answer.value)
        if message or not answer.value or not isinstance(answer.value, Mapping):
            raise self._no_record(endpoint, f": {message}" if message else ".")

    def _no_record(self, endpoint: Endpoint, reason: str = ".") -> UnavailableError:
        return UnavailableError(
            f"{self._file.title} answered {place_of(endpoint)} without an object of the record{reason}"
        )

    def _listed_row(self, resource: Resource, ids: Mapping[str, str]) -> Mapping[str, Any] | None:
        rows = self._lists.all_rows(resource.list_, self.variables(resource, **ids))
        row = next((row for row in rows if str(self._lists.picked(resource.id, row)) == ids["id"]), None)
        return _below(resource, row, ids) if row else None

    def page(self, name: str, since: datetime | None = None, cursor: str | None = None) -> RemotePage:
        """Return a page of a resource's records, or of those that changed since then."""
        resource = self._file.named(name)
        if resource.parent is not None:
            return self._page_below(resource, self._file.named(resource.parent), since, cursor)
        endpoint, since, place = self._request_for(resource, since, cursor)
        page = self.page_of(resource, endpoint, since, place, {})
        if since is not None and resource.incremental.is_data_feed:
            page = _up_to(page, since)
        is_costly = endpoint.ids_only and not resource.list_.ids_only
        following = within_restart(cursor, page.next_cursor)
        return replace(page, next_cursor=following, part=restart_of(cursor), is_costly=is_costly)

    def _request_for(
        self, resource: Resource, since: datetime | None, cursor: str | None
    ) -> tuple[Endpoint, datetime | None, str | None]:
        """Return the request that has the next rows, or those of changes, with its time and cursor."""
        if cursor and cursor.startswith(RESTART_PREFIX):
            time, _, place = cursor.removeprefix(RESTART_PREFIX).partition(PLACE_SEPARATOR)
            is_whole = cursor.startswith(WHOLE_LIST)
            since, cursor = None if is_whole else datetime.fromisoformat(time), place or None
        # A log of changes that reaches back 30 days has nothing of those before.
        reach = resource.incremental.reach_days
        if since is not None and reach and since < self._now() - timedelta(days=reach) + MAX_CLOCK_SKEW:
            since = None
        return (resource.changes if since is not None and resource.changes else resource.list_), since, cursor

    def page_of(
        self,
        resource: Resource,
        endpoint: Endpoint,
        since: datetime | None,
        cursor: str | None,
        more: Mapping[str, Any],
    ) -> RemotePage:
        """Return the records of one answer to a request for a list. `more` are variables of its templates."""
        rows, following = self._lists.rows(endpoint, self._list_variables(resource, since, more), cursor, resource)
        return self._records(resource, endpoint, rows, following)

    def page_under(
        self, resource: Resource, endpoint: Endpoint, since: datetime | None, variables: Mapping[str, Any]
    ) -> RemotePage:
        """Return all records below one. Raises `NotFoundError` when that does not exist."""
        rows = self._lists.all_rows(endpoint, self._list_variables(resource, since, variables))
        return self._records(resource, endpoint, [_below(resource, row, variables) for row in rows], None)

    def _page_below(
        self, resource: Resource, parent: Resource, since: datetime | None, cursor: str | None
    ) -> RemotePage:
        """Return the records below the next few parents. The cursor has the parents' own, and how many were read."""
        parents_cursor, first = from_json(cursor) if cursor else (None, 0)
        parents_since = since if resource.incremental_dependency else None
        request, parents_since, place = self._request_for(parent, parents_since, parents_cursor)
        variables = self._list_variables(parent, parents_since, {})
        rows, following = self._lists.rows(request, variables, place, parent)
        following = within_restart(parents_cursor, following)
        endpoint, since, _ = self._request_for(resource, since, None)
        pages: list[RemotePage] = []
        parent_ids = list(self._ids(parent, rows))
        batch = parent_ids[first : first + PARENTS_PER_PAGE]
        for parent_id in batch:
            with suppress(NotFoundError):
                pages.append(self.page_under(resource, endpoint, since, {f"resources.{parent.name}.id": parent_id}))
        # All of the parents are gone: more likely the address in the file is wrong.
        if batch and not pages:
            raise UnavailableError(f"{self._file.title} has no list at {place_of(endpoint)}.")
        rest: tuple[str | None, int] = (parents_cursor, first + PARENTS_PER_PAGE)
        if rest[1] >= len(parent_ids):
            rest = (following, 0)
        is_last = rest == (None, 0)
        return _joined(pages, None if is_last else to_json(rest).decode())

    def _ids(self, resource: Resource, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Yield the ids of a resource's records; a row that can't be read is named where they are read themselves."""
        reader = self.row_reader(resource)
        for row in rows:
            with suppress(ValueError):
                if (native_id := reader.id_of(row)) is not None:
                    yield native_id

    def _list_variables(self, resource: Resource, since: datetime | None, more: Mapping[str, Any]) -> Mapping[str, Any]:
        variables = {**self.variables(resource), **more}
        return variables if since is None else {**variables, "since": moment(since, resource.incremental.format)}

    def _records(
        self, resource: Resource, endpoint: Endpoint, rows: Sequence[Mapping[str, Any]], following: str | None
    ) -> RemotePage:
        page = RemotePage([], following, rows=len(rows))
        reader = self.row_reader(resource)
        for row in rows:
            try:
                ref = resource.ref(picked(resource.id, row), row.get(resource.parent_key or ""))
                if reader.is_deleted(row):
                    page.deleted.append(ref)
                    continue
                record = self._record(ref) if endpoint.ids_only else reader.read(row)
            except (ValueError, UnreadableRecordError) as error:
                native_id = _id_or_nothing(resource, row)
                page.skipped.append(f"{resource.name} {native_id}: {error}")
                page.unread.append(resource.ref(native_id, row.get(resource.parent_key or "")))
                continue
            if record is not None and record.entity_type == resource.type:
                page.items.append(record)
        return page

    def variables(self, resource: Resource, **values: Any) -> dict[str, Any]:
        """Return the variables of a resource's templates."""
        columns: dict[str, None] = {}
        for other in (other for other in self._file.resources if other.kind == resource.kind):
            maps = (mapping for name in other.fields for mapping in other.maps(name))
            named = [column for mapping in maps for column in (mapping.column, mapping.time) if column]
            columns |= dict.fromkeys([*other.columns, *named, *other.constants])
        if str(values.get("id", "")).isdecimal():
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

    def row_reader(self, resource: Resource) -> RowReader:
        return RowReader(resource, self._definitions.tables(), is_queried_by_id=self._file.is_queried_by_id)


def _up_to(page: RemotePage, since: datetime) -> RemotePage:
    """Return the page without the records that did not change since then, the last one where it has such."""
    newer = [record for record in page.items if record.updated_at is None or record.updated_at >= since]
    is_last = len(newer) < len(page.items)
    return replace(page, items=newer, next_cursor=None if is_last else page.next_cursor)


def _below(resource: Resource, row: Mapping[str, Any], variables: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row with the id of the record above it."""
    if resource.parent_key is None:
        return row
    return {**row, resource.parent_key: variables[f"resources.{resource.parent}.id"]}


def _joined(pages: Sequence[RemotePage], following: str | None) -> RemotePage:
    parts = (
        [part for page in pages for part in getattr(page, name)] for name in ("items", "skipped", "unread", "deleted")
    )
    items, skipped, unread, deleted = parts
    return RemotePage(items, following, skipped, unread, deleted, sum(page.rows for page in pages))


def _id_or_nothing(resource: Resource, row: Mapping[str, Any]) -> str:
    try:
        return str(picked(resource.id, row))[:60]
    except ValueError:
        return ""
