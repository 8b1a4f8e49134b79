"""The schemas of tenants' connections to CRMs, of their check, and of the CRMs' webhooks."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import Field

from aisha.api.schemas.administration.profile import ConnectionStateJson, connection_json
from aisha.api.schemas.camel_model import CamelModel
from aisha.domain.deferred_model import DeferredModel

if TYPE_CHECKING:
    from aisha.application.connections.sync_state import SyncState


class ConnectionJson(ConnectionStateJson):
    """A connection with its state. `lagSeconds` is the age of the copy; null before the first load is complete."""

    title: str
    url: str
    lag_seconds: int | None = None


class ConnectableJson(CamelModel):
    """A CRM that has a mapping file, the name of the secret for its token, and the command that connects it."""

    crm: str
    title: str
    secret: str
    command: str


class ConnectionsJson(CamelModel):
    """The tenant's connections, one at most, and the CRMs that can be connected."""

    items: list[ConnectionJson]
    connectable: list[ConnectableJson]


class CheckLineJson(CamelModel):
    """A finding of a check. `failed` is true for what keeps records from being read or written."""

    text: str
    failed: bool


class CheckJson(CamelModel):
    """The findings of a check: what maps and what does not."""

    lines: list[CheckLineJson]


def connection_item(
    crm: Mapping[str, str], titles: Mapping[str, str], state: "SyncState | None", now: datetime
) -> ConnectionJson:
    """Return a connection with its state. `crm` is its entry in the tenant's profile."""
    synced_at = state.synced_at if state else None
    return ConnectionJson.from_attributes(
        connection_json(crm["crm"], state),
        title=titles.get(crm["crm"], crm["crm"]),
        url=crm.get("url", ""),
        lag_seconds=max(0, round((now - synced_at).total_seconds())) if synced_at else None,
    )


def connectable(crm: str, title: str, secret: str, tenant: str, user: str) -> ConnectableJson:
    """Return a CRM with the command that connects the tenant to it."""
    # A tenant's name may have characters that a shell would read.
    named = " ".join(shlex.quote(f"{name}={value}") for name, value in (("TENANT", tenant), ("ADMINS", user)))
    command = f"make connect CRM={crm} {named} URL=https://... STACK=aisha APPLY=1"
    return ConnectableJson(crm=crm, title=title, secret=secret, command=command)


def check_json(lines: Sequence[str]) -> CheckJson:
    """Return the lines of a check."""
    # The lines are texts, since `make connect-check` prints them: a failure has this mark.
    return CheckJson(lines=[CheckLineJson(text=line, failed=": FAILED: " in line) for line in lines])


class HookAccepted(DeferredModel):
    """The number of records that will be read again."""

    accepted: int = Field(ge=0)
