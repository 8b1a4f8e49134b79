"""Schemas of suggestions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.api.schemas.conversations.chat import EntityRefJson, ToolCallJson
from aisha.application.suggestions.store import Suggestion, SuggestionCounts

StatusName = Literal["pending", "accepted", "dismissed", "snoozed", "superseded"]


class SuggestionsQuery(CamelModel):
    """Filters of the suggestions to list."""

    status: StatusName = "pending"
    limit: int = Field(20, ge=1, le=100, description="Maximum number of suggestions.")


class SuggestionJson(CamelModel):
    """A suggested action on a record. `priority` is 1 to 10; 9 and 10 are urgent.

    Accepting it runs the call of `tool` with `arguments`. `shared` is true for a record without an owner: any user who
    may see it can decide. The status `superseded` means that the reason no longer applies.
    """

    id: str
    status: StatusName
    scan_type: str
    kind: str
    entity: EntityRefJson
    text: str
    priority: int
    opened_at: datetime
    shared: bool
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    snoozed_until: datetime | None = None
    decided_at: datetime | None = None


class SuggestionsJson(CamelModel):
    """Suggestions, the most urgent first.

    `pending` and `accepted` (in the last 30 days) are independent of the filters. `truncated` is true if there are more
    than 2,000; then the figures cover only these.
    """

    success: bool
    suggestions: list[SuggestionJson]
    total: int
    pending: int
    accepted: int
    truncated: bool


class AcceptBody(StrictBody):
    """Options of accepting a suggestion."""

    arguments: dict[str, Any] | None = Field(None, description="Arguments that complete or replace those of the call.")
    run: bool = Field(
        True,
        description="If false, the suggestion is accepted without running its call, because the user acts elsewhere.",
    )


class SnoozeBody(StrictBody):
    """The end of the snooze."""

    until: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        None,
        validation_alias=AliasChoices("until", "when"),
        description="ISO 8601, or words in the user's time zone, e.g. `monday at 9am`. Default: a day from now.",
    )


class DecidedJson(CamelModel):
    """The suggestion after the decision. `success` is false if its call failed; then it is still pending."""

    success: bool
    suggestion: SuggestionJson
    tool_call: ToolCallJson | None = None


def suggestions_json(suggestions: Sequence[Suggestion], counts: SuggestionCounts, limit: int) -> SuggestionsJson:
    """Return the first `limit` suggestions with the counts."""
    return SuggestionsJson(
        success=True,
        suggestions=[suggestion_json(suggestion) for suggestion in suggestions[:limit]],
        total=len(suggestions),
        pending=counts.pending,
        accepted=counts.accepted,
        truncated=not counts.is_exact,
    )


def suggestion_json(suggestion: Suggestion) -> SuggestionJson:
    """Return a suggestion."""
    return SuggestionJson.from_attributes(
        suggestion,
        shared=suggestion.is_shared,
        # A suggestion that has come back keeps the time in the store.
        snoozed_until=suggestion.snoozed_until if suggestion.status == "snoozed" else None,
    )
