"""Tells memory which suggestions users take up, so that advice about like records can point to them."""

from aisha.application.memory.chunks import Case, accepted_chunk
from aisha.application.memory.ingest import QUEUE, messages
from aisha.application.suggestions.store import Suggestion
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.visibility import is_another_ones
from aisha.domain.errors import AishaError
from aisha.domain.records import SUBJECT_TYPES, Activity, Record


def remember_accepted(suggestion: Suggestion, context: ToolContext) -> None:
    """Sends it to memory's queue, where there is one. A queue that does not answer takes nothing back: it is logged."""
    queue = context.ports.queue()
    if queue is None:
        return
    try:
        subject = _subject(suggestion, context)
        if subject is None:
            return
        principal = context.principal
        case = Case(principal.tenant, principal.user, context.now, subject, context.ports.sensitive)
        action = str((suggestion.arguments or {}).get("activity_type") or suggestion.tool or suggestion.kind)
        for message in messages(principal.tenant, [accepted_chunk(case, suggestion.id, suggestion.text, action)]):
            queue.send(QUEUE, message)
    except AishaError as error:
        context.log(f"Memory was not told: {error.message}")


def _subject(suggestion: Suggestion, context: ToolContext) -> Record | None:
    """The lead, contact, account or deal that it is about; of an activity, the one that this is about."""
    kind, record_id = suggestion.entity["type"], suggestion.entity["id"]
    if kind == Activity.TYPE:
        activity = context.records.get(kind, record_id)
        assert isinstance(activity, Activity)  # noqa: S101 - the store keeps ids and types together
        kind, record_id = activity.related.type, activity.related.id
    if kind not in SUBJECT_TYPES:
        return None
    record = context.records.get(kind, record_id)
    return None if is_another_ones(context.principal, record) else record
