"""Turn a correction into the ask anew, a change of what the ask made, or its undoing and the ask anew."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace
from rapidfuzz.distance import OSA

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.mail_words import with_correction
from aisha.adapters.llm.planner.acts.writing.pairing import keeps_record, without_kept
from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.dialogue.repeating import repeated_ask
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, name_words, names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.words import TOLD
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import last_named
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, FIELD_CHANGE_ACTS, NUMBER_TAGS, PROPER_NAME_TAGS, READS, WRITES
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

MIN_RESPELT = 3
"""Shorter words are not taken for another spelling of a name."""
# Words before a time that no longer counts: "Friday instead of Thursday".
_GIVEN_UP = frozenset("not than of from".split())
# Acts of what may say that the last change is wrong.
_DENYING = frozenset("correct negated wait".split())
_TURNING = frozenset("make change turn".split())
_SHIFTED = frozenset("later earlier sooner".split())
# Orders that are taken back and given anew when the correction names another record.
_TAKEN_BACK = frozenset("create_activity invite create_note update_record advance_stage complete_activity".split())
_CHANGED_NAME = re.compile(r"\*\*([^*]{2,80})\*\*:")
_UNIT = re.compile(r"(?:(?<=\d)|\s)(?:k|m|thousand|million|grand)\Z", re.IGNORECASE)
"""Matches the unit at the end of a number, which the correction of it leaves out: "95k" - "I meant 97"."""
_MIN_WITH_UNIT = 1000
"""A correction below this has the unit of the number that it corrects."""
_SEVERAL = _WITH_ITS_RECORD = 2
"""Records that an order for one activity leaves: whom it is about, and the activity."""
_CHANGED_BY: Mapping[str, str] = {
    "create_activity": "change_activity",
    "invite": "change_activity",
    "remind": "change_activity",
    "change_activity": "change_activity",
    "create_record": "update_record",
}


def corrected_steps(plan: Plan, topic: Topic, correction: Segment) -> Iterator[Step]:
    """Yield what corrects the last ask: the ask anew, a change of what it made, or its undoing and the ask anew."""
    asked, ordered = topic.asked, topic.ordered
    assert asked is not None  # noqa: S101 - see merged_steps
    tags = {span.tag for span in correction.spans} - {"ref", "name", "org", "new"}
    fields = [span for span in asked.spans if span.tag == "field"]
    activity = next((ref for ref in topic.changed if ref.type == "activity"), None)
    if activity is None and tags == {"when"} and Ask(correction, plan.now).activity_types:
        # An order may have planned it beside a change: "do the call at 1:30, rather".
        activity = last_named(
            plan, [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type == "activity"]
        )
    # Of an order that waits, or of another kind, the plan is another one.
    is_of_plan = asked.act in READS or topic.ordered != asked or asked.act in FIELD_CHANGE_ACTS | {"advance_stage"}
    if ordered is not None and is_of_plan and tags == {"when"} and activity and not _has_time(plan, asked):
        # "Book a visit for Tuesday at 9." - "Where are they based?" - "Make that 10 o'clock."
        moved = Segment(correction.text, "change_activity", correction.probability, correction.spans)
        yield Step(Ask(moved, plan.now), {"": activity})
        return
    if asked.act == "delete" and "field" in tags and tags & TOLD:
        # "Drop the Acme deal." - "I meant drop the price to 35k."
        change = Segment(correction.text, "update_record", correction.probability, correction.spans)
        yield Step(Ask(change, plan.now), {"": topic.refs[0]} if len(topic.refs) == 1 else {})
        return
    if asked.act == "undo" and names_in(correction):
        # "Ann to lost" - "Wrong one, undo" - "I meant Bo."
        undone = _order_said_last(plan, before=1) or asked
        yield Step(Ask(amended_by(undone, correction), plan.now), doubt=policy.UNSURE)
        return
    if asked.act == "negated" and tags & TOLD and (denied := _order_said_last(plan)) is not None:
        # "I was going to make it 65k, but hold off." - "OK, they agreed, make it 65k."
        verb = next((one for one in tokenize(denied.text) if one.word in lexicon.ORDER_VERBS), None)
        again = amended_by(denied.part(verb.start) if verb else denied, correction)
        yield Step(Ask(replace(again, probability=max(again.probability, correction.probability), others=()), plan.now))
        return
    activities_listed = [ref for ref in topic.refs if ref.type == "activity"]
    if asked.act in READS and tags == {"when"} and len(activities_listed) == 1 and _is_shift(correction):
        # "When am I seeing Ann?" - "Make that half an hour later."
        moved = Segment(correction.text, "change_activity", correction.probability, correction.spans)
        yield Step(Ask(moved, plan.now), {"": activities_listed[0]})
        return
    if asked.act in ACTS_ABOUT_ONE and correction.act == "correct" and choice_in(Ask(correction, plan.now)) is not None:
        again = repeated_ask(plan, asked, replace(correction, act="again"))
        yield Step(Ask(again, plan.now))  # "What's their email?" - "No, the buyer's one."
        return
    if asked.act == "ask_field" and fields and tags:
        # "When does it close?" - "Make it May 15." A value that is only told is confirmed first.
        pairs = pairwise(tokenize(correction.text))  # "That's optimistic. Put it at the end of May."
        is_order = begins_as_order(correction) or any(
            one.kind == "mark" and two.word in lexicon.ORDER_VERBS for one, two in pairs
        )
        name = Segment(fields[0].text, "update_record", spans=(replace(fields[0], start=0),))
        order = name.followed_by(replace(correction, act="update_record"))
        yield Step(Ask(order, plan.now), doubt="" if is_order else policy.UNSURE)
        return
    value_tags = {span.tag for span in asked.spans} & TOLD
    is_same_number = tags <= NUMBER_TAGS and any(_is_number(span) for span in asked.spans)  # "Prob to 40" - "no, 30"
    is_other_field = bool(tags and value_tags) and not (
        tags & (value_tags | {"value"}) or names_in(correction) or is_same_number
    )
    if asked.act == "update_record" and topic.written and is_other_field:
        # "Raise it to 71k." - "And they sign on the 20th.": another field of the same record.
        other = Segment(correction.text, asked.act, correction.probability, correction.spans)
        yield Step(Ask(other, plan.now), {"": topic.changed[0]} if len(topic.changed) == 1 else {}, doubt=policy.UNSURE)
        return
    if asked.act == "create_note" and topic.changed and tags and tags <= NUMBER_TAGS | {"when"}:
        # "Score 5 down, and note that …" - "Make that 10.": no number of the note.
        change = Segment(correction.text, "update_record", correction.probability, correction.spans)
        yield Step(Ask(change, plan.now), {"": topic.changed[0]}, doubt=policy.UNSURE)
        return
    if asked.act == "create_record" and topic.written and (records := topic.changed[:1]) and names_in(correction):
        yield Step(Ask(_of_made(asked, correction), plan.now), {"": records[0]})
        return
    # "Not Ann", before "I meant Bo", does not say that nothing is to be changed.
    changed_names = [ref.name for ref in topic.changed]
    denials = {one.word for one in tokenize(correction.text)} & policy.DENIALS - {"no"}
    stays = keeps_record(asked, correction, changed_names) and not denials
    if topic.asked_about is not None and stays:
        yield Step(Ask(Segment(correction.text, "no"), plan.now))  # "Shall I give Ann to Bo?" - "No, Ann stays."
        return
    if (of_one := of_one_changed(plan, topic, correction, stays=stays)) is not None:
        yield of_one
        return
    if topic.written and topic.changed and stays:
        # "No, leave Ann with me." The last change may be that of another record.
        yield Step(Ask(_undoing(names_in(correction)), plan.now), doubt=policy.UNSURE)
        return
    if (earlier := _of_earlier_change(topic, correction)) is not None:
        yield Step(Ask(replace(amended_by(asked, earlier), probability=correction.probability), plan.now))
        return
    again = amended_by(asked, correction)
    if not topic.written or asked.act not in WRITES or topic.asked_about is not None:
        yield Step(Ask(again, plan.now))
        return
    again = replace(again, probability=max(asked.probability, correction.probability))
    changed_words = {one.word for name in changed_names for one in tokenize(name)}
    is_choice = choice_in(Ask(correction, plan.now)) is not None
    if is_choice and not tags and name_words(correction) and name_words(correction) <= changed_words:
        # "A call with Ann." - "Ugh, scratch the one with Ann."
        yield Step(Ask(_undoing(names_in(correction)), plan.now), doubt=policy.UNSURE)
        return
    if is_choice and tags:  # "A call with Ann at 9." - "And one with Bo." - "Make the first one 9:30."
        yield Step(Ask(replace(correction, act=_CHANGED_BY.get(asked.act, asked.act)), plan.now))
        return
    is_of_other = is_choice or not name_words(correction) <= changed_words
    is_of_other = is_of_other or any(_is_denied(correction, span) for span in correction.spans if span.tag == "name")
    is_planned = asked.act == "remind" and activity is not None  # "Remind me to call Ann." - "Make it Bo."
    if is_of_other and (asked.act in _TAKEN_BACK or is_planned):
        doubt = policy.UNSURE if policy.unexplained(Ask(correction, plan.now)) else ""
        last = next((one for one in reversed(plan.scene.history) if one.role == "assistant"), None)
        # After the yes to the undo the correction is read again.
        if last is None or not any(one.name == "undo_last" and one.status == "executed" for one in last.tool_calls):
            yield Step(Ask(Segment("undo", "undo"), plan.now), doubt=doubt)
        yield Step(Ask(again, plan.now), doubt=doubt, said=correction.text)
    elif asked.act == "remind" and activity is None and tags == {"when"}:
        yield Step(Ask(_snoozed(again), plan.now))
    elif asked.act in _CHANGED_BY and (asked.act != "remind" or (activity is not None and tags == {"when"})):
        changed = Segment(correction.text, _CHANGED_BY[asked.act], correction.probability, correction.spans)
        yield Step(
            Ask(changed, plan.now), {"": activity} if activity and len(topic.changed) <= _WITH_ITS_RECORD else {}
        )
    else:
        yield Step(Ask(again, plan.now))


def _order_said_last(plan: Plan, before: int = 0) -> Segment | None:
    """Return the first order of the user's last message, or of one some messages `before` it; None without any."""
    messages = [one.content for one in plan.scene.history if one.role == "user"]
    last = messages[-1 - before :][:1]
    return next((one for text in last for one in plan.read(text).segments if one.act in WRITES), None)


