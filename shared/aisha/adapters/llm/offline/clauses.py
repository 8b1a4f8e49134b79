"""Cuts a sentence into the commands it holds."""

import re
from collections.abc import Sequence
from itertools import pairwise

_SPLIT = re.compile(
    r"(?:\s*(?:,|;|:|&|\.|!|\?|\band\b|\bthen\b|\balso\b|\bplus\b)\s*)+"
    r"(?=(?:(?:just|please|only|instead|rather|let's|lets|let\s+us|kindly|quickly|maybe|(?:can|could|would|will)\s+(?:you|we)|you\s+can|if\s+you\s+could)\s+)*(?:create|register|enter|save|store|add|make|schedule|book|line\s+up|pencil\s+in|set up|set\s+(?:his|her|its|their|the)\s+(?:[a-z]+\s+){1,2}(?:to|as)|plan|log|remind|update|mark|change|delete|remove|move|push|postpone|reschedule|show|list|tell me|note|draft|convert|call(?!\s*(?:,|$)|\s+it\b)|find|grab|send|give me|complete|jot|write\s+down|try|chase|ping|ring|hand|cancel|follow\s+up|get\s+back|reach\s+out|put|arrange|assign|move|what should|brief\s+me|fill\s+me\s+in|look\s+up|what\s+(?:deals|notes|else|activities|is|are|do|does|did)|what's|how many|who|which)\b)",
    re.IGNORECASE,
)
_QUIET = re.compile(
    r"[\"“]|\b(?:saying|that)\b|\b(?:note|notes|memo|remark|comment|log|task|todo|reminder|email|call|meeting|demo)\b[^:]*:",
    re.IGNORECASE,
)
"""From here on the words are what is to be written down, not further commands."""

_NEXT_COMMAND = re.compile(
    r"\s+and\s+(?:then\s+|also\s+)?(?=(?:book|schedule|create|set\s+up|arrange|plan|add|remind\s+me)\s+(?:an?\s+|the\s+|another\s+)?(?:\w+\s+)?(?:call|meeting|demo|task|email|reminder|note|follow)\b)",
    re.IGNORECASE,
)
"""Another command after what is to be written down: "note that he is away and book a call with him"."""


_SETS = re.compile(r"\s*(?:please\s+)?(?:change|set|update)\b[^:]*?\b(?:to|as)\b", re.IGNORECASE)
_AND_FIELD = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|\s+and\s+)(?:also\s+)?(?P<field>(?:his|her|its|their|the)\s+(?:(?:job\s+)?title|(?:phone|mobile)(?:\s+number)?|e?-?mail(?:\s+address)?|status|score|stage|amount|value|source|owner|"
    r"probability|next\s+(?:step|action)|close\s+date|department|company|website|industry|health))\s+(?P<to>to|as)\s+",
    re.IGNORECASE,
)
"""A further field of the same record: "change his phone to 555 0100 and his title to CTO"."""


_FOR_THOSE = re.compile(
    r"(?:\s*(?:,|;|\.|\band\b|\bthen\b))+\s*(?:for|with)\s+(?P<whom>(?:the\s+)?(?:top|best|first|hottest|highest)\s+\w+(?:\s+(?:of\s+(?:them|those|these)|ones?))?|(?:the\s+)?(?:two|three|four|five|\d)\s+(?:best|hottest|top|first)(?:\s+(?:of\s+(?:them|those|these)|ones))?"
    r"|each(?:\s+(?:of\s+(?:them|those|these|the\s+(?:top|best|first|hottest)\s+\w+)|one))?|all\s+of\s+(?:them|those|these)|every\s+one(?:\s+of\s+them)?)[\s,]+(?:please\s+|also\s+|then\s+)?"
    r"(?P<order>(?:create|make|add|schedule|book|plan|set\s+up|arrange|put\s+in|set|organi[sz]e)\s[^,;.?!]+)",
    re.IGNORECASE,
)
"""The order after those it is for: "search warm leads, and for the top two make a call for tomorrow"."""


def split(text: str) -> list[str]:
    """The commands of a sentence: "show me warm leads and create activities for the top 3" has two."""
    text = _FOR_THOSE.sub(r" and \g<order> for \g<whom>", text)
    text = _AND_FIELD.sub(r", set \g<field> \g<to> ", text) if _SETS.match(text) else text
    quiet = _QUIET.search(text)
    head, tail = (text[: quiet.start()], text[quiet.start() :]) if quiet else (text, "")
    parts = [part for part in _SPLIT.split(head) if part.strip()]
    if not parts:
        return [text]
    told, *commands = _NEXT_COMMAND.split(tail) if tail and tail[0] not in '"“' else [tail]
    parts[-1] += told
    parts += commands
    return [part.strip() for part in parts if part.strip()] or [text]


_CAN_NOT = re.compile(
    r"^\s*(?:sorry[\s,]+)?(?:i\s+|we\s+)?(?:can't|cannot|can\s+not|won't|am\s+unable\s+to|have\s+to\s+miss|will\s+miss)\s+"
    r"(?:(?:make|do|attend|keep|take|come\s+to|be\s+at)\s+)?(?P<what>(?:the|my|our)\s+.+)$",
    re.IGNORECASE,
)


_SOMEBODY_CAN_NOT = re.compile(
    r"^\s*(?:sorry[\s,]+)?(?P<who>[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)?)\s+(?:can't|cannot|can\s+not|won't|is\s+unable\s+to|isn't\s+able\s+to|has\s+to\s+miss)\s+"
    r"(?:make|do|attend|come|be\s+there|join|keep)\b",
)


def spelled_out(clauses: Sequence[str]) -> list[str]:
    """ "I can't make the call with Ann", "move it to Friday": the second says what "it" is, the first is no request."""
    told = list(clauses)
    for place, (one, after) in enumerate(pairwise(clauses)):
        if match := _CAN_NOT.match(one):
            told[place] = ""
            told[place + 1] = re.sub(r"\b(?:it|that|this)\b", match["what"], after, count=1)
        elif (away := _SOMEBODY_CAN_NOT.match(one)) and not re.search(r"\b(?:with|for)\b", after):
            told[place] = ""
            told[place + 1] = f"{after} with {away['who']}"
        elif _FOR_WHOM.match(one):
            told[place] = ""
            told[place + 1] = f"{after} {one}"
    return [clause for clause in told if clause]


_FOR_WHOM = re.compile(
    r"^\s*(?:for|with)\s+(?:every|each|all|the|my|both)\b(?!.*\b(?:create|schedule|add|book|set)\b)", re.IGNORECASE
)
