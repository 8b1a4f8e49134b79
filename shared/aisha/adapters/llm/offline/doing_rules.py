"""When a clause asks for something to be done. A rule gives its act, or None for a clause of another kind."""

import re

from aisha.adapters.llm.offline.fields import field_of
from aisha.adapters.llm.offline.intent import LEAD_STATUSES, STAGES, Act, is_question
from aisha.adapters.llm.offline.parser import Reading

_MADE_OF = re.compile(
    r"\b(?:make|create|build|set\s+up)\s+(?:an?\s+)?(?:new\s+)?(?:contact|account|customer|opportunity|deal)\b.*\b(?:from|out\s+of)\s+(?:the\s+|our\s+)?lead\b",
    re.IGNORECASE,
)


def convert(reading: Reading, _kind: str | None) -> Act | None:
    turned = re.search(
        r"\b(?:turn|make|move|change)\b.*\binto\b.*\b(?:account|contact|customer|opportunity|deal|client)\b",
        reading.text,
        re.IGNORECASE,
    )
    asked = reading.has("convert") or turned is not None or _MADE_OF.search(reading.text) is not None
    return Act.CONVERT if asked and not reading.has("count", "show") else None


def delete(reading: Reading, _kind: str | None) -> Act | None:
    if not reading.has("delete") or (is_question(reading.text) and reading.first("delete") > 12):
        return None
    if re.match(r"\s*drop\b", reading.text, re.IGNORECASE) and reading.activities:
        return None
    return Act.DELETE


_TICKS_OFF = re.compile(
    r"\W*(?:(?:please|and|also|can\s+you|could\s+you)\s+)*(?:mark|set|tick)\s+(?:off\s+)?(?:the|that|my|this)\s+\S.*?\b(?:for|with|to|about)\b.*\b(?:as\s+|to\s+|off\s+as\s+)?(?:completed?|done|finished)\W*$",
    re.IGNORECASE,
)


def complete(reading: Reading, kind: str | None) -> Act | None:
    if kind is None and reading.names and not reading.values.keys() & LEAD_STATUSES and _TICKS_OFF.match(reading.text):
        return Act.COMPLETE
    if (
        reading.has("cancel")
        and kind is None
        and (reading.quoted or reading.names or reading.pronouns)
        and not is_question(reading.text)
    ):
        return Act.COMPLETE
    about_activity = reading.has("activity") or reading.activities
    if reading.has("complete", "cancel") and about_activity and kind is None and not is_question(reading.text):
        return Act.COMPLETE
    if (
        reading.has("complete")
        and reading.pronouns
        and not reading.values.keys() & LEAD_STATUSES
        and not is_question(reading.text)
    ):
        return Act.COMPLETE
    return None


_WRITTEN_DOWN = re.compile(
    r"\b(?:noted|written\s+down|written|wrote\s+down|jotted|on\s+file)\b|\b(?:write|put|wrote)\s+(?:\w+\s+){0,2}down\b",
    re.IGNORECASE,
)


_ATTITUDE = re.compile(
    r"^\s*(?:does|did|has|have|is|was)\b.*\b(?:object\w*|complain\w*|worr\w+|concerned|interested\s+in|mention\w*|hesitat\w+|bothered|"
    r"opposed|keen\s+on)\b",
    re.IGNORECASE,
)
"""Asks what somebody said or felt, which the notes tell if anything does."""


_WHAT_SAID = re.compile(
    r"\s*(?:and\s+|so\s+)?what\s+did\s+\S.*\b(?:say|tell\s+us|tell\s+me|mention|want|ask\s+for|complain|write)\b",
    re.IGNORECASE,
)