def of_one_changed(plan: Plan, topic: Topic, correction: Segment, *, stays: bool) -> Step | None:
    """Return what a correction says of one of several records that the last order changed: "no, Ann stays warm"."""
    asked, words = topic.ordered, name_words(correction)
    named = [ref for ref in topic.changed if words and words <= {one.word for one in tokenize(ref.name)}]
    if asked is None or asked.act not in FIELD_CHANGE_ACTS or len(named) != 1 or len(topic.changed) < _SEVERAL:
        return None
    if stays or not {span.tag for span in correction.spans} & (TOLD | {"field"}):
        return Step(Ask(_undoing([named[0].name]), plan.now))
    for name in names_in(asked):
        asked = _without_name(asked, name)
    rest = tuple(span for span in correction.spans if span.tag not in PROPER_NAME_TAGS)
    return Step(Ask(asked.amended(replace(correction, spans=rest)), plan.now), {"": named[0]})


def _undoing(names: Sequence[str]) -> Segment:
    """Return an order to take the last change back, of the first of some names if there is one."""
    opening = "undo "
    spans = tuple(Span("name", name, len(opening)) for name in names[:1])
    return Segment(opening + "".join(names[:1]), "undo", spans=spans)


def denies_change(topic: Topic, segment: Segment) -> bool:
    """Return whether a segment says only that the last change is not so: "oops, not lost", "it isn't done yet"."""
    if segment.act not in _DENYING or topic.ordered is None or topic.asked != topic.ordered or not topic.written:
        return False
    tokens = tokenize(segment.text)
    words = {token.word for token in tokens}
    if any(map(lexicon.activity_type_of, words)) and words & _TURNING:
        return False  # "No, make it a meeting."
    given = {span.text.lower() for span in segment.spans if span.tag != "ref"}
    is_denied = bool(words & lexicon.NEGATIONS) or any(word.endswith("n't") for word in words)
    is_of_change = bool(given) or bool(words & (lexicon.THING_PRONOUNS | {"done"}))
    return is_denied and is_of_change and given <= {span.text.lower() for span in topic.ordered.spans} | {"done"}


