"""GET /api/ai/audit and /api/ai/audit/verification: the log of tool calls, for administrators."""

from aisha.api.params import instant
from aisha.api.rest_app import RestApp
from aisha.api.schemas.administration.audit import AuditEntryJson, AuditJson, AuditQuery, ChainJson, chain_json
from aisha.application.audit.chain import verify
from aisha.application.audit.listing import AuditFilter, audit_page, check_reader

app = RestApp()


@app.operation(
    "GET",
    "/api/ai/audit",
    "listAudit",
    summary="List the audit log",
    description="All tool calls of the tenant, whatever API they came through, the latest first. Only for users "
    "with the role admin. Sensitive fields are left out. Entries form a hash chain: `hash` covers `previousHash`.",
    query=AuditQuery,
    errors=(403, 422, 503),
)
def entries() -> AuditJson:
    principal = app.principal()
    check_reader(principal)
    query = app.query(AuditQuery)
    since = instant(query.since, principal)
    audit_filter = AuditFilter(query.tool, query.user, query.entity, since, query.status)
    page = audit_page(app.services.audit_log, principal.tenant, audit_filter, query.limit, query.cursor)
    return AuditJson(
        items=[AuditEntryJson.from_attributes(entry) for entry in page.items], next_cursor=page.next_cursor
    )


@app.operation(
    "GET",
    "/api/ai/audit/verification",
    "verifyAudit",
    summary="Verify the audit log",
    description="Follows the hash chain from its first entry to its last and returns what is wrong with it. Only "
    "for users with the role admin. Keep `head` elsewhere: compared with it, a log that was written anew shows.",
    errors=(403, 503),
)
def verification() -> ChainJson:
    principal = app.principal()
    check_reader(principal)
    return chain_json(verify(app.services.audit_log, principal.tenant))


handler = app.resolve
