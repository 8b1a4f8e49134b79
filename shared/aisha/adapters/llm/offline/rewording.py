"""Says again, in the words that the rest of the planner reads, what people put in other ways.

A rule is a pattern and the sentence that it stands for. It keeps what was said of whom, and when, as it is.
"""

import re
from collections.abc import Callable, Sequence

_WHOM = r"(?P<whom>(?!me\b|us\b|my\b|our\b|any|every|some|these\b|those\b|all\b|no\b)[^,.;:!?]+?)"
_FOR_NOW = re.compile(
    r"\b(?:yet|now|today|tonight|tomorrow|until|till|before|unless|just|this|next|about|on|at|after|anything|and|but|instead|him\s+that|her\s+that)\b",
    re.IGNORECASE,
)
"""Puts something off, which is no lasting wish."""
_NAME = r"[A-ZÀ-Þ][\w'’.-]+(?:\s+[A-ZÀ-Þ][\w'’.-]+){0,2}"
_CHANNEL = {"call": "call", "phone": "call", "ring": "call", "phon": "call", "email": "email", "mail": "email"}


def _no_more(match: re.Match[str]) -> str:
    """The lasting wish, unless it only puts something off."""
    if _FOR_NOW.search(match["whom"]):
        return match[0]
    verb = match["verb"].lower().replace("-", "").removesuffix("s").removesuffix("ing")
    return f"mark {match['whom']} as do-not-{_CHANNEL.get(verb, 'call')}"


_VERB = r"(?P<verb>call|phone|ring|e-?mail|mail)"
_Replacement = str | Callable[[re.Match[str]], str]


def _rule(pattern: str, said: _Replacement, exact_case: bool = False) -> tuple[re.Pattern[str], _Replacement]:
    return re.compile(pattern, re.DOTALL if exact_case else re.IGNORECASE | re.DOTALL), said


