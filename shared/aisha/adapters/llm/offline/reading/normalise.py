"""Rewrite roundabout, formal and idiomatic English into the plain wording that the parser reads.

"I would be grateful for the particulars of Ann Lee" becomes "show me the particulars of Ann Lee". Names and times stay
as they were written.
"""

import re
from collections.abc import Callable, Sequence

from aisha.adapters.llm.offline.reading.patterns import pattern

_Replacement = str | Callable[[re.Match[str]], str]
_Rule = tuple[re.Pattern[str], _Replacement]
_NAME = r"(?-i:[A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+){0,2})"
_ACTIVITY = (
    r"(?:an?|another)\s+(?:[\w-]+\s+){0,2}?(?:call|meeting|demo|visit|appointment|walkthrough|chat|catch[\s-]?up"
    r"|follow[\s-]?up(?:\s+call)?|presentation|session)"
)
_NUMBER = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)"
_OBJECT = {"he": "him", "she": "her", "they": "them"}
_OWNER = {"his": "him", "her": "her", "their": "them", "its": "it"}
_WHOM = r"(?P<whom>(?!me\b|us\b|my\b|our\b|any|every|some|these\b|those\b|all\b|no\b)[^,.;:!?]+?)"
_FOR_NOW = pattern(
    r"\b(?:yet|now|today|tonight|tomorrow|until|till|before|unless|just|this|next|about|on|at|after|anything|and|but"
    r"|instead|him that|her that)\b"
)
"""Recognises a postponement, which is not a lasting wish."""
_DOTTED_NAME = r"[A-ZÀ-Þ][\w'’.-]+(?:\s+[A-ZÀ-Þ][\w'’.-]+){0,2}"
_CHANNEL = {"call": "call", "phone": "call", "ring": "call", "phon": "call", "email": "email", "mail": "email"}
_VERB = r"(?P<verb>call|phone|ring|e-?mail|mail)"
_KIND_OF_ACTIVITY = (
    r"(?:(?!(?:new|an?|the)\b)[\w-]+\s+){0,2}?(?:follow[\s-]?ups?|calls?|meetings?|demos?|tasks?|appointments?|emails?"
    r"|chat|catch[\s-]?up|lunch|coffee|sit-?down|session|visit|get-together)"
)
_THEN_ACTIVITY = pattern(
    r"\s*(?:->|=>|→|>|:)\s*(?:an? )?"
    rf"(?={_KIND_OF_ACTIVITY} (?:for|with) (?:the )?(?:top|best|first|hottest|each|all|every|\d)\b)"
)
"""Recognises an arrow from a list to its activity: "warm leads -> follow-up for top 3"."""
# "I think it's about time we call Ann": the words before the request.
_ABOUT_TIME = pattern(
    r"^\W*(?:(?:so|well|ok|okay|right|and|um|uh)[\s,]+)*(?:i (?:think|guess|suppose|reckon) )?(?:it'?s|it is)"
    r" (?:about |high |now )?time(?: (?:that|to|for|i|we|us))*[\s,]+(?=\w)"
)
_PUT_IN = pattern(
    r"\b(?:fix(?: up)?|pencil in|line up|organi[sz]e|arrange|lock in|nail down|sort out|get|set|slot in) (?:me |us )?"
    rf"(?P<what>(?:an?|another) {_KIND_OF_ACTIVITY})\b(?: (?:pencil+ed in|lined up|booked|scheduled|arranged|fixed"
    r"|sorted|set up|going))?(?: (?:on|in|into|onto|to) (?:the|my|our) (?:books?|calendar|diary|schedule|agenda))?"
    r"(?= (?:with|for|to|on|at|tomorrow|today|next|this)\b|\W*$)(?! for me to\b)"
)
"""Recognises idioms of scheduling: "get a meeting on the books with Ann", "fix a meeting"."""
# "I'd like him in as a lead".
_WANTS_AS_KIND = pattern(
    r"\b(?:i|we)(?:['’]d| would)? (?:like|want|need) (?:to have )?(?P<whom>him|her|them) (?:in )?(?:as|to be)"
    r" (?=an?\b|our\b|my\b)"
)
# "take Ann off the list".
_TAKE_OUT = pattern(
    rf"\btake (?P<whom>him|her|it|them|this|that|(?-i:{_DOTTED_NAME})) (?:out of|off|from)"
    r" (?=(?:the|our|my) (?:contacts?|leads?|accounts?|deals?|list|crm|system|database|books|records)\b)"
)
# "let's have a call with Ann", "book me in with Ann".
_LETS_HAVE = pattern(
    rf"\b(?:(?:let['’]?s|let us|we should|we could) (?:have|do|hold) (?P<what>(?:an?|another) {_KIND_OF_ACTIVITY})"
    r"(?= (?:with|on|at|tomorrow|today|next|this)\b)|book (?:me|us) in(?= with\b))"
)
_PARTICIPLES = {
    "scheduled": "schedule",
    "booked": "book",
    "arranged": "arrange",
    "planned": "plan",
    "added": "add",
    "created": "create",
    "deleted": "delete",
    "removed": "delete",
}
# "have a call scheduled with Ann", "get him added".
_CAUSATIVE = pattern(
    r"^\W*(?:please )?(?:have|get) (?P<what>(?:an?|another|the|it|him|her|them|this|that|[A-ZÀ-Þ]\S+)\b[^?]*?)"
    rf" (?P<done>{'|'.join(_PARTICIPLES)})\b(?!\s*\?)"
)


