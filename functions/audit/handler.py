"""GET /api/ai/audit: what was done with tools, for administrators."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.params import instant
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.audit import ENTRY_EXAMPLE, AuditJson, AuditQuery, audit_entry_json
from aisha.application.audit.listing import AuditFilter, audit_page, check_reader

app = RestApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/audit",
        "listAudit",
        summary="What was done with tools",
        description="Every call of a tool in the tenant, through whichever door, the last first. For users with the role "
        "admin. Sensitive fields are not in it. Entries are a chain: `hash` seals each to the one before.",
        query=AuditQuery,
        response=AuditJson,
        errors=(403, 422, 503),
        example={"items": [ENTRY_EXAMPLE], "nextCursor": "41"},
    )
)
def entries() -> Response[str]:
    principal = app.principal()
    check_reader(principal)
    query = app.query(AuditQuery)
    since = instant(query.since, principal)
    wanted = AuditFilter(query.tool, query.user, query.entity, since, query.status)
    page = audit_page(app.services.audit_log, principal.tenant, wanted, query.limit, query.cursor)
    return answer(AuditJson(items=[audit_entry_json(entry) for entry in page.items], next_cursor=page.next_cursor))


handler = app.resolve
