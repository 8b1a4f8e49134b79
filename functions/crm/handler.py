"""GET /api/crm/changes, /api/crm/{type}, GET and PATCH /api/crm/{type}/{id}: the CRM's records, for web pages."""

from typing import Any

from aws_lambda_powertools.event_handler import Response

from aisha.api.rest_app import answer
from aisha.api.schemas.crm.changes import ChangesJson, ChangesQuery, changes_json
from aisha.api.schemas.crm.records import RecordJson, RecordPageJson, RecordValues
from aisha.api.tool_app import ToolApp
from aisha.application.records.changes import changes_since
from aisha.application.records.listing import RecordFilters, get_record, list_records, record_json
from aisha.application.records.page_edits import change_record, check_current, etag_of
from aisha.domain.crm.records import Record

TYPE = "One of lead, contact, account, opportunity, activity, note, goal and event."


app = ToolApp()


@app.operation(
    "GET",
    "/api/crm/changes",
    "listChanges",
    summary="List changes of records",
    description="Who changed which records, in order, for pages that show changes as they happen: poll with "
    "`since`. Only changes of records that the user may see are listed, without sensitive fields.",
    tag="CRM",
    errors=(422, 503),
)
def changes(query: ChangesQuery) -> ChangesJson:
    principal, services = app.principal(), app.services
    page = changes_since(services.audit_log, services.records, principal, query.since)
    return changes_json(page, principal.user)


@app.operation(
    "GET",
    "/api/crm/{type}",
    "listRecords",
    summary="List records",
    description="Returns one page of the records that match the filters, with the permissions of the tools.",
    tag="CRM",
    response=RecordPageJson,
    errors=(403, 404, 422),
    path_parameters={"type": TYPE},
)
def list_of_type(type: str, query: RecordFilters) -> dict[str, Any]:
    principal, team_values = app.principal(), app.services.team_values(app.principal().tenant)
    page = list_records(principal, type, query, app.services.records, team_values)
    items = [record_json(record) for record in page.items]
    return {"items": items, "total": page.total, "next_cursor": page.next_cursor}


@app.operation(
    "GET",
    "/api/crm/{type}/{id}",
    "getRecord",
    summary="Get a record",
    description="Returns a record by its id. The id of another tenant's record gets 404, like an unknown one. Its "
    "`ETag` goes with a change, as `If-Match`.",
    tag="CRM",
    response=RecordJson,
    errors=(403, 404),
    path_parameters={"type": TYPE, "id": "The record's id."},
    tagged=True,
)
def record(type: str, id: str) -> Response[str]:
    return _record_response(get_record(app.principal(), type, id, app.services.records))


@app.operation(
    "PATCH",
    "/api/crm/{type}/{id}",
    "changeRecord",
    summary="Change a record",
    description="Replaces the fields that are sent, which are those of the tool `update_<type>`, with its checks, "
    "rules and audit. The change is refused (412) if somebody else has changed the record since it was read, and "
    "the message says what and by whom; nothing is overwritten unseen.",
    tag="CRM",
    response=RecordJson,
    errors=(403, 404, 409, 412, 422, 428, 503),
    idempotent=True,
    path_parameters={"type": TYPE, "id": "The record's id."},
    tagged=True,
    versioned=True,
)
def change(type: str, id: str, body: RecordValues) -> Response[str]:
    services, principal = app.services, app.principal()
    current = get_record(principal, type, id, services.records)
    # A retry of a change that was made finds the version that the change led to.
    is_repeated = app.attempt is not None and app.attempt.is_resumed
    if not is_repeated:
        check_current(current, app.exchange.headers.get("if-match"), principal, services.audit_log)
    versions = {} if is_repeated else {id: current.version}
    # A change from a page is a call of `update_<type>`: gate, audit and undo are the same as in a chat.
    context = app.tool_context(f"crm.{app.operation_ulid()}", versions)
    change_record(context, services.tools, current, body.model_dump(exclude_unset=True))
    return _record_response(get_record(principal, type, id, services.records))


def _record_response(record: Record) -> Response[str]:
    response = answer(record_json(record))
    response.headers["etag"] = etag_of(record)
    return response


handler = app.resolve
