"""The values that a connector reads from another CRM and sends to it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field


class RemoteRecord(Struct, frozen=True):
    """A record of another CRM, in AiSHA's fields.

    `ref` is `<object>/<native id>`. `values` are plain values by field, None for an empty one. `links` are refs by
    field (`account_id`, `related`, ...). `owner` is the CRM's id of the user. `fingerprint` changes with any of these.
    `version` is what the CRM demands of a change, where it demands one.
    """

    ref: str
    entity_type: str
    values: Mapping[str, Any]
    links: Mapping[str, str | None] = field(default_factory=dict)
    owner: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    fingerprint: str = ""
    version: int | str | None = None


WHOLE_LIST = "@whole"
"""The cursor with which a reading of changes goes on as one of the whole list."""


class RemotePage(Struct, frozen=True):
    """One page of a resource: `rows` is the number of its rows, of which `items` are records.

    `skipped` are rows that could not be read, each with its reason, and `unread` their refs; `deleted` are refs of
    records that were deleted. `part` names the part of a list that is read in parts: the same rows may come in two.
    `is_costly` is true where each record took a request of its own, which those of the whole list would not.
    """

    items: list[RemoteRecord]
    next_cursor: str | None = None
    skipped: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    rows: int = 0
    part: str = ""
    is_costly: bool = False


class RemoteUser(Struct, frozen=True):
    """A user of another CRM. `email` is in lower case."""

    id: str
    email: str


class Outgoing(Struct, frozen=True):
    """Values to write to another CRM. `values` and `links` are all of the record, `changed` the fields to send.

    `owner` is the CRM's id of the user. `key` is the idempotency key of a create, the same for every try;
    `unmodified_since` is when the CRM's record last changed, and `version` its version, as an update's caller knows it.
    """

    entity_type: str
    values: Mapping[str, Any]
    changed: frozenset[str]
    links: Mapping[str, str | None] = field(default_factory=dict)
    owner: str | None = None
    key: str = ""
    unmodified_since: datetime | None = None
    version: int | str | None = None


class Connection(Struct, frozen=True):
    """A tenant's connection to a CRM: the mapping file by name, the CRM's address and the names of its secrets.

    `keyed`: the CRM has the unique field for idempotency keys that the file names. `currency` is that of amounts where
    the CRM's deals name none, `time_zone` that of times which name none where the file leaves it to the connection.
    `admins` are told of trouble. `users` are e-mail addresses in the CRM by AiSHA's user id; a user whose id is the
    address needs no entry. `fields` adds fields to a type of the file, e.g.
    `{"opportunity": {"custom.region": "region_c"}}`. `values` say which of the tenant's own values AiSHA's are, by the
    file's tables, e.g. `{"stage": {"proposal": "contract_sent"}}`. `variables` are the file's `{connection.<name>}`.
    """

    id: str
    crm: str
    url: str = ""
    secret: str | None = None
    hook_secret: str | None = None
    keyed: bool = False
    currency: str = "USD"
    time_zone: str = "UTC"
    admins: tuple[str, ...] = ()
    users: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)


def secret_name(crm: str, tenant: str) -> str:
    """Return the name of the secret that a connection has unless it names another one."""
    # Also the name of an environment variable, which takes letters, digits and underscores.
    return "".join(char if char.isalnum() else "_" for char in f"{crm}_{tenant}")
