"""When a clause asks for something to be told. A rule gives its act, or None for a clause of another kind."""

import re

from aisha.adapters.llm.offline.fields import field_of
from aisha.adapters.llm.offline.intent import Act, activity_type_of, is_question
from aisha.adapters.llm.offline.parser import Reading

_SCAN = re.compile(r"\b(?:re-?)?scan(?:s|ned|ning)?\b|\bcheck\b.*\b(?:duplicates?|data\s+quality)\b", re.IGNORECASE)


_ON_PAPER = re.compile(
    r"\b(?:cards?|documents?|badges?|(?:bar|qr)[\s-]?codes?|receipts?|invoices?|pages?|photos?|pictures?|pdfs?)\b",
    re.IGNORECASE,
)


def scan(reading: Reading, _kind: str | None) -> Act | None:
    """ "run a scan for stale leads", "what did the last scans find": not the scan of a card, nor one to be written down."""
    if not _SCAN.search(reading.text) or _ON_PAPER.search(reading.text) or reading.content or reading.quoted:
        return None
    named = any(name.strong and not _SCAN.search(name.text) for name in reading.names)
    return None if named or reading.has("note", "remind", "schedule") else Act.SCAN


_UNSPOKEN = re.compile(
    r"\b(?:haven't|have\s+not|hasn't|has\s+not|'ve\s+not|not|never|didn't|nobody(?:'s|\s+has)?|no\s+one(?:'s|\s+has)?|without)\b(?:\s+[\w']+){0,3}?\s+"
    r"(?:spoken|spoke|speak|talked?|contacted|called|rung|heard|hear|reached|touched|touch|met|seen|emailed|followed\s+up|checked\s+in|caught\s+up|chased|visited)\b"
    r"|\b(?:gone|went|been|going|are|is)\s+(?:\w+\s+)?(?:quiet|cold|silent|dark)\b|\bneglect(?:ed|ing)\b|\bno\s+contact\b|\b(?:lost|losing|out\s+of)\s+touch\b"
    r"|\buntouched\b|\bnot\s+(?:been\s+)?contacted\b|\bignor(?:ed|ing)\b|\boverdue\s+for\s+(?:a\s+)?(?:call|check|chat)",
    re.IGNORECASE,
)
_OF_WHOM = re.compile(
    r"^\s*(?:who|whom|which|what|any(?:one|body)?|is\s+there|are\s+there|list|show|everyone|everybody|people|customers|contacts|leads|clients|accounts|have\s+(?:i|we|any)|has\s+any(?:one|body)|did\s+any|do\s+i|am\s+i|are\s+we)\b",
    re.IGNORECASE,
)


def silent(reading: Reading, kind: str | None) -> Act | None:
    """ "Who haven't I spoken to in two weeks", "which leads have gone quiet": asks of all, not of one who is named."""
    if kind == "opportunity" or not (_UNSPOKEN.search(reading.text) and _OF_WHOM.search(reading.text)):
        return None
    spoken_of = any(name.strong for name in reading.names) or reading.pronouns.keys() & {"person", "thing"}
    return None if spoken_of or reading.content or reading.has("count", "note", "remind") else Act.SILENT


_DID = r"(?:did|do|done|made|make|changed?|created?|scheduled?|booked?|add(?:ed)?|put|set|enter(?:ed)?|written|wrote|write|noted?|logged|saved?|planned|arranged?|record(?:ed)?|registered|updated?|deleted?|removed?|moved?|marked?|achieved|accomplished|got\s+done)"
_ACTOR = r"(?:i|we|you)(?:['’](?:ve|d)|\s+have|\s+had)?"
_JUST = r"(?:just(?:\s+now)?|now|so\s+far|already|last|actually|really|all)"
_WHAT_WAS_DONE = re.compile(
    rf"\bwhat(?:ever)?\b(?:\s+(?:exactly|precisely|else))?(?:\s+(?:was|is)\s+(?:it|that|the\s+(?:last\s+)?thing)(?:\s+(?:that|which))?)?(?:\s+(?:activity|task|call|note|things?|changes?|stuff|all))?\s+(?:(?:did|have|had)\s+)?{_ACTOR}(?:\s+{_JUST})*\s+{_DID}\b(?P<rest>.*)"
    rf"|\b(?:everything|anything|all|the\s+(?:last\s+)?(?:thing|changes?|activity|task|note))\s+(?:that\s+)?{_ACTOR}(?:\s+{_JUST})*\s+{_DID}\b(?P<more>.*)"
    rf"|^\W*(?:so\s+|and\s+|wait\s+)*(?:did|have)\s+you(?:\s+(?:just|already|really|actually|now))*\s+{_DID}\s+(?:it|that|this|them|everything|anything|something|the\s+\w+|an?\s+\w+)\b(?P<also>.*)",
    re.IGNORECASE,
)
_JUST_NOW = re.compile(
    r"\b(?:just(?:\s+now)?|so\s+far|right\s+now|(?:un)?till?\s+now|up\s+to\s+now|a\s+(?:second|sec|moment|minute|min)\s+ago|last|before|again|repeat|already|remind\s+me\s+(?:of\s+)?(?:what|everything)|(?:in|during)\s+this\s+(?:chat|conversation|session)|together|you)\b",
    re.IGNORECASE,
)
_NOW_WORDS = re.compile(r"\s*(?:just\s+|right\s+)?now\s*$|.*\bago\s*$", re.IGNORECASE)


