"""A `CrmConnector` made of a mapping file."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from msgspec.structs import replace

from aisha.adapters.crm.choices import Tables, choices_of
from aisha.adapters.crm.client import NO_CONTENT, CrmAnswer, CrmClient
from aisha.adapters.crm.definitions import Definitions
from aisha.adapters.crm.lists import MAX_PAGES, RESTART, Lists, place_of, shape_of
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.crm.mapping_file.resource import FieldMap, Resource
from aisha.adapters.crm.rows import RowReader, remote_fields
from aisha.adapters.crm.values import is_id, moment, picked, remote_value
from aisha.adapters.http_tools.templates import filled
from aisha.domain.crm.connector import Connection, Outgoing, RemotePage, RemoteRecord, RemoteUser
from aisha.domain.crm.custom_fields import CustomFields
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.crm.team_values import TeamValues
from aisha.domain.errors import (
    AnswerLostError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
    UnreadableRecordError,
)

MAX_PAGES_SEARCHED = 5
"""Pages of the newest changes that are searched for a create whose answer was lost."""
_LAST_PART = re.compile(r"([^/()?#]+)\)?/?(?:[?#].*)?$")
CLOCK_DIFFERENCE = timedelta(minutes=5)
"""The difference allowed between the CRM's clock and ours."""