def _of_earlier_change(topic: Topic, correction: Segment) -> Segment | None:
    """Return a correction with the whole name of a record that the last message changed before another one, else None.

    Example: "the Acme one was a typo: 54,000", after the amounts of two deals.
    """
    changed = list(dict.fromkeys(_CHANGED_NAME.findall(topic.written)))
    named = next((span for span in correction.spans if span.tag in ("name", "org")), None)
    words = name_words(correction)
    meant = [name for name in changed[:-1] if named and words <= {one.word for one in tokenize(name)}]
    if named is None or len(meant) != 1 or not {span.tag for span in correction.spans} & TOLD:
        return None
    return correction.with_words(named.start, named.end, meant[0])


def _snoozed(again: Segment) -> Segment:
    """Return the order that moves the reminder just put up to the time at which it is ordered anew."""
    text, when = (" ".join(one.text for one in again.spans if one.tag == tag) for tag in ("text", "when"))
    opening = "snooze the reminder about "
    spans = (Span("text", text, len(opening)), Span("when", when, len(opening) + len(text) + len(" until ")))
    return Segment(f"{opening}{text} until {when}", "close_reminder", again.probability, spans)


def _is_shift(correction: Segment) -> bool:
    return begins_as_order(correction) or any(one.word in _SHIFTED for one in tokenize(correction.text))


