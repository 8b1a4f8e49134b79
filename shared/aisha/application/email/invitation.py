"""Meeting invitations as iCalendar text (RFC 5545, method REQUEST of RFC 5546). Pure functions."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from msgspec import Struct

from aisha.domain.external.mail import MAIL_ADDRESS_FIELD

MAX_LINE_OCTETS = 75
"""Maximum line length without its line break (RFC 5545, 3.1)."""
PRODUCT = "-//AiSHA//CRM assistant//EN"
# Characters with a meaning of their own in a calendar line or an address list.
_DELIMITERS = frozenset("<>\"',;:\\")


class Party(Struct, frozen=True):
    """An organizer or attendee."""

    email: str
    name: str | None = None


class Meeting(Struct, frozen=True):
    """A meeting. `uid` is globally unique and the same for every version of the invitation; `start` is aware."""

    uid: str
    title: str
    start: datetime
    duration: timedelta
    organizer: Party
    attendees: Sequence[Party]
    location: str | None = None
    description: str | None = None


def is_address(text: str | None) -> bool:
    """Return whether the text is an email address that an invitation can be sent to."""
    return text is not None and re.fullmatch(MAIL_ADDRESS_FIELD, text) is not None and _DELIMITERS.isdisjoint(text)


def invitation(meeting: Meeting, stamp: datetime) -> str:
    """Return the calendar object with CRLF line breaks. `stamp` is its creation time."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        "METHOD:REQUEST",
        "BEGIN:VEVENT",
        f"UID:{_escape(meeting.uid)}",
        f"DTSTAMP:{_format_utc(stamp)}",
        f"DTSTART:{_format_utc(meeting.start)}",
        # In UTC before the addition: in local time it would be an hour off when the clocks change during the meeting.
        f"DTEND:{_format_utc(meeting.start.astimezone(UTC) + meeting.duration)}",
        "SEQUENCE:0",
        "STATUS:CONFIRMED",
        f"SUMMARY:{_escape(meeting.title)}",
        *([f"LOCATION:{_escape(meeting.location)}"] if meeting.location else []),
        *([f"DESCRIPTION:{_escape(meeting.description)}"] if meeting.description else []),
        f"ORGANIZER{_format_party(meeting.organizer)}",
        *(
            f"ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE{_format_party(attendee)}"
            for attendee in meeting.attendees
        ),
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{part}\r\n" for line in lines for part in _fold(line))


def _format_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _format_party(party: Party) -> str:
    """Format the end of an ORGANIZER or ATTENDEE line: the name in quotes, without quotes in it, and the address."""
    # A quoted parameter has no escape for quotes (RFC 5545, 3.2), and a line break in it would begin a new property.
    name = _without_controls(party.name or "").replace('"', "'")
    address = quote(party.email, safe="@!$*+-._~")
    return (f';CN="{name}"' if name else "") + f":mailto:{address}"


def _escape(value: str) -> str:
    """Escape a TEXT value (RFC 5545, 3.3.11)."""
    escaped = value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    lines = escaped.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join(_without_controls(line) for line in lines)


def _without_controls(value: str) -> str:
    return "".join(letter for letter in value if unicodedata.category(letter) != "Cc")


def _fold(line: str) -> Iterator[str]:
    """Fold a line into parts of at most 75 octets, at characters; continuation lines begin with a space."""
    part, size = "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > MAX_LINE_OCTETS:
            yield part
            part, size = " ", 1
        part, size = part + letter, size + octets
    yield part
