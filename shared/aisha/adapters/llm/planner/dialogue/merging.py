"""Merge the segments of a message into steps: what belongs to an order, takes it back, or is background."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import dropwhile

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.search.kinds import is_of_other, is_there
from aisha.adapters.llm.planner.acts.writing.pairing import keeps_record
from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.companies import points_at_them
from aisha.adapters.llm.planner.dialogue.corrections import amended_by, corrected_steps
from aisha.adapters.llm.planner.dialogue.follow_ups import (
    changed_field,
    more_of_changed,
    read_in_dialogue,
    repeated_ask,
    tells_value,
)
from aisha.adapters.llm.planner.dialogue.orders_beside import leaves_other, puts_back, with_told_value
from aisha.adapters.llm.planner.dialogue.refining import is_sorting, leaves_out, narrowing
from aisha.adapters.llm.planner.dialogue.segments.details import with_antecedent, with_details
from aisha.adapters.llm.planner.dialogue.segments.joining import with_bare_fields, without_reasons
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, name_words, names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.words import (
    BACKGROUND,
    COMPUTED,
    LISTS,
    MIN_ASIDE,
    MIN_BACKGROUND,
    NAMES,
    ORDERS,
    SOCIAL,
    SURE_ANSWER,
    SURE_ORDER,
    TOLD,
    WITHDRAWING,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import neighbour
from aisha.adapters.llm.planner.state import DialogueState
from aisha.domain.crm.records import LeadSource
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize
from aisha.domain.language.words import first_names

_HESITATING = frozenset("or hmm hm wait hold hang unless no nah nope actually jk kidding joking joke".split())
"""First words of what comes after an order that make it doubtful: "cancel it … or, when is it again?"."""
_CORRECTING = frozenset("actually no sorry wait scratch rather correction".split())
"""First words of what gives the order before it another value: "actually make that contacted"."""
_OF_OWNERS = frozenset(("count", "search", "rank", "list_activities"))
_SOURCES = frozenset(LeadSource)
_THERE = frozenset(("there", "here"))
_BEFORE_PLACES = frozenset(("in", "at", "to", "near", "the", "from", "around", "visiting"))


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
        if segment.act == "again" and not steps and state.topic.asked is None:
            segment = _asked_first(segment)
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
        place = _place_of_order(steps, segment)
        if place is not None and puts_back(steps[place].ask, segment):
            continue
        if place is not None and _corrects(steps[place], segment):
            segment = replace(segment, act="correct", others=())
        ordered = state.topic.ordered
        is_restored = place is not None and "back" in steps[place].ask.words
        if ordered is not None and is_restored and (segment.act == "correct" or _names_only_instead(segment)):
            # "Set Ann to warm." - "Put her back to new, I meant Bo."
            steps.append(Step(Ask(amended_by(ordered, segment), plan.now)))
            continue
        if place is not None and (changed := _changed(plan, steps[place], segment)) is not None:
            steps[place] = changed
            spoken += names_in(segment)
            continue
        if place is not None and _casts_doubt(segment):
            steps[place] = replace(steps[place], doubt=policy.UNSURE)
        if (listed := _of_other_kind(plan, steps[-1].ask.segment if steps else state.topic.asked, segment)) is not None:
            steps[-1:] = [Step(Ask(listed, plan.now), spoken=tuple(spoken))]
            continue
        if steps and segment.act == "correct" and (read := _read_anew(steps[-1].ask, segment)) is not None:
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
            complete = _completed(state, segment, [one.ask.segment for one in steps], before)
            complete = _with_described(with_told_value(complete, before, plan.now), described, plan.now)
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
        persons = _persons_in_text(segment)
        # Of a new record, the names after the first belong to it.
        spoken += names_in(segment)[: 1 if segment.act == "create_record" else None]
    yield from steps


def _asked_first(segment: Segment) -> Segment:
    """Return a segment that repeats an ask where there was none before it as the question that it is else."""
    others = [(act, share) for act, share in segment.others if act in READS and share >= MIN_BACKGROUND]
    return replace(segment, act=others[0][0], probability=segment.probability + others[0][1]) if others else segment


def _names_only_instead(segment: Segment) -> bool:
    """Return whether a segment only names another record for what was ordered: "take Bo instead"."""
    is_instead = "instead" in {token.word for token in tokenize(segment.text)}
    return (
        is_instead
        and segment.act in WRITES
        and bool(names_in(segment))
        and not {span.tag for span in segment.spans} & (TOLD | {"value"})
    )


def _completed(state: DialogueState, segment: Segment, asked: Sequence[Segment], before: Sequence[Segment]) -> Segment:
    """Return an ask with what the message said before it, and the last answer, of what it is about."""
    complete = with_antecedent(segment, before or _asked_about(state, segment))
    complete = _with_colleague(complete, [*asked, *before])
    return _with_company(complete, [ref.name for ref in state.topic.refs if ref.type == "account"])


def _with_colleague(segment: Segment, before: Sequence[Segment]) -> Segment:
    """Return a question about what "he" owns with the colleague named before it: "Bob is first. How many has he?"."""
    owners = [span for one in before for span in one.spans if span.tag == "owner"]
    words = {token.word for token in tokenize(segment.text)}
    if segment.act not in _OF_OWNERS or not owners or names_in(segment) or not words & lexicon.PERSON_PRONOUNS:
        return segment
    return segment.followed_by(Segment(owners[-1].text, segment.act, spans=(replace(owners[-1], start=0),)))


def _with_described(segment: Segment, before: Sequence[Segment], now: datetime) -> Segment:
    """Return an order on "it" with what was said before it of which one: "The other one can wait. Move it to …"."""
    own = [span for span in segment.spans if span.tag == "ref"]
    choice = next((one for said in before[-1:] if (one := choice_in(Ask(said, now))) is not None), None)
    is_bare = len(own) == 1 and " " not in own[0].text and not names_in(segment)
    if segment.act not in WRITES or not is_bare or choice is None:
        return segment
    text = before[-1].text[choice.start : choice.end]
    whole = Segment(text, segment.act, spans=(Span("ref", text, 0),)).followed_by(segment)
    return replace(segment, text=whole.text, spans=whole.spans)


def _with_company(segment: Segment, companies: Sequence[str]) -> Segment:
    """Return a question about who or what is "there" with the company of the last answer: "who do we know there?"."""
    is_named = any(span.tag in ("name", "new", "org", "value", "owner") for span in segment.spans)
    place = next((token for token in tokenize(segment.text) if token.word in _THERE), None)
    if segment.act not in READS or is_named or place is None or len(companies) != 1:
        return segment
    company = Segment(f"at {companies[0]}", segment.act, spans=(Span("org", companies[0], len("at ")),))
    return segment.followed_by(company)


def places_in(segment: Segment) -> list[str]:
    """Return the names after "in" or "at" of what was said before "which leads are there": towns, companies."""
    found = list[str]()
    for span in segment.spans:
        before = [one.word for one in tokenize(segment.text[: span.start])][-1:]
        is_place = span.tag in ("name", "new", "value") and bool({*before} & _BEFORE_PLACES)
        found += [span.text] if is_place or span.tag == "org" else []
    tokens = tokenize(segment.text)
    sources = [one for one in lexicon.placed_in(tokens, "values") if one[0] in _SOURCES]
    return found or [segment.text[tokens[first].start : tokens[last - 1].end] for _, first, last in sources]


def _persons_in_text(segment: Segment) -> list[str]:
    """Return the first names in the text of a note or a task, which a pronoun after it may mean."""
    tokens = [one for span in segment.spans if span.tag in ("text", "topic") for one in tokenize(span.text)]
    return [one.text for one in tokens if one.is_capital and one.word in first_names()]


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


def _place_of_order(steps: Sequence[Step], segment: Segment) -> int | None:
    """Return the place of the order that a later segment may change: the last of those whom it names, or the last."""
    orders = [place for place, step in enumerate(steps) if step.denied is not None or step.ask.act in WRITES]
    said = name_words(segment)
    named = [place for place in orders if said & name_words(steps[place].denied or steps[place].ask.segment)]
    if named or segment.act != "negated" or not said:
        return max(named or orders, default=None)
    return None


def _changed(plan: Plan, step: Step, segment: Segment) -> Step | None:
    """Return an order as a later segment of the message changes it, or None where that says something else."""
    ask, is_named = step.ask, bool(names_in(segment))
    if step.denied is not None:
        # "Mark Ann as lost. No, leave Ann, I had Bo in mind."
        if segment.act in ("correct", "again") or (segment.act not in ORDERS and is_named):
            doubt = "" if segment.act == "correct" else policy.UNSURE
            return Step(Ask(amended_by(step.denied, segment), plan.now), spoken=step.spoken, doubt=doubt)
        return None
    if segment.act == "correct" and keeps_record(ask.segment, segment):
        return Step(Ask(replace(segment, act="negated"), plan.now), denied=ask.segment)
    if segment.act == "correct":
        amended, said = amended_by(ask.segment, segment), _said(plan.scene.user_text, step.text, segment.text)
        # "Set it to 90k, oh no, what did they say again": nothing tells what it shall be instead.
        doubt = step.doubt or (policy.UNSURE if amended == ask.segment else "")
        return replace(step, ask=Ask(amended, plan.now), said=said, doubt=doubt)
    if ask.act in FIELD_CHANGE_ACTS and _is_made_of(ask.segment, segment):
        return replace(step, ask=Ask(segment.followed_by(ask.segment), plan.now))
    is_change = {segment.act, ask.act} <= FIELD_CHANGE_ACTS
    is_rest = _lacks_value(ask) and names_in(segment)  # "give Ann and Bo to Carl"
    if is_change and (is_rest or _completes_change(ask, Ask(segment, plan.now))):
        return replace(step, ask=Ask(ask.segment.followed_by(segment), plan.now))
    if (completed := with_details(plan, ask, segment)) is not None:
        return replace(step, ask=Ask(completed, plan.now))
    if segment.act == "negated" or (segment.act == "no" and segment.probability >= SURE_ANSWER):
        # "Draft an email to Ann. Don't send it yet." says nothing about the draft.
        if _denies_sending(plan, ask, segment):
            return step
        return Step(Ask(replace(segment, act="negated"), plan.now), denied=ask.segment)
    return None


def _is_made_of(told: Segment, segment: Segment) -> bool:
    """Return whether a segment creates the person whom the one before tells of: "Ann has joined Acme. Add her"."""
    is_person = any(one.word in lexicon.PERSON_PRONOUNS for one in tokenize(segment.text))
    is_unnamed = segment.act == "create_record" and is_person and not names_in(segment)
    return is_unnamed and bool(names_in(told)) and not begins_as_order(told)


def _said(message: str, first: str, last: str) -> str:
    """Return the part of a message from one text to another; empty if it has not both."""
    start = message.find(first.strip())
    end = message.find(last.strip(), start)
    return message[start : end + len(last.strip())] if 0 <= start <= end else ""


def _corrects(step: Step, segment: Segment) -> bool:
    """Return whether a segment only gives another value to the order before it: "scratch that, 85"."""
    tags, first = {span.tag for span in segment.spans} - {"ref"}, tokenize(segment.text)[0].word
    is_same = segment.act in FIELD_CHANGE_ACTS | {step.ask.act}
    return first in _CORRECTING and is_same and step.denied is None and bool(tags) and not tags - TOLD


def _of_other_kind(plan: Plan, asked: Segment | None, correction: Segment) -> Segment | None:
    """Return the list or the number asked for, of the kind of records that a correction names: "no wait, contacts"."""
    if asked is None or asked.act not in LISTS or correction.act not in ("correct", "no") or correction.spans:
        return None
    nouns = [one for one in tokenize(correction.text) if lexicon.kind_named(one)]
    if not nouns or lexicon.kind_named(nouns[-1]) in Ask(asked, plan.now).kinds:
        return None
    return repeated_ask(plan, asked, Segment(correction.text[nouns[-1].start :], "again"))


def _read_anew(ask: Ask, correction: Segment) -> Segment | None:
    """Return a question about whom or what the same message names instead: "who's at Acme, no wait, at Globex?"."""
    asked = [span for span in ask.segment.spans if span.tag in NAMES | TOLD]
    tags = NAMES if any(span.tag in NAMES for span in asked) else {span.tag for span in asked}
    meant = [span for span in correction.spans if span.tag in tags]
    if ask.act not in READS or not (meant and asked):
        return None
    tag = next(span.tag for span in reversed(asked) if span.tag == meant[-1].tag or span.tag in NAMES)
    said = replace(_whole_choice(correction, meant[-1]) if ask.act in LISTS else meant[-1], tag=tag)
    return ask.segment.amended(replace(correction, spans=(said,)))


def _whole_choice(correction: Segment, value: Span) -> Span:
    """Return a value with those that it is a choice with: "I mean at risk or, uh, about to churn"."""
    tokens = [one for one in tokenize(correction.text) if one.start >= value.start]
    last = max((last for _, _, last in lexicon.placed_in(tokens, "values")), default=0)
    if value.tag != "value" or not any(one.word == "or" for one in tokens[:last]):
        return value
    return replace(value, text=correction.text[value.start : tokens[last - 1].end])


def _is_ordered_anew(correction: Segment, segments: Sequence[Segment]) -> bool:
    """Return whether a correction names only somebody of whom a later order of the message says what to change."""
    # It may have been read as another act since, so that only its text tells its place.
    later = list(dropwhile(lambda one: one.text != correction.text, segments))[1:]
    said = name_words(correction) if {span.tag for span in correction.spans} <= {"name", "ref"} else set()
    orders = [one for one in later if one.act in WRITES and one.probability >= SURE_ORDER]
    return bool(said) and any(said & name_words(one) for one in orders)


def _lacks_value(ask: Ask) -> bool:
    """Return whether an order names only whom it is about."""
    return {span.tag for span in ask.segment.spans} <= {"name", "org", "new"} and not ask.values


def _completes_change(ask: Ask, said: Ask) -> bool:
    """Return whether an order only names the field, or the record, of what was told: "she's buyer now, change that"."""
    tags, values = {span.tag for span in said.segment.spans}, [one for one in ask.segment.spans if one.tag in TOLD]
    is_bare = tags <= {"ref", "field"} and not said.values
    is_told = bool(values) and not any(map(lexicon.values_in, ask.texts("value")))
    return is_bare and is_told and not (ask.texts("field") and "field" in tags)


def _denies_sending(plan: Plan, ask: Ask, segment: Segment) -> bool:
    """Return whether what is denied is that a draft is sent."""
    if ask.act != "draft_email":
        return False
    tokens = tokenize(segment.text)
    denied = max((place for place, token in enumerate(tokens) if token.word in policy.DENIALS), default=-1)
    clause = segment.text[tokens[denied + 1].start :] if denied + 1 < len(tokens) else segment.text
    is_sending = "send" in {token.word for token in tokens[denied + 1 : denied + 2]}
    return is_sending or plan.read(clause).segments[0].act in ("send_email", "take_up")


def _casts_doubt(segment: Segment) -> bool:
    """Return whether a segment after an order may take it back, so that the order is confirmed first."""
    words = [one.word for one in tokenize(segment.text) if one.kind != "mark"]
    if _HESITATING & {
        *words[:1],
        *(word for word in words[:3] if words[0] in lexicon.INTERJECTIONS | {"just", "only"}),
    }:
        return True
    share = dict(((segment.act, segment.probability), *segment.others))
    # Another value takes nothing back.
    is_value = segment.act in WRITES and not TOLD.isdisjoint(span.tag for span in segment.spans)
    withdrawn = sum(share.get(act, 0.0) for act in WITHDRAWING - ({"correct"} if is_value else set()))
    return segment.act in WITHDRAWING or (segment.probability < SURE_ORDER and withdrawn >= MIN_BACKGROUND)


def _is_aside(segment: Segment) -> bool:
    """Return whether a segment beside a clear ask may be background: it is likely to be, or what is not to be done."""
    share = dict(((segment.act, segment.probability), *segment.others))
    background = sum(share.get(act, 0.0) for act in BACKGROUND)
    return segment.act == "negated" or (segment.probability < MIN_ASIDE and background >= MIN_BACKGROUND)


def _asked_about(state: DialogueState, segment: Segment) -> list[Segment]:
    """Return the name that was not found before "then create a lead for her"."""
    question = state.question
    if question is None or question.kind != "who" or not question.name:
        return []
    if not any(span.tag == "ref" for span in segment.spans):
        return []
    return [Segment(question.name, "context", spans=(Span("name", question.name, 0),))]
