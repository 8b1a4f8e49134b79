"""Tools for accounts, the companies that the tenant does business with."""

from typing import Annotated

from pydantic import Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.choices import AccountTypeChoice
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
from aisha.domain.crm.enumerations import AccountHealth, AccountType
from aisha.domain.crm.queries import MAX_PAGE, Condition
from aisha.domain.crm.records import Account, Address, Contact, Money, Opportunity
from aisha.domain.dates.parsing import When
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.tools import FollowUp

AccountId = Annotated[RecordId, "Id of an account, as search_accounts gives it"]
Employees = Annotated[int, Field(ge=0, le=10_000_000)]
_RECORD_FOLLOWUPS = (
    followups.CONTACTS_AT,
    followups.NEXT_STEPS_FOR_RECORD,
    followups.CREATE_ACTIVITY,
    FollowUp("Show the deals of {name}", "💼", "search_opportunities"),
)


class AccountDetails(DeferredModel):
    """An account with its contacts and its open opportunities, up to 50 of each.

    A list is missing when the user may not use its module.
    """

    account: Account
    contacts: list[Contact] | None = None
    opportunities: list[Opportunity] | None = None


@toolkit(name="accounts", description="Find, read, create, change and delete accounts.", module="accounts")
class Accounts:
    @tool(
        always=True,
        examples=(
            "show me my accounts",
            "accounts in the {industry} industry",
            "which {type} accounts do we have",
            "companies that are {health}",
            "list the accounts owned by {owner}",
            "find the company {name_contains}",
            "accounts with more than {min_employees} employees",
            "companies in {state}",
        ),
        typical_followups=_RECORD_FOLLOWUPS,
    )
    def search_accounts(
        self,
        context: ToolContext,
        name_contains: NameContains = None,
        industry: Annotated[str | None, Field(max_length=200), "Industry"] = None,
        type: Annotated[AccountTypeChoice | None, "Type of account"] = None,
        health: Annotated[AccountHealth | None, "Health of the relationship"] = None,
        owner: Owner = None,
        min_revenue: Annotated[Money | None, "Minimum annual revenue"] = None,
        max_revenue: Annotated[Money | None, "Maximum annual revenue"] = None,
        min_employees: Annotated[Employees | None, "Minimum number of employees"] = None,
        max_employees: Annotated[Employees | None, "Maximum number of employees"] = None,
        state: Annotated[str | None, "State or region"] = None,
        city: Annotated[str | None, "City"] = None,
        created_after: Annotated[When | None, "Created after"] = None,
        created_before: Annotated[When | None, "Created before"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
        custom: CustomValues | None = None,
    ) -> RecordList[Account]:
        """Search accounts in order of name."""
        where = (
            *crud.equal(industry=industry, type=type, health=health, address__state=state, address__city=city),
            *crud.between("annual_revenue", min_revenue, max_revenue),
            *crud.between("employee_count", min_employees, max_employees),
            *crud.between("created_at", created_after, created_before),
        )
        return crud.search_page(
            context, Account, where, limit, cursor, name_contains=name_contains, owner=owner, custom=custom
        )

    @tool(
        examples=(
            "full details of the account {name}",
            "open the account {name}",
            "everything on the company {name}",
            "show me {name} with its contacts and deals",
        ),
        typical_followups=_RECORD_FOLLOWUPS,
    )
    def get_account(self, context: ToolContext, account_id: AccountId) -> AccountDetails:
        """Get an account. Its contacts and its open opportunities come with it."""
        account = crud.read_record(context, Account, account_id)
        # None where the user may not use the module, which is not the same as an empty list.
        is_linked = Condition("account_id", "eq", account.id)
        contacts = crud.search_permitted(context, Contact, is_linked, limit=MAX_PAGE)
        deals = crud.search_permitted(context, Opportunity, is_linked, crud.IS_OPEN_DEAL, limit=MAX_PAGE)
        return AccountDetails.model_construct(
            account=account,
            contacts=contacts.items if contacts else None,
            opportunities=deals.items if deals else None,
        )

    @tool(
        access="write",
        ordered_by=("create_record",),
        examples=(
            "create an account for {company_name}",
            "new account {company_name} in {industry}",
            "add the company {company_name}",
            "register {company_name} as a {type}",
        ),
        typical_followups=(
            FollowUp("Add a contact at {name}", "👤", "create_contact"),
            FollowUp("Create a deal for {name}", "💼", "create_opportunity"),
            followups.CREATE_ACTIVITY,
            FollowUp("Link to lead", "🔗", "update_lead"),
        ),
    )
    def create_account(
        self,
        context: ToolContext,
        company_name: Annotated[Text, "Name of the company"],
        industry: Annotated[Text | None, "Industry"] = None,
        type: Annotated[AccountTypeChoice, "Type of account"] = AccountType.PROSPECT,
        website: Annotated[Text | None, "Website"] = None,
        phone: Annotated[Phone | None, "Phone number"] = None,
        email: Annotated[Email | None, "Email address"] = None,
        annual_revenue: Annotated[Money | None, "Annual revenue"] = None,
        employee_count: Annotated[Employees | None, "Number of employees"] = None,
        health: Annotated[AccountHealth, "Health of the relationship"] = AccountHealth.UNKNOWN,
        address: Annotated[Address | None, "Postal address"] = None,
        tags: Annotated[Tags | None, "Tags"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Account]:
        """Create an account. The caller owns it unless an owner is given."""
        return crud.create_record(
            context,
            Account,
            owner=owner,
            custom=custom,
            name=company_name,
            industry=industry,
            type=type,
            website=website,
            phone=phone,
            email=email,
            annual_revenue=annual_revenue,
            employee_count=employee_count,
            health=health,
            address=address,
            tags=tags,
        )

    @tool(
        access="write",
        ordered_by=("update_record",),
        examples=(
            "mark the account {name} as {health}",
            "{name} is now a {type}",
            "change the industry of {name} to {industry}",
            "set the website of {name} to {website}",
            "{name} has {employee_count} employees",
            "rename the account {name} to {company_name}",
        ),
        typical_followups=(
            FollowUp("Tell me about {name}", "🔎", "get_account"),
            followups.CONTACTS_AT,
            followups.NEXT_STEPS_FOR_RECORD,
        ),
    )
    def update_account(
        self,
        context: ToolContext,
        account_id: AccountId,
        company_name: Annotated[Text | None, "New name of the company"] = None,
        industry: Annotated[Text | None, "New industry"] = None,
        type: Annotated[AccountTypeChoice | None, "New type of account"] = None,
        website: Annotated[Text | None, "New website"] = None,
        phone: Annotated[Phone | None, "New phone number"] = None,
        email: Annotated[Email | None, "New email address"] = None,
        annual_revenue: Annotated[Money | None, "New annual revenue"] = None,
        employee_count: Annotated[Employees | None, "New number of employees"] = None,
        health: Annotated[AccountHealth | None, "New health of the relationship"] = None,
        address: Annotated[Address | None, "New postal address"] = None,
        tags: Annotated[Tags | None, "New tags, which replace the old ones"] = None,
        owner: Owner = None,
        custom: CustomValues | None = None,
    ) -> WriteResult[Account]:
        """Update an account. Only what is given changes; at least one field must be given."""
        changes = crud.require_changes(
            company_name=company_name,
            industry=industry,
            type=type,
            website=website,
            phone=phone,
            email=email,
            annual_revenue=annual_revenue,
            employee_count=employee_count,
            health=health,
            address=address,
            tags=tags,
            owner=owner,
            custom=custom,
        )
        # The error of an empty call names the argument, company_name; the record's field is name.
        if company_name is not None:
            changes["name"] = changes.pop("company_name")
        return crud.update_record(context, Account, account_id, changes)

    @tool(
        access="delete",
        ordered_by=("delete",),
        examples=(
            "delete the account {name}",
            "remove the company {name}",
            "erase the account {name}",
            "get rid of the account {name}",
        ),
        typical_followups=(
            FollowUp("Show me my accounts", "📋", "search_accounts"),
            followups.PRIORITIES,
        ),
    )
    def delete_account(self, context: ToolContext, account_id: AccountId) -> WriteResult[Account]:
        """Delete an account; its contacts and opportunities stay. The user is asked before it happens."""
        return crud.delete_record(context, Account, account_id)