def note(reading: Reading, _kind: str | None) -> Act | None:
    if _ATTITUDE.search(reading.text) and (any(name.strong for name in reading.names) or "person" in reading.pronouns):
        return Act.NOTES
    if is_question(reading.text) and _WRITTEN_DOWN.search(reading.text):
        return Act.NOTES
    if _WHAT_SAID.match(reading.text) and (any(name.strong for name in reading.names) or "person" in reading.pronouns):
        return Act.NOTES
    if not reading.has("note"):
        if reading.content and (
            reading.has("log") or re.match(r"\s*(remember|log|record|jot|write)", reading.text, re.IGNORECASE)
        ):
            return Act.CREATE_NOTE
        return None
    note_at = reading.first("note")
    if (
        reading.has("delete")
        and reading.first("delete") < note_at
        and not reading.content
        and not reading.has("create")
    ):
        return None
    if reading.has("show") and reading.first("show") < note_at and not reading.has("create"):
        return Act.NOTES
    if (
        reading.has("create", "log")
        and min(reading.first("create", "log"), len(reading.text)) <= note_at
        and not (is_question(reading.text) and not reading.content)
    ):
        return Act.CREATE_NOTE
    if reading.content and not is_question(reading.text.split(reading.content[:10])[0]):
        return Act.CREATE_NOTE
    if re.match(r"\s*(note|memo|remark|comment)\b", reading.text, re.IGNORECASE):
        return Act.CREATE_NOTE
    return Act.NOTES


_DRAFTING = re.compile(
    r"^\W*(?:(?:please|can|could|you|and|then|also)\s+)*(?:draft|compose|write)\s+(?:\w+\s+)?(?:something|a\s+(?:\w+\s+)?(?:message|reply|letter|line))\b.*\b(?:to|for)\b|"
    r"(?:^|\b(?:to|you|please|and|then|also|can|help\s+me|let's)\s+)\W*(?:re-?)?(?:draft|compose)\b(?=.*\be?-?mails?\b)"
    r"|\be?-?mail\b.*\b(?:just|only|as)\s+(?:a\s+)?draft\b|\bdraft\s+(?:of\s+)?(?:an?\s+)?(?:\w+\s+)?e?-?mail\b(?=.*\b(?:to|for)\b)|^\W*(?:please\s+|can\s+you\s+)*write\s+(?:to\s+)?(?:\S+\s+){1,3}?an?\s+(?:\w+\s+)?e?-?mail\b(?=.*\b(?:subject|saying|say|tell|that|offer\w*|remind\w*|inform\w*|invit\w*|ask\w*)\b)"
    r"|^\s*write\s+(?:\S+\s+){1,3}?e?-?mail\b(?=.*\b(?:thank\w*|apolog\w+|congratulat\w+|about|regarding)\b|(?<=thank-you\smail)|(?<=thank\syou\smail))",
    re.IGNORECASE,
)


def draft(reading: Reading, _kind: str | None) -> Act | None:
    """ "draft a follow-up email to Ann", "draft the email recap"."""
    return Act.DRAFT if _DRAFTING.search(reading.text) else None


_WAS_MADE = re.compile(
    r"\s*(?:(?:all|any|the|my|our|new)\s+)*(?:leads|contacts|accounts|companies|deals|opportunities|customers)\s+(?:(?:we|i|that|were|was|got)\s+)*(?:added|created|entered|registered|made)\b",
    re.IGNORECASE,
)
"""Speaks of records that were created, and asks to see them."""
_MAKES_SOMEBODY = re.compile(
    r"\s*make\s+(?!(?:me\s+|us\s+)?(?:an?|new|another|up|some|the\s+new|two|three|sure)\b)\S.*?\s(?:an?|the|to|into|our)\s",
    re.IGNORECASE,
)
"""Gives somebody who is there another status: "make Ann Lee a qualified lead"."""


def _activity_at(reading: Reading) -> int:
    """Where the first activity is said, or a place behind the end; "he called me" tells of one and names none to be made."""
    spans = [*reading.concepts.get("activity", ()), *(span for group in reading.activities.values() for span in group)]
    said = [
        start
        for start, end in spans
        if not reading.text[start:end].lower().endswith(("called", "phoned", "emailed", "mailed"))
    ]
    return min(said, default=len(reading.text) + 1)


_PUTS = re.compile(
    r"\W*(?:(?:please|and|also|can\s+you|could\s+you)\s+)*(?:add|put|save|enter|store|write|record|note)\s+(?:down\s+|in\s+)?(?:(?:his|her|their|its|the|an?|this|that|[\w'’ -]{2,30}['’]s)\s+)?(?:new\s+|work\s+|direct\s+)?"
    r"(?:phone|mobile|cell|telephone|number|e-?mail|mail|website|web\s?site|url)\b",
    re.IGNORECASE,
)
"""Gives somebody a number or an address: "add his phone number 512 555 0177"."""