_WHOLE: Sequence[tuple[re.Pattern[str], _Replacement]] = (
    _rule(
        rf"(?:please\s+)?(?:don't|dont|do\s+not|never)\s+(?:ever\s+)?{_VERB}\s+{_WHOM}(?:\s+(?:again|any\s?more|ever|ever\s+again|please))*[.!\s]*",
        _no_more,
    ),
    _rule(
        rf"(?:please\s+)?stop\s+(?P<verb>calling|phoning|ringing|e-?mailing|mailing)\s+{_WHOM}(?:\s+please)?[.!\s]*",
        _no_more,
    ),
    _rule(rf"(?:please\s+)?no\s+more\s+(?P<verb>calls|e-?mails|mails)\s+(?:to|for)\s+{_WHOM}[.!\s]*", _no_more),
    _rule(
        r"(?:for\s+the\s+record|for\s+your\s+information|so\s+you\s+know|just\s+so\s+you\s+know|note\s+for\s+yourself)[\s,:]+(?=(?:my|our|i|we)\b)(?P<text>.+)",
        r"remember that \g<text>",
    ),
    _rule(
        rf"(?P<whom>{_NAME})\s+(?:could|might|may|should|can|will)\s+be\s+worth\s+(?P<sum>[^,;.]+?)(?:[,;]\s*(?:and\s+)?score\s+(?:him|her|them|it)\s+(?:at\s+)?(?P<n>\d+))?[.!\s]*",
        lambda m: f"set the estimated value of {m['whom']} to {m['sum']}" + (f", score {m['n']}" if m["n"] else ""),
        exact_case=True,
    ),
    _rule(
        r"(?:and\s+|then\s+|please\s+)*(?:score|rate)\s+(?P<whom>him|her|them|it|[A-Z]\S+(?:\s+[A-Z]\S+)?)\s+(?:at\s+|with\s+)?(?P<n>\d{1,3})[.!\s]*",
        r"set the score of \g<whom> to \g<n>",
    ),
    _rule(
        rf"(?P<whom>{_NAME})\s+(?:has\s+|just\s+)*(?:left|quit)\s+[^,;.]+[,;.]\s*(?:and\s+|now\s+)*(?:(?:he|she|they)(?:'s|'re|\s+is|\s+are|\s+has)?\s+)?(?:now\s+)?(?:works?\s+(?:at|for)|working\s+(?:at|for)|is\s+(?:now\s+)?(?:at|with)|at|with|moved\s+to|went\s+to|joined)\s+(?P<company>[A-Z][^,;.!?]*?)(?:\s+now)?[.!\s]*",
        r"change the company of \g<whom> to \g<company>",
        exact_case=True,
    ),
    _rule(
        rf"(?P<whom>{_NAME})\s+(?:has\s+|just\s+|now\s+)*(?:joined|works\s+(?:at|for)|moved\s+(?:over\s+)?to|switched\s+to|went\s+to)\s+(?P<company>[A-Z][^,;.!?]*?)\s+(?:now|last\s+\w+|recently)[.!\s]*",
        r"change the company of \g<whom> to \g<company>",
        exact_case=True,
    ),
)
_LOGGED = (
    _rule(
        r"(?:please\s+)?(?:log|record|enter)\s+(?:a|an|the|my|our|today's|this)\s+(?P<kind>(?:\w+\s+)?(?:call|meeting|demo|visit|conversation|chat))\s+(?:with|to)\s+(?P<whom>[^,:;.]+?)\s*[,:;.-]\s*"
        r"(?P<told>(?:(?:he|she|they|we|i)\b|no\s+answer|left\b|voicemail|went\b|discussed|talked|spoke|nobody|was\b|good\b|very\b|agreed).+)",
        lambda m: f"add a note for {m['whom']}: {m['kind'].capitalize()}: {m['told']}",
    ),
)
"""What was done is written down, and nothing is planned for it."""
_SORTED = (
    _rule(
        r"(?:please\s+)?(?:sort|order|rank)(?:ed)?\s+(?:(?:them|these|those|it|the\s+list)\s+)?by\s+(?:the\s+)?(?:estimated\s+)?(?:value|worth|amount|size|revenue|sum)(?:\s+please)?[.!?\s]*",
        "and the highest value ones",
    ),
    _rule(
        r"(?:please\s+)?(?:sort|order|rank)(?:ed)?\s+(?:(?:them|these|those|it|the\s+list)\s+)?by\s+(?:the\s+)?(?:clos(?:e|ing)\s+(?:date|day)|when\s+they\s+close)(?:\s+please)?[.!?\s]*",
        "and the ones closing first",
    ),
)
_MAILS = (
    _rule(
        r"(?:i|we)(?:'d|\s+would)?\s+(?:need|want|like)\s+(?:to\s+have\s+)?(?:an?\s+)?(?P<tone>(?:formal|friendly|short|brief|polite|nice|quick)\s+)?e?-?mails?\s+(?:to|for)\s+(?P<rest>(?!me\b)(?:(?!\b(?:tomorrow|today|monday|tuesday|wednesday|thursday|friday|next\s+week)\b).)+?)(?:[\s,.]+(?:just|only)\s+(?:a\s+|the\s+)?drafts?)?[.!\s]*",
        lambda m: f"draft a {m['tone'] or ''}email to {m['rest']}",
    ),
)
_CLAUSES: Sequence[tuple[re.Pattern[str], _Replacement]] = (
    _rule(
        r"(?:the\s+)?(?P<what>(?!it\b|this\b|that\b|i\b|we\b|the\s+(?:call|meeting|demo|task|appointment|workshop)).+?)\s+(?:slips?|slipped|is\s+slipping|has\s+slipped|got\s+pushed|is\s+pushed|moves\s+out|will\s+slip)\s+(?:back\s+|out\s+)?(?:to|into|until)\s+(?P<when>.+)",
        r"change the close date of \g<what> to \g<when>",
    ),
    _rule(
        r"(?:the\s+)?next\s+step\s+(?:on|for|of|with|in)\s+(?P<what>.+?)\s+(?:is|should\s+be|will\s+be)\s+(?:now\s+)?(?P<step>.+)",
        r"set the next step of \g<what> to \g<step>",
    ),
    _rule(
        rf"(?:(?:now|and|then|ok|next)[\s,]+)+(?P<whom>{_NAME})['’]s?\s+(?:page|screen|record)[.!\s]*",
        r"open \g<whom>'s page",
    ),
    _rule(
        r"(?:did|has|have)\s+(?:any(?:body|one)|some(?:body|one)|we|i)\s+(?:ever\s+)?(?:write|written|wrote|note|noted|put|jot|jotted|log|logged)\s+(?:down\s+)?(?:something|anything|a\s+note|notes|it)?\s*(?:down\s+)?(?:about|on|regarding)\s+(?:an?\s+|the\s+)?(?P<what>[^?]+)[?.!\s]*",
        lambda m: m[0] if re.search(r"[A-Z]\w+\s+[A-Z]", m["what"]) else f"search the notes for {m['what'].strip()}",
    ),
    _rule(
        r"(?:is\s+there\s+|do\s+we\s+have\s+)?(?:any(?:body|one)|some(?:body|one)|who|others?|leads?|people)\s+(?:else\s+|who\s+is\s+)?(?:just\s+)?like\s+(?P<whom>him|her|them|[A-Z]\S+(?:\s+[A-Z]\S+)?)[?.!\s]*",
        r"who else is like \g<whom>?",
    ),
    _rule(
        r"(?:oops|sorry|no|ah|wait|hm+)?[\s,.!]*(?:that's\s+|thats\s+|it's\s+)?(?:the\s+)?wrong\s+(?:day|time|date|hour|week)[\s,.:;!-]+(?:(?:i\s+mean[t]?|should\s+be|it'?s|make\s+it|rather)\s+)?(?P<when>.+)",
        r"move it to \g<when>",
    ),
    _rule(
        r"where\s+(?:in|do|does|can)\b[^?]*?\b(?:docs|documents?|documentation|handbook|playbook|files|manuals?|knowledge\s+base)\b\s*(?:do(?:es)?\s+(?:it|they|we)\s+(?:say|explain|describe|mention)|(?:is|says?|can\s+i\s+find|do\s+i\s+find|have)\b)?\s*(?P<what>[^?]{4,})[?.!\s]*",
        r"search our documents for \g<what>",
    ),
    _rule(
        r"(?:please\s+)?(?:check|go\s+through|look\s+through|inspect)\s+(?:the|our|my)\s+(?:data|crm|records?|database)\s+(?:for|to\s+find)\s+(?:\w+\s+)?(?:holes|gaps|errors|mistakes|problems|missing\b.*|duplicates|blanks)(?:\s+(?:too|as\s+well|also|please))*[.!?\s]*",
        "run a data quality scan",
    ),
)