def _phrase(text: str, replacement: _Replacement) -> _Rule:
    """Return a rule for a part of a sentence."""
    return pattern(text), replacement


def _sentence(text: str, replacement: _Replacement, exact_case: bool = False) -> _Rule:
    """Return a rule for a whole sentence, of several lines too."""
    flags = re.DOTALL if exact_case else re.DOTALL | re.IGNORECASE
    return re.compile(text.replace(" ", r"\s+"), flags), replacement


def _set_up(match: re.Match[str]) -> str:
    """Rewrite "Ann Lee would like a meeting with us on Friday; set one up" as scheduling with Ann Lee."""
    what = pattern(r" with (?:us|me)\b").sub("", match["what"])
    return f"schedule {what} with {_OBJECT.get(match['whom'].lower(), match['whom'])}{match['when']}"


_PHRASES: Sequence[_Rule] = (
    _phrase(
        r"\b(?:i|we)(?:['’]d| would| should) be (?:(?:most|very|so|really|much) )*"
        r"(?:grateful|glad|obliged|thankful|happy|pleased|delighted)"
        r" (?P<how>to (?:receive|get|see|read|be (?:given|shown|sent))|for|to (?:hear|know|learn)(?: more)? about"
        r"|if you (?:could|would|can)) ",
        lambda m: (
            "tell me about " if m["how"].endswith("about") else "please " if m["how"].startswith("if") else "show me "
        ),
    ),
    _phrase(
        r"(?:\b(?:an?|the) )?\b(?:(?:brief|short|quick) )?(?:summary|synopsis|outline|digest) (?:of|on)"
        r" (?P<whom>his|her|their|its) (?:record|file|profile|entry|card)\b",
        lambda m: f"details about {_OWNER[m['whom'].lower()]}",
    ),
    _phrase(
        rf"(?:\b(?:mr|mrs|ms|miss|dr)\.? )?(?P<whom>{_NAME}|\b(?:he|she|they)\b)"
        r"(?:['’]s|['’]d| has| have| is| are| would)? (?:just |also |now )?"
        rf"(?:asked for|asking for|requested|wants|wanted|like|likes|needs) (?P<what>{_ACTIVITY})\b"
        r"(?P<when>[^.;?!,]*)[.;,\s]+(?:(?:so|and|then|kindly|please|can you|could you|just)[\s,]+)*"
        r"(?:get|put|set|schedule|book|arrange|sort|fix|pencil|add|make) (?:that|it|one|this)\b"
        r"(?: (?:in|up|down|out|on|for (?:me|us|him|her|them)))*",
        _set_up,
    ),
    _phrase(
        rf"\b(?P<n>{_NUMBER}) (?:(?:strongest|hottest|most promising|best[\s-]scoring|highest[\s-]scor(?:ing|ed)"
        r"|warmest)\b|(?:leads |ones |of them )?with (?:the )?(?:highest|best|top) scores?\b)",
        lambda m: f"top {m['n']}{' leads' if 'leads' in m[0].lower() else ''}",
    ),
    _phrase(
        rf"\b(?:pick|choose|select) (?:out )?(?P<top>(?:the )?top {_NUMBER})\b"
        r"(?: (?:of (?:them|those|these)|ones))?[\s,]*(?:and|then)? (?:then )?"
        r"(?:give|book|schedule|create|make|add|arrange|set up)"
        rf" (?:(?:each(?: (?:of them|one))?|them(?: (?:each|all))?|all of them) )?(?P<what>{_ACTIVITY})\b"
        r"(?: (?:for|with) (?:each(?: of them)?|them))?",
        r"schedule \g<what> with \g<top>",
    ),
    _phrase(
        r"\b(?:give|get|tell|send|read|show) (?:me|us) (?:the|a) (?:(?:\w+ )?version|gist|basics|essentials|highlights"
        r"|background|lowdown|rundown|low-?down|run-?down|latest|story) (?:on|of|about|for|with) ",
        "tell me about ",
    ),
    _phrase(
        r"\b(?:an?|this|the|some) (?:\w+ )?(?:woman|man|guy|lady|person|gentleman|fellow|chap|bloke|girl)"
        rf" (?:called|named|by the name of) (?={_NAME})",
        "",
    ),
    _phrase(
        rf"\b(?P<met>(?:met|spoke (?:to|with)|talked (?:to|with)|ran into) {_NAME})(?P<where>[^.;!?]*?),?"
        r" (?:(?:she|he|they|who) (?:runs?|owns?|founded|heads?|manages?|works? (?:at|for|with)"
        rf"|(?:is|are) (?:with|from|at))|(?:she['’]s|he['’]s|they['’]re) (?:with|from|at)) (?P<company>{_NAME})",
        r"\g<met> from \g<company>\g<where>",
    ),
    _phrase(
        rf"^\W*(?P<who>{_NAME}) (?:only |just |still )?(?:has|have|owns|got|has got) (?:(?:only|just) )?"
        rf"(?:{_NUMBER}|one|no|\d+)"
        r" (?P<what>(?:\w+ ){0,2}(?:leads?|deals?|contacts?|accounts?|opportunit(?:y|ies)))\s*,?\s*"
        r"(?:right|correct|yes|no|true|is that (?:right|correct)|(?:does|has)n['’]t (?:he|she|they))\s*\?",
        lambda m: f"how many {m['what']} does {m['who']} have?",
    ),
    _phrase(
        r"\bhow many (?:people|employees|staff|persons|heads) (?:work|are (?:employed|working)|do they (?:have|employ))"
        r"\b(?: there)?(?P<at> (?:at|for|with) )?",
        lambda m: "what is the headcount of " if m["at"] else "what is its headcount",
    ),
    _phrase(
        r"\b(?:raise|increase|lower|reduce|bump|cut) (?:up |down )?"
        r"(?=[^.;:?!]*\b(?:amount|value|score|probability|revenue|budget|price)\b[^.;:?!]*\bto [$€£]?\d)",
        "change ",
    ),
    _phrase(
        r"^\W*(?:and|also|plus|then) (?:also )?(?P<what>(?:his|her|its|their|the) (?:score|status|stage|amount|value"
        r"|probability|priority|phone(?: number)?|e-?mail(?: address)?|job title|title|source|owner|close date))"
        r" (?:to|should be|is now) (?=\S)",
        r"set \g<what> to ",
    ),
    _phrase(
        r"\bwhat(?:['’]?s| is) (?:(?:now|currently) )?in (?P<whose>my|our|the) pipeline"
        r"(?: (?:right now|at the moment|now|currently))?(?=\s*(?:[?.!]|$))",
        r"how is \g<whose> pipeline doing",
    ),
    _phrase(
        rf"^\W*compare (?P<a>{_NAME}) (?:and|with|to|vs\.?|against) (?P<b>{_NAME})",
        lambda m: f"show me {m['a']} and {m['b']}" if " " in m["a"] and " " in m["b"] else m[0],
    ),
    _phrase(
        r"\b(?:put|add|leave|make|write) (?:in )?an? note (?:in|on|to)"
        r" (?:there|(?:his|her|their|the) (?:record|file|card|profile|account))\s*[,:–-]? (?:that )?"
        r"(?=(?:he|she|they|we|i|the|it|there)\b)",
        "note that ",
    ),
    _phrase(r"\b(?P<field>status|stage|score|priority|budget)[\s-]?wise\b", r"\g<field>"),
    _phrase(
        r"\b(?:(?:has|have|are|is|were|was|already) )*(?:gone |went |running )?(?:past|beyond|passed)"
        r" (?:(?:their|its|the|his|her) )?(?:due dates?|deadlines?)\b",
        "are overdue",
    ),
    _phrase(
        r"\b(?:get|put|pop|stick|bring|enter|whack) (?P<whom>him|her|them|it) (?:in|down|on|into the (?:system|crm))"
        r" (?=as an? (?:new |warm |hot )?(?:lead|contact|prospect|account|customer|deal|opportunity)\b)",
        r"add \g<whom> ",
    ),
    _phrase(
        r"\b(?:bring|get|take) (?:in|on|on board)"
        r" (?=(?-i:[A-ZÀ-Þ])[^.;?!]*\bas an? (?:new )?(?:lead|contact|prospect|account|customer)\b)",
        "add ",
    ),
    _phrase(r"\b(?:tack|slap|stick|pop|throw|bung) (?:on )?(?P<what>(?:an?|another) note)\b", r"add \g<what>"),
    _phrase(
        r"^\W*(?:(?:i|we)(?:['’]ve| have)? )?got (?:me |us )?(?:an?|another) (?:\w+ )?one\s*[:,–—-]\s*(?=[A-ZÀ-Þ])",
        "I met ",
    ),
    _phrase(rf"(?P<whom>{_NAME}) (?:over|up|down|out) at (?=(?-i:[A-ZÀ-Þ]))", r"\g<whom> from "),
    _phrase(
        r"\bwho(?:['’]s| is| are) (?:looking |running |still )?(?:hot|warm|hottest|warmest)\b"
        r"(?=\s*(?:right now|just now|now|today|at the moment|these days)?\s*(?:[?.!]|$))",
        "who are the warm leads",
    ),
)


