"""Tools that rate sentiment, find similar records and summarize a record's history."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from aisha.application.email.draft import is_draft
from aisha.application.records import crud
from aisha.application.records import history as record_history
from aisha.application.records.related_records import notes_about
from aisha.application.records.similar_records import MIN_POINTS, candidate_searches, shared_traits
from aisha.application.sentiment.lexicon import Sentiment
from aisha.application.sentiment.model import judge_sentiment
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import RecordId
from aisha.application.tooling.gate.visibility import readable, require_module
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.queries import MAX_PAGE, Condition
from aisha.domain.crm.records import Activity, Note, Opportunity, Record, SubjectType
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import MissingFieldError

_OMITTED = f"Only the newest {MAX_PAGE} notes, activities and deals are included."
_RECORD_FOLLOWUPS = (followups.NEXT_STEPS_FOR_RECORD, followups.CREATE_ACTIVITY, followups.ADD_NOTE)


class SentimentReading(DeferredModel):
    """The sentiment of a text, or of the notes about a record.

    `score` is -1 (very negative) to 1 (very positive); `mixed` has clear sentiment of both kinds. `method` is
    `model:<provider>/<model>` or `lexicon`. `evidence` are the strongest phrases, `texts` the number of texts that were
    read: the newest notes, 10 at most.
    """

    sentiment: Sentiment
    score: float
    method: str = "lexicon"
    evidence: list[str]
    texts: int
    entity: EntityRef | None = None


class SimilarRecord(DeferredModel):
    """A record by type, id and name. `reasons` reads like `same source (referral), similar value (27,000)`."""

    type: str
    id: str
    name: str
    reasons: str


class SimilarRecords(DeferredModel):
    """Records similar to `entity`, the most similar first."""

    entity: EntityRef
    items: list[SimilarRecord]


class TimelineEntry(DeferredModel):
    """An entry of the history. `when` is missing for an activity that is planned without a date."""

    when: datetime | None = None
    kind: record_history.Kind
    text: str


class RecordSummary(DeferredModel):
    """A record's history, oldest first, with a summary. `omitted` is set when older entries were left out."""

    record: EntityRef
    summary: str
    timeline: list[TimelineEntry]
    omitted: str | None = None


