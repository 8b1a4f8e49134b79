"""A `CrmConnector` made of a mapping file."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import unquote

from aisha.adapters.crm.http.answers import error_message, lost_afterwards, naming_fields
from aisha.adapters.crm.http.client import CrmClient
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Endpoint
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.crm.reading.definitions import Definitions
from aisha.adapters.crm.reading.lists import Lists, shape_of
from aisha.adapters.crm.reading.reader import RemoteReader
from aisha.adapters.crm.reading.rows import version_of
from aisha.adapters.crm.values import picked
from aisha.adapters.crm.writing.created_records import CreatedRecords
from aisha.adapters.crm.writing.outgoing_fields import remote_fields, set_requests, with_parts
from aisha.adapters.crm.writing.update_differences import update_differences
from aisha.adapters.crm.writing.write_checks import unsent_fields
from aisha.domain.crm.connector import Connection, Outgoing, RemoteRecord
from aisha.domain.errors import (
    AnswerLostError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
    WriteUndecidedError,
)

_LAST_PART = re.compile(r"([^/()?#]+)\)?/?(?:[?#].*)?$")


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
        self._reader = RemoteReader(file, client, self._lists, self._definitions, now)
        self._created = CreatedRecords(file, self._reader, self._definitions)
        self.title = file.title
        self.resources: Mapping[str, str] = {resource.name: resource.type for resource in file.resources}
        self.get = self._reader.get
        self.page = self._reader.page
        self.users = self._definitions.users
        self.tables = self._definitions.tables
        self.team_values = self._definitions.team_values
        self.custom_fields = self._definitions.custom_fields

    def types_of(self, ref: str) -> Sequence[str]:
        return list(dict.fromkeys(resource.type for resource in self._file.of_object(ref)))

    # --- writing

    def object_of(self, outgoing: Outgoing) -> str:
        return next((self._for(outgoing).kind for _ in self._file.of_type(outgoing.entity_type)), "")

    def check(self, outgoing: Outgoing, action: str, ref: str | None = None) -> frozenset[str]:
        entity_type = outgoing.entity_type
        if entity_type in self._file.unsupported:
            raise InvalidInputError(f"{self.title}: {self._file.unsupported[entity_type]}", entity_type=entity_type)
        return unsent_fields(self._file, self._for(outgoing, ref), self.tables(), outgoing, action)

    def differences(self, ref: str) -> list[str]:
        """Return what an update of a record with its own values would change, for people who check a connection."""
        return update_differences(self._file, self._reader, self._lists, self.tables(), ref)

    def create(self, outgoing: Outgoing) -> RemoteRecord:
        resource = self._for(outgoing)
        assert resource.create is not None  # noqa: S101 - `check` has refused it
        parent_id = self._file.parent_of(resource, outgoing.links)
        names = self._reader.variables(resource, **self._key(resource, outgoing), **parent_id)
        fields = remote_fields(resource, outgoing, self.tables(), is_new=True, now=names["now"])
        endpoint = resource.create
        # The CRM itself refuses a second record with this key.
        if resource.key and "key" in names:
            endpoint = resource.key.create or endpoint
            fields |= {} if resource.key.create else {resource.key.field: outgoing.key}
        started = self._now()
        with naming_fields(resource):
            answer = self._client.call(endpoint, {**names, **with_parts("fields", fields)})
        row = self._reader.row_of(endpoint, answer)
        native_id = self._lists.picked(resource.created_id or resource.id, row) if row is not None else None
        if resource.created_id_header:
            # The id is the last part of an address, in OData within parentheses: contacts(00aa-11bb).
            match = _LAST_PART.search(answer.headers.get(resource.created_id_header.lower(), ""))
            native_id = unquote(match[1]) if match else native_id
        if native_id in (None, "", False):
            if message := error_message(self._file.errors, answer.value):
                raise AnswerLostError(f"{self.title} did not say which record it created: {message}")
            # Some answer without the id: it is the newest one with these values.
            with lost_afterwards(self.title):
                alike = sorted(self.find_created(outgoing, started), key=lambda record: record.created_at or started)
            if not alike:
                raise AnswerLostError(f"{self.title} did not say which record it created.")
            ref = alike[-1].ref
        else:
            ref = resource.ref(native_id, *parent_id.values())
        with lost_afterwards(self.title):
            try:
                self._send_singly(resource, ref, outgoing, None, is_new=True)
            except InvalidInputError as error:
                # The record without its links is not what was ordered.
                self._take_back_created(resource, ref, error)
                raise
            return self._stored(ref)

    def _take_back_created(self, resource: Resource, ref: str, error: InvalidInputError) -> None:
        """Delete a record of which a part was refused. Raises `WriteUndecidedError` where the CRM deletes none."""
        if resource.delete is not None:
            self.delete(ref)
            return
        raise WriteUndecidedError(
            f"{error.message} Before that {self.title} created the {resource.type}, and it deletes none, so it stands "
            "there without that.",
            suggestion="Tell the user what stands.",
        )

    def complete(self, ref: str, outgoing: Outgoing) -> RemoteRecord:
        resource, record = self._for(outgoing, ref), self._stored(ref)
        if not any(mapping.has_request for name in outgoing.changed for mapping in resource.maps(name)):
            return record
        self._send_singly(resource, ref, outgoing, record, is_new=True)
        return self._stored(ref)

    def repeats_safely(self, entity_type: str) -> bool:
        keys = [resource.key for resource in self._file.of_type(entity_type)]
        return self._connection.keyed and all(key is not None for key in keys)

    def find_created(self, outgoing: Outgoing, since: datetime) -> list[RemoteRecord]:
        resource = self._for(outgoing)
        if resource.key is not None and self._connection.keyed:
            find = resource.key.find
            parent_id = self._file.parent_of(resource, outgoing.links)
            names = self._reader.variables(resource, limit=2, **self._key(resource, outgoing), **parent_id)
            answer = self._client.call(find, names, is_read=True)
            rows = self._lists.picked(find.data_selector, answer.value) or []
            rows = rows if isinstance(rows, list) else [rows]
            read = (self.get(resource.ref(picked(resource.id, row), *parent_id.values())) for row in rows)
            return [record for record in read if record is not None]
        return self._created.alike(resource, outgoing, since)

    def update(self, ref: str, outgoing: Outgoing) -> RemoteRecord:
        resource = self._for(outgoing, ref)
        assert resource.update is not None  # noqa: S101 - `check` has refused it
        is_single = any(mapping.has_request for name in outgoing.changed for mapping in resource.maps(name))
        # Read only where parts are requests of their own: only then can a part fail.
        before = self.get(ref) if is_single else None
        fields = remote_fields(resource, outgoing, self.tables(), is_new=False)
        if fields:
            names = self._reader.variables(
                resource, **resource.ids(ref), **with_parts("fields", fields), **_unmodified(outgoing)
            )
            # Some CRMs replace the whole record: what is left out of the request would be emptied.
            names |= self._whole(resource, ref, outgoing) if resource.update.has("record") else {}
            names |= self._version(resource.update, ref, outgoing.version)
            with naming_fields(resource):
                self._client.call(resource.update, names)
        with lost_afterwards(self.title):
            try:
                self._send_singly(resource, ref, outgoing, before, is_new=False)
            except InvalidInputError:
                if fields and before is not None:
                    # The fields that were taken are not the change that was ordered.
                    self._send_back(resource, ref, outgoing.changed, before)
                raise
            return self._stored(ref)

    def _send_back(self, resource: Resource, ref: str, names: frozenset[str], before: RemoteRecord) -> None:
        """Write the values back that a record had, of the fields that the update takes."""
        assert resource.update is not None  # noqa: S101 - the caller has used it
        earlier = Outgoing(before.entity_type, before.values, names, before.links, before.owner)
        fields = remote_fields(resource, earlier, self.tables(), is_new=False)
        variables = self._reader.variables(resource, **resource.ids(ref), **with_parts("fields", fields))
        variables |= self._whole(resource, ref, earlier) if resource.update.has("record") else {}
        variables |= self._version(resource.update, ref)
        self._client.call(resource.update, variables)

    def _whole(self, resource: Resource, ref: str, outgoing: Outgoing) -> dict[str, Any]:
        """Return the `{record}` of an update: what the CRM has in `fields_at`, with the changed fields in it."""
        row, _ = self._reader.read_row(resource, ref)
        if row is None:
            raise NotFoundError(f"{self.title} does not have this record any more.")
        version = version_of(resource, row)
        if outgoing.version is not None and version not in (None, outgoing.version):
            raise ConflictError(f"The record was changed in {self.title} meanwhile. Look at it again.")
        stored = self._lists.picked(resource.record, self._lists.picked(resource.fields_at, row))
        if not isinstance(stored, Mapping):
            raise UnavailableError(f"{self.title}'s {resource.name} can't be repeated: {shape_of(stored)}.")
        return with_parts("record", remote_fields(resource, outgoing, self.tables(), is_new=False, onto=stored))

    def _version(self, endpoint: Endpoint, ref: str, known_version: int | str | None = None) -> dict[str, int | str]:
        if not endpoint.has("version"):
            return {}
        record = self.get(ref) if known_version is None else None
        version = record.version if record else known_version
        return {} if version is None else {"version": version}

    def _send_singly(
        self, resource: Resource, ref: str, outgoing: Outgoing, before: RemoteRecord | None, *, is_new: bool
    ) -> None:
        """Set the fields, and make and end the links, that are requests of their own and differ from `before`."""
        for endpoint, names in set_requests(resource, outgoing, self.tables(), before, is_new=is_new):
            with naming_fields(resource):
                self._client.call(endpoint, self._reader.variables(resource, **resource.ids(ref), **names))
        for name in outgoing.changed:
            for mapping in resource.maps(name):
                new, old = outgoing.links.get(name), before.links.get(name) if before else None
                # A link between two records is an object of its own in some CRMs: made and ended by requests.
                if mapping.remove and old and old != new and old.partition("/")[0] == mapping.link:
                    self._client.call(mapping.remove, {**resource.ids(ref), "target": old.partition("/")[2]})
                if mapping.add and new and new != old and new.partition("/")[0] == mapping.link:
                    self._client.call(mapping.add, {**resource.ids(ref), "target": new.partition("/")[2]})

    def delete(self, ref: str) -> None:
        resource = self._file.of_object(ref)[0]
        if resource.delete is None:
            raise InvalidInputError(f"{self.title} deletes no records of this type.", entity_type=resource.type)
        try:
            version = self._version(resource.delete, ref)
            self._client.call(resource.delete, self._reader.variables(resource, **resource.ids(ref), **version))
        except NotFoundError:
            return

    def restore(self, ref: str) -> RemoteRecord | None:
        resource = next(iter(self._file.of_object(ref)), None)
        if resource is None or resource.restore is None:
            return None
        if (record := self.get(ref)) is not None:
            return record
        try:
            self._client.call(resource.restore, self._reader.variables(resource, **resource.ids(ref)))
        except (ConflictError, InvalidInputError, NotFoundError):
            return None
        with lost_afterwards(self.title):
            return self.get(ref)

    # --- parts

    def _stored(self, ref: str) -> RemoteRecord:
        if (record := self.get(ref)) is None:
            raise NotFoundError(f"{self.title} does not have this record any more.")
        return record

    def _for(self, outgoing: Outgoing, ref: str | None = None) -> Resource:
        """Return the resource that such a record belongs to."""
        resources = self._file.of_type(outgoing.entity_type)
        if ref is not None:
            resources = [resource for resource in resources if resource in self._file.of_object(ref)] or resources
        # Of several, the one below the record that it is about.
        if ref is None:
            below = [resource for resource in resources if resource.create_parent]
            named = [resource for resource in below if self._file.parent_of(resource, outgoing.links)]
            resources = [*named, *(resource for resource in resources if resource not in below), *below]
        for resource in resources:
            # Activities, for example, may be calls, meetings and tasks in three resources.
            if all(str(outgoing.values.get(name)) in allowed for name, allowed in resource.only.items()):
                return resource
        return resources[0]

    def _key(self, resource: Resource, outgoing: Outgoing) -> dict[str, Any]:
        is_keyed = resource.key is not None and self._connection.keyed
        return {"key": outgoing.key, "key_field": resource.key.field} if resource.key and is_keyed else {}


def _unmodified(outgoing: Outgoing) -> dict[str, str]:
    since = outgoing.unmodified_since
    return {"unmodified_since": format_datetime(since.astimezone(UTC), usegmt=True)} if since else {}