def recall(reading: Reading, _kind: str | None) -> Act | None:
    """ "What did you just schedule?", "repeat what you did", "what have we done so far?"."""
    if reading.has("what_done") and not (_PLANS.search(reading.text) and _other_time(reading)):
        return Act.RECALL
    match = _WHAT_WAS_DONE.search(reading.text)
    if match is None or not _JUST_NOW.search(reading.text) or reading.content:
        return None
    named = any(name.strong and name.start > match.start() for name in reading.names)
    return None if named or _other_time(reading) or reading.pronouns.keys() & {"person"} else Act.RECALL


_PLANS = re.compile(r"\b(?:schedul|book|plan)", re.IGNORECASE)


def _other_time(reading: Reading) -> bool:
    """Whether a time is said that is not this moment: "what have I scheduled for tomorrow?"."""
    return any(not _NOW_WORDS.match(reading.text[span.start : span.end]) for span in reading.times)


def overdue(reading: Reading, _kind: str | None) -> Act | None:
    return Act.OVERDUE if reading.has("overdue") and not reading.has("create", "update") else None


def agenda(reading: Reading, kind: str | None) -> Act | None:
    asked = reading.has("agenda") or (reading.times and _HAVE_ON.match(reading.text))
    if not asked or kind is not None or reading.has("update", "create"):
        return None
    return Act.AGENDA if not reading.names else None


_HAVE_ON = re.compile(
    r"^\W*(?:so\s+|and\s+)*what\s*(?:(?:else\s+)?(?:do|have|did)\s+(?:i|we)\s+(?:have|got)|(?:is|'s|’s|have\s+i\s+got)\s+(?:coming\s+up|planned|on))\b(?!.*\b(?:to|about|of|for)\b)",
    re.IGNORECASE,
)
"""Asks what is planned: with a day, of that day."""


_ADVICE = re.compile(
    r"\b(?:which|who)\b.*\bneeds?\s+(?:an?\s+|some\s+)?(?:follow[\s-]?up|attention|chasing|nudge|nudging|a\s+call|call(?:ing)?)\b|"
    r"\bwho(?:'s|m|\s+is|\s+are)?\b.*\bto\s+(?:call|ring|phone|contact|chase|speak\s+(?:to|with)|talk\s+to|visit)\b"
    r"|\bwho\s+(?:should|shall|could|ought|must)\s+(?:i|we)\b.*\b(?:call|ring|phone|contact|chase|speak|talk|visit)\b|"
    r"\bhow\s+(?:(?:do|can|should|shall|would|could|must|might|to|i|we|you|best|now|then)\s+)+(?:move|push|advance|handle|approach|proceed|win|close|progress|take|nudge|play|bring|get|go\s+(?:on|further|forward|ahead|about|from)|continue|carry\s+on|keep\s+going|treat|deal\s+with|step)\b"
    r"|\b(?:next|best|right|smartest|first)\s+thing\b.*\b(?:i|we|to)\s+(?:\w+\s+)?(?:do|work|tackle|try|take)\b"
    r"|\b(?:best|most\s+useful|smartest|cleverest|right)\b.{0,20}\b(?:i|we)\s+(?:can|could|should|might|ought\s+to)\s+(?:\w+\s+)?do\b"
    r"|\bwhat\s+(?:(?:else|more|best|now|then)\s+)*(?:(?:i|we)\s+(?:can|could|should|shall|must|may|have\s+to|need\s+to)|(?:can|could|shall|must)\s+(?:i|we))\s+(?:\w+\s+)?do\b(?=.*\b(?:next|now|with|about|here|for)\b)"
    r"|\bwhere\s+(?:(?:do|can|should|shall|could|to|i|we|now)\s+)+(?:take|go)\b.*\b(?:from\s+here|from\s+there|next|now|with|it|this)\b|\bleft\s+to\s+do\s+(?:with|for|here|on)\b"
    r"|\bwhat\s+should\s+(?:i|we)\s+(?:work|tackle|concentrate|focus)\b(?!.*\btoday\b)|\bwhat\s+(?:else\s+)?(?:can|could|should|must|has\s+to|needs?\s+to)\s+be\s+done\b|\bwhat\s+needs?\s+doing\b"
    r"|\bwhich\s+(?:step|action|move)s?\b.*\bnext\b|\bwhat\s+(?:i|we)\s+(?:should|shall|must|could|can|ought\s+to)\s+(?:\w+\s+){1,3}next\b"
    r"|\bwhat\s+(?:else\s+)?(?:should|shall|must|ought)\s+(?:i|we)\b.*\b(?:next|doing)\b",
    re.IGNORECASE,
)


