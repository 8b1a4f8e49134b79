"""Insights: how people feel, who is alike, and what happened so far."""

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
from aisha.application.tooling.parameters import RecordId
from aisha.application.tooling.results import EntityRef
from aisha.application.tooling.visibility import readable, require_module
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import MissingFieldError
from aisha.domain.queries import MAX_PAGE, Condition
from aisha.domain.records import Activity, Note, Opportunity, Record, SubjectType

_OMITTED = f"Only the newest {MAX_PAGE} notes, activities and deals are told."
_ABOUT_ONE = (followups.NEXT_STEPS_FOR_RECORD, followups.CREATE_ACTIVITY, followups.ADD_NOTE)


class SentimentReading(DeferredModel):
    """How a text, or the notes about a record, sound.

    `method` is who judged, `model:<provider>/<model>` or `lexicon`. `score` is -1 (very negative) to 1 (very positive); mixed has clear feelings of both kinds. `evidence` are the
    strongest phrases, `texts` how many texts were read: the newest notes, 10 at most.
    """

    sentiment: Sentiment
    score: float
    method: str = "lexicon"
    evidence: list[str]
    texts: int
    entity: EntityRef | None = None


class SimilarRecord(DeferredModel):
    """A record by kind, id and name, with what it has in common: `same source (referral), similar value (27,000)`."""

    type: str
    id: str
    name: str
    reasons: str


class SimilarRecords(DeferredModel):
    """The most alike first."""

    entity: EntityRef
    items: list[SimilarRecord]


class TimelineEntry(DeferredModel):
    """`when` is missing for what is planned without a date. `kind`: created, contact, note, done, cancelled, planned, deal,
    deal_closing."""

    when: datetime | None = None
    kind: record_history.Kind
    text: str


class RecordSummary(DeferredModel):
    """The history, oldest first, and what it comes to. `omitted` says so when there is more than is told."""

    record: EntityRef
    summary: str
    timeline: list[TimelineEntry]
    omitted: str | None = None


@toolkit(name="insights", description="Moods, likenesses and histories, read out of the records.")
class Insights:
    @tool(
        examples=(
            "analyze the sentiment of {text}",
            "what is the sentiment around {name}",
            "sentiment analysis for {name}",
            "what mood is {name} in",
            "does {name} sound happy or unhappy in the notes",
        ),
        typical_followups=_ABOUT_ONE,
    )
    def analyze_sentiment(
        self,
        context: ToolContext,
        text: Annotated[str | None, Field(min_length=1, max_length=8000), "The text to judge"] = None,
        entity_type: Annotated[
            SubjectType | None, "Instead of a text: type of the record whose newest notes to judge"
        ] = None,
        entity_id: Annotated[RecordId | None, "Id of that record"] = None,
    ) -> SentimentReading:
        """Tell how a text sounds, or the newest notes about a record: positive, neutral, negative or mixed, and why.

        A language model judges where there is one, else English by its words; `method` says which. Neutral with no texts means that there are no notes.
        """
        if entity_type is None or entity_id is None:
            if text is None:
                missing = "text" if entity_type is None and entity_id is None else "entity_id"
                raise MissingFieldError(missing, suggestion="Give a text, or the type and the id of a record.")
            return _reading(context, [text])
        record = readable(context.principal, context.records, entity_type, entity_id)
        texts = [text] if text else _words_about(context, record)
        return _reading(context, texts, EntityRef.of(record))

    @tool(
        examples=(
            "find records similar to {name}",
            "which leads are like {name}",
            "who resembles {name}",
            "more accounts like {name}",
            "look-alikes of {name}",
        ),
        typical_followups=(*_ABOUT_ONE[:2], followups.PIPELINE),
    )
    def find_similar(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record"],
        entity_id: Annotated[RecordId, "Id of the record to compare with"],
        limit: Annotated[int, Field(ge=1, le=20), "How many to return, 1 to 20"] = 5,
    ) -> SimilarRecords:
        """Find records of the same type that resemble one, with the reasons.

        Compares company or account, industry, job title, source, value (within half and double), place and status, among the
        highest-ranking records that share one of these.
        """
        record = readable(context.principal, context.records, entity_type, entity_id)
        found = {one.id: one for query in candidate_searches(record) for one in context.records.search(query).items}
        rated = [(*shared_traits(record, one), one) for one in found.values() if one.id != record.id]
        best = sorted(
            (item for item in rated if item[0] >= MIN_POINTS), key=lambda item: (-item[0], item[2].display_name)
        )
        items = [
            SimilarRecord(type=one.TYPE, id=one.id, name=one.display_name, reasons=", ".join(reasons))
            for _, reasons, one in best[:limit]
        ]
        return SimilarRecords(entity=EntityRef.of(record), items=items)

    @tool(
        examples=(
            "give me the timeline of {name}",
            "recap everything that happened with {name} so far",
            "tell me the whole story of {name} in order",
            "the chronology of {name}",
        ),
        typical_followups=_ABOUT_ONE,
    )
    def summarize_record(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record"],
        entity_id: Annotated[RecordId, "Id of the record"],
    ) -> RecordSummary:
        """Tell a record's history in order, with a summary: created, notes, activities done and planned, deals.

        Use it before a call or a hand-over. What the user may not see is left out.
        """
        record = readable(context.principal, context.records, entity_type, entity_id)
        around, is_whole = _surroundings(context, record)
        moments = record_history.history(record, around)
        return RecordSummary(
            record=EntityRef.of(record),
            summary=record_history.summary(record, around, moments),
            timeline=[TimelineEntry(when=one.when, kind=one.kind, text=one.text) for one in moments],
            omitted=None if is_whole else _OMITTED,
        )


def _reading(context: ToolContext, texts: list[str], entity: EntityRef | None = None) -> SentimentReading:
    one = judge_sentiment(texts, context)
    feeling = one.rating
    return SentimentReading(
        sentiment=feeling.sentiment,
        method=one.method,
        score=feeling.score,
        evidence=list(feeling.evidence),
        texts=len(texts),
        entity=entity,
    )


def _words_about(context: ToolContext, record: Record) -> list[str]:
    """Raises `PermissionDeniedError` for a user without notes."""
    require_module(context.principal, Note.TYPE)
    return [note.content for note in notes_about(context, record) if not is_draft(note)]


def _surroundings(context: ToolContext, record: Record) -> tuple[record_history.RelatedRecords, bool]:
    """What the user may see around the record, and whether that is all of it."""
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