_KIND_OF_ACTIVITY = r"(?:(?!(?:new|an?|the)\b)[\w-]+\s+){0,2}?(?:follow[\s-]?ups?|calls?|meetings?|demos?|tasks?|appointments?|emails?|chat|catch[\s-]?up|lunch|coffee|sit-?down|session|visit|get-together)"
_THEN_ACTIVITY = re.compile(
    rf"\s*(?:->|=>|→|>|:)\s*(?:an?\s+)?(?={_KIND_OF_ACTIVITY}\s+(?:for|with)\s+(?:the\s+)?(?:top|best|first|hottest|each|all|every|\d)\b)",
    re.IGNORECASE,
)
"""From a list to what is to be done with it: "warm leads -> follow-up for top 3"."""
_ABOUT_TIME = re.compile(
    r"^\W*(?:(?:so|well|ok|okay|right|and|um|uh)[\s,]+)*(?:i\s+(?:think|guess|suppose|reckon)\s+)?(?:it'?s|it\s+is)\s+(?:about\s+|high\s+|now\s+)?time(?:\s+(?:that|to|for|i|we|us))*[\s,]+(?=\w)",
    re.IGNORECASE,
)
_PUT_IN = re.compile(
    rf"\b(?:fix(?:\s+up)?|pencil\s+in|line\s+up|organi[sz]e|arrange|lock\s+in|nail\s+down|sort\s+out|get|set|slot\s+in)\s+(?:me\s+|us\s+)?(?P<what>(?:an?|another)\s+{_KIND_OF_ACTIVITY})\b(?:\s+(?:pencil+ed\s+in|lined\s+up|booked|scheduled|arranged|fixed|sorted|set\s+up|going))?"
    r"(?:\s+(?:on|in|into|onto|to)\s+(?:the|my|our)\s+(?:books?|calendar|diary|schedule|agenda))?(?=\s+(?:with|for|to|on|at|tomorrow|today|next|this)\b|\W*$)(?!\s+for\s+me\s+to\b)",
    re.IGNORECASE,
)
"""Idioms of scheduling: "get a meeting on the books with Ann", "fix a meeting"."""