_SETS_NEXT_STEP = re.compile(
    r"\b(?:change|set|update|make)\b.*\bnext\s+(?:step|action)\b.*\b(?:to|is)\b", re.IGNORECASE
)
"""Gives the next step that is to be on record instead of asking for one."""


_SHOULD_I = re.compile(
    r"^\W*(?:(?:so|and|or|but|also|then)\s+)*should\s+(?:i|we)\s+(?!see\b|know\b|worry\b)\w+", re.IGNORECASE
)


def advise(reading: Reading, _kind: str | None) -> Act | None:
    if (
        reading.content
        or re.match(r"\s*(?:set|change|update|mark)\b", reading.text, re.IGNORECASE)
        or _SETS_NEXT_STEP.search(reading.text)
        or not (reading.has("advise") or _ADVICE.search(reading.text) or _SHOULD_I.match(reading.text))
    ):
        return None
    if _SHOULD_I.match(reading.text) and (reading.names or reading.pronouns):
        return Act.ADVISE
    if reading.has("create", "schedule") and reading.first("create", "schedule") < reading.first("advise"):
        return None
    return Act.ADVISE


_BY = re.compile(r"\bby\s+(?:status|stage|type|health)\b|\bbreak\w*\b.*\bdown\b|\bbreakdown\b", re.IGNORECASE)


_SUM = re.compile(
    r"\b(?:worth|altogether|in\s+total|total\s+(?:value|amount|worth)|combined|sum\s+of|add\s+up|value\s+of)\b",
    re.IGNORECASE,
)


_KIND_PLURAL = re.compile(r"\b(?:leads|prospects|deals|opportunities|opps|accounts|contacts)\b", re.IGNORECASE)


_SUPERLATIVE = re.compile(
    r"\b(?:most|least|biggest|largest|smallest|highest|lowest|oldest|newest|first|soonest)\b", re.IGNORECASE
)
"""Asks which one, not how much all of them."""


_TOTAL = re.compile(
    r"^\W*(?:(?:and|so|what(?:'s|\s+is)|show|give|tell|me|us|the|our|my|please)\s+)*(?:(?:grand\s+)?total|amount|quantity|sum|#)\s*(?:number\s+|count\s+|amount\s+)?(?:of\s+)?(?:(?:all|our|my|the|\w+)\s+){0,2}(?:leads|prospects|deals|opportunities|opps|accounts|contacts)\b"
    r"|\b(?:leads?|prospects|deals?|opportunit(?:ies|y)|opps|accounts?|contacts?)\s+(?:(?:in|as\s+a)\s+)?(?:total|count|altogether|overall|headcount)\b[\s?.!]*(?:please)?[\s?.!]*$",
    re.IGNORECASE,
)
"""A number asked for without "how many": "total leads?", "leads total"."""
_TOTAL_WORDS = 9


def count(reading: Reading, kind: str | None) -> Act | None:
    if reading.first("create", "update") < min(reading.first("count"), len(reading.text)):
        return None
    if field_of(reading) == "employee_count" and (reading.names or reading.pronouns) and kind in (None, "account"):
        return None  # "How many employees do they have?" asks for a field.
    if _BY.search(reading.text) and not any(name.strong for name in reading.names):
        return Act.SUMMARY
    if (
        kind
        and not _SUPERLATIVE.search(reading.text)
        and _SUM.search(reading.text)
        and _KIND_PLURAL.search(reading.text)
        and not any(name.strong for name in reading.names)
    ):
        return Act.COUNT
    if kind and len(reading.text.split()) <= _TOTAL_WORDS and _TOTAL.search(reading.text) and not reading.has("update"):
        return Act.COUNT
    if not reading.has("count"):
        return None
    if (
        re.search(r"\bhow much\b", reading.text, re.IGNORECASE)
        and (reading.names or (reading.pronouns and "plural" not in reading.pronouns))
        and kind is None
    ):
        return None
    return Act.COUNT


