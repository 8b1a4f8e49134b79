"""Checks of a connection that read one page of each resource, compare it with single records, and write nothing."""

import math
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial

from aisha.adapters.clock import SystemClock
from aisha.adapters.crm.declarative import DeclarativeConnector
from aisha.adapters.crm.mapping_file.file import MappingFile
from aisha.adapters.crm.mapping_file.requests import Paginator
from aisha.adapters.crm.mapping_file.resource import Resource
from aisha.domain.crm.connector import Connection, RemotePage, RemoteRecord
from aisha.domain.errors import AishaError

MAX_LISTED = 10
MAX_COMPARED = 5
"""Records of a page that are read by their ids too: some differ from the list in fields that others do not have."""
USUAL_PAGE_SIZES = (10, 20, 25, 30, 50, 100, 200, 250, 500, 1000)


def check_connection(
    file: MappingFile,
    connector: DeclarativeConnector,
    connection: Connection,
    *,
    max_seconds: float = math.inf,
) -> list[str]:
    """Return what maps and what does not, line by line. After `max_seconds` the resources left are named alone."""
    lines = [f"{file.title}: the file is valid."]
    started = time.monotonic()
    lines += _attempt("users", lambda: _users(connector, connection))
    lines += _attempt("values", lambda: _tables(connector))
    for resource in file.resources:
        if time.monotonic() - started > max_seconds:
            lines.append(f"{resource.name}: not read, as {file.title} answers slowly: use `make connect-check`")
            continue
        lines += _attempt(resource.name, partial(_page, connector, file, resource.name))
    lines += [f"not supported: {name}: {reason}" for name, reason in file.unsupported.items()]
    return lines


def _attempt(name: str, read_lines: Callable[[], Iterable[str]]) -> list[str]:
    try:
        return list(read_lines())
    except AishaError as error:
        return [f"{name}: FAILED: {error.message} {error.suggestion or ''}".rstrip()]


def _users(connector: DeclarativeConnector, connection: Connection) -> list[str]:
    if (users := connector.users()) is None:
        return ["users: records name their owners by e-mail address"]
    emails = [user.email for user in users]
    lines = [f"users: {len(emails)} in the CRM"]
    # An address that is there twice names nobody.
    for user, address in connection.users.items():
        count = emails.count(address.lower())
        if count != 1:
            lines.append(f"users: {user} ({address}) is there {count} times: records can't be given to them")
    return lines


def _tables(connector: DeclarativeConnector) -> list[str]:
    tables = connector.tables()
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
    # A value without one of AiSHA's is shown by its own label, which an admin should know of.
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
    # A list that ends at exactly a usual page size is probably one page of a longer list.
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
    # A filter that the CRM ignores gives all rows, and each run would read the whole list as changed.
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
    # The fingerprint of a record is of all its fields: one that the list leaves out looks like a change.
    sides = [{**side.values, **side.links, "owner": side.owner} for side in (listed, record)]
    unlike = sorted(field for field in sides[0] | sides[1] if sides[0].get(field) != sides[1].get(field))
    if unlike:
        return [
            f"{name}: FAILED: get and list differ in {', '.join(unlike)}: every change would be refused as if a "
            "colleague had made one. Let the list ask for these fields, or say ids_only"
        ]
    return [f"{name}: {difference}" for difference in connector.differences(listed.ref)[:MAX_LISTED]]
