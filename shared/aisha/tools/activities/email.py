"""Tools that draft emails from the records and send them."""

import hashlib
from typing import Annotated

from pydantic import Field

from aisha.application.email.draft import DRAFT_TITLE, Background, Draft, draft, newest_shareable
from aisha.application.records import crud
from aisha.application.records.related_records import notes_about
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Email, RecordId
from aisha.application.tooling.gate.visibility import may_see, readable, related_to, require_module
from aisha.application.tooling.results import Receipt
from aisha.domain.crm.enumerations import ActivityStatus, ActivityType, NoteType
from aisha.domain.crm.queries import Condition, RecordQuery
from aisha.domain.crm.records import Activity, Contact, Lead, Note, Opportunity, Record, SubjectType
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, MissingFieldError, NotSetUpError
from aisha.domain.external.mail import MailMessage, is_mail_address
from aisha.domain.language.tones import Tone
from aisha.domain.ports import MailSender
from aisha.domain.tools import FollowUp

MAX_TITLE = 200
MESSAGE_ID = "message_id"
"""Custom field of an activity with the id of the message that it logs."""
MAX_LOGGED = 20
"""Emails of a record among which a sent message is looked for."""
_OPTED_OUT = "asked not to be emailed"


class EmailDraft(DeferredModel):
    """A draft, which is saved as a note about the record; nothing has been sent.

    `to` is the address on record, if there is one. `based_on` are the facts used; the body never quotes notes.
    `warning` says why the draft should not be sent as it is.
    """

    subject: str
    body: str
    to: str | None = None
    based_on: list[str]
    warning: str | None = None
    record: Note
    receipt: Receipt


class SentEmail(DeferredModel):
    """A sent message. `record` is the activity that logs it; missing, like `receipt`, without a record."""

    to: str
    subject: str
    message_id: str
    record: Activity | None = None
    receipt: Receipt | None = None


@toolkit(name="email", description="Draft emails from what is on record, and send them.", module="email")
class EmailTools:
    @tool(
        access="write",
        ordered_by=("draft_email", "send_email"),
        guidance="draft_email sends nothing. Show the user subject and body as they are, and offer to edit or send it.",
        examples=(
            "draft an email to {name}",
            "draft a follow-up email to {name}",
            "draft the email recap for {name}",
            "compose an introduction email for {name}",
            "draft a thank you email to {name}",
        ),
        typical_followups=(
            FollowUp("Send it", "📤", "send_email"),
            followups.CREATE_ACTIVITY,
            followups.LIST_NOTES,
            followups.NEXT_STEPS_FOR_RECORD,
        ),
    )
    def draft_email(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record that the email goes to"],
        entity_id: Annotated[RecordId, "Id of the entity"],
        purpose: Annotated[str, Field(min_length=1, max_length=500), "What the email is for, in the user's words"],
        tone: Annotated[Tone, "Tone of the email"] = "friendly",
    ) -> EmailDraft:
        """Draft an email to a lead, contact, account or deal from what is on record, and save it as a note.

        Nothing is sent. Uses the name, company, last contact, newest note and open deal.
        """
        # The draft is stored as a note, so it takes the rights for the record and for notes.
        record = readable(context.principal, context.records, entity_type, entity_id)
        require_module(context.principal, Note.TYPE)
        recipient = _recipient(context, record)
        email = draft(purpose, tone, _background(context, record, recipient))
        written = crud.create_record(
            context,
            Note,
            related=related_to(record),
            title=f"{DRAFT_TITLE}{email.subject}"[:MAX_TITLE],
            content=email.body,
            note_type=NoteType.EMAIL,
        )
        return EmailDraft.model_construct(
            subject=email.subject,
            body=email.body,
            to=_address_of(recipient),
            based_on=list(email.based_on),
            warning=_warn(context, recipient, email),
            record=written.record,
            receipt=written.receipt,
        )

    @tool(
        access="external",
        ordered_by=("send_email",),
        port="mail",
        guidance="send_email needs subject and body, and the exact address or the record of who gets it. With several "
        "recipients, call it once for each.",
        examples=(
            "send this email to {to}: subject {subject}, body {body}",
            "mail this text to {to} with the subject {subject}: {body}",
            "send the message {body} by email to the address {to} with subject {subject}",
        ),
        typical_followups=(
            followups.CREATE_ACTIVITY,
            FollowUp("What should I prioritize today?", "📋", "get_my_day"),
        ),
    )
    def send_email(
        self,
        context: ToolContext,
        subject: Annotated[str, Field(min_length=1, max_length=MAX_TITLE), "Subject, one line"],
        body: Annotated[str, Field(min_length=1, max_length=8000), "The message as plain text"],
        to: Annotated[Email | None, "Address of one recipient; by default that on record"] = None,
        entity_type: Annotated[SubjectType | None, "Type of the record that it is logged on"] = None,
        entity_id: Annotated[RecordId | None, "Id of the entity"] = None,
    ) -> SentEmail:
        """Send an email. It goes as plain text to one person and is logged as an activity of the record it is about.

        The user is asked before it happens. Nothing is sent to people who do not want email.
        """
        sender = _sender(context)
        record = crud.read_subject(context, entity_type, entity_id)
        if record is not None:
            # Before the email goes out: one that could not be logged afterwards would leave no trace.
            require_module(context.principal, Activity.TYPE)
        to = to or _address_on_record(context, record)
        message = _compose(context, to, subject, body)
        # An opt-out counts for the address, whatever record the email is about.
        _check_consent(context, to, record)
        # A repeated call finds the first one's log, so it does not send again; the store ignores its second write.
        message_id = message.id if _is_logged(context, record, message.id) else sender.send(message)
        context.log(f"message {message_id}")
        if record is None:
            return SentEmail.model_construct(to=to, subject=message.subject, message_id=message_id)
        written = crud.create_record(
            context,
            Activity,
            related=related_to(record),
            title=f"Email: {message.subject}"[:MAX_TITLE],
            activity_type=ActivityType.EMAIL,
            status=ActivityStatus.COMPLETED,
            completed_at=context.now,
            body=message.body,
            outcome=f"Sent to {message.to}",
            custom={MESSAGE_ID: message.id},
        )
        return SentEmail.model_construct(
            to=to, subject=message.subject, message_id=message_id, record=written.record, receipt=written.receipt
        )


