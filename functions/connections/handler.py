"""GET /api/ai/connections and POST /api/ai/connections/check: the connection to the tenant's CRM, for admins."""

from aisha.api.rest_app import RestApp
from aisha.api.schemas.administration.connections import (
    CheckJson,
    ConnectionsJson,
    check_json,
    connectable,
    connection_item,
)
from aisha.domain.crm.connector import secret_name
from aisha.domain.principal import require_admin

app = RestApp()


@app.operation(
    "GET",
    "/api/ai/connections",
    "listConnections",
    summary="List the connections to CRMs",
    description="The tenant's connection with its state: how far the first load is, how old the copy is, why the "
    "last reading failed, and records and fields that can't be read; and the CRMs that have a mapping file, each "
    "with the command that connects it. Only for users with the role admin. It has no secrets, and takes none.",
    errors=(403, 503),
)
def connections() -> ConnectionsJson:
    principal, services = app.principal(), app.services
    require_admin(principal, "see the connections")
    tenant, titles = principal.tenant, services.connections.titles()
    crm = services.tenant_profiles(tenant).get("crm")
    # The state is read only for a tenant that has a connection.
    items = [connection_item(crm, titles, services.sync_state(tenant), services.clock.now())] if crm else []
    others = [
        connectable(name, title, secret_name(name, tenant), tenant, principal.user) for name, title in titles.items()
    ]
    return ConnectionsJson(items=items, connectable=others)


@app.operation(
    "POST",
    "/api/ai/connections/check",
    "checkConnection",
    summary="Check the connection",
    description="Reads one page of each type of record from the tenant's CRM, and says what maps and what does "
    "not. It writes nothing, in the CRM or here. One check runs at a time. Only for users with the role admin.",
    errors=(403, 404, 409, 501, 503),
)
def check() -> CheckJson:
    principal = app.principal()
    require_admin(principal, "check the connection")
    return check_json(app.services.connections.check(principal.tenant))


handler = app.resolve
