"""GET /api/crm/changes, /api/crm/{type} and /api/crm/{type}/{id}: the CRM's records, for web pages and tests."""

from typing import Any

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.changes import CHANGES_EXAMPLE, ChangesJson, ChangesQuery, changes_json
from aisha.api.schemas.records import LEAD_EXAMPLE, RecordJson, RecordPageJson
from aisha.application.records.changes import changes_since
from aisha.application.records.listing import RecordFilters, get_record, list_records, record_json

TYPE = "One of lead, contact, account, opportunity, activity, note, goal and event."


app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/crm/changes",
        "listChanges",
        summary="List changes of records",
        description="Who changed which records, in order, for pages that show changes as they happen: poll with "
        "`since`. Only changes of records that the user may see are listed, without sensitive fields.",
        tag="CRM",
        query=ChangesQuery,
        response=ChangesJson,
        errors=(422, 503),
        example=CHANGES_EXAMPLE,
    )
)
def changes() -> Response[str]:
    principal, services = app.principal(), app.services
    page = changes_since(services.audit_log, services.records, principal, app.query(ChangesQuery).since)
    return answer(changes_json(page, principal.user))


@app.operation(
    Operation(
        "GET",
        "/api/crm/{type}",
        "listRecords",
        summary="List records",
        description="Returns one page of the records that match the filters, with the permissions of the tools.",
        tag="CRM",
        query=RecordFilters,
        response=RecordPageJson,
        errors=(403, 404, 422),
        example={"items": [LEAD_EXAMPLE], "total": 1, "next_cursor": None},
        path_parameters={"type": TYPE},
    )
)
def list_of_type(type: str) -> Response[str]:
    page = list_records(app.principal(), type, app.query(RecordFilters), app.services.records)
    items = [record_json(record) for record in page.items]
    body: dict[str, Any] = {"items": items, "total": page.total, "next_cursor": page.next_cursor}
    return answer(body)


@app.operation(
    Operation(
        "GET",
        "/api/crm/{type}/{id}",
        "getRecord",
        summary="Get a record",
        description="Returns a record by its id. The id of another tenant's record gets 404, like an unknown one.",
        tag="CRM",
        response=RecordJson,
        errors=(403, 404),
        example=LEAD_EXAMPLE,
        path_parameters={"type": TYPE, "id": "The record's id."},
    )
)
def record(type: str, id: str) -> Response[str]:
    return answer(record_json(get_record(app.principal(), type, id, app.services.records)))


handler = app.resolve
