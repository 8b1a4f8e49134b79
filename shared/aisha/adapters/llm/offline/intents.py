"""What a clause asks for, in terms of acts and kinds of record."""

import re
from dataclasses import dataclass
from enum import StrEnum

from aisha.adapters.llm.offline.lexicon import FIELD_WORDS
from aisha.adapters.llm.offline.reading import KINDS, Reading
from aisha.domain.records import ActivityType


class Act(StrEnum):
    SCAN = "scan"
    RESCHEDULE = "reschedule"
    RECALL = "recall"
    CONVERT = "convert"
    DELETE = "delete"
    ADVISE = "advise"
    AGENDA = "agenda"
    OVERDUE = "overdue"
    COMPLETE = "complete"
    DRAFT = "draft"
    CREATE_NOTE = "create_note"
    NOTES = "notes"
    COUNT = "count"
    CREATE_ACTIVITY = "create_activity"
    CREATE = "create"
    UPDATE = "update"
    ADVANCE = "advance"
    ACTIVITIES = "activities"
    LIST = "list"
    PEOPLE = "people"
    SUMMARY = "summary"
    FIELD = "field"
    INQUIRE = "inquire"
    NOTHING = "nothing"


STAGES = frozenset("prospecting qualification proposal negotiation closed_won closed_lost".split())
LEAD_STATUSES = frozenset("new contacted warm qualified unqualified converted lost".split())
_ACTIVITY_TYPES = frozenset(item.value for item in ActivityType)


@dataclass(frozen=True, slots=True)
class Intent:
    """`kind` is the record type spoken of, if one was named or follows from a value."""

    act: Act
    kind: str | None = None


def kind_of(reading: Reading) -> str | None:
    """The record type that the clause names first, or that one of its values belongs to."""
    named = [(reading.first(kind), kind) for kind in KINDS if reading.has(kind)]
    if named:
        return min(named)[1]
    values = set(reading.values)
    if values & (STAGES - {"qualification"}) or (reading.has("closing") and not reading.names and not reading.pronouns):
        return "opportunity"
    if values & {"warm", "qualified", "unqualified", "contacted", "converted"}:
        return "lead"
    if values & {"healthy", "at_risk", "churning"}:
        return "account"
    return None


_FOLLOW = re.compile(r"follow", re.IGNORECASE)


def activity_type_of(reading: Reading) -> str | None:
    """The activity type said, the first in the clause; "follow-up" alone means a call only when nothing else is said."""
    found = sorted((spans[0][0], kind) for kind, spans in reading.activities.items() if kind in _ACTIVITY_TYPES)
    plain = [item for item in found if not _is_field_email(reading, item)]
    plain = [item for item in plain if not _FOLLOW.match(reading.text[item[0] :])] or plain
    weak = {start for start, _ in reading.concepts.get("activity", ())}
    strong = [item for item in plain if item[0] not in weak]
    chosen = strong or plain
    return chosen[0][1] if chosen else None


def _is_field_email(reading: Reading, item: tuple[int, str]) -> bool:
    return item[1] == "email" and bool(reading.emails)


def _question(text: str) -> bool:
    return text.rstrip().endswith("?") or bool(
        re.match(
            r"\s*(what|which|who|whose|where|when|how|is|are|do|does|did|has|have|any|can i see|got)\b",
            text,
            re.IGNORECASE,
        )
    )


def classify(reading: Reading) -> Intent:
    """The act of one clause. The order is from the most telling words to the least."""
    kind = kind_of(reading)
    for rule in _RULES:
        if (act := rule(reading, kind)) is not None:
            return Intent(act, kind)
    return Intent(Act.NOTHING, kind)


_SCAN = re.compile(r"\b(?:re-?)?scan(?:s|ned|ning)?\b|\bcheck\b.*\b(?:duplicates?|data\s+quality)\b", re.IGNORECASE)
_ON_PAPER = re.compile(
    r"\b(?:cards?|documents?|badges?|(?:bar|qr)[\s-]?codes?|receipts?|invoices?|pages?|photos?|pictures?|pdfs?)\b",
    re.IGNORECASE,
)