def _of_made(asked: Segment, correction: Segment) -> Segment:
    """Return the change of what was just created that a correction tells: "he's not from Acme, it's Globex"."""
    old = {span.text.lower(): span.tag for span in asked.spans}
    if respelt := _respelt(asked, correction):
        spans = (Span("new", respelt, len("rename it to ")),)
        return Segment(f"rename it to {respelt}", "update_record", correction.probability, spans)
    if any(span.tag == "field" for span in correction.spans):
        # "The company is Globex": a name is the value of the field.
        of_field = tuple(
            replace(one, tag="value") if one.tag in PROPER_NAME_TAGS - {"owner"} else one for one in correction.spans
        )
        return replace(correction, act="update_record", spans=of_field)
    given = [span for span in correction.spans if span.tag in PROPER_NAME_TAGS and span.text.lower() not in old]
    denied = {old[span.text.lower()] for span in correction.spans if span.text.lower() in old}
    rest = tuple(span for span in correction.spans if span.tag not in PROPER_NAME_TAGS | {"ref"})
    if not given:
        return replace(correction, act="update_record", spans=rest)
    company = "org" in denied or given[0].tag == "org"
    text = f"set the company to {given[0].text}" if company else f"rename it to {given[0].text}"
    span = Span("value" if company else "new", given[0].text, len(text) - len(given[0].text))
    spans = (*((Span("field", "company", 8),) if company else ()), span)
    changed = Segment(text, "update_record", correction.probability, spans)
    return changed.followed_by(replace(correction, spans=rest)) if rest else changed


def _respelt(asked: Segment, correction: Segment) -> str:
    """Return the name of what was made with a word as a correction spells it: "Blum, not Blom"; empty for none."""
    name = next((span.text for span in asked.spans if span.tag in ("new", "name")), "")
    own = {token.word: token.text for token in tokenize(name)}
    others = [token for token in tokenize(correction.text) if len(token.word) >= MIN_RESPELT and token.word not in own]
    for token in others:
        for word, text in own.items():
            if len(word) >= MIN_RESPELT and OSA.distance(token.word, word, score_cutoff=1) <= 1:
                return name.replace(text, token.text if text.islower() else token.text.capitalize())
    return ""


