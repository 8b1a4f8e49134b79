"""Rules for clauses that ask for information. Each returns its act, or None for any other clause."""

import re

from aisha.adapters.llm.offline.intent import Act, activity_type_of, field_of, is_question
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern

_SCAN = pattern(r"\b(?:re-?)?scan(?:s|ned|ning)?\b|\bcheck\b.*\b(?:duplicates?|data quality)\b")
_PAPER_DOCUMENT = pattern(
    r"\b(?:cards?|documents?|badges?|(?:bar|qr)[\s-]?codes?|receipts?|invoices?|pages?|photos?|pictures?|pdfs?)\b"
)
# "haven't spoken to", "gone quiet", "neglected", "overdue for a call".
_NOT_CONTACTED = pattern(
    r"\b(?:haven't|have not|hasn't|has not|'ve not|not|never|didn't|nobody(?:'s| has)?|no one(?:'s| has)?|without)\b"
    r"(?: [\w']+){0,3}? (?:spoken|spoke|speak|talked?|contacted|called|rung|heard|hear|reached|touched|touch|met|seen"
    r"|emailed|followed up|checked in|caught up|chased|visited)\b|\b(?:gone|went|been|going|are|is) (?:\w+ )?"
    r"(?:quiet|cold|silent|dark)\b|\bneglect(?:ed|ing)\b|\bno contact\b|\b(?:lost|losing|out of) touch\b|\buntouched\b"
    r"|\bnot (?:been )?contacted\b|\bignor(?:ed|ing)\b|\boverdue for (?:a )?(?:call|check|chat)"
)
_ASKS_WHO = pattern(
    r"^\s*(?:who|whom|which|what|any(?:one|body)?|is there|are there|list|show|everyone|everybody|people|customers"
    r"|contacts|leads|clients|accounts|have (?:i|we|any)|has any(?:one|body)|did any|do i|am i|are we)\b"
)
_PAST_VERB = (
    r"(?:did|do|done|made|make|changed?|created?|scheduled?|booked?|add(?:ed)?|put|set|enter(?:ed)?|written|wrote|write"
    r"|noted?|logged|saved?|planned|arranged?|record(?:ed)?|registered|updated?|deleted?|removed?|moved?|marked?"
    r"|achieved|accomplished|got\s+done)"
)
_ACTOR = r"(?:i|we|you)(?:['’](?:ve|d)|\s+have|\s+had)?"
_RECENT_ADVERB = r"(?:just(?:\s+now)?|now|so\s+far|already|last|actually|really|all)"
# "what have you just done", "everything we changed", "did you create it".
_WHAT_WAS_DONE = pattern(
    r"\bwhat(?:ever)?\b(?: (?:exactly|precisely|else))?"
    r"(?: (?:was|is) (?:it|that|the (?:last )?thing)(?: (?:that|which))?)?"
    rf"(?: (?:activity|task|call|note|things?|changes?|stuff|all))? (?:(?:did|have|had) )?"
    rf"{_ACTOR}(?: {_RECENT_ADVERB})* {_PAST_VERB}"
    r"\b(?P<rest>.*)|\b(?:everything|anything|all|the (?:last )?(?:thing|changes?|activity|task|note)) (?:that )?"
    rf"{_ACTOR}(?: {_RECENT_ADVERB})* {_PAST_VERB}\b(?P<more>.*)"
    rf"|^\W*(?:so |and |wait )*(?:did|have) you(?: (?:just|already|really|actually|now))* {_PAST_VERB}"
    r" (?:it|that|this|them|everything|anything|something|the \w+|an? \w+)\b(?P<also>.*)"
)
# The time of this conversation.
_JUST_NOW = pattern(
    r"\b(?:just(?: now)?|so far|right now|(?:un)?till? now|up to now|a (?:second|sec|moment|minute|min) ago|last|before"
    r"|again|repeat|already|remind me (?:of )?(?:what|everything)|(?:in|during) this (?:chat|conversation|session)"
    r"|together|you)\b"
)
_NOW_WORDS = pattern(r"\s*(?:just |right )?now\s*$|.*\bago\s*$")
_PLANS = pattern(r"\b(?:schedul|book|plan)")
_ASKS_PLANS = pattern(
    r"^\W*(?:so |and )*what\s*(?:(?:else )?(?:do|have|did) (?:i|we) (?:have|got)"
    r"|(?:is|'s|’s|have i got) (?:coming up|planned|on))\b(?!.*\b(?:to|about|of|for)\b)"
)
"""Recognises a question about plans, for a day when one is named."""
_ADVICE = pattern(
    # Whom to contact: "which leads need a nudge", "who's next to call", "who should I visit".
    r"\b(?:which|who)\b.*\bneeds? (?:an? |some )?"
    r"(?:follow[\s-]?up|attention|chasing|nudge|nudging|a call|call(?:ing)?)\b"
    r"|\bwho(?:'s|m| is| are)?\b.*\bto (?:call|ring|phone|contact|chase|speak (?:to|with)|talk to|visit)\b"
    r"|\bwho (?:should|shall|could|ought|must) (?:i|we)\b.*\b(?:call|ring|phone|contact|chase|speak|talk|visit)\b"
    # How to go on with a record: "how do I move this forward".
    r"|\bhow (?:(?:do|can|should|shall|would|could|must|might|to|i|we|you|best|now|then) )+"
    r"(?:move|push|advance|handle|approach|proceed|win|close|progress|take|nudge|play|bring|get"
    r"|go (?:on|further|forward|ahead|about|from)|continue|carry on|keep going|treat|deal with|step)\b"
    # What to do next: "the best thing to do", "what else can we do here", "where do we go from here".
    r"|\b(?:next|best|right|smartest|first) thing\b.*\b(?:i|we|to) (?:\w+ )?(?:do|work|tackle|try|take)\b"
    r"|\b(?:best|most useful|smartest|cleverest|right)\b.{0,20}"
    r"\b(?:i|we) (?:can|could|should|might|ought to) (?:\w+ )?do\b"
    r"|\bwhat (?:(?:else|more|best|now|then) )*(?:(?:i|we) (?:can|could|should|shall|must|may|have to|need to)"
    r"|(?:can|could|shall|must) (?:i|we)) (?:\w+ )?do\b(?=.*\b(?:next|now|with|about|here|for)\b)"
    r"|\bwhere (?:(?:do|can|should|shall|could|to|i|we|now) )+(?:take|go)\b.*"
    r"\b(?:from here|from there|next|now|with|it|this)\b"
    r"|\bleft to do (?:with|for|here|on)\b|\bwhat should (?:i|we) (?:work|tackle|concentrate|focus)\b(?!.*\btoday\b)"
    r"|\bwhat (?:else )?(?:can|could|should|must|has to|needs? to) be done\b|\bwhat needs? doing\b"
    r"|\bwhich (?:step|action|move)s?\b.*\bnext\b"
    r"|\bwhat (?:i|we) (?:should|shall|must|could|can|ought to) (?:\w+ ){1,3}next\b"
    r"|\bwhat (?:else )?(?:should|shall|must|ought) (?:i|we)\b.*\b(?:next|doing)\b"
)
_SETS_NEXT_STEP = pattern(r"\b(?:change|set|update|make)\b.*\bnext (?:step|action)\b.*\b(?:to|is)\b")
"""Recognises a change of the next step on record, rather than a question about it."""
_SHOULD_I = pattern(r"^\W*(?:(?:so|and|or|but|also|then) )*should (?:i|we) (?!see\b|know\b|worry\b)\w+")
_GROUPED = pattern(r"\bby (?:status|stage|type|health)\b|\bbreak\w*\b.*\bdown\b|\bbreakdown\b")
_SUM = pattern(r"\b(?:worth|altogether|in total|total (?:value|amount|worth)|combined|sum of|add up|value of)\b")
_KIND_PLURAL = pattern(r"\b(?:leads|prospects|deals|opportunities|opps|accounts|contacts)\b")
_SUPERLATIVE = pattern(r"\b(?:most|least|biggest|largest|smallest|highest|lowest|oldest|newest|first|soonest)\b")
"""Recognises a question for one record, not for the sum of all."""
_TOTAL = pattern(
    r"^\W*(?:(?:and|so|what(?:'s| is)|show|give|tell|me|us|the|our|my|please) )*"
    r"(?:(?:grand )?total|amount|quantity|sum|#)\s*(?:number |count |amount )?(?:of )?(?:(?:all|our|my|the|\w+) ){0,2}"
    r"(?:leads|prospects|deals|opportunities|opps|accounts|contacts)\b"
    r"|\b(?:leads?|prospects|deals?|opportunit(?:ies|y)|opps|accounts?|contacts?) (?:(?:in|as a) )?"
    r"(?:total|count|altogether|overall|headcount)\b[\s?.!]*(?:please)?[\s?.!]*$"
)
"""Recognises a number asked for without "how many": "total leads?", "leads total"."""
_MAX_TOTAL_WORDS = 9
# "who runs it there", "who's the buyer at", "who works for", "anybody in Dallas".
_PEOPLE = pattern(
    r"\bwho(?:'s)? (?:runs?|handles?|decides?|signs?|(?:is )?in charge|makes?|buys?)\b.*\b(?:at|there|for|from|in|of)\b"
    r"|\bwho(?:'s| is| are)\b.*\b(?:contacts?|person|people|guys?|buyer)\b.*\b(?:at|in|for|from|of|there)\b"
    r"|\bwho(?:'s| else| all)?\b.*\b(?:works?|working|do we (?:know|have)|is|are|sits?|employed)\b.*\b"
    r"(?:at|there|for|from|in|with)\b"
    r"|\b(?:any(?:one|body)|some(?:one|body)|who|people)\b.*\b(?:in|near|around) \w+[?.!\s]*$|\b(?:people|persons"
    r"|contacts|everyone|everybody|anyone|colleagues|employees|staff)\b.*\b(?:at|there|from|of|in (?:this|that|the))\b"
)
_DONE = pattern(r"\b(?:i|we|he|she|they)(?:'ve| have| has)? (?:did|done|do|been (?:doing|up to)|got done|get done)\b")
_MAX_FIELD_WORDS = 3
"""Words of a clause that is nothing but a field: "score?", "and the phone"."""
_VERIFY = pattern(r"\s*(?:please |kindly )?(?:re-?)?(?:confirm|verify|check|state|indicate)\b")
_ORDINAL = pattern(r"\b(?:the|number|no\.?) (?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|\d)\b")