def _scan(reading: Reading, _kind: str | None) -> Act | None:
    """ "run a scan for stale leads", "what did the last scans find": not the scan of a card, nor one to be written down."""
    if not _SCAN.search(reading.text) or _ON_PAPER.search(reading.text) or reading.content or reading.quoted:
        return None
    named = any(name.strong and not _SCAN.search(name.text) for name in reading.names)
    return None if named or reading.has("note", "remind", "schedule") else Act.SCAN


def _recall(reading: Reading, _kind: str | None) -> Act | None:
    return Act.RECALL if reading.has("what_done") else None


def _convert(reading: Reading, _kind: str | None) -> Act | None:
    turned = re.search(
        r"\b(?:turn|make|move|change)\b.*\binto\b.*\b(?:account|contact|customer|opportunity|deal|client)\b",
        reading.text,
        re.IGNORECASE,
    )
    asked = reading.has("convert") or turned is not None
    return Act.CONVERT if asked and not reading.has("count", "show") else None


def _delete(reading: Reading, _kind: str | None) -> Act | None:
    if not reading.has("delete") or (_question(reading.text) and reading.first("delete") > 12):
        return None
    if re.match(r"\s*drop\b", reading.text, re.IGNORECASE) and reading.activities:
        return None
    return Act.DELETE


def _overdue(reading: Reading, _kind: str | None) -> Act | None:
    return Act.OVERDUE if reading.has("overdue") and not reading.has("create", "update") else None


def _agenda(reading: Reading, kind: str | None) -> Act | None:
    if not reading.has("agenda") or kind is not None or reading.has("update", "create"):
        return None
    return Act.AGENDA if not reading.names else None


_ADVICE = re.compile(
    r"\bhow\s+(?:do|can|should|would|could|to)\s+(?:(?:i|we)\s+)?(?:best\s+)?(?:move|push|advance|handle|approach|proceed|win|close|progress|take|nudge|play|bring|get)\b"
    r"|\bwhat\s+(?:else\s+)?(?:should|shall|must|ought)\s+(?:i|we)\b.*\b(?:next|doing)\b",
    re.IGNORECASE,
)


_SETS_NEXT_STEP = re.compile(
    r"\b(?:change|set|update|make)\b.*\bnext\s+(?:step|action)\b.*\b(?:to|is)\b", re.IGNORECASE
)
"""Gives the next step that is to be on record instead of asking for one."""


def _advise(reading: Reading, _kind: str | None) -> Act | None:
    if (
        reading.content
        or _SETS_NEXT_STEP.search(reading.text)
        or (not reading.has("advise") and not _ADVICE.search(reading.text))
    ):
        return None
    if reading.has("create", "schedule") and reading.first("create", "schedule") < reading.first("advise"):
        return None
    return Act.ADVISE


def _complete(reading: Reading, kind: str | None) -> Act | None:
    if (
        reading.has("cancel")
        and kind is None
        and (reading.quoted or reading.names or reading.pronouns)
        and not _question(reading.text)
    ):
        return Act.COMPLETE
    about_activity = reading.has("activity") or reading.activities
    if reading.has("complete", "cancel") and about_activity and kind is None and not _question(reading.text):
        return Act.COMPLETE
    if (
        reading.has("complete")
        and reading.pronouns
        and not reading.values.keys() & LEAD_STATUSES
        and not _question(reading.text)
    ):
        return Act.COMPLETE
    return None


_WRITTEN_DOWN = re.compile(r"\b(?:noted|written\s+down|written|wrote\s+down|jotted|on\s+file)\b", re.IGNORECASE)


_ATTITUDE = re.compile(
    r"^\s*(?:does|did|has|have|is|was)\b.*\b(?:object\w*|complain\w*|worr\w+|concerned|interested\s+in|mention\w*|hesitat\w+|bothered|"
    r"opposed|keen\s+on)\b",
    re.IGNORECASE,
)
"""Asks what somebody said or felt, which the notes tell if anything does."""