def _recipient(context: ToolContext, record: Record) -> Record:
    """Return the contact, else the lead, of a deal; the record itself where there is neither."""
    if isinstance(record, Opportunity):
        for kind, record_id in ((Contact.TYPE, record.contact_id), (Lead.TYPE, record.lead_id)):
            if record_id and may_see(context.principal, kind):
                people = context.records.get_many([(kind, record_id)])
                if record_id in people:
                    return people[record_id]
    return record


def _background(context: ToolContext, record: Record, recipient: Record) -> Background:
    is_person = isinstance(recipient, Lead | Contact) and bool(recipient.first_name or recipient.last_name)
    return Background(
        record=recipient,
        recipient=recipient.display_name,
        is_person=is_person,
        author=context.principal.name,
        now=context.now,
        note=newest_shareable(notes_about(context, record)),
        deal=record if isinstance(record, Opportunity) else _open_deal(context, record),
    )


def _open_deal(context: ToolContext, record: Record) -> Opportunity | None:
    """Return the record's open deal that closes first."""
    is_linked = Condition(f"{record.TYPE}_id", "eq", record.id)
    page = crud.search_permitted(context, Opportunity, is_linked, crud.IS_OPEN_DEAL, order="due", limit=1)
    return page.items[0] if page and page.items else None


def _address_of(recipient: Record) -> str | None:
    # Opportunities have no address, and a stored one may be no address at all.
    address: str | None = getattr(recipient, "email", None)
    return address if is_mail_address(address) else None


def _warn(context: ToolContext, recipient: Record, email: Draft) -> str | None:
    address = _address_of(recipient)
    if getattr(recipient, "do_not_email", False) or (address and _has_opted_out(context, address)):
        return f"{recipient.display_name} {_OPTED_OUT}."
    if address is None:
        return f"There is no email address of {recipient.display_name} on record."
    return "Fill in the text in [brackets] before it is sent." if email.has_gaps else None


def _sender(context: ToolContext) -> MailSender:
    if context.mail is None:
        raise NotSetUpError(
            "Sending email is not set up here",
            suggestion="Draft it with draft_email and send it from your own mailbox, or ask your admin to set up a "
            "sender.",
        )
    return context.mail


def _address_on_record(context: ToolContext, record: Record | None) -> str:
    """Return the address of the record's recipient. Raise `MissingFieldError` when there is none."""
    address = _address_of(_recipient(context, record)) if record is not None else None
    if address is None:
        raise MissingFieldError("to", suggestion="Ask the user for the address.")
    return address


def _compose(context: ToolContext, to: str, subject: str, body: str) -> MailMessage:
    """Return the message. Its id follows from the operation, so that a repeated call is the same message."""
    user = context.principal
    digest = hashlib.sha256(f"{user.tenant}\n{context.operation_id}".encode()).hexdigest()
    # Sent from the deployment's own address: answers go to the user.
    reply_to = user.email if is_mail_address(user.email) else None
    # A name with control characters would make the message invalid; it is left out.
    name = user.name if user.name and user.name.isprintable() else None
    return MailMessage(digest[:40], to, subject, body, context.clock.now(), reply_to=reply_to, reply_name=name)


def _check_consent(context: ToolContext, to: str, record: Record | None) -> None:
    """Raise `ConflictError` when the record, or a lead with this address, does not want email."""
    is_unwanted = record is not None and getattr(record, "do_not_email", False)
    if is_unwanted or _has_opted_out(context, to):
        name = record.display_name if record is not None and is_unwanted else to
        raise ConflictError(f"{name} {_OPTED_OUT}", suggestion="Use another way to get in touch.")


def _has_opted_out(context: ToolContext, address: str) -> bool:
    where = crud.equal(email=address, do_not_email=True)
    return bool(context.records.search(RecordQuery(Lead.TYPE, where=where, limit=1)).items)


def _is_logged(context: ToolContext, record: Record | None, message_id: str) -> bool:
    """Return True when the record's newest emails show that the message was sent already."""
    if record is None:
        return False
    where = crud.equal(related__id=record.id, activity_type=ActivityType.EMAIL)
    query = RecordQuery(Activity.TYPE, where=where, order="newest", limit=MAX_LOGGED)
    return any(email.custom.get(MESSAGE_ID) == message_id for email in context.records.search(query).items)
