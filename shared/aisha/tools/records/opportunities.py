"""Tools for opportunities: deals and their stages."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, cast

from pydantic import Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.choices import StageChoice
from aisha.application.tooling.arguments.parameters import Cursor, Limit, NameContains, Owner, RecordId, Tags, Text
from aisha.application.tooling.gate.visibility import readable
from aisha.application.tooling.results import RecordList, WriteResult
from aisha.domain.crm.custom_fields import CustomValues
from aisha.domain.crm.enumerations import OPEN_STAGES, STAGE_PROBABILITY, Stage
from aisha.domain.crm.records import LongText, Money, Opportunity, Percent
from aisha.domain.crm.team_values import NamedValue, TeamValue
from aisha.domain.dates.parsing import When
from aisha.domain.errors import ConflictError
from aisha.domain.tools import FollowUp
from aisha.domain.wording import humanise

OpportunityId = Annotated[RecordId, "Id of an opportunity, as search_opportunities gives it"]
Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]
_RECORD_FOLLOWUPS = (
    followups.NEXT_STEPS_FOR_RECORD,
    FollowUp("Move {name} to the next stage", "➡️", "advance_opportunity_stage"),
    followups.CREATE_ACTIVITY,
)


@toolkit(
    name="opportunities",
    description="Find, read, create, change, advance and delete deals, and forecast them.",
    module="opportunities",
)
class Opportunities:
    @tool(
        always=True,
        examples=(
            "show me my open deals",
            "deals in {stage}",
            "opportunities over {min_value}",
            "what closes {closing_before}",
            "our biggest deals",
            "deals owned by {owner}",
            "find the opportunity {name_contains}",
            "deals under {max_value}",
        ),
        typical_followups=_RECORD_FOLLOWUPS,
    )
    def search_opportunities(
        self,
        context: ToolContext,
        name_contains: NameContains = None,
        stage: Annotated[StageChoice | None, "Stage of the deal"] = None,
        min_value: Annotated[Money | None, "Minimum amount"] = None,
        max_value: Annotated[Money | None, "Maximum amount"] = None,
        closing_after: Annotated[date | None, "First closing day, ISO 8601"] = None,
        closing_before: Annotated[date | None, "Last closing day, ISO 8601"] = None,
        account_id: Annotated[RecordId | None, "Id of the account"] = None,
        contact_id: Annotated[RecordId | None, "Id of the contact"] = None,
        owner: Owner = None,
        open_only: Annotated[bool, "Leave out deals that are won or lost"] = False,
        created_after: Annotated[When | None, "Created after"] = None,
        created_before: Annotated[When | None, "Created before"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
        custom: CustomValues | None = None,
    ) -> RecordList[Opportunity]:
        """Search deals.

        The largest amount comes first; with a closing day, the one that closes first. A search for a closing day in the
        future finds open deals only, unless a stage is given.
        """
        # "What closes this month" asks for what may still close.
        is_ahead = closing_before is not None and closing_before >= context.now.date()
        where = (
            *crud.equal(stage=stage, account_id=account_id, contact_id=contact_id),
            *crud.between("amount", min_value, max_value),
            *crud.between("close_date", closing_after, closing_before),
            *crud.between("created_at", created_after, created_before),
            *((crud.IS_OPEN_DEAL,) if open_only or (is_ahead and stage is None) else ()),
        )
        order: Literal["due"] | None = "due" if closing_after or closing_before else None
        return crud.search_page(
            context,
            Opportunity,
            where,
            limit,
            cursor,
            name_contains=name_contains,
            owner=owner,
            custom=custom,
            order=order,
        )

    @tool(
        examples=(
            "full details of the deal {name}",
            "open the opportunity {name}",
            "everything on the deal {name}",
            "how much is the deal {name} worth",
        ),
        typical_followups=_RECORD_FOLLOWUPS,
    )
    def get_opportunity(self, context: ToolContext, opportunity_id: OpportunityId) -> Opportunity:
        """Get a deal. It has all its fields: amount, stage, probability, closing day, next step, links."""
        return crud.read_record(context, Opportunity, opportunity_id)

    @tool(
        access="write",
        ordered_by=("create_record",),
        examples=(
            "create a deal called {name} worth {amount}",
            "new opportunity {name} for {amount}",
            "open a {amount} deal with {name}",
            "add an opportunity {name} closing {close_date}",
        ),
        typical_followups=(followups.CREATE_FOLLOW_UP, followups.NEXT_STEPS_FOR_RECORD, followups.OPEN_DEALS),
    )
    def create_opportunity(
        self,
        context: ToolContext,
        name: Annotated[Text, "Name of the deal"],
        amount: Annotated[Money | None, "Amount"] = None,
        currency: Annotated[Currency, "Currency of the amount, ISO 4217"] = "USD",
        stage: Annotated[StageChoice, "Stage of the deal"] = Stage.PROSPECTING,
        probability: Annotated[Percent | None, "In percent; by default that of the stage"] = None,
        close_date: Annotated[date | None, "Day it should close, ISO 8601"] = None,
        account_id: Annotated[RecordId | None, "Id of the account"] = None,
        contact_id: Annotated[RecordId | None, "Id of the contact"] = None,
        lead_id: Annotated[RecordId | None, "Id of the lead it came from"] = None,
        next_step: Annotated[Text | None, "Next step"] = None,
        description: Annotated[LongText | None, "What the deal is about"] = None,
        tags: Annotated[Tags | None, "Tags"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Opportunity]:
        """Create a deal. The caller owns it unless an owner is given."""
        # A link to a record that does not exist, or that the user may not see, would never be noticed again.
        _check_links(context, account_id, contact_id, lead_id)
        return crud.create_record(
            context,
            Opportunity,
            owner=owner,
            custom=custom,
            name=name,
            amount=amount,
            currency=currency,
            stage=stage,
            probability=probability,
            close_date=close_date,
            account_id=account_id,
            contact_id=contact_id,
            lead_id=lead_id,
            next_step=next_step,
            description=description,
            tags=tags,
        )

    @tool(
        access="write",
        ordered_by=("update_record", "advance_stage"),
        examples=(
            "change the amount of {name} to {amount}",
            "mark the deal {name} as {stage}",
            "the close date of {name} is now {close_date}",
            "set the next step of {name} to {next_step}",
            "set the probability of {name} to {probability}",
            "assign the deal {name} to {owner}",
        ),
        typical_followups=(followups.NEXT_STEPS_FOR_RECORD, followups.OPEN_DEALS, followups.CREATE_ACTIVITY),
    )
    def update_opportunity(
        self,
        context: ToolContext,
        opportunity_id: OpportunityId,
        name: Annotated[Text | None, "New name"] = None,
        amount: Annotated[Money | None, "New amount"] = None,
        currency: Annotated[Currency | None, "New currency, ISO 4217"] = None,
        stage: Annotated[StageChoice | None, "New stage; also reopens a closed deal"] = None,
        probability: Annotated[Percent | None, "In percent; by default that of the new stage"] = None,
        close_date: Annotated[date | None, "New closing day, ISO 8601"] = None,
        account_id: Annotated[RecordId | None, "Id of the new account"] = None,
        contact_id: Annotated[RecordId | None, "Id of the new contact"] = None,
        next_step: Annotated[Text | None, "New next step"] = None,
        description: Annotated[LongText | None, "What the deal is about"] = None,
        tags: Annotated[Tags | None, "New tags, which replace the old ones"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Opportunity]:
        """Update a deal. Only what is given changes; at least one field must be given."""
        changes = crud.require_changes(
            name=name,
            amount=amount,
            currency=currency,
            stage=stage,
            probability=probability,
            close_date=close_date,
            account_id=account_id,
            contact_id=contact_id,
            next_step=next_step,
            description=description,
            tags=tags,
            owner=owner,
            custom=custom,
        )
        _check_links(context, account_id, contact_id)
        # The record itself derives the probability only where it has none; here it has that of the old stage.
        if stage is not None and probability is None:
            changes["probability"] = STAGE_PROBABILITY[stage]
        return crud.update_record(context, Opportunity, opportunity_id, changes)

    @tool(
        access="write",
        ordered_by=("advance_stage", "update_record"),
        examples=(
            "move the deal {name} to {stage}",
            "advance {name} to the next stage",
            "push the opportunity {name} forward",
            "{name} goes to {stage}",
            "close the deal {name} as won",
        ),
        typical_followups=(followups.NEXT_STEPS_FOR_RECORD, followups.CREATE_ACTIVITY, followups.OPEN_DEALS),
    )
    def advance_opportunity_stage(
        self,
        context: ToolContext,
        opportunity_id: OpportunityId,
        stage: Annotated[StageChoice | None, "Stage to move to; the next one by default"] = None,
    ) -> WriteResult[Opportunity]:
        """Move an open deal to its next stage, or to the one given. The probability becomes that of the stage.

        The order is prospecting, qualification, proposal, negotiation, closed_won, or that of the team's own stages. A
        closed deal can't be advanced.
        """
        deal = crud.read_record(context, Opportunity, opportunity_id)
        # With the version below: of two requests for the next stage only one may move the deal.
        target = _next_stage(deal, stage, context.team_values.get("opportunity.stage", ()))
        changes = {"stage": target, "probability": STAGE_PROBABILITY[target]}
        return crud.update_record(context, Opportunity, deal.id, changes, expected_version=deal.version)

    @tool(
        access="delete",
        ordered_by=("delete",),
        examples=(
            "delete the deal {name}",
            "remove the opportunity {name}",
            "erase the deal {name}",
            "get rid of the opportunity {name}",
        ),
        typical_followups=(followups.OPEN_DEALS, followups.PRIORITIES),
    )
    def delete_opportunity(self, context: ToolContext, opportunity_id: OpportunityId) -> WriteResult[Opportunity]:
        """Delete a deal. The user is asked before it happens."""
        return crud.delete_record(context, Opportunity, opportunity_id)


def _next_stage(deal: Opportunity, stage: Stage | None, own: Sequence[TeamValue]) -> Stage:
    """Return the stage, by default the next one. Raise `ConflictError` for a closed deal or the stage that it is in."""
    if deal.stage not in OPEN_STAGES:
        raise ConflictError(
            f"{deal.display_name} is closed as {deal.stage.removeprefix('closed_')}, so it has no next stage",
            entity_type="opportunity",
            entity_id=deal.id,
            suggestion="To reopen it, set its stage with update_opportunity.",
        )
    # A stage of AiSHA's stands for all of the team's own that count as it.
    label = deal.custom.get("stage") if isinstance(stage, NamedValue) else None
    if stage == deal.stage and label == getattr(stage, "label", None):
        raise ConflictError(
            f"{deal.display_name} is in the stage {label or humanise(deal.stage)} already",
            entity_type="opportunity",
            entity_id=deal.id,
            suggestion="Name another stage.",
        )
    if stage:
        return stage
    # In the order of the team's own stages, "lost" is never the next step.
    following = [value for value in own if value.counts_as != Stage.CLOSED_LOST]
    place = next((place for place, value in enumerate(following) if value.label == deal.custom.get("stage")), None)
    if place is not None and place + 1 < len(following):
        return cast(Stage, NamedValue.of(following[place + 1]))
    # `Stage` is in order, so that closed_won follows negotiation.
    order = list(Stage)
    return order[order.index(deal.stage) + 1]


def _check_links(
    context: ToolContext, account_id: str | None, contact_id: str | None, lead_id: str | None = None
) -> None:
    for entity_type, entity_id in (("account", account_id), ("contact", contact_id), ("lead", lead_id)):
        if entity_id is not None:
            readable(context.principal, context.records, entity_type, entity_id)