def create(reading: Reading, kind: str | None) -> Act | None:
    verbs = ("create", "schedule", "remind", "log")
    has_literal = reading.phones or reading.emails or reading.urls
    if kind is None and has_literal and _PUTS.match(reading.text) and (reading.names or reading.pronouns):
        return Act.UPDATE
    if _WAS_MADE.match(reading.text) or re.match(
        r"\s*(?:make|create|build|give)\s+(?:(?:me|us)\s+)?(?:an?|the)\s+(?:\w+\s+)?list\b", reading.text, re.IGNORECASE
    ):
        return None
    if _MAKES_SOMEBODY.match(reading.text) and reading.values:
        return None
    if reading.has("show") and reading.first("show") < reading.first(*verbs):
        return None
    if not reading.has(*verbs) or (is_question(reading.text) and not re.match(r"\s*(can|could)", reading.text)):
        return None
    activity_at = _activity_at(reading)
    names_kind = kind is not None and reading.has(kind)
    if (
        names_kind
        and reading.has("create", "log")
        and reading.first(str(kind)) < activity_at
        and not reading.has("schedule", "remind")
    ):
        return Act.CREATE
    if activity_at <= len(reading.text) or reading.has("schedule", "remind"):
        return Act.CREATE_ACTIVITY
    if names_kind and reading.has("create"):
        return Act.CREATE
    return None


_WISH = re.compile(r"^\s*(?:i\s+|we\s+)?(?:need|have|want|would\s+like|'d\s+like|must|got)\s+to\s+", re.IGNORECASE)


_MOVE = re.compile(r"\b(?:move|push|postpone|reschedule|delay|shift|bring|put|change|make)\b", re.IGNORECASE)


_RETYPE = re.compile(
    r"\b(?:should\s+(?:be|have\s+been)|(?:make|change|turn)\s+(?:it|that|this)|i\s+meant|instead|rather)\b",
    re.IGNORECASE,
)


_INSTEAD = re.compile(r"\binstead\b|\brather\b|\b(?:works|suits|is|would\s+be)\s+(?:\w+\s+)?better\b", re.IGNORECASE)
_DEAL_FIELDS = frozenset(("close_date", "amount", "stage", "probability", "next_step"))


def reschedule(reading: Reading, kind: str | None) -> Act | None:
    """ "move it to 11:15", "postpone the call with Ann to Friday"."""
    if field_of(reading) in _DEAL_FIELDS:
        return None
    if (
        kind is None
        and reading.times
        and _INSTEAD.search(reading.text)
        and not reading.activities
        and not reading.has("create", "schedule")
        and not reading.names
        and not reading.has("show", "note")
    ):
        return Act.RESCHEDULE
    spoken_of = reading.pronouns.keys() & {"thing"} or reading.activities or reading.has("activity")
    if not spoken_of:
        spoken_of = (
            re.search(
                r"\bthe\s+(?:first\s+|second\s+|third\s+|last\s+)?(?:one|other|first|second|third|last)\b",
                reading.text,
                re.IGNORECASE,
            )
            is not None
        )
    if (
        kind is None
        and reading.activities
        and _RETYPE.search(reading.text)
        and not is_question(reading.text)
        and not reading.names
        and "person" not in reading.pronouns
    ):
        return Act.RESCHEDULE
    if (
        kind is None
        and reading.times
        and spoken_of
        and _MOVE.match(_WISH.sub("", reading.text))
        and not reading.has("note")
    ):
        places = re.match(r"\s*(?:put|make)\b", reading.text, re.IGNORECASE)
        return None if places and "thing" not in reading.pronouns else Act.RESCHEDULE
    return None


_ACTIVITY_NOUN = re.compile(
    r"\s*(?:and\s+|also\s+|then\s+)*(?:(?:i|we)(?:'d|\s+would)?\s+)?(?:(?:need|want|like)\s+)?(?:to\s+have\s+)?(?:get\s+me\s+)?(?:an?\s+|another\s+|one\s+more\s+|one\s+)?"
    r"(?:(?:high|low|top|normal)[\s-]priority\s+|urgent\s+|important\s+|quick\s+|short\s+|brief\s+|new\s+|product\s+|zoom\s+|phone\s+|follow[\s-]?up\s+|\d+[\s-]?min\w*\s+)*"
    r"(?P<noun>calls?|meetings?|tasks?|demos?|emails?|reminders?|appointments?|to-?dos?|follow[\s-]?ups?)\s+(?:(?:with|for|to)\b|w/)",
    re.IGNORECASE,
)


