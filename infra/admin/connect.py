"""Connect a tenant to the CRM that its team has, and check a connection without writing anything.

`connect` writes the connection into the tenant's profile at a deployed stack; the stack's timer then begins the first
load. `connect-check` reads one page of each resource with the secret `AISHA_SECRET__<NAME>` of the environment, or of
Secrets Manager with AISHA_SECRETS_PREFIX.
"""

import argparse
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from aisha.adapters.clock import SystemClock
from aisha.adapters.crm.connection_check import check_connection
from aisha.adapters.crm.connections import ConnectionJson
from aisha.adapters.crm.declarative import DeclarativeConnector
from aisha.adapters.crm.http.client import CrmClient
from aisha.adapters.crm.http.sign_in import Access
from aisha.adapters.crm.mapping_file.file import MappingFile, read_mapping
from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.http.http_client import HttpClient
from aisha.application.connections.sync_state import STATE, connect
from aisha.application.requests.validation import validated
from aisha.bootstrap import Services
from aisha.bootstrap.connections import crm_files
from aisha.domain.crm.connector import Connection, secret_name
from aisha.domain.entries import PROFILE
from aisha.domain.ports import EntryRepository, WritableSecretStore
from infra.admin.errors import AdminError
from infra.admin.onboarding.stack import DeployedStack


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    parser.add_argument("--crm", required=True, help="the mapping file's name: hubspot, salesforce, ...")
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--url", default="", help="the CRM's address, e.g. https://acme.my.salesforce.com")
    parser.add_argument("--secret", default="", help="name of the secret with the token; default: <crm>_<tenant>")
    parser.add_argument("--users", default="", help="alice=alice@acme.example,bob=bob@acme.example")
    parser.add_argument("--time-zone", default="UTC", help="of times that name none, e.g. Europe/Berlin")
    parser.add_argument("--variables", default="", help="what the file's {connection.<name>} are: location=7,view=12")
    if command == "connect":
        parser.add_argument("--hook-secret", default="", help="name of the secret that signs webhooks")
        parser.add_argument("--admins", default="", help="users to notify of problems: alice,bob")
        parser.add_argument("--currency", default="USD", help="of amounts without one")
        parser.add_argument("--keyed", action="store_true", help="the CRM has the field for idempotency keys")
        parser.add_argument("--stack", default="aisha")
        parser.add_argument("--region", default="us-east-1")
        parser.add_argument("--apply", action="store_true", help="make the changes")


def run(options: argparse.Namespace) -> None:
    """Run the command. Raises `AdminError`, `AishaError`."""
    connection = connection_of(options)
    if options.command == "connect-check":
        services = Services()
        secret = services.secrets.get(connection["secret"])
        lines = check(connection, services.secrets, allow_private=services.settings.crm_to_private)
        if services.settings.secrets_prefix is None and services.secrets.get(connection["secret"]) != secret:
            # The environment's token is no longer valid, and only this process has the new one.
            replaced = services.secrets.get(connection["secret"])
            lines.append(f"The CRM replaced its refresh token. Store this secret: {replaced}")
        print("\n".join(lines))
        return
    stack = DeployedStack(options.stack, options.region)
    entries = DynamoDBEntryRepository(stack.entries_table(), SystemClock(), region=stack.region)
    print(f"Tenant {options.tenant} at the stack {stack.name}: {describe(connection)}")
    if not options.apply:
        # A dry run is the default: the command works on the live stack.
        print("Nothing is changed yet: add APPLY=1. First `make connect-check` with the same values.")
        return
    connect_tenant(entries, options.tenant, connection)
    print(f"Connected as {connection['id']}. The first load begins within five minutes; webhooks go to")
    print(f"  POST <the API's address>/api/crm/hooks/{connection['id']}")


def pairs_in(text: str) -> dict[str, str]:
    """Return the values by name of `name=value,name=value`."""
    return dict(pair.partition("=")[::2] for pair in text.split(",") if "=" in pair)


def connection_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the connection of the command line, as a profile has it. Raises `AdminError` for a file that is wrong."""
    connection: dict[str, Any] = {
        "id": f"conn_{secrets.token_hex(12)}",
        "crm": options.crm,
        "url": options.url.rstrip("/"),
        "secret": options.secret or secret_name(options.crm, options.tenant),
        "users": pairs_in(options.users),
        "time_zone": options.time_zone,
        "variables": pairs_in(options.variables),
    }
    if options.command == "connect":
        admins = [admin.strip() for admin in options.admins.split(",") if admin.strip()]
        connection |= {"admins": admins, "currency": options.currency, "keyed": options.keyed}
        connection |= {"hook_secret": options.hook_secret} if options.hook_secret else {}
    file_of(validated(ConnectionJson, connection, "The connection"))
    return connection


def file_of(connection: ConnectionJson) -> MappingFile:
    """Return the connection's mapping file. Raises `AdminError` with every problem."""
    try:
        file = read_mapping(
            crm_files(Services().settings) / f"{connection.crm}.json", Connection(**connection.model_dump())
        )
    except ValueError as error:
        raise AdminError(str(error)) from None
    if "{url}" in file.client.base_url and not connection.url:
        raise AdminError(f"{file.title} needs its address: URL=https://...")
    return file


def connect_tenant(entries: EntryRepository, tenant: str, connection: Mapping[str, Any]) -> None:
    """Write the connection into the tenant's profile, and let the timer begin the first load."""
    stored = entries.find(tenant, None, PROFILE, PROFILE)
    body = dict(stored.body) if stored else {}
    current = body.get("crm") or {}
    # The same CRM again keeps its id, so that records keep theirs and the CRM's webhooks go on.
    is_unchanged = current.get("crm") == connection["crm"] and current.get("url") == connection["url"]
    body["crm"] = {**connection, "id": current["id"]} if is_unchanged else dict(connection)
    connection_id = body["crm"]["id"]
    # With the version that was read, so that an admin's change meanwhile is not lost.
    entries.put(tenant, None, PROFILE, PROFILE, body, expected_version=stored.version if stored else 0)
    # After the profile: the timer must not find a tenant without its connection.
    connect(entries, tenant, connection_id)
    now = SystemClock().now().isoformat()
    entries.put(tenant, None, STATE, STATE, {"connection": connection_id, "phase": "loading", "started_at": now})


def describe(connection: Mapping[str, Any]) -> str:
    return (
        f"{connection['crm']} at {connection['url'] or 'its own address'}, token in the secret {connection['secret']}"
    )


def check(
    connection: Mapping[str, Any],
    store: WritableSecretStore,
    *,
    allow_private: bool = False,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> list[str]:
    """Read one page of each resource, and return what maps and what does not, line by line. Writes nothing.

    The CRM's limits of requests are kept by the `clock`, in seconds, and by `sleep`.
    """
    values = validated(ConnectionJson, connection, "The connection")
    file, crm_connection = file_of(values), Connection(**values.model_dump())
    access = Access(file, crm_connection, store, HttpClient(), allow_private, clock=clock)
    client = CrmClient(access, sleep=sleep)
    return check_connection(file, DeclarativeConnector(file, crm_connection, client), crm_connection)
