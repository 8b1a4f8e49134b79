"""Rules for clauses that ask for an action. Each returns its act, or None for any other clause."""

import re

from aisha.adapters.llm.offline.intent import LEAD_STATUSES, STAGES, Act, field_of, is_question
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern

# "make a contact out of the lead": a conversion.
_CREATED_FROM_LEAD = pattern(
    r"\b(?:make|create|build|set up) (?:an? )?(?:new )?(?:contact|account|customer|opportunity|deal)\b.*\b"
    r"(?:from|out of) (?:the |our )?lead\b"
)
# "mark the call with Ann as done".
_MARKS_DONE = pattern(
    r"\W*(?:(?:please|and|also|can you|could you) )*(?:mark|set|tick) (?:off )?(?:the|that|my|this) \S.*?\b"
    r"(?:for|with|to|about)\b.*\b(?:as |to |off as )?(?:completed?|done|finished)\W*$"
)
# "what did we write down about Ann", "is anything on file".
_WRITTEN_DOWN = pattern(
    r"\b(?:noted|written down|written|wrote down|jotted|on file)\b|\b(?:write|put|wrote) (?:\w+ ){0,2}down\b"
)
_ATTITUDE = pattern(
    r"^\s*(?:does|did|has|have|is|was)\b.*\b"
    r"(?:object\w*|complain\w*|worr\w+|concerned|interested in|mention\w*|hesitat\w+|bothered|opposed|keen on)\b"
)
"""Recognises a question about what somebody said or felt, which notes may answer."""
_WHAT_SAID = pattern(r"\s*(?:and |so )?what did \S.*\b(?:say|tell us|tell me|mention|want|ask for|complain|write)\b")
# "draft an email to Ann", "write Ann a thank-you mail", "an email to Ann, just as a draft".
_DRAFTING = pattern(
    r"^\W*(?:(?:please|can|could|you|and|then|also) )*(?:draft|compose|write) (?:\w+ )?"
    r"(?:something|a (?:\w+ )?(?:message|reply|letter|line))\b.*\b(?:to|for)\b"
    r"|(?:^|\b(?:to|you|please|and|then|also|can|help me|let's) )\W*(?:re-?)?(?:draft|compose)\b(?=.*\be?-?mails?\b)"
    r"|\be?-?mail\b.*\b(?:just|only|as) (?:a )?draft\b|\bdraft (?:of )?(?:an? )?(?:\w+ )?e?-?mail\b(?=.*\b(?:to|for)\b)"
    r"|^\W*(?:please |can you )*write (?:to )?(?:\S+ ){1,3}?an? (?:\w+ )?e?-?mail\b(?=.*\b"
    r"(?:subject|saying|say|tell|that|offer\w*|remind\w*|inform\w*|invit\w*|ask\w*)\b)|^\s*write (?:\S+ ){1,3}?e?-?mail"
    r"\b(?=.*\b(?:thank\w*|apolog\w+|congratulat\w+|about|regarding)\b|(?<=thank-you\smail)|(?<=thank\syou\smail))"
)
_CREATED_RECORDS = pattern(
    r"\s*(?:(?:all|any|the|my|our|new) )*(?:leads|contacts|accounts|companies|deals|opportunities|customers)"
    r" (?:(?:we|i|that|were|was|got) )*(?:added|created|entered|registered|made)\b"
)
"""Recognises records that were created, and asks to see them."""
_GIVES_STATUS = pattern(
    r"\s*make (?!(?:me |us )?(?:an?|new|another|up|some|the new|two|three|sure)\b)\S.*?\s(?:an?|the|to|into|our)\s"
)
"""Recognises a new status for an existing person: "make Ann Lee a qualified lead"."""
_ADDS_CONTACT_DATA = pattern(
    r"\W*(?:(?:please|and|also|can you|could you) )*(?:add|put|save|enter|store|write|record|note) (?:down |in )?"
    r"(?:(?:his|her|their|its|the|an?|this|that|[\w'’\x20-]{2,30}['’]s) )?(?:new |work |direct )?"
    r"(?:phone|mobile|cell|telephone|number|e-?mail|mail|website|web\s?site|url)\b"
)
"""Recognises a number or an address given to a person: "add his phone number 512 555 0177"."""
_WISH_OPENER = pattern(r"^\s*(?:i |we )?(?:need|have|want|would like|'d like|must|got) to ")
_MOVE = pattern(r"\b(?:move|push|postpone|reschedule|delay|shift|bring|put|change|make)\b")
_CHANGES_TYPE = pattern(r"\b(?:should (?:be|have been)|(?:make|change|turn) (?:it|that|this)|i meant|instead|rather)\b")
# "Friday works better", "Tuesday instead".
_ALTERNATIVE = pattern(r"\binstead\b|\brather\b|\b(?:works|suits|is|would be) (?:\w+ )?better\b")
_DEAL_FIELDS = frozenset(("close_date", "amount", "stage", "probability", "next_step"))
# "another quick call with", "urgent task for": begins with an activity, no verb.
_ACTIVITY_NOUN = pattern(
    r"\s*(?:and |also |then )*(?:(?:i|we)(?:'d| would)? )?(?:(?:need|want|like) )?(?:to have )?(?:get me )?"
    r"(?:an? |another |one more |one )?(?:(?:high|low|top|normal)[\s-]priority |urgent |important |quick |short |brief "
    r"|new |product |zoom |phone |follow[\s-]?up |\d+[\s-]?min\w* )*(?P<noun>calls?|meetings?|tasks?|demos?|emails?"
    r"|reminders?|appointments?|to-?dos?|follow[\s-]?ups?) (?:(?:with|for|to)\b|w/)"
)
_PLURAL = pattern(r"\b(?:calls|meetings|demos|emails|tasks|appointments|activities)\b")
_HAPPENED = pattern(
    r"\b(?:was|were|wasn't|had|is|are|isn't|called(?!\s*[\"“'])|phoned|rang|emailed|mailed|met|visited|spoke|talked"
    r"|happened|took place|went|said|told)\b"
)
"""Recognises the report of an activity, which asks for none: "the demo for Ann is on Friday"."""
_IS_ARRANGED = pattern(
    r"\s*(?:(?:and|so|well|oh|um|look|listen|also)[\s,]+)*(?:(?:i|we)(?:['’]ve| have)(?: got)?"
    r" (?:an?|the|my|our|another)\b|there['’]s\b|(?:i|we|he|she|they)(?:['’]ll)? (?:might|may)\b)"
)
"""Recognises an activity that is arranged or merely possible: "I have a call with Ann at three"."""
_OPINION = pattern(
    r"^\s*(?:the|yesterday['’]s|today['’]s|tomorrow['’]s)\s|\b(?:hop(?:e|es|ing)|dread\w*|fear\w*|look(?:ing)? forward"
    r"|expect\w*|worried|nervous|excited|rather not|goes|too (?:early|late|soon))\b"
    r"|\bwould be\b(?! (?:\w+ )?(?:good|great|nice|perfect|lovely|ideal|best|fine|helpful|useful))"
)
"""Recognises an opinion of an existing activity: "I dread the call with Ann tomorrow"."""
# "call Ann", "follow up with": begins with a verb that is an activity itself.
_ACTIVITY_VERB = pattern(
    r"\s*(?:give (?:\S+ ){1,3}an? (?:quick |short )?(?:call|ring|buzz|demo)|call|phone|ring|dial|email|e-mail|mail"
    r"|message|text|meet|demo|follow[\s-]?up|followup|reach out|touch base|check in|catch up|visit|ping|get back to"
    r"|get in touch|drop|send|try (?:again|him|her|them)|chase|speak (?:to|with)|talk (?:to|with)|hit up)\b"
)
ACCOUNT_VALUES = frozenset("customer prospect partner vendor competitor healthy at_risk churning".split())
_BECAME = pattern(r"\b(?:now|became|become|anymore|any more)\b|\bis an?\b")
# "we just landed the Initech deal".
_WON_OR_LOST = pattern(
    r"\b(?:we|i)(?:'ve| have)? (?:just |finally |unfortunately )?(?:won|lost|signed|landed|closed)\b"
)
# "asked us not to call", "never to be phoned again", "no more emails".
_OPT_OUT = pattern(
    r"\b(?:asked|told|begged|prefers|wants|wishes|said|doesn't|does not|don't|insists|requested)\b.*\b"
    r"(?:call|phon|ring|e-?mail|mail)\w*\b|\b(?:never|not) (?:to )?(?:be )?(?:call|phone|ring|e-?mail)\w*\b.*\b"
    r"(?:again|any\s*more|ever)\b|\bno more (?:calls|e-?mails)\b"
)
_NEGATION = pattern(r"\b(?:not|never|no more|stop|don't|doesn't)\b")
# "she is bob's now".
_NEW_OWNER = pattern(r"\b(?:is|are) [a-z]+['’]s (?:now|from now on)\b")
_MANY_RECORDS = pattern(
    r"\W*(?:(?:all|any|the|my|our|only|just) )*(?:\w+ ){0,2}?"
    r"(?:leads|prospects|contacts|accounts|companies|deals|opportunities|opps)"
    r" (?:(?:\w+ ){0,4}?(?:that|which|who)\b|(?:in|from|of|at|with|by|over|under|owned|belonging)\b)"
)
"""Recognises a clause about many records with a condition."""


