"""Connect a tenant to the CRM that its team has, and check a connection without writing anything.

`connect` writes the connection into the tenant's profile at a deployed stack; the stack's timer then begins the first
load. `connect-check` reads one page of each resource with the secret `AISHA_SECRET__<NAME>` of the environment, or of
Secrets Manager with AISHA_SECRETS_PREFIX.
"""

import argparse
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from aisha.adapters.clock import SystemClock
from aisha.adapters.crm.client import CrmClient
from aisha.adapters.crm.connections import ConnectionJson
from aisha.adapters.crm.declarative import DeclarativeConnector
from aisha.adapters.crm.mapping_file.file import MappingFile, read_mapping
from aisha.adapters.crm.mapping_file.requests import Paginator
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.http.http_client import HttpClient
from aisha.application.connections.sync import STATE, connect
from aisha.application.requests.validation import validated
from aisha.bootstrap import Services
from aisha.bootstrap.connections import crm_files
from aisha.domain.crm.connector import Connection, RemotePage, RemoteRecord
from aisha.domain.entries import PROFILE
from aisha.domain.errors import AishaError
from aisha.domain.ports import EntryRepository, WritableSecretStore
from infra.admin.errors import AdminError
from infra.admin.onboarding.stack import DeployedStack

MAX_LISTED = 10
MAX_COMPARED = 5
"""Records of a page that are read by their ids too: some differ from the list in fields that others do not have."""
USUAL_PAGE_SIZES = (10, 20, 25, 30, 50, 100, 200, 250, 500, 1000)


def add_arguments(parser: argparse.ArgumentParser, command: str) -> None:
    parser.add_argument("--crm", required=True, help="the mapping file's name: hubspot, salesforce, ...")
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--url", default="", help="the CRM's address, e.g. https://acme.my.salesforce.com")
    parser.add_argument("--secret", default="", help="name of the secret with the token; default: <crm>_<tenant>")
    parser.add_argument("--users", default="", help="alice=alice@acme.example,bob=bob@acme.example")
    parser.add_argument("--time-zone", default="UTC", help="of times that name none, e.g. Europe/Berlin")
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
        print("Nothing is changed yet: add APPLY=1. First `make connect-check` with the same values.")
        return
    connect_tenant(entries, options.tenant, connection)
    print(f"Connected as {connection['id']}. The first load begins within five minutes; webhooks go to")
    print(f"  POST <the API's address>/api/crm/hooks/{connection['id']}")


