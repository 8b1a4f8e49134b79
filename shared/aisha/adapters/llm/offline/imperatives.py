"""Whether a verb of doing is an order, or only tells of what was done or asks about it.

"Schedule a call" is an order. "What you have just scheduled", "somebody left some notes" and "did you create it?" are none,
and nothing may be written on their account.
"""

import re
from collections.abc import Iterable

_WHO = r"(?:i|we|you|he|she|they|it|who|that|which|some(?:body|one)|any(?:body|one)|every(?:body|one)|nobody|no\s+one|[A-ZÀ-Þ][\w'’-]+)"
_ADVERB = (
    r"(?:just|already|now|only|ever|also|recently|actually|really|even|not|n't|both|all|then|so\s+far|lately|possibly)"
)
_IRREGULAR = frozenset(
    "made wrote written put set left took taken built began started got done did sent kept gave".split()
)
_SAME_FORM = frozenset(("put", "set"))
"""Past and order are written alike."""
_MADE_TO_BE = re.compile(
    r"\b(?:(?:get|gets|getting|need|needs|want|wants|like|have|having|see)\s+(?:(?:an?|the|it|him|her|them|this|that|these|those|another|one|my|our|some|two|three)\b|[A-ZÀ-Þ])"
    r"|(?:to|should|must|can|could|shall|please|will|needs?|wants?)\s+(?:please\s+)?(?:be|get)\b)[^.?!;]*$"
)
"""Has something done: "get a call scheduled with Ann", "he should be deleted"."""
_TELLS = re.compile(
    rf"(?<!can )(?<!could )(?<!will )(?<!would )(?<!should )(?<!shall )(?<!may )(?<!must )(?<!want )(?<!need )(?<!if )\b{_WHO}"
    rf"(?:['’](?:ve|d|s)|\s+(?:have|has|had))?(?:\s+{_ADVERB})*\s+$",
    re.IGNORECASE,
)
_ASKS_OF_PAST = re.compile(
    rf"\b(?:did|didn['’]t|have|has|had|haven['’]t|hasn['’]t)\s+(?:not\s+)?(?:{_WHO}|(?:the|my|our|this|that)\s+\w+)(?:\s+{_ADVERB})*\s+$",
    re.IGNORECASE,
)


def is_reported(text: str, start: int, end: int) -> bool:
    """Whether the verb at these places of the text is told of: in the past or the perfect, in a question or a relative clause."""
    word = re.split(r"\W", text[start:end], maxsplit=1)[0].lower()
    before = text[:start]
    if _ASKS_OF_PAST.search(before):
        return True
    if word.endswith("ing") and _THANKED.search(before):
        return True
    if word in _NOUNS and _OWNED.search(before):
        return True
    if word in _SAME_FORM:
        return _TELLS.search(before) is not None and _PLACES_A_SUBJECT.search(before) is not None
    if word not in _IRREGULAR and not (word.endswith("ed") and word not in _NO_PAST):
        return False
    return _MADE_TO_BE.search(before) is None or _PERFECT.search(before) is not None


