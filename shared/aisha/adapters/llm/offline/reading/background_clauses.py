"""Remove the background that a message tells beside its request.

"Traffic is awful and I'm late. Brief me on Ann Lee. Thanks!" asks for Ann Lee only; the other words must not be
searched for.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from aisha.adapters.llm.offline.intent import LEAD_STATUSES, STAGES
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.imperatives import VERBS
from aisha.adapters.llm.offline.reading.parser import NOTE_THAT, Name, Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.spelling import is_word

Read = Callable[[str], Reading]
_SENTENCE_END = re.compile(
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bvs\.)(?<!\bMrs\.)(?<!\bInc\.)(?<!\bLtd\.)(?<!\bNo\.)(?<!\.m\.)"
    r"(?<=[.!?;])\s+"
)
_CONTENT_START = pattern(
    r"[\"“]|\b(?:notes?|memo|remark|comment|log|task|to-?do|reminder|e-?mail|call|meeting|demo|description|body)"
    r"\b[^.?!:]*:(?!\d)|\b(?:note|log|record|remember|saying|says|telling) (?:(?:it|him|her|them) )?that\b"
    r"|\bnote (?:he|she|they)\b"
)
"""Recognises the sentence from which on the words are to be written down."""
_BOUNDARY = pattern(r"\s*(?:[,–—:]|\s-\s)\s*(?:(?:so|and|but|then) )?| (?:so|and|but) ")
_OPENERS = (
    r"(?:(?:please|pls|plz|kindly|so|and|but|then|now|just|also|quickly|first)\s+"
    r"|(?:ok|okay|anyway|well|right|fine|good|great|sorry|thanks|hey|hi|hello|please|so|now|aisha)\s*[,!.:–—-]+\s*)*"
)
_NOT_A_REPORT = (
    r"(?!\s*(?:(?:(?!me\b|us\b|you\b)\w+\s+)?(?:is|was|were|went|has|had|got|starts?|did|ran|took)\b|,|['’]))"
)
# An imperative or a question at the start of a clause, after its openers.
_REQUEST = pattern(
    rf"^\W*{_OPENERS}(?:(?:show|list|tell|find|search|look up|brief|fill me|run|pull|read|identify|count|pick|forecast"
    rf"|compare|summari[sz]e|explain|walk me|let me|go ahead|amend|revise|tack)\b|{VERBS}\b){_NOT_A_REPORT}"
    rf"|^\W*{_OPENERS}(?:what|which|who|whom|whose|where|when|why|how|is|are|do|does|did|has|have|any|can|could|would"
    r"|will|should|shall|may)(?:['’]s|['’]re)?\b(?! a\b)[^?]*(?:\?|$)|\?\s*$|\b(?:can|could|would|will) you\b"
    r"|\bplease\b|\b(?:i|we)(?:['’]d| would| should) (?:like|love|be (?:grateful|glad|obliged|thankful))\b"
    r"|\b(?:i|we) (?:need|want) (?:to|you|an?|the|my|our|all)\b"
)
_DENIED = pattern(r"^\W*(?:no|not|nothing)\b")
# A finite verb: the clause states something.
_STATEMENT = pattern(
    r"\b(?:am|is|are|was|were|be|been|has|have|had|got|gets|did|do|does|don['’]?t|can['’]?t|can|could|will|won['’]?t"
    r"|would|wants?|needs?|went|came|starts?|hate|love|made|left|lost|took|handed|promise|wait|done|put|idea|forgot"
    r"|hope|guess|keeps?)\b|['’](?:m|s|re|ve|ll|d)\b|\b\w{3,}(?:ed|ing)\b|\b(?:walk|go|leave|board|head|step|get)\b"
)
_CONDITION = pattern(r"^\W*(?:if|unless|when|once|in case|for|with|on|at|until|from)\b")
_BEFORE = pattern(r"^\W*(?:before|after|while|as soon as)\b")
# Greetings, thanks and other clauses without content.
_COURTESY = pattern(
    r"^\W*(?:(?:many )?thanks?|thank you|thx|cheers|hi|hello|hey|good (?:morning|afternoon|evening|day)|sorry|fine"
    r"|great|perfect|wish me luck|bear with me|no (?:rush|hurry|worries)|take your time|long day|quick one|appreciate"
    r" it|you(?:['’]re| are) an? \w+|much appreciated|no \w+ (?:needed|required|necessary))\b(?:\W+\w+){0,5}\W*$"
)
_IS_NOW = pattern(r"(?:\b(?:is|are|was|became|be)|['’](?:s|re)) (?:now |an? )*$")
_PROMISE = pattern(
    r"(?:\s*,\s*(?:and |then |so )?| (?:and|then|so) )(?:then )?i(?:['’]ll| will| can) (?!not\b|you\b)"
    r"(?!(?:\w+ )?(?:call|meet|ring|phone|e-?mail|mail|visit|note|see)\b)[^.?!;,]*(?P<end>[.?!]*)\s*$"
)
"""Recognises the user's own plans: "list them and I'll get going"."""
_KEEPS_BACKGROUND = pattern(
    r"\b(?:note|log|record|write|jot|add|put|remember|remind (?:me|us) (?:of|about)) (?:down )?(?:that|this|it)\b"
    r"|^\W*(?:please )?remind (?:me|us)(?: please)?\W*$"
)
"""Recognises a request to keep what was said before it."""
_STARTS = re.compile(_REQUEST.pattern.partition(r"|\?\s*$")[0], re.IGNORECASE)


