"""Tools for contacts, the people that the tenant does business with."""

from typing import Annotated

from pydantic import Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.choices import ContactStatusChoice
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
from aisha.domain.crm.enumerations import ContactStatus
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Account, Contact
from aisha.domain.dates.parsing import When
from aisha.domain.errors import InvalidInputError, MissingFieldError
from aisha.domain.tools import FollowUp

ContactId = Annotated[RecordId, "Id of a contact, as search_contacts gives it"]
MAX_ACCOUNTS = 5
"""Accounts read to find the one that a company's name means."""


@toolkit(name="contacts", description="Find, read, create, change and delete contacts.", module="contacts")
class Contacts:
    @tool(
        always=True,
        examples=(
            "show me my contacts",
            "who do we know at {company}",
            "contacts at {company}",
            "find the contact {name_contains}",
            "list {status} contacts",
            "people in the {department} department",
            "contacts we haven't contacted since {contacted_before}",
        ),
        typical_followups=followups.PERSON_LISTED,
    )
    def search_contacts(
        self,
        context: ToolContext,
        name_contains: NameContains = None,
        company: Annotated[str | None, Field(max_length=200), "Name of their company"] = None,
        account_id: Annotated[RecordId | None, "Id of the account"] = None,
        status: Annotated[ContactStatusChoice | None, "Status of the contact"] = None,
        owner: Owner = None,
        department: Annotated[str | None, "Department"] = None,
        job_title: Annotated[str | None, "Job title"] = None,
        email: Annotated[str | None, "Email"] = None,
        contacted_after: Annotated[When | None, "Contacted after"] = None,
        contacted_before: Annotated[When | None, "Contacted before"] = None,
        created_after: Annotated[When | None, "Created after"] = None,
        created_before: Annotated[When | None, "Created before"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
        custom: CustomValues | None = None,
    ) -> RecordList[Contact]:
        """Search contacts in order of name."""
        where = (
            *crud.equal(account_id=account_id, status=status, department=department, job_title=job_title, email=email),
            *crud.between("last_contacted_at", contacted_after, contacted_before),
            *crud.between("created_at", created_after, created_before),
            *(() if company is None else (_company_filter(context, company),)),
        )
        return crud.search_page(
            context, Contact, where, limit, cursor, name_contains=name_contains, owner=owner, custom=custom
        )

    @tool(
        always=True,
        examples=(
            "full details of the contact {name}",
            "open the contact {name}",
            "what is {name}'s email",
            "which company does {name} work for",
        ),
        typical_followups=followups.PERSON_READ,
    )
    def get_contact(self, context: ToolContext, contact_id: ContactId) -> Contact:
        """Get a contact. It has all its fields: contact data, job title, company, status, last contact."""
        return crud.read_record(context, Contact, contact_id)

    @tool(
        access="write",
        ordered_by=("create_record",),
        examples=(
            "create a contact for {name} at {company}",
            "new contact: {name}, {email}",
            "add {first_name} {last_name} as a contact",
            "save {name}'s contact details, {phone}",
            "put {name} of {company} in my contacts",
        ),
        typical_followups=(followups.CREATE_CALL, followups.ADD_NOTE, followups.NEXT_STEPS_FOR_RECORD),
    )
    def create_contact(
        self,
        context: ToolContext,
        name: Annotated[Text | None, "Full name, instead of given and family name"] = None,
        first_name: Annotated[Text | None, "Given name"] = None,
        last_name: Annotated[Text | None, "Family name"] = None,
        email: Annotated[Email | None, "Email address"] = None,
        phone: Annotated[Phone | None, "Phone number"] = None,
        job_title: Annotated[Text | None, "Job title"] = None,
        department: Annotated[Text | None, "Department"] = None,
        account_id: Annotated[RecordId | None, "Id of the account"] = None,
        company: Annotated[Text | None, "Company by name; an account with exactly this name is linked"] = None,
        status: Annotated[ContactStatusChoice, "Status of the contact"] = ContactStatus.ACTIVE,
        tags: Annotated[Tags | None, "Tags"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Contact]:
        """Create a contact. It needs a name; the caller owns it unless an owner is given."""
        # Models know whole names; the record keeps two, so that it can be sorted and addressed by them.
        first, last = _split_name(name, first_name, last_name)
        # The account's own spelling of the company, so that one company has one name.
        account = _account_to_link(context, account_id, company)
        return crud.create_record(
            context,
            Contact,
            owner=owner,
            custom=custom,
            first_name=first,
            last_name=last,
            email=email,
            phone=phone,
            job_title=job_title,
            department=department,
            account_id=account.id if account else None,
            company=account.name if account else company,
            status=status,
            tags=tags,
        )

    @tool(
        access="write",
        ordered_by=("update_record",),
        examples=(
            "change {name}'s email to {email}",
            "{name} is now {job_title}",
            "mark the contact {name} as {status}",
            "update the phone number of {name} to {phone}",
            "{name} moved to the {department} department",
            "assign the contact {name} to {owner}",
        ),
        typical_followups=(
            FollowUp("Tell me about {name}", "🔎", "get_contact"),
            followups.CREATE_ACTIVITY,
            followups.NEXT_STEPS_FOR_RECORD,
        ),
    )
    def update_contact(
        self,
        context: ToolContext,
        contact_id: ContactId,
        first_name: Annotated[Text | None, "New given name"] = None,
        last_name: Annotated[Text | None, "New family name"] = None,
        email: Annotated[Email | None, "New email address"] = None,
        phone: Annotated[Phone | None, "New phone number"] = None,
        job_title: Annotated[Text | None, "New job title"] = None,
        department: Annotated[Text | None, "New department"] = None,
        account_id: Annotated[RecordId | None, "Id of the new account"] = None,
        company: Annotated[Text | None, "New company by name; an account with exactly this name is linked"] = None,
        status: Annotated[ContactStatusChoice | None, "New status"] = None,
        last_contacted_at: Annotated[When | None, "When the contact was last contacted"] = None,
        tags: Annotated[Tags | None, "New tags, which replace the old ones"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Contact]:
        """Update a contact. Only what is given changes; at least one field must be given."""
        changes = crud.require_changes(
            first_name=first_name,
            last_name=last_name,
            email=email,
            phone=phone,
            job_title=job_title,
            department=department,
            account_id=account_id,
            company=company,
            status=status,
            last_contacted_at=last_contacted_at,
            tags=tags,
            owner=owner,
            custom=custom,
        )
        # Both fields change together: a company's name of another account would be a contradiction.
        if account_id is not None or company is not None:
            account = _account_to_link(context, account_id, company)
            changes |= {"account_id": account.id if account else None, "company": account.name if account else company}
        return crud.update_record(context, Contact, contact_id, changes)

    @tool(
        access="delete",
        ordered_by=("delete",),
        examples=(
            "delete the contact {name}",
            "remove {name} from my contacts",
            "erase {name}'s contact record",
            "get rid of the contact {name}",
        ),
        typical_followups=(
            FollowUp("Show me my contacts", "📋", "search_contacts"),
            followups.PRIORITIES,
        ),
    )
    def delete_contact(self, context: ToolContext, contact_id: ContactId) -> WriteResult[Contact]:
        """Delete a contact. The user is asked before it happens."""
        return crud.delete_record(context, Contact, contact_id)


def _split_name(name: str | None, first: str | None, last: str | None) -> tuple[str | None, str | None]:
    if not (name or first or last):
        raise MissingFieldError("name", suggestion="Ask the user for the contact's name.")
    # "Maria del Carmen Ruiz" has one given name here: nobody can tell names apart for every culture.
    given_name, _, family = (name or "").partition(" ")
    return first or given_name or None, last or family.strip() or None


def _find_accounts(context: ToolContext, company: str) -> list[Account]:
    """Return accounts with these words in their name; none for a user without the module."""
    page = crud.search_permitted(context, Account, name_contains=company, limit=MAX_ACCOUNTS)
    return page.items if page else []


def _company_filter(context: ToolContext, company: str) -> Condition:
    """Return the filter for a company: by its account, which is indexed, else by its name."""
    accounts = _find_accounts(context, company)
    # An exact name wins over names that only begin with these words.
    accounts = _with_name(accounts, company) or accounts
    if len(accounts) == 1:
        return Condition("account_id", "eq", accounts[0].id)
    return Condition("company", "in", [company, *(account.name for account in accounts)])


def _account_to_link(context: ToolContext, account_id: str | None, company: str | None) -> Account | None:
    """Return the account to link: by id, or the only one with exactly this name.

    Raise `InvalidInputError` when the id names an account with another name than the company's.
    """
    if account_id is not None:
        account = crud.read_record(context, Account, account_id)
        if company is not None and company.casefold() != account.name.casefold():
            raise InvalidInputError(
                f"The account is called {account.name}, not {company}",
                pointer="/company",
                suggestion="Give the account or the company, not two different ones.",
            )
        return account
    # Only by the exact name: a link to the wrong company is worse than none.
    accounts = _with_name(_find_accounts(context, company), company) if company else []
    return accounts[0] if len(accounts) == 1 else None


def _with_name(accounts: list[Account], company: str) -> list[Account]:
    return [account for account in accounts if account.name.casefold() == company.casefold()]