def scan(reading: Reading, _kind: str | None) -> Act | None:
    """Match "run a scan for stale leads", "what did the last scans find", but no scanned card."""
    if not _SCAN.search(reading.text) or _PAPER_DOCUMENT.search(reading.text) or reading.content or reading.quoted:
        return None
    named = any(name.strong and not _SCAN.search(name.text) for name in reading.names)
    return None if named or reading.has("note", "remind", "schedule") else Act.SCAN


def silent(reading: Reading, kind: str | None) -> Act | None:
    """Match "who haven't I spoken to in two weeks", "which leads have gone quiet": about all, not about one person."""
    if kind == "opportunity" or not (_NOT_CONTACTED.search(reading.text) and _ASKS_WHO.search(reading.text)):
        return None
    names_subject = any(name.strong for name in reading.names) or reading.pronouns.keys() & {"person", "thing"}
    return None if names_subject or reading.content or reading.has("count", "note", "remind") else Act.SILENT


def recall(reading: Reading, _kind: str | None) -> Act | None:
    """Match "what did you just schedule?", "repeat what you did", "what have we done so far?"."""
    if reading.has("what_done") and not (_PLANS.search(reading.text) and _other_time(reading)):
        return Act.RECALL
    match = _WHAT_WAS_DONE.search(reading.text)
    if match is None or not _JUST_NOW.search(reading.text) or reading.content:
        return None
    named = any(name.strong and name.start > match.start() for name in reading.names)
    return None if named or _other_time(reading) or reading.pronouns.keys() & {"person"} else Act.RECALL


