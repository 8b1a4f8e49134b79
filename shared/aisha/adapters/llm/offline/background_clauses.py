"""What of a message asks for something: the circumstances told beside a request are no part of it.

"Traffic is awful and I'm late. Brief me on Ann Lee. Thanks!" asks for Ann Lee alone: nobody is looked up by the other words.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct

from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.imperatives import VERBS
from aisha.adapters.llm.offline.intent import LEAD_STATUSES, STAGES
from aisha.adapters.llm.offline.parser import NOTE_THAT, Name, Reading
from aisha.adapters.llm.offline.spelling import is_word

Read = Callable[[str], Reading]

_SENTENCE_END = re.compile(
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bvs\.)(?<!\bMrs\.)(?<!\bInc\.)(?<!\bLtd\.)(?<!\bNo\.)(?<!\.m\.)(?<=[.!?;])\s+"
)
_QUIET = re.compile(
    r"[\"“]|\b(?:notes?|memo|remark|comment|log|task|to-?do|reminder|e-?mail|call|meeting|demo|description|body)\b[^.?!:]*:(?!\d)"
    r"|\b(?:note|log|record|remember|saying|says|telling)\s+(?:(?:it|him|her|them)\s+)?that\b|\bnote\s+(?:he|she|they)\b",
    re.IGNORECASE,
)
"""From this sentence on the words are what is to be written down."""
_BOUNDARY = re.compile(r"\s*(?:[,–—:]|\s-\s)\s*(?:(?:so|and|but|then)\s+)?|\s+(?:so|and|but)\s+", re.IGNORECASE)
_LEAD_IN = (
    r"(?:(?:please|pls|plz|kindly|so|and|but|then|now|just|also|quickly|first)\s+"
    r"|(?:ok|okay|anyway|well|right|fine|good|great|sorry|thanks|hey|hi|hello|please|so|now|aisha)\s*[,!.:–—-]+\s*)*"
)
_TOLD_NEXT = r"(?!\s*(?:(?:(?!me\b|us\b|you\b)\w+\s+)?(?:is|was|were|went|has|had|got|starts?|did|ran|took)\b|,|['’]))"
_REQUEST = re.compile(
    rf"^\W*{_LEAD_IN}(?:(?:show|list|tell|find|search|look\s+up|brief|fill\s+me|run|pull|read|identify|count|pick|forecast|compare|summari[sz]e|explain|walk\s+me|"
    rf"let\s+me|go\s+ahead|amend|revise|tack)\b|{VERBS}\b){_TOLD_NEXT}"
    rf"|^\W*{_LEAD_IN}(?:what|which|who|whom|whose|where|when|why|how|is|are|do|does|did|has|have|any|can|could|would|will|should|shall|may)(?:['’]s|['’]re)?\b(?!\s+a\b)[^?]*(?:\?|$)"
    r"|\?\s*$|\b(?:can|could|would|will)\s+you\b|\bplease\b|\b(?:i|we)(?:['’]d|\s+would|\s+should)\s+(?:like|love|be\s+(?:grateful|glad|obliged|thankful))\b|\b(?:i|we)\s+(?:need|want)\s+(?:to|you|an?|the|my|our|all)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"^\W*(?:no|not|nothing)\b", re.IGNORECASE)
_STATEMENT = re.compile(
    r"\b(?:am|is|are|was|were|be|been|has|have|had|got|gets|did|do|does|don['’]?t|can['’]?t|can|could|will|won['’]?t|would|wants?|needs?|went|came|starts?|hate|love|made|left|lost|took|handed|promise|wait|done|put|idea|forgot|hope|guess|keeps?)\b"
    r"|['’](?:m|s|re|ve|ll|d)\b|\b\w{3,}(?:ed|ing)\b|\b(?:walk|go|leave|board|head|step|get)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"^\W*(?:if|unless|when|once|in\s+case|for|with|on|at|until|from)\b", re.IGNORECASE)
_BEFORE = re.compile(r"^\W*(?:before|after|while|as\s+soon\s+as)\b", re.IGNORECASE)
_COURTESY = re.compile(
    r"^\W*(?:(?:many\s+)?thanks?|thank\s+you|thx|cheers|hi|hello|hey|good\s+(?:morning|afternoon|evening|day)|sorry|fine|great|perfect|wish\s+me\s+luck|bear\s+with\s+me|no\s+(?:rush|hurry|worries)|take\s+your\s+time|long\s+day|quick\s+one|appreciate\s+it|you(?:['’]re|\s+are)\s+an?\s+\w+|much\s+appreciated|no\s+\w+\s+(?:needed|required|necessary))\b(?:\W+\w+){0,5}\W*$",
    re.IGNORECASE,
)
_IS_NOW = re.compile(r"(?:\b(?:is|are|was|became|be)|['’](?:s|re))\s+(?:now\s+|an?\s+)*$", re.IGNORECASE)
_PROMISE = re.compile(
    r"(?:\s*,\s*(?:and\s+|then\s+|so\s+)?|\s+(?:and|then|so)\s+)(?:then\s+)?i(?:['’]ll|\s+will|\s+can)\s+(?!not\b|you\b)(?!(?:\w+\s+)?(?:call|meet|ring|phone|e-?mail|mail|visit|note|see)\b)[^.?!;,]*(?P<end>[.?!]*)\s*$",
    re.IGNORECASE,
)
"""What the user means to do once it is done: "list them and I'll get going"."""


_WHAT_WAS_TOLD = re.compile(
    r"\b(?:note|log|record|write|jot|add|put|remember|remind\s+(?:me|us)\s+(?:of|about))\s+(?:down\s+)?(?:that|this|it)\b|^\W*(?:please\s+)?remind\s+(?:me|us)(?:\s+please)?\W*$",
    re.IGNORECASE,
)
"""Asks to keep what was told before it."""


class _Part(Struct, frozen=True):
    text: str
    asks: bool
    fixed: bool = False


def to_the_point(text: str, read: Read, known: Collection[str]) -> str:
    """The message without the circumstances that it tells beside a definite request; as it is where none is definite.

    `known` are the names of the session's records.
    """
    if NOTE_THAT.match(text):
        return text
    parts = [part for sentence in _sentences(text) for part in _parts(sentence)]
    if len(parts) < 2 and not _PROMISE.search(text):
        return text
    asking = [part for part in parts if part.asks]
    if not asking or any(_WHAT_WAS_TOLD.search(part.text) for part in asking):
        return text
    is_cased = re.search(r"(?:^|[.!?]\s+|\b)(?:[A-ZÀ-Þ]\w|I\b)", text) is not None
    kept = [part for part in parts if part.asks or part.fixed or not _is_context(part.text, read, known, is_cased)]
    if _leans([read(part.text) for part in kept]):
        kept = [part for part in parts if part in kept or _is_spoken_of(read(part.text))]
    return " ".join(_without_promise(part) for part in kept)


def is_only_context(text: str, read: Read, known: Collection[str]) -> bool:
    """Whether the text asks for nothing and names nobody: "the rain is terrible out there"."""
    cased = text[:1].isupper()
    return not _REQUEST.search(text) and _is_context(text, read, known, cased)


def asked_in(text: str) -> int:
    """Where what is to be written down begins, or the end of the text."""
    quiet = _QUIET.search(text)
    return quiet.end() if quiet else len(text)


def sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]


def _sentences(text: str) -> Iterator[_Part]:
    quiet = _QUIET.search(text)
    place = 0
    for sentence in sentences(text):
        start = text.index(sentence, place)
        place = start + len(sentence)
        is_fixed = quiet is not None and place > quiet.start()
        asks = _REQUEST.search(sentence) is not None and not _DENIED.match(sentence)
        yield _Part(sentence, asks, is_fixed)


def _parts(sentence: _Part) -> Iterator[_Part]:
    """The sentence, cut before the first clause that asks for something: "my notebook is open, so list my next steps"."""
    if sentence.fixed or not sentence.text.strip():
        yield sentence
        return
    for boundary in _BOUNDARY.finditer(sentence.text):
        head, rest = sentence.text[: boundary.start()], sentence.text[boundary.end() :]
        if _STARTS.match(head):
            break
        if _STARTS.match(rest) and _is_statement(head) and not _CONDITION.match(head):
            if _BEFORE.match(head) and re.search(r"\b(?:remind|schedule|book|call|task)\b", rest, re.IGNORECASE):
                break
            yield _Part(f"{head},", asks=False)
            yield _Part(rest, asks=True)
            return
    yield sentence


_STARTS = re.compile(_REQUEST.pattern.partition(r"|\?\s*$")[0], re.IGNORECASE)


def _is_statement(text: str) -> bool:
    return _STATEMENT.search(text) is not None or _COURTESY.match(text) is not None


def _leans(kept: Sequence[Reading]) -> bool:
    """Whether what is asked speaks of what was said before, and names nobody itself: "move it to four"."""
    points = any(one.pronouns or re.search(r"\b(?:one|ones)\b", one.text, re.IGNORECASE) for one in kept)
    return points and not any(name.strong and name.capital for one in kept for name in one.names)


def _is_context(text: str, read: Read, known: Collection[str], is_cased: bool) -> bool:
    if not _is_statement(text) or _CONDITION.match(text):
        return False
    reading = read(text)
    if reading.emails or reading.phones or reading.urls or reading.quoted or reading.content:
        return False
    if any(one.lower() in text.lower() for one in known) or _states_a_value(reading):
        return False
    return not any(_is_name(name, reading.text, is_cased=is_cased) for name in reading.names)


def _is_spoken_of(reading: Reading) -> bool:
    """Whether "it" or "him" may be what this speaks of."""
    speaks_of = reading.has(*KINDS, "activity", "note") or reading.activities or reading.amounts
    return bool(speaks_of or any(name.capital for name in reading.names) or _opens_with_name(reading))


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
    """ "She is qualified now" is a change of her record."""
    return any(
        _IS_NOW.search(reading.text[:start])
        for value in reading.values.keys() & (LEAD_STATUSES | STAGES)
        for start, _ in reading.values[value]
    ) and bool(reading.names or "person" in reading.pronouns)


def _without_promise(part: _Part) -> str:
    if part.fixed or not part.asks:
        return part.text
    return _PROMISE.sub(lambda match: match["end"], part.text)
