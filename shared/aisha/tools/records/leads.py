"""Tools for leads, the people and companies that may become customers."""

from typing import Annotated

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.choices import LeadSourceChoice, LeadStatusChoice
from aisha.application.tooling.arguments.parameters import (
    Cursor,
    Email,
    Limit,
    NameContains,
    Owner,
    Phone,
    RecordId,
    Tags,
    Text,
)
from aisha.application.tooling.results import RecordList, WriteResult
from aisha.domain.crm.custom_fields import CustomValues
from aisha.domain.crm.enumerations import LeadStatus
from aisha.domain.crm.records import Address, Lead, Money, Percent
from aisha.domain.dates.parsing import When
from aisha.domain.errors import InvalidInputError, MissingFieldError
from aisha.domain.tools import FollowUp

LeadId = Annotated[RecordId, "Id of a lead, as search_leads gives it"]


@toolkit(name="leads", description="Find, read, score, create, change, convert and delete leads.", module="leads")
class Leads:
    @tool(
        always=True,
        guidance="Search by name before you create a lead, and for every id that a tool needs.",
        examples=(
            "show me {status} leads",
            "find leads from {source}",
            "who are my hottest prospects",
            "list leads owned by {owner}",
            "leads with a score over {min_score}",
            "prospects in {state}",
            "which leads came in {created_after}",
            "tell me about {name_contains}",
        ),
        typical_followups=followups.PERSON_LISTED,
    )
    def search_leads(
        self,
        context: ToolContext,
        name_contains: NameContains = None,
        status: Annotated[LeadStatusChoice | None, "Status of the lead"] = None,
        source: Annotated[LeadSourceChoice | None, "Source of the lead"] = None,
        owner: Owner = None,
        min_score: Annotated[Percent | None, "0 to 100"] = None,
        min_value: Annotated[Money | None, "Minimum estimated value"] = None,
        created_after: Annotated[When | None, "Created after"] = None,
        created_before: Annotated[When | None, "Created before"] = None,
        contacted_after: Annotated[When | None, "Contacted after"] = None,
        contacted_before: Annotated[When | None, "Contacted before"] = None,
        state: Annotated[str | None, "State or region"] = None,
        city: Annotated[str | None, "City"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
        custom: CustomValues | None = None,
    ) -> RecordList[Lead]:
        """Search leads; the highest score comes first."""
        where = (
            *crud.equal(status=status, source=source, address__state=state, address__city=city),
            *crud.between("score", min_score),
            *crud.between("estimated_value", min_value),
            *crud.between("created_at", created_after, created_before),
            *crud.between("last_contacted_at", contacted_after, contacted_before),
        )
        return crud.search_page(
            context, Lead, where, limit, cursor, name_contains=name_contains, owner=owner, custom=custom
        )

    @tool(
        always=True,
        examples=(
            "full details of the lead {name}",
            "open {name}'s record",
            "everything on the lead {name}",
            "what is {name}'s phone number",
            "what is the status of {name}",
        ),
        typical_followups=followups.PERSON_READ,
    )
    def get_lead(self, context: ToolContext, lead_id: LeadId) -> Lead:
        """Get a lead. It has all its fields: contact data, status, score, source, last contact, address."""
        return crud.read_record(context, Lead, lead_id)

    @tool(
        access="write",
        ordered_by=("create_record",),
        examples=(
            "create a lead for {first_name} {last_name} at {company}",
            "new lead: {first_name} {last_name}, {email}",
            "add {first_name} {last_name} from {company} as a prospect",
            "i met {first_name} {last_name}, put them in as a lead",
            "register {company} as a new lead",
        ),
        typical_followups=(followups.CREATE_CALL, followups.ADD_NOTE, followups.NEXT_STEPS_FOR_RECORD),
    )
    def create_lead(
        self,
        context: ToolContext,
        first_name: Annotated[Text | None, "Given name"] = None,
        last_name: Annotated[Text | None, "Family name"] = None,
        company: Annotated[Text | None, "Company the lead works for, or is"] = None,
        email: Annotated[Email | None, "Email address"] = None,
        phone: Annotated[Phone | None, "Phone number"] = None,
        job_title: Annotated[Text | None, "Job title"] = None,
        source: Annotated[LeadSourceChoice | None, "Source of the lead"] = None,
        status: Annotated[LeadStatusChoice, "Status of the lead"] = LeadStatus.NEW,
        score: Annotated[Percent | None, "Score, 0 to 100"] = None,
        estimated_value: Annotated[Money | None, "Estimated value of the business"] = None,
        next_action: Annotated[Text | None, "Next step, in words"] = None,
        address: Annotated[Address | None, "Postal address"] = None,
        tags: Annotated[Tags | None, "Tags"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Lead]:
        """Create a lead. It needs a first name, a last name or a company.

        The caller owns it unless an owner is given.
        """
        # Before the record itself refuses it, so that the user is asked for one thing by name.
        if not (first_name or last_name or company):
            raise MissingFieldError("last_name", suggestion="Ask the user for the name or the company of the lead.")
        return crud.create_record(
            context,
            Lead,
            owner=owner,
            custom=custom,
            first_name=first_name,
            last_name=last_name,
            company=company,
            email=email,
            phone=phone,
            job_title=job_title,
            source=source,
            status=status,
            score=score,
            estimated_value=estimated_value,
            next_action=next_action,
            address=address,
            tags=tags,
        )

    @tool(
        access="write",
        ordered_by=("update_record", "advance_stage"),
        examples=(
            "mark {name} as {status}",
            "set the status of {name} to {status}",
            "{name} is now {status}",
            "change {name}'s email to {email}",
            "update the phone number of {name}",
            "assign {name} to {owner}",
            "give {name} a score of {score}",
        ),
        typical_followups=(
            followups.NEXT_STEPS_FOR_RECORD,
            followups.CREATE_ACTIVITY,
            FollowUp("Tell me about {name}", "🔎", "get_lead"),
        ),
    )
    def update_lead(
        self,
        context: ToolContext,
        lead_id: LeadId,
        first_name: Annotated[Text | None, "New given name"] = None,
        last_name: Annotated[Text | None, "New family name"] = None,
        company: Annotated[Text | None, "New company"] = None,
        email: Annotated[Email | None, "New email address"] = None,
        phone: Annotated[Phone | None, "New phone number"] = None,
        job_title: Annotated[Text | None, "New job title"] = None,
        source: Annotated[LeadSourceChoice | None, "New source"] = None,
        status: Annotated[LeadStatusChoice | None, "New status"] = None,
        score: Annotated[Percent | None, "New score, 0 to 100"] = None,
        estimated_value: Annotated[Money | None, "New estimated value"] = None,
        last_contacted_at: Annotated[When | None, "When the lead was last contacted"] = None,
        next_action: Annotated[Text | None, "Next step, in words"] = None,
        do_not_call: Annotated[bool | None, "True when the lead must not be called"] = None,
        do_not_email: Annotated[bool | None, "True when the lead must not be emailed"] = None,
        address: Annotated[Address | None, "New postal address"] = None,
        tags: Annotated[Tags | None, "New tags, which replace the old ones"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Lead]:
        """Update a lead. Only what is given changes; at least one field must be given.

        A lead is converted by convert_lead alone.
        """
        # Setting the same status again changes nothing, so it is let through.
        if status == LeadStatus.CONVERTED and crud.read_record(context, Lead, lead_id).status != status:
            raise InvalidInputError(
                "A status alone does not convert a lead: it needs its contact and account",
                pointer="/status",
                suggestion="Convert it with convert_lead.",
            )
        changes = crud.require_changes(
            first_name=first_name,
            last_name=last_name,
            company=company,
            email=email,
            phone=phone,
            job_title=job_title,
            source=source,
            status=status,
            score=score,
            estimated_value=estimated_value,
            last_contacted_at=last_contacted_at,
            next_action=next_action,
            do_not_call=do_not_call,
            do_not_email=do_not_email,
            address=address,
            tags=tags,
            owner=owner,
            custom=custom,
        )
        return crud.update_record(context, Lead, lead_id, changes)

    @tool(
        access="delete",
        ordered_by=("delete",),
        examples=(
            "delete the lead {name}",
            "remove {name} from my leads",
            "get rid of the prospect {name}",
            "erase {name}'s lead record",
            "trash lead {name}",
        ),
        typical_followups=(
            FollowUp("Show me my leads", "📋", "search_leads"),
            followups.PRIORITIES,
        ),
    )
    def delete_lead(self, context: ToolContext, lead_id: LeadId) -> WriteResult[Lead]:
        """Delete a lead. The user is asked before it happens."""
        return crud.delete_record(context, Lead, lead_id)
