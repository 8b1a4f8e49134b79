"""The tool that converts a lead into a contact, an account and an opportunity."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, cast

from pydantic import Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import RecordId, Text
from aisha.application.tooling.gate.visibility import require_module
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.crm.enumerations import LeadStatus
from aisha.domain.crm.queries import Change, Create, Update
from aisha.domain.crm.records import Account, Contact, Conversion, Lead, Money, Opportunity
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError

MAX_SIMILAR = 5
"""Accounts that are compared with the company of a lead."""
LeadId = Annotated[RecordId, "Id of a lead, as search_leads gives it"]


class LeadConversion(DeferredModel):
    """The converted lead, the records made from it, and the receipts of all writes.

    `possible_duplicates` are accounts whose names are like that of a new account: name them to the user.
    """

    lead: Lead
    contact: EntityRef
    account: EntityRef
    opportunity: EntityRef | None = None
    possible_duplicates: list[EntityRef] = Field(default_factory=list)
    receipts: list[Receipt]


def _check_lead(context: ToolContext, arguments: Mapping[str, Any]) -> None:
    _check_convertible(crud.read_record(context, Lead, arguments["lead_id"]))


@toolkit(name="leads", description="Find, read, score, create, change, convert and delete leads.", module="leads")
class LeadConversions:
    @tool(
        access="delete",
        check=_check_lead,
        ordered_by=("convert",),
        examples=(
            "convert {name}",
            "turn {name} into a customer",
            "convert the lead {name} to a contact and account",
            "make {name} an opportunity worth {amount}",
            "promote {name} from lead to contact",
        ),
        typical_followups=(followups.CREATE_ACTIVITY, followups.OPEN_DEALS, followups.NEXT_STEPS),
    )
    def convert_lead(
        self,
        context: ToolContext,
        lead_id: LeadId,
        account_id: Annotated[
            str | None, "Id of the account for the contact; by default the one of the lead's company, else a new one"
        ] = None,
        create_opportunity: Annotated[bool, "True to open an opportunity, too"] = False,
        opportunity_name: Annotated[Text | None, "Name of that opportunity"] = None,
        amount: Annotated[Money | None, "Amount of that opportunity"] = None,
        close_date: Annotated[date | None, "Day that opportunity should close"] = None,
    ) -> LeadConversion:
        """Convert a lead: it becomes a contact in an account, optionally with an opportunity; all or nothing.

        The contact joins the account with the name of the lead's company, if there is one. A lead can be converted
        once. A lost or unqualified lead can't be converted: change its status first. The user needs the modules of
        contacts and accounts, and of opportunities to open one.
        """
        # A model that gives an amount wants an opportunity, even if it forgot to say so.
        opportunity_values = (opportunity_name, amount, close_date)
        has_deal = create_opportunity or any(value is not None for value in opportunity_values)
        for kind in ("contact", "account", *(["opportunity"] if has_deal else [])):
            require_module(context.principal, kind)
        lead = crud.read_record(context, Lead, lead_id)
        _check_convertible(lead)
        similar = _similar_accounts(context, lead) if account_id is None else []
        existing = crud.read_record(context, Account, account_id) if account_id else _same_name(lead, similar)
        account = existing or _new_account(lead)
        contact = _make_contact(lead, account)
        deal = _make_deal(lead, account, contact, opportunity_name, amount, close_date) if has_deal else None
        conversion = Conversion(account_id=account.id, contact_id=contact.id, opportunity_id=deal.id if deal else None)
        # One write for all records: a conversion that stops half-way would leave a contact without its lead.
        changes: list[Change] = [] if existing else [Create(account)]
        changes += [Create(contact), *([Create(deal)] if deal else [])]
        new_state = {"status": LeadStatus.CONVERTED, "converted": conversion.model_dump()}
        # With the version, so that of two conversions at once only one succeeds.
        changes.append(Update("lead", lead.id, new_state, expected_version=lead.version))
        written = context.records.write(*changes)
        return LeadConversion.model_construct(
            # The update of the lead is the last change.
            lead=cast(Lead, written[-1].record),
            contact=EntityRef.of(contact),
            account=EntityRef.of(account),
            opportunity=EntityRef.of(deal) if deal else None,
            possible_duplicates=[] if existing else [EntityRef.of(other) for other in similar],
            receipts=[Receipt.of(item) for item in written],
        )


def _check_convertible(lead: Lead) -> None:
    if lead.converted is not None or lead.status is LeadStatus.CONVERTED:
        raise ConflictError(
            f"{lead.display_name} has already been converted",
            entity_type="lead",
            entity_id=lead.id,
            suggestion="Use the contact and account that it became.",
        )
    if lead.status in (LeadStatus.LOST, LeadStatus.UNQUALIFIED):
        raise ConflictError(
            f"{lead.display_name} is {lead.status}, so it can't be converted",
            entity_type="lead",
            entity_id=lead.id,
            suggestion="Change its status to qualified first.",
        )


def _similar_accounts(context: ToolContext, lead: Lead) -> list[Account]:
    """Return accounts whose names have the words of the lead's company, without those of an earlier try."""
    if not lead.company:
        return []
    accounts = crud.search_page(context, Account, (), MAX_SIMILAR, name_contains=lead.company).items
    return [account for account in accounts if account.id != _derive_id(lead, "account")]


def _same_name(lead: Lead, accounts: Sequence[Account]) -> Account | None:
    """Return the account with exactly the company's name. Raise `InvalidInputError` when there are several."""
    # Only the same name joins an existing account; "ABC" and "ABC Corp" may be two companies.
    same_name = [account for account in accounts if account.name.casefold() == (lead.company or "").casefold()]
    if len(same_name) > 1:
        raise InvalidInputError(
            f"There are {len(same_name)} accounts called {same_name[0].name}",
            pointer="/account_id",
            detail=[account.id for account in same_name],
            suggestion="Ask which one is meant, and give its account_id.",
        )
    return same_name[0] if same_name else None


def _new_account(lead: Lead) -> Account:
    name = lead.company or lead.display_name
    return Account(id=_derive_id(lead, "account"), name=name, phone=lead.phone, address=lead.address, owner=lead.owner)


def _derive_id(lead: Lead, entity_type: str) -> str:
    # The lead's own ULID, so that a repeated conversion makes no second record.
    return f"{entity_type}_{lead.id.partition('_')[2]}"


def _make_contact(lead: Lead, account: Account) -> Contact:
    first, last = lead.first_name, lead.last_name
    if not (first or last):
        raise NotFoundError(
            f"{lead.display_name} has no name of a person for the contact",
            entity_type="lead",
            entity_id=lead.id,
            suggestion="Give the lead a first or last name before converting it.",
        )
    return Contact(
        id=_derive_id(lead, "contact"),
        first_name=first,
        last_name=last,
        email=lead.email,
        phone=lead.phone,
        job_title=lead.job_title,
        account_id=account.id,
        company=account.name,
        last_contacted_at=lead.last_contacted_at,
        owner=lead.owner,
        tags=lead.tags,
    )


def _make_deal(
    lead: Lead, account: Account, contact: Contact, name: str | None, amount: Money | None, close_date: date | None
) -> Opportunity:
    return Opportunity(
        id=_derive_id(lead, "opportunity"),
        name=name or f"{account.name} deal",
        close_date=close_date,
        amount=amount if amount is not None else lead.estimated_value,
        account_id=account.id,
        contact_id=contact.id,
        lead_id=lead.id,
        owner=lead.owner,
    )
