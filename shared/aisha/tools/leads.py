"""Leads: people and companies that may buy."""

from datetime import date
from typing import Annotated, Any, cast

from pydantic import BaseModel, Field

from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.parameters import (
    Cursor,
    Email,
    Limit,
    NameContains,
    Owner,
    Phone,
    Tags,
    Text,
    conditions,
    given,
    owner_id,
    query,
)
from aisha.application.tooling.results import EntityRef, Receipt, RecordList, WriteResult
from aisha.domain.dates import When
from aisha.domain.errors import ConflictError, NotFoundError
from aisha.domain.queries import Change, Create, Delete, Update
from aisha.domain.records import (
    Account,
    Address,
    Contact,
    Conversion,
    Lead,
    LeadSourceInput,
    LeadStatus,
    LeadStatusInput,
    Money,
    Opportunity,
    Percent,
)
from aisha.domain.tools import FollowUp

LeadId = Annotated[str, Field(min_length=1, max_length=60), "Id of a lead, as search_leads gives it"]
_VIEWED = (
    FollowUp("Create an activity for {name}", "📅", "create_activity"),
    FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions"),
    FollowUp("Add a note about {name}", "📝", "create_note"),
    FollowUp("Are there any notes about {name}?", "🗒️", "list_notes"),
)


class LeadConversion(BaseModel):
    """What a conversion made: the lead as it now stands and the records it became."""

    lead: Lead
    contact: EntityRef
    account: EntityRef
    opportunity: EntityRef | None = None
    receipts: list[Receipt]


