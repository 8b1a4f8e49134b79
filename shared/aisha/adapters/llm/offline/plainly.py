"""Formal and roundabout ways to ask, put plainly: parts of a sentence, whatever stands around them.

"I would be grateful for the particulars of Ann Lee" is "show me the particulars of Ann Lee".
"""

import re
from collections.abc import Callable, Sequence

_NAME = r"(?-i:[A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+){0,2})"
_ACTIVITY = r"(?:an?|another)\s+(?:[\w-]+\s+){0,2}?(?:call|meeting|demo|visit|appointment|walkthrough|chat|catch[\s-]?up|follow[\s-]?up(?:\s+call)?|presentation|session)"
_NUMBER = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)"
_OBJECT = {"he": "him", "she": "her", "they": "them"}
_OWNER = {"his": "him", "her": "her", "their": "them", "its": "it"}
_Plain = str | Callable[[re.Match[str]], str]


def _set_up(match: re.Match[str]) -> str:
    """ "Ann Lee would like a meeting with us on Friday; set one up": whose wish it is, is with whom it will be."""
    what = re.sub(r"\s+with\s+(?:us|me)\b", "", match["what"], flags=re.IGNORECASE)
    return f"schedule {what} with {_OBJECT.get(match['whom'].lower(), match['whom'])}{match['when']}"


def _rule(pattern: str, plain: _Plain) -> tuple[re.Pattern[str], _Plain]:
    return re.compile(pattern, re.IGNORECASE), plain


