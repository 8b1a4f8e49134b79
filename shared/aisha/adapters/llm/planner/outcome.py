"""Answer the steps of a message in order, and join what they say, ask, change and leave over."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields, own_tools, policy, team_stages
from aisha.adapters.llm.planner.acts.imagined import as_it_is
from aisha.adapters.llm.planner.acts.search.unread import with_unread
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.surroundings import places_in
from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, LISTS
from aisha.adapters.llm.planner.dispatch import missing_tool, settled_answer
from aisha.adapters.llm.planner.exclusions import without_left_out
from aisha.adapters.llm.planner.linking import with_whole_names
from aisha.adapters.llm.planner.naming import by_name
from aisha.adapters.llm.planner.plan import (
    Answer,
    EarlyAnswer,
    Pending,
    Plan,
    UnknownToolError,
    at_once,
)
from aisha.adapters.llm.planner.references import with_reference
from aisha.adapters.llm.planner.replies import questions
from aisha.adapters.llm.planner.resolve import kinds_named
from aisha.adapters.llm.planner.results import PlannedCall, ref_of
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.adapters.llm.planner.write_check import doubtful_words
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.tokens import tokenize

MAX_ASKS = 8
"""Asks of one message that are answered; the others are named."""
_CHANGING = ("update_", "create_note", "create_activity", "bulk_create_activities", "advance_", "complete_activity")
"""The tools whose calls another write of the same round does not depend on."""
_OWN = ("stickynotes", "memory")
"""The tools for what the user keeps beside the records, whose calls no other write of a round touches."""
_ADDING = ("create_note", "create_activity", "bulk_create_activities")
"""The tools whose calls change nothing of the record that they are about."""
# Reads of many records, of which an order of the same message may change some.
_AGGREGATING = frozenset("count search rank forecast list_activities my_day goals".split())
# Acts after which "the same for Ann" still means the ask before.
_CONTINUING = frozenset("more take_up yes no wait thanks greeting smalltalk context help".split())
_OF_GOALS = frozenset(("goals", "update_goal"))


class Outcome(Struct):
    """The answers so far, and what comes after them."""

    texts: list[str] = field(default_factory=list)
    topic: Topic = Topic()
    question: Question | None = None
    asking: str = ""
    """The text of the question, which comes last."""
    waiting: list[tuple[PlannedCall, str]] = field(default_factory=list)
    """The calls that the user has to confirm, with their asks: asked about when everything else is answered."""
    beside: list[PlannedCall] = field(default_factory=list)
    """The writes that run in the round of the first of those."""
    left: list[str] = field(default_factory=list)
    """The texts of asks that were not answered."""
    written: list[str] = field(default_factory=list)
    """The sentences that tell the changes made."""
    made: list[Ref] = field(default_factory=list)
    """The records that they made or changed."""


def answer_steps(plan: Plan, steps: Sequence[Step]) -> Outcome:
    """Answer the steps in order. Raises `Pending` with the calls that all of them need in the next round."""
    outcome = Outcome(topic=plan.topic)
    pending, ordered, is_held_back, written_to = list[PlannedCall](), None, False, tuple[Ref, ...]()
    steps = [replace(step, ask=team_stages.marked(step.ask, plan.tools)) for step in steps]
    if own := custom_fields.fields_of(plan.tools):
        steps = [replace(step, ask=custom_fields.marked(step.ask, own)) for step in steps]
    for step in steps[:MAX_ASKS]:
        # A write after another is about the same records, also before that has run.
        refs = written_to if step.ask.act in WRITES else ()
        topic = replace(outcome.topic, refs=refs or outcome.topic.refs)
        bindings = step.bindings or _pointed_back(step.ask, written_to, plan.topic.refs)
        here = replace(plan, topic=topic, bindings=bindings, spoken=step.spoken, imagined=step.imagined)
        here.is_after_change = bool(outcome.written)
        if pending and step.ask.act in _AGGREGATING and not plan.scene.final and _follows_order(steps, step):
            is_held_back = True  # What is counted or listed may be changed first.
            continue
        try:
            number, before = len(outcome.written), outcome.topic.asked
            _take(here, step, outcome)
            if _asks_for_more(steps, step) and before is not None:  # "The same for Acme" repeats both questions.
                outcome.topic = replace(outcome.topic, asked=before.followed_by(step.ask.segment))
            waiting = _written_to(plan, [call for call, _ in outcome.waiting[-1:]])
            is_made = len(outcome.written) > number
            outcome.made += outcome.topic.changed if is_made else ()
            written_to = outcome.topic.changed if is_made else waiting or written_to
        except Pending as missing:
            if plan.scene.final and (outcome.texts or outcome.waiting or outcome.asking):
                outcome.left.append(step.text)
                continue
            # A later step may depend on what an earlier one finds or makes: unless it can't, only its reads go out.
            going = [one for one in missing.calls if not pending or _goes_beside(plan, one, pending, steps, step)]
            is_held_back = is_held_back or len(going) < len(missing.calls)
            written_to = _written_to(plan, going) or written_to
            ordered = step.ask.segment if any(plan.tools[one.tool].access != "read" for one in going) else ordered
            pending += going
    pending = list({call.key: call for call in pending}.values())
    has_reads = any(plan.tools[one.tool].access == "read" for one in pending)
    if pending and (has_reads or is_held_back or not outcome.waiting):
        raise Pending(pending, ordered)
    # These writes are all that is left to do: the question can be asked in their round.
    outcome.beside = pending
    outcome.left += [step.text for step in steps[MAX_ASKS:] if step.ask.act not in BACKGROUND]
    outcome.left += [text for _, text in outcome.waiting[0 if plan.scene.final else 1 :]]
    _name_left(plan, outcome)
    if outcome.asking:
        outcome.texts.append(outcome.asking)
    if len(outcome.written) > 1:
        listed = tuple(dict.fromkeys(outcome.made))
        is_list = len(listed) == len(outcome.written) and len({ref.type for ref in listed}) == 1
        written = " ".join(f"{one.rstrip('.')}." for one in outcome.written)
        listed, replaced = listed if is_list else outcome.topic.listed, _replaced(plan, listed)
        outcome.topic = replace(outcome.topic, written=written, listed=listed, replaced=replaced)
    return outcome


def _asks_for_more(steps: Sequence[Step], step: Step) -> bool:
    """Return whether a step asks for more fields of the record that the step before it is about."""
    before = next((one for one, other in itertools.pairwise(steps) if other is step), None)
    is_named = any(span.tag in ("name", "new", "org") for span in step.ask.segment.spans)
    return before is not None and before.ask.act == step.ask.act == "ask_field" and not is_named


def _pointed_back(ask: Ask, written_to: Sequence[Ref], in_mind: Sequence[Ref]) -> Mapping[str, Ref]:
    """Return the deal or company that "it" or "that deal" means after an order of the same message.

    "It" is what that order changed; "that deal", where it was about a person, the one in mind before the message.
    """
    if not ask.texts("ref") or any(span.tag in ("name", "new", "org") for span in ask.segment.spans):
        return {}
    things = [ref for ref in written_to if ref.type in ("account", "opportunity")]
    is_of_thing = ask.act in FIELD_CHANGE_ACTS and {*map(str.lower, ask.texts("ref"))} <= lexicon.THING_PRONOUNS
    if is_of_thing and len(things) == len(written_to) == 1:
        return {"": things[0]}
    is_before = bool(written_to) and not things and len(in_mind) == 1 and (in_mind[0].type,) == ask.kinds
    return {"": in_mind[0]} if is_before else {}


def _follows_order(steps: Sequence[Step], step: Step) -> bool:
    """Return whether an order comes before a step."""
    return any(one.ask.act in WRITES for one in itertools.takewhile(lambda other: other is not step, steps))


def _name_left(plan: Plan, outcome: Outcome) -> None:
    """Say which asks were not answered, and go on with them after the question that waits, or offer to."""
    # Only what was typed is gone on with: an ask with a correction in it was not.
    segment_texts = {segment.text for segment in plan.read(plan.scene.user_text).segments}
    typed = [text for text in outcome.left if text in segment_texts or text in plan.scene.user_text]
    others = [text for text in outcome.left if text not in typed]
    if outcome.waiting and typed and not plan.scene.final:
        outcome.texts.append(questions.after_answer(typed))
    elif typed and outcome.question is None and not others:
        outcome.question = Question("offer", offers=(". ".join(dict.fromkeys(typed)),))
        outcome.asking = questions.left_over(typed, is_offered=True)
    else:
        others = list(outcome.left)
    if others:
        outcome.texts.append(questions.left_over(others))


def _goes_beside(
    plan: Plan, call: PlannedCall, pending: Sequence[PlannedCall], steps: Sequence[Step], step: Step
) -> bool:
    """Return whether a call can run in the round of these, in order.

    A read can. A write can where those before it change records, too, and neither make nor remove any, and its own
    records are known; a new lead beside other new leads; a reminder where only questions are before it.
    """
    if plan.tools[call.tool].access == "read" or (call.tool in _OWN and not _follows_order(steps, step)):
        return True
    is_change = all(
        one.tool.startswith((*_CHANGING, *_OWN)) for one in pending if plan.tools[one.tool].access != "read"
    )
    has_write = any(plan.tools[one.tool].access != "read" for one in pending)
    if call.tool == "create_lead" and has_write:  # It is about no other record.
        return all(one.tool == call.tool for one in pending if plan.tools[one.tool].access != "read")
    is_apart = call.tool in _OWN or (bool(ids := _ids(call)) and all(map(plan.knows, ids)))
    return has_write and is_change and is_apart


def _written_to(plan: Plan, calls: Sequence[PlannedCall]) -> tuple[Ref, ...]:
    """Return the records of this turn that calls change, or add something to."""
    ids = dict.fromkeys(one for call in calls if plan.tools[call.tool].access != "read" for one in _ids(call))
    spoken_of = {ref.id: ref for ref in (*plan.topic.listed, *plan.topic.refs)}
    read = {one: ref_of(record) for one in ids if (record := plan.results.record(one)) is not None}
    return tuple(filter(None, (read.get(one) or spoken_of.get(one) for one in ids)))


def _take(plan: Plan, step: Step, outcome: Outcome) -> None:
    """Add the answer to one step to the outcome. Raises `Pending` while results are missing."""
    try:
        plan, step = _referring(plan, step)
        # What "and in proposal?" repeats is of the list only as far as it says.
        before = plan.topic.search if step.ask.text in plan.scene.user_text else None
        answer = with_unread(step.ask, settled_answer(plan, step.ask), before)
    except EarlyAnswer as early:
        answer = early.answer
    except UnknownToolError as error:
        answer = Answer(missing_tool(plan, error.name))
    except Pending as pending:
        pending.calls = tuple(_doubted(plan, step, pending.calls))
        asked = [call for call in pending.calls if plan.must_ask(call)]
        if not asked:
            if not _changes_again(plan, pending.calls, outcome):
                raise
            outcome.left.append(step.text)
            return
        sure = [call for call in pending.calls if call not in asked and plan.tools[call.tool].access != "read"]
        if sure and not plan.scene.final and not _changes_again(plan, sure, outcome):
            pending.calls = tuple(sure)  # Of an order for several records those that are sure run first.
            raise
        # After the yes to the first of two calls the ask is read again for the second.
        if len(asked) > 1 or len(step.ask.texts("name")) > 1:
            are_so = at_once(partial(_is_so, plan, call) for call in asked)
            asked = [call for call, is_so in zip(asked, are_so, strict=True) if not is_so]
        if not asked:
            outcome.texts.append(questions.OTHERS_DONE if plan.results.written_names else questions.ALREADY_SO)
        elif not outcome.waiting:
            # What is asked about is spoken of.
            refs = _written_to(plan, asked) or outcome.topic.refs
            # What is to be taken back stays the order that a correction is about.
            asked_now = plan.topic.asked if step.ask.act == "undo" else step.ask.segment
            outcome.topic = replace(outcome.topic, asked=asked_now, refs=refs, replaced=_values_before(plan, asked))
        outcome.waiting += [(call, step.text) for call in asked]
        return
    if plan.imagined is not None:
        answer = as_it_is(plan, answer)
    question = answer.question
    if question is not None and question.kind == "who" and _is_made_by_waiting(question.name, outcome):
        outcome.left.append(step.text)  # "Add Ann as a lead and call her": the first waits for a yes.
        return
    if question is not None and outcome.question is not None:
        # One question at a time: the answer to the second would be taken for one to the first.
        outcome.left.append(step.text)
        return
    if question is not None:
        outcome.question, outcome.asking = question, answer.text
    else:
        outcome.texts.append(answer.text)
    topic = (answer.topic or plan.topic).after(plan.topic)
    if question is not None and question.kind == "which":
        topic = replace(topic, listed=question.candidates)  # "And the one at Acme?", after one was chosen.
    if question is not None and question.kind == "slot" and (asked_about := _asked_about(plan, step.ask)):
        topic = replace(topic, refs=asked_about)  # "Which field of Ann shall I set to 5?" - "What's her score now?"
        if not question.candidates:  # The answer needs no second search.
            name = step.ask.texts("name")[0]
            outcome.question = replace(question, name=name, candidates=asked_about)
    if topic.written and topic is not plan.topic:
        outcome.written.append(topic.written)
    outcome.topic = _topic_after(plan, step, answer, topic)


def _asked_about(plan: Plan, ask: Ask) -> tuple[Ref, ...]:
    """Return the record that the only name of an ask means; none where it was not looked for."""
    names, kinds = ask.texts("name"), ("opportunity",) if ask.act == "advance_stage" else kinds_named(ask)
    try:
        match = by_name(plan, names[0], kinds) if len(names) == 1 else None
    except (Pending, EarlyAnswer):
        return ()
    return (match,) if isinstance(match, Ref) else ()


def _values_before(plan: Plan, asked: Sequence[PlannedCall]) -> dict[str, dict[str, Any]]:
    """Return the values that changes replace once the user says yes, by record and field; none of unread records."""
    changes = [call for call in asked if call.tool.startswith(("update_", "advance_"))]
    records = [(call, record) for call in changes for one in _ids(call) if (record := plan.results.record(one))]
    return {one["id"]: {name: one[name] for name in call.arguments if name in one} for call, one in records}


def _doubted(plan: Plan, step: Step, calls: Sequence[PlannedCall]) -> Iterator[PlannedCall]:
    """Yield the calls of a step; writes that leave out a part of the order are asked about."""
    writes = [call for call in calls if plan.tools[call.tool].access != "read"]
    spoken_of = [ref.shown for ref in (*plan.topic.refs, *plan.bindings.values())]
    record_names = [*spoken_of, *plan.results.written_names, *(one.name for one in plan.scene.entities)]
    left = doubtful_words(step.ask, writes, plan.results, (*record_names, plan.user))
    for call in calls:
        yield replace(call, doubt=call.doubt or policy.unclear(left)) if left and call in writes else call


def _referring(plan: Plan, step: Step) -> tuple[Plan, Step]:
    """Return the plan and the step in which what the ask refers to is bound. Raises `EarlyAnswer` with a question."""
    if own_tools.siblings_meant(plan, step.ask) or (step.ask.act in _OF_GOALS and "goal" in step.ask.kinds):
        return plan, step  # "The third" is no record, nor is a goal.
    ask, left_out = without_left_out(step.ask) if step.ask.act in WRITES else (step.ask, ())
    plan, ask = with_whole_names(*with_reference(replace(plan, left_out=left_out), ask))
    doubt, words = step.doubt or policy.doubt(ask), tuple(policy.unexplained(ask))
    return replace(plan, doubt=doubt, unexplained=words), replace(step, ask=ask)


def _topic_after(plan: Plan, step: Step, answer: Answer, topic: Topic) -> Topic:
    """Return the topic of an answer with what the next asks refer to: this ask, the names said, the last order."""
    asked_now = plan.topic.asked if step.ask.act in _CONTINUING else step.ask.segment
    denied = [span.text for span in step.denied.spans if span.tag == "name"] if step.denied is not None else []
    places = places_in(step.ask.segment) if step.ask.act in ("context", "report") else []  # "I'm in Denver on Friday."
    names = (*step.spoken, *step.ask.texts("name"), *step.ask.texts("new"), *denied, *places)
    listing = step.ask.segment if step.ask.act in LISTS else plan.topic.listing
    spoken = () if answer.topic and answer.topic.refs else names[-1:]
    topic = replace(topic, asked=asked_now, spoken=spoken, listing=listing)
    is_order = step.ask.act in WRITES and topic.written and topic.written != plan.topic.written
    before = plan.topic
    if not is_order and [one.id for one in topic.refs[:1]] == [one.id for one in before.refs[:1]]:
        topic = replace(topic, draft=topic.draft or before.draft)  # "Who is she with again?" - "Right, send it."
    if not is_order:
        return replace(topic, ordered=before.ordered, changed=before.changed, replaced=before.replaced)
    return replace(topic, ordered=step.ask.segment, changed=topic.refs, replaced=_replaced(plan, topic.refs))


def _replaced(plan: Plan, refs: Sequence[Ref]) -> dict[str, dict[str, Any]]:
    """Return the values that this turn's changes of records replaced, by record and field."""
    return {ref.id: values for ref in refs if (values := plan.results.replaced(ref.id))}


