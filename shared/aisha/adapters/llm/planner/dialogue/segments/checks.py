"""Read a statement that the user wants confirmed as a question: "Acme isn't a customer, is it?"."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order
from aisha.adapters.llm.planner.dialogue.words import SURE_ORDER
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NUMBER_TAGS, READS
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_BE = r"(?:is|was|are|were|does|do|did|has|have|will|can)"
_TAG = rf"{_BE}(?:n['’]?t)?\s+(?:it|he|she|they|we|that|there)(?:\s+not)?"
_CHECK = r"(?:is|was)(?:n['’]t)?\s+(?:that|this|it)\s+(?:right|correct|true|so|the\s+case)|am\s+i\s+(?:right|wrong)"
_ASKED_BACK = re.compile(
    rf"\s*(?:[,;–-]\s*(?:{_TAG}|{_CHECK}|right|correct|true)\s*\?+|\.\s*(?:{_CHECK}|(?:correct|right|true)\s*\?)[\s.?]*)\s*$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:and|so|but|well|sorry|hi|hey|wait|hm+|um+|ok(?:ay)?|(?:\w+\s+)?question|just\s+(?:checking|to\s+check)|"
    r"i\s+(?:had\s+in\s+mind|thought|think|believed?|understood|assumed?|guess)|am\s+i\s+right)\b[\s,:]*(?:that\s+)?)+",
    re.IGNORECASE,
)
_SUBJECTS = frozenset(("name", "new", "org", "ref", "owner"))


def with_checks(plan: Plan, segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield the segments, a statement with its tag question, or before "is that right?", as one question."""
    place = 0
    while place < len(segments):
        first, *after = segments[place : place + 2]
        asked = _asked(plan, first)
        end = after[0].text if after and asked is None else ""
        # A tag question by itself stands after its statement.
        if end and _ASKED_BACK.fullmatch(end if end[:1] in ",;.-" else f". {end}"):
            asked = _asked(plan, replace(first, text=f"{first.text} {end}"))
            place += asked is not None
        yield asked or first
        place += 1


def _asked(plan: Plan, segment: Segment) -> Segment | None:
    """Return a statement that asks for a yes as a question for what it says of its record; None for any other."""
    match = _ASKED_BACK.search(segment.text)
    if match is None or begins_as_order(segment) or (segment.act in READS and segment.probability >= SURE_ORDER):
        return None
    opening = _OPENING.match(segment.text)
    read = plan.read(segment.text[opening.end() if opening else 0 : match.start()]).segments
    words = {one.word for one in tokenize(segment.text)}
    is_pointing = bool(words & (lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS))
    if len(read) != 1 or not (is_pointing or any(span.tag in _SUBJECTS for span in read[0].spans)):
        return None
    (stated,) = read
    has_value = bool(lexicon.values_in(stated.text.lower()) or lexicon.fields_in(stated.text.lower()))
    numbers = [one for one in stated.spans if one.tag in NUMBER_TAGS and any(map(str.isdecimal, one.text))]
    if numbers and not has_value:  # "It was 117, wasn't it?"
        stated = stated.followed_by(Segment("amount", "ask_field", spans=(Span("field", "amount", 0),)))
    return replace(
        stated, act="ask_field" if has_value or numbers else "about", probability=1.0, others=(), is_disputed=False
    )
