"""Pages of the frontend: the assistant says where to go, the frontend goes there."""

from typing import Annotated, Literal

from pydantic import Field

from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.results import EntityRef
from aisha.application.tooling.visibility import readable, require_module
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, MissingFieldError
from aisha.domain.records import SubjectType
from aisha.domain.tools import FollowUp

Page = Literal[
    "dashboard", "leads", "contacts", "accounts", "opportunities", "pipeline", "activities", "calendar", "notes", "goals",
    "documents", "settings",
]  # fmt: skip
SHOWN_ON: dict[str, str] = {
    "leads": "lead", "contacts": "contact", "accounts": "account", "opportunities": "opportunity",
    "pipeline": "opportunity", "activities": "activity", "calendar": "activity", "notes": "note", "goals": "goal",
}  # fmt: skip
"""The type of record that a page shows, and so the module it needs; the others are open to everyone."""
PAGES_OF: dict[str, Page] = {
    "lead": "leads", "contact": "contacts", "account": "accounts", "opportunity": "opportunities",
}  # fmt: skip
"""Where a record of a type is shown."""


class Navigation(DeferredModel):
    """Where the frontend is to go: a page, and the record to open on it. The frontend knows the addresses."""

    navigate_to: Page
    record: EntityRef | None = None


@toolkit(name="assistant", description="What the assistant keeps for the user, and how it answers them.")
class Pages:
    @tool(
        clients=("api", "widget", "voice"),
        examples=(
            "open the {page} page",
            "take me to the {page} page",
            "go to the page of my {page}",
            "navigate to the {page} page",
        ),
        typical_followups=(
            FollowUp("What is on my plate today?", "🗓️", "get_my_day"),
            FollowUp("How does my pipeline look?", "📊", "get_pipeline_summary"),
            FollowUp("What should I do next?", "💡", "suggest_next_actions"),
        ),
    )
    def navigate_to_page(
        self,
        context: ToolContext,
        page: Annotated[Page, "The page to open"],
        entity_type: Annotated[SubjectType | None, "Type of the record to open on it"] = None,
        entity_id: Annotated[str | None, Field(min_length=1, max_length=60), "Id of that record"] = None,
    ) -> Navigation:
        """Open a page of the CRM's user interface, with one record on it or as it is. Shows nothing by itself.

        A record opens on the page of its type: leads, contacts, accounts or opportunities.
        """
        if (shown := SHOWN_ON.get(page)) is not None:
            require_module(context.principal, shown)
        if entity_type is None and entity_id is None:
            return Navigation(navigate_to=page)
        if entity_type is None or entity_id is None:
            missing = "entity_type" if entity_type is None else "entity_id"
            raise MissingFieldError(missing, suggestion="Give both the type and the id of the record.")
        if page != (own := PAGES_OF[entity_type]):
            raise InvalidInputError(
                f"A record of type {entity_type} opens on the page {own}, not on {page}",
                pointer="/page",
                suggestion=f"Use page {own}.",
            )
        record = readable(context.principal, context.records, entity_type, entity_id)
        return Navigation(
            navigate_to=page, record=EntityRef(type=record.entity_type, id=record.id, name=record.display_name)
        )