def rewrite_phrases(text: str) -> str:
    """Return the text with its roundabout phrases rewritten."""
    for expression, replacement in _PHRASES:
        text = expression.sub(replacement, text)
    return text


def _opt_out(match: re.Match[str]) -> str:
    """Return the order to mark a lasting opt-out, unless the words only postpone something."""
    if _FOR_NOW.search(match["whom"]):
        return match[0]
    verb = match["verb"].lower().replace("-", "").removesuffix("s").removesuffix("ing")
    return f"mark {match['whom']} as do-not-{_CHANNEL.get(verb, 'call')}"


_MESSAGES: Sequence[_Rule] = (
    _sentence(
        rf"(?:please )?(?:don't|dont|do not|never) (?:ever )?{_VERB} {_WHOM}"
        r"(?: (?:again|any\s?more|ever|ever again|please))*[.!\s]*",
        _opt_out,
    ),
    _sentence(
        rf"(?:please )?stop (?P<verb>calling|phoning|ringing|e-?mailing|mailing) {_WHOM}(?: please)?[.!\s]*",
        _opt_out,
    ),
    _sentence(rf"(?:please )?no more (?P<verb>calls|e-?mails|mails) (?:to|for) {_WHOM}[.!\s]*", _opt_out),
    _sentence(
        r"(?:for the record|for your information|so you know|just so you know|note for yourself)[\s,:]+"
        r"(?=(?:my|our|i|we)\b)(?P<text>.+)",
        r"remember that \g<text>",
    ),
    _sentence(
        rf"(?P<whom>{_DOTTED_NAME}) (?:could|might|may|should|can|will) be worth (?P<sum>[^,;.]+?)"
        r"(?:[,;]\s*(?:and )?score (?:him|her|them|it) (?:at )?(?P<n>\d+))?[.!\s]*",
        lambda m: f"set the estimated value of {m['whom']} to {m['sum']}" + (f", score {m['n']}" if m["n"] else ""),
        exact_case=True,
    ),
    _sentence(
        r"(?:and |then |please )*(?:score|rate) (?P<whom>him|her|them|it|[A-Z]\S+(?: [A-Z]\S+)?) (?:at |with )?"
        r"(?P<n>\d{1,3})[.!\s]*",
        r"set the score of \g<whom> to \g<n>",
    ),
    _sentence(
        rf"(?P<whom>{_DOTTED_NAME}) (?:has |just )*(?:left|quit) [^,;.]+[,;.]\s*(?:and |now )*"
        r"(?:(?:he|she|they)(?:'s|'re| is| are| has)? )?(?:now )?(?:works? (?:at|for)|working (?:at|for)"
        r"|is (?:now )?(?:at|with)|at|with|moved to|went to|joined) (?P<company>[A-Z][^,;.!?]*?)(?: now)?[.!\s]*",
        r"change the company of \g<whom> to \g<company>",
        exact_case=True,
    ),
    _sentence(
        rf"(?P<whom>{_DOTTED_NAME}) (?:has |just |now )*"
        r"(?:joined|works (?:at|for)|moved (?:over )?to|switched to|went to)"
        r" (?P<company>[A-Z][^,;.!?]*?) (?:now|last \w+|recently)[.!\s]*",
        r"change the company of \g<whom> to \g<company>",
        exact_case=True,
    ),
)
_LOGGED = (
    _sentence(
        r"(?:please )?(?:log|record|enter) (?:a|an|the|my|our|today's|this)"
        r" (?P<kind>(?:\w+ )?(?:call|meeting|demo|visit|conversation|chat)) (?:with|to)"
        r" (?P<whom>[^,:;.]+?)\s*[,:;.-]\s*(?P<told>(?:(?:he|she|they|we|i)\b|no answer|left\b|voicemail|went\b"
        r"|discussed|talked|spoke|nobody|was\b|good\b|very\b|agreed).+)",
        lambda m: f"add a note for {m['whom']}: {m['kind'].capitalize()}: {m['told']}",
    ),
)
"""Rules for a past activity, which becomes a note and schedules nothing."""
_SORTED = (
    _sentence(
        r"(?:please )?(?:sort|order|rank)(?:ed)? (?:(?:them|these|those|it|the list) )?by (?:the )?(?:estimated )?"
        r"(?:value|worth|amount|size|revenue|sum)(?: please)?[.!?\s]*",
        "and the highest value ones",
    ),
    _sentence(
        r"(?:please )?(?:sort|order|rank)(?:ed)? (?:(?:them|these|those|it|the list) )?by (?:the )?"
        r"(?:clos(?:e|ing) (?:date|day)|when they close)(?: please)?[.!?\s]*",
        "and the ones closing first",
    ),
)
_MAILS = (
    _sentence(
        r"(?:i|we)(?:'d| would)? (?:need|want|like) (?:to have )?(?:an? )?"
        r"(?P<tone>(?:formal|friendly|short|brief|polite|nice|quick) )?e?-?mails? (?:to|for)"
        r" (?P<rest>(?!me\b)(?:(?!\b(?:tomorrow|today|monday|tuesday|wednesday|thursday|friday|next week)\b).)+?)"
        r"(?:[\s,.]+(?:just|only) (?:a |the )?drafts?)?[.!\s]*",
        lambda m: f"draft a {m['tone'] or ''}email to {m['rest']}",
    ),
)
_CLAUSES: Sequence[_Rule] = (
    _sentence(
        r"(?:the )?(?P<what>(?!it\b|this\b|that\b|i\b|we\b|the (?:call|meeting|demo|task|appointment|workshop)).+?)"
        r" (?:slips?|slipped|is slipping|has slipped|got pushed|is pushed|moves out|will slip) (?:back |out )?"
        r"(?:to|into|until) (?P<when>.+)",
        r"change the close date of \g<what> to \g<when>",
    ),
    _sentence(
        r"(?:the )?next step (?:on|for|of|with|in) (?P<what>.+?) (?:is|should be|will be) (?:now )?(?P<step>.+)",
        r"set the next step of \g<what> to \g<step>",
    ),
    _sentence(
        rf"(?:(?:now|and|then|ok|next)[\s,]+)+(?P<whom>{_DOTTED_NAME})['’]s? (?:page|screen|record)[.!\s]*",
        r"open \g<whom>'s page",
    ),
    _sentence(
        r"(?:did|has|have) (?:any(?:body|one)|some(?:body|one)|we|i) (?:ever )?"
        r"(?:write|written|wrote|note|noted|put|jot|jotted|log|logged) (?:down )?"
        r"(?:something|anything|a note|notes|it)?\s*(?:down )?(?:about|on|regarding) (?:an? |the )?"
        r"(?P<what>[^?]+)[?.!\s]*",
        lambda m: m[0] if re.search(r"[A-Z]\w+\s+[A-Z]", m["what"]) else f"search the notes for {m['what'].strip()}",
    ),
    _sentence(
        r"(?:is there |do we have )?(?:any(?:body|one)|some(?:body|one)|who|others?|leads?|people) (?:else |who is )?"
        r"(?:just )?like (?P<whom>him|her|them|[A-Z]\S+(?: [A-Z]\S+)?)[?.!\s]*",
        r"who else is like \g<whom>?",
    ),
    _sentence(
        r"(?:oops|sorry|no|ah|wait|hm+)?[\s,.!]*(?:that's |thats |it's )?(?:the )?wrong"
        r" (?:day|time|date|hour|week)[\s,.:;!-]+(?:(?:i mean[t]?|should be|it'?s|make it|rather) )?(?P<when>.+)",
        r"move it to \g<when>",
    ),
    _sentence(
        r"where (?:in|do|does|can)\b[^?]*?\b(?:docs|documents?|documentation|handbook|playbook|files|manuals?"
        r"|knowledge base)\b\s*(?:do(?:es)? (?:it|they|we) (?:say|explain|describe|mention)"
        r"|(?:is|says?|can i find|do i find|have)\b)?\s*(?P<what>[^?]{4,})[?.!\s]*",
        r"search our documents for \g<what>",
    ),
    _sentence(
        r"(?:please )?(?:check|go through|look through|inspect) (?:the|our|my) (?:data|crm|records?|database)"
        r" (?:for|to find) (?:\w+ )?(?:holes|gaps|errors|mistakes|problems|missing\b.*|duplicates|blanks)"
        r"(?: (?:too|as well|also|please))*[.!?\s]*",
        "run a data quality scan",
    ),
)


