"""Part a segment that corrects itself, or asks about several records, into one for each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.conditions import CONDITIONS, is_condition
from aisha.adapters.llm.planner.dialogue.segments import slots
from aisha.adapters.llm.planner.dialogue.segments.joining import ends_sentence
from aisha.adapters.llm.planner.dialogue.words import (
    BACKGROUND,
    COMPUTED,
    LISTS,
    MIN_BACKGROUND,
    SURE_ANSWER,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import PROPER_NAME_TAGS, READS, WRITES
from aisha.domain.language.reader import Segment, Span, read
from aisha.domain.language.tokens import Token, tokenize

# First words of a question about what would be.
_ASKING = frozenset("what what's where how which who would will do does".split())
# Words that begin a question without a mark before it: "if she signs what's my total".
_ASKING_WHAT = frozenset("what what's whats how".split())
# First words of what is imagined, before what it asks: "say we won it, what would my total be?".
_IMAGINING = frozenset("suppose imagine say".split())
# First words of a condition without "if": "were we to lose it, what would remain?".
_INVERTED = frozenset(("were",))
_TOTALS = frozenset("total sum number count average".split())
_WHO_THEY = frozenset("and so who which what are is they".split())
_REMAINING = frozenset("left remain remains remaining still".split())
_ENUMERATING = frozenset("and , & + plus ' s of for".split())
# Words that begin a question of its own in an enumeration.
_ASKING_SELF = frozenset("what's whats who's whos who when where is are do does did how's".split())
_VERBS = frozenset("is are do does did".split())
# Words after a "no" that corrects; "no rush" does not.
_AFTER_NO = frozenset("wait sorry make actually scratch not drop it's i".split())
_PAUSES = lexicon.PAUSES | {"("}
_STAYING = lexicon.STAYING | lexicon.LEAVING
_MIN_CONDITIONAL = 6
"""Tokens of the shortest sentence with a condition and a question."""
_OF_ONE_RECORD = frozenset(("ask_field", "score"))
"""Acts that answer about one record."""
_ASKING_WITH: Mapping[str, tuple[str, ...]] = {
    "how": ("many", "much"),
    "what": ("is", "are"),
    "which": ("one", "ones", "of"),
}
_MIN_QUESTION = 5
"""Tokens of the shortest part of an enumeration that asks something without naming a field."""
MAX_KIND_WORDS = 6
"""Words of a correction that only names another kind of records."""
_MEANING = frozenset((("i", "mean"), ("i", "meant"), ("make", "that"), ("or", "rather")))
_STRIKING = frozenset((("scratch", "that"), ("strike", "that")))


def parted_at_correction(segment: Segment) -> Iterator[Segment]:
    """Yield an ask and what corrects it in the same sentence: "move it to ten... no, eleven"."""
    tokens = tokenize(segment.text)
    nouns = [one for one in tokens if lexicon.kind_named(one)] if segment.act in LISTS else []
    verbatim = [(span.start, span.end) for span in segment.spans if span.tag in ("text", "topic")]
    ends = [*(span.end for span in segment.spans), *(noun.end for noun in nouns)]
    places = [
        place
        for place in range(1, len(tokens) - 1)
        if tokens[place - 1].word in _PAUSES or tokens[place - 1].word.endswith(".") or _takes_back_twice(tokens, place)
        if _takes_back(tokens[place].word, tokens[place + 1])
        if not any(start <= tokens[place].start < end for start, end in verbatim)
        if any(end <= tokens[place].start for end in ends)
    ]
    if not places:
        yield segment
        return
    start = tokens[places[0]].start
    asked, tail = segment.part(0, start), segment.part(start)
    # "How many leads do I have, no wait, contacts?"
    is_kind = bool(nouns) and nouns[-1].start > start and len(tokens) - places[0] <= MAX_KIND_WORDS
    is_other_kind = is_kind and lexicon.kind_named(nouns[0]) != lexicon.kind_named(nouns[-1])
    if not (tail.spans or is_other_kind) and _takes_back_twice(tokens, places[0]):
        tail = slots.with_values(tail)
    if not (tail.spans or is_other_kind):
        yield segment
        return
    yield asked
    names, words = slots.name_words(asked), {token.word for token in tokenize(tail.text)}
    if slots.name_words(tail) - names:
        # "Delete Ann. No, sorry, Ann stays, it's Bo": who is left out is no one to do it to.
        spans = tuple(
            one for one in tail.spans if one.tag not in PROPER_NAME_TAGS or not {*one.text.lower().split()} <= names
        )
        yield from parted_at_correction(replace(tail, act="correct", spans=spans, others=()))
    else:
        yield from parted_at_correction(replace(tail, act="negated" if words & _STAYING else "correct", others=()))


def _takes_back_twice(tokens: Sequence[Token], place: int) -> bool:
    """Return whether two words say that a correction follows, which need no pause before them: "no sorry"."""
    two = (tokens[place].word, tokens[place + 1].word)
    return {*two} <= lexicon.CORRECTING_WORDS or two in _STRIKING


def _takes_back(word: str, following: Token) -> bool:
    if (word, following.word) in _MEANING:
        return True
    return word in lexicon.CORRECTING_WORDS and (
        word != "no" or following.kind == "mark" or following.word in _AFTER_NO
    )


def each_record(segment: Segment) -> Iterator[Segment]:
    """Yield the orders for each record of one: "an account Acme, a contact there Ann Lee and a deal Acme Starter"."""
    news = [span.start for span in segment.spans if span.tag in ("new", "name")]
    tokens = tokenize(segment.text)
    cuts = [
        before.start
        for before, token in pairwise(tokens)
        if before.word in ("a", "an") and lexicon.kind_named(token) in lexicon.KINDS
    ]
    parts = list(pairwise((0, *cuts[1:], len(segment.text))))
    if segment.act != "create_record" or not all(any(first <= new < last for new in news) for first, last in parts):
        yield segment
        return
    yield from _cut(segment, cuts[1:])


def each_question(plan: Plan, segment: Segment) -> Sequence[Segment]:
    """Return the questions of an enumeration: "Ann's email, the amount of the Acme pilot and the date of Bo's demo"."""
    names = [span for span in segment.spans if span.tag in ("name", "org")]
    if segment.act in LISTS | COMPUTED or (segment.act == "ask_field" and not names):
        return _each_list(plan, segment)
    if segment.act not in _OF_ONE_RECORD or len(names) < 2:
        return [segment]
    between = [tokenize(segment.text[one.end : two.start]) for one, two in pairwise(names)]
    if all(tokens and {token.word for token in tokens} <= _ENUMERATING for tokens in between):
        return [_with_one_name(segment, names, name) for name in names]  # "Ann's and Bo's email"
    joints = [[token.start for token in tokens if token.word in slots.JOINTS] for tokens in between]
    if not all(joints):
        return [segment]
    cuts = [name.end + places[-1] for name, places in zip(names, joints, strict=False)]
    parts = list(_cut(segment, cuts))
    has_field = [any(span.tag == "field" for span in part.spans) for part in parts]
    if not has_field[0] or any(
        len(tokenize(one.text)) < _MIN_QUESTION and not has for one, has in zip(parts, has_field, strict=True)
    ):
        return [segment]
    read = [[part] if has else plan.read(part.text).segments for part, has in zip(parts, has_field, strict=True)]
    # A part is an ask of its own, however short.
    asked = [replace(one, probability=max(one.probability, SURE_ANSWER)) for part in read for one in part]
    return asked if all(one.act in READS for one in asked) else [segment]


def _each_list(plan: Plan, segment: Segment) -> Sequence[Segment]:
    """Return the questions for lists and totals that a segment joins: "stages, biggest deal, what's late"."""
    tokens = tokenize(segment.text)
    free = [one for one in range(1, len(tokens) - 1) if not any(span.holds(tokens[one]) for span in segment.spans)]
    joints = [at for at in free if tokens[at].word in slots.JOINTS and tokens[at - 1].word not in slots.JOINTS]
    totals = [one.start for one in tokens if one.word in _TOTALS]
    cuts = [tokens[at].start for at in joints if _begins_question(tokens[at:], has_totals=len(totals) > 1)]
    if segment.act == "ask_field":  # "What's their total, and which one closes first?"
        cuts = [at for at in cuts if any(True for _ in lexicon.placed_in(tokenize(segment.text[at:]), "orders"))]
    # In "weighted by probability, what is …" the first part is no question.
    is_asked = bool(cuts) and _asks_itself([one for one in tokens if one.start < cuts[0]])
    cut = list(_cut(segment, cuts)) if is_asked else []
    read = [plan.read(part.text).segments for part in cut]
    if not cut or any(len(one) != 1 for one in read):
        return [segment]
    is_order = [segment.act == "rank" and _begins_question(tokenize(f", {part.text}")) for part in cut]
    first = replace(cut[0], act=segment.act) if read[0][0].act not in READS else read[0][0]
    read = [(first,), *read[1:]]
    parts = [
        _those_listed(replace(part, act="rank" if order else one.act, probability=one.probability, others=one.others))
        for part, (one,), order in zip(cut, read, is_order, strict=True)
    ]
    is_sure = min(one.probability for one in parts) >= policy.MIN_PROBABILITY
    return parts if is_sure and all(one.act in READS - {"identity", "help"} for one in parts) else [segment]


def _those_listed(segment: Segment) -> Segment:
    """Return "and who are they?" as the question for what the part before it counted."""
    words = {one.word for one in tokenize(segment.text) if one.kind != "mark"}
    return Segment("of those", "search") if "they" in words and words <= _WHO_THEY else segment


def _asks_itself(tokens: Sequence[Token]) -> bool:
    """Return whether words ask for something: they begin as a question or name records, a total or an order."""
    placed = [key for table in ("orders", "summing") for key, *_ in lexicon.placed_in(tokens, table)]
    is_field = any(True for _ in lexicon.placed_in(tokens, "fields")) and all(one.word != "by" for one in tokens)
    is_named = is_field or any(map(lexicon.kind_named, tokens)) or (bool(placed) and "expected" not in placed)
    return is_named or tokens[0].word in lexicon.QUESTION_STARTS | _ASKING_SELF


def _begins_question(tokens: Sequence[Token], *, has_totals: bool = False) -> bool:
    """Return whether a joint is followed by a question of its own, or by another order of a ranking or total."""
    is_comma = tokens[0].kind == "mark"
    rest = list(dropwhile(lambda one: one.word in slots.JOINTS, (one for one in tokens if one.kind != "mark")))
    is_definite = is_comma or (bool(rest) and rest[0].word == "the")
    rest = list(dropwhile(lambda one: one.word == "the", rest))
    first, second = [*rest, None, None][:2]
    if first is None:
        return False
    if first.word in _VERBS and second is not None and not _may_be_subject(second):
        return False  # "Which deals close in May and are over 50k?"
    is_of_kind = first.word in ("which", "what") and second is not None and lexicon.kind_named(second) is not None
    is_asked = (
        first.word in _ASKING_SELF
        or (has_totals and is_comma and first.word in _TOTALS and second is not None)
        or getattr(second, "word", "") in _ASKING_WITH.get(first.word, ())
    )
    return is_asked or is_of_kind or (is_definite and any(at == 0 for _, at, _ in lexicon.placed_in(rest, "orders")))


def _may_be_subject(token: Token) -> bool:
    is_pointing = token.word in lexicon.DETERMINERS | lexicon.BACK_REFERENCES | lexicon.SELF_WORDS | {"there", "any"}
    return is_pointing or token.is_capital or lexicon.kind_named(token) is not None or token.word.endswith("s")


def _with_one_name(segment: Segment, names: Sequence[Span], name: Span) -> Segment:
    """Return a segment about one of the names that it enumerates."""
    first, last = names[0].start, names[-1].end
    blank = " " * (name.start - first) + name.text + " " * (last - name.end)
    spans = tuple(span for span in segment.spans if span == name or span not in names)
    return replace(segment, text=segment.text[:first] + blank + segment.text[last:], spans=spans)


def _cut(segment: Segment, cuts: Sequence[int]) -> Iterator[Segment]:
    """Return the parts of a segment between places."""
    return (segment.part(first, last) for first, last in pairwise((0, *cuts, len(segment.text))))


def parted_segment(segment: Segment) -> Iterator[Segment]:
    """Yield an order that begins with what is not to be done, or with its condition, in two.

    Examples: "don't email Ann, just draft something", "once she signs, set the deal to won".
    """
    first = [one.word for one in tokenize(segment.text)[:2]]
    is_denied = segment.act in WRITES and first[0] in policy.DENIALS and first[1:] != ["forget"]
    if segment.act == "negated" and (start := policy.start_of_order(segment.text)):
        # "So move nothing, just note that"
        yield replace(segment, text=segment.text[:start], spans=tuple(one for one in segment.spans if one.end <= start))
        yield from read(segment.text[start:]).segments
        return
    is_conditional = segment.act in slots.IMAGINABLE and is_condition(segment.text)
    if not (start := policy.start_of_order(segment.text) if is_denied or is_conditional else 0):
        yield segment
        return
    yield Segment(
        segment.text[:start], "hypothetical" if is_conditional else "negated", spans=segment.part(0, start).spans
    )
    yield segment.part(start)


def with_questions(plan: Plan, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a sentence that asks something on a condition is parted: "if she signs, what's my total?"."""
    sentence, before = list[Segment](), ""
    for segment in (*segments, None):
        sentence += [segment] if segment is not None else []
        if segment is None or ends_sentence(segment):
            for part in _asked_on_condition(plan, sentence) if sentence else ():
                yield _as_question(part) if before == "hypothetical" else part
                before = part.act
            sentence = []


