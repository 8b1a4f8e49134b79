"""The flow for a qualified lead: conversion with an opportunity, and the next activity with the new contact."""

from datetime import date
from typing import Annotated

from aisha.application.flow.named import FlowStep, RecordId
from aisha.application.flow.steps import reference_to
from aisha.application.tooling import tool
from aisha.application.tooling.arguments.parameters import Text
from aisha.domain.crm.enumerations import ActivityType
from aisha.domain.crm.records import Money
from aisha.domain.dates.parsing import When
from aisha.domain.json_values import without_none

_CONVERT = "(convert|turn|make|promote) [the|my] [lead] {lead} [into|to] (an|a) (opportunity|deal)"
_THEN = (
    "and (plan|schedule|book|set up|create|arrange) (a|an) [follow-up] {activity_type} "
    "[with him|with her|with them] [for|on] {activity_at}"
)


@tool(
    module="leads",
    examples=(
        f"{_CONVERT} [worth|of|for] [{{amount}}] {_THEN}",
        f"{_CONVERT} [worth|of|for] {{amount}}",
        _CONVERT,
    ),
)
def lead_to_opportunity(
    lead_id: Annotated[RecordId, "Id of the lead"],
    amount: Annotated[Money | None, "Amount of the opportunity"] = None,
    opportunity_name: Annotated[Text | None, "Name of the opportunity"] = None,
    close_date: Annotated[date | None, "Day it should close"] = None,
    activity_type: Annotated[ActivityType, "Kind of the next activity"] = ActivityType.CALL,
    activity_at: Annotated[When | None, "When the next activity is due; without it none is planned"] = None,
) -> list[FlowStep]:
    """Convert a lead into contact, account and opportunity, and plan the next activity with the contact if wanted."""
    deal = without_none(opportunity_name=opportunity_name, amount=amount, close_date=close_date)
    steps = [FlowStep(tool="convert_lead", arguments={"lead_id": lead_id, "create_opportunity": True, **deal})]
    # Only at a time that the user named: the tool alone would plan it for the next working day.
    if activity_at is not None:
        # The contact is new: its id is in the result of the conversion.
        about = {"entity_type": "contact", "entity_id": reference_to(1, "contact.id")}
        activity = {"title": f"{activity_type.value.capitalize()} about the new opportunity"}
        kind = {"activity_type": activity_type.value, "due_date": activity_at}
        steps.append(FlowStep(tool="create_activity", arguments=about | activity | kind))
    return steps