class _Part(Struct, frozen=True):
    text: str
    asks: bool
    fixed: bool = False


def strip_background(text: str, read: Read, record_names: Collection[str]) -> str:
    """Return the message without the background around a definite request; unchanged where none is definite.

    `record_names` are the names of the session's records.
    """
    if NOTE_THAT.match(text):
        return text
    parts = [part for sentence in _sentences(text) for part in _parts(sentence)]
    if len(parts) < 2 and not _PROMISE.search(text):
        return text
    requests = [part for part in parts if part.asks]
    if not requests or any(_KEEPS_BACKGROUND.search(part.text) for part in requests):
        return text
    is_cased = re.search(r"(?:^|[.!?]\s+|\b)(?:[A-ZÀ-Þ]\w|I\b)", text) is not None
    remaining = [
        part for part in parts if part.asks or part.fixed or not _is_context(part.text, read, record_names, is_cased)
    ]
    if _needs_antecedent([read(part.text) for part in remaining]):
        remaining = [part for part in parts if part in remaining or _may_be_antecedent(read(part.text))]
    return " ".join(_without_promise(part) for part in remaining)


def is_background(text: str, read: Read, record_names: Collection[str]) -> bool:
    """Return whether the text asks for nothing and has no name in it: "the rain is terrible out there"."""
    cased = text[:1].isupper()
    return not _REQUEST.search(text) and _is_context(text, read, record_names, cased)


def content_start(text: str) -> int:
    """Return where text to be written down begins, or the end of the text."""
    content = _CONTENT_START.search(text)
    return content.end() if content else len(text)


def split_sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]


def _sentences(text: str) -> Iterator[_Part]:
    content = _CONTENT_START.search(text)
    position = 0
    for sentence in split_sentences(text):
        start = text.index(sentence, position)
        position = start + len(sentence)
        is_fixed = content is not None and position > content.start()
        asks = _REQUEST.search(sentence) is not None and not _DENIED.match(sentence)
        yield _Part(sentence, asks, is_fixed)


def _parts(sentence: _Part) -> Iterator[_Part]:
    """Yield the sentence, cut before its first request: "my notebook is open, so list my next steps"."""
    if sentence.fixed or not sentence.text.strip():
        yield sentence
        return
    for boundary in _BOUNDARY.finditer(sentence.text):
        head, rest = sentence.text[: boundary.start()], sentence.text[boundary.end() :]
        if _STARTS.match(head):
            break
        if _STARTS.match(rest) and _is_statement(head) and not _CONDITION.match(head):
            if _BEFORE.match(head) and pattern(r"\b(?:remind|schedule|book|call|task)\b").search(rest):
                break
            yield _Part(f"{head},", asks=False)
            yield _Part(rest, asks=True)
            return
    yield sentence


def _is_statement(text: str) -> bool:
    return _STATEMENT.search(text) is not None or _COURTESY.match(text) is not None


def _needs_antecedent(clauses: Sequence[Reading]) -> bool:
    """Return whether the request refers to something said before and has no name in it: "move it to four"."""
    has_pronoun = any(one.pronouns or pattern(r"\b(?:one|ones)\b").search(one.text) for one in clauses)
    return has_pronoun and not any(name.strong and name.capital for one in clauses for name in one.names)


def _is_context(text: str, read: Read, record_names: Collection[str], is_cased: bool) -> bool:
    if not _is_statement(text) or _CONDITION.match(text):
        return False
    reading = read(text)
    if reading.emails or reading.phones or reading.urls or reading.quoted or reading.content:
        return False
    if any(one.lower() in text.lower() for one in record_names) or _states_a_value(reading):
        return False
    return not any(_is_name(name, reading.text, is_cased=is_cased) for name in reading.names)


def _may_be_antecedent(reading: Reading) -> bool:
    """Return whether "it" or "him" may refer to something in this clause."""
    has_referent = reading.has(*KINDS, "activity", "note") or reading.activities or reading.amounts
    return bool(has_referent or any(name.capital for name in reading.names) or _opens_with_name(reading))


def _opens_with_name(reading: Reading) -> bool:
    return any(name.strong and name.start == 0 for name in reading.names)


def _is_name(name: Name, text: str, *, is_cased: bool) -> bool:
    words: Sequence[str] = name.text.split()
    opens = name.start == len(text) - len(text.lstrip())
    if len(words) == 1 and (name.text.isupper() or (opens and is_word(name.text.lower()))):
        return False
    if name.capital or (opens and name.text[:1].isupper()):
        return True
    return name.strong and not is_cased and name.before not in ("my", "the", "a", "an", "our", "this", "that")


def _states_a_value(reading: Reading) -> bool:
    """Return whether the clause changes a record: "she is qualified now"."""
    return any(
        _IS_NOW.search(reading.text[:start])
        for value in reading.values.keys() & (LEAD_STATUSES | STAGES)
        for start, _ in reading.values[value]
    ) and bool(reading.names or "person" in reading.pronouns)


def _without_promise(part: _Part) -> str:
    if part.fixed or not part.asks:
        return part.text
    return _PROMISE.sub(lambda match: match["end"], part.text)