def amended_by(asked: Segment, correction: Segment) -> Segment:
    """Return an ask with the slots of a correction: of several times the one that counts, a number in the old unit."""
    if (mail := with_correction(asked, correction)) is not None:
        return mail
    asked, correction = without_kept(asked, _with_whole_phone(asked, correction))
    spans = list[Span]()
    for span in correction.spans:
        before = [one.word for one in tokenize(correction.text[: span.start]) if one.kind != "mark"][-1:]
        if span.tag == "when" and before and before[0] in _GIVEN_UP:
            continue  # "on the 20th, not the 8th"
        if span.tag in PROPER_NAME_TAGS and _is_denied(correction, span):
            asked = _without_name(asked, span.text)  # "Not the pilot, …": it is asked what is meant instead.
            continue
        last = next((one for one in reversed(spans) if one.tag == "when"), None)
        if span.tag == "when" and last is not None:
            between = {one.word for one in tokenize(correction.text[last.end : span.start]) if one.kind != "mark"}
            if between - {"at", "on"} and not between & CORRECTIONS:
                continue  # "Friday at 11, she is flying on Thursday"
        spans.append(span)
    numbers = [one.tag for one in asked.spans if _is_number(one)]
    if len(numbers) == 1:  # "Stage to proposal and 70k" - "wait, 72": the number, not the other value.
        spans = [replace(one, tag=numbers[0]) if _is_number(one) else one for one in spans]
    unit = next((unit for one in asked.spans if one.tag in NUMBER_TAGS and (unit := _UNIT.search(one.text))), None)
    if unit is not None:
        spans = [replace(one, text=f"{one.text}{unit[0]}") if _lacks_unit(one) else one for one in spans]
    return asked.amended(replace(correction, spans=tuple(spans)))


def _is_denied(correction: Segment, span: Span) -> bool:
    before = [one.word for one in tokenize(correction.text[: span.start]) if one.word not in lexicon.DETERMINERS]
    return before[-1:] == ["not"]


def _without_name(asked: Segment, name: str) -> Segment:
    """Return an ask without the names that have all words of a name."""
    words = {*name.lower().split()}
    for span in (one for one in asked.spans if one.tag in PROPER_NAME_TAGS and words <= {*one.text.lower().split()}):
        text = asked.text[: span.start] + " " * len(span.text) + asked.text[span.end :]
        asked = replace(asked, text=text, spans=tuple(one for one in asked.spans if one != span))
    return asked


def _with_whole_phone(asked: Segment, correction: Segment) -> Segment:
    """Return a correction of the end of a phone number as one of all of it: "303 555 0190" - "I mean 0199"."""
    phone = next((one.text for one in asked.spans if one.tag == "phone"), "")
    ends = [token for token in tokenize(correction.text) if token.text.isdecimal() and len(token.text) >= MIN_RESPELT]
    if not phone or len(ends) != 1 or any(one.tag == "phone" for one in correction.spans):
        return correction
    end = ends[0].text
    whole = phone[: -len(end)] + end
    return Segment(f"{correction.text} {whole}", "correct", spans=(Span("phone", whole, len(correction.text) + 1),))


def _is_number(span: Span) -> bool:
    return span.tag in NUMBER_TAGS and bool(find_amounts(span.text))


def _lacks_unit(span: Span) -> bool:
    """Return whether a slot is a number, in digits or in words, that is too small to have its unit: "97"."""
    amounts = find_amounts(span.text) if _is_number(span) else []
    is_plain = len(amounts) == 1 and not (amounts[0].currency or amounts[0].is_percent)
    return is_plain and amounts[0].value < _MIN_WITH_UNIT


def _has_time(plan: Plan, asked: Segment) -> bool:
    """Return whether an ask is about a time: "when does it close?", "what is on tomorrow?"."""
    ask = Ask(asked, plan.now)
    return bool(ask.texts("when")) or any(name.endswith(("_date", "_at")) for name in ask.fields)