def rewrite_causative(text: str) -> str:
    """Rewrite "have a call scheduled with Ann" as "schedule a call with Ann"."""
    return _CAUSATIVE.sub(lambda match: f"{_PARTICIPLES[match['done'].lower()]} {match['what']}", text)


def rewrite_sentence(text: str, own_name: str = "", *, whole: bool) -> str:
    """Return the message (`whole`) or one clause of it in plainer words.

    `own_name` is the user's: assistants write "Alice would like to ...".
    """
    rewritten = text.strip()
    # Before the other arrows, which become "to": "status -> warm".
    rewritten = _THEN_ACTIVITY.sub(" and create a ", rewritten)
    rewritten = re.sub(r"\s*(?:->|=>|→)\s*", " to ", rewritten)
    rewritten = _ABOUT_TIME.sub("", rewritten)
    rewritten = _WANTS_AS_KIND.sub(r"add \g<whom> as ", rewritten)
    rewritten = _TAKE_OUT.sub(r"delete \g<whom> from ", rewritten)
    rewritten = _LETS_HAVE.sub(lambda match: f"schedule {match['what'] or 'a meeting'}", rewritten)
    rewritten = _PUT_IN.sub(r"schedule \g<what>", rewritten)
    rewritten = pattern(r"\b(?:at )?(\d{1,2}(?::\d\d)?)[\s-]?ish\b").sub(r"at \1", rewritten)
    first_name = own_name.split()[0] if own_name.split() else ""
    if first_name:
        rewritten = re.sub(
            rf"^{re.escape(first_name)}\s+(?:would\s+like|wants|needs|asks|asked|wishes)\s+"
            r"(?:me\s+|you\s+|us\s+)?to\s+",
            "",
            rewritten,
            flags=re.IGNORECASE,
        )
    for expression, replacement in (*_MESSAGES, *_LOGGED, *_SORTED, *_MAILS, *_CLAUSES) if whole else _CLAUSES:
        # Whole sentences only, and the first rule that fits: most of these words also occur in ordinary requests.
        if (match := expression.fullmatch(rewritten)) is not None:
            return match.expand(replacement) if isinstance(replacement, str) else replacement(match)
    return rewritten
