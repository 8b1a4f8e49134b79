"""The values that a connector reads from another CRM and sends to it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field


class RemoteRecord(Struct, frozen=True):
    """A record of another CRM, in AiSHA's fields."""

    ref: str
    """`<object>/<native id>`."""
    entity_type: str
    values: Mapping[str, Any]
    """Plain values by field, None for an empty one."""
    links: Mapping[str, str | None] = field(default_factory=dict)
    """Refs by field (`account_id`, `related`, ...)."""
    owner: str | None = None
    """The CRM's id of the user."""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    fingerprint: str = ""
    """Changes with any of the values, links and the owner."""
    version: int | str | None = None
    """The version that some CRMs demand of a change, as the proof that it knows the latest state."""


WHOLE_LIST = "@whole"
"""The cursor with which a reading of changes goes on as one of the whole list."""


class RemotePage(Struct, frozen=True):
    """One page of a resource."""

    items: list[RemoteRecord]
    """The records among the rows."""
    next_cursor: str | None = None
    skipped: list[str] = field(default_factory=list)
    """Rows that could not be read, each with its reason."""
    unread: list[str] = field(default_factory=list)
    """The refs of these rows."""
    deleted: list[str] = field(default_factory=list)
    """Refs of records that were deleted."""
    rows: int = 0
    """The number of all rows."""
    part: str = ""
    """The name of the part of a list that is read in parts: two parts may have the same rows."""
    is_costly: bool = False
    """True if each record took a request of its own, which those of the whole list would not."""


class RemoteUser(Struct, frozen=True):
    """A user of another CRM. `email` is in lower case."""

    id: str
    email: str


class Outgoing(Struct, frozen=True):
    """Values to write to another CRM."""

    entity_type: str
    values: Mapping[str, Any]
    """All plain values of the record."""
    changed: frozenset[str]
    """The fields to send."""
    links: Mapping[str, str | None] = field(default_factory=dict)
    """All links of the record."""
    owner: str | None = None
    """The CRM's id of the user."""
    key: str = ""
    """The idempotency key of a create, the same for every try."""
    unmodified_since: datetime | None = None
    """The time of the record's last change in the CRM, as the caller knows it."""
    version: int | str | None = None
    """The record's version in the CRM, as the caller knows it."""


class Connection(Struct, frozen=True):
    """A tenant's connection to a CRM."""

    id: str
    crm: str
    """The name of the mapping file."""
    url: str = ""
    """The address of the CRM."""
    secret: str | None = None
    """The name of the secret; None for that of `secret_name`."""
    hook_secret: str | None = None
    """The name of the secret that signs webhooks."""
    keyed: bool = False
    """True if the CRM has the unique field for idempotency keys that the file names."""
    currency: str = "USD"
    """The currency of deals that name none."""
    time_zone: str = "UTC"
    """The zone of times that name none, where the file leaves it to the connection."""
    admins: tuple[str, ...] = ()
    """The users who are told of problems."""
    users: Mapping[str, str] = field(default_factory=dict)
    """Email addresses in the CRM by AiSHA's user id; a user whose id is the address needs no entry."""
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Fields to add to the file, by type, e.g. `{"opportunity": {"custom.region": "region_c"}}`."""
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The tenant's own values that stand for AiSHA's, by the file's tables.

    E.g. `{"stage": {"proposal": "contract_sent"}}`.
    """
    variables: Mapping[str, str] = field(default_factory=dict)
    """The values of the file's `{connection.<name>}`."""


def secret_name(crm: str, tenant: str) -> str:
    """Return the name of the secret that a connection has unless it names another one."""
    # Also the name of an environment variable, which takes letters, digits and underscores.
    return "".join(char if char.isalnum() else "_" for char in f"{crm}_{tenant}")
