"""Read a segment by the orders and the news beside it, in its message or before it."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.writing.relative import difference_in
from aisha.adapters.llm.planner.dialogue.segments.slots import names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.words import MIN_BACKGROUND, TOLD
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.several import phrase_of_others
from aisha.adapters.llm.planner.state import DialogueState, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.keeping import keeps_other
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_PUTTING = frozenset("put set move bring change switch".split())
_OLD = frozenset("old previous original former".split())
_ONLY = frozenset(("only", "just"))
_OF_NUMBERS = FIELD_CHANGE_ACTS | {"update_goal", "change_activity", "score", "correct", "choose", "more"}
"""Acts as which an order to add to a number, or to take off it, may be read."""


def with_difference(topic: Topic, segment: Segment) -> Segment:
    """Return an order to add to a number, or to take off it, as a change of a record: "bump the biggest by 10%".

    Without a field it is about the one changed before: "take 5 off again". Goals and times have numbers of their own.
    """
    difference = difference_in(segment.text) if segment.act in _OF_NUMBERS else None
    words = {one.word for one in tokenize(segment.text)}
    kinds = {kind for one in tokenize(segment.text) if (kind := lexicon.kind_named(one))}
    if difference is None or "?" in segment.text or words & policy.DENIALS or kinds & {"goal", "activity"}:
        return segment
    number = Span("amount", segment.text[difference.start : difference.end], difference.start)
    others = [one for one in segment.spans if one.end <= number.start or one.start >= number.end]
    is_named = bool(names_in(segment) or {one.tag for one in others} & {"org", "ref", "field"})
    before = topic.ordered if topic.ordered is not None and len(topic.changed) == 1 else None
    if not is_named and (before is None or before.act not in FIELD_CHANGE_ACTS):
        return segment
    spans = tuple(sorted((*others, number), key=lambda span: span.start))
    change = Segment(segment.text, "update_record", spans=spans)
    fields = [] if is_named or before is None else [one for one in before.spans if one.tag == "field"]
    for field in fields[-1:]:
        change = change.followed_by(Segment(field.text, change.act, spans=(replace(field, start=0),)))
    return change


def restoring(topic: Topic, segment: Segment) -> Segment:
    """Return what wants a field as it was before the last change as its undoing: "no, the old amount"."""
    ref, words = topic.changed_alone, {one.word for one in tokenize(segment.text)}
    names = {name for span in segment.spans if span.tag == "field" for name in lexicon.fields_in(span.text)}
    replaced = topic.replaced.get(ref.id, {}) if ref is not None else {}
    is_changed = ref is not None and any(lexicon.field_name(one, ref.type) in replaced for one in names)
    is_left = bool(words & lexicon.LEAVING and "was" in words and words & lexicon.THING_PRONOUNS)
    if topic.written and ref is not None and is_left and {span.tag for span in segment.spans} <= {"ref"}:
        return Segment("undo", "undo")  # "Actually no, leave it where it was."
    is_other = segment.act in READS or "?" in segment.text or any(span.tag in TOLD for span in segment.spans)
    return (
        Segment(segment.text, "undo", spans=segment.spans) if is_changed and not is_other and words & _OLD else segment
    )


def order_after_no(plan: Plan, segment: Segment) -> Segment:
    """Return the order with a value that a no goes on with: "no, rather mark it as done"; else the segment."""
    start = policy.start_of_order(segment.text) if segment.act == "no" else 0
    has_value = any(span.tag in TOLD and span.start > start for span in segment.spans)
    order = plan.read(segment.text[start:]).segments[0] if start and has_value else segment
    return order if order.act in WRITES else segment


def order_that_waited(plan: Plan, topic: Topic, news: Segment) -> Segment | None:
    """Return the order that waits for what somebody now tells: "As soon as she approves, …" - "She has approved it"."""
    asked, tokens = topic.asked, tokenize(news.text)
    is_waiting = asked is not None and asked.act == "hypothetical" and len(topic.offers) == 1
    if asked is None or not is_waiting or news.act not in ("report", "context") or "?" in news.text:
        return None
    is_denied = any(one.word in lexicon.NEGATIONS | policy.DENIALS for one in tokens)
    small = lexicon.LINK_WORDS | lexicon.DETERMINERS | lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS
    said = {one.stem for one in tokens if one.word not in small} & {one.stem for one in tokenize(asked.text)}
    return plan.read(topic.offers[0]).segments[0] if said and not is_denied else None


_AGREEING = lexicon.INTERJECTIONS | {"yes", "sure", "right", "then"}


def order_after_yes(plan: Plan, state: DialogueState, segment: Segment) -> Segment:
    """Return the order that a yes goes on with where nothing waits for one: "OK yes, get rid of it"."""
    tokens = tokenize(segment.text)
    start = next((one.start for one in tokens if one.kind != "mark" and one.word not in _AGREEING), 0)
    is_open = state.question is not None or bool(state.topic.offers)
    if segment.act != "yes" or is_open or not start:
        return segment
    order = plan.read(segment.text[start:]).segments[0]
    return order if order.act in WRITES else segment


def only_named(topic: Topic, segment: Segment) -> Segment:
    """Return "only Ann" after an order about a whole group that was not carried out as that order about her alone."""
    order, tokens = topic.asked, tokenize(segment.text)
    names = [replace(one, tag="name") for one in segment.spans if one.tag in ("name", "new", "owner")]
    rest = {one.word for one in tokens if not any(span.start <= one.start < span.end for span in names)}
    is_deletion = order is not None and "delete" in (
        order.act,
        *(act for act, share in order.others if share >= MIN_BACKGROUND),
    )
    if order is None or not is_deletion or order == topic.ordered or names_in(order) or not (names and rest & _ONLY):
        return segment
    opening = "delete "
    return Segment(opening + names[0].text, "delete", spans=(replace(names[0], start=len(opening)),))


def leaves_other(plan: Plan, steps: Sequence[Step], segment: Segment) -> bool:
    """Return whether a segment after orders only leaves alone what they do not change."""
    orders = [step.ask for step in steps if step.ask.act in WRITES]
    is_leaving = segment.act in ("negated", "no", "correct", "context", "report")
    words = {one.word for one in tokenize(segment.text)}
    is_end = "nothing" in words and bool(words & {"else", "more", "further"})  # "Nothing else, please."
    ask = Ask(segment, plan.now)
    leaves_rest = segment.act == "negated" and phrase_of_others(ask) is not None  # "…, but not for the others"
    return is_leaving and bool(orders) and (is_end or leaves_rest or keeps_other(ask, orders))


def puts_back(order: Ask, segment: Segment) -> bool:
    """Return whether a segment only repeats the order before it: "That belongs at proposal, so put it back"."""
    words = {one.word for one in tokenize(segment.text)}
    is_bare = {span.tag for span in segment.spans} <= {"ref"}
    is_change = order.act in FIELD_CHANGE_ACTS and bool(order.values or order.texts("value"))
    return segment.act == "undo" and is_bare and is_change and "back" in words and bool(words & _PUTTING)


def with_told_value(segment: Segment, before: Sequence[Segment], now: datetime) -> Segment:
    """Return an order to change a field with the news before it that tells its value: "We won it. Update the stage"."""
    order, news = Ask(segment, now), Ask(before[-1], now) if before else None
    is_bare = {span.tag for span in segment.spans} <= {"field", "ref"} and not order.values
    if segment.act not in FIELD_CHANGE_ACTS or news is None or not is_bare or before[-1].act != "report":
        return segment
    has_value = bool(news.values) or any(span.tag in TOLD for span in before[-1].spans)
    is_telling = has_value and not policy.is_question(news) and not news.words & policy.DENIALS
    if not is_telling:
        return segment
    joined = before[-1].followed_by(segment)
    return replace(segment, text=joined.text, spans=joined.spans)
