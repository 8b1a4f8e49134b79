"""The tool that lists the events of the tenant."""

from typing import Annotated

from pydantic import Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Cursor, Limit
from aisha.application.tooling.results import RecordList
from aisha.domain.crm.records import Event
from aisha.domain.tools import FollowUp


@toolkit(name="pipeline", description="Exact counts and sums of the pipeline, what happened in it, and the user's day.")
class Events:
    @tool(
        examples=(
            "what important things happened recently in our CRM",
            "show me the recent events",
            "what is new in the CRM these days",
            "latest events of the kind {type}",
            "news of the tenant",
        ),
        typical_followups=(
            followups.PRIORITIES,
            followups.PIPELINE,
            FollowUp("How do our goals stand?", "🎯", "get_goals"),
        ),
    )
    def get_recent_events(
        self,
        context: ToolContext,
        limit: Limit = 10,
        type: Annotated[
            str | None,
            Field(max_length=200),
            "Only events of this kind: scan for analyses and sweeps that ran; other kinds are the tenant's own",
        ] = None,
        cursor: Cursor = None,
    ) -> RecordList[Event]:
        """Get recent events: analyses and sweeps that ran, and the tenant's own kinds, newest first.

        Events about records of modules that the user may not use are left out.
        """
        return crud.search_page(context, Event, crud.equal(kind=type), limit, cursor)
