"""Part a question from the sentence around it: "I'm off to Acme and was wondering whom I should speak to there"."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.segments.slots import names_in
from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, LISTS, MIN_BACKGROUND, SURE_ANSWER, SURE_ORDER
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import Token, tokenize

_AROUND = (
    lexicon.INTERJECTIONS
    | lexicon.PERSON_PRONOUNS
    | lexicon.THING_PRONOUNS
    | frozenset("and but so then why that this one is".split())
)
_TOLD = BACKGROUND | {"negated"}
"""Acts as which a sentence is read whose question is only a part of it."""
_KNOWING = frozenset(
    (
        "know knows wonder wonders wondering wondered ask asks asked asking remember recall tell check see find "
        "out sure idea clue curious forgot forget forgotten"
    ).split()
) | {"question"}
"""Words before an indirect question: "I wonder who …", "he's asking whether …"."""
_QUESTION_WORDS = frozenset("who whom whose what when where which why how whether who's what's".split())
_PREPOSITIONS = frozenset("with to for from at of".split())
_JOINTS = lexicon.OPENINGS | {"anyway"}
_PRAISE = frozenset("cool great nice good perfect super lovely brilliant thanks awesome interesting right".split())
_BEING = frozenset("is are was were has have had can could will does did".split())
_BEFORE_QUESTION_WORDS = _PREPOSITIONS | lexicon.INTERJECTIONS | frozenset("me us you again out about is was".split())
_DIRECT = lexicon.QUESTION_STARTS - {"had", "do", "shall", "should"} | {"what's", "who's"}
MAX_SUBJECT = 4
"""Tokens of the subject of an indirect question."""


def with_embedded_questions(plan: Plan, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a question in one that is read as background, or after another name, is read by itself."""
    for segment in segments:
        yield from (part for one in _parted(plan, segment) for part in _enumerated(plan, one))


def _parted(plan: Plan, segment: Segment) -> Sequence[Segment]:
    """Return a segment, or what leads to its question, as background, and the question."""
    tokens = tokenize(segment.text)
    indirect, direct = _start_of_indirect(tokens), _start_of_direct(tokens)
    is_told = segment.act in _TOLD or (segment.act == "hypothetical" and _is_of_other(tokens, indirect))
    if is_told and (place := max(indirect or 0, direct or 0)):
        opening, _ = _cut(segment, tokens[place].start)
        reason = next((one.start for one in tokens[place:] if one.word in lexicon.REASON_WORDS), len(segment.text))
        questions = _read(plan, segment, _direct(tokens[place:], segment.text[tokens[place].start : reason]))
        return [opening, *questions] if questions else [segment]
    if indirect and segment.act in READS:
        # In "Ann asked me what the Acme deal is worth" Ann is no record asked about.
        opening, asked = _cut(segment, tokens[indirect].start)
        if names_in(asked) and names_in(opening):
            return [opening, asked]
    if segment.act in LISTS and (first := indirect or direct):
        opening, asked = _cut(segment, tokens[first].start)
        before, after = plan.read(opening.text).segments, plan.read(asked.text).segments
        is_aside = all(one.act in BACKGROUND and one.probability >= SURE_ANSWER for one in before)
        is_same = [one.act for one in after] == [segment.act] and after[0].probability >= SURE_ORDER
        is_clearer = {one.act for one in after} <= READS and segment.probability < SURE_ANSWER
        if is_aside and (is_same or (is_clearer and min(one.probability for one in after) >= SURE_ANSWER)):
            return [opening, *after]
    return [segment]


def _cut(segment: Segment, start: int) -> tuple[Segment, Segment]:
    return replace(segment.part(0, start), act="context", probability=1.0, others=()), segment.part(start)


def _read(plan: Plan, whole: Segment, text: str) -> Sequence[Segment]:
    """Return the segments of a part of another one, all of which ask something; empty where one does not."""
    segments = [_as_read(whole, one) for one in plan.read(text).segments]
    return segments if all(one.act in READS for one in segments) else []


def _as_read(whole: Segment, segment: Segment) -> Segment:
    """Return a question as what it most likely asks by its own words and by those of the whole sentence."""
    shares = dict[str, float]()
    for act, share in ((segment.act, segment.probability), *segment.others, *whole.others):
        shares[act] = shares.get(act, 0.0) + share
    act = max((one for one in shares if one in READS), key=shares.__getitem__, default="")
    if shares.get(act, 0.0) < MIN_BACKGROUND:
        return segment
    return replace(segment, act=act, probability=min(1.0, shares[act]))