_PLURAL = re.compile(r"\b(?:calls|meetings|demos|emails|tasks|appointments|activities)\b", re.IGNORECASE)


_HAPPENED = re.compile(
    r"\b(?:was|were|wasn't|had|is|are|isn't|called(?!\s*[\"“'])|phoned|rang|emailed|mailed|met|visited|spoke|talked|happened|took\s+place|went|said|told)\b",
    re.IGNORECASE,
)
"""Tells of an activity and asks for none: "the demo for Ann is on Friday"."""


_STANDS = re.compile(
    r"\s*(?:(?:and|so|well|oh|um|look|listen|also)[\s,]+)*(?:(?:i|we)(?:['’]ve|\s+have)(?:\s+got)?\s+(?:an?|the|my|our|another)\b|there['’]s\b|(?:i|we|he|she|they)(?:['’]ll)?\s+(?:might|may)\b)",
    re.IGNORECASE,
)
"""Says that it is arranged already, or may come to be: "I have a call with Ann at three"."""


_REGARDS = re.compile(
    r"^\s*(?:the|yesterday['’]s|today['’]s|tomorrow['’]s)\s|\b(?:hop(?:e|es|ing)|dread\w*|fear\w*|look(?:ing)?\s+forward|expect\w*|worried|nervous|excited|rather\s+not|goes|too\s+(?:early|late|soon))\b"
    r"|\bwould\s+be\b(?!\s+(?:\w+\s+)?(?:good|great|nice|perfect|lovely|ideal|best|fine|helpful|useful))",
    re.IGNORECASE,
)
"""Speaks of an activity as of one that stands: "I dread the call with Ann tomorrow"."""


def activity_noun(reading: Reading, _kind: str | None) -> Act | None:
    """ "meeting with Ann tomorrow at 11", "task for him: send the brochure": an activity said without a verb."""
    match = _ACTIVITY_NOUN.match(reading.text)
    if is_question(reading.text) or not (reading.names or reading.pronouns or reading.top):
        return None
    if _REGARDS.search(reading.outside or reading.text):
        return None
    if match is None:
        is_fragment = reading.times and reading.activities and any(name.strong for name in reading.names)
        is_fragment = is_fragment and not reading.has("told") and not _HAPPENED.search(reading.text)
        is_fragment = is_fragment and not _STANDS.match(reading.text)
        said = reading.has("show", "about", "update", "cancel", "complete", "history")
        return Act.CREATE_ACTIVITY if is_fragment and not said and not _PLURAL.search(reading.text) else None
    is_plural = match["noun"].lower().endswith("s")
    return None if is_plural and not (reading.top or "plural" in reading.pronouns) else Act.CREATE_ACTIVITY


_ACTIVITY_VERB = re.compile(
    r"\s*(?:give\s+(?:\S+\s+){1,3}an?\s+(?:quick\s+|short\s+)?(?:call|ring|buzz|demo)|call|phone|ring|dial|email|e-mail|mail|message|text|meet|demo|follow[\s-]?up|followup|reach out|touch base|check in|catch up|visit|ping|get back to|get in touch|drop|send|try\s+(?:again|him|her|them)|chase|speak\s+(?:to|with)|talk\s+(?:to|with)|hit\s+up)\b",
    re.IGNORECASE,
)


def activity_verb(reading: Reading, kind: str | None) -> Act | None:
    subject = reading.names or reading.pronouns or kind or reading.times
    if _ACTIVITY_VERB.match(reading.text) and subject and reading.activities and not is_question(reading.text):
        return Act.CREATE_ACTIVITY
    return None


ACCOUNT_VALUES = frozenset("customer prospect partner vendor competitor healthy at_risk churning".split())


_BECAME = re.compile(r"\b(?:now|became|become|anymore|any\s+more)\b|\bis\s+an?\b", re.IGNORECASE)


