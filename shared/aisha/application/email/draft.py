"""Draft an email to a person or company in the CRM by rules. Pure functions.

Notes are internal: they influence the wording and are never quoted to a customer. Amounts are never mentioned.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from textwrap import shorten
from typing import Literal

from msgspec import Struct

from aisha.application.email.message import Message, is_greeting, message_of
from aisha.domain.crm.records import Note, Opportunity, Record
from aisha.domain.language.tones import Tone

Aim = Literal["follow_up", "introduction", "thanks", "proposal", "meeting", "recap", "reminder"]
# The first match wins, so the more specific aims precede: "thank Ann for the call" is thanks, not a meeting.
_AIMS: tuple[tuple[Aim, str], ...] = (
    ("recap", r"\brecap|\bsumm(?:ary|ari[sz])|\bminutes\b|\bwrap[\s-]?up"),
    ("thanks", r"\bthank"),
    ("introduction", r"\bintro\b|\bintroduc|\bfirst contact|\bcold\b|\breach(?:ing)? out|\bwelcome"),
    ("proposal", r"\bproposals?\b|\bquot(?:e|es|ation)\b|\boffer\b|\bpric(?:e|es|ing)\b|\bcontract\b"),
    ("meeting", r"\bmeeting\b|\bdemo\b|\bappointment\b|\bcall\b(?! back)|\bcoffee\b|\blunch\b"),
    ("reminder", r"\bremind"),
    ("follow_up", r"\bfollow"),
)
_SUBJECTS: dict[Aim, tuple[str, str]] = {
    "recap": ("Recap of our conversation", "Recap: {}"),
    "thanks": ("Thank you", "Thank you: {}"),
    "introduction": ("Introduction", "Introduction: {}"),
    "proposal": ("Our proposal", "Our proposal: {}"),
    "meeting": ("Time to talk?", "Time to talk about {}?"),
    "reminder": ("A friendly reminder", "A reminder: {}"),
    "follow_up": ("Following up", "Following up on {}"),
}
"""The subject of each aim, without and with a topic."""
_PERSONAL = frozenset(("thanks", "meeting"))
# The topic after "about", up to the end of the sentence: "about the renewal"; a pronoun is none: "about it".
_ABOUT = re.compile(r"\b(?:about|regarding|concerning|in terms of|re:)\s+(?P<topic>[^.!?\n]{3,80})", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:him|her|them|it|this|that|me|us)\b", re.IGNORECASE)
_AWAITED: tuple[tuple[str, str], ...] = (
    (
        r"\bcall[\s-]?backs?\b|\b(?:call|ring|phone)(?:ed|ing)? (?:\w+ )?back\b",
        "I have not forgotten that we still owe you a call.",
    ),
    (
        r"\b(?:quotes?|quotation|proposal|price list|pricing)\b",
        "I have not forgotten the figures that you are waiting for.",
    ),
    (
        r"\b(?:brochure|documents?|documentation|case study)\b",
        "I have not forgotten the material that you asked for.",
    ),
)
"""A pattern of what a note says we owe, and the sentence that acknowledges it."""
_LEFT_MESSAGE = re.compile(r"\bleft (?:\w+ ){0,2}(?:messages?|voice ?mails?)\b|\bno answer\b", re.IGNORECASE)
_FAREWELLS: dict[Tone, str] = {
    "friendly": "Please let me know if you have any questions.",
    "formal": "Please do not hesitate to contact me with any questions.",
    "brief": "",
}
_AWAITING: dict[Tone, str] = {
    "friendly": "I look forward to hearing from you.",
    "formal": "I look forward to your reply.",
    "brief": "",
}
RECENT_DAYS = 14
"""A last contact within this many days counts as recent."""


class Background(Struct, frozen=True):
    """The facts for a draft. `recipient` is a person's or company's name; `now` is in the user's time zone."""

    record: Record
    recipient: str
    is_person: bool
    author: str | None
    now: datetime
    note: Note | None = None
    deal: Opportunity | None = None

    @property
    def last_contact(self) -> datetime | None:
        moment: datetime | None = getattr(self.record, "last_contacted_at", None)
        return moment

    @property
    def days_silent(self) -> int | None:
        if self.last_contact is None:
            return None
        return max(0, (self.now.date() - self.last_contact.astimezone(self.now.tzinfo).date()).days)


class Draft(Struct, frozen=True):
    """An email draft. `based_on` lists the facts that were used, in words, for its author."""

    subject: str
    body: str
    based_on: tuple[str, ...]

    @property
    def has_gaps(self) -> bool:
        """Return whether the body has placeholders in brackets that the author must fill in."""
        return "[" in self.body


def draft(purpose: str, tone: Tone, background: Background) -> Draft:
    """Write the email for a purpose, which is given in the user's words: what to say, or only what it is about."""
    if (message := message_of(purpose, is_person=background.is_person)) is not None:
        reader = background.recipient if background.is_person else None
        body = worded(message, message.tone or tone, reader, background.author)
        return Draft(message.subject, body, tuple(_facts(background)))
    aim, topic = aim_of(purpose), topic_of(purpose, background)
    sentences = [*_opening(aim, topic, tone, background), *_middle(aim, background), _closing_question(aim, tone)]
    return _compose(_subject(aim, topic, background), sentences, tone, background)


def _compose(subject: str, sentences: Sequence[str], tone: Tone, background: Background) -> Draft:
    reader = background.recipient if background.is_person else None
    body = letter(" ".join(filter(None, sentences)), reader, background.author, tone)
    return Draft(subject, body, tuple(_facts(background)))


