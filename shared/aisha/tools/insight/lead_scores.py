"""The tool that scores a lead and gives its reasons."""

from typing import Annotated

from aisha.application.records import crud
from aisha.application.records.lead_score import reasons_for, score_of
from aisha.application.records.related_records import activities_about, notes_about
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import RecordId
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.records import Lead, Percent
from aisha.domain.deferred_model import DeferredModel

LeadId = Annotated[RecordId, "Id of a lead, as search_leads gives it"]


class ScoreReason(DeferredModel):
    """A reason for a score. `points` count for the lead, or against it when negative."""

    reason: str
    points: int


class LeadScore(DeferredModel):
    """A score of 0 to 100: the sum of its reasons within these bounds, the reason with the most points first.

    `stored_score` is the value in the lead's own field, which scoring does not change.
    """

    lead: EntityRef
    score: Percent
    reasons: list[ScoreReason]
    stored_score: Percent | None = None


@toolkit(name="leads", description="Find, read, score, create, change, convert and delete leads.", module="leads")
class LeadScores:
    @tool(
        examples=(
            "calculate and explain the score of {name}",
            "how promising is {name}",
            "how would you rate the lead {name}",
            "how good a lead is {name}",
            "why does {name} deserve that score",
            "what speaks for {name} as a lead and what against",
        ),
        typical_followups=(followups.NEXT_STEPS_FOR_RECORD, followups.CREATE_ACTIVITY, followups.HOTTEST_LEADS),
    )
    def score_lead(self, context: ToolContext, lead_id: LeadId) -> LeadScore:
        """Score a lead. The score is 0 to 100, with each reason and its points.

        Weighs status, source, contact data, job title, estimated value, last contact, and the activities and notes that
        the user may see. Changes nothing: the score stored on the lead stays; set it with update_lead if needed.
        """
        lead = crud.read_record(context, Lead, lead_id)
        # Computed from what this user may see: two users may get two scores.
        reasons = reasons_for(lead, context.now, activities_about(context, lead) or (), notes_about(context, lead))
        return LeadScore(
            lead=EntityRef.of(lead),
            score=score_of(reasons),
            reasons=[ScoreReason(reason=item.reason, points=item.points) for item in reasons],
            stored_score=lead.score,
        )
