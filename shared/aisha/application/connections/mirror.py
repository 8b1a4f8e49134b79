"""The local copy of another CRM's records."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import batched
from typing import Any

from pydantic import ValidationError
from ulid import ULID

from aisha.domain.crm.connector import Connection, Outgoing, RemoteRecord
from aisha.domain.crm.queries import Written
from aisha.domain.crm.record_changes import MAX_CHANGES
from aisha.domain.crm.records import RECORD_TYPES, Record, Remote
from aisha.domain.ports import CrmConnector, EntryRepository, RecordRepository

ALIAS = "crm_alias"
"""Kind of the entries with the ids of records whose id was given before the CRM had one, by ref."""
_COMPUTED_FIELDS = frozenset(("id", "entity_type", "display_name"))
_NESTED_FIELDS = ("address", "custom")
_LINK_FIELDS = ("account_id", "contact_id", "lead_id", "related")


class Mirror:
    """One tenant's copy. A record's id follows from its ref, unless it had an id before the CRM had the record."""

    def __init__(
        self,
        tenant: str,
        connection: Connection,
        connector: CrmConnector,
        local: RecordRepository,
        entries: EntryRepository,
    ) -> None:
        self.tenant = tenant
        self.connection = connection
        self.connector = connector
        self._local = local
        self._entries = entries
        self._aliases: dict[str, str] = {}

    # --- ids

    def derived_id(self, entity_type: str, ref: str) -> str:
        """Return the id of a record that came from the CRM."""
        digest = hashlib.sha256(f"{self.connection.id}\n{ref}".encode()).digest()
        return f"{entity_type}_{ULID.from_bytes(digest[:16])}"

    def record_id(self, entity_type: str, ref: str) -> str:
        """Return the id of a record, also of one that got its id in AiSHA."""
        if ref not in self._aliases and (entry := self._entries.find(self.tenant, None, ALIAS, ref)) is not None:
            self._aliases[ref] = str(entry.body["id"])
        alias = self._aliases.get(ref, "")
        return alias if alias.startswith(f"{entity_type}_") else self.derived_id(entity_type, ref)

    def name(self, ref: str, record_id: str) -> None:
        """Keep the id that a record had before the CRM had it."""
        if record_id != self.derived_id(record_id.partition("_")[0], ref):
            self._entries.put(self.tenant, None, ALIAS, ref, {"id": record_id})
            self._aliases[ref] = record_id

    def resolve(self, ref: str) -> tuple[str, str] | None:
        """Return type and id of the record behind a ref; None for an object that is not mapped."""
        pairs = [(kind, self.record_id(kind, ref)) for kind in self.connector.types_of(ref)]
        if len(pairs) < 2:
            return pairs[0] if pairs else None
        stored = self._local.get_many(self.tenant, pairs)
        # Where neither is here yet, the type that the connector names first.
        return next((pair for pair in pairs if pair[1] in stored), pairs[0])

    # --- users

    def user_of(self, remote_id: str | None) -> str | None:
        """Return AiSHA's user, or the address of a user that AiSHA does not have; None for one who left."""
        users = self.connector.users()
        if users is None:
            email = remote_id.lower() if remote_id else None
        else:
            email = next((user.email for user in users if user.id == remote_id), None)
        ours = (name for name, address in self.connection.users.items() if address.lower() == email)
        return next(ours, email)

    def remote_user(self, user: str | None) -> str | None:
        """Return the CRM's id of a user; None where it has none with this address, or several."""
        email = self.connection.users.get(user or "", user or "").lower()
        users = self.connector.users()
        if users is None:
            return email if "@" in email else None
        ids = [remote.id for remote in users if remote.email == email]
        # With several, a guess could give the record to a stranger.
        return ids[0] if len(ids) == 1 else None

    # --- records

    def outgoing(
        self, before: Record | None, after: Record, key: str = "", pending: Mapping[str, str] | None = None
    ) -> Outgoing:
        """Return what a change of a record sends to the CRM. `pending` are refs of records still to create, by id."""
        values = after.model_dump(mode="json", exclude=set(_COMPUTED_FIELDS))
        old_values = before.model_dump(mode="json", exclude=set(_COMPUTED_FIELDS)) if before else {}
        flat, flat_old = _flat(values), _flat(old_values)
        if before is None:
            changed_fields = {name for name, value in flat.items() if value not in (None, [], {})}
        else:
            changed_fields = {name for name in flat | flat_old if flat.get(name) != flat_old.get(name)}
        # The CRM sets these itself.
        changed_fields -= {"created_at", "updated_at"}
        # The tenant's own name of a value, see `NamedValue`: two names may count as the same value.
        nested_fields = {
            name for name in changed_fields if name.removeprefix("custom.") in type(after).model_fields and "." in name
        }
        changed_fields = (changed_fields - nested_fields) | {name.removeprefix("custom.") for name in nested_fields}
        links: dict[str, str | None] = {}
        for name in _LINK_FIELDS:
            if name in type(after).model_fields:
                links[name] = self._ref(getattr(after, name), pending or {})
        owner = self.remote_user(after.owner) if "owner" in changed_fields else None
        return Outgoing(after.TYPE, values, frozenset(changed_fields), links, owner, key)

    def _ref(self, link: Any, pending: Mapping[str, str]) -> str | None:
        record_id = getattr(link, "id", link)
        if not record_id or record_id in pending:
            return pending.get(record_id)
        kind = str(record_id).partition("_")[0]
        linked = self._local.get_many(self.tenant, [(kind, str(record_id))]).get(str(record_id))
        return linked.remote.ref if linked and linked.remote else None

    def record(self, remote: RemoteRecord, onto: Record | None, read_at: datetime) -> Record:
        """Return the record as the CRM has it; fields that it does not keep stay as they are in `onto`.

        Raises ValueError for a record that AiSHA can't hold, with the reason.
        """
        return self._record(remote, onto, read_at)[0]

    def written_record(self, remote: RemoteRecord, ordered: Record, read_at: datetime) -> Record:
        """Return the record as the CRM has it after a write, or as ordered where AiSHA can't hold that: it is done."""
        try:
            return self.record(remote, ordered, read_at)
        except ValueError:
            place = Remote(ref=remote.ref, fingerprint=remote.fingerprint, read_at=read_at)
            return ordered.model_copy(update={"remote": place})

    def _record(self, remote: RemoteRecord, onto: Record | None, read_at: datetime) -> tuple[Record, list[str]]:
        """Return the record, and the optional values that AiSHA can't hold, each with the reason."""
        model = RECORD_TYPES[remote.entity_type]
        values = onto.model_dump(exclude=set(_COMPUTED_FIELDS)) if onto else {}
        custom = {name: value for name, value in values.get("custom", {}).items() if name not in model.model_fields}
        stage = values.get("stage")
        for name, value in remote.values.items():
            if name == "custom":
                custom |= value
            elif isinstance(value, Mapping):
                values[name] = {**(values.get(name) or {}), **value}
            # An empty field of the CRM is the default here: the model refuses None.
            elif value is None and model.model_fields[name].default is not None:
                values.pop(name, None)
            else:
                values[name] = value
        # The probability belonged to the old stage.
        if "probability" not in remote.values and values.get("stage") != stage:
            values.pop("probability", None)
        if remote.entity_type == "opportunity" and not remote.values.get("currency"):
            values["currency"] = self.connection.currency
        if remote.entity_type == "activity" and not values.get("activity_type"):
            values["activity_type"] = "task"
        for name, ref in remote.links.items():
            self._set_link(values, name, ref)
        if "owner" in remote.values or remote.owner is not None:
            # An owner whom the CRM does not have can only be kept here.
            is_ours = remote.owner is None and onto is not None and self.remote_user(onto.owner) is None
            values["owner"] = onto.owner if onto and is_ours else self.user_of(remote.owner)
        stamps = {
            "custom": {name: value for name, value in custom.items() if value is not None},
            "id": onto.id if onto else self.record_id(remote.entity_type, remote.ref),
            "tenant_id": self.tenant,
            "created_at": remote.created_at or (onto and onto.created_at) or read_at,
            "updated_at": remote.updated_at or read_at,
            "remote": Remote(ref=remote.ref, fingerprint=remote.fingerprint, read_at=read_at),
        }
        values.pop("remote", None)
        return _valid(model, {**values, **stamps})

    def _set_link(self, values: dict[str, Any], name: str, ref: str | None) -> None:
        pair = self.resolve(ref) if ref else None
        if name != "related":
            # A link that the CRM does not have may be one that it can't have.
            current = values.get(name)
            values[name] = pair[1] if pair else current if current and self._ref(current, {}) is None else None
            return
        if pair is None:
            return
        target = self._local.get_many(self.tenant, [pair]).get(pair[1])
        if target is None:
            raise ValueError("it is about a record that AiSHA does not have")
        values[name] = {"type": pair[0], "id": pair[1], "name": target.display_name}

    def store(self, remotes: Sequence[RemoteRecord], read_at: datetime) -> tuple[list[Written], list[str]]:
        """Store records that were read from the CRM after `read_at`; return what changed, and what could not be.

        A record that was written since then, or that has not changed, stays as it is.
        """
        written: list[Written] = []
        problems: list[str] = []
        # Half, because each record may also delete its copy of another type.
        for batch in batched(remotes, MAX_CHANGES // 2):
            ids = [
                (kind, self.record_id(kind, remote.ref))
                for remote in batch
                for kind in self.connector.types_of(remote.ref)
            ]
            stored = self._local.get_many(self.tenant, ids)
            changes: dict[str, Written] = {}
            for remote in batch:
                record_id = self.record_id(remote.entity_type, remote.ref)
                before = stored.get(record_id)
                if before is not None and before.remote is not None:
                    is_unchanged = before.remote.fingerprint == remote.fingerprint
                    if is_unchanged or before.remote.read_at > read_at:
                        continue
                try:
                    after, unheld = self._record(remote, before, read_at)
                except ValueError as error:
                    problems.append(f"{remote.ref}: {error}")
                    continue
                problems += [f"{remote.ref}: {problem}" for problem in unheld]
                changes[record_id] = Written("updated" if before else "created", before, after)
                for kind in self.connector.types_of(remote.ref):
                    # It was a lead and is a contact now.
                    other = stored.get(self.record_id(kind, remote.ref))
                    if kind != remote.entity_type and other is not None:
                        changes[other.id] = Written("deleted", other)
            written += self._local.write(self.tenant, list(changes.values())) if changes else []
        return written, problems

    def forget(self, records: Sequence[Record]) -> list[Written]:
        """Delete records that the CRM does not have any more."""
        written: list[Written] = []
        for batch in batched(records, MAX_CHANGES):
            written += self._local.write(self.tenant, [Written("deleted", record) for record in batch])
        return written


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by field, parts of an address and of `custom` as `custom.<name>`."""
    flat = {name: value for name, value in values.items() if name not in _NESTED_FIELDS}
    inner = ((outer, values.get(outer) or {}) for outer in _NESTED_FIELDS)
    return flat | {f"{outer}.{name}": value for outer, parts in inner for name, value in parts.items()}


def _valid(model: type[Record], values: dict[str, Any]) -> tuple[Record, list[str]]:
    """Return the record without optional values that AiSHA can't hold, and the reasons why not.

    Raises ValueError when a required one is bad.
    """
    unheld: list[str] = []
    # Each try leaves out the first bad value; the next one may find another.
    for _ in range(5):
        try:
            return model.model_validate(values), unheld
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            name = str(first["loc"][0]) if first["loc"] else ""
            if name not in values or model.model_fields[name].is_required():
                raise ValueError(f"{name}: {first['msg']}" if name else first["msg"]) from None
            unheld.append(f"{name} {str(values[name])[:60]!r} is left out: {first['msg']}")
            del values[name]
    raise ValueError("it has too many values that AiSHA can't hold")