def _enumerated(plan: Plan, segment: Segment) -> Sequence[Segment]:
    """Return a question as one for each question word after a joint: "who is on the deal, and when does it close"."""
    tokens = tokenize(segment.text)
    named = min((span.end for span in segment.spans if span.tag in ("name", "org", "ref")), default=len(segment.text))
    place = next((at for at in range(1, len(tokens)) if _asks_anew(tokens, at) and tokens[at].start > named), None)
    if place is None or segment.act != "ask_field":
        return [segment]
    start = tokens[place].start
    asked = segment.part(start)
    has_field = any(span.tag == "field" for span in asked.spans)
    questions = [asked] if has_field else _read(plan, segment, asked.text)
    return [segment.part(0, start), *questions] if questions else [segment]


def _asks_anew(tokens: Sequence[Token], place: int) -> bool:
    """Return whether another question begins at a place, after a comma or an "and"."""
    before = tokens[place - 1 - (tokens[place - 1].word in _PREPOSITIONS)]
    return tokens[place].word in _QUESTION_WORDS and before.word in ("and", ",", "&", "plus")


def _start_of_indirect(tokens: Sequence[Token]) -> int | None:
    """Return the place of the words of the first indirect question, after a verb of asking or knowing."""
    for place, token in enumerate(tokens):
        if token.word not in _QUESTION_WORDS and token.word != "if":
            continue
        before = place
        while before and tokens[before - 1].word in _BEFORE_QUESTION_WORDS:
            before -= 1
        if before and tokens[before - 1].word in _KNOWING:
            return place - (tokens[place - 1].word in _PREPOSITIONS)
    return None


def _is_of_other(tokens: Sequence[Token], place: int | None) -> bool:
    """Return whether an indirect question is not what the user may do: "do you know if Ann replied"."""
    return place is not None and tokens[min(place + 1, len(tokens) - 1)].word not in lexicon.SELF_WORDS


def _start_of_direct(tokens: Sequence[Token]) -> int | None:
    """Return the place of the last question after a pause: "…, have you got his number"."""
    for place in range(len(tokens) - 2, 0, -1):
        before = place - 1
        while before and tokens[before].word in _JOINTS:
            before -= 1
        is_asking = tokens[place].word in _DIRECT or (
            tokens[place].word == "do" and tokens[place + 1].word in lexicon.SELF_WORDS | lexicon.PERSON_PRONOUNS
        )
        is_asking = is_asking and tokens[place + 1].word != "i"  # ", which I remember"
        is_opened = all(one.word in lexicon.INTERJECTIONS | _PRAISE for one in tokens[:place])  # "Cool is she the CFO"
        if tokens[before].word == ":" or (is_asking and (is_opened or tokens[before].word in lexicon.PAUSES)):
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
    return f"did {rest}"


def with_whys(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a bare "why" is a part of the question before it: "Who's my best lead? Why him?".

    "My biggest deal, and why is it stuck?" asks two things.
    """
    waiting: Segment | None = None
    for segment in (part for one in segments for part in _parted_at_why(one)):
        words = {one.word for one in tokenize(segment.text) if one.kind != "mark"}
        if waiting is not None and waiting.act in READS and "why" in words and words <= _AROUND:
            waiting = replace(waiting, text=f"{waiting.text.rstrip(' ?,.')} and why?")
            continue
        if waiting is not None:
            yield waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _parted_at_why(segment: Segment) -> Iterator[Segment]:
    """Yield a question and the one for a reason that is joined to it."""
    pairs = list(pairwise(tokenize(segment.text)))[1:]  # "And why?" begins with its joint.
    cuts = [two.start for one, two in pairs if two.word == "why" and (one.kind == "mark" or one.word == "and")]
    if segment.act not in READS or not cuts:
        yield segment
        return
    cut = cuts[-1]
    text = segment.text[:cut].rstrip(" ,;.?")
    yield replace(segment, text=text, spans=tuple(one for one in segment.spans if one.end <= cut))
    spans = tuple(replace(one, start=one.start - cut) for one in segment.spans if one.start >= cut)
    yield Segment(segment.text[cut:], "score", spans=spans)