@toolkit(name="insights", description="Sentiment, similar records and history, read from the records.")
class Insights:
    @tool(
        examples=(
            "analyze the sentiment of {text}",
            "what is the sentiment around {name}",
            "sentiment analysis for {name}",
            "what mood is {name} in",
            "does {name} sound happy or unhappy in the notes",
        ),
        typical_followups=_RECORD_FOLLOWUPS,
    )
    def analyze_sentiment(
        self,
        context: ToolContext,
        text: Annotated[str | None, Field(min_length=1, max_length=8000), "The text to rate"] = None,
        entity_type: Annotated[
            SubjectType | None, "Instead of a text: type of the record whose newest notes to rate"
        ] = None,
        entity_id: Annotated[RecordId | None, "Id of the entity"] = None,
    ) -> SentimentReading:
        """Analyze the sentiment: positive, neutral, negative or mixed, of a text or the newest notes about a record.

        A language model rates it where one is configured, else a lexicon of English words; `method` says which. Neutral
        with no texts means that there are no notes.
        """
        # Neither a text nor a whole record: ask for what is missing.
        if entity_type is None or entity_id is None:
            if text is None:
                missing = "text" if entity_type is None and entity_id is None else "entity_id"
                raise MissingFieldError(missing, suggestion="Give a text, or the type and the id of a record.")
            return _rate(context, [text])
        record = readable(context.principal, context.records, entity_type, entity_id)
        # Beside a text, the record only names whom it is about.
        return _rate(context, [text] if text else _note_texts(context, record), EntityRef.of(record))

    @tool(
        examples=(
            "find records similar to {name}",
            "which leads are like {name}",
            "who resembles {name}",
            "more accounts like {name}",
            "look-alikes of {name}",
        ),
        typical_followups=(*_RECORD_FOLLOWUPS[:2], followups.PIPELINE),
    )
    def find_similar(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record"],
        entity_id: Annotated[RecordId, "Id of the record to compare with"],
        limit: Annotated[int, Field(ge=1, le=20), "Maximum number of results, 1 to 20"] = 5,
    ) -> SimilarRecords:
        """Find similar records: those most like one, with the reasons.

        Compares company or account, industry, job title, source, value (within half and double), place and status,
        among the highest-ranking records that share one of these.
        """
        record = readable(context.principal, context.records, entity_type, entity_id)
        # By id, because several searches may find the same record.
        candidates = {
            candidate.id: candidate
            for query in candidate_searches(record)
            for candidate in context.records.search(query).items
            if candidate.id != record.id
        }
        scored = [(*shared_traits(record, candidate), candidate) for candidate in candidates.values()]
        similar = [entry for entry in scored if entry[0] >= MIN_POINTS]
        # Most points first; names make the order the same at every call.
        similar.sort(key=lambda entry: (-entry[0], entry[2].display_name))
        items = [
            SimilarRecord(type=match.TYPE, id=match.id, name=match.display_name, reasons=", ".join(reasons))
            for _, reasons, match in similar[:limit]
        ]
        return SimilarRecords(entity=EntityRef.of(record), items=items)

    @tool(
        examples=(
            "give me the timeline of {name}",
            "recap everything that happened with {name} so far",
            "tell me the whole story of {name} in order",
            "the chronology of {name}",
        ),
        typical_followups=_RECORD_FOLLOWUPS,
    )
    def summarize_record(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record"],
        entity_id: Annotated[RecordId, "Id of the record"],
    ) -> RecordSummary:
        """Summarize a record: its history in order, with notes, activities done and planned, and deals.

        Use it before a call or a hand-over. What the user may not see is left out.
        """
        record = readable(context.principal, context.records, entity_type, entity_id)
        around, is_whole = _related_records(context, record)
        moments = record_history.history(record, around)
        return RecordSummary(
            record=EntityRef.of(record),
            summary=record_history.summary(record, around, moments),
            timeline=[TimelineEntry.from_attributes(moment) for moment in moments],
            omitted=None if is_whole else _OMITTED,
        )


def _rate(context: ToolContext, texts: list[str], entity: EntityRef | None = None) -> SentimentReading:
    judgement = judge_sentiment(texts, context)
    return SentimentReading(
        sentiment=judgement.rating.sentiment,
        method=judgement.method,
        score=judgement.rating.score,
        evidence=list(judgement.rating.evidence),
        texts=len(texts),
        entity=entity,
    )


def _note_texts(context: ToolContext, record: Record) -> list[str]:
    """Return the newest notes' texts. Raise `PermissionDeniedError` for a user without the notes' module."""
    require_module(context.principal, Note.TYPE)
    return [note.content for note in notes_about(context, record) if not is_draft(note)]


def _related_records(context: ToolContext, record: Record) -> tuple[record_history.RelatedRecords, bool]:
    """Return the notes, activities and deals of the record that the user may see, and True when these are all."""
    is_about = Condition("related.id", "eq", record.id)
    is_linked = Condition(f"{record.TYPE}_id", "eq", record.id)
    has_deals = record.TYPE != Opportunity.TYPE
    notes = crud.search_permitted(context, Note, is_about, order="newest", limit=MAX_PAGE)
    activities = crud.search_permitted(context, Activity, is_about, order="newest", limit=MAX_PAGE)
    deals = (
        crud.search_permitted(context, Opportunity, is_linked, order="newest", limit=MAX_PAGE) if has_deals else None
    )
    around = record_history.RelatedRecords(
        context.now,
        notes.items if notes else None,
        activities.items if activities else None,
        deals.items if deals else None,
    )
    return around, not any(page and page.next_cursor for page in (notes, activities, deals))
