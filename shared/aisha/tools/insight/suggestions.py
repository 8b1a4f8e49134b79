"""Tools for suggestions: what scans and the daily sweep found, waiting for the user's decision."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import Field

from aisha.application.redaction.summaries import line
from aisha.application.suggestions import decisions
from aisha.application.suggestions.store import PENDING, SHOWN_KIND, Status, Suggestion, read_suggestions
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Limit, RecordId
from aisha.application.tooling.results import EntityRef, RecordList
from aisha.domain.crm.records import SubjectType
from aisha.domain.dates.parsing import When
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import AishaError, InvalidInputError, NotFoundError
from aisha.domain.tools import FollowUp

BULK_THRESHOLD = 10
"""The most records that an accepted suggestion may write at once; those of scans write one."""
MAX_NAMED = 5
SHOWN_TTL = timedelta(hours=1)
"""The time for which places are those of the list that was shown last."""
Place = Annotated[int | None, Field(ge=1, le=1000), "Its place in list_suggestions, 1 for the most urgent"]
AboutType = Annotated[SubjectType | None, "Type of the record that it is about, instead of the place"]
AboutId = Annotated[RecordId | None, "Id of the record that it is about, instead of the place"]
_FOLLOWUPS = (
    FollowUp("Which suggestions are waiting for me?", "💡", "list_suggestions"),
    followups.MY_DAY,
    followups.NEXT_STEPS,
)


class WaitingSuggestion(DeferredModel):
    """A suggestion. `text` says what to do and why; `priority` is 1 to 10; `entity` is the record that it is about."""

    text: str
    priority: int
    status: Status
    entity: EntityRef
    snoozed_until: datetime | None = None


class DecidedSuggestion(DeferredModel):
    """A suggestion after the decision; `done` says what was done for it."""

    suggestion: str
    status: Status
    done: str | None = None
    snoozed_until: datetime | None = None


@toolkit(name="suggestions", description="What scans and the daily sweep suggest: list it, accept it, put it off.")
class Suggestions:
    @tool(
        guidance="Suggestions are stored findings of scans and of the daily sweep. For those that wait, call "
        "list_suggestions; for advice on a record or the pipeline now, suggest_next_actions. Accept, dismiss or snooze "
        "one only when the user says so.",
        examples=(
            "show me the pending suggestions",
            "which suggestions are waiting for me",
            "list my suggestions",
            "do I have any suggestions waiting",
            "what ideas do you have waiting for me",
            "what ideas do you have stored",
            "which suggestions are still open",
            "what did the sweep suggest",
            "which suggestions came out of the scan",
            "show the suggestions that I {status}",
        ),
        typical_followups=(
            FollowUp("Accept the first suggestion", "✅", "accept_suggestion"),
            FollowUp("Dismiss the first suggestion", "🗑️", "dismiss_suggestion"),
            FollowUp("Run a scan for stale leads", "🔎", "run_scan", {"scan_type": "stale_leads"}),
        ),
    )
    def list_suggestions(
        self,
        context: ToolContext,
        status: Annotated[Status, "Which ones: pending wait for a decision"] = PENDING,
        limit: Limit = 10,
    ) -> RecordList[WaitingSuggestion]:
        """List suggestions.

        They are what scans and the daily sweep found to be done, the most urgent first.
        """
        matches, _ = read_suggestions(context, status)
        if status == PENDING:
            _store_listed_ids(context, matches[:limit])
        return RecordList[WaitingSuggestion](
            items=[WaitingSuggestion.from_attributes(suggestion) for suggestion in matches[:limit]], total=len(matches)
        )

    @tool(
        access="write",
        examples=(
            "accept the suggestion",
            "accept the first suggestion",
            "accept the suggestion about {name}",
            "take the second suggestion",
            "do what the third suggestion says",
        ),
        typical_followups=_FOLLOWUPS,
    )
    def accept_suggestion(
        self, context: ToolContext, place: Place = None, entity_type: AboutType = None, entity_id: AboutId = None
    ) -> DecidedSuggestion:
        """Accept a suggestion.

        What it says is done, for example a call is planned; that can be undone for one day.
        """
        assert context.registry is not None  # noqa: S101 - the registry runs this tool
        chosen = _find(context, place, entity_type, entity_id)
        try:
            # Here and not by the model: the stored call runs with its stored arguments.
            suggestion, call = decisions.accept(chosen.id, context, context.registry, BULK_THRESHOLD)
            if call is not None and (error := call.result.exception) is not None:
                raise error
        except InvalidInputError as error:
            # A gap in the data is found by a scan, but only the user knows what belongs there.
            raise InvalidInputError(
                f"This needs a value that only you know: {chosen.text}",
                suggestion="Ask the user for the value, and change the record with it.",
            ) from error
        return DecidedSuggestion(
            suggestion=suggestion.text, status=suggestion.status, done=line(call) if call else None
        )

    @tool(
        access="write",
        examples=(
            "dismiss the suggestion",
            "dismiss the second suggestion",
            "dismiss the suggestion about {name}",
            "drop the first suggestion",
            "reject the suggestion about {name}",
            "ignore the suggestion",
            "I am not interested in the suggestion",
        ),
        typical_followups=_FOLLOWUPS,
    )
    def dismiss_suggestion(
        self, context: ToolContext, place: Place = None, entity_type: AboutType = None, entity_id: AboutId = None
    ) -> DecidedSuggestion:
        """Dismiss a suggestion.

        It is not made again for 90 days.
        """
        suggestion = decisions.dismiss(_find(context, place, entity_type, entity_id).id, context)
        return DecidedSuggestion(suggestion=suggestion.text, status=suggestion.status)

    @tool(
        access="write",
        examples=(
            "snooze the suggestion",
            "snooze the first suggestion until {until}",
            "snooze the suggestion about {name} until {until}",
            "remind me of the second suggestion {until}",
            "put the suggestion about {name} off until {until}",
            "postpone the suggestion until {until}",
        ),
        typical_followups=_FOLLOWUPS,
    )
    def snooze_suggestion(
        self,
        context: ToolContext,
        place: Place = None,
        entity_type: AboutType = None,
        entity_id: AboutId = None,
        until: Annotated[When | None, "When it comes back, at most 90 days ahead; by default in a day"] = None,
    ) -> DecidedSuggestion:
        """Snooze a suggestion: it waits again at the time given."""
        suggestion = decisions.snooze(_find(context, place, entity_type, entity_id).id, context, until)
        return DecidedSuggestion(
            suggestion=suggestion.text, status=suggestion.status, snoozed_until=suggestion.snoozed_until
        )


def _find(context: ToolContext, place: int | None, entity_type: str | None, entity_id: str | None) -> Suggestion:
    """Return the waiting suggestion at this place or about this record; without either, the only one there is.

    Raises `NotFoundError`, and `InvalidInputError` when several fit.
    """
    # Always the waiting ones: what was decided can't be decided again.
    waiting, _ = read_suggestions(context)
    filters = {"type": entity_type, "id": entity_id}
    fitting = [
        suggestion
        for suggestion in waiting
        if all(value in (None, suggestion.entity[name]) for name, value in filters.items())
    ]
    # A record is surer than a place, when a model gives both.
    if place is not None and entity_id is None:
        # Places are those of the list that was shown, also when one of it was decided meanwhile.
        listed_ids = _listed_ids(context) or [suggestion.id for suggestion in waiting]
        fitting = [suggestion for suggestion in waiting if suggestion.id in listed_ids[place - 1 : place]]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        about = "like that " if waiting else ""
        raise NotFoundError(f"There is no suggestion {about}waiting", suggestion="Look them up with list_suggestions.")
    names = ", ".join(suggestion.text.partition(": ")[0] for suggestion in fitting[:MAX_NAMED])
    raise InvalidInputError(
        f"{len(fitting)} suggestions are waiting, first {names}. Say which one by its place in the list",
        pointer="/place",
        suggestion="Ask which one is meant, by its place in the list.",
    )


def _store_listed_ids(context: ToolContext, suggestions: Sequence[Suggestion]) -> None:
    """Store which suggestions were listed, so that "the second one" is the second of that list, whatever is decided."""
    try:
        ids = [suggestion.id for suggestion in suggestions]
        context.own.put(SHOWN_KIND, SHOWN_KIND, {"ids": ids}, expires_at=context.clock.now() + SHOWN_TTL)
    except AishaError as error:
        # Without it, places count in the list as it is then.
        context.log(f"The list could not be kept: {error.message}")


def _listed_ids(context: ToolContext) -> list[str]:
    entry = context.own.find(SHOWN_KIND, SHOWN_KIND)
    return list(entry.body["ids"]) if entry else []