_RULES: Sequence[tuple[re.Pattern[str], _Plain]] = (
    _rule(
        r"\b(?:i|we)(?:['’]d|\s+would|\s+should)\s+be\s+(?:(?:most|very|so|really|much)\s+)*(?:grateful|glad|obliged|thankful|happy|pleased|delighted)\s+(?P<how>to\s+(?:receive|get|see|read|be\s+(?:given|shown|sent))|for|to\s+(?:hear|know|learn)(?:\s+more)?\s+about|if\s+you\s+(?:could|would|can))\s+",
        lambda m: (
            "tell me about " if m["how"].endswith("about") else "please " if m["how"].startswith("if") else "show me "
        ),
    ),
    _rule(
        r"(?:\b(?:an?|the)\s+)?\b(?:(?:brief|short|quick)\s+)?(?:summary|synopsis|outline|digest)\s+(?:of|on)\s+(?P<whom>his|her|their|its)\s+(?:record|file|profile|entry|card)\b",
        lambda m: f"details about {_OWNER[m['whom'].lower()]}",
    ),
    _rule(
        rf"(?:\b(?:mr|mrs|ms|miss|dr)\.?\s+)?(?P<whom>{_NAME}|\b(?:he|she|they)\b)(?:['’]s|['’]d|\s+has|\s+have|\s+is|\s+are|\s+would)?\s+(?:just\s+|also\s+|now\s+)?(?:asked\s+for|asking\s+for|requested|wants|wanted|like|likes|needs)\s+(?P<what>{_ACTIVITY})\b(?P<when>[^.;?!,]*)[.;,\s]+"
        r"(?:(?:so|and|then|kindly|please|can\s+you|could\s+you|just)[\s,]+)*(?:get|put|set|schedule|book|arrange|sort|fix|pencil|add|make)\s+(?:that|it|one|this)\b(?:\s+(?:in|up|down|out|on|for\s+(?:me|us|him|her|them)))*",
        _set_up,
    ),
    _rule(
        rf"\b(?P<n>{_NUMBER})\s+(?:(?:strongest|hottest|most\s+promising|best[\s-]scoring|highest[\s-]scor(?:ing|ed)|warmest)\b|(?:leads\s+|ones\s+|of\s+them\s+)?with\s+(?:the\s+)?(?:highest|best|top)\s+scores?\b)",
        lambda m: f"top {m['n']}{' leads' if 'leads' in m[0].lower() else ''}",
    ),
    _rule(
        rf"\b(?:pick|choose|select)\s+(?:out\s+)?(?P<top>(?:the\s+)?top\s+{_NUMBER})\b(?:\s+(?:of\s+(?:them|those|these)|ones))?[\s,]*(?:and|then)?\s+(?:then\s+)?(?:give|book|schedule|create|make|add|arrange|set\s+up)\s+(?:(?:each(?:\s+(?:of\s+them|one))?|them(?:\s+(?:each|all))?|all\s+of\s+them)\s+)?(?P<what>{_ACTIVITY})\b(?:\s+(?:for|with)\s+(?:each(?:\s+of\s+them)?|them))?",
        r"schedule \g<what> with \g<top>",
    ),
    _rule(
        r"\b(?:give|get|tell|send|read|show)\s+(?:me|us)\s+(?:the|a)\s+(?:(?:\w+\s+)?version|gist|basics|essentials|highlights|background|lowdown|rundown|low-?down|run-?down|latest|story)\s+(?:on|of|about|for|with)\s+",
        "tell me about ",
    ),
    _rule(
        rf"\b(?:an?|this|the|some)\s+(?:\w+\s+)?(?:woman|man|guy|lady|person|gentleman|fellow|chap|bloke|girl)\s+(?:called|named|by\s+the\s+name\s+of)\s+(?={_NAME})",
        "",
    ),
    _rule(
        rf"\b(?P<met>(?:met|spoke\s+(?:to|with)|talked\s+(?:to|with)|ran\s+into)\s+{_NAME})(?P<where>[^.;!?]*?),?\s+(?:(?:she|he|they|who)\s+(?:runs?|owns?|founded|heads?|manages?|works?\s+(?:at|for|with)|(?:is|are)\s+(?:with|from|at))|(?:she['’]s|he['’]s|they['’]re)\s+(?:with|from|at))\s+(?P<company>{_NAME})",
        r"\g<met> from \g<company>\g<where>",
    ),
    _rule(
        rf"^\W*(?P<who>{_NAME})\s+(?:only\s+|just\s+|still\s+)?(?:has|have|owns|got|has\s+got)\s+(?:(?:only|just)\s+)?(?:{_NUMBER}|one|no|\d+)\s+(?P<what>(?:\w+\s+){{0,2}}(?:leads?|deals?|contacts?|accounts?|opportunit(?:y|ies)))\s*,?\s*(?:right|correct|yes|no|true|is\s+that\s+(?:right|correct)|(?:does|has)n['’]t\s+(?:he|she|they))\s*\?",
        lambda m: f"how many {m['what']} does {m['who']} have?",
    ),
    _rule(
        r"\bhow\s+many\s+(?:people|employees|staff|persons|heads)\s+(?:work|are\s+(?:employed|working)|do\s+they\s+(?:have|employ))\b(?:\s+there)?(?P<at>\s+(?:at|for|with)\s+)?",
        lambda m: "what is the headcount of " if m["at"] else "what is its headcount",
    ),
    _rule(
        r"\b(?:raise|increase|lower|reduce|bump|cut)\s+(?:up\s+|down\s+)?(?=[^.;:?!]*\b(?:amount|value|score|probability|revenue|budget|price)\b[^.;:?!]*\bto\s+[$€£]?\d)",
        "change ",
    ),
    _rule(
        r"^\W*(?:and|also|plus|then)\s+(?:also\s+)?(?P<what>(?:his|her|its|their|the)\s+(?:score|status|stage|amount|value|probability|priority|phone(?:\s+number)?|e-?mail(?:\s+address)?|job\s+title|title|source|owner|close\s+date))\s+(?:to|should\s+be|is\s+now)\s+(?=\S)",
        r"set \g<what> to ",
    ),
    _rule(
        r"\bwhat(?:['’]?s|\s+is)\s+(?:(?:now|currently)\s+)?in\s+(?P<whose>my|our|the)\s+pipeline(?:\s+(?:right\s+now|at\s+the\s+moment|now|currently))?(?=\s*(?:[?.!]|$))",
        r"how is \g<whose> pipeline doing",
    ),
    _rule(
        rf"^\W*compare\s+(?P<a>{_NAME})\s+(?:and|with|to|vs\.?|against)\s+(?P<b>{_NAME})",
        lambda m: f"show me {m['a']} and {m['b']}" if " " in m["a"] and " " in m["b"] else m[0],
    ),
    _rule(
        r"\b(?:put|add|leave|make|write)\s+(?:in\s+)?an?\s+note\s+(?:in|on|to)\s+(?:there|(?:his|her|their|the)\s+(?:record|file|card|profile|account))\s*[,:–-]?\s+(?:that\s+)?(?=(?:he|she|they|we|i|the|it|there)\b)",
        "note that ",
    ),
    _rule(r"\b(?P<field>status|stage|score|priority|budget)[\s-]?wise\b", r"\g<field>"),
    _rule(
        r"\b(?:(?:has|have|are|is|were|was|already)\s+)*(?:gone\s+|went\s+|running\s+)?(?:past|beyond|passed)\s+(?:(?:their|its|the|his|her)\s+)?(?:due\s+dates?|deadlines?)\b",
        "are overdue",
    ),
    _rule(
        r"\b(?:get|put|pop|stick|bring|enter|whack)\s+(?P<whom>him|her|them|it)\s+(?:in|down|on|into\s+the\s+(?:system|crm))\s+(?=as\s+an?\s+(?:new\s+|warm\s+|hot\s+)?(?:lead|contact|prospect|account|customer|deal|opportunity)\b)",
        r"add \g<whom> ",
    ),
    _rule(
        r"\b(?:bring|get|take)\s+(?:in|on|on\s+board)\s+(?=(?-i:[A-ZÀ-Þ])[^.;?!]*\bas\s+an?\s+(?:new\s+)?(?:lead|contact|prospect|account|customer)\b)",
        "add ",
    ),
    _rule(r"\b(?:tack|slap|stick|pop|throw|bung)\s+(?:on\s+)?(?P<what>(?:an?|another)\s+note)\b", r"add \g<what>"),
    _rule(
        r"^\W*(?:(?:i|we)(?:['’]ve|\s+have)?\s+)?got\s+(?:me\s+|us\s+)?(?:an?|another)\s+(?:\w+\s+)?one\s*[:,–—-]\s*(?=[A-ZÀ-Þ])",
        "I met ",
    ),
    _rule(rf"(?P<whom>{_NAME})\s+(?:over|up|down|out)\s+at\s+(?=(?-i:[A-ZÀ-Þ]))", r"\g<whom> from "),
    _rule(
        r"\bwho(?:['’]s|\s+is|\s+are)\s+(?:looking\s+|running\s+|still\s+)?(?:hot|warm|hottest|warmest)\b(?=\s*(?:right\s+now|just\s+now|now|today|at\s+the\s+moment|these\s+days)?\s*(?:[?.!]|$))",
        "who are the warm leads",
    ),
)


def plainly(text: str) -> str:
    """The text with its roundabout parts put plainly."""
    for pattern, plain in _RULES:
        text = pattern.sub(plain, text)
    return text