def _is_made_by_waiting(name: str, outcome: Outcome) -> bool:
    """Return whether a name that was not found is that of a record which a waiting call creates."""
    made = {
        token.word for call, _ in outcome.waiting for value in call.arguments.values() for token in tokenize(str(value))
    }
    return bool(name) and {token.word for token in tokenize(name)} <= made


def _is_so(plan: Plan, call: PlannedCall) -> bool:
    """Return whether a change sets only values that its record has already. Raises `Pending` with its read."""
    kind = next((kind for kind in KINDS if f"{kind}_id" in call.arguments), None)
    values = {name: value for name, value in call.arguments.items() if not name.endswith("_id")}
    if kind is None or not values or not call.tool.startswith(("update_", "advance_")):
        return False
    record = plan.record(Ref(kind, str(call.arguments[f"{kind}_id"]), ""))
    return all(record.get(name) == value for name, value in values.items())


def _changes_again(plan: Plan, calls: Sequence[PlannedCall], outcome: Outcome) -> bool:
    """Return whether calls write to a record that a waiting call changes first: "convert Ann and call her".

    What is only planned or noted about a record leaves it as it is.
    """
    waiting = {one for call, _ in outcome.waiting if not call.tool.startswith(_ADDING) for one in _ids(call)}
    removed = {one for call, _ in outcome.waiting if not call.tool.startswith(_CHANGING) for one in _ids(call)}
    # What is written before a yes to an undo would be what it takes back.
    is_undo = any(call.tool == "undo_last" for call, _ in outcome.waiting)
    return any(
        is_undo or _ids(call) & (removed if call.tool.startswith(_ADDING) else waiting)
        for call in calls
        if plan.tools[call.tool].access != "read"
    )


def _ids(call: PlannedCall) -> set[str]:
    return {value for name, value in call.arguments.items() if name.endswith("_id") and isinstance(value, str)}
