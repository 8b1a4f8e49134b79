"""The tenants' connections, each with its connector and mirror; they are in the tenants' profiles, under `crm`."""

import json
import re
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import from_json

from aisha.adapters.crm.connection_check import check_connection
from aisha.adapters.crm.declarative import DeclarativeConnector
from aisha.adapters.crm.http.client import RETRY_TIMEOUT_SECONDS, CrmClient
from aisha.adapters.crm.http.sign_in import Access
from aisha.adapters.crm.http.signatures import content_of, verify
from aisha.adapters.crm.mapping_file.file import MappingFile, read_mapping
from aisha.adapters.crm.mapping_file.paths import compiled
from aisha.adapters.crm.writing.locks import Locks
from aisha.adapters.http.http_client import HttpClient
from aisha.application.connections.mirror import Mirror
from aisha.application.requests.chat_request import TimeZone
from aisha.application.requests.validation import validated
from aisha.domain.crm.connector import Connection
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, NotFoundError, NotSetUpError, UnauthenticatedError
from aisha.domain.ports import EntryRepository, RecordRepository, WritableSecretStore

MAX_REFS, MAX_REF_LENGTH = 1000, 250
MAX_CHECK_SECONDS = 10.0
"""After it, a check begins no other resource: a request to the API may take 29 seconds."""
_CHECKING_MESSAGE = "The connection is being checked right now. Try again in a moment."
_RENEWING_MESSAGE = "The sign-in to the CRM is being renewed right now. Try again in a moment."
CONNECTOR_TTL = 600.0
"""Seconds until a connector reads the CRM's users and values, such as its stages, again."""


_URL = re.compile(r"https?://[^\s?#@]+")
Variable = Annotated[str, Field(pattern=r"^[\w.@:-]{1,200}$")]
"""A value that may stand anywhere in a request: its address, a header or a body."""


def _checked_url(url: str) -> str:
    if url and not _URL.fullmatch(url):
        raise ValueError("must be an address such as https://crm.example.com")
    return url


class ConnectionJson(DeferredModel):
    """A connection as a profile has it, see `Connection`."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")
    crm: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    url: Annotated[str, AfterValidator(_checked_url)] = ""
    secret: str | None = Field(default=None, pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")
    hook_secret: str | None = Field(default=None, pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")
    keyed: bool = False
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    time_zone: TimeZone = "UTC"
    admins: tuple[str, ...] = ()
    users: dict[str, str] = Field(default_factory=dict)
    fields: dict[str, dict[str, Any]] = Field(default_factory=dict)
    values: dict[str, dict[str, str]] = Field(default_factory=dict)
    variables: dict[str, Variable] = Field(default_factory=dict)


def connection_of(profile: Mapping[str, Any]) -> Connection | None:
    """Return the connection in a tenant's profile, None without one. Raises `InvalidInputError` for a wrong one."""
    if not (body := profile.get("crm")):
        return None
    return Connection(**validated(ConnectionJson, body, "The tenant's connection").model_dump())