def _other_time(reading: Reading) -> bool:
    """Return whether the clause names a time other than now: "what have I scheduled for tomorrow?"."""
    return any(not _NOW_WORDS.match(reading.text[span.start : span.end]) for span in reading.times)


def overdue(reading: Reading, _kind: str | None) -> Act | None:
    return Act.OVERDUE if reading.has("overdue") and not reading.has("create", "update") else None


def agenda(reading: Reading, kind: str | None) -> Act | None:
    is_agenda = reading.has("agenda") or (reading.times and _ASKS_PLANS.match(reading.text))
    if not is_agenda or kind is not None or reading.has("update", "create"):
        return None
    return Act.AGENDA if not reading.names else None


def advise(reading: Reading, _kind: str | None) -> Act | None:
    if (
        reading.content
        or pattern(r"\s*(?:set|change|update|mark)\b").match(reading.text)
        or _SETS_NEXT_STEP.search(reading.text)
        or not (reading.has("advise") or _ADVICE.search(reading.text) or _SHOULD_I.match(reading.text))
    ):
        return None
    if _SHOULD_I.match(reading.text) and (reading.names or reading.pronouns):
        return Act.ADVISE
    if reading.has("create", "schedule") and reading.first("create", "schedule") < reading.first("advise"):
        return None
    return Act.ADVISE