_THANKED = re.compile(
    r"\b(?:thank\w*|thx|cheers|kudos|appreciate\w*|(?:don't|do\s+not|can't|cannot)\s+(?:remember|recall)|sorry\s+for|instead\s+of|before|after|without)\b[^.;!?,]*$|^\W*for\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_NOUNS = frozenset(("plans", "books", "schedules", "records", "changes"))
_OWNED = re.compile(r"(?:['’]s|\b(?:his|her|their|its|what))\s+(?:\w+\s+)?$", re.IGNORECASE)
_NO_PAST = frozenset(("need", "feed", "shed", "speed", "seed"))
_PLACES_A_SUBJECT = re.compile(
    r"\b(?:i|we|you|he|she|they|who|some(?:body|one)|any(?:body|one)|nobody)\b[^,;]*$|['’]ve\b[^,;]*$|\b(?:have|has|had)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_PERFECT = re.compile(
    rf"\b(?:i|we|you|he|she|they|who|that|which|some(?:body|one))(?:['’]ve|['’]d|\s+(?:have|has|had))(?:\s+{_ADVERB})*\s+(?:been\s+)?$",
    re.IGNORECASE,
)

VERBS = (
    r"(?:create|add|make|put|write|register|enter|save|set|open|log|record|note|jot|take|leave|schedule|book|plan|arrange|organi[sz]e|fix|pencil|line|slot|"
    r"block|reserve|get|remind|update|change|mark|move|push|delete|remove|erase|drop|wipe|kill|bin|cancel|call|complete|finish|tick|check|close|convert|turn|"
    r"assign|reassign|hand|give|send|draft|compose|e-?mail|mail|message|ring|phone|text|ping|rename|correct|postpone|reschedule|advance|store|remember|attach|keep|stick|pop|"
    r"start|build|capture|insert|generate|flag|tag|bump|switch|edit|modify|adjust|transfer|promote|scrap|follow|try|chase|invite|memo|comment|remark|new)"
)
_ORDERS = re.compile(
    rf"(?:^|[,.;:!?–—-]|\b(?:and|then|also|so|but|please|pls|just|now|ok|okay|yes|yeah|or|kindly|quickly|let's|lets|let\s+us)\b)\W*(?:{_ADVERB}\s+|please\s+|kindly\s+|go\s+ahead\s+and\s+)*{VERBS}\b"
    r"|\b(?:can|could|will|would|should)\s+(?:you|we|i|it|he|she|they)\b|\b(?:want|need|like|love|wish|have|got|going|gonna|possible|you|able|time|way|us|me|happy|glad|mind|forget|sure)\s+(?:\w+\s+)?to\s+"
    r"|\b(?:i'd|i\s+would)\s+like\b|\b(?:i|we)\s+(?:need|want)\b|\bplease\b|\bmind\s+\w+ing\b|\bhow\s+about\b|\bwhat\s+about\b|\bwhy\s+(?:don't|not)\b|\bnotes?\s*:|\bremind\b",
    re.IGNORECASE,
)
_QUESTION = (
    r"(?:(?:and|so|but|hm+|um+|uh|er+m?|well|oh|ok(?:ay)?|right|now|tell\s+me|i\s+wonder|wondering|say|remind\s+me)[\s,]+)*"
    r"(?:what|what's|whats|who|who's|whos|whom|whose|when|when's|where|where's|which|why|how|how's|did|does|do(?=\s+(?:i|we|they|you\s+know|you\s+have|any)\b)|"
    r"(?:has|have|had)(?=\s+(?:i|we|you|he|she|they|it|any\w*|some\w*|the)\b)|(?:is|are|was|were)(?!\s+(?:it\s+possible|there\s+(?:any|a)\s+(?:way|chance))))\b"
)
_ENDS_IN_QUESTION = re.compile(rf"(?:^|[,.;:!?–—]|\s-)\s*{_QUESTION}[^.;!?]*\?*\s*$", re.IGNORECASE)
_NAMES_A_FACT = re.compile(r"^\W*(?:note|memo|reminder|remark|task|todo|call|email)\b[^,?]*:", re.IGNORECASE)


_CHECKS = re.compile(
    r"^\W*(?:(?:please|can|could|would|will|you|just|quickly|kindly|and|then|so|i|we|want|need|'d|like|to|wonder|wondering|am|i'm)\s+)*(?:check|tell\s+me|see|find\s+out|know|let\s+me\s+know|confirm|verify|wonder|wondering)\s+(?:if|whether)\b|^\W*(?:\w+\s+){0,2}(?:i|we)(?:['’]m|\s+am|['’]re|\s+are)?\s+(?:can['’]?t|cannot|can\s+not|don['’]?t|do\s+not|not)\s+(?:really\s+|quite\s+)?(?:remember|recall|know|sure|certain)\s+(?:anymore\s+)?(?:if|whether|that|who|when|what)\b",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",\s*(?:(?:is|was|has|have|had|did|do|does|are|were|wo|ca|could|would|should)n['’]t\s+(?:it|we|i|you|he|she|they|there)|am\s+i\s+right|right|correct|or\s+not|true|is\s+(?:that|it)\s+(?:right|correct|true|so)|(?:did|have|has|was|is)\s+(?:it|we|i|you|he|she|they))\s*\?\s*$",
    re.IGNORECASE,
)
"""Asks whether what was said is so."""


def only_asks(text: str) -> bool:
    """Whether the last clause is a question and no clause orders anything: "somebody left a note on Ann, what does it say?"."""
    said = text.strip()
    if _CHECKS.match(said):
        return True
    if _TAG.search(said) and _ORDERS.search(said[: said.rfind(",")]) is None:
        return True
    if not said.endswith("?") or _NAMES_A_FACT.match(said) or _ENDS_IN_QUESTION.search(said) is None:
        return False
    return _ORDERS.search(said) is None


_NOTES_LEFT = re.compile(
    rf"\b{_WHO}(?:['’](?:ve|d|s)|\s+(?:have|has|had))?(?:\s+{_ADVERB})*\s+(?:left|wrote|written|made|took|taken|added|created|put|entered|logged|saved)\s+(?:\w+\s+){{0,3}}?(?:notes?|comments?|memos?|remarks?)\b",
    re.IGNORECASE,
)


_THERE_IS_A_NOTE = re.compile(
    r"\bthere(?:['’]s|\s+(?:is|are|was|were|should\s+be|must\s+be|has\s+been))\s+(?:an?|some|one|two|already|also|the)\s+(?:\w+\s+)?(?:notes?|comments?|memos?|remarks?)\b",
    re.IGNORECASE,
)


def tells_of_notes(text: str) -> bool:
    """ "Bob left a note that he is away": what it says is there already."""
    match = _NOTES_LEFT.search(text) or _THERE_IS_A_NOTE.search(text)
    return match is not None and _ORDERS.search(text[: match.start()]) is None


def ordered(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of the places of a verb that are no report of what was done."""
    return [span for span in spans if not is_reported(text, *span)]
