"""Merge the segments of a message into steps: what belongs to an order, takes it back, or is background."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.search.kinds import is_of_other, is_there
from aisha.adapters.llm.planner.companies import points_at_them
from aisha.adapters.llm.planner.dialogue.corrections import amended_by, corrected_steps
from aisha.adapters.llm.planner.dialogue.follow_ups import (
    changed_field,
    more_of_changed,
    read_in_dialogue,
    repeated_ask,
    tells_value,
)
from aisha.adapters.llm.planner.dialogue.order_before import (
    casts_doubt,
    changed_order,
    corrects,
    names_only_instead,
    place_of_order,
)
from aisha.adapters.llm.planner.dialogue.orders_beside import leaves_other, puts_back, with_told_value
from aisha.adapters.llm.planner.dialogue.question_before import of_other_kind, read_anew
from aisha.adapters.llm.planner.dialogue.refining import is_sorting, leaves_out, narrowing
from aisha.adapters.llm.planner.dialogue.segments.joining import with_bare_fields, without_reasons
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, name_words, names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.surroundings import (
    completed,
    persons_in_text,
    places_in,
    with_described_before,
)
from aisha.adapters.llm.planner.dialogue.waiting_creation import steps_for_waiting
from aisha.adapters.llm.planner.dialogue.words import (
    BACKGROUND,
    COMPUTED,
    LISTS,
    MIN_ASIDE,
    MIN_BACKGROUND,
    ORDERS,
    SOCIAL,
    SURE_ANSWER,
    SURE_ORDER,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import neighbour
from aisha.adapters.llm.planner.state import DialogueState
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import tokenize


def merged_steps(plan: Plan, state: DialogueState, segments: Sequence[Segment]) -> Iterator[Step]:
    """Yield the steps of segments: corrections merged, background left out where there is something to answer."""
    segments = [read_in_dialogue(plan, state, one) for one in with_bare_fields(segments)]
    wanted = [segment for segment in segments if segment.act not in BACKGROUND]
    asks = [segment for segment in wanted if segment.act in ORDERS or segment.act in ("again", "correct", "impossible")]
    sure = [segment for segment in asks if segment.probability >= SURE_ORDER]
    if any(one.act == "wait" for one in segments) and not asks:
        # "I was thinking about moving it, but let's wait."
        segments = [one for one in segments if one.act != "hypothetical"]
    earlier, spoken, persons = state.topic.spoken, list[str](), list[str]()
    steps: list[Step] = []
    before, told, described = list[Segment](), list[Segment](), list[Segment]()
    for segment in without_reasons(with_bare_fields(segments)):
        segment = changed_field(steps[-1].ask.segment if steps else state.topic.asked, segment)
        narrows = narrowing(segment) if leaves_out(segment) else None
        if steps and steps[-1].ask.act in LISTS and (is_sorting(segment) or narrows):
            # "Leads from cold calls, skip lost ones." - "Deals closing this month, biggest first."
            act = "rank" if is_sorting(segment) else steps[-1].ask.act
            list_of = replace(steps[-1].ask.segment, act=act).followed_by(narrows or segment)
            sorted_list = list_of.followed_by(Segment("sorted", act)) if act == "rank" else list_of
            steps[-1] = replace(steps[-1], ask=Ask(sorted_list, plan.now))
            continue
        if leaves_other(plan, steps, segment):
            continue
        place = place_of_order(steps, segment)
        if place is not None and puts_back(steps[place].ask, segment):
            continue
        if place is not None and corrects(steps[place], segment):
            segment = replace(segment, act="correct", others=())
        ordered = state.topic.ordered
        is_restored = place is not None and "back" in steps[place].ask.words
        if ordered is not None and is_restored and (segment.act == "correct" or names_only_instead(segment)):
            # "Set Ann to warm." - "Put her back to new, I meant Bo."
            steps.append(Step(Ask(amended_by(ordered, segment), plan.now)))
            continue
        if place is not None and (changed := changed_order(plan, steps[place], segment)) is not None:
            steps[place] = changed
            spoken += names_in(segment)
            continue
        if place is not None and casts_doubt(segment):
            steps[place] = replace(steps[place], doubt=policy.UNSURE)
        if (listed := of_other_kind(plan, steps[-1].ask.segment if steps else state.topic.asked, segment)) is not None:
            steps[-1:] = [Step(Ask(listed, plan.now), spoken=tuple(spoken))]
            continue
        if steps and segment.act == "correct" and (read := read_anew(steps[-1].ask, segment)) is not None:
            steps[-1] = replace(steps[-1], ask=Ask(read, plan.now))
            continue
        if segment.act in BACKGROUND and wanted:
            spoken += names_in(segment) or [span.text for span in segment.spans if span.tag == "org"]
            before.append(segment)
            described.append(segment)
            told.append(segment)
            continue
        if (
            (segment.act in SOCIAL | {"choose"} and asks)
            or (_is_aside(segment) and sure and not (begins_as_order(segment) and segment.act in WRITES))
            or (len(asks) > 1 and (_says_nothing(segment) or (segment.act == "correct" and not segment.spans)))
            or (segment.act == "correct" and _is_ordered_anew(segment, segments))
        ):
            spoken += names_in(segment)
            described += [segment] * (segment.act == "negated")
            continue
        if not steps and (more := more_of_changed(plan, state.topic, segment)) is not None:
            steps.append(more)
        elif not steps and (waiting := steps_for_waiting(plan, state, segment)):
            steps += waiting
        elif state.topic.asked is not None and (
            segment.act == "correct" or (not steps and tells_value(state.topic.asked, segment))
        ):
            # "I meant Bo. Put Ann back to new." restores by itself what the correction would undo.
            is_restored = any(one.act in FIELD_CHANGE_ACTS and "back" in Ask(one, plan.now).words for one in segments)
            corrected = corrected_steps(plan, state.topic, segment)
            steps += [
                replace(one, spoken=tuple(spoken)) for one in corrected if one.ask.act != "undo" or not is_restored
            ]
        elif steps and (segment.act == "again" or _goes_on(segment, steps[-1].ask.act)):
            repeated = repeated_ask(plan, steps[-1].ask.segment, segment)
            doubt = "" if segment.act in ("again", steps[-1].ask.act) else policy.UNSURE
            steps.append(Step(Ask(repeated, plan.now), spoken=tuple(spoken), doubt=doubt))
        elif state.topic.asked is not None and (segment.act == "again" or _plans_another(segment, state)):
            following = neighbour(state.topic, Ask(segment, plan.now))
            bindings = {"": following} if following is not None else {}
            anew = Ask(repeated_ask(plan, state.topic.asked, segment), plan.now)
            steps.append(Step(anew, bindings, spoken=tuple(spoken)))
        else:
            complete = completed(state, segment, [one.ask.segment for one in steps], before)
            complete = with_described_before(with_told_value(complete, before, plan.now), described, plan.now)
            ask = Ask(complete, plan.now)
            # "Note that Ann wants a quote, and give me her phone."
            named = persons if persons and ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS else spoken
            places = [name for one in before for name in places_in(one)][-1:] if is_there(ask) else []
            if not places and (is_there(ask) or is_of_other(ask) or points_at_them(ask)):
                places = [span.text for one in told for span in one.spans if span.tag == "org"][-1:]
            is_pointing = any(span.tag == "ref" for span in segment.spans)
            imagined = None
            if segment.act in COMPUTED and steps and steps[-1].ask.act == "hypothetical":
                imagined = steps.pop().ask.segment  # "If she signs, what would my total be?" orders nothing.
            # "Delete Ann… actually no." - "Just set to lost." names no record where only one was spoken of.
            is_bare = segment.act in FIELD_CHANGE_ACTS and not (steps or state.topic.refs or names_in(segment))
            is_pointing = is_pointing or is_there(ask) or is_bare
            steps.append(Step(ask, imagined=imagined, spoken=tuple(places or named) or earlier * is_pointing))
        told.append(segment)
        persons = persons_in_text(segment)
        # Of a new record, the names after the first belong to it.
        spoken += names_in(segment)[: 1 if segment.act == "create_record" else None]
    yield from steps


def _says_nothing(segment: Segment) -> bool:
    """Return whether a segment that repeats an ask says nothing to repeat it with: "for now"."""
    tokens = tokenize(segment.text)
    is_telling = any(lexicon.kind_named(one) or lexicon.values_in(one.word) or one.is_capital for one in tokens[1:])
    return segment.act == "again" and not segment.spans and not is_telling


def _goes_on(segment: Segment, act: str) -> bool:
    """Return whether a segment without an order of its own names another to do the same for: "and for Clara"."""
    tokens = tokenize(segment.text)
    is_joined = tokens[0].word in ("and", "plus", "&", ",", "also")
    has_own = any(one.word in lexicon.ORDER_VERBS or lexicon.activity_type_of(one.word) for one in tokens)
    is_same = segment.act == act == "create_activity" and not has_own
    return is_joined and bool(names_in(segment)) and (is_same or segment.probability < SURE_ANSWER)


def _plans_another(segment: Segment, state: DialogueState) -> bool:
    """Return whether a segment orders what was planned last with another person: "and one with Bo at three"."""
    asked = state.topic.asked
    is_planned = asked is not None and asked.act == segment.act == "create_activity" and bool(state.topic.written)
    return is_planned and _goes_on(segment, segment.act)


def _is_ordered_anew(correction: Segment, segments: Sequence[Segment]) -> bool:
    """Return whether a correction names only somebody of whom a later order of the message says what to change."""
    # It may have been read as another act since, so that only its text tells its place.
    later = list(dropwhile(lambda one: one.text != correction.text, segments))[1:]
    said = name_words(correction) if {span.tag for span in correction.spans} <= {"name", "ref"} else set()
    orders = [one for one in later if one.act in WRITES and one.probability >= SURE_ORDER]
    return bool(said) and any(said & name_words(one) for one in orders)


def _is_aside(segment: Segment) -> bool:
    """Return whether a segment beside a clear ask may be background: it is likely to be, or what is not to be done."""
    share = dict(((segment.act, segment.probability), *segment.others))
    background = sum(share.get(act, 0.0) for act in BACKGROUND)
    return segment.act == "negated" or (segment.probability < MIN_ASIDE and background >= MIN_BACKGROUND)