def _note(reading: Reading, _kind: str | None) -> Act | None:
    if _ATTITUDE.search(reading.text) and (any(name.strong for name in reading.names) or "person" in reading.pronouns):
        return Act.NOTES
    if _question(reading.text) and _WRITTEN_DOWN.search(reading.text):
        return Act.NOTES
    if not reading.has("note"):
        if reading.content and (
            reading.has("log") or re.match(r"\s*(remember|log|record|jot|write)", reading.text, re.IGNORECASE)
        ):
            return Act.CREATE_NOTE
        return None
    note_at = reading.first("note")
    if reading.has("show") and reading.first("show") < note_at and not reading.has("create"):
        return Act.NOTES
    if (
        reading.has("create", "log")
        and min(reading.first("create", "log"), len(reading.text)) <= note_at
        and not (_question(reading.text) and not reading.content)
    ):
        return Act.CREATE_NOTE
    if reading.content and not _question(reading.text.split(reading.content[:10])[0]):
        return Act.CREATE_NOTE
    if re.match(r"\s*(note|memo|remark|comment)\b", reading.text, re.IGNORECASE):
        return Act.CREATE_NOTE
    return Act.NOTES


_BY = re.compile(r"\bby\s+(?:status|stage|type|health)\b|\bbreak\w*\b.*\bdown\b|\bbreakdown\b", re.IGNORECASE)


_SUM = re.compile(
    r"\b(?:worth|altogether|in\s+total|total\s+(?:value|amount|worth)|combined|sum\s+of|add\s+up|value\s+of)\b",
    re.IGNORECASE,
)
_KIND_PLURAL = re.compile(r"\b(?:leads|prospects|deals|opportunities|opps|accounts|contacts)\b", re.IGNORECASE)


def _count(reading: Reading, kind: str | None) -> Act | None:
    if reading.first("create", "update") < min(reading.first("count"), len(reading.text)):
        return None
    if _BY.search(reading.text) and not any(name.strong for name in reading.names):
        return Act.SUMMARY
    if (
        kind
        and _SUM.search(reading.text)
        and _KIND_PLURAL.search(reading.text)
        and not any(name.strong for name in reading.names)
    ):
        return Act.COUNT
    if not reading.has("count"):
        return None
    if (
        re.search(r"\bhow much\b", reading.text, re.IGNORECASE)
        and (reading.names or "thing" in reading.pronouns)
        and kind is None
    ):
        return None
    return Act.COUNT


_DRAFTING = re.compile(
    r"(?:^|\b(?:to|you|please|and|then|also|can|help\s+me|let's)\s+)\W*(?:re-?)?(?:draft|compose)\b(?=.*\be?-?mails?\b)"
    r"|^\s*write\s+(?:\S+\s+){1,3}?e?-?mail\b(?=.*\b(?:thank\w*|apolog\w+|congratulat\w+|about|regarding)\b|(?<=thank-you\smail)|(?<=thank\syou\smail))",
    re.IGNORECASE,
)


def _draft(reading: Reading, _kind: str | None) -> Act | None:
    """ "draft a follow-up email to Ann", "draft the email recap"."""
    return Act.DRAFT if _DRAFTING.search(reading.text) else None


def _create(reading: Reading, kind: str | None) -> Act | None:
    verbs = ("create", "schedule", "remind", "log")
    if reading.has("show") and reading.first("show") < reading.first(*verbs):
        return None
    if not reading.has(*verbs) or (_question(reading.text) and not re.match(r"\s*(can|could)", reading.text)):
        return None
    activity_at = min([reading.first("activity"), *(spans[0][0] for spans in reading.activities.values())])
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