class Connections:
    """Makes the connector of a tenant at its first use, and keeps it for `CONNECTOR_TTL`."""

    def __init__(
        self,
        folder: Path,
        profiles: Callable[[str], Mapping[str, Any]],
        local: RecordRepository,
        entries: EntryRepository,
        secrets: WritableSecretStore,
        *,
        locks: Locks,
        allow_private: bool = False,
    ) -> None:
        self._folder = folder
        self._profiles = profiles
        self._local = local
        self._entries = entries
        self._secrets = secrets
        self._allow_private = allow_private
        self._locks = locks
        self._http = HttpClient()
        self._mirrors: dict[str, tuple[str, float, Mirror]] = {}
        self._lock = Lock()

    def mirror(self, tenant: str) -> Mirror | None:
        """Return the tenant's mirror; None without a connection. Raises `NotSetUpError` for one that can't be used."""
        profile = self._profiles(tenant)
        if not profile.get("crm"):
            return None
        state, now = json.dumps(profile["crm"], sort_keys=True), time.monotonic()
        with self._lock:
            cached = self._mirrors.get(tenant)
            # A changed profile makes a new connector at once; otherwise stages and users are read again after a while.
            if cached is None or cached[0] != state or now >= cached[1]:
                connection = connection_of(profile)
                assert connection is not None  # noqa: S101 - the profile has one
                cached = state, now + CONNECTOR_TTL, self.make(tenant, connection)
                self._mirrors[tenant] = cached
        return cached[2]

    def make(self, tenant: str, connection: Connection) -> Mirror:
        """Return a mirror through a connection that need not be in the profile yet. Raises `NotSetUpError`."""
        _, connector = self._connector(tenant, connection)
        return Mirror(tenant, connection, connector, self._local, self._entries)

    def check(self, tenant: str) -> list[str]:
        """Return what maps and what does not, line by line, after reading a page of each type. Writes nothing.

        Raises `NotFoundError` without a connection, `NotSetUpError`, and `InProgressError` while another check runs.
        """
        if (connection := connection_of(self._profiles(tenant))) is None:
            raise NotFoundError("No CRM is connected.", suggestion="Connect one by `make connect`.")
        # A new connector, as what it has kept may be what has changed.
        file, connector = self._connector(tenant, connection)
        with self._locks.held(tenant, ["check"], refusal=_CHECKING_MESSAGE, wait_seconds=0):
            return check_connection(file, connector, connection, max_seconds=MAX_CHECK_SECONDS)

    def titles(self) -> dict[str, str]:
        """Return the titles of the CRMs that have a file, by the file's name."""
        files = sorted(file for file in self._folder.glob("*.json") if not file.stem.startswith("_"))
        return {file.stem: str(from_json(file.read_bytes())["title"]) for file in files}

    def _connector(self, tenant: str, connection: Connection) -> tuple[MappingFile, DeclarativeConnector]:
        try:
            file = read_mapping(self._folder / f"{connection.crm}.json", connection)
        except ValueError as error:
            raise NotSetUpError(f"The tenant's CRM can't be reached: {error}") from None
        if "{url}" in file.client.base_url and not connection.url:
            raise NotSetUpError(f"The connection to {file.title} needs an address (url).")
        renewal_lock = partial(self._renewal_lock, tenant, connection)
        access = Access(file, connection, self._secrets, self._http, self._allow_private, renewal_lock)
        return file, DeclarativeConnector(file, connection, CrmClient(access))

    def _renewal_lock(self, tenant: str, connection: Connection) -> AbstractContextManager[None]:
        """Return the lock of the connection's secret, for which another process waits as long as a request may take."""
        name = f"token_{connection.secret}"
        return self._locks.held(tenant, [name], refusal=_RENEWING_MESSAGE, wait_seconds=RETRY_TIMEOUT_SECONDS)

    def changed(
        self, tenant: str, headers: Mapping[str, str], method: str, url: str, body: bytes, now: datetime
    ) -> list[str]:
        """Return the refs that a webhook names, once its signature is verified; nothing else of it is used.

        Raises `UnauthenticatedError`, `InvalidInputError`.
        """
        if (mirror := self.mirror(tenant)) is None:
            raise NotFoundError("There is no such connection.")
        connection = mirror.connection
        events = read_mapping(self._folder / f"{connection.crm}.json", connection).events
        if events is None:
            raise InvalidInputError("This CRM's webhooks are not described in its file.")
        if events.signature is not None:
            if connection.hook_secret is None:
                raise UnauthenticatedError("The connection has no secret for webhooks.")
            verify(events.signature, self._secrets.get(connection.hook_secret), headers, method, url, body, now)
        try:
            refs = compiled(events.changed).search(content_of(headers, body))
        except ValueError:
            raise InvalidInputError("The webhook's body is not what the CRM's file says.") from None
        # Only refs of mapped objects: the body is not trusted to say more than which records to read again.
        valid = [ref for ref in refs or () if isinstance(ref, str) and mirror.connector.types_of(ref)]
        return list(dict.fromkeys(ref for ref in valid if len(ref) <= MAX_REF_LENGTH))[:MAX_REFS]