class DeclarativeConnector:
    """A CRM as its file describes it. Tables of values are read at first use and kept with the object."""

    def __init__(
        self,
        file: MappingFile,
        connection: Connection,
        client: CrmClient,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._file = file
        self._connection = connection
        self._client = client
        self._now = now
        self._lists = Lists(file.title, client)
        self._definitions = Definitions(file, connection, self._lists)

    @property
    def title(self) -> str:
        return self._file.title

    @property
    def resources(self) -> Mapping[str, str]:
        return {resource.name: resource.type for resource in self._file.resources}

    def types_of(self, ref: str) -> Sequence[str]:
        return list(dict.fromkeys(resource.type for resource in self._of_kind(ref)))

    # --- reading

    def get(self, ref: str) -> RemoteRecord | None:
        try:
            return self._record(ref)
        except ValueError as error:
            raise UnreadableRecordError(f"{self.title}'s {ref} can't be read: {error}") from None

    def _record(self, ref: str) -> RemoteRecord | None:
        """Return the record as it is now; None when it does not exist. Raises ValueError for one that can't be read."""
        resources = self._of_kind(ref)
        row, version = self._read(resources[0], ref) if resources else (None, None)
        if row is None:
            return None
        readings = [self._reader(resource).read(row) for resource in resources]
        first_record = next((record for record in readings if record is not None), None)
        if first_record is None or version is None:
            return first_record
        return replace(first_record, version=version)

    def _read(self, resource: Resource, ref: str) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return a record's row, None where it does not exist, and its version where a header has it."""
        # It may stand in a query's text.
        if not is_id(_id(ref)):
            return None, None
        try:
            answer = self._client.call(resource.get, self._names(resource, id=_id(ref)), is_read=True)
        except NotFoundError:
            return None, None
        row = self._row(resource.get, answer)
        if row is not None and not isinstance(row, Mapping):
            raise UnavailableError(f"{self.title} answered {place_of(resource.get)} without an object of the record.")
        return row or None, answer.headers.get((resource.version_header or "").lower())

    def page(self, resource: str, since: datetime | None = None, cursor: str | None = None) -> RemotePage:
        one = next(one for one in self._file.resources if one.name == resource)
        if cursor and cursor.startswith(RESTART):
            since, cursor = datetime.fromisoformat(cursor.removeprefix(RESTART)), None
        reach = one.incremental.reach_days
        if since is not None and reach and since < self._now() - timedelta(days=reach) + CLOCK_DIFFERENCE:
            since = None
        endpoint = one.changes if since is not None and one.changes else one.list_
        return self._page(one, endpoint, since, cursor, {})

    def _page(
        self, one: Resource, endpoint: Endpoint, since: datetime | None, cursor: str | None, more: Mapping[str, Any]
    ) -> RemotePage:
        names = {**self._names(one), **more}
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

    def users(self) -> Sequence[RemoteUser] | None:
        return self._definitions.users()

    def team_values(self) -> TeamValues:
        return self._definitions.team_values()

    def custom_fields(self) -> CustomFields:
        return self._definitions.custom_fields()

    # --- writing

    def object_of(self, outgoing: Outgoing) -> str:
        return next((self._for(outgoing).kind for _ in self._file.of_type(outgoing.entity_type)), "")

    def check(self, outgoing: Outgoing, action: str, ref: str | None = None) -> frozenset[str]:
        entity_type = outgoing.entity_type
        noun = entity_type.replace("_", " ")
        if entity_type in self._file.unsupported:
            raise InvalidInputError(f"{self.title}: {self._file.unsupported[entity_type]}", entity_type=entity_type)
        resource = self._for(outgoing, ref)
        if getattr(resource, action) is None:
            reason = self._file.unsupported.get(f"{entity_type}.{action}", f"this connection can't {action} a {noun}.")
            raise InvalidInputError(f"{self.title}: {reason}", entity_type=entity_type)
        unsent: set[str] = set()
        for name in outgoing.changed:
            is_new = action == "create"
            sendable = [
                one for one in resource.maps(name) if (one.place or one.add) and (is_new or not one.create_only)
            ]
            if not sendable or not self._can_link(name, sendable, outgoing):
                unsent.add(name)
                continue
            try:
                remote_fields(resource, replace(outgoing, changed=frozenset((name,))), self._tables(), is_new=is_new)
            except InvalidInputError as error:
                # A default that the CRM has no value for was nobody's wish.
                if not is_new or not _is_default(entity_type, name, outgoing.values.get(name)):
                    error.message = error.message.replace("the connected CRM", self.title)
                    why = self._file.unsupported.get(f"{entity_type}.{name}.{outgoing.values.get(name)}")
                    error.message += f" {why}" if why else ""
                    raise
                unsent.add(name)
        self._check_required(resource, outgoing, action, unsent)
        return frozenset(unsent)

    def _check_required(self, resource: Resource, outgoing: Outgoing, action: str, unsent: set[str]) -> None:
        """Refuse a record without a field that the CRM would make up, or refuse, if it were left out."""
        for name in resource.required:
            is_empty = outgoing.values.get(name) in (None, "") and outgoing.links.get(name) is None
            is_sent = name in outgoing.changed and name not in unsent
            if (action == "create" and not is_sent) or (is_sent and is_empty):
                noun = outgoing.entity_type
                label = "related record" if name == "related" else name.removesuffix("_id").replace("_", " ")
                reason = self._file.unsupported.get(f"{noun}.{name}", "")
                message = f"{self.title} can't store this {noun} without its {label}. {reason}".strip()
                raise InvalidInputError(message, pointer=f"/{name}", entity_type=noun)

    def _can_link(self, name: str, maps: Sequence[FieldMap], outgoing: Outgoing) -> bool:
        if maps[0].user:
            return outgoing.owner is not None or outgoing.values.get(name) is None
        if not maps[0].link:
            return True
        link = outgoing.links.get(name)
        return link is None or any(one.link == link.partition("/")[0] for one in maps)

    def create(self, outgoing: Outgoing) -> RemoteRecord:
        resource = self._for(outgoing)
        assert resource.create is not None  # noqa: S101 - `check` has refused it
        names = self._names(resource, **self._key(resource, outgoing))
        fields = filled(remote_fields(resource, outgoing, self._tables(), is_new=True), {"now": names["now"]})
        endpoint = resource.create
        if resource.key and "key" in names:
            endpoint = resource.key.create or endpoint
            fields |= {} if resource.key.create else {resource.key.field: outgoing.key}
        started = self._now()
        with _naming_fields(resource):
            answer = self._client.call(endpoint, {**names, **_with_parts("fields", fields)})
        row = self._row(endpoint, answer)
        native_id = self._lists.picked(resource.created_id or resource.id, row) if row is not None else None
        if resource.created_id_header:
            match = _LAST_PART.search(answer.headers.get(resource.created_id_header.lower(), ""))
            native_id = match[1] if match else native_id
        if native_id in (None, "", False):
            # Some answer without the id: it is the newest one with these values.
            with _done(self.title):
                alike = sorted(self.find_created(outgoing, started), key=lambda one: one.created_at or started)
            if not alike:
                raise AnswerLostError(f"{self.title} did not say which record it created.")
            native_id = _id(alike[-1].ref)
        ref = f"{resource.kind}/{native_id}"
        with _done(self.title):
            try:
                self._link(resource, ref, outgoing, before=None)
            except InvalidInputError:
                # The record without its links is not what was ordered.
                self.delete(ref)
                raise
            return self._stored(ref)

    def repeats_safely(self, entity_type: str) -> bool:
        keys = [one.key for one in self._file.of_type(entity_type)]
        return self._connection.keyed and all(key is not None and key.unique for key in keys)

    def find_created(self, outgoing: Outgoing, since: datetime) -> list[RemoteRecord]:
        resource = self._for(outgoing)
        if resource.key is not None and self._connection.keyed:
            find = resource.key.find
            names = self._names(resource, limit=2, **self._key(resource, outgoing))
            answer = self._client.call(find, names, is_read=True)
            rows = self._lists.picked(find.data_selector, answer.value) or []
            rows = rows if isinstance(rows, list) else [rows]
            read = (self.get(f"{resource.kind}/{picked(resource.id, row)}") for row in rows)
            return [record for record in read if record is not None]
        expected = self._expected(resource, outgoing)
        earliest, cursor, created_records = since - CLOCK_DIFFERENCE, None, []
        fields = _with_parts("fields", remote_fields(resource, outgoing, self._tables(), is_new=True))
        for _ in range(MAX_PAGES_SEARCHED if resource.changes or resource.find else MAX_PAGES):
            if resource.find is not None:
                page = self._page(resource, resource.find, earliest, cursor, fields)
            else:
                page = self.page(resource.name, earliest, cursor)
            created_records += [
                record
                for record in page.items
                if (record.created_at is None or record.created_at >= earliest)
                and self._is_like(resource, record, expected)
            ]
            if (cursor := page.next_cursor) is None:
                break
        return created_records

    def _expected(self, resource: Resource, outgoing: Outgoing) -> dict[str, Any]:
        """Return the written values that the CRM gives back, but the owner."""
        names = {name for name in outgoing.changed for one in resource.maps(name) if one.place and not one.user}
        return {
            name: outgoing.links[name] if name in outgoing.links else outgoing.values.get(name)
            for name in names
            if outgoing.values.get(name) is not None or outgoing.links.get(name) is not None
        }

    def _is_like(self, resource: Resource, record: RemoteRecord, expected: Mapping[str, Any]) -> bool:
        """Return whether a record has the expected values, as far as the CRM can hold them: a day has no time."""
        for name, value in expected.items():
            stored = record.links.get(name) if name in record.links else record.values.get(name)
            one = resource.maps(name)[0]
            if one.link is None and not one.part:
                choices = choices_of(one, self._tables())
                value, stored = (remote_value(name, one, side, choices) for side in (value, stored))
            if not _same(stored, value):
                return False
        return True

    def update(self, ref: str, outgoing: Outgoing) -> RemoteRecord:
        resource = self._for(outgoing, ref)
        assert resource.update is not None  # noqa: S101 - `check` has refused it
        before = self.get(ref) if any(one.add for name in outgoing.changed for one in resource.maps(name)) else None
        fields = remote_fields(resource, outgoing, self._tables(), is_new=False)
        if fields:
            names = self._names(resource, id=_id(ref), **_with_parts("fields", fields), **_unmodified(outgoing))
            names |= self._whole(resource, ref, outgoing) if resource.update.has("record") else {}
            names |= self._version(resource.update, ref, outgoing.version)
            with _naming_fields(resource):
                self._client.call(resource.update, names)
        with _done(self.title):
            self._link(resource, ref, outgoing, before)
            return self._stored(ref)

    def _whole(self, resource: Resource, ref: str, outgoing: Outgoing) -> dict[str, Any]:
        """Return the `{record}` of an update: what the CRM has in `fields_at`, with the changed fields in it."""
        row, _ = self._read(resource, ref)
        if row is None:
            raise NotFoundError(f"{self.title} does not have this record any more.")
        stored = self._lists.picked(resource.record, self._lists.picked(resource.fields_at, row))
        if not isinstance(stored, Mapping):
            raise UnavailableError(f"{self.title}'s {resource.name} can't be repeated: {shape_of(stored)}.")
        return _with_parts("record", remote_fields(resource, outgoing, self._tables(), is_new=False, onto=stored))

    def _version(self, endpoint: Endpoint, ref: str, known_version: int | str | None = None) -> dict[str, int | str]:
        if not endpoint.has("version"):
            return {}
        record = self.get(ref) if known_version is None else None
        version = record.version if record else known_version
        return {} if version is None else {"version": version}

    def _link(self, resource: Resource, ref: str, outgoing: Outgoing, before: RemoteRecord | None) -> None:
        """Make and end the links that are requests of their own; repeating one changes nothing."""
        for name in outgoing.changed:
            for one in resource.maps(name):
                new, old = outgoing.links.get(name), before.links.get(name) if before else None
                if one.remove and old and old != new and old.partition("/")[0] == one.link:
                    self._client.call(one.remove, {"id": _id(ref), "target": _id(old)})
                if one.add and new and new != old and new.partition("/")[0] == one.link:
                    self._client.call(one.add, {"id": _id(ref), "target": _id(new)})

    def delete(self, ref: str) -> None:
        resource = self._of_kind(ref)[0]
        assert resource.delete is not None  # noqa: S101 - `check` has refused it
        try:
            version = self._version(resource.delete, ref)
            self._client.call(resource.delete, self._names(resource, id=_id(ref), **version))
        except NotFoundError:
            return

    def restore(self, ref: str) -> RemoteRecord | None:
        resource = next(iter(self._of_kind(ref)), None)
        if resource is None or resource.restore is None:
            return None
        if (record := self.get(ref)) is not None:
            return record
        try:
            self._client.call(resource.restore, self._names(resource, id=_id(ref)))
        except (ConflictError, InvalidInputError, NotFoundError):
            return None
        with _done(self.title):
            return self.get(ref)

    # --- parts

    def _tables(self) -> Tables:
        return self._definitions.tables()

    def _stored(self, ref: str) -> RemoteRecord:
        if (record := self.get(ref)) is None:
            raise NotFoundError(f"{self.title} does not have this record any more.")
        return record

    def _of_kind(self, ref: str) -> list[Resource]:
        kind = ref.partition("/")[0]
        return [resource for resource in self._file.resources if resource.kind == kind]

    def _for(self, outgoing: Outgoing, ref: str | None = None) -> Resource:
        """Return the resource that such a record belongs to."""
        resources = self._file.of_type(outgoing.entity_type)
        if ref is not None:
            resources = [resource for resource in resources if resource in self._of_kind(ref)] or resources
        for resource in resources:
            if all(str(outgoing.values.get(name)) in allowed for name, allowed in resource.only.items()):
                return resource
        return resources[0]

    def _reader(self, resource: Resource) -> RowReader:
        return RowReader(resource, self._tables())

    def _row(self, endpoint: Endpoint, answer: CrmAnswer) -> Any:
        if answer.value is NO_CONTENT:
            return None
        row = self._lists.picked(endpoint.data_selector, answer.value)
        return (row[0] if row else None) if isinstance(row, list) else row

    def _key(self, resource: Resource, outgoing: Outgoing) -> dict[str, Any]:
        is_keyed = resource.key is not None and self._connection.keyed
        return {"key": outgoing.key, "key_field": resource.key.field} if resource.key and is_keyed else {}

    def _names(self, resource: Resource, **values: Any) -> dict[str, Any]:
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

    def differences(self, ref: str) -> list[str]:
        """Return what an update of a record with its own values would change, for people who check a connection.

        Fields that are read at one place and written at another are left out.
        """
        resource = self._of_kind(ref)[0]
        row, _ = self._read(resource, ref)
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
                fields = remote_fields(resource, changed, self._tables(), is_new=False)
            except InvalidInputError:
                continue
            for one in resource.maps(name):
                written, stored = picked(one.at, fields), picked(one.at, row_fields)
                if written is not None and (written != stored or isinstance(written, bool) != isinstance(stored, bool)):
                    lines.append(f"{name} is {stored!r} and would be written as {written!r}")
        return lines

    def describe_values(self) -> Tables:
        """Return the tables of values, for people who check a connection."""
        return self._tables()


@contextmanager
def _done(title: str) -> Iterator[None]:
    """Re-raise as `AnswerLostError` what goes wrong after a request that the CRM has done: it is no failed write."""
    try:
        yield
    except (NotFoundError, PermissionDeniedError, RateLimitedError, UnavailableError) as error:
        raise AnswerLostError(f"{title} did not show what it has done: {error.message}") from error


@contextmanager
def _naming_fields(resource: Resource) -> Iterator[None]:
    """Re-raise the CRM's refusal of a value with AiSHA's name of the field."""
    try:
        yield
    except InvalidInputError as error:
        native_name = error.detail["field"] if isinstance(error.detail, Mapping) else ""
        for name in resource.fields:
            for one in resource.maps(name):
                if native_name and native_name in (one.place, one.column, (one.place or "").rpartition(".")[2]):
                    label = name.replace("_", " ")
                    message = error.message if label in error.message else f"{error.message} ({label})"
                    raise InvalidInputError(message, pointer=f"/{name}", entity_type=resource.type) from None
        raise


def _unmodified(outgoing: Outgoing) -> dict[str, str]:
    since = outgoing.unmodified_since
    return {"unmodified_since": format_datetime(since.astimezone(UTC), usegmt=True)} if since else {}


def _id(ref: str) -> str:
    return ref.partition("/")[2]


def _id_or_nothing(resource: Resource, row: Mapping[str, Any]) -> str:
    try:
        return str(picked(resource.id, row))[:60]
    except ValueError:
        return ""


def _with_parts(name: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of `{fields}` and of its parts, such as `{fields.attributes}`."""
    return {name: value, **{f"{name}.{part}": inner for part, inner in value.items()}}


def _is_default(entity_type: str, name: str, value: Any) -> bool:
    field = RECORD_TYPES[entity_type].model_fields.get(name)
    return field is not None and value == field.default


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
