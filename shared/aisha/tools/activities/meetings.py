"""The tool that schedules a meeting with people and writes its invitation."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from aisha.application.email.invitation import Meeting, Party, invitation, is_address
from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Minutes, RecordId, Text, require_future
from aisha.application.tooling.gate.visibility import related_to
from aisha.application.tooling.results import Receipt
from aisha.domain.crm.enumerations import ActivityType, LeadStatus
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import Activity, Contact, Lead, Record, SubjectType
from aisha.domain.dates.parsing import When
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, MissingFieldError, NotFoundError

Attendee = Annotated[str, Field(min_length=2, max_length=254)]
MAX_CANDIDATES = 5
"""People listed when a name fits several."""
MAX_TITLE, MAX_BODY = 200, 8000
"""Characters of an activity's title and body."""
Person = Lead | Contact


class ScheduledMeeting(DeferredModel):
    """The activity that was created and the receipt of the write.

    `invitation` is iCalendar text (text/calendar; method=REQUEST), which has not been sent; it is missing when the user
    or all others have no email address. `invited` are the addresses in it, `not_invited` the attendees without one.
    """

    record: Activity
    receipt: Receipt
    invitation: str | None = None
    invited: list[str]
    not_invited: list[str]


class Guest(Struct, frozen=True):
    """An attendee: a lead or a contact, or somebody known only by an email address.

    `attendee` is the name or the address from the call.
    """

    attendee: str
    person: Person | None = None

    @property
    def name(self) -> str:
        return self.person.display_name if self.person else self.attendee

    @property
    def address(self) -> str | None:
        email = self.attendee if "@" in self.attendee else self.person.email if self.person else None
        return email if is_address(email) else None


@toolkit(
    name="activities",
    description="List, schedule, change, complete and delete calls, emails, meetings, tasks and demos.",
    module="activities",
)
class Meetings:
    @tool(
        access="write",
        ordered_by=("invite", "create_activity"),
        guidance="Use schedule_meeting instead of create_activity when the user wants an invitation or names several "
        "attendees. It sends nothing: say that the invitation is ready, not that it went out.",
        examples=(
            "invite {attendees} to a meeting {date}",
            "prepare a meeting invitation for {attendees} {date}",
            "draft a calendar invite for {attendees} {date}",
            "make an invitation with {attendees} about {title}",
            "send {attendees} a calendar invitation for {date}",
        ),
        typical_followups=followups.SCHEDULED,
    )
    def schedule_meeting(
        self,
        context: ToolContext,
        attendees: Annotated[
            list[Attendee], Field(min_length=1, max_length=50), "Who is to come besides the user: names or emails"
        ],
        date: Annotated[When, "Beginning"],
        duration: Annotated[Minutes, "In minutes"] = 60,
        title: Annotated[Text | None, "By default 'Meeting with' and the names"] = None,
        entity_type: Annotated[
            SubjectType | None, "Type of the record it is about; not needed when one attendee is a lead or contact"
        ] = None,
        entity_id: Annotated[RecordId | None, "Id of the entity"] = None,
        location: Annotated[Text | None, "Place, or the link to join"] = None,
    ) -> ScheduledMeeting:
        """Schedule a meeting; its invitation for calendars is returned, and nothing is sent.

        Names are looked up among leads and contacts. The user owns and organizes the meeting.
        """
        start = require_future(date, context, "date")
        subject = crud.read_subject(context, entity_type, entity_id)
        guests = _find_guests(context, attendees, subject)
        names = ", ".join(guest.name for guest in guests)
        written = crud.create_record(
            context,
            Activity,
            related=related_to(subject or _require_one_person(guests)),
            title=title or f"Meeting with {names}"[:MAX_TITLE],
            activity_type=ActivityType.MEETING,
            due_at=start,
            duration_minutes=duration,
            location=location,
            body=f"Attendees: {names}"[:MAX_BODY],
        )
        return ScheduledMeeting.model_construct(
            record=written.record,
            receipt=written.receipt,
            invitation=_write_invitation(context, written.record, guests),
            invited=[guest.address for guest in guests if guest.address],
            not_invited=[guest.name for guest in guests if not guest.address],
        )


