"""Part a question from the sentence around it: "I'm off to Acme and was wondering whom I should speak to there"."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.segments.slots import after_place, names_in
from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, MIN_BACKGROUND
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import Token, tokenize

_TOLD = BACKGROUND | {"negated"}
"""Acts as which a sentence is read whose question is only a part of it."""
_KNOWING = frozenset(
    "know knows wonder wonders wondering wondered ask asks asked asking remember recall tell check see find out sure "
    "idea clue curious forgot forget forgotten".split()
)
"""Words before an indirect question: "I wonder who …", "he's asking whether …"."""
_QUESTION_WORDS = frozenset("who whom whose what when where which why how whether who's what's".split())
_BEFORE_QUESTION_WORDS = frozenset("me us you again out to with for from at about of".split())
_PREPOSITIONS = frozenset("with to for from at of".split())
_DIRECT = lexicon.QUESTION_STARTS - {"had", "do", "shall", "should"}
_PAUSES = frozenset((",", ";", ":", "-", "–", "—", ".", "!", "…"))
_JOINTS = frozenset("and so but anyway then".split())
_BEING = frozenset("is are was were has have had can could will does did".split())
_SHORT = {"'s": "is", "'re": "are", "'ve": "have"}
MAX_SUBJECT = 4
"""Tokens of the subject of an indirect question."""


def with_embedded_questions(plan: Plan, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a question in one that is read as background, or after another name, is read by itself."""
    for segment in segments:
        yield from (part for one in _parted(plan, segment) for part in _enumerated(plan, one))


def _parted(plan: Plan, segment: Segment) -> Sequence[Segment]:
    tokens = tokenize(segment.text)
    place = _start_of_question(tokens)
    is_told = segment.act in _TOLD
    if place is None and is_told:
        place = _start_of_direct(tokens)
    if not place or not (is_told or segment.act in READS):
        return [segment]
    start = tokens[place].start
    asked = after_place(segment, start)
    opening = tuple(span for span in segment.spans if span.end <= start)
    opening_segment = Segment(segment.text[:start], "context", spans=opening)
    if not is_told:
        # In "Ann asked me what the Acme deal is worth" Ann is no record asked about.
        return [opening_segment, asked] if names_in(opening_segment) and names_in(asked) else [segment]
    questions = [_as_read(segment, one) for one in plan.read(_direct(tokens[place:], asked.text)).segments]
    return [opening_segment, *questions] if all(one.act in READS for one in questions) else [segment]


def _enumerated(plan: Plan, segment: Segment) -> Sequence[Segment]:
    """Return a question as one for each question word after a joint: "who is on the deal, and when does it close"."""
    tokens = tokenize(segment.text)
    named = min((span.end for span in segment.spans if span.tag in ("name", "org", "ref")), default=len(segment.text))
    place = next((at for at in range(1, len(tokens)) if _asks_anew(tokens, at) and tokens[at].start > named), None)
    if place is None or segment.act != "ask_field":
        return [segment]
    start = tokens[place].start
    head = replace(segment, text=segment.text[:start], spans=tuple(one for one in segment.spans if one.end <= start))
    read = [_as_read(segment, one) for one in plan.read(segment.text[start:]).segments]
    return [head, *read] if all(one.act in READS for one in read) else [segment]


def _asks_anew(tokens: Sequence[Token], place: int) -> bool:
    """Return whether another question begins at a place, after a comma or an "and"."""
    before = tokens[place - 1 - (tokens[place - 1].word in _PREPOSITIONS)]
    return tokens[place].word in _QUESTION_WORDS and before.word in ("and", ",", "&", "plus")


def _start_of_question(tokens: Sequence[Token]) -> int | None:
    """Return the place of the words of an indirect question, after a verb of asking or knowing."""
    for place, token in enumerate(tokens):
        if token.word not in _QUESTION_WORDS and token.word != "if":
            continue
        before = place
        while before and tokens[before - 1].word in _BEFORE_QUESTION_WORDS | lexicon.INTERJECTIONS:
            before -= 1
        if before and tokens[before - 1].word in _KNOWING:
            return place - (tokens[place - 1].word in _PREPOSITIONS)
    return None


def _start_of_direct(tokens: Sequence[Token]) -> int | None:
    """Return the place of the last question after a pause: "…, have you got his number"."""
    for place in range(len(tokens) - 2, 0, -1):
        before = place - 1
        while before and tokens[before].word in _JOINTS:
            before -= 1
        if tokens[place].word in _DIRECT and tokens[before].word in _PAUSES:
            return place
    return None


def _direct(tokens: Sequence[Token], text: str) -> str:
    """Return an indirect question for a yes or no as a direct one: "whether she is warm" as "is she warm"."""
    if tokens[0].word not in ("whether", "if"):
        return text
    rest = text[tokens[1].start - tokens[0].start :]
    for token in tokens[1 : 1 + MAX_SUBJECT]:
        if token.word in _BEING:
            at = token.start - tokens[1].start
            return f"{token.word} {rest[:at]}{rest[at + len(token.text) + 1 :]}"
        if (ending := next((one for one in _SHORT if token.word.endswith(one)), None)) is not None:
            at = token.end - tokens[1].start
            return f"{_SHORT[ending]} {rest[: at - len(ending)]}{rest[at:]}"
    return rest


def _as_read(whole: Segment, segment: Segment) -> Segment:
    """Return a question as what it most likely asks by its own words and by those of the whole sentence."""
    shares = dict[str, float]()
    for act, share in ((segment.act, segment.probability), *segment.others, *whole.others):
        shares[act] = shares.get(act, 0.0) + share
    act = max((one for one in shares if one in READS), key=shares.__getitem__, default="")
    if shares.get(act, 0.0) < MIN_BACKGROUND:
        return segment
    return replace(segment, act=act, probability=min(1.0, shares[act]))
