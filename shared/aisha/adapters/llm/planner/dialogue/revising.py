"""Read what revises the email shown last, or adds people to the invitation sent last, as its order."""

import re
from datetime import datetime

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.mail_words import swapped, with_correction, with_message
from aisha.adapters.llm.planner.acts.mailing import limit_asked, revision_of
from aisha.adapters.llm.planner.dialogue.follow_ups import OTHER_PART
from aisha.adapters.llm.planner.dialogue.segments.mails import joined
from aisha.adapters.llm.planner.dialogue.words import (
    BEFORE_VERBS,
    SOCIAL,
    TOLD,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import (
    MAIL_ACTS,
    PROPER_NAME_TAGS,
)
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import tokenize

_INVITED = frozenset("meeting invite invitation".split())
_INCLUDING = frozenset("add include invite put copy".split())
_RELEASED = re.compile(
    r"\bsend (?:it|that|this)\b|\b(?:it|that|this) (?:can|may|should) (?:go|be sent)\b", re.IGNORECASE
)
"""Words that let an email go that was shown: "fine, send it", "that can go out"."""
_WORDINGS = TOLD | {"text", "topic"}
"""Tags of what may be meant to stand in an email."""


def revising_draft(plan: Plan, topic: Topic, segment: Segment) -> Segment:
    """Return a segment that revises the email shown last as its order with that: "shorter", "add that I'll call"."""
    asked = topic.asked
    is_waiting = topic.draft is None and asked is not None and asked.act in MAIL_ACTS and topic.ordered != asked
    if not (topic.draft or is_waiting):
        return segment
    if (swap := swapped(topic.draft[1] if topic.draft else asked.text if asked else "", segment.text)) is not None:
        if topic.draft is None and asked is not None:
            return with_message(replace(asked, text=swap))
        return replace(segment, act="draft_email", probability=1.0, others=(), spans=())
    if limit_asked(Ask(segment, plan.now)):
        return replace(segment, act="draft_email", probability=1.0, others=())
    released = _RELEASED.search(segment.text)
    if released and any(one.tag in _WORDINGS and one.end <= released.start() for one in segment.spans):
        # "Make it Tuesday and send it": the other words are shown before anything is sent.
        text = segment.text[: released.start()].rstrip(" ,;").removesuffix(" and").removesuffix(" then")
        change = replace(segment, text=text, spans=tuple(one for one in segment.spans if one.end <= len(text)))
        revised = revising_draft(plan, topic, change)
        if revised is not change:
            return revised
        corrected = with_correction(asked, change) if asked is not None else None
        return replace(corrected, act="send_email") if corrected else Segment(OTHER_PART, "draft_email")
    if released and not {one.word for one in tokenize(segment.text)} & policy.DENIALS:
        return asked if asked is not None and is_waiting else Segment(segment.text, "send_email")
    is_about_mail = asked is None or asked.act in MAIL_ACTS  # An order since is about something else.
    wish = revision_of(Ask(segment, plan.now)) if is_about_mail and segment.act not in SOCIAL else None
    if wish is None:
        return segment
    if asked is not None and asked.act in MAIL_ACTS and wish.strip(" .!").lower() != "subject":
        return with_message(joined(asked, Segment(wish, asked.act), ". "))
    return replace(segment, act="draft_email", probability=1.0)


def inviting_more(topic: Topic, segment: Segment, now: datetime) -> Segment:
    """Return a segment after an invitation that adds people to it as an invitation: "add bo@globex.example to it"."""
    ask, is_invited = Ask(segment, now), topic.ordered is not None and topic.ordered.act == "invite"
    is_person = any(span.tag in ("email", *PROPER_NAME_TAGS) for span in segment.spans)
    is_pointing = bool(ask.texts("ref") or ask.words & (lexicon.THING_PRONOUNS | _INVITED))
    verb = next((one.word for one in ask.tokens if one.word not in BEFORE_VERBS), "")
    if not (is_invited and is_person and is_pointing and verb in _INCLUDING):
        return segment
    spans = tuple(
        replace(one, tag="name") if one.tag in PROPER_NAME_TAGS else one for one in segment.spans if one.tag != "ref"
    )
    return replace(segment, act="invite", probability=1.0, others=(), spans=spans)