def _require_one_person(guests: Sequence[Guest]) -> Person:
    people = {guest.person.id: guest.person for guest in guests if guest.person}
    if len(people) == 1:
        return next(iter(people.values()))
    names = " or ".join(person.display_name for person in people.values())
    raise MissingFieldError(
        "entity_id", suggestion=f"Ask which record the meeting is about{f': {names}' if names else ''}."
    )


def _find_guests(context: ToolContext, attendees: Sequence[str], subject: Record | None) -> list[Guest]:
    """Return one guest for each person, in the order of the attendees, without the user.

    Raise `MissingFieldError` when nobody is left, `NotFoundError` for an unknown name, `InvalidInputError` for a name
    that fits several people.
    """
    # Models list the user among the attendees; the organizer is in the invitation anyway.
    own_names = {"me", "myself", "i", (context.principal.email or "me").casefold()}
    others = dict.fromkeys(attendee for attendee in attendees if attendee.casefold() not in own_names)
    if not others:
        raise MissingFieldError("attendees", suggestion="Ask who is to come besides the user.")
    guests = [_find_guest(context, attendee, subject) for attendee in others]
    # Two of the names may mean one person, who is invited once.
    return list({guest.person.id if guest.person else guest.attendee.casefold(): guest for guest in guests}.values())


def _find_guest(context: ToolContext, attendee: str, subject: Record | None) -> Guest:
    if "@" in attendee:
        if not is_address(attendee):
            raise InvalidInputError(f"“{attendee}” is no email address", pointer="/attendees")
        people = _find_people(context, Condition("email", "eq", attendee))
        # An address that several people share stands for itself, unless one of them is the meeting's subject.
        is_clear = len(people) == 1 or subject in people
        return Guest(attendee, _choose_person(people, attendee, subject) if is_clear else None)
    people = _find_people(context, name=attendee)
    if not people:
        raise NotFoundError(
            f"There is no lead or contact called {attendee}",
            pointer="/attendees",
            suggestion=f"Give the email address of {attendee}, or another spelling of the name.",
        )
    return Guest(attendee, _choose_person(people, attendee, subject))


def _find_people(context: ToolContext, *where: Condition, name: str | None = None) -> list[Person]:
    """Return contacts and leads that the user may see, without leads that became contacts."""
    # One more than are listed, so that "several fit" is noticed.
    limit = MAX_CANDIDATES + 1
    contacts = crud.search_permitted(context, Contact, *where, name_contains=name, limit=limit)
    leads = crud.search_permitted(context, Lead, *where, name_contains=name, limit=limit)
    open_leads = [lead for lead in (leads.items if leads else ()) if lead.status is not LeadStatus.CONVERTED]
    return [*(contacts.items if contacts else ()), *open_leads]


def _choose_person(people: Sequence[Person], attendee: str, subject: Record | None) -> Person:
    """Return the meeting's subject, else the only person with exactly this name, else the only person.

    Raise `InvalidInputError` when several fit.
    """
    for matches in (
        # From the surest reading to the loosest; the first that leaves one person wins.
        [person for person in people if subject is not None and person.id == subject.id],
        [person for person in people if person.display_name.casefold() == attendee.casefold()],
        people,
    ):
        if len(matches) == 1:
            return matches[0]
    candidates = [f"{person.display_name} ({person.company or person.TYPE})" for person in people[:MAX_CANDIDATES]]
    raise InvalidInputError(
        f"{attendee} may be {', '.join(candidates[:-1])} or {candidates[-1]}",
        detail={"attendee": attendee, "candidates": candidates},
        pointer="/attendees",
        suggestion="Ask which one is meant, then give the full name or the email address.",
    )


def _write_invitation(context: ToolContext, activity: Activity, guests: Sequence[Guest]) -> str | None:
    user = context.principal
    parties = [Party(guest.address, guest.name if guest.person else None) for guest in guests if guest.address]
    if user.email is None or not is_address(user.email) or not parties or activity.due_at is None:
        context.log("No invitation was written: the user or all of the guests have no email address.")
        return None
    meeting = Meeting(
        uid=f"{activity.id}@aisha",
        title=activity.title,
        start=activity.due_at,
        duration=timedelta(minutes=activity.duration_minutes or 60),
        organizer=Party(user.email, user.name),
        attendees=parties,
        location=activity.location,
    )
    return invitation(meeting, context.clock.now())