def _asked_on_condition(plan: Plan, sentence: Sequence[Segment]) -> Sequence[Segment]:
    """Return the segments of a sentence, or its condition as an imagined order and what it asks."""
    text = " ".join(segment.text for segment in sentence)
    tokens = tokenize(text)
    if len(tokens) < _MIN_CONDITIONAL or sentence[0].act not in READS | BACKGROUND | {"hypothetical"}:
        return sentence
    parts = _condition_and_question(text, tokens)
    if parts is None:
        return sentence
    condition, question, opening = parts
    if any(
        slots.begins_as_order(one) or (one.act in READS and slots.names_in(one)) for one in plan.read(opening).segments
    ):
        return sentence
    asked = [_as_question(one) for one in plan.read(question).segments]
    spans = tuple(
        replace(span, start=span.start + condition.index(one.text))
        for one in plan.read(condition).segments
        for span in one.spans
    )
    asked = [one for one in asked if one.act != "negated"]  # "(Please don't change anything.)"
    is_read = bool(asked) and all(one.act in COMPUTED for one in asked)
    return [Segment(condition, "hypothetical", spans=spans), *asked] if is_read else sentence


def _condition_and_question(text: str, tokens: Sequence[Token]) -> tuple[str, str, str] | None:
    """Return the condition of a sentence, what it asks after or before it, and what opens both; None without these."""
    opens = next((one.start for one in tokens if _opens_condition(text, one)), None)
    if opens is None:
        return None
    asking = [(place, one.start) for place, one in enumerate(tokens) if one.word in _ASKING and place]
    after_mark = [start for place, start in asking if start > opens and tokens[place - 1].word in _PAUSES]
    unmarked = [start for place, start in asking if start > opens and tokens[place].word in _ASKING_WHAT]
    if cut := next(iter(after_mark or unmarked), 0):
        return text[opens:cut], text[cut:], text[:opens]
    return (text[opens:], text[:opens], "") if opens and tokens[0].word in _ASKING else None


def _opens_condition(text: str, token: Token) -> bool:
    if token.word in _IMAGINING | _INVERTED:
        is_imagined = token.word in _IMAGINING or " to " in text[token.end :].partition(",")[0]
        return is_imagined and not text[: token.start].strip(" ,.;:-")
    return token.word in CONDITIONS and is_condition(text[token.start :])


def _as_question(segment: Segment) -> Segment:
    """Return what is asked on a condition as the question that it is likely to be: what is left then is a total."""
    is_asked = (
        segment.act in READS | {"hypothetical"} and tokenize(segment.text)[0].word in lexicon.QUESTION_STARTS | _ASKING
    )
    if is_asked and {one.word for one in tokenize(segment.text)} & _REMAINING:
        return replace(segment, act="count", probability=1.0, others=())
    read = next((act for act, share in segment.others if act in READS and share >= MIN_BACKGROUND), None)
    return replace(segment, act=read) if segment.act == "hypothetical" and read else segment
