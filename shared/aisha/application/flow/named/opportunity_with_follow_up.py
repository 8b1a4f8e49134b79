"""The flow for a new opportunity and its first activity."""

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

_OPEN = "(create|add|open|start) (an|a) [new] (opportunity|deal) [called|named] {name}"
_THEN = (
    "and (plan|schedule|book|set up|create|arrange) (a|an) [follow-up] {activity_type} [about it|for it] "
    "[for|on] {activity_at}"
)


@tool(
    module="opportunities",
    examples=(
        f"{_OPEN} (for|with|at) [the] [account] {{account}} worth {{amount}} {_THEN}",
        f"{_OPEN} worth {{amount}} (for|with|at) [the] [account] {{account}} {_THEN}",
        f"{_OPEN} (worth|of|for|over) {{amount}} {_THEN}",
        f"{_OPEN} {_THEN}",
    ),
)
def opportunity_with_follow_up(
    name: Annotated[Text, "Name of the opportunity"],
    activity_at: Annotated[When, "When the follow-up is due"],
    amount: Annotated[Money | None, "Amount of the opportunity"] = None,
    close_date: Annotated[date | None, "Day it should close"] = None,
    account_id: Annotated[RecordId | None, "Id of the account it belongs to"] = None,
    activity_type: Annotated[ActivityType, "Kind of the follow-up"] = ActivityType.TASK,
) -> list[FlowStep]:
    """Create an opportunity and plan the activity that follows it up."""
    deal = without_none(name=name, amount=amount, close_date=close_date, account_id=account_id)
    # About the deal of the step before, and named after it: a list of activities shows the title alone.
    follow_up = {
        "entity_type": "opportunity",
        "entity_id": reference_to(1, "record.id"),
        "title": f"Follow up on {name}",
        "activity_type": activity_type.value,
        "due_date": activity_at,
    }
    return [
        FlowStep(tool="create_opportunity", arguments=deal),
        FlowStep(tool="create_activity", arguments=follow_up),
    ]
