"""Email: drafts from what the records say, and messages that leave the house."""

import hashlib
from typing import Annotated, cast

from pydantic import Field

from aisha.application.email.draft import DRAFT_TITLE, Background, Draft, Tone, draft, newest_shareable
from aisha.application.records.related_records import notes_about
from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.parameters import Email
from aisha.application.tooling.results import Receipt, WriteResult
from aisha.application.tooling.visibility import may_see, readable, related_to, require_module
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, MissingFieldError, UnavailableError
from aisha.domain.mail import MailMessage, is_mail_address
from aisha.domain.ports import MailSender
from aisha.domain.queries import Condition, Create, RecordQuery
from aisha.domain.records import (
    OPEN_STAGES,
    Activity,
    ActivityStatus,
    ActivityType,
    Contact,
    Lead,
    Note,
    NoteType,
    Opportunity,
    Record,
    SubjectType,
)
from aisha.domain.tools import FollowUp

SubjectId = Annotated[str, Field(min_length=1, max_length=60)]
MOST_TITLE = 200
MESSAGE_ID = "message_id"
"""The custom field of an activity that names the message it logs."""
_LOOKED_AT = 20
_OPTED_OUT = "asked not to be emailed"


class EmailDraft(DeferredModel):
    """A draft, which is kept as a note about the record; nothing has been sent.

    `to` is the address on record, if there is one. `based_on` are the facts used; what notes say is never quoted in the
    body. `warning` says what stands against sending it.
    """

    subject: str
    body: str
    to: str | None = None
    based_on: list[str]
    warning: str | None = None
    record: Note
    receipt: Receipt


class SentEmail(DeferredModel):
    """`record` is the activity that logs it, missing when the message is about no record; so is `receipt`."""

    to: str
    subject: str
    message_id: str
    record: Activity | None = None
    receipt: Receipt | None = None


@toolkit(name="email", description="Draft emails from what is on record, and send them.", module="email")
class EmailTools:
    @tool(
        access="write",
        guidance="draft_email sends nothing. Show the user subject and body as they are, and offer to change or to send it.",
        examples=(
            "draft an email to {name}",
            "draft a follow-up email to {name}",
            "draft the email recap for {name}",
            "compose an introduction email for {name}",
            "draft a thank you email to {name}",
        ),
        typical_followups=(
            FollowUp("Create an activity for {name}", "📅", "create_activity"),
            FollowUp("Are there any notes about {name}?", "🗒️", "list_notes"),
            FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions"),
        ),
    )
    def draft_email(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record that the email goes to"],
        entity_id: Annotated[SubjectId, "Id of that record"],
        purpose: Annotated[str, Field(min_length=1, max_length=500), "What the email is for, in the user's words"],
        tone: Annotated[Tone, "How it sounds"] = "friendly",
    ) -> EmailDraft:
        """Draft an email to a lead, contact, account or deal from what is on record, and save it as a note; nothing is sent.

        Uses the name, company, last contact, newest note and open deal.
        """
        record = readable(context.principal, context.records, entity_type, entity_id)
        require_module(context.principal, Note.TYPE)
        recipient = _recipient(context, record)
        made = draft(purpose, tone, _background(context, record, recipient))
        written = WriteResult[Note].of(context.records.write(Create(_note(context, record, made)))[0])
        return EmailDraft.model_construct(
            subject=made.subject, body=made.body, to=_address(recipient), based_on=list(made.based_on),
            warning=_warning(context, recipient, made), record=written.record, receipt=written.receipt,
        )  # fmt: skip

    @tool(
        access="external",
        guidance="send_email needs subject and body, and the exact address or the record of who gets it. With several "
        "recipients, call it once for each.",
        examples=(
            "send this email to {to}: subject {subject}, body {body}",
            "mail this text to {to} with the subject {subject}: {body}",
            "send the message {body} by email to the address {to} with subject {subject}",
        ),
        typical_followups=(
            FollowUp("Create an activity for {name}", "📅", "create_activity"),
            FollowUp("What should I prioritize today?", "📋", "get_my_day"),
        ),
    )
    def send_email(
        self,
        context: ToolContext,
        subject: Annotated[str, Field(min_length=1, max_length=MOST_TITLE), "Subject, one line"],
        body: Annotated[str, Field(min_length=1, max_length=8000), "The message as plain text"],
        to: Annotated[Email | None, "Address of the one recipient; without it the one on record"] = None,
        entity_type: Annotated[SubjectType | None, "Type of the record it is about, to log the email there"] = None,
        entity_id: Annotated[SubjectId | None, "Id of that record"] = None,
    ) -> SentEmail:
        """Send an email as plain text to one person, and log it as a completed activity of the record it is about.

        The user is asked before it happens. People who do not want email are not written to.
        """
        sender = _sender(context)
        record = _about(context, entity_type, entity_id)
        to = to or _address_on_record(context, record)
        message = _message(context, to, subject, body)
        _may_be_written_to(context, to, record)
        sent = _logged(context, record, message.id) or sender.send(message)
        context.log(f"message {sent}")
        if record is None:
            return SentEmail.model_construct(to=to, subject=message.subject, message_id=sent)
        logged = context.records.write(Create(_activity(context, record, message)))[0]
        written = WriteResult[Activity].of(logged)
        return SentEmail.model_construct(
            to=to, subject=message.subject, message_id=sent, record=written.record, receipt=written.receipt
        )


