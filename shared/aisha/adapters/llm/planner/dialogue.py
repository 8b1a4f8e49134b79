"""Turn the segments of a message into steps: asks to answer, in order, with what they take from the dialogue.

An answer completes the ask that the question was about. A correction changes the ask before it. "The same for Ann"
repeats an ask with other slots. An offer that is taken up is read like a message.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from aisha.adapters.llm.planner import lexicon
from aisha.adapters.llm.planner.ask import Ask
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import choose
from aisha.adapters.llm.planner.state import DialogueState, Question, Ref
from aisha.domain.language.acts import READS, WRITES
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

ORDERS = READS | WRITES
SURE_ORDER = 0.75
"""A new order from this probability on is no answer to a question."""
SURE_ANSWER = 0.5
"""An offer is taken up by an answer of this probability on."""
MIN_ASIDE, MIN_BACKGROUND = 0.6, 0.15
"""A segment less probable than the first is an aside if it is background with the second."""
MAX_ANSWER_WORDS = 8
"""Longer messages are no answer to "Which one?"."""
MAX_SLOT_WORDS = 6
"""A longer message without the slot that was asked for is something else, unless a text was asked for."""
_NAMES = frozenset(("name", "new", "org", "owner"))
_BACKGROUND = frozenset(("context", "report", "greeting", "thanks", "smalltalk", "goodbye"))
"""Acts of segments that are not answered beside an ask."""
_SOCIAL = frozenset(("greeting", "thanks", "goodbye", "yes", "no", "wait"))


_CHANGED_BY = {
    "create_activity": "change_activity",
    "invite": "change_activity",
    "change_activity": "change_activity",
    "create_record": "update_record",
}
"""The act that changes what another act made."""


class Step(Struct, frozen=True):
    """An ask to answer. `bindings` are records chosen by name, `spoken` the names that the message said before it.

    `doubt` is a reason to confirm it first that the ask itself does not show.
    """

    ask: Ask
    bindings: Mapping[str, Ref] = field(default_factory=dict)
    spoken: tuple[str, ...] = ()
    doubt: str = ""


def steps_of(plan: Plan, state: DialogueState, message: str) -> list[Step]:
    """Return the steps of a message."""
    segments = plan.read(message).segments
    if state.question is not None and (answered := _answered(plan, state.question, message, segments)) is not None:
        return answered
    return list(_merged(plan, state, segments))


def _answered(plan: Plan, question: Question, message: str, segments: Sequence[Segment]) -> list[Step] | None:
    """Return the steps of an answer to the planner's question, or None when the message is something else."""
    first, rest = segments[0], segments[1:]
    if first.act == "no" or (first.act == "negated" and len(segments) == 1):
        return [Step(Ask(Segment(first.text, "no"), plan.now))]
    is_order = first.act in ORDERS and first.probability >= SURE_ORDER and bool(Ask(first, plan.now).loose)
    if question.kind == "offer":
        takes_up = first.act in ("yes", "take_up", "choose", "more") and first.probability >= SURE_ANSWER
        if takes_up and not (first.act == "choose" and len(question.offers) < 2):
            phrase = _offered(question.offers, first)
            return [
                *(Step(Ask(one, plan.now)) for one in plan.read(phrase).segments),
                *_merged(plan, DialogueState(), rest),
            ]
        return None
    assert question.ask is not None  # noqa: S101 - every other kind of question is about an ask
    if question.kind == "which":
        chosen = choose(message, question.candidates) if len(tokenize(message)) <= MAX_ANSWER_WORDS else None
        chosen = chosen or choose(first.text, question.candidates)
        if len(question.candidates) == 1 and first.act == "yes":
            chosen = question.candidates[0]
        if chosen is None or (is_order and chosen.name.lower() not in message.lower()):
            return None
        bindings = {question.name.lower(): chosen, "": chosen} if not question.name else {question.name.lower(): chosen}
        extra = Segment(
            first.text, first.act, spans=tuple(span for span in first.spans if span.tag in ("when", "amount"))
        )
        return [Step(Ask(question.ask.amended(extra), plan.now), bindings), *_merged(plan, DialogueState(), rest)]
    if is_order and first.act != question.ask.act:
        return None
    if not _gives(question.tag, first, message):
        return None
    return [Step(Ask(_completed(question, message, first), plan.now)), *_merged(plan, DialogueState(), rest)]


def _gives(tag: str, first: Segment, message: str) -> bool:
    """Return whether a message can be the words for a slot: it has the slot, or is short and asks for nothing."""
    tags = {span.tag for span in first.spans}
    if tag in tags or (tag in _NAMES and tags & _NAMES) or (tag == "text" and first.act not in ORDERS):
        return True
    words = [token for token in tokenize(message) if token.kind != "mark"]
    return (
        len(words) <= MAX_SLOT_WORDS
        and "?" not in message
        and (first.act not in ORDERS or first.probability < SURE_ORDER)
    )


def _offered(offers: Sequence[str], answer: Segment) -> str:
    """Return the offer that an answer takes up: the one at the place that it names, else the first."""
    place = next(iter(lexicon.ordinals_in([token.word for token in tokenize(answer.text)])), 1)
    return offers[min(place, len(offers)) - 1] if place > 0 else offers[-1]