def count(reading: Reading, kind: str | None) -> Act | None:
    if reading.first("create", "update") < min(reading.first("count"), len(reading.text)):
        return None
    if field_of(reading) == "employee_count" and (reading.names or reading.pronouns) and kind in (None, "account"):
        return None  # "How many employees do they have?" asks for a field.
    if _GROUPED.search(reading.text) and not any(name.strong for name in reading.names):
        return Act.SUMMARY
    if (
        kind
        and not _SUPERLATIVE.search(reading.text)
        and _SUM.search(reading.text)
        and _KIND_PLURAL.search(reading.text)
        and not any(name.strong for name in reading.names)
    ):
        return Act.COUNT
    if (
        kind
        and len(reading.text.split()) <= _MAX_TOTAL_WORDS
        and _TOTAL.search(reading.text)
        and not reading.has("update")
    ):
        return Act.COUNT
    if not reading.has("count"):
        return None
    if (
        pattern(r"\bhow much\b").search(reading.text)
        and (reading.names or (reading.pronouns and "plural" not in reading.pronouns))
        and kind is None
    ):
        return None
    return Act.COUNT


def people(reading: Reading, kind: str | None) -> Act | None:
    """Match "who works there?", "who do we know at ABC Corp?"."""
    if kind in ("lead", "opportunity") or not (
        reading.names or "thing" in reading.pronouns or (reading.pronouns and "plural" not in reading.pronouns)
    ):
        return None
    return Act.PEOPLE if _PEOPLE.search(reading.text) and not reading.has("count", "create") else None


def activities(reading: Reading, kind: str | None) -> Act | None:
    if kind is not None and not reading.has("activity"):
        return None
    past = (
        reading.times
        and reading.times[0].last
        and reading.times[0].first
        and pattern(r"\b(?:last|yesterday|past|previous|today|this)\b").search(reading.text)
    )
    if (
        past
        and _DONE.search(reading.text)
        and pattern(r"\b(?:what|everything|all|things|stuff)\b").search(reading.text)
    ):
        return Act.ACTIVITIES
    plural = pattern(r"\b(?:calls|meetings|demos|emails|tasks|appointments)\b").search(reading.text)
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
    scheduled = pattern(r"\b(?:planned|scheduled|upcoming|coming up|on the books)\b").search(reading.text)
    return (
        Act.ACTIVITIES
        if scheduled and (reading.names or reading.pronouns or is_question(reading.text)) and kind is None
        else None
    )


def field(reading: Reading, _kind: str | None) -> Act | None:
    field = field_of(reading)
    is_short = len(reading.text.split()) <= _MAX_FIELD_WORDS
    if field is None or not (reading.names or reading.pronouns or is_short):
        return None
    if _KIND_PLURAL.search(reading.text):
        return None
    is_asked = is_question(reading.text) or reading.has("show", "about") or is_short or _VERIFY.match(reading.text)
    return Act.FIELD if is_asked else None


def listing(reading: Reading, kind: str | None) -> Act | None:
    if kind is None:
        return None
    filtered = _SUPERLATIVE.search(reading.text) is not None or bool(
        reading.values or reading.amounts or reading.times or reading.top or reading.mine or reading.has("closing")
    )
    if kind == "opportunity" and not reading.has("opportunity") and re.search(r"\bopen\b", reading.text):
        return Act.LIST
    plural = pattern(
        r"\b(?:leads|prospects|contacts|people|accounts|companies|opportunities|deals|opps|firms|clients"
        r"|customers|businesses|organi[sz]ations)\b"
    ).search(reading.text)
    of_one = "person" in reading.pronouns and "plural" not in reading.pronouns
    if plural or (filtered and not reading.names and not of_one):
        return Act.LIST
    return None


def summary(reading: Reading, _kind: str | None) -> Act | None:
    if reading.has("summary") and not reading.names and not reading.pronouns.keys() & {"person"}:
        return Act.SUMMARY
    return None


def inquire(reading: Reading, kind: str | None) -> Act | None:
    named = any(name.strong for name in reading.names)
    maybe_named = reading.names and (reading.has("show", "about") or len(reading.text.split()) <= _MAX_FIELD_WORDS)
    if named or maybe_named or reading.pronouns.keys() & {"person", "thing"} or (kind and reading.has("about")):
        return Act.INQUIRE
    if _ORDINAL.search(reading.text):
        return Act.INQUIRE
    return None