# -- drafts --------------------------------------------------------------------------------------------------------------


def _recipient(context: ToolContext, record: Record) -> Record:
    """Who reads it: the contact or lead of a deal where there is one, else the record itself."""
    if isinstance(record, Opportunity):
        for kind, one in ((Contact.TYPE, record.contact_id), (Lead.TYPE, record.lead_id)):
            if one and may_see(context.principal, kind) and (found := context.records.get_many([(kind, one)])):
                return found[one]
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
    """The open deal that closes first."""
    if not may_see(context.principal, Opportunity.TYPE):
        return None
    where = (Condition(f"{record.TYPE}_id", "eq", record.id), Condition("stage", "in", list(OPEN_STAGES)))
    found = context.records.search(RecordQuery(Opportunity.TYPE, where=where, order="due", limit=1)).items
    return cast(Opportunity, found[0]) if found else None


def _note(context: ToolContext, record: Record, made: Draft) -> Note:
    return Note(
        title=f"{DRAFT_TITLE}{made.subject}"[:MOST_TITLE],
        content=made.body,
        note_type=NoteType.EMAIL,
        related=related_to(record),
        owner=context.principal.user,
    )


def _address(recipient: Record) -> str | None:
    address: str | None = getattr(recipient, "email", None)
    return address if is_mail_address(address) else None


def _warning(context: ToolContext, recipient: Record, made: Draft) -> str | None:
    address = _address(recipient)
    if getattr(recipient, "do_not_email", False) or (address and _has_opted_out(context, address)):
        return f"{recipient.display_name} {_OPTED_OUT}."
    if address is None:
        return f"There is no email address of {recipient.display_name} on record."
    return "Fill in what stands in [brackets] before it is sent." if made.has_gaps else None


# -- sending -------------------------------------------------------------------------------------------------------------


def _sender(context: ToolContext) -> MailSender:
    if context.mail is None:
        raise UnavailableError(
            "Sending email is not set up here",
            suggestion="Draft it with draft_email and send it from your own mailbox, or ask your admin to set up a sender.",
        )
    return context.mail


def _about(context: ToolContext, entity_type: str | None, entity_id: str | None) -> Record | None:
    if entity_type is None and entity_id is None:
        return None
    if entity_type is None or entity_id is None:
        missing = "entity_type" if entity_type is None else "entity_id"
        raise MissingFieldError(missing, suggestion="Give both the type and the id of the record.")
    record = readable(context.principal, context.records, entity_type, entity_id)
    require_module(context.principal, Activity.TYPE)
    return record


def _address_on_record(context: ToolContext, record: Record | None) -> str:
    """Of the record, or of who reads what is sent about it. Raises `MissingFieldError`."""
    address = _address(_recipient(context, record)) if record is not None else None
    if address is None:
        raise MissingFieldError("to", suggestion="Ask the user for the address.")
    return address


def _message(context: ToolContext, to: str, subject: str, body: str) -> MailMessage:
    """Its id is made of the operation: the same call run again is the same message."""
    user = context.principal
    digest = hashlib.sha256(f"{user.tenant}\n{context.operation_id}".encode()).hexdigest()
    reply_to = user.email if is_mail_address(user.email) else None
    name = user.name if user.name and user.name.isprintable() else None
    return MailMessage(digest[:40], to, subject, body, context.clock.now(), reply_to=reply_to, reply_name=name)


def _may_be_written_to(context: ToolContext, to: str, record: Record | None) -> None:
    """Raises `ConflictError` for a record that does not want email, also when only its address is given."""
    if getattr(record, "do_not_email", False) or _has_opted_out(context, to):
        whom = record.display_name if record is not None and getattr(record, "do_not_email", False) else to
        raise ConflictError(f"{whom} {_OPTED_OUT}", suggestion="Use another way to get in touch.")


def _has_opted_out(context: ToolContext, address: str) -> bool:
    where = (Condition("email", "eq", address), Condition("do_not_email", "eq", True))
    return bool(context.records.search(RecordQuery(Lead.TYPE, where=where, limit=1)).items)


def _logged(context: ToolContext, record: Record | None, message_id: str) -> str | None:
    """The message's id when the record's newest emails show that it went out already."""
    if record is None:
        return None
    where = (Condition("related.id", "eq", record.id), Condition("activity_type", "eq", ActivityType.EMAIL))
    found = context.records.search(RecordQuery(Activity.TYPE, where=where, order="newest", limit=_LOOKED_AT)).items
    return message_id if any(one.custom.get(MESSAGE_ID) == message_id for one in found) else None


def _activity(context: ToolContext, record: Record, message: MailMessage) -> Activity:
    return Activity(
        title=f"Email: {message.subject}"[:MOST_TITLE],
        activity_type=ActivityType.EMAIL,
        related=related_to(record),
        status=ActivityStatus.COMPLETED,
        completed_at=context.now,
        body=message.body,
        outcome=f"Sent to {message.to}",
        owner=context.principal.user,
        custom={MESSAGE_ID: message.id},
    )
