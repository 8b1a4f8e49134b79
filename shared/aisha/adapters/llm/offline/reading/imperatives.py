"""Decide whether a verb of doing is an order, or only reports or asks about an action.

"Schedule a call" is an order. "What you have just scheduled", "somebody left some notes" and "did you create it?"
are not, and must not write anything.
"""

import re
from collections.abc import Iterable

from aisha.adapters.llm.offline.reading.patterns import pattern

_SUBJECT = (
    r"(?:i|we|you|he|she|they|it|who|that|which|some(?:body|one)|any(?:body|one)|every(?:body|one)|nobody|no\s+one"
    r"|[A-ZÀ-Þ][\w'’-]+)"
)
_ADVERB = (
    r"(?:just|already|now|only|ever|also|recently|actually|really|even|not|n't|both|all|then|so\s+far|lately|possibly)"
)
_IRREGULAR = frozenset(
    "made wrote written put set left took taken built began started got done did sent kept gave".split()
)
_SAME_FORM = frozenset(("put", "set"))
"""Verbs whose past and imperative are spelled alike."""
_CAUSATIVE = re.compile(
    r"\b(?:(?:get|gets|getting|need|needs|want|wants|like|have|having|see)\s+"
    r"(?:(?:an?|the|it|him|her|them|this|that|these|those|another|one|my|our|some|two|three)\b|[A-ZÀ-Þ])"
    r"|(?:to|should|must|can|could|shall|please|will|needs?|wants?)\s+(?:please\s+)?(?:be|get)\b)[^.?!;]*$"
)
"""Recognises a causative or passive order: "get a call scheduled with Ann", "he should be deleted"."""
_SUBJECT_BEFORE = pattern(
    r"(?<!can\x20)(?<!could\x20)(?<!will\x20)(?<!would\x20)(?<!should\x20)(?<!shall\x20)(?<!may\x20)(?<!must\x20)"
    rf"(?<!want\x20)(?<!need\x20)(?<!if\x20)\b{_SUBJECT}(?:['’](?:ve|d|s)| (?:have|has|had))?(?: {_ADVERB})* $"
)
_ASKS_OF_PAST = pattern(
    rf"\b(?:did|didn['’]t|have|has|had|haven['’]t|hasn['’]t) (?:not )?(?:{_SUBJECT}|(?:the|my|our|this|that) \w+)"
    rf"(?: {_ADVERB})* $"
)
_GERUND_CONTEXT = pattern(
    r"\b(?:thank\w*|thx|cheers|kudos|appreciate\w*|(?:don't|do not|can't|cannot) (?:remember|recall)|sorry for"
    r"|instead of|before|after|without)\b[^.;!?,]*$|^\W*for (?:\w+ )?$"
)
_NOUN_FORMS = frozenset(("plans", "books", "schedules", "records", "changes"))
_POSSESSIVE_BEFORE = pattern(r"(?:['’]s|\b(?:his|her|their|its|what)) (?:\w+ )?$")
_ED_NOUNS = frozenset(("need", "feed", "shed", "speed", "seed"))
_SUBJECT_OR_PERFECT = pattern(
    r"\b(?:i|we|you|he|she|they|who|some(?:body|one)|any(?:body|one)|nobody)\b[^,;]*$|['’]ve\b[^,;]*$"
    r"|\b(?:have|has|had) (?:\w+ )?$"
)
_PERFECT = pattern(
    rf"\b(?:i|we|you|he|she|they|who|that|which|some(?:body|one))(?:['’]ve|['’]d| (?:have|has|had))(?: {_ADVERB})*"
    r" (?:been )?$"
)
VERBS = (
    r"(?:create|add|make|put|write|register|enter|save|set|open|log|record|note|jot|take|leave|schedule|book|plan|"
    r"arrange|organi[sz]e|fix|pencil|line|slot|block|reserve|get|remind|update|change|mark|move|push|delete|remove|"
    r"erase|drop|wipe|kill|bin|cancel|call|complete|finish|tick|check|close|convert|turn|assign|reassign|hand|give|"
    r"send|draft|compose|e-?mail|mail|message|ring|phone|text|ping|rename|correct|postpone|reschedule|advance|store|"
    r"remember|attach|keep|stick|pop|start|build|capture|insert|generate|flag|tag|bump|switch|edit|modify|adjust|"
    r"transfer|promote|scrap|follow|try|chase|invite|memo|comment|remark|new)"
)
# A verb at the start of a clause, a polite request or a wish.
_ORDERS = pattern(
    r"(?:^|[,.;:!?–—-]|\b(?:and|then|also|so|but|please|pls|just|now|ok|okay|yes|yeah|or|kindly|quickly|let's|lets"
    rf"|let us)\b)\W*(?:{_ADVERB} |please |kindly |go ahead and )*{VERBS}\b|\b(?:can|could|will|would|should)"
    r" (?:you|we|i|it|he|she|they)\b|\b(?:want|need|like|love|wish|have|got|going|gonna|possible|you|able|time|way|us"
    r"|me|happy|glad|mind|forget|sure) (?:\w+ )?to |\b(?:i'd|i would) like\b|\b(?:i|we) (?:need|want)\b|\bplease\b"
    r"|\bmind \w+ing\b|\bhow about\b|\bwhat about\b|\bwhy (?:don't|not)\b|\bnotes?\s*:|\bremind\b"
)
_QUESTION = (
    r"(?:(?:and|so|but|hm+|um+|uh|er+m?|well|oh|ok(?:ay)?|right|now|tell\s+me|i\s+wonder|wondering|say"
    r"|remind\s+me)[\s,]+)*(?:what|what's|whats|who|who's|whos|whom|whose|when|when's|where|where's|which|why|how|how's"
    r"|did|does|do(?=\s+(?:i|we|they|you\s+know|you\s+have|any)\b)"
    r"|(?:has|have|had)(?=\s+(?:i|we|you|he|she|they|it|any\w*|some\w*|the)\b)"
    r"|(?:is|are|was|were)(?!\s+(?:it\s+possible|there\s+(?:any|a)\s+(?:way|chance))))\b"
)
_ENDS_IN_QUESTION = pattern(rf"(?:^|[,.;:!?–—]|\s-)\s*{_QUESTION}[^.;!?]*\?*\s*$")
_NAMES_A_FACT = pattern(r"^\W*(?:note|memo|reminder|remark|task|todo|call|email)\b[^,?]*:")
# "can you check whether", "tell me if": a question in the form of an order.
_CHECK_REQUEST = pattern(
    r"^\W*(?:(?:please|can|could|would|will|you|just|quickly|kindly|and|then|so|i|we|want|need|'d|like|to|wonder"
    r"|wondering|am|i'm) )*(?:check|tell me|see|find out|know|let me know|confirm|verify|wonder|wondering)"
    r" (?:if|whether)\b"
    r"|^\W*(?:\w+ ){0,2}(?:i|we)(?:['’]m| am|['’]re| are)? (?:can['’]?t|cannot|can not|don['’]?t|do not|not)"
    r" (?:really |quite )?(?:remember|recall|know|sure|certain) (?:anymore )?(?:if|whether|that|who|when|what)\b"
)
_TAG_QUESTION = pattern(
    r",\s*(?:(?:is|was|has|have|had|did|do|does|are|were|wo|ca|could|would|should)n['’]t"
    r" (?:it|we|i|you|he|she|they|there)|am i right|right|correct|or not|true|is (?:that|it) (?:right|correct|true|so)"
    r"|(?:did|have|has|was|is) (?:it|we|i|you|he|she|they))\s*\?\s*$"
)
"""Recognises a tag question: "..., isn't she?"."""
# "Bob left a note", "they've added a comment".
_NOTES_LEFT = pattern(
    rf"\b{_SUBJECT}(?:['’](?:ve|d|s)| (?:have|has|had))?(?: {_ADVERB})*"
    r" (?:left|wrote|written|made|took|taken|added|created"
    r"|put|entered|logged|saved) (?:\w+ ){0,3}?(?:notes?|comments?|memos?|remarks?)\b"
)
_THERE_IS_A_NOTE = pattern(
    r"\bthere(?:['’]s| (?:is|are|was|were|should be|must be|has been)) (?:an?|some|one|two|already|also|the) (?:\w+ )?"
    r"(?:notes?|comments?|memos?|remarks?)\b"
)