_PEOPLE = re.compile(
    r"\bwho(?:'s)?\s+(?:runs?|handles?|decides?|signs?|(?:is\s+)?in\s+charge|makes?|buys?)\b.*\b(?:at|there|for|from|in|of)\b"
    r"|\bwho(?:'s|\s+is|\s+are)\b.*\b(?:contacts?|person|people|guys?|buyer)\b.*\b(?:at|in|for|from|of|there)\b"
    r"|\bwho(?:'s|\s+else|\s+all)?\b.*\b(?:works?|working|do\s+we\s+(?:know|have)|is|are|sits?|employed)\b.*\b(?:at|there|for|from|in|with)\b"
    r"|\b(?:any(?:one|body)|some(?:one|body)|who|people)\b.*\b(?:in|near|around)\s+\w+[?.!\s]*$"
    r"|\b(?:people|persons|contacts|everyone|everybody|anyone|colleagues|employees|staff)\b.*\b(?:at|there|from|of|in\s+(?:this|that|the))\b",
    re.IGNORECASE,
)


def people(reading: Reading, kind: str | None) -> Act | None:
    """ "who works there?", "who do we know at ABC Corp?" """
    if kind in ("lead", "opportunity") or not (
        reading.names or "thing" in reading.pronouns or (reading.pronouns and "plural" not in reading.pronouns)
    ):
        return None
    return Act.PEOPLE if _PEOPLE.search(reading.text) and not reading.has("count", "create") else None


_DONE = re.compile(
    r"\b(?:i|we|he|she|they)(?:'ve|\s+have|\s+has)?\s+(?:did|done|do|been\s+(?:doing|up\s+to)|got\s+done|get\s+done)\b",
    re.IGNORECASE,
)


def activities(reading: Reading, kind: str | None) -> Act | None:
    if kind is not None and not reading.has("activity"):
        return None
    past = (
        reading.times
        and reading.times[0].last
        and reading.times[0].first
        and re.search(r"\b(?:last|yesterday|past|previous|today|this)\b", reading.text, re.IGNORECASE)
    )
    if (
        past
        and _DONE.search(reading.text)
        and re.search(r"\b(?:what|everything|all|things|stuff)\b", reading.text, re.IGNORECASE)
    ):
        return Act.ACTIVITIES
    plural = re.search(r"\b(?:calls|meetings|demos|emails|tasks|appointments)\b", reading.text, re.IGNORECASE)
    if (
        reading.has("activity")
        or (plural and reading.has("show", "about"))
        or (reading.activities and is_question(reading.text) and (reading.times or plural))
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
        if scheduled and (reading.names or reading.pronouns or is_question(reading.text)) and kind is None
        else None
    )


_SHORT = 3
"""Words of a sentence that is nothing but a field: "score?", "and the phone"."""


_VERIFIES = re.compile(r"\s*(?:please\s+|kindly\s+)?(?:re-?)?(?:confirm|verify|check|state|indicate)\b", re.IGNORECASE)


def field(reading: Reading, _kind: str | None) -> Act | None:
    field = field_of(reading)
    is_short = len(reading.text.split()) <= _SHORT
    if field is None or not (reading.names or reading.pronouns or is_short):
        return None
    if _KIND_PLURAL.search(reading.text):
        return None
    asked = is_question(reading.text) or reading.has("show", "about") or is_short or _VERIFIES.match(reading.text)
    return Act.FIELD if asked else None


def listing(reading: Reading, kind: str | None) -> Act | None:
    if kind is None:
        return None
    filtered = _SUPERLATIVE.search(reading.text) is not None or bool(
        reading.values or reading.amounts or reading.times or reading.top or reading.mine or reading.has("closing")
    )
    if kind == "opportunity" and not reading.has("opportunity") and re.search(r"\bopen\b", reading.text):
        return Act.LIST
    plural = re.search(
        r"\b(?:leads|prospects|contacts|people|accounts|companies|opportunities|deals|opps|firms|clients|customers|businesses|organi[sz]ations)\b",
        reading.text,
        re.IGNORECASE,
    )
    of_one = "person" in reading.pronouns and "plural" not in reading.pronouns
    if plural or (filtered and not reading.names and not of_one):
        return Act.LIST
    return None


def summary(reading: Reading, _kind: str | None) -> Act | None:
    if reading.has("summary") and not reading.names and not reading.pronouns.keys() & {"person"}:
        return Act.SUMMARY
    return None


_ORDINAL = re.compile(
    r"\b(?:the|number|no\.?)\s+(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|\d)\b", re.IGNORECASE
)


def inquire(reading: Reading, kind: str | None) -> Act | None:
    named = any(name.strong for name in reading.names)
    maybe_named = reading.names and (reading.has("show", "about") or len(reading.text.split()) <= _SHORT)
    if named or maybe_named or reading.pronouns.keys() & {"person", "thing"} or (kind and reading.has("about")):
        return Act.INQUIRE
    if _ORDINAL.search(reading.text):
        return Act.INQUIRE
    return None
