"""Meetings with people: who is meant, the activity, and the invitation."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, cast

from msgspec import Struct
from pydantic import Field

from aisha.application.email.invitation import Meeting, Party, invitation, is_address
from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.parameters import Text, must_be_ahead
from aisha.application.tooling.results import Receipt, WriteResult
from aisha.application.tooling.visibility import may_see, readable, related_to
from aisha.domain.dates.parsing import When
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import InvalidInputError, MissingFieldError, NotFoundError
from aisha.domain.queries import Condition, Create, RecordQuery
from aisha.domain.records import Activity, ActivityType, Contact, Lead, LeadStatus, Record, SubjectType
from aisha.domain.tools import FollowUp

SubjectId = Annotated[str, Field(min_length=1, max_length=60)]
Attendee = Annotated[str, Field(min_length=2, max_length=254)]
MOST_NAMED = 5
"""People listed when a name fits several."""
MOST_TITLE, MOST_BODY = 200, 8000
Person = Lead | Contact


class ScheduledMeeting(DeferredModel):
    """The activity as it now stands and the receipt of the write.

    `invitation` is iCalendar text (text/calendar; method=REQUEST), which has not been sent; it is missing when the user or
    all others have no email address. `invited` are the addresses in it, `not_invited` the attendees without one.
    """

    record: Activity
    receipt: Receipt
    invitation: str | None = None
    invited: list[str]
    not_invited: list[str]


class Guest(Struct, frozen=True):
    """An attendee: a lead or a contact, or nobody on record who was given by address."""

    said: str
    person: Person | None = None

    @property
    def name(self) -> str:
        return self.person.display_name if self.person else self.said

    @property
    def address(self) -> str | None:
        email = self.said if "@" in self.said else self.person.email if self.person else None
        return email if is_address(email) else None


@toolkit(
    name="activities",
    description="List, schedule, change, complete and delete calls, emails, meetings, tasks and demos.",
    module="activities",
)
class Meetings:
    @tool(
        access="write",
        guidance="Use schedule_meeting instead of create_activity when the user wants an invitation or names several "
        "attendees. It sends nothing: say that the invitation is ready, not that it went out.",
        examples=(
            "invite {attendees} to a meeting {date}",
            "prepare a meeting invitation for {attendees} {date}",
            "draft a calendar invite for {attendees} {date}",
            "make an invitation with {attendees} about {title}",
            "send {attendees} a calendar invitation for {date}",
        ),
        typical_followups=(
            FollowUp("Show all pending activities", "📋", "list_activities"),
            FollowUp("Add a note about {name}", "📝", "create_note"),
            FollowUp("What should I prioritize today?", "📅", "get_my_day"),
        ),
    )
    def schedule_meeting(
        self,
        context: ToolContext,
        attendees: Annotated[
            list[Attendee], Field(min_length=1, max_length=50), "Who is to come besides the user: names or emails"
        ],
        date: Annotated[When, "When it begins"],
        duration: Annotated[int, Field(ge=1, le=24 * 60), "How long it takes, in minutes"] = 60,
        title: Annotated[Text | None, "Title; by default 'Meeting with' and the names"] = None,
        entity_type: Annotated[
            SubjectType | None, "Type of the record it is about; not needed when one attendee is a lead or contact"
        ] = None,
        entity_id: Annotated[SubjectId | None, "Id of that record"] = None,
        location: Annotated[Text | None, "Where it takes place, or the link to join"] = None,
    ) -> ScheduledMeeting:
        """Schedule a meeting with people and write an invitation for their calendars; nothing is sent.

        Names are looked up among leads and contacts; a name that fits several is asked about. The user owns the meeting
        and organizes it. It can't begin in the past.
        """
        start = must_be_ahead(date, context, "date")
        about = _subject(context, entity_type, entity_id)
        guests = _guests(context, attendees, about)
        about = about or _only_person(guests)
        activity = Activity(
            title=title or _title(guests), activity_type=ActivityType.MEETING, related=related_to(about), due_at=start,
            duration_minutes=duration, location=location, owner=context.principal.user,
            body=_listed(guests),
        )  # fmt: skip
        written = WriteResult[Activity].of(context.records.write(Create(activity))[0])
        return ScheduledMeeting.model_construct(
            record=written.record,
            receipt=written.receipt,
            invitation=_invitation(context, written.record, guests),
            invited=[guest.address for guest in guests if guest.address],
            not_invited=[guest.name for guest in guests if not guest.address],
        )


def _subject(context: ToolContext, entity_type: str | None, entity_id: str | None) -> Record | None:
    if entity_type is None and entity_id is None:
        return None
    if entity_type is None or entity_id is None:
        missing = "entity_type" if entity_type is None else "entity_id"
        raise MissingFieldError(missing, suggestion="Give both the type and the id of the record.")
    return readable(context.principal, context.records, entity_type, entity_id)


def _only_person(guests: Sequence[Guest]) -> Person:
    people = {guest.person.id: guest.person for guest in guests if guest.person}
    if len(people) == 1:
        return next(iter(people.values()))
    names = " or ".join(person.display_name for person in people.values())
    raise MissingFieldError(
        "entity_id", suggestion=f"Ask which record the meeting is about{f': {names}' if names else ''}."
    )


def _guests(context: ToolContext, attendees: Sequence[str], about: Record | None) -> list[Guest]:
    """One guest for each person, in the order said. Raises when a name fits nobody or several."""
    own = {"me", "myself", "i", (context.principal.email or "me").casefold()}
    others = dict.fromkeys(said for said in attendees if said.casefold() not in own)
    if not others:
        raise MissingFieldError("attendees", suggestion="Ask who is to come besides the user.")
    guests = [_guest(context, said, about) for said in others]
    return list({guest.person.id if guest.person else guest.said.casefold(): guest for guest in guests}.values())


def _guest(context: ToolContext, said: str, about: Record | None) -> Guest:
    if "@" in said:
        if not is_address(said):
            raise InvalidInputError(f"{said!r} is no email address", pointer="/attendees")
        people = _people(context, where=(Condition("email", "eq", said),))
        return Guest(said, _meant(people, said, about) if len(people) == 1 or about in people else None)
    people = _people(context, name=said)
    if not people:
        raise NotFoundError(
            f"There is no lead or contact called {said}",
            pointer="/attendees",
            suggestion=f"Give the email address of {said}, or another spelling of the name.",
        )
    return Guest(said, _meant(people, said, about))


def _people(context: ToolContext, name: str | None = None, where: tuple[Condition, ...] = ()) -> list[Person]:
    """Contacts and leads that fit, without leads that became contacts."""
    found: list[Record] = []
    for kind in (Contact.TYPE, Lead.TYPE):
        if may_see(context.principal, kind):
            query = RecordQuery(kind, name_contains=name, where=where, limit=MOST_NAMED + 1)
            found += context.records.search(query).items
    people = cast(list[Person], found)
    return [person for person in people if person.status is not LeadStatus.CONVERTED]


def _meant(people: Sequence[Person], said: str, about: Record | None) -> Person:
    """The one person meant: the record the meeting is about, the only one, or the only one of that very name."""
    for fitting in (
        [person for person in people if about is not None and person.id == about.id],
        [person for person in people if person.display_name.casefold() == said.casefold()],
        people,
    ):
        if len(fitting) == 1:
            return fitting[0]
    shown = [f"{person.display_name} ({person.company or person.TYPE})" for person in people[:MOST_NAMED]]
    raise InvalidInputError(
        f"{said} may be {', '.join(shown[:-1])} or {shown[-1]}",
        detail={"attendee": said, "candidates": shown},
        pointer="/attendees",
        suggestion="Ask which one is meant, then give the full name or the email address.",
    )


def _title(guests: Sequence[Guest]) -> str:
    return f"Meeting with {', '.join(guest.name for guest in guests)}"[:MOST_TITLE]


def _listed(guests: Sequence[Guest]) -> str:
    return f"Attendees: {', '.join(guest.name for guest in guests)}"[:MOST_BODY]


def _invitation(context: ToolContext, activity: Activity, guests: Sequence[Guest]) -> str | None:
    user = context.principal
    parties = [Party(guest.address, guest.name if guest.person else None) for guest in guests if guest.address]
    if user.email is None or not is_address(user.email) or not parties or activity.due_at is None:
        context.log("no invitation was written: nobody to invite or nobody to invite them has an email address")
        return None
    meeting = Meeting(
        uid=f"{activity.id}@aisha", title=activity.title, start=activity.due_at,
        duration=timedelta(minutes=activity.duration_minutes or 60), organizer=Party(user.email, user.name),
        attendees=parties, location=activity.location,
    )  # fmt: skip
    return invitation(meeting, context.clock.now())
