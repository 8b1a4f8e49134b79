"""Suggestions as the API takes and shows them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, ConfigDict, Field

from aisha.api.schemas.chat import CamelModel, EntityRefJson, ToolCallJson
from aisha.api.schemas.scans import FINDING_EXAMPLE
from aisha.application.suggestions.store import Suggestion, SuggestionCounts

StatusName = Literal["pending", "accepted", "dismissed", "snoozed", "superseded"]


class SuggestionsQuery(CamelModel):
    """Which are shown."""

    status: StatusName = "pending"
    limit: int = Field(20, ge=1, le=100, description="How many of the most pressing.")


class SuggestionJson(CamelModel):
    """Something worth doing about a record. `priority` is 1 to 10, from 9 urgent.

    `tool` and `arguments` are the call that accepting it runs. `shared`: the record has no owner, and whoever sees it may
    decide. `superseded`: the reason is gone.
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
    """The most pressing first. `pending` and `accepted` (of 30 days) count all; `truncated`: there are more than 2,000."""

    success: bool
    suggestions: list[SuggestionJson]
    total: int
    pending: int
    accepted: int
    truncated: bool


class AcceptBody(CamelModel):
    """How it is accepted."""

    model_config = ConfigDict(strict=True)

    arguments: dict[str, Any] | None = Field(None, description="Completes or replaces arguments of the call.")
    run: bool = Field(True, description="False: accepted without the call, as something done elsewhere.")


class SnoozeBody(CamelModel):
    """Until when it is kept away."""

    model_config = ConfigDict(strict=True)

    until: Annotated[str, Field(min_length=1, max_length=100)] | None = Field(
        None,
        validation_alias=AliasChoices("until", "when"),
        description="ISO 8601, or words in the user's time zone, e.g. monday at 9am; left out: for a day.",
    )


class DecidedJson(CamelModel):
    """The suggestion as it stands. `success` is false when its call failed: then it is pending as before."""

    success: bool
    suggestion: SuggestionJson
    tool_call: ToolCallJson | None = None


SUGGESTION_ID = "suggestion_lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N.warm_without_activity"
SUGGESTION_EXAMPLE = {name: value for name, value in FINDING_EXAMPLE.items() if name != "owner"} | {
    "id": SUGGESTION_ID,
    "status": "pending",
    "scanType": "stale_leads",
    "openedAt": "2026-03-02T03:00:04Z",
    "shared": False,
}
LIST_EXAMPLE = {
    "success": True,
    "suggestions": [SUGGESTION_EXAMPLE],
    "total": 1,
    "pending": 1,
    "accepted": 7,
    "truncated": False,
}
ACCEPTED_EXAMPLE = {
    "success": True,
    "suggestion": SUGGESTION_EXAMPLE | {"status": "accepted", "decidedAt": "2026-03-02T09:00:00Z"},
    "toolCall": {
        "id": SUGGESTION_ID,
        "name": "create_activity",
        "arguments": FINDING_EXAMPLE["arguments"],
        "status": "executed",
        "description": "Created the call “Call with Jack Russel”",
        "result": {"activity": {"id": "activity_01JD3QB2C4E6G8J0M2P4R6T8V0", "title": "Call with Jack Russel"}},
        "durationMs": 21.4,
    },
}
DISMISSED_EXAMPLE = {
    "success": True,
    "suggestion": SUGGESTION_EXAMPLE | {"status": "dismissed", "decidedAt": "2026-03-02T09:00:00Z"},
}
SNOOZED_EXAMPLE = {
    "success": True,
    "suggestion": SUGGESTION_EXAMPLE | {"status": "snoozed", "snoozedUntil": "2026-03-03T09:00:00-05:00"},
}


def suggestions_json(found: Sequence[Suggestion], counts: SuggestionCounts, limit: int) -> SuggestionsJson:
    """A list of the most pressing."""
    return SuggestionsJson(
        success=True,
        suggestions=[suggestion_json(one) for one in found[:limit]],
        total=len(found),
        pending=counts.pending,
        accepted=counts.accepted,
        truncated=not counts.is_exact,
    )


def suggestion_json(one: Suggestion) -> SuggestionJson:
    """One suggestion."""
    return SuggestionJson(
        id=one.id,
        status=one.status,
        scan_type=one.scan_type,
        kind=one.kind,
        entity=EntityRefJson.model_validate(one.entity),
        text=one.text,
        priority=one.priority,
        opened_at=one.opened_at,
        shared=one.is_shared,
        tool=one.tool,
        arguments=dict(one.arguments) if one.arguments is not None else None,
        snoozed_until=one.snoozed_until if one.status == "snoozed" else None,
        decided_at=one.decided_at,
    )