_LIKE_HIM_AS = re.compile(
    r"\b(?:i|we)(?:['’]d|\s+would)?\s+(?:like|want|need)\s+(?:to\s+have\s+)?(?P<whom>him|her|them)\s+(?:in\s+)?(?:as|to\s+be)\s+(?=an?\b|our\b|my\b)",
    re.IGNORECASE,
)
_TAKE_OUT = re.compile(
    rf"\btake\s+(?P<whom>him|her|it|them|this|that|(?-i:{_NAME}))\s+(?:out\s+of|off|from)\s+(?=(?:the|our|my)\s+(?:contacts?|leads?|accounts?|deals?|list|crm|system|database|books|records)\b)",
    re.IGNORECASE,
)
_LETS_HAVE = re.compile(
    rf"\b(?:(?:let['’]?s|let\s+us|we\s+should|we\s+could)\s+(?:have|do|hold)\s+(?P<what>(?:an?|another)\s+{_KIND_OF_ACTIVITY})(?=\s+(?:with|on|at|tomorrow|today|next|this)\b)|book\s+(?:me|us)\s+in(?=\s+with\b))",
    re.IGNORECASE,
)


_DONE = {
    "scheduled": "schedule",
    "booked": "book",
    "arranged": "arrange",
    "planned": "plan",
    "added": "add",
    "created": "create",
    "deleted": "delete",
    "removed": "delete",
}
_HAVE_DONE = re.compile(
    rf"^\W*(?:please\s+)?(?:have|get)\s+(?P<what>(?:an?|another|the|it|him|her|them|this|that|[A-ZÀ-Þ]\S+)\b[^?]*?)\s+(?P<done>{'|'.join(_DONE)})\b(?!\s*\?)",
    re.IGNORECASE,
)


def had_done(text: str) -> str:
    """ "Have a call scheduled with Ann" as "schedule a call with Ann"."""
    return _HAVE_DONE.sub(lambda match: f"{_DONE[match['done'].lower()]} {match['what']}", text)


def reworded(text: str, own_name: str = "", *, whole: bool) -> str:
    """The message (`whole`) or one clause of it in plainer words. `own_name` is the user's: assistants speak of "Alice"."""
    said = text.strip()
    said = _THEN_ACTIVITY.sub(" and create a ", said)
    said = re.sub(r"\s*(?:->|=>|→)\s*", " to ", said)
    said = _ABOUT_TIME.sub("", said)
    said = _LIKE_HIM_AS.sub(r"add \g<whom> as ", said)
    said = _TAKE_OUT.sub(r"delete \g<whom> from ", said)
    said = _LETS_HAVE.sub(lambda match: f"schedule {match['what'] or 'a meeting'}", said)
    said = _PUT_IN.sub(r"schedule \g<what>", said)
    said = re.sub(r"\b(?:at\s+)?(\d{1,2}(?::\d\d)?)[\s-]?ish\b", r"at \1", said, flags=re.IGNORECASE)
    first = own_name.split()[0] if own_name.split() else ""
    if first:
        said = re.sub(
            rf"^{re.escape(first)}\s+(?:would\s+like|wants|needs|asks|asked|wishes)\s+(?:me\s+|you\s+|us\s+)?to\s+",
            "",
            said,
            flags=re.IGNORECASE,
        )
    for pattern, plain in (*_WHOLE, *_LOGGED, *_SORTED, *_MAILS, *_CLAUSES) if whole else _CLAUSES:
        if (match := pattern.fullmatch(said)) is not None:
            return match.expand(plain) if isinstance(plain, str) else plain(match)
    return said
