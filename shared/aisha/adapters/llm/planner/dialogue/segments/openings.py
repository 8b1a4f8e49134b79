"""Leave out what a sentence tells before the question in it: "I had a good morning, so how much have I won?"."""

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.dialogue.words import LISTS
from aisha.domain.language import lexicon
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import Token, tokenize

_PAUSES = frozenset((",", ";", ":", "-", "–", "—", ".", "!", "…", "so"))
_BEFORE_QUESTIONS = lexicon.INTERJECTIONS | frozenset(("so", "and", "then", "but", "just", "can", "could", "you"))
_ASKING = lexicon.QUESTION_STARTS | frozenset("tell show give list number total sum count".split())


def without_opening(segment: Segment) -> Segment:
    """Return a question about several records without a clause on the user before it that says nothing of them."""
    if segment.act not in LISTS | {"forecast"}:
        return segment
    tokens = tokenize(segment.text)
    starts = [
        _after_pause(tokens, place) for place, one in enumerate(tokens) if one.word in _PAUSES and _tells(segment, one)
    ]
    start = max((one for one in starts if one), default=0)
    spans = tuple(span for span in segment.spans if span.start >= start)
    return replace(segment, text=" " * start + segment.text[start:], spans=spans) if start else segment


def _after_pause(tokens: list[Token], place: int) -> int:
    """Return where the question after a pause begins; 0 where none does."""
    rest = tokens[place + 1 :]
    first = next((one for one in rest if one.word not in _BEFORE_QUESTIONS), None)
    return rest[0].start if first is not None and first.word in _ASKING else 0


def _tells(segment: Segment, pause: Token) -> bool:
    """Return whether the words before a pause are about the user, and say no records and no condition."""
    opening = segment.text[: pause.start]
    tokens = tokenize(opening)
    is_told = any(one.word in lexicon.SELF_WORDS for one in tokens) and not policy.is_condition(opening)
    says_records = any(lexicon.kind_named(one) for one in tokens) or bool(lexicon.values_in(opening))
    tags = {span.tag for span in segment.spans if span.start < pause.start}
    return is_told and not says_records and tags <= {"when"}
