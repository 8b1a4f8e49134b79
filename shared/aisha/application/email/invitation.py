"""Invitations to meetings as iCalendar text (RFC 5545), in the form that asks for an answer (RFC 5546, REQUEST). Pure."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from msgspec import Struct

LINE_OCTETS = 75
"""Longest line without its end (RFC 5545, 3.1)."""
PRODUCT = "-//AiSHA//CRM assistant//EN"
_ADDRESS = re.compile(r"[^@\s<>\"',;:\\]+@[^@\s<>\"',;:\\]+\.[^@\s<>\"',;:\\]+")


class Party(Struct, frozen=True):
    """Somebody who invites or is invited."""

    email: str
    name: str | None = None


class Meeting(Struct, frozen=True):
    """`uid` is the same for every version of the invitation, world-wide unique; the instants are aware."""

    uid: str
    title: str
    start: datetime
    duration: timedelta
    organizer: Party
    attendees: Sequence[Party]
    location: str | None = None
    description: str | None = None


def is_address(text: str | None) -> bool:
    """Whether an invitation can go there."""
    return text is not None and _ADDRESS.fullmatch(text) is not None


def invitation(meeting: Meeting, stamp: datetime) -> str:
    """The calendar object, lines ended by CRLF. `stamp` is when it was made."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        "METHOD:REQUEST",
        "BEGIN:VEVENT",
        f"UID:{_text(meeting.uid)}",
        f"DTSTAMP:{_instant(stamp)}",
        f"DTSTART:{_instant(meeting.start)}",
        f"DTEND:{_instant(meeting.start.astimezone(UTC) + meeting.duration)}",
        "SEQUENCE:0",
        "STATUS:CONFIRMED",
        f"SUMMARY:{_text(meeting.title)}",
        *([f"LOCATION:{_text(meeting.location)}"] if meeting.location else []),
        *([f"DESCRIPTION:{_text(meeting.description)}"] if meeting.description else []),
        f"ORGANIZER{_person(meeting.organizer)}",
        *(
            f"ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE{_person(attendee)}"
            for attendee in meeting.attendees
        ),
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _person(party: Party) -> str:
    """The rest of the line: the name as a quoted parameter, which can't hold quotes, and the address."""
    name = _without_controls(party.name or "").replace('"', "'")
    address = quote(party.email, safe="@!$*+-._~")
    return (f';CN="{name}"' if name else "") + f":mailto:{address}"


def _text(value: str) -> str:
    """A TEXT value (RFC 5545, 3.3.11)."""
    escaped = value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    lines = escaped.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\\n".join(_without_controls(line) for line in lines)


def _without_controls(value: str) -> str:
    return "".join(letter for letter in value if unicodedata.category(letter) != "Cc")


def _folded(line: str) -> Iterator[str]:
    """The line in parts of at most 75 octets, none cut within a character; all but the first begin with a space."""
    part, size = "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > LINE_OCTETS:
            yield part
            part, size = " ", 1
        part, size = part + letter, size + octets
    yield part
