"""The tool that opens a page of the frontend."""

from typing import Annotated, Literal

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import RecordId
from aisha.application.tooling.gate.visibility import require_module
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.records import SubjectType
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError

Page = Literal[
    "dashboard",
    "leads",
    "contacts",
    "accounts",
    "opportunities",
    "pipeline",
    "activities",
    "calendar",
    "notes",
    "goals",
    "documents",
    "settings",
]
TYPE_ON_PAGE: dict[str, str] = {
    "leads": "lead",
    "contacts": "contact",
    "accounts": "account",
    "opportunities": "opportunity",
    "pipeline": "opportunity",
    "activities": "activity",
    "calendar": "activity",
    "notes": "note",
    "goals": "goal",
}
"""The type of record that a page shows, whose module the page needs; the other pages are open to everyone."""
PAGE_OF_TYPE: dict[str, Page] = {
    "lead": "leads",
    "contact": "contacts",
    "account": "accounts",
    "opportunity": "opportunities",
}
"""The page that opens a record of a type."""


class Navigation(DeferredModel):
    """The page that the frontend should open, and the record on it. The frontend knows the addresses."""

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
        typical_followups=(followups.MY_DAY, followups.PIPELINE, followups.NEXT_STEPS),
    )
    def navigate_to_page(
        self,
        context: ToolContext,
        page: Annotated[Page, "The page to open"],
        entity_type: Annotated[SubjectType | None, "Type of the record to open on it"] = None,
        entity_id: Annotated[RecordId | None, "Id of the entity"] = None,
    ) -> Navigation:
        """Open a page: one of the CRM's user interface, optionally with one record. The result itself shows nothing.

        A record opens on the page of its type: leads, contacts, accounts or opportunities.
        """
        if page in TYPE_ON_PAGE:
            require_module(context.principal, TYPE_ON_PAGE[page])
        # The page itself could not show it: a lead has no place on the page of accounts.
        if entity_type is not None and entity_id is not None and page != (own_page := PAGE_OF_TYPE[entity_type]):
            raise InvalidInputError(
                f"A record of type {entity_type} opens on the page {own_page}, not on {page}",
                pointer="/page",
                suggestion=f"Use page {own_page}.",
            )
        # Read, so that the page is not told to open what the user may not see.
        record = crud.read_subject(context, entity_type, entity_id)
        return Navigation(navigate_to=page, record=EntityRef.of(record) if record else None)
