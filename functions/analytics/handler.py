"""POST and GET /api/ai/analytics: success and duration of the assistant's commands."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.params import instant
from aisha.api.rest_app import RestApp, answer
from aisha.api.schemas.analytics import (
    COMMAND_EXAMPLE,
    SUMMARY_EXAMPLE,
    CommandBody,
    RecordedJson,
    SummaryJson,
    SummaryQuery,
    command_fields,
    summary_json,
)
from aisha.application.conversations.analytics import CommandFilter, record_command, summarize_commands
from aisha.domain.errors import InvalidInputError
from aisha.domain.principal import Principal

app = RestApp()


@app.operation(
    Operation(
        "POST",
        "/api/ai/analytics",
        "recordCommand",
        summary="Record a command",
        description="Stores the name, duration and success of one command for 90 days.",
        body=CommandBody,
        response=RecordedJson,
        errors=(409, 503),
        idempotent=True,
        body_example=COMMAND_EXAMPLE,
        example={"success": True, "id": "command_01JD3Q9A7C5E3G1J9K7M5N3P1Q"},
    )
)
def record() -> Response[str]:
    principal, body = app.principal(), app.body(CommandBody)
    entry_id = record_command(
        app.services.entries, app.services.clock, principal, app.operation_ulid(), command_fields(body)
    )
    return answer(RecordedJson(success=True, id=entry_id))


@app.operation(
    Operation(
        "GET",
        "/api/ai/analytics",
        "summarizeCommands",
        summary="Summarize the commands",
        description="Counts, success rate and durations of the tenant's commands, with filters. Reads at most the "
        "2,000 newest commands; `truncated` is true if there are more.",
        query=SummaryQuery,
        response=SummaryJson,
        errors=(422, 503),
        example=SUMMARY_EXAMPLE,
    )
)
def summarize() -> Response[str]:
    principal, query = app.principal(), app.query(SummaryQuery)
    summary = summarize_commands(app.services.entries, principal.tenant, _filter(query, principal))
    return answer(summary_json(summary))


def _filter(query: SummaryQuery, principal: Principal) -> CommandFilter:
    start, end = instant(query.start_date, principal), instant(query.end_date, principal, is_end=True)
    if start is not None and end is not None and end < start:
        raise InvalidInputError("endDate comes before startDate.", pointer="/endDate", suggestion="Swap them.")
    return CommandFilter(query.command_name, query.command_type, query.success, start, end)


handler = app.resolve
