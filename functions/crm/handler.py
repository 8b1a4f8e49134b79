"""GET /api/crm/{type} and /api/crm/{type}/{id}: the CRM's records, for pages and tests."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel, ConfigDict

from aisha import bootstrap
from aisha.api.operation import Operation
from aisha.api.rest_app import RestApp, answer, rest_handler
from aisha.application.records.listing import RecordFilters, get_record, list_records, record_json

TYPE = "Singular: lead, contact, account, opportunity, activity, note, goal or event."
LEAD = {
    "id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N",
    "entity_type": "lead",
    "display_name": "Jack Russel",
    "first_name": "Jack",
    "last_name": "Russel",
    "company": "ABC Corp",
    "status": "warm",
    "owner": "alice",
}


class RecordJson(BaseModel):
    """A record: these members, and those of its type as in the tools' results, without what is not set."""

    model_config = ConfigDict(extra="allow")

    id: str
    entity_type: str
    display_name: str


class RecordPageJson(BaseModel):
    """One page. `total` counts every match the user may see; it is missing when only a walk over all records could tell."""

    items: list[RecordJson]
    total: int | None
    next_cursor: str | None


app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/crm/{type}",
        "listRecords",
        summary="List records",
        description="One page of the tenant's records, filtered. The same permissions as the tools.",
        tag="CRM",
        query=RecordFilters,
        response=RecordPageJson,
        errors=(403, 404, 422),
        example={"items": [LEAD], "total": 1, "next_cursor": None},
        path_parameters={"type": TYPE},
    )
)
def list_of_type(type: str) -> Response[str]:
    page = list_records(app.principal(), type, app.query(RecordFilters), bootstrap.records())
    items = [record_json(record) for record in page.items]
    body: dict[str, Any] = {"items": items, "total": page.total, "next_cursor": page.next_cursor}
    return answer(body)


@app.operation(
    Operation(
        "GET",
        "/api/crm/{type}/{id}",
        "getRecord",
        summary="Get one record",
        description="A record by its id. Another tenant's id gets the same answer as one that does not exist.",
        tag="CRM",
        response=RecordJson,
        errors=(403, 404),
        example=LEAD,
        path_parameters={"type": TYPE, "id": "The record's id."},
    )
)
def one(type: str, id: str) -> Response[str]:
    return answer(record_json(get_record(app.principal(), type, id, bootstrap.records())))


handler = rest_handler(app)
