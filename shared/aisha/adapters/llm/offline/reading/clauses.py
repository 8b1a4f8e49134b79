"""Split a sentence into clauses, one for each command."""

import re
from collections.abc import Sequence
from itertools import pairwise

from aisha.adapters.llm.offline.reading.patterns import pattern

_OPENERS = (
    r"(?:(?:just|please|only|instead|rather|let's|lets|let us|kindly|quickly|maybe"
    r"|(?:can|could|would|will) (?:you|we)|you can|if you could) )*"
)
_COMMAND_WORDS = (
    r"create|register|enter|save|store|add|make|schedule|book|line up|pencil in|set up"
    r"|set (?:his|her|its|their|the) (?:[a-z]+ ){1,2}(?:to|as)|plan|log|remind|update|mark|change|delete|remove|move"
    r"|push|postpone|reschedule|show|list|tell me|note|draft|convert|call(?!\s*(?:,|$)| it\b)|find|grab|send|give me"
    r"|complete|jot|write down|try|chase|ping|ring|hand|cancel|follow up|get back|reach out|put|arrange|assign|move"
    r"|what should|brief me|fill me in|look up|what (?:deals|notes|else|activities|is|are|do|does|did)|what's"
    r"|how many|who|which"
)
# Punctuation or a conjunction right before the first word of another command or question.
_SPLIT = pattern(
    rf"(?:\s*(?:,|;|:|&|\.|!|\?|\band\b|\bthen\b|\balso\b|\bplus\b)\s*)+(?={_OPENERS}(?:{_COMMAND_WORDS})\b)"
)
_CONTENT_START = pattern(
    r"[\"“]|\b(?:saying|that)\b"
    r"|\b(?:note|notes|memo|remark|comment|log|task|todo|reminder|email|call|meeting|demo)\b[^:]*:"
)
"""Recognises the start of text to be written down, which contains no further commands."""
_NEXT_COMMAND = pattern(
    r" and (?:then |also )?(?=(?:book|schedule|create|set up|arrange|plan|add|remind me) (?:an? |the |another )?"
    r"(?:\w+ )?(?:call|meeting|demo|task|email|reminder|note|follow)\b)"
)
"""Recognises another command after text to be written down: "note that he is away and book a call with him"."""
_FIELD_CHANGE = pattern(r"\s*(?:please )?(?:change|set|update)\b[^:]*?\b(?:to|as)\b")
_AND_FIELD = pattern(
    r"\s*(?:,\s*(?:and )?| and )(?:also )?(?P<field>(?:his|her|its|their|the)"
    r" (?:(?:job )?title|(?:phone|mobile)(?: number)?|e?-?mail(?: address)?|status|score|stage|amount|value|source"
    r"|owner|probability|next (?:step|action)|close date|department|company|website|industry|health)) (?P<to>to|as) "
)
"""Recognises a further field of the same record: "change his phone to 555 0100 and his title to CTO"."""
_FOR_THOSE = pattern(
    r"(?:\s*(?:,|;|\.|\band\b|\bthen\b))+\s*(?:for|with)"
    r" (?P<whom>(?:the )?(?:top|best|first|hottest|highest) \w+(?: (?:of (?:them|those|these)|ones?))?"
    r"|(?:the )?(?:two|three|four|five|\d) (?:best|hottest|top|first)(?: (?:of (?:them|those|these)|ones))?"
    r"|each(?: (?:of (?:them|those|these|the (?:top|best|first|hottest) \w+)|one))?|all of (?:them|those|these)"
    r"|every one(?: of them)?)[\s,]+(?:please |also |then )?"
    r"(?P<order>(?:create|make|add|schedule|book|plan|set up|arrange|put in|set|organi[sz]e)\s[^,;.?!]+)"
)
"""Recognises a command named after its targets: "search warm leads, and for the top two make a call for tomorrow"."""
# "I can't make the call with Ann": the activity that "it" means in the next clause.
_USER_CANNOT = pattern(
    r"^\s*(?:sorry[\s,]+)?(?:i |we )?(?:can't|cannot|can not|won't|am unable to|have to miss|will miss)"
    r" (?:(?:make|do|attend|keep|take|come to|be at) )?(?P<what>(?:the|my|our) .+)$"
)
_PERSON_CANNOT = re.compile(
    r"^\s*(?:sorry[\s,]+)?(?P<who>[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)?)\s+(?:can't|cannot|can\s+not|won't"
    r"|is\s+unable\s+to|isn't\s+able\s+to|has\s+to\s+miss)\s+(?:make|do|attend|come|be\s+there|join|keep)\b",
)
# "for each of them": the people of a command in the next clause.
_TARGETS_ONLY = pattern(r"^\s*(?:for|with) (?:every|each|all|the|my|both)\b(?!.*\b(?:create|schedule|add|book|set)\b)")


def split_clauses(text: str) -> list[str]:
    """Return the commands of a sentence: "show me warm leads and create activities for the top 3" has two."""
    text = _FOR_THOSE.sub(r" and \g<order> for \g<whom>", text)
    text = _AND_FIELD.sub(r", set \g<field> \g<to> ", text) if _FIELD_CHANGE.match(text) else text
    content = _CONTENT_START.search(text)
    head, tail = (text[: content.start()], text[content.start() :]) if content else (text, "")
    parts = [part for part in _SPLIT.split(head) if part.strip()]
    if not parts:
        return [text]
    # Quoted text is content to its end, whatever stands in it.
    content_part, *commands = _NEXT_COMMAND.split(tail) if tail and tail[0] not in '"“' else [tail]
    parts[-1] += content_part
    parts += commands
    return [part.strip() for part in parts if part.strip()] or [text]


def resolve_antecedents(clauses: Sequence[str]) -> list[str]:
    """Insert the antecedent of "it" from the clause before: "I can't make the call with Ann", "move it to Friday"."""
    resolved = list(clauses)
    for index, (one, following) in enumerate(pairwise(clauses)):
        if match := _USER_CANNOT.match(one):
            resolved[index] = ""
            resolved[index + 1] = re.sub(r"\b(?:it|that|this)\b", match["what"], following, count=1)
        elif (absent := _PERSON_CANNOT.match(one)) and not re.search(r"\b(?:with|for)\b", following):
            resolved[index] = ""
            resolved[index + 1] = f"{following} with {absent['who']}"
        elif _TARGETS_ONLY.match(one):
            resolved[index] = ""
            resolved[index + 1] = f"{following} {one}"
    return [clause for clause in resolved if clause]