def worded(message: Message, tone: Tone, reader: str | None, author: str | None) -> str:
    """Return the body of an email with a message, and the courtesies of its tone."""
    opening = "I hope you are doing well." if tone == "friendly" else ""
    sentences = [opening, message.text, (_AWAITING if message.is_asking else _FAREWELLS)[tone]]
    return letter(" ".join(filter(None, sentences)), reader, author, tone)


def letter(text: str, reader: str | None, author: str | None, tone: Tone = "friendly") -> str:
    """Return a text with a greeting and a sign-off. `reader` is a person's name; a text with a greeting is whole."""
    if is_greeting(text):
        return text
    return "\n\n".join((_greeting(tone, reader), text, _closing(tone, author)))


def aim_of(purpose: str) -> Aim:
    """Return the aim of the email; a follow-up by default. What it is about says nothing of its aim."""
    # "Follow up about the pricing": the topic's words are those of another aim.
    purpose = _ABOUT.sub(" ", purpose)
    return next((aim for aim, words in _AIMS if re.search(words, purpose, re.IGNORECASE)), "follow_up")


def topic_of(purpose: str, background: Background) -> str | None:
    """Return the topic named in the purpose, or else the open deal's name."""
    match = _ABOUT.search(purpose)
    if (
        match
        and not _PRONOUN.match(match["topic"])
        and match["topic"].strip().lower() not in background.recipient.lower()
    ):
        return match["topic"].strip(" ,;:\"'")
    return background.deal.name if background.deal else None


def _subject(aim: Aim, topic: str | None, background: Background) -> str:
    company = getattr(background.record, "company", None)
    subject, about = _SUBJECTS[aim]
    # The company tells the recipient of a general subject ("Following up") what it is about; a personal one needs none.
    text = about.format(topic) if topic else f"{subject}: {company}" if company and aim not in _PERSONAL else subject
    return shorten(text, 150, placeholder=" …")


def _greeting(tone: Tone, reader: str | None) -> str:
    if reader is None:
        return "Dear team," if tone == "formal" else "Hello,"
    return f"Dear {reader}," if tone == "formal" else f"Hi {reader.split()[0]},"


def _opening(aim: Aim, topic: str | None, tone: Tone, background: Background) -> Iterator[str]:
    on = f" about {topic}" if topic else ""
    if aim == "thanks":
        yield f"Thank you for your time{f' and for talking with us{on}' if topic else ''}."
    elif aim == "introduction":
        me = f"My name is {background.author}, and I" if background.author else "I"
        yield f"{me} would like to introduce myself{f' and to talk with you{on}' if topic else ''}."
    elif aim == "recap":
        yield f"Here is a short recap of our conversation{on}: [the points agreed]."
    elif aim == "reminder":
        yield f"This is a short reminder{on}."
    else:
        if tone == "friendly":
            yield "I hope you are doing well."
        yield f"{_contact_opener(background)}{on}."


def _contact_opener(background: Background) -> str:
    days = background.days_silent
    if days is None:
        return "I would like to get in touch with you"
    # "Our recent conversation" after months would look careless.
    if days <= RECENT_DAYS:
        return "I am following up on our recent conversation"
    return "It has been a while since we last spoke, and I would like to pick up our conversation"


def _middle(aim: Aim, background: Background) -> Iterator[str]:
    if aim == "proposal":
        yield "Here is our proposal: [the proposal, or a link to it]."
    note = background.note
    # A first email knows of no earlier dealings; thanks and a recap are not the place for debts.
    if note is None or aim in ("introduction", "thanks", "recap"):
        return
    awaited = next((sentence for words, sentence in _AWAITED if re.search(words, note.content, re.IGNORECASE)), None)
    # The email with the proposal must not say that its figures are still to come.
    if awaited and not (aim == "proposal" and "figures" in awaited):
        yield awaited
    elif _LEFT_MESSAGE.search(note.content):
        yield "I tried to reach you by phone and missed you."


def _closing_question(aim: Aim, tone: Tone) -> str:
    if aim == "thanks":
        return "" if tone == "brief" else "I look forward to staying in touch."
    if aim == "recap":
        return "Please tell me if I missed anything."
    if tone == "brief":
        return "When would suit you for a short call?"
    if tone == "formal":
        return "Would you kindly let me know when a short call would suit you?"
    return "Would you have a few minutes for a call this week or next? Tell me what suits you best."


def _closing(tone: Tone, author: str | None) -> str:
    words = {"friendly": "Best regards,", "formal": "Yours sincerely,", "brief": "Best,"}[tone]
    return f"{words}\n{author}" if author else words


def _facts(background: Background) -> Iterator[str]:
    company = getattr(background.record, "company", None)
    yield f"{background.recipient}{f', {company}' if company and company != background.recipient else ''}"
    if (days := background.days_silent) is not None:
        yield f"last contact {'today' if days == 0 else 'yesterday' if days == 1 else f'{days} days ago'}"
    if background.note is not None:
        yield f"newest note: {shorten(background.note.content, 120, placeholder=' …')}"
    if background.deal is not None:
        yield f"open deal: {background.deal.name}"


def newest_shareable(notes: Sequence[Note]) -> Note | None:
    """Return the newest note that is neither private nor an earlier draft."""
    # The text of a draft would otherwise influence the next draft.
    return next((note for note in notes if not note.is_private and not is_draft(note)), None)


DRAFT_TITLE = "Draft: "


def is_draft(note: Note) -> bool:
    return (note.title or "").startswith(DRAFT_TITLE)