def literal(reading: Reading, _kind: str | None) -> Act | None:
    """ "Ann has a new phone number: +1 243 555 0188": a value that says by itself which field it is for."""
    value = reading.emails or reading.phones or reading.urls
    if not value or is_question(reading.text) or reading.has("delete", "show"):
        return None
    makes = re.search(
        r"\b(?:add|create|make|set\s+up|register|enter|put\s+\w+\s+(?:in|down)|new\s+(?:lead|contact|account))\b",
        reading.text,
        re.IGNORECASE,
    )
    named = reading.names or reading.pronouns
    return Act.UPDATE if field_of(reading) in ("email", "phone", "website") and named and not makes else None


_WON_OR_LOST = re.compile(
    r"\b(?:we|i)(?:'ve|\s+have)?\s+(?:just\s+|finally\s+|unfortunately\s+)?(?:won|lost|signed|landed|closed)\b",
    re.IGNORECASE,
)


_NO_MORE = re.compile(
    r"\b(?:asked|told|begged|prefers|wants|wishes|said|doesn't|does\s+not|don't|insists|requested)\b.*\b(?:call|phon|ring|e-?mail|mail)\w*\b"
    r"|\b(?:never|not)\s+(?:to\s+)?(?:be\s+)?(?:call|phone|ring|e-?mail)\w*\b.*\b(?:again|any\s*more|ever)\b|\bno\s+more\s+(?:calls|e-?mails)\b",
    re.IGNORECASE,
)
_NOT_TO = re.compile(r"\b(?:not|never|no\s+more|stop|don't|doesn't)\b", re.IGNORECASE)


_NOW_SOMEBODYS = re.compile(r"\b(?:is|are)\s+[a-z]+['’]s\s+(?:now|from\s+now\s+on)\b", re.IGNORECASE)


def wants_no_more(reading: Reading) -> bool:
    """ "Ann asked us never to phone her again": a wish of theirs that stays on record."""
    subject = [name.start for name in reading.names if name.strong] + [
        start for start, _ in reading.pronouns.get("person", [])
    ]
    match = _NO_MORE.search(reading.text)
    return bool(subject and match and _NOT_TO.search(match[0]) and not reading.content and not reading.times)


_OF_ALL = re.compile(
    r"\W*(?:(?:all|any|the|my|our|only|just)\s+)*(?:\w+\s+){0,2}?(?:leads|prospects|contacts|accounts|companies|deals|opportunities|opps)\s+(?:(?:\w+\s+){0,4}?(?:that|which|who)\b|(?:in|from|of|at|with|by|over|under|owned|belonging)\b)",
    re.IGNORECASE,
)
"""Begins with many records, and says which ones."""


def update(reading: Reading, kind: str | None) -> Act | None:
    if is_question(reading.text) or reading.has("count") or _OF_ALL.match(reading.text):
        return None
    literal = reading.emails or reading.phones or reading.urls or reading.amounts
    field = field_of(reading)
    if (
        reading.has("advance")
        and (kind == "opportunity" or reading.pronouns or reading.names)
        and not reading.has("show")
    ):
        return Act.ADVANCE
    if reading.has("update") or wants_no_more(reading) or (reading.names and _NOW_SOMEBODYS.search(reading.text)):
        return Act.UPDATE
    stated = re.search(r"\b(?:is|are|was|has|have|to|=)\b|:", reading.text) is not None
    stated = stated or _WON_OR_LOST.search(reading.text) is not None
    makes = re.search(r"\b(?:add|create|make|set\s+up|register|enter)\b", reading.text, re.IGNORECASE)
    subject = reading.names or reading.pronouns
    if field and literal and subject and not makes and not reading.has("show"):
        return Act.UPDATE
    if (
        subject
        and reading.values.keys()
        & (LEAD_STATUSES | STAGES | (ACCOUNT_VALUES if _BECAME.search(reading.text) else frozenset()))
        and stated
        and not reading.has("show", "about", "schedule")
        and not makes
    ):
        return Act.UPDATE
    if (
        re.match(r"\s*(?:put|give)\b(?!\s+(?:me|us)\b)", reading.text, re.IGNORECASE)
        and subject
        and (literal or reading.numbers or field or re.search(r"\bto\s+[a-z]+\W*$", reading.text))
    ):
        return Act.UPDATE
    if (
        re.match(
            r"\s*(?:we\s+)?(qualify|disqualify|close|assign|reassign|hand|transfer|pass|win|lose|won|lost|make)\b",
            reading.text,
            re.IGNORECASE,
        )
        and subject
    ):
        return Act.UPDATE
    return None