@toolkit(name="leads", description="Find, read, create, change, convert and delete leads.", module="leads")
class Leads:
    @tool(
        always=True,
        guidance="Search by name before you create a lead, and before any tool that needs an id you don't have. "
        "When several fit, ask which one; never guess.",
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
        typical_followups=_VIEWED,
    )
    def search_leads(
        self,
        context: ToolContext,
        name_contains: NameContains = None,
        status: Annotated[LeadStatusInput | None, "Where the lead stands; warm is a status"] = None,
        source: Annotated[LeadSourceInput | None, "Where the lead came from"] = None,
        owner: Owner = None,
        min_score: Annotated[Percent | None, "Lowest score, 0 to 100"] = None,
        min_value: Annotated[Money | None, "Lowest estimated value"] = None,
        created_after: Annotated[When | None, "Created at or after this time"] = None,
        created_before: Annotated[When | None, "Created at or before this time"] = None,
        contacted_after: Annotated[When | None, "Last contacted at or after this time"] = None,
        contacted_before: Annotated[When | None, "Last contacted at or before this time"] = None,
        state: Annotated[str | None, "State or region of the address"] = None,
        city: Annotated[str | None, "City of the address"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Lead]:
        """Find leads by name, status, source, owner, score, value, place or date.

        The highest score comes first. Use it to look somebody up by name, to list leads that fit a description, and to
        get the ids that other tools need.
        """
        where = conditions(
            status=status, source=source, owner=owner_id(context, owner), score__gte=min_score,
            estimated_value__gte=min_value, created_at__gte=created_after, created_at__lte=created_before,
            last_contacted_at__gte=contacted_after, last_contacted_at__lte=contacted_before,
            address__state=state, address__city=city,
        )  # fmt: skip
        return RecordList[Lead].of(context.records.search(query("lead", name_contains, limit, cursor, where)))

    @tool(
        always=True,
        examples=(
            "full details of the lead {name}",
            "open {name}'s record",
            "everything on the lead {name}",
            "what is {name}'s phone number",
            "what is the status of {name}",
        ),
        typical_followups=_VIEWED,
    )
    def get_lead(self, context: ToolContext, lead_id: LeadId) -> Lead:
        """Read one lead with all its fields: contact data, status, score, source, last contact, address."""
        return cast(Lead, context.records.get("lead", lead_id))

    @tool(
        access="write",
        examples=(
            "create a lead for {first_name} {last_name} at {company}",
            "new lead: {first_name} {last_name}, {email}",
            "add {first_name} {last_name} from {company} as a prospect",
            "i met {first_name} {last_name}, put them in as a lead",
            "register {company} as a new lead",
        ),
        typical_followups=(
            FollowUp("Create a follow-up call with {name}", "📞", "create_activity"),
            FollowUp("Add a note about {name}", "📝", "create_note"),
            FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions"),
        ),
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
        source: Annotated[LeadSourceInput | None, "Where the lead came from"] = None,
        status: Annotated[LeadStatusInput, "Where the lead stands"] = LeadStatus.NEW,
        score: Annotated[Percent | None, "Score, 0 to 100"] = None,
        estimated_value: Annotated[Money | None, "What the business may be worth"] = None,
        next_action: Annotated[Text | None, "What is to be done next, in words"] = None,
        address: Annotated[Address | None, "Postal address"] = None,
        tags: Annotated[Tags | None, "Tags"] = None,
        owner: Owner = None,
    ) -> WriteResult[Lead]:
        """Create a lead. It needs a first name, a last name or a company; the caller owns it unless an owner is given."""
        values = given(locals(), "owner")
        lead = Lead(**values, owner=owner_id(context, owner) or context.principal.user)
        return WriteResult[Lead].of(context.records.write(Create(lead))[0])

    @tool(
        access="write",
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
            FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions"),
            FollowUp("Create an activity for {name}", "📅", "create_activity"),
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
        source: Annotated[LeadSourceInput | None, "New source"] = None,
        status: Annotated[LeadStatusInput | None, "New status"] = None,
        score: Annotated[Percent | None, "New score, 0 to 100"] = None,
        estimated_value: Annotated[Money | None, "New estimated value"] = None,
        last_contacted_at: Annotated[When | None, "When the lead was last contacted"] = None,
        next_action: Annotated[Text | None, "What is to be done next, in words"] = None,
        do_not_call: Annotated[bool | None, "True when the lead must not be called"] = None,
        do_not_email: Annotated[bool | None, "True when the lead must not be emailed"] = None,
        address: Annotated[Address | None, "New postal address"] = None,
        tags: Annotated[Tags | None, "New tags, instead of those it has"] = None,
        owner: Owner = None,
    ) -> WriteResult[Lead]:
        """Change fields of a lead. Only what is given changes; at least one field must be given."""
        changes = given(locals(), "lead_id")
        if owner is not None:
            changes["owner"] = owner_id(context, owner)
        return WriteResult[Lead].of(context.records.write(Update("lead", lead_id, changes))[0])

    @tool(
        access="delete",
        examples=(
            "delete the lead {name}",
            "remove {name} from my leads",
            "get rid of the prospect {name}",
            "erase {name}'s lead record",
            "trash lead {name}",
        ),
        typical_followups=(
            FollowUp("Show me my leads", "📋", "search_leads"),
            FollowUp("What should I prioritize today?", "📅", "get_my_day"),
        ),
    )
    def delete_lead(self, context: ToolContext, lead_id: LeadId) -> WriteResult[Lead]:
        """Delete a lead for good. The user is asked before it happens."""
        return WriteResult[Lead].of(context.records.write(Delete("lead", lead_id))[0])

    @tool(
        access="delete",
        examples=(
            "convert {name}",
            "turn {name} into a customer",
            "convert the lead {name} to a contact and account",
            "make {name} an opportunity worth {amount}",
            "promote {name} from lead to contact",
        ),
        typical_followups=(
            FollowUp("Create an activity for {name}", "📅", "create_activity"),
            FollowUp("Show my open deals", "💼", "search_opportunities"),
            FollowUp("What should I do next?", "💡", "suggest_next_actions"),
        ),
    )
    def convert_lead(
        self,
        context: ToolContext,
        lead_id: LeadId,
        account_id: Annotated[str | None, "Id of an account to put the contact in; without it one is created"] = None,
        create_opportunity: Annotated[bool, "True to open an opportunity too"] = False,
        opportunity_name: Annotated[Text | None, "Name of that opportunity"] = None,
        amount: Annotated[Money | None, "Amount of that opportunity"] = None,
        close_date: Annotated[date | None, "Day that opportunity should close"] = None,
    ) -> LeadConversion:
        """Convert a lead into a contact in an account, with an opportunity if wanted, all or nothing.

        A lead can be converted once. One that is lost or unqualified can't be: change its status first.
        """
        lead = cast(Lead, context.records.get("lead", lead_id))
        _must_be_convertible(lead)
        account = _account_for(context, lead, account_id)
        contact = _contact_of(lead, account)
        wants_opportunity = create_opportunity or opportunity_name is not None or amount is not None
        deal = _deal_of(lead, account, contact, opportunity_name, amount, close_date) if wants_opportunity else None
        became = Conversion(account_id=account.id, contact_id=contact.id, opportunity_id=deal.id if deal else None)
        changes: list[Change] = [] if account_id else [Create(account)]
        changes += [Create(contact), *([Create(deal)] if deal else [])]
        new_state = {"status": LeadStatus.CONVERTED, "converted": became.model_dump()}
        changes.append(Update("lead", lead.id, new_state, expected_version=lead.version))
        written = context.records.write(*changes)
        return LeadConversion.model_construct(
            lead=cast(Lead, written[-1].record),
            contact=_ref(contact),
            account=_ref(account),
            opportunity=_ref(deal) if deal else None,
            receipts=[Receipt.of(item) for item in written],
        )


def _must_be_convertible(lead: Lead) -> None:
    if lead.converted is not None or lead.status is LeadStatus.CONVERTED:
        raise ConflictError(
            f"{lead.display_name} has already been converted",
            entity_type="lead",
            entity_id=lead.id,
            suggestion="Work with the contact and account it became.",
        )
    if lead.status in (LeadStatus.LOST, LeadStatus.UNQUALIFIED):
        raise ConflictError(
            f"{lead.display_name} is {lead.status}, so it can't be converted",
            entity_type="lead",
            entity_id=lead.id,
            suggestion="Change its status to qualified first.",
        )


def _account_for(context: ToolContext, lead: Lead, account_id: str | None) -> Account:
    if account_id is not None:
        return cast(Account, context.records.get("account", account_id))
    name = lead.company or lead.display_name
    new_id = (
        f"account_{lead.id.partition('_')[2]}"  # the lead's own ULID: a conversion tried again makes no second account
    )
    return Account(id=new_id, name=name, phone=lead.phone, address=lead.address, owner=lead.owner)


def _contact_of(lead: Lead, account: Account) -> Contact:
    first, last = lead.first_name, lead.last_name
    if not (first or last):
        raise NotFoundError(
            f"{lead.display_name} names no person to make a contact of",
            entity_type="lead",
            entity_id=lead.id,
            suggestion="Give the lead a first or last name before converting it.",
        )
    return Contact(
        id=f"contact_{lead.id.partition('_')[2]}", first_name=first, last_name=last, email=lead.email, phone=lead.phone,
        job_title=lead.job_title, account_id=account.id, company=account.name, last_contacted_at=lead.last_contacted_at,
        owner=lead.owner, tags=lead.tags,
    )  # fmt: skip


def _deal_of(
    lead: Lead, account: Account, contact: Contact, name: str | None, amount: Any, close: date | None
) -> Opportunity:
    return Opportunity(
        id=f"opportunity_{lead.id.partition('_')[2]}", name=name or f"{account.name} deal", close_date=close,
        amount=amount if amount is not None else lead.estimated_value, account_id=account.id, contact_id=contact.id,
        lead_id=lead.id, owner=lead.owner,
    )  # fmt: skip


def _ref(record: Account | Contact | Opportunity) -> EntityRef:
    return EntityRef(type=record.entity_type, id=record.id, name=record.display_name)
