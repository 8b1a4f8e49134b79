"""Success and duration of the assistant's commands; for admins usage with its cost, and single turns."""

from typing import Any

from aisha.api.params import instant
from aisha.api.rest_app import RestApp
from aisha.api.schemas.administration.analytics import (
    CommandBody,
    RecordedJson,
    SummaryJson,
    SummaryQuery,
    command_fields,
    summary_json,
)
from aisha.api.schemas.administration.usage import (
    BudgetJson,
    TenantUsageJson,
    TurnJson,
    TurnsJson,
    TurnsQuery,
    UsageQuery,
    turn_json,
    turn_summary_json,
)
from aisha.application.conversations.analytics import CommandFilter, record_command, summarize_commands
from aisha.application.conversations.usage import TurnFilter, find_turn, list_turns, usage_since
from aisha.application.models.budget import NANO
from aisha.domain.errors import InvalidInputError
from aisha.domain.principal import Principal, require_admin

app = RestApp()


@app.operation(
    "POST",
    "/api/ai/analytics",
    "recordCommand",
    summary="Record a command",
    description="Stores the name, duration and success of one command for 90 days.",
    errors=(409, 503),
    idempotent=True,
    # A client records each turn, which has been counted already.
    limited=False,
)
def record(body: CommandBody) -> RecordedJson:
    principal = app.principal()
    entry_id = record_command(
        app.services.entries, app.services.clock, principal, app.operation_ulid(), command_fields(body)
    )
    return RecordedJson(success=True, id=entry_id)


@app.operation(
    "GET",
    "/api/ai/analytics",
    "summarizeCommands",
    summary="Summarize the commands",
    description="Counts, success rate and durations of the tenant's commands, with filters. Reads at most the "
    "2,000 newest commands; `truncated` is true if there are more.",
    response=SummaryJson,
    errors=(422, 503),
)
def summarize(query: SummaryQuery) -> dict[str, Any]:
    principal = app.principal()
    summary = summarize_commands(app.services.entries, principal.tenant, _filter(query, principal))
    return summary_json(summary)


@app.operation(
    "GET",
    "/api/ai/usage",
    "getUsage",
    summary="Get usage and cost",
    description="Turns with their tokens and cost by user, model and day, and the month's budget. Only for users "
    "with the role admin.",
    query=UsageQuery,
    errors=(403, 422, 503),
)
def usage() -> TenantUsageJson:
    principal, services = app.principal(), app.services
    require_admin(principal, "see usage and cost")
    # Days are those of the admin's zone; the budget's month is in UTC, for the whole deployment.
    now, tenant = services.clock.now(), principal.tenant
    used = usage_since(services.entries, tenant, app.query(UsageQuery).days, now, principal.tzinfo)
    # The ledger counts in billionths of a dollar.
    budget = BudgetJson(
        month=f"{now:%Y-%m}",
        budget_usd=services.tenant_plans.of(tenant).budget_usd,
        spent_usd=round(services.spending_ledger.spent(tenant, f"{now:%Y-%m}") / NANO, 6),
    )
    return TenantUsageJson.from_attributes(used, budget=budget)


@app.operation(
    "GET",
    "/api/ai/turns",
    "listTurns",
    summary="List turns",
    description="The turns of all users in the last 90 days, the newest first, without their texts. Only for users "
    "with the role admin.",
    query=TurnsQuery,
    errors=(403, 422, 503),
)
def turns() -> TurnsJson:
    principal = app.principal()
    require_admin(principal, "see all turns")
    query = app.query(TurnsQuery)
    filter_by = TurnFilter(query.user, query.tool, query.conversation, query.success)
    items, cursor = list_turns(app.services.entries, principal.tenant, filter_by, query.limit, query.cursor)
    return TurnsJson(items=[turn_summary_json(entry) for entry in items], next_cursor=cursor)


@app.operation(
    "GET",
    "/api/ai/turns/{id}",
    "getTurn",
    summary="Get a turn",
    description="One turn with its prompt by section, tool calls, model calls, tokens, cost and times. Only for "
    "users with the role admin.",
    errors=(403, 404, 503),
    path_parameters={"id": "The `messageId` of the answer."},
)
def turn(id: str) -> TurnJson:
    principal = app.principal()
    require_admin(principal, "see all turns")
    return turn_json(find_turn(app.services.entries, principal.tenant, id))


def _filter(query: SummaryQuery, principal: Principal) -> CommandFilter:
    start, end = instant(query.start_date, principal), instant(query.end_date, principal, is_end=True)
    if start is not None and end is not None and end < start:
        raise InvalidInputError("endDate comes before startDate.", pointer="/endDate", suggestion="Swap them.")
    return CommandFilter(query.command_name, query.command_type, query.success, start, end)


handler = app.resolve
