"""GET /api/ai/tools: the catalogue of the tools that the user may use."""

from aisha.api.rest_app import RestApp
from aisha.api.schemas.administration.tools import CatalogueJson, tool_json
from aisha.application.tenants.profile import profile_of

app = RestApp()


@app.operation(
    "GET",
    "/api/ai/tools",
    "listTools",
    summary="List the tools",
    description="The tools that the user may use, with JSON Schemas of their arguments and results.",
    errors=(503,),
)
def catalogue() -> CatalogueJson:
    principal = app.principal()
    rules = profile_of(app.services.tenant_profiles, principal.tenant).rules_for(principal.roles)
    services, tenant = app.services, principal.tenant
    specs = services.tools.permitted(principal, rules, services.team_values(tenant), services.custom_fields(tenant))
    # With the tenant's own values and fields in their schemas, as its models see them.
    items = [tool_json(spec) for spec in specs]
    return CatalogueJson(items=items, total=len(items))


handler = app.resolve
