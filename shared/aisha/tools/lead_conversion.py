"""Conversion: what becomes of a lead that is won."""

from datetime import date
from typing import Annotated, Any, cast

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.parameters import RecordId, Text
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.application.tooling.visibility import require_module
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, NotFoundError
from aisha.domain.queries import Change, Create, Update
from aisha.domain.records import Account, Contact, Conversion, Lead, LeadStatus, Money, Opportunity

LeadId = Annotated[RecordId, "Id of a lead, as search_leads gives it"]


class LeadConversion(DeferredModel):
    """What a conversion made: the lead as it now stands and the records it became."""

    lead: Lead
    contact: EntityRef
    account: EntityRef
    opportunity: EntityRef | None = None
    receipts: list[Receipt]


@toolkit(name="leads", description="Find, read, score, create, change, convert and delete leads.", module="leads")
class LeadConversions:
    @tool(
        access="delete",
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
        account_id: Annotated[str | None, "Id of an account to put the contact in; without it one is created"] = None,
        create_opportunity: Annotated[bool, "True to open an opportunity too"] = False,
        opportunity_name: Annotated[Text | None, "Name of that opportunity"] = None,
        amount: Annotated[Money | None, "Amount of that opportunity"] = None,
        close_date: Annotated[date | None, "Day that opportunity should close"] = None,
    ) -> LeadConversion:
        """Convert a lead into a contact in an account, with an opportunity if wanted, all or nothing.

        A lead can be converted once. One that is lost or unqualified can't be: change its status first. The user needs
        the modules of contacts and accounts, and that of opportunities when one is wanted.
        """
        said = (opportunity_name, amount, close_date)
        wants_opportunity = create_opportunity or any(value is not None for value in said)
        for kind in ("contact", "account", *(["opportunity"] if wants_opportunity else [])):
            require_module(context.principal, kind)
        lead = crud.read_record(context, Lead, lead_id)
        _must_be_convertible(lead)
        account = _account_for(context, lead, account_id)
        contact = _contact_of(lead, account)
        deal = _deal_of(lead, account, contact, opportunity_name, amount, close_date) if wants_opportunity else None
        became = Conversion(account_id=account.id, contact_id=contact.id, opportunity_id=deal.id if deal else None)
        changes: list[Change] = [] if account_id else [Create(account)]
        changes += [Create(contact), *([Create(deal)] if deal else [])]
        new_state = {"status": LeadStatus.CONVERTED, "converted": became.model_dump()}
        changes.append(Update("lead", lead.id, new_state, expected_version=lead.version))
        written = context.records.write(*changes)
        return LeadConversion.model_construct(
            lead=cast(Lead, written[-1].record),
            contact=EntityRef.of(contact),
            account=EntityRef.of(account),
            opportunity=EntityRef.of(deal) if deal else None,
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
        return crud.read_record(context, Account, account_id)
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
