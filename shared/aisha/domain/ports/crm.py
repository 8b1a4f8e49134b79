"""Ports of CRM records: the repository that the assistant uses, and the connector to another CRM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from aisha.domain.crm.connector import Outgoing, RemotePage, RemoteRecord, RemoteUser
    from aisha.domain.crm.custom_fields import CustomFields
    from aisha.domain.crm.queries import Change, CountRow, Period, RecordPage, RecordQuery, Written
    from aisha.domain.crm.records import Record
    from aisha.domain.crm.team_values import TeamValues


class RecordRepository(Protocol):
    """The CRM. `tenant` leads every call; a record of another tenant does not exist."""

    # One error for both: nobody can find out which ids other tenants have.
    def get(self, tenant: str, entity_type: str, record_id: str) -> Record:
        """Return a record. Raises `NotFoundError`, also for an id of another type or tenant."""
        ...

    def get_many(self, tenant: str, ids: Sequence[tuple[str, str]]) -> dict[str, Record]:
        """Return records by id for at most 100 `(entity_type, id)` pairs; those that do not exist are left out."""
        ...

    def search(self, tenant: str, query: RecordQuery) -> RecordPage:
        """Return one page. Its cost depends on the page, not on the number of records of the tenant."""
        ...

    def counts(self, tenant: str, entity_type: str, period: Period | None = None) -> list[CountRow]:
        """Return exact counts and sums by owner, status (or stage, or health) and currency."""
        ...

    # At most 10, because a DynamoDB transaction has no room for more records with their indexes.
    def write(self, tenant: str, changes: Sequence[Change], operation_id: str | None = None) -> list[Written]:
        """Apply all changes (at most 10) or none. The repository sets ids, `created_at`, `updated_at` and `version`.

        The same `operation_id` again, also without `changes`, does nothing and returns the first result. Raises
        `NotFoundError`, `ConflictError`, `InvalidInputError`.
        """
        ...


class CrmConnector(Protocol):
    """Another CRM, seen through one tenant's connection.

    Every method raises `UnavailableError` when the CRM does not answer, `RateLimitedError` when it limits our requests
    for longer than a turn can wait, `PermissionDeniedError` when it refuses the credentials, and `InvalidInputError`
    with the CRM's own message and the field for values that it refuses.
    """

    @property
    def title(self) -> str:
        """The CRM's name as people say it."""
        ...

    @property
    def resources(self) -> Mapping[str, str]:
        """The record type of each resource, by the resource's name."""
        ...

    def types_of(self, ref: str) -> Sequence[str]:
        """Return the record types that a ref can have: some CRMs keep leads and contacts in one object."""
        ...

    def object_of(self, outgoing: Outgoing) -> str:
        """Return the object that such a record is created in: its ref begins with it."""
        ...

    # Asked before the first request of a write, which is then refused as a whole.
    def check(self, outgoing: Outgoing, action: str, ref: str | None = None) -> frozenset[str]:
        """Return the changed fields that the CRM does not keep, which stay in AiSHA alone. `ref` is of a record there.

        Raises `InvalidInputError` for an action (`create`, `update`, `delete`) or value that it can't have.
        """
        ...

    def get(self, ref: str) -> RemoteRecord | None:
        """Return the record as it is now; None when it does not exist. Raises `UnreadableRecordError`."""
        ...

    def page(self, resource: str, since: datetime | None = None, cursor: str | None = None) -> RemotePage:
        """Return one page of the records that changed since a time, or of all."""
        ...

    def create(self, outgoing: Outgoing) -> RemoteRecord:
        """Create a record and return it as stored. Raises `AnswerLostError`."""
        ...

    # Nobody knows whether a create without an answer was done: its record is looked for before it is made again.
    def find_created(self, outgoing: Outgoing, since: datetime) -> list[RemoteRecord]:
        """Return the records that a create since this time, whose answer was lost, may have made."""
        ...

    def complete(self, ref: str, outgoing: Outgoing) -> RemoteRecord:
        """Complete a record that was made by a create whose answer was lost, and return it as stored."""
        ...

    def repeats_safely(self, entity_type: str) -> bool:
        """Return whether a second create with the same key makes no second record."""
        ...

    def update(self, ref: str, outgoing: Outgoing) -> RemoteRecord:
        """Change a record and return it as stored. Raises `AnswerLostError`, `NotFoundError`, `ConflictError`."""
        ...

    def delete(self, ref: str) -> None:
        """Delete a record; one that does not exist is deleted already. Raises `AnswerLostError`."""
        ...

    def restore(self, ref: str) -> RemoteRecord | None:
        """Bring a deleted record back, and return it; None where the CRM can't. Raises `AnswerLostError`.

        A record that is there is returned as it is, so that a repetition does nothing.
        """
        ...

    def users(self) -> Sequence[RemoteUser] | None:
        """Return the CRM's users; None for a CRM whose records name their owners by e-mail address."""
        ...

    def team_values(self) -> TeamValues:
        """Return the CRM's own values of enumerated fields, such as stages."""
        ...

    def custom_fields(self) -> CustomFields:
        """Return the fields that the CRM has beyond those of AiSHA."""
        ...
