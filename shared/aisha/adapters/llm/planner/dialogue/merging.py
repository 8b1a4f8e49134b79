"""Merge the segments of a message into steps: what belongs to an order, takes it back, or is background."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.knowledge import scans_named
from aisha.adapters.llm.planner.acts.search.kinds import is_of_other, is_there
from aisha.adapters.llm.planner.acts.writing.pairing import keeps_record, with_field_of
from aisha.adapters.llm.planner.companies import points_at_them
from aisha.adapters.llm.planner.conditions import is_condition
from aisha.adapters.llm.planner.dialogue.corrections import amended_by, corrected_steps, denies_change, of_one_changed
from aisha.adapters.llm.planner.dialogue.follow_ups import read_in_dialogue
from aisha.adapters.llm.planner.dialogue.order_before import (
    casts_doubt,
    changed_order,
    corrects,
    names_only_instead,
    of_other_kind,
    place_of_order,
    read_anew,
    text_between,
)
from aisha.adapters.llm.planner.dialogue.orders_beside import (
    leaves_other,
    order_that_waited,
    puts_back,
    with_told_value,
)
from aisha.adapters.llm.planner.dialogue.refining import is_relative, is_sorting, narrowing
from aisha.adapters.llm.planner.dialogue.repeating import repeated_ask
from aisha.adapters.llm.planner.dialogue.segments.joining import ends_sentence, with_bare_fields, without_reasons
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, name_words, names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.surroundings import (
    as_shift,
    completed,
    persons_in_text,
    places_in,
    with_day_in_mind,
    with_described_before,
    with_own_day,
    with_own_days,
    with_own_type,
)
from aisha.adapters.llm.planner.dialogue.told_values import changed_field, more_of_changed, tells_value
from aisha.adapters.llm.planner.dialogue.waiting_orders import steps_for_waiting
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
from aisha.adapters.llm.planner.exclusions import without_left_out
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import neighbour
from aisha.adapters.llm.planner.state import DialogueState, Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, FIELD_CHANGE_ACTS, PROPER_NAME_TAGS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_PLANS = frozenset(("remind", "create_activity", "invite"))
_ASKING_WHO = frozenset("who who's what what's which is was 's".split())
_MOVING = frozenset("prepone preponed postpone postponed reschedule rescheduled advance".split())


def merged_steps(plan: Plan, state: DialogueState, segments: Sequence[Segment]) -> Iterator[Step]:
    """Yield the steps of segments: corrections merged, background left out where there is something to answer."""
    whole = tuple(with_bare_fields(segments))
    # What is told beside an ask narrows no list: "Only two, good. When does the bigger one close?"
    has_ask = any(one.act in ORDERS for one in whole)
    # "Bronwyn is the one I want. Book me a call with her.": nothing was asked that it chooses for.
    told_acts = BACKGROUND | ({"choose"} if state.question is None and whole and whole[-1].act in WRITES else set())
    is_told = [has_ask and one.act in told_acts and ends_sentence(one) for one in whole]
    segments = [
        one if is_aside else read_in_dialogue(plan, state, one) for one, is_aside in zip(whole, is_told, strict=True)
    ]
    merger = _Merger(plan, state, segments)
    if any(one.act == "wait" for one in segments) and not merger.asks:
        # "I was thinking about moving it, but let's wait."
        # What waits for a condition is named: "if she says yes I'd move her, but let's see".
        awaited = [one for one in segments if one.act == "hypothetical" and is_condition(one.text)]
        segments = [one for one in segments if one.act != ("wait" if awaited else "hypothetical")]
    for segment in without_reasons(with_bare_fields(segments)):
        merger.add(segment)
    yield from merger.steps


class _Merger:
    """The steps of the segments of a message so far. The first rule that takes a segment is the only one that does."""

    def __init__(self, plan: Plan, state: DialogueState, segments: Sequence[Segment]) -> None:
        self._plan, self._state, self._segments = plan, state, segments
        self.steps: list[Step] = []
        asks = [one for one in segments if one.act not in BACKGROUND]
        self._is_anything_wanted = bool(asks)
        self.asks = [one for one in asks if one.act in ORDERS or one.act in ("again", "correct", "impossible")]
        self._has_sure_ask = any(one.probability >= SURE_ORDER for one in self.asks)
        self._background: list[Segment] = []
        self._described: list[Segment] = []
        """The background, and what is not to be done."""
        self._told: list[Segment] = []
        """The background, and the asks."""
        self._spoken: list[str] = []
        self._persons: list[str] = []
        """The first names in the text of the last ask."""

    def add(self, segment: Segment) -> None:
        """Take the next segment of the message."""
        is_first = segment.act == "again" or (segment.act == "correct" and len(self._segments) == 1)
        if is_first and self._asked_last is None:
            segment = _as_first_ask(segment)
        segment = _as_other_time(self._state.topic.ordered, changed_field(self._asked_last, segment))
        segment = as_shift(segment) if segment.act == "change_activity" else segment
        is_bare_scan = segment.act == "run_scan" and not scans_named(Ask(segment, self._plan.now))
        if is_bare_scan and self.steps and scans_named(self.steps[-1].ask):
            # "Which deals are at risk? Run the scan."
            segment = replace(self.steps.pop().ask.segment.followed_by(segment), act="run_scan", spans=())
        if self._leaves_out(segment):
            return
        is_void = bool(self.steps) and segment.act == "correct" and _denies_itself(segment)
        if is_void or self._narrow_list(segment) or leaves_other(self._plan, self.steps, segment):
            return
        if self.steps and segment.act in FIELD_CHANGE_ACTS:
            segment = with_field_of(self.steps[-1].ask.segment, segment)
        place = place_of_order(self.steps, segment)
        if place is not None and corrects(self.steps[place], segment):
            # In "Correction, digits transposed: 35,000" the small word is no name.
            spans = tuple(one for one in segment.spans if one.tag not in PROPER_NAME_TAGS or not one.text.islower())
            segment = replace(segment, act="correct", spans=spans, others=())
        is_merged = (
            (place is not None and self._change_order(place, segment))
            or self._read_question_anew(segment)
            or self._keep_background(segment)
            or self._leave_aside(segment)
        )
        if is_merged:
            return
        self.steps += self._of_last_answer(segment) or self._repeated(segment) or [self._asked(segment)]
        self._told.append(segment)
        self._persons = persons_in_text(segment, self._plan.now)
        # Of a new record, the names after the first belong to it.
        self._spoken += names_in(segment)[: 1 if segment.act == "create_record" else None]

    @property
    def _asked_last(self) -> Segment | None:
        return self.steps[-1].ask.segment if self.steps else self._state.topic.asked

    def _step(self, segment: Segment, doubt: str = "") -> Step:
        return Step(Ask(segment, self._plan.now), spoken=tuple(self._spoken), doubt=doubt)

    def _narrow_list(self, segment: Segment) -> bool:
        """Sort or narrow the list asked for: "leads from cold calls, skip lost ones", "deals …, biggest first"."""
        last = self.steps[-1] if self.steps else None
        # "List the meetings - meetings only - that are planned for March."
        is_clause = last is not None and is_relative(segment) and not ends_sentence(last.ask.segment)
        narrows = segment if is_clause else narrowing(segment)
        if last is None or last.ask.act not in LISTS or not (is_sorting(segment) or narrows):
            return False
        act = "rank" if is_sorting(segment) else last.ask.act
        list_of = replace(last.ask.segment, act=act).followed_by(narrows or segment)
        sorted_list = list_of.followed_by(Segment("sorted", act)) if act == "rank" else list_of
        self.steps[-1] = replace(last, ask=Ask(sorted_list, self._plan.now))
        return True

    def _leaves_out(self, segment: Segment) -> bool:
        """Join whom an order for several leaves out to it: "set them all to lost, but not Priya"."""
        last, first = self.steps[-1] if self.steps else None, tokenize(segment.text)[0].word
        is_left_out = segment.act in ("negated", "correct") and first in ("but", "not", "except", "apart")
        if last is None or last.ask.act not in WRITES or not (is_left_out and names_in(segment)):
            return False
        joined = Ask(last.ask.segment.followed_by(segment), self._plan.now)
        is_of_several = bool(without_left_out(joined)[1])
        self.steps[-1] = replace(last, ask=joined) if is_of_several else last
        return is_of_several

    def _change_order(self, place: int, segment: Segment) -> bool:
        """Correct, complete or take back the order at a place; one that may be taken back is confirmed first."""
        step, ordered = self.steps[place], self._state.topic.ordered
        if self._is_of_person_told(step, segment):
            return False
        if puts_back(step.ask, segment):
            return True
        is_other = segment.act == "correct" or names_only_instead(segment)
        if ordered is not None and "back" in step.ask.words and is_other:
            # "Set Ann to warm." - "Put her back to new, I meant Bo."
            self.steps.append(Step(Ask(amended_by(ordered, segment), self._plan.now)))
            return True
        if (changed := changed_order(self._plan, step, segment)) is not None:
            self.steps[place] = changed
            self._spoken += names_in(segment)
            return True
        if casts_doubt(segment):
            self.steps[place] = replace(step, doubt=policy.UNSURE)
        return False

    def _is_of_person_told(self, step: Step, segment: Segment) -> bool:
        """Return whether an order is about whom the sentence before it names, and not whom the order before that does.

        Example: "Ann is a no, mark her lost. Bo looks good though, move her to qualified".
        """
        told = self._told[-1] if self._told and self._told[-1:] == self._background[-1:] else None
        names = name_words(told) if told is not None else set[str]()
        is_pointing = any(one.word in lexicon.PERSON_PRONOUNS for one in tokenize(segment.text))
        is_order = segment.act in WRITES and is_pointing and not names_in(segment)
        return is_order and bool(names - name_words(step.ask.segment))

    def _read_question_anew(self, segment: Segment) -> bool:
        """Ask the question before for another kind of records, or about somebody else: "no wait, contacts"."""
        if (listed := of_other_kind(self._plan, self._asked_last, segment)) is not None:
            self.steps[-1:] = [self._step(listed)]
            return True
        anew = read_anew(self.steps[-1].ask, segment) if self.steps and segment.act == "correct" else None
        if anew is not None:
            self.steps[-1] = replace(self.steps[-1], ask=Ask(anew, self._plan.now))
        return anew is not None

    def _keep_background(self, segment: Segment) -> bool:
        """Keep what is told beside an ask, for the names in it."""
        if segment.act not in BACKGROUND or not self._is_anything_wanted:
            return False
        if (wish := policy.wished_change(segment)) is not None and self.asks:
            self.steps.append(self._step(wish, doubt=policy.UNSURE))  # It would be left out without a word.
            self._spoken += names_in(segment)
            return True
        self._spoken += names_in(segment) or _things_told(segment)
        for kept in (self._background, self._described, self._told):
            kept.append(segment)
        return True

    def _leave_aside(self, segment: Segment) -> bool:
        """Leave out what says nothing beside an ask: thanks, an aside, a correction that a later order carries out."""
        is_order = begins_as_order(segment) and segment.act in WRITES
        is_bare = _says_nothing(segment) or (segment.act == "correct" and not segment.spans)
        is_left = (
            (segment.act in SOCIAL | {"choose"} and bool(self.asks))
            or (_is_aside(segment) and self._has_sure_ask and not is_order)
            or (len(self.asks) > 1 and is_bare)
            or (bool(self.steps) and segment.act in READS and _asks_who_that_is(segment))
            or (segment.act == "correct" and _is_ordered_anew(segment, self._segments))
            or (segment.act == "correct" and self._asked_last is None and any(one.act in ORDERS for one in self.asks))
        )
        if is_left:
            opening = [lexicon.kind_named(one) or one.word for one in tokenize(segment.text)[:2]]
            is_apposition = bool(self._spoken) and opening == ["the", "contact"]  # "Ann Lee, the lady at Acme,"
            self._spoken += [] if is_apposition else names_in(segment)
            self._described += [segment] * (segment.act == "negated")
        return is_left

    def _of_last_answer(self, segment: Segment) -> list[Step]:
        """Return the steps of what only goes on with the last answer: more of what it made, or a correction of it."""
        plan, state, asked = self._plan, self._state, self._state.topic.asked
        if len(self._segments) == 1 and denies_change(state.topic, segment):
            undoing = Step(Ask(Segment("undo", "undo"), plan.now), doubt=policy.DENIED_CHANGE)
            return [of_one_changed(plan, state.topic, segment, stays=True) or undoing]
        if len(self._segments) == 1 and (waited := order_that_waited(plan, state.topic, segment)) is not None:
            return [self._step(waited, doubt=policy.WAITED)]
        if not self.steps and (more := more_of_changed(plan, state.topic, segment)) is not None:
            return [more]
        if not self.steps and (waiting := steps_for_waiting(plan, state, segment)):
            return waiting
        names = [ref.name for ref in state.topic.changed]
        keeps = asked is not None and segment.act in ("negated", "no") and keeps_record(asked, segment, names)
        is_first = (
            not self.steps
            and asked is not None
            and (keeps or (state.question is None and tells_value(state.topic, segment, plan.now)))
        )
        if asked is None or not (segment.act == "correct" or is_first):
            return []
        # "I meant Bo. Put Ann back to new." restores by itself what the correction would undo.
        others = [one for one in self._segments if one.act in FIELD_CHANGE_ACTS]
        is_restored = any("back" in Ask(one, plan.now).words for one in others)
        corrected = corrected_steps(plan, state.topic, segment)
        kept = (one for one in corrected if one.ask.act != "undo" or not is_restored)
        return [replace(one, spoken=tuple(self._spoken)) for one in kept]

    def _repeated(self, segment: Segment) -> list[Step]:
        """Return the step of what asks the same for another: "and for Clara"."""
        plan, topic = self._plan, self._state.topic
        last = self.steps[-1].ask if self.steps else None
        if last is not None and (segment.act == "again" or _goes_on(segment, last.act)):
            doubt = "" if segment.act in ("again", last.act) else policy.UNSURE
            return [self._step(repeated_ask(plan, last.segment, segment), doubt)]
        others = _others_pointed_at(plan, segment) if segment.act == "again" else None
        following = neighbour(topic, Ask(segment, plan.now)) if segment.act in ("again", "more") else None
        if following is not None and topic.asked is not None and topic.asked.act in LISTS:
            # "Which is the biggest of those?" - "And the next one after that?"
            named = Segment(following.name, "about", spans=(Span("name", following.name, 0),))
            return [replace(self._step(named), bindings={"": following, following.name.lower(): following})]
        asked = _asked_again(segment, topic) if segment.act == "again" else _planned_before(segment, topic)
        if asked is None:
            return []
        bound = following or others
        bindings = {"": bound} if bound is not None else {}
        return [replace(self._step(repeated_ask(plan, asked, segment)), bindings=bindings)]

    def _asked(self, segment: Segment) -> Step:
        """Return the step of an ask of its own, with what the message and the last answer say around it."""
        plan, state = self._plan, self._state
        segment = with_own_day(self.steps[-1].ask.segment, segment, plan.now) if self.steps else segment
        segment = with_own_type(self.steps[-1].ask.segment if self.steps else state.topic.ordered, segment, plan.now)
        segment = with_day_in_mind(plan, segment)
        complete = completed(state, segment, [one.ask.segment for one in self.steps], self._background)
        complete = with_told_value(complete, self._background, plan.now)
        if complete.act in READS and self._asked_last is not None:
            complete = with_own_days(state.topic, self._asked_last, complete, plan.now)
        ask = Ask(with_described_before(complete, self._described, plan.now), plan.now)
        imagined = None
        # "Delete Ann… actually no." - "Just set to lost." names no record where only one was spoken of.
        is_bare = segment.act in FIELD_CHANGE_ACTS and not (self.steps or state.topic.refs or names_in(segment))
        if segment.act in COMPUTED and self.steps and self.steps[-1].ask.act == "hypothetical":
            imagined = self.steps.pop().ask.segment  # "If she signs, what would my total be?" orders nothing.
        # "Then note that he wants it by fax", after a name that no answer was about.
        is_note = segment.act == "create_note" and any(one.word in lexicon.PERSON_PRONOUNS for one in ask.tokens)
        is_pointing = any(span.tag == "ref" for span in segment.spans) or is_there(ask) or is_bare or is_note
        spoken = tuple(self._names_for(ask)) or state.topic.spoken * is_pointing
        # Where it is gone on with after a question, "call her" is read with the news of whom.
        is_of_person = any(one.word in lexicon.PERSON_PRONOUNS for one in ask.tokens)
        news = next((one.text for one in self._background[-1:] if is_of_person and one in self._told[-1:]), "")
        source = text_between(plan.scene.user_text, news, segment.text) if news and not names_in(segment) else ""
        return Step(ask, imagined=imagined, spoken=spoken, said=source)

    def _names_for(self, ask: Ask) -> list[str]:
        """Return the names that the message said before an ask: places for "there", else persons and companies."""
        places = [name for one in self._background for name in places_in(one)][-1:] if is_there(ask) else []
        if not places and (is_there(ask) or is_of_other(ask) or points_at_them(ask)):
            places = [span.text for one in self._told for span in one.spans if span.tag == "org"][-1:]
        # "Note that Ann wants a quote, and give me her phone."
        is_person = bool(self._persons and ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS)
        if self.steps and ask.words & lexicon.POINTERS and not ask.words & lexicon.PERSON_PRONOUNS:
            # "Dropped Emily off at school. Which deal is the largest, and who owns it?": what was asked for.
            asides = {name for one in self._background for name in names_in(one)}
            return [name for name in self._spoken if name not in asides]
        return places or (self._persons if is_person else self._spoken)


def _things_told(segment: Segment) -> list[str]:
    """Return the companies that background names, else the words for a record in its topic: "a patient portal deal"."""
    things = [span.text for span in segment.spans if span.tag == "org"]
    topics = [tokenize(span.text) for span in segment.spans if span.tag == "topic"]
    named = [tokens for tokens in topics if len(tokens) > 1 and lexicon.kind_named(tokens[-1]) in lexicon.KINDS]
    described = [[one.text for one in tokens[:-1] if one.word not in lexicon.DETERMINERS] for tokens in named]
    return things or [" ".join(words) for words in described if words]


def _as_first_ask(segment: Segment) -> Segment:
    """Return a repetition or correction with nothing before it as the question that it is likely to be."""
    others = [(act, share) for act, share in segment.others if act in READS and share >= MIN_BACKGROUND]
    if others:
        return replace(segment, act=others[0][0], probability=segment.probability + others[0][1])
    has_field = any(span.tag == "field" for span in segment.spans)
    is_bare = bool(names_in(segment)) and {span.tag for span in segment.spans} <= PROPER_NAME_TAGS | {"field"}
    # "What about Ann?", "No, not the phone, I want Ann's email."
    return replace(segment, act="ask_field" if has_field else "about") if is_bare else segment


def _as_other_time(ordered: Segment | None, segment: Segment) -> Segment:
    """Return "put a reminder for tomorrow instead" as a correction of what was planned before."""
    words = {one.word for one in tokenize(segment.text)}
    if ordered is not None and segment.act in ("again", ordered.act) and words & _MOVING and ordered.act in _PLANS:
        return replace(segment, act="change_activity", others=())  # "Prepone the same by one hour."
    is_plan = ordered is not None and {ordered.act, segment.act} <= _PLANS
    is_bare = {span.tag for span in segment.spans} == {"when"}
    return replace(segment, act="correct", others=()) if is_plan and "instead" in words and is_bare else segment


def _says_nothing(segment: Segment) -> bool:
    """Return whether a segment that repeats an ask says nothing to repeat it with: "for now"."""
    tokens = tokenize(segment.text)
    is_telling = any(lexicon.kind_named(one) or lexicon.values_in(one.word) or one.is_capital for one in tokens[1:])
    return segment.act == "again" and not segment.spans and not is_telling


def _goes_on(segment: Segment, act: str) -> bool:
    """Return whether a segment without an order of its own names another to do the same for: "and for Clara"."""
    tokens = tokenize(segment.text)
    is_joined = tokens[0].word in ("and", "plus", "&", ",", "also", "same")
    has_own = any(one.word in lexicon.ORDER_VERBS or lexicon.activity_type_of(one.word) for one in tokens)
    is_same = segment.act == act == "create_activity" and (not has_own or tokens[0].word == "same")
    return is_joined and bool(names_in(segment)) and (is_same or segment.probability < SURE_ANSWER)


def _others_pointed_at(plan: Plan, segment: Segment) -> Ref | None:
    """Return the person spoken of before the one that was just changed: "same for him" means another one."""
    words = {one.word for one in tokenize(segment.text)} & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS
    topic = plan.topic
    is_bare = bool(words) and {span.tag for span in segment.spans} <= {"ref"} and bool(topic.written)
    changed = {ref.id for ref in topic.changed if ref.type in ("lead", "contact")}
    session = [Ref(one.type, one.id, one.name) for one in plan.scene.entities]
    people = [one for one in (*topic.group, *topic.earlier, *session) if one.type in ("lead", "contact")]
    others = [one for one in people if one.id not in changed]
    is_of_change = topic.asked is not None and topic.asked == topic.ordered and bool(changed)
    return others[0] if is_bare and is_of_change and others else None


def _asked_again(segment: Segment, topic: Topic) -> Segment | None:
    """Return the ask that a segment repeats: the last one, or the list before it that alone can have its condition.

    "Leads in Seattle." - "What's Ann's email?" - "And in Boston?"
    """
    tags = {span.tag for span in segment.spans}
    is_about_one = topic.asked is not None and topic.asked.act in ACTS_ABOUT_ONE & READS
    is_condition = bool(tags) and tags <= {"value", "amount", "count"} and not any(lexicon.fields_in(segment.text))
    is_of_list = is_about_one and topic.listing is not None and is_condition
    return topic.listing if is_of_list else topic.asked


def _planned_before(segment: Segment, topic: Topic) -> Segment | None:
    """Return the plan that a segment orders with another person: "and one with Bo at three", "same call with Bo"."""
    is_same = tokenize(segment.text)[0].word == "same"
    asked = topic.ordered if is_same else topic.asked if topic.written else None
    is_planned = asked is not None and asked.act == segment.act == "create_activity"
    is_of_person = any(one.word in lexicon.PERSON_PRONOUNS for one in tokenize(segment.text))
    return asked if is_planned and (_goes_on(segment, segment.act) or (is_same and is_of_person)) else None


def _asks_who_that_is(segment: Segment) -> bool:
    """Return whether a question only points at what was asked for before it: "and the second best, who's that?"."""
    words = {one.word for one in tokenize(segment.text) if one.kind != "mark"}
    return bool(words & lexicon.POINTERS) and words <= lexicon.POINTERS | _ASKING_WHO


def _is_ordered_anew(correction: Segment, segments: Sequence[Segment]) -> bool:
    """Return whether a correction names only somebody of whom a later order of the message says what to change."""
    # It may have been read as another act since, so that only its text tells its place.
    later = list(dropwhile(lambda one: one.text != correction.text, segments))[1:]
    names = name_words(correction) if {span.tag for span in correction.spans} <= {"name", "ref"} else set()
    orders = [one for one in later if one.act in WRITES and one.probability >= SURE_ORDER]
    return bool(names) and any(names & name_words(one) for one in orders)


def _denies_itself(segment: Segment) -> bool:
    """Return whether a correction takes back what it names: "Boston doesn't matter", "the city is not important"."""
    last = max((span.end for span in segment.spans), default=len(segment.text))
    after = [one.word for one in tokenize(segment.text) if one.start >= last][:2]
    return any(word in lexicon.NEGATIONS or word.endswith("n't") for word in after) and "but" not in after


def _is_aside(segment: Segment) -> bool:
    """Return whether a segment beside a clear ask may be background: it is likely to be, or what is not to be done."""
    share = dict(((segment.act, segment.probability), *segment.others))
    background = sum(share.get(act, 0.0) for act in BACKGROUND)
    is_order = segment.act in WRITES and bool(names_in(segment))  # It would be left out without a word.
    return segment.act == "negated" or (
        segment.probability < MIN_ASIDE and background >= MIN_BACKGROUND and not is_order
    )