def is_reported(text: str, start: int, end: int) -> bool:
    """Return whether the verb at these offsets is past, perfect, in a question or in a relative clause."""
    word = re.split(r"\W", text[start:end], maxsplit=1)[0].lower()
    before = text[:start]
    if _ASKS_OF_PAST.search(before):
        return True
    if word.endswith("ing") and _GERUND_CONTEXT.search(before):
        return True
    if word in _NOUN_FORMS and _POSSESSIVE_BEFORE.search(before):
        return True
    if word in _SAME_FORM:
        return _SUBJECT_BEFORE.search(before) is not None and _SUBJECT_OR_PERFECT.search(before) is not None
    if word not in _IRREGULAR and not (word.endswith("ed") and word not in _ED_NOUNS):
        return False
    return _CAUSATIVE.search(before) is None or _PERFECT.search(before) is not None


def is_only_question(text: str) -> bool:
    """Return whether the last clause is a question and no clause gives an order."""
    sentence = text.strip()
    if _CHECK_REQUEST.match(sentence):
        return True
    if _TAG_QUESTION.search(sentence) and _ORDERS.search(sentence[: sentence.rfind(",")]) is None:
        return True
    if not sentence.endswith("?") or _NAMES_A_FACT.match(sentence) or _ENDS_IN_QUESTION.search(sentence) is None:
        return False
    return _ORDERS.search(sentence) is None


def mentions_existing_note(text: str) -> bool:
    """Return whether the text reports an existing note: "Bob left a note that he is away"."""
    match = _NOTES_LEFT.search(text) or _THERE_IS_A_NOTE.search(text)
    return match is not None and _ORDERS.search(text[: match.start()]) is None


def imperative_spans(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those of a verb's spans that are not reports."""
    return [span for span in spans if not is_reported(text, *span)]