def _completed(question: Question, message: str, first: Segment) -> Segment:
    """Return the ask with the answer as the slot that it lacked."""
    assert question.ask is not None  # noqa: S101 - see _answered
    tag = question.tag
    given = [span for span in first.spans if span.tag == tag]
    if not given and tag in _NAMES:
        given = [Span(tag, span.text, span.start) for span in first.spans if span.tag in _NAMES]
    whole = Span(tag, message.strip().rstrip(".!"), 0)
    if tag == "when" and len(tokenize(message)) <= MAX_ANSWER_WORDS:
        given = [whole]
    elif tag == "when" and len(given) > 1:
        given = [Span(tag, first.text[given[0].start : given[-1].end], given[0].start)]
    ask = question.ask
    if question.kind == "who" and question.name:
        ask = Segment(ask.text, ask.act, ask.probability, tuple(span for span in ask.spans if span.tag != "name"))
    # "Greta Holm from Nordlys" names the company of a new record, too.
    names = _NAMES - {"org"} if tag == "new" else _NAMES
    others = tuple(span for span in first.spans if given and span.tag not in (tag, *names))
    return ask.amended(Segment(message, ask.act, spans=(*(given[:1] or [whole]), *others)))


def _merged(plan: Plan, state: DialogueState, segments: Sequence[Segment]) -> Iterator[Step]:
    """Yield the steps of segments: corrections merged, background left out where there is something to answer."""
    wanted = [segment for segment in segments if segment.act not in _BACKGROUND]
    asks = [segment for segment in wanted if segment.act in ORDERS or segment.act in ("again", "correct", "impossible")]
    sure = [segment for segment in asks if segment.probability >= SURE_ORDER]
    spoken: list[str] = []
    steps: list[Step] = []
    before: Segment | None = None
    for segment in segments:
        if segment.act in _BACKGROUND and wanted:
            spoken += _names(segment)
            before = segment
            continue
        if segment.act == "correct" and steps and steps[-1].ask.act in WRITES:
            corrected = steps[-1].ask.segment.amended(segment)
            steps[-1] = Step(Ask(corrected, plan.now), spoken=steps[-1].spoken)
            continue
        if segment.act == "negated" and steps and steps[-1].ask.act in WRITES and _is_about(segment, steps[-1].ask):
            # "Call Ann at 4 - actually no, leave it": taken back.
            steps[-1] = Step(Ask(segment, plan.now))
            continue
        if (segment.act in _SOCIAL and asks) or (_is_aside(segment) and sure):
            spoken += _names(segment)
            continue
        if segment.act == "correct" and state.topic.asked is not None:
            steps += [Step(Ask(one, plan.now), spoken=tuple(spoken)) for one in _corrected(state, segment)]
        elif segment.act == "again" and state.topic.asked is not None:
            steps.append(Step(Ask(_repeated(plan, state.topic.asked, segment), plan.now), spoken=tuple(spoken)))
        else:
            steps.append(Step(Ask(_with_antecedent(segment, before), plan.now), spoken=tuple(spoken)))
        spoken += _names(segment)
    yield from steps


def _is_about(segment: Segment, ask: Ask) -> bool:
    """Return whether a segment names nobody, or somebody whom the ask names."""
    asked = {word for name in _names(ask.segment) for word in name.lower().split()}
    said = {word for name in _names(segment) for word in name.lower().split()}
    return not said or bool(said & asked)


def _is_aside(segment: Segment) -> bool:
    """Return whether a segment beside a clear ask may be background: it is likely to be, or what is not to be done."""
    share = dict(((segment.act, segment.probability), *segment.others))
    background = sum(share.get(act, 0.0) for act in _BACKGROUND)
    return segment.act == "negated" or (segment.probability < MIN_ASIDE and background >= MIN_BACKGROUND)


def _repeated(plan: Plan, asked: Segment, again: Segment) -> Segment:
    """Return the ask for something else: with the slots, values and the kind of record of "and bob's warm leads?"."""
    ask = Ask(again, plan.now)
    tagged = {token.start for token in ask.tokens} - {token.start for token in ask.loose}
    values = [token for token in ask.loose if lexicon.values_in(token.word) and token.start not in tagged]
    spans = sorted(
        [*again.spans, *(Span("value", token.text, token.start) for token in values)], key=lambda span: span.start
    )
    repeated = asked.amended(Segment(again.text, again.act, spans=tuple(spans)))
    new = next((token for token in ask.loose if lexicon.kind_named(token)), None)
    old = next((token for token in Ask(repeated, plan.now).loose if lexicon.kind_named(token)), None)
    return repeated.amended_word(old.start, old.text, new.text) if new and old else repeated


def _with_antecedent(segment: Segment, before: Segment | None) -> Segment:
    """Return a creation without a name with the slots of the news before it: "I met Ann Lee of Globex, add her"."""
    if before is None or segment.act != "create_record" or _names(segment) or not _names(before):
        return segment
    tags = {span.tag for span in segment.spans}
    taken = tuple(
        Span("new" if span.tag == "name" else span.tag, span.text, span.start)
        for span in before.spans
        if span.tag not in tags
    )
    return segment.amended(Segment(before.text, before.act, spans=taken))


def _corrected(state: DialogueState, correction: Segment) -> list[Segment]:
    """Return what corrects the last ask: the ask anew, a change of what it made, or its undoing and the ask anew."""
    asked = state.topic.asked
    assert asked is not None  # noqa: S101 - see _merged
    if asked.act not in _CHANGED_BY or not state.topic.written:
        return [asked.amended(correction)]
    if _names(correction):
        return [Segment("undo", "undo"), asked.amended(correction)]
    return [Segment(correction.text, _CHANGED_BY[asked.act], correction.probability, correction.spans)]


def _names(segment: Segment) -> list[str]:
    return [span.text for span in segment.spans if span.tag in ("name", "new")]
