"""The user's suggestions: GET /api/ai/suggestions, POST of /{id}/accept, /{id}/dismiss and /{id}/snooze."""

from aisha.api.params import parse_moment
from aisha.api.schemas.crm.notifications import tool_call_json
from aisha.api.schemas.crm.suggestions import (
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
from aisha.application.suggestions.store import read_suggestions

ID = {"id": "The suggestion's id."}
ERRORS = (403, 404, 409, 410, 422, 503)

app = ToolApp()


@app.operation(
    "GET",
    "/api/ai/suggestions",
    "listSuggestions",
    summary="List suggestions",
    description="Suggestions of the sweep about the user's records, and about records without an owner that the "
    "user may see, the most urgent first.",
    errors=(422, 503),
)
def list_suggestions(query: SuggestionsQuery) -> SuggestionsJson:
    context = app.tool_context("listSuggestions")
    # All of them, since they are sorted by urgency, which the store does not know.
    matches, counts = read_suggestions(context, query.status)
    return suggestions_json(matches, counts, query.limit)


@app.operation(
    "POST",
    "/api/ai/suggestions/{id}/accept",
    "acceptSuggestion",
    summary="Accept a suggestion",
    description="Runs its call, e.g. plans an activity, only once even if several requests come at the same time. "
    "A call without a required argument is refused, and the error names it. If the call fails, the suggestion "
    "stays pending.",
    errors=ERRORS,
    idempotent=True,
    path_parameters=ID,
)
def accept_suggestion(id: str, body: AcceptBody) -> DecidedJson:
    # The suggestion's id is the operation of its call, so that repeated requests write the same records.
    attempt, tools = app.attempt, app.services.tools
    threshold = app.services.settings.bulk_confirmation_threshold
    suggestion, call = accept(
        id, app.tool_context(id), tools, threshold, body.arguments, with_call=body.run, attempt=attempt
    )
    return DecidedJson(
        success=call is None or call.result.ok,
        suggestion=suggestion_json(suggestion),
        tool_call=tool_call_json(call, app.request_id) if call is not None else None,
    )


@app.operation(
    "POST",
    "/api/ai/suggestions/{id}/dismiss",
    "dismissSuggestion",
    summary="Dismiss a suggestion",
    description="It is not suggested again for 90 days.",
    errors=ERRORS,
    idempotent=True,
    path_parameters=ID,
)
def dismiss_suggestion(id: str) -> DecidedJson:
    return DecidedJson(success=True, suggestion=suggestion_json(dismiss(id, app.tool_context(id))))


@app.operation(
    "POST",
    "/api/ai/suggestions/{id}/snooze",
    "snoozeSuggestion",
    summary="Snooze a suggestion",
    description="Hides it until the given time, at most 90 days ahead.",
    errors=ERRORS,
    idempotent=True,
    path_parameters=ID,
)
def snooze_suggestion(id: str, body: SnoozeBody) -> DecidedJson:
    context = app.tool_context(id)
    suggestion = snooze(id, context, parse_moment(body.until, context.now, "/until"))
    return DecidedJson(success=True, suggestion=suggestion_json(suggestion))


handler = app.resolve