def _reschedule(reading: Reading, kind: str | None) -> Act | None:
    """ "move it to 11:15", "postpone the call with Ann to Friday"."""
    spoken_of = reading.pronouns.keys() & {"thing"} or reading.activities or reading.has("activity")
    if not spoken_of:
        spoken_of = re.search(r"\bthe\s+(?:one|other)\b", reading.text, re.IGNORECASE) is not None
    if (
        kind is None
        and reading.activities
        and _RETYPE.search(reading.text)
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


def _activity_noun(reading: Reading, _kind: str | None) -> Act | None:
    """ "meeting with Ann tomorrow at 11", "task for him: send the brochure": an activity said without a verb."""
    match = _ACTIVITY_NOUN.match(reading.text)
    if _question(reading.text) or not (reading.names or reading.pronouns or reading.top):
        return None
    if match is None:
        is_fragment = reading.times and reading.activities and any(name.strong for name in reading.names)
        said = reading.has("show", "about", "update", "cancel", "complete", "history")
        return Act.CREATE_ACTIVITY if is_fragment and not said and not _PLURAL.search(reading.text) else None
    is_plural = match["noun"].lower().endswith("s")
    return None if is_plural and not (reading.top or "plural" in reading.pronouns) else Act.CREATE_ACTIVITY


_PEOPLE = re.compile(
    r"\bwho(?:'s|\s+is|\s+are)\b.*\b(?:contacts?|person|people|guys?|buyer)\b.*\b(?:at|in|for|from|of|there)\b"
    r"|\bwho(?:'s|\s+else|\s+all)?\b.*\b(?:works?|working|do\s+we\s+(?:know|have)|is|are|sits?|employed)\b.*\b(?:at|there|for|from|in|with)\b"
    r"|\b(?:people|persons|contacts|everyone|everybody|anyone|colleagues|employees|staff)\b.*\b(?:at|there|from|of|in\s+(?:this|that|the))\b",
    re.IGNORECASE,
)


def _people(reading: Reading, kind: str | None) -> Act | None:
    """ "who works there?", "who do we know at ABC Corp?" """
    if kind in ("lead", "opportunity") or not (reading.names or "thing" in reading.pronouns):
        return None
    return Act.PEOPLE if _PEOPLE.search(reading.text) and not reading.has("count", "create") else None


_ACTIVITY_VERB = re.compile(
    r"\s*(?:give\s+(?:\S+\s+){1,3}an?\s+(?:quick\s+|short\s+)?(?:call|ring|buzz|demo)|call|phone|ring|dial|email|e-mail|mail|message|text|meet|demo|follow[\s-]?up|followup|reach out|touch base|check in|catch up|visit|ping|get back to|get in touch|drop|send)\b",
    re.IGNORECASE,
)


def _activity_verb(reading: Reading, kind: str | None) -> Act | None:
    subject = reading.names or reading.pronouns or kind
    if _ACTIVITY_VERB.match(reading.text) and subject and reading.activities and not _question(reading.text):
        return Act.CREATE_ACTIVITY
    return None


ACCOUNT_VALUES = frozenset("customer prospect partner vendor competitor healthy at_risk churning".split())
_BECAME = re.compile(r"\b(?:now|became|become|anymore|any\s+more)\b|\bis\s+an?\b", re.IGNORECASE)


def _literal(reading: Reading, _kind: str | None) -> Act | None:
    """ "Ann has a new phone number: +1 243 555 0188": a value that says by itself which field it is for."""
    value = reading.emails or reading.phones or reading.urls
    if not value or _question(reading.text) or reading.has("delete", "show"):
        return None
    makes = re.search(
        r"\b(?:add|create|make|set\s+up|register|enter|put\s+\w+\s+(?:in|down)|new\s+(?:lead|contact|account))\b",
        reading.text,
        re.IGNORECASE,
    )
    named = reading.names or reading.pronouns
    return Act.UPDATE if field_of(reading) in ("email", "phone", "website") and named and not makes else None


def _update(reading: Reading, kind: str | None) -> Act | None:
    if _question(reading.text) or reading.has("count"):
        return None
    literal = reading.emails or reading.phones or reading.urls or reading.amounts
    field = field_of(reading)
    if (
        reading.has("advance")
        and (kind == "opportunity" or reading.pronouns or reading.names)
        and not reading.has("show")
    ):
        return Act.ADVANCE
    if reading.has("update"):
        return Act.UPDATE
    stated = re.search(r"\b(?:is|are|was|has|have|to|=)\b|:", reading.text) is not None
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
        re.match(r"\s*(?:put|give)\b", reading.text, re.IGNORECASE)
        and subject
        and (literal or reading.numbers or field or re.search(r"\bto\s+[a-z]+\W*$", reading.text))
    ):
        return Act.UPDATE
    if (
        re.match(
            r"\s*(?:we\s+)?(qualify|disqualify|assign|reassign|hand|transfer|pass|win|lose|won|lost|make)\b",
            reading.text,
            re.IGNORECASE,
        )
        and subject
    ):
        return Act.UPDATE
    return None


