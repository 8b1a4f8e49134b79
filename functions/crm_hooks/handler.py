"""POST /api/crm/hooks/{connection}: a tenant's CRM reports records that changed."""

from aisha.api.operation import PathParameter
from aisha.api.rest_app import RestApp
from aisha.api.schemas.administration.connections import HookAccepted
from aisha.application.connections.sync import request_fetch
from aisha.application.connections.sync_state import tenant_of
from aisha.domain.errors import NotFoundError
from aisha.domain.rate_limits import RateLimits

app = RestApp()
LIMITS = RateLimits(user_per_minute=30, tenant_per_hour=300)
"""Webhooks of a connection whose records are read at once: a bulk change must not fill the queue of all tenants."""
CONNECTION = PathParameter("The connection's id.", {"type": "string", "maxLength": 64})


@app.operation(
    "POST",
    "/api/crm/hooks/{connection}",
    "receiveCrmHook",
    summary="Receive a webhook of a CRM",
    description="Takes the CRM's own body and signature. Only the ids in it are used: the records are then read "
    "from the CRM. A webhook that comes twice, or late, changes nothing twice. Of a flood of them the first are "
    "read at once, and the others, which are not `accepted`, with the next reading of changes.",
    tag="CRM",
    success=202,
    errors=(401, 404, 413, 422),
    public=True,
    path_parameters={"connection": CONNECTION},
)
def receive(connection: str) -> HookAccepted:
    services, body = app.services, app.raw_body()
    # The path says which tenant it is about; only the signature proves it.
    if (tenant := tenant_of(services.entries, connection)) is None:
        raise NotFoundError("There is no such connection.")
    exchange = app.exchange
    refs = services.connections.changed(
        tenant, exchange.headers, exchange.method, app.public_url(), body, services.clock.now()
    )
    # After the signature: a stranger must not be able to use up a connection's limit.
    if not services.rate_limiter.take(connection, "webhooks", LIMITS, services.clock.now()).allowed:
        refs = []
    request_fetch(tenant, refs, services.sync_dependencies)
    return HookAccepted(accepted=len(refs))


handler = app.resolve