def connection_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the connection of the command line, as a profile has it. Raises `AdminError` for a file that is wrong."""
    users = dict(pair.partition("=")[::2] for pair in options.users.split(",") if "=" in pair)
    name = "".join(char if char.isalnum() else "_" for char in f"{options.crm}_{options.tenant}")
    connection: dict[str, Any] = {
        "id": f"conn_{secrets.token_hex(12)}",
        "crm": options.crm,
        "url": options.url.rstrip("/"),
        "secret": options.secret or name,
        "users": users,
        "time_zone": options.time_zone,
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
            crm_files(Services().settings) / f"{connection.crm}.json", connection.fields, connection.time_zone
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
    entries.put(tenant, None, PROFILE, PROFILE, body, expected_version=stored.version if stored else 0)
    connect(entries, tenant, connection_id)
    now = SystemClock().now().isoformat()
    entries.put(tenant, None, STATE, STATE, {"connection": connection_id, "phase": "loading", "started_at": now})


def describe(connection: Mapping[str, Any]) -> str:
    return (
        f"{connection['crm']} at {connection['url'] or 'its own address'}, token in the secret {connection['secret']}"
    )


def check(connection: Mapping[str, Any], store: WritableSecretStore, *, allow_private: bool = False) -> list[str]:
    """Read one page of each resource, and return what maps and what does not, line by line. Writes nothing."""
    values = validated(ConnectionJson, connection, "The connection")
    file, crm_connection = file_of(values), Connection(**values.model_dump())
    client = CrmClient(file, crm_connection, store, HttpClient(), allow_private=allow_private)
    connector = DeclarativeConnector(file, crm_connection, client)
    lines = [f"{file.title}: the file is valid."]
    lines += _attempt("users", lambda: _users(connector, crm_connection))
    lines += _attempt("values", lambda: _tables(connector))
    for resource in file.resources:
        lines += _attempt(resource.name, lambda name=resource.name: _page(connector, file, name))
    lines += [f"not supported: {name}: {reason}" for name, reason in file.unsupported.items()]
    return lines


def _attempt(name: str, read_lines: Any) -> list[str]:
    try:
        return list(read_lines())
    except AishaError as error:
        return [f"{name}: FAILED: {error.message} {error.suggestion or ''}".rstrip()]


def _users(connector: DeclarativeConnector, connection: Connection) -> list[str]:
    if (users := connector.users()) is None:
        return ["users: records name their owners by e-mail address"]
    emails = [user.email for user in users]
    lines = [f"users: {len(emails)} in the CRM"]
    for user, address in connection.users.items():
        count = emails.count(address.lower())
        if count != 1:
            lines.append(f"users: {user} ({address}) is there {count} times: records can't be given to them")
    return lines


def _tables(connector: DeclarativeConnector) -> list[str]:
    tables = connector.describe_values()
    lines = []
    for name, choices in tables.items():
        labels = choices.labels.items()
        lines.append(f"{name}: " + "; ".join(f"{label} = {choices.counts_as.get(key, '?')}" for key, label in labels))
        set_by = "; ".join(f"{value} sets {choices.labels[key]}" for value, key in choices.ids.items())
        lines.append(f"{name}: {set_by or 'no value can be set'}")
    return lines


def _page(connector: DeclarativeConnector, file: MappingFile, name: str) -> list[str]:
    page = connector.page(name)
    resource = next(candidate for candidate in file.resources if candidate.name == name)
    filled = {
        field: sum(1 for record in page.items if record.values.get(field) not in (None, "") or record.links.get(field))
        for field in resource.fields
        if "." not in field
    }
    with_value = ", ".join(f"{field} {count}" for field, count in filled.items() if count)
    lines = [
        f"{name} ({resource.type}): {len(page.items)} records on the first page; with a value: {with_value or 'none'}"
    ]
    if page.items and (empty := [field for field, count in filled.items() if not count]):
        lines.append(f"{name}: never with a value: {', '.join(empty)}")
    custom_values = [pair for record in page.items for pair in record.values.get("custom", {}).items()]
    labels = {f"{field} {label}" for field, label in custom_values if label is not None}
    if labels:
        lines.append(f"{name}: shown by the CRM's own words: {', '.join(sorted(labels)[:MAX_LISTED])}")
    lines += [f"{name}: can't be read: {problem}" for problem in page.skipped[:MAX_LISTED]]
    lines += _following_page(connector, resource, page)
    lines += _changes(connector, resource)
    compared = [_one_by_one(connector, resource, row) for row in page.items[:MAX_COMPARED]]
    return lines + max(
        compared,
        key=lambda differences: (any("FAILED" in difference for difference in differences), len(differences)),
        default=[],
    )


def _following_page(connector: DeclarativeConnector, resource: Resource, page: RemotePage) -> list[str]:
    """Return what is wrong with the way from the first page to the second."""
    name, paginator = resource.name, resource.list_.paginator or Paginator()
    refs = {record.ref for record in page.items}
    if page.next_cursor is not None:
        if refs and refs == {record.ref for record in connector.page(name, None, page.next_cursor).items}:
            return [f"{name}: FAILED: the second page has the records of the first: check the paginator's parameter"]
        return []
    if resource.parent is not None:
        return []
    if paginator.type == "single_page" and page.rows in USUAL_PAGE_SIZES:
        return [f"{name}: exactly {page.rows} rows and no paginator: if the CRM has more, they are not read"]
    if paginator.type not in ("offset", "page_number") or paginator.total_path or not 0 < page.rows < paginator.limit:
        return []
    cursor = page.rows if paginator.type == "offset" else paginator.base_page + 1
    try:
        following = connector.page(name, None, str(cursor))
    except AishaError:
        # Some CRMs refuse a page after the last one.
        return []
    if refs.issuperset(record.ref for record in following.items):
        return []
    return [
        f"{name}: FAILED: a page of {paginator.limit} was asked for, {page.rows} rows came, and there are more. "
        f"Say limit {page.rows} in the paginator, or stop_after_empty_page where pages have gaps"
    ]


def _changes(connector: DeclarativeConnector, resource: Resource) -> list[str]:
    """Return what is wrong with the request for changes."""
    if resource.changes is None and resource.parent is not None:
        read = "each that changed" if resource.incremental_dependency else "each"
        return [f"{resource.name}: each run reads what is below {read} of {resource.parent}, by a request of its own"]
    if resource.changes is None:
        return [f"{resource.name}: no changes: each run reads the whole list"]
    since = SystemClock().now() - timedelta(days=1)
    old_rows = [
        record
        for record in connector.page(resource.name, since).items
        if record.updated_at and record.updated_at < since
    ]
    if old_rows and not resource.incremental.reach_days:
        return [
            f"{resource.name}: FAILED: changes has rows from before {{since}}, such as {old_rows[0].ref}: "
            "check its filter"
        ]
    return []


def _one_by_one(connector: DeclarativeConnector, resource: Resource, listed: RemoteRecord) -> list[str]:
    """Return how a record that is read by id differs from the list's row, and what a write would make of it."""
    name, record = resource.name, connector.get(listed.ref)
    if record is None:
        return [f"{name}: FAILED: get finds no {listed.ref}, which is in the list: check id, get and where"]
    sides = [{**side.values, **side.links, "owner": side.owner} for side in (listed, record)]
    unlike = sorted(field for field in sides[0] | sides[1] if sides[0].get(field) != sides[1].get(field))
    if unlike:
        return [
            f"{name}: FAILED: get and list differ in {', '.join(unlike)}: every change would be refused as if a "
            "colleague had made one. Let the list ask for these fields, or say ids_only"
        ]
    return [f"{name}: {difference}" for difference in connector.differences(listed.ref)[:MAX_LISTED]]