def _activities(reading: Reading, kind: str | None) -> Act | None:
    if kind is not None and not reading.has("activity"):
        return None
    plural = re.search(r"\b(?:calls|meetings|demos|emails|tasks|appointments)\b", reading.text, re.IGNORECASE)
    if (
        reading.has("activity")
        or (plural and reading.has("show", "about"))
        or (reading.activities and _question(reading.text) and (reading.times or plural))
    ):
        if kind is not None and reading.first(kind) < reading.first("activity"):
            return None
        if activity_type_of(reading) == "email" and not plural and not reading.has("activity"):
            return None
        return Act.ACTIVITIES
    if reading.has("history") and (reading.names or reading.pronouns):
        return Act.ACTIVITIES
    scheduled = re.search(r"\b(?:planned|scheduled|upcoming|coming up|on the books)\b", reading.text, re.IGNORECASE)
    return (
        Act.ACTIVITIES
        if scheduled and (reading.names or reading.pronouns or _question(reading.text)) and kind is None
        else None
    )


_SHORT = 3
"""Words of a sentence that is nothing but a field: "score?", "and the phone"."""


def _field(reading: Reading, _kind: str | None) -> Act | None:
    field = field_of(reading)
    is_short = len(reading.text.split()) <= _SHORT
    if field is None or not (reading.names or reading.pronouns or is_short):
        return None
    if _KIND_PLURAL.search(reading.text):
        return None
    asked = _question(reading.text) or reading.has("show", "about") or is_short
    return Act.FIELD if asked else None


def _list(reading: Reading, kind: str | None) -> Act | None:
    if kind is None:
        return None
    filtered = bool(
        reading.values or reading.amounts or reading.times or reading.top or reading.mine or reading.has("closing")
    )
    plural = re.search(
        r"\b(?:leads|prospects|contacts|people|accounts|companies|opportunities|deals|opps|firms|clients|customers|businesses|organi[sz]ations)\b",
        reading.text,
        re.IGNORECASE,
    )
    if plural or (filtered and not reading.names):
        return Act.LIST
    return None


def _summary(reading: Reading, _kind: str | None) -> Act | None:
    if reading.has("summary") and not reading.names and not reading.pronouns.keys() & {"person"}:
        return Act.SUMMARY
    return None


_ORDINAL = re.compile(
    r"\b(?:the|number|no\.?)\s+(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|\d)\b", re.IGNORECASE
)


def _inquire(reading: Reading, kind: str | None) -> Act | None:
    named = any(name.strong for name in reading.names)
    maybe_named = reading.names and (reading.has("show", "about") or len(reading.text.split()) <= _SHORT)
    if named or maybe_named or reading.pronouns.keys() & {"person", "thing"} or (kind and reading.has("about")):
        return Act.INQUIRE
    if _ORDINAL.search(reading.text):
        return Act.INQUIRE
    return None


def field_of(reading: Reading) -> str | None:
    """The record field that the clause speaks of, the one said in most words."""
    found = _fields_said(reading)
    if re.search(r"\b(?:phone|call) (?:him|her|them)\b", reading.text.lower()):
        return None
    if found:
        return max(found, key=lambda item: item[1] - item[0])[2]
    lowered = reading.text.lower()
    if re.search(r"\bwhen\b.*\b(?:talk|spoke|speak|contact|reach|hear)", lowered):
        return "last_contacted_at"
    if re.search(r"\bwhere\b.*\b(?:is|are|live|lives|based|located|sits?)\b", lowered):
        return "address"
    return None


def fields_of(reading: Reading) -> list[str]:
    """All fields asked for, in their order: "his status and his score"."""
    found = [name for _, _, name in _fields_said(reading)]
    return list(dict.fromkeys(found)) if len(found) > 1 else [name] if (name := field_of(reading)) else []


def _fields_said(reading: Reading) -> list[tuple[int, int, str]]:
    """`(start, end, field)` of every field's words, the longest where they overlap; names are no fields."""
    lowered = reading.text.lower()
    for said in reading.names:
        if said.strong:
            lowered = lowered[: said.start] + " " * (said.end - said.start) + lowered[said.end :]
    spans = [
        (match.start(), match.end(), name)
        for name, words in FIELD_WORDS.items()
        for word in words
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", lowered)
    ]
    kept: list[tuple[int, int, str]] = []
    for span in sorted(spans, key=lambda item: item[0] - item[1]):
        if not any(span[0] < end and start < span[1] for start, end, _ in kept):
            kept.append(span)
    return sorted(kept)


_RULES = (
    _scan, _recall, _convert, _reschedule, _note, _delete, _people, _advise, _complete, _overdue, _agenda, _literal, _count, _draft, _create, _activity_noun,
    _activity_verb, _update, _field, _list, _activities, _summary, _inquire,
)  # fmt: skip
