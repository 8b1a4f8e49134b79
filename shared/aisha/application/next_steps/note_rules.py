"""Rules about requests in notes."""

import re
from collections.abc import Iterator
from textwrap import shorten

from aisha.application.next_steps.situation import TOUCHES, NextStep, Situation, ago, schedule, touch
from aisha.domain.crm.enumerations import ActivityStatus, ActivityType
from aisha.domain.crm.records import Note

NOTE_DAYS = 30
"""Requests in notes that are older than this are ignored."""
# "call back", "rang her back", "return his call", "wants a call"; not "no call back".
_CALLBACK = re.compile(
    r"(?<!no )\b(?:call[\s-]?backs?|(?:call|ring|phone)(?:ed|ing)? (?:\w+ )?back|return (?:\w+ )?call"
    r"|(?:wants|asked for|expects) a call)\b",
    re.IGNORECASE,
)
# "asked for a quote", "would like the price list", "waiting for our proposal", within one sentence.
_ASKED_BY_EMAIL = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|request(?:s|ed)?|wants?|wanted|would like|waiting|needs?)\b[^.!?]{0,40}"
    r"\b(?:e-?mail(?:s|ed)?|quotes?|quotation|proposal|price list|pricing|brochure|in writing)\b",
    re.IGNORECASE,
)
# "left her a voicemail", "left a message", "got voice mail", "no answer".
_LEFT_MESSAGE = re.compile(
    r"\b(?:left|leave) (?:\w+ ){0,2}(?:messages?|voice ?mails?|vm)\b|\bvoice ?mail\b|\bno answer\b", re.IGNORECASE
)


def asks_for_something(note: Note) -> bool:
    """Return whether a rule about notes applies to this note."""
    return any(pattern.search(note.content) for pattern in (_CALLBACK, _ASKED_BY_EMAIL, _LEFT_MESSAGE))


def _quoted(note: Note, match: re.Match[str]) -> str:
    """Return the sentence of the note with the match, at most 100 characters."""
    start = max(note.content.rfind(mark, 0, match.start()) for mark in ".!?\n") + 1
    ends = [end for mark in ".!?\n" if (end := note.content.find(mark, match.end())) >= 0]
    return shorten(note.content[start : min(ends, default=len(note.content))], width=100, placeholder=" …")


def _is_settled(situation: Situation, note: Note, kinds: frozenset[ActivityType]) -> bool:
    """Return whether such an activity is planned, or was completed after the note was written."""
    written = note.created_at or situation.now
    for activity in situation.activities or ():
        if activity.activity_type not in kinds:
            continue
        if activity.status is ActivityStatus.SCHEDULED:
            return True
        if activity.completed_at is not None and activity.completed_at > written:
            return True
    return False


def _quotes(situation: Situation, pattern: re.Pattern[str], settled_by: frozenset[ActivityType]) -> Iterator[str]:
    """Yield a quotation of the newest recent note that matches, unless an activity has settled it."""
    for note in situation.notes:
        match = pattern.search(note.content)
        if match is None or situation.days_ago(note.created_at or situation.now) > NOTE_DAYS:
            continue
        if not _is_settled(situation, note, settled_by):
            when = ago(situation.days_ago(note.created_at or situation.now))
            yield f"The note from {when} says: “{_quoted(note, match)}”"
        # Only the newest request counts: once it is settled, older ones of the kind are as well.
        return


def awaiting_callback(situation: Situation) -> Iterator[NextStep]:
    """Score 9: a note asks for a call back."""
    for words in _quotes(situation, _CALLBACK, frozenset((ActivityType.CALL,))):
        kind = touch(situation.record)
        action = f"Call {situation.name} back" if kind is ActivityType.CALL else f"Get back to {situation.name}"
        yield schedule(situation, kind, 9, action, words)


def asked_for_email(situation: Situation) -> Iterator[NextStep]:
    """Score 9: a note asks for something by email."""
    for words in _quotes(situation, _ASKED_BY_EMAIL, frozenset((ActivityType.EMAIL,))):
        kind = touch(situation.record, ActivityType.EMAIL)
        action = f"Email {situation.name}" if kind is ActivityType.EMAIL else f"Get back to {situation.name}"
        yield schedule(situation, kind, 9, action, words)


def left_message(situation: Situation) -> Iterator[NextStep]:
    """Score 8: a message was left, so follow up by email."""
    for words in _quotes(situation, _LEFT_MESSAGE, TOUCHES):
        kind = touch(situation.record, ActivityType.EMAIL)
        action = f"Follow up by email with {situation.name}"
        yield schedule(
            situation, kind, 8, action if kind is ActivityType.EMAIL else f"Try {situation.name} again", words
        )