def convert(reading: Reading, _kind: str | None) -> Act | None:
    turns_into = pattern(
        r"\b(?:turn|make|move|change)\b.*\binto\b.*\b(?:account|contact|customer|opportunity|deal|client)\b"
    ).search(reading.text)
    is_conversion = (
        reading.has("convert") or turns_into is not None or _CREATED_FROM_LEAD.search(reading.text) is not None
    )
    return Act.CONVERT if is_conversion and not reading.has("count", "show") else None


def delete(reading: Reading, _kind: str | None) -> Act | None:
    # "can you delete Ann?" is an order in spite of its form; a later "delete" is only asked about.
    if not reading.has("delete") or (is_question(reading.text) and reading.first("delete") > 12):
        return None
    # "drop her an email" deletes nothing.
    if pattern(r"\s*drop\b").match(reading.text) and reading.activities:
        return None
    return Act.DELETE


def complete(reading: Reading, kind: str | None) -> Act | None:
    if kind is None and reading.names and not reading.values.keys() & LEAD_STATUSES and _MARKS_DONE.match(reading.text):
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


def note(reading: Reading, _kind: str | None) -> Act | None:
    if _ATTITUDE.search(reading.text) and (any(name.strong for name in reading.names) or "person" in reading.pronouns):
        return Act.NOTES
    if is_question(reading.text) and _WRITTEN_DOWN.search(reading.text):
        return Act.NOTES
    if _WHAT_SAID.match(reading.text) and (any(name.strong for name in reading.names) or "person" in reading.pronouns):
        return Act.NOTES
    if not reading.has("note"):
        if reading.content and (
            reading.has("log") or pattern(r"\s*(remember|log|record|jot|write)").match(reading.text)
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
    if pattern(r"\s*(note|memo|remark|comment)\b").match(reading.text):
        return Act.CREATE_NOTE
    return Act.NOTES


def draft(reading: Reading, _kind: str | None) -> Act | None:
    """Match "draft a follow-up email to Ann", "draft the email recap"."""
    return Act.DRAFT if _DRAFTING.search(reading.text) else None


def _activity_at(reading: Reading) -> int:
    """Return the offset of the first activity, or one past the end. "he called me" creates none."""
    spans = [*reading.concepts.get("activity", ()), *(span for group in reading.activities.values() for span in group)]
    starts = [
        start
        for start, end in spans
        if not reading.text[start:end].lower().endswith(("called", "phoned", "emailed", "mailed"))
    ]
    return min(starts, default=len(reading.text) + 1)


def create(reading: Reading, kind: str | None) -> Act | None:
    verbs = ("create", "schedule", "remind", "log")
    has_literal = reading.phones or reading.emails or reading.urls
    # Before the words that create: "add his phone number ..." changes a record.
    if kind is None and has_literal and _ADDS_CONTACT_DATA.match(reading.text) and (reading.names or reading.pronouns):
        return Act.UPDATE
    if _CREATED_RECORDS.match(reading.text) or pattern(
        r"\s*(?:make|create|build|give) (?:(?:me|us) )?(?:an?|the) (?:\w+ )?list\b"
    ).match(reading.text):
        return None
    if _GIVES_STATUS.match(reading.text) and reading.values:
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


def reschedule(reading: Reading, kind: str | None) -> Act | None:
    """Match "move it to 11:15", "postpone the call with Ann to Friday"."""
    if field_of(reading) in _DEAL_FIELDS:
        return None
    if (
        kind is None
        and reading.times
        and _ALTERNATIVE.search(reading.text)
        and not reading.activities
        and not reading.has("create", "schedule")
        and not reading.names
        and not reading.has("show", "note")
    ):
        return Act.RESCHEDULE
    has_target = reading.pronouns.keys() & {"thing"} or reading.activities or reading.has("activity")
    if not has_target:
        has_target = (
            pattern(r"\bthe (?:first |second |third |last )?(?:one|other|first|second|third|last)\b").search(
                reading.text
            )
            is not None
        )
    if (
        kind is None
        and reading.activities
        and _CHANGES_TYPE.search(reading.text)
        and not is_question(reading.text)
        and not reading.names
        and "person" not in reading.pronouns
    ):
        return Act.RESCHEDULE
    if (
        kind is None
        and reading.times
        and has_target
        and _MOVE.match(_WISH_OPENER.sub("", reading.text))
        and not reading.has("note")
    ):
        creates = pattern(r"\s*(?:put|make)\b").match(reading.text)
        return None if creates and "thing" not in reading.pronouns else Act.RESCHEDULE
    return None


def activity_noun(reading: Reading, _kind: str | None) -> Act | None:
    """Match an activity without a verb: "meeting with Ann tomorrow at 11", "task for him: send the brochure"."""
    match = _ACTIVITY_NOUN.match(reading.text)
    if is_question(reading.text) or not (reading.names or reading.pronouns or reading.top):
        return None
    if _OPINION.search(reading.outside or reading.text):
        return None
    if match is None:
        is_fragment = reading.times and reading.activities and any(name.strong for name in reading.names)
        is_fragment = is_fragment and not reading.has("told") and not _HAPPENED.search(reading.text)
        is_fragment = is_fragment and not _IS_ARRANGED.match(reading.text)
        has_other_act = reading.has("show", "about", "update", "cancel", "complete", "history")
        return Act.CREATE_ACTIVITY if is_fragment and not has_other_act and not _PLURAL.search(reading.text) else None
    is_plural = match["noun"].lower().endswith("s")
    return None if is_plural and not (reading.top or "plural" in reading.pronouns) else Act.CREATE_ACTIVITY


def activity_verb(reading: Reading, kind: str | None) -> Act | None:
    subject = reading.names or reading.pronouns or kind or reading.times
    if _ACTIVITY_VERB.match(reading.text) and subject and reading.activities and not is_question(reading.text):
        return Act.CREATE_ACTIVITY
    return None


def literal(reading: Reading, _kind: str | None) -> Act | None:
    """Match a value whose field is obvious: "Ann has a new phone number: +1 243 555 0188"."""
    value = reading.emails or reading.phones or reading.urls
    if not value or is_question(reading.text) or reading.has("delete", "show"):
        return None
    creates = pattern(
        r"\b(?:add|create|make|set up|register|enter|put \w+ (?:in|down)|new (?:lead|contact|account))\b"
    ).search(reading.text)
    has_subject = reading.names or reading.pronouns
    return Act.UPDATE if field_of(reading) in ("email", "phone", "website") and has_subject and not creates else None


def wants_no_more(reading: Reading) -> bool:
    """Match a lasting wish: "Ann asked us never to phone her again"."""
    subject = [name.start for name in reading.names if name.strong] + [
        start for start, _ in reading.pronouns.get("person", [])
    ]
    match = _OPT_OUT.search(reading.text)
    return bool(subject and match and _NEGATION.search(match[0]) and not reading.content and not reading.times)


def update(reading: Reading, kind: str | None) -> Act | None:
    if is_question(reading.text) or reading.has("count") or _MANY_RECORDS.match(reading.text):
        return None
    literal = reading.emails or reading.phones or reading.urls or reading.amounts
    field = field_of(reading)
    if (
        reading.has("advance")
        and (kind == "opportunity" or reading.pronouns or reading.names)
        and not reading.has("show")
    ):
        return Act.ADVANCE
    if reading.has("update") or wants_no_more(reading) or (reading.names and _NEW_OWNER.search(reading.text)):
        return Act.UPDATE
    states_value = re.search(r"\b(?:is|are|was|has|have|to|=)\b|:", reading.text) is not None
    states_value = states_value or _WON_OR_LOST.search(reading.text) is not None
    creates = pattern(r"\b(?:add|create|make|set up|register|enter)\b").search(reading.text)
    subject = reading.names or reading.pronouns
    if field and literal and subject and not creates and not reading.has("show"):
        return Act.UPDATE
    if (
        subject
        and reading.values.keys()
        & (LEAD_STATUSES | STAGES | (ACCOUNT_VALUES if _BECAME.search(reading.text) else frozenset()))
        and states_value
        and not reading.has("show", "about", "schedule")
        and not creates
    ):
        return Act.UPDATE
    if (
        pattern(r"\s*(?:put|give)\b(?! (?:me|us)\b)").match(reading.text)
        and subject
        and (literal or reading.numbers or field or re.search(r"\bto\s+[a-z]+\W*$", reading.text))
    ):
        return Act.UPDATE
    if (
        pattern(
            r"\s*(?:we )?(qualify|disqualify|close|assign|reassign|hand|transfer|pass|win|lose|won|lost|make)\b"
        ).match(reading.text)
        and subject
    ):
        return Act.UPDATE
    return None
