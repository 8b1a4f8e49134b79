"""Suggestions of the user: GET /api/ai/suggestions, POST of /{id}/accept, /{id}/dismiss and /{id}/snooze."""

from aws_lambda_powertools.event_handler import Response

from aisha.api.operation import Operation
from aisha.api.params import parse_moment
from aisha.api.rest_app import answer
from aisha.api.schemas.notifications import tool_call_json
from aisha.api.schemas.suggestions import (
    ACCEPTED_EXAMPLE,
    DISMISSED_EXAMPLE,
    LIST_EXAMPLE,
    SNOOZED_EXAMPLE,
    AcceptBody,
    DecidedJson,
    SnoozeBody,
    SuggestionsJson,
    SuggestionsQuery,
    suggestion_json,
    suggestions_json,
)
from aisha.api.tool_app import ToolApp
from aisha.application.suggestions.decisions import accept, dismiss, snooze
from aisha.application.suggestions.store import suggestions

ID = {"id": "The suggestion's id."}
ERRORS = (403, 404, 409, 410, 422, 503)

app = ToolApp()


@app.operation(
    Operation(
        "GET",
        "/api/ai/suggestions",
        "listSuggestions",
        summary="Suggestions",
        description="What the sweep found worth doing about the user's records and about those that nobody owns, as far as "
        "the user may see them, the most pressing first.",
        query=SuggestionsQuery,
        response=SuggestionsJson,
        errors=(422, 503),
        example=LIST_EXAMPLE,
    )
)
def listed() -> Response[str]:
    context, query = app.tool_context("listSuggestions"), app.query(SuggestionsQuery)
    found, counts = suggestions(context, query.status)
    return answer(suggestions_json(found, counts, query.limit))


@app.operation(
    Operation(
        "POST",
        "/api/ai/suggestions/{id}/accept",
        "acceptSuggestion",
        summary="Accept a suggestion",
        description="Runs its call, once for all who ask, such as to put the call into the calendar. A call that needs more "
        "is refused and says what; a call that fails leaves the suggestion pending.",
        body=AcceptBody,
        response=DecidedJson,
        errors=ERRORS,
        idempotent=True,
        path_parameters=ID,
        body_example={},
        example=ACCEPTED_EXAMPLE,
    )
)
def accepted(id: str) -> Response[str]:
    body, attempt, tools = app.body(AcceptBody), app.attempt, app.services.tools
    threshold = app.services.settings.bulk_confirmation_threshold
    suggestion, call = accept(
        id, app.tool_context(id), tools, threshold, body.arguments, with_call=body.run, attempt=attempt
    )
    return answer(
        DecidedJson(
            success=call is None or call.result.ok,
            suggestion=suggestion_json(suggestion),
            tool_call=tool_call_json(call, app.request_id) if call is not None else None,
        )
    )


@app.operation(
    Operation(
        "POST",
        "/api/ai/suggestions/{id}/dismiss",
        "dismissSuggestion",
        summary="Dismiss a suggestion",
        description="It does not come again for 90 days.",
        response=DecidedJson,
        errors=ERRORS,
        idempotent=True,
        path_parameters=ID,
        example=DISMISSED_EXAMPLE,
    )
)
def dismissed(id: str) -> Response[str]:
    return answer(DecidedJson(success=True, suggestion=suggestion_json(dismiss(id, app.tool_context(id)))))


@app.operation(
    Operation(
        "POST",
        "/api/ai/suggestions/{id}/snooze",
        "snoozeSuggestion",
        summary="Be asked again later",
        description="Keeps it away until then, 90 days at most.",
        body=SnoozeBody,
        response=DecidedJson,
        errors=ERRORS,
        idempotent=True,
        path_parameters=ID,
        body_example={"until": "tomorrow at 9am"},
        example=SNOOZED_EXAMPLE,
    )
)
def snoozed(id: str) -> Response[str]:
    context, body = app.tool_context(id), app.body(SnoozeBody)
    made = snooze(id, context, parse_moment(body.until, context.now, "/until"))
    return answer(DecidedJson(success=True, suggestion=suggestion_json(made)))


handler = app.resolve
