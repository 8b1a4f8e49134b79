"""Invitations in the iCalendar format (RFC 5545)."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from aisha.application.email.invitation import Meeting, Party, invitation, is_address

STAMP = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MEETING = Meeting(
    uid="activity_1@aisha",
    title="Kick-off",
    start=datetime(2026, 3, 10, 15, 0, tzinfo=ZoneInfo("America/New_York")),
    duration=timedelta(minutes=45),
    organizer=Party("ann@acme.example", "Ann Lee"),
    attendees=(Party("jack@abc.example", "Jack Russel"), Party("x@y.example")),
)


def lines(text: str) -> list[str]:
    """Return the unfolded content lines."""
    return text.replace("\r\n ", "").split("\r\n")


def test_an_invitation_has_the_instant_and_all_attendees() -> None:
    assert lines(invitation(MEETING, STAMP)) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//AiSHA//CRM assistant//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:REQUEST",
        "BEGIN:VEVENT",
        "UID:activity_1@aisha",
        "DTSTAMP:20260302T090000Z",
        "DTSTART:20260310T190000Z",
        "DTEND:20260310T194500Z",
        "SEQUENCE:0",
        "STATUS:CONFIRMED",
        "SUMMARY:Kick-off",
        'ORGANIZER;CN="Ann Lee":mailto:ann@acme.example',
        'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN="Jack Russel":mailto:jack@abc.example',
        "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:x@y.example",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_an_hour_is_an_hour_also_when_the_clocks_change() -> None:
    night = datetime(2026, 3, 8, 1, 30, tzinfo=ZoneInfo("America/New_York"))
    text = invitation(replace(MEETING, start=night, duration=timedelta(hours=1)), STAMP)
    assert "DTSTART:20260308T063000Z" in text
    assert "DTEND:20260308T073000Z" in text


def test_text_is_escaped_and_can_not_add_lines() -> None:
    text = invitation(
        replace(MEETING, title="A; B, C\\D\r\nATTENDEE:mailto:evil@x.example", location="Room\t1\x00"), STAMP
    )
    assert "SUMMARY:A\\; B\\, C\\\\D\\nATTENDEE:mailto:evil@x.example" in lines(text)
    assert "LOCATION:Room1" in lines(text)
    assert sum(line.startswith("ATTENDEE") for line in lines(text)) == 2


def test_names_can_not_break_out_of_their_quotes() -> None:
    text = invitation(replace(MEETING, attendees=(Party("j@x.example", 'Jack "Ace"\r\nX: y'),)), STAMP)
    assert "CN=\"Jack 'Ace'X: y\":mailto:j@x.example" in text.replace("\r\n ", "")


def test_long_lines_are_folded_between_characters() -> None:
    title = "Gespräch über Öl – " * 30
    text = invitation(replace(MEETING, title=title), STAMP)
    physical = text.encode().split(b"\r\n")
    assert max(map(len, physical)) <= 75
    assert all(part.decode() for part in physical[:-1])
    assert f"SUMMARY:{title}" in lines(text)
    assert not re.search(r"(?<!\r)\n", text)


@pytest.mark.parametrize(
    "text", [None, "", "jack", "a@b", "a b@c.example", "a@b.example\r\nX:y", "a@b.example,c@d.example"]
)
def test_a_text_that_is_no_address_is_recognised(text: str | None) -> None:
    assert not is_address(text)
