"""Read a segment of a message as what it says of the order or the question before it: a correction, a detail."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.asks import is_contact
from aisha.adapters.llm.planner.acts.writing.pairing import keeps_record
from aisha.adapters.llm.planner.dialogue.corrections import amended_by
from aisha.adapters.llm.planner.dialogue.repeating import repeated_ask
from aisha.adapters.llm.planner.dialogue.segments.details import with_details
from aisha.adapters.llm.planner.dialogue.segments.joining import ends_sentence
from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order, name_words, names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.dialogue.words import (
    LISTS,
    MIN_BACKGROUND,
    ORDERS,
    SURE_ANSWER,
    SURE_ORDER,
    TOLD,
    WITHDRAWING,
)
from aisha.adapters.llm.planner.plan import Plan
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, PROPER_NAME_TAGS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_AROUND_KINDS = lexicon.DETERMINERS | lexicon.INTERJECTIONS | {"only", "just", "show"}
_NOBODY = frozenset("nobody anybody anyone noone".split())
# First words of what comes after an order that make it doubtful: "cancel it … or, when is it again?".
_HESITATING = lexicon.JOKING | frozenset("or hmm hm wait hold hang unless no nah nope actually".split())


def place_of_order(steps: Sequence[Step], segment: Segment) -> int | None:
    """Return the place of the order that a later segment may change: the last of those whom it names, or the last."""
    orders = [place for place, step in enumerate(steps) if step.denied is not None or step.ask.act in WRITES]
    said = name_words(segment)
    names = {place: name_words(steps[place].denied or steps[place].ask.segment) for place in orders}
    # "Helios renewal: leave" is not about the order for "helios field service".
    named = [place for place in orders if said & names[place] and (said <= names[place] or names[place] <= said)]
    if named or segment.act != "negated" or not said:
        return max(named or orders, default=None)
    return None


def changed_order(plan: Plan, step: Step, segment: Segment) -> Step | None:
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
        amended, source = amended_by(ask.segment, segment), text_between(plan.scene.user_text, step.text, segment.text)
        # "Set it to 90k, oh no, what did they say again": nothing tells what it shall be instead.
        doubt = step.doubt or (policy.UNSURE if amended == ask.segment else "")
        return replace(step, ask=Ask(amended, plan.now), said=source, doubt=doubt)
    if ask.act in FIELD_CHANGE_ACTS and _is_made_of(ask.segment, segment):
        return replace(step, ask=Ask(segment.followed_by(ask.segment), plan.now))
    if segment.act == ask.act == "create_record" and names_in(ask.segment) and not names_in(segment):
        return replace(step, ask=Ask(ask.segment.followed_by(segment), plan.now))  # "…, so create the lead, warm."
    if ask.act == "create_note" and ":" in ask.text and not ends_sentence(ask.segment) and _goes_on(segment):
        return replace(step, ask=Ask(_with_longer_text(plan, ask.segment, segment), plan.now))
    contacts = [one for one in segment.spans if is_contact(segment.text, one)]
    is_new = any(one.word in ("a", "new") and two.word == "contact" for one, two in pairwise(tokenize(segment.text)))
    if segment.act == ask.act == "create_record" and "opportunity" in ask.kinds and contacts and not is_new:
        return replace(step, ask=Ask(ask.segment.followed_by(segment), plan.now))  # "…, and add Ann as the contact"
    is_change = {segment.act, ask.act} <= FIELD_CHANGE_ACTS
    is_rest = _lacks_value(ask) and names_in(segment)  # "give Ann and Bo to Carl"
    if is_change and (is_rest or _completes_change(ask, Ask(segment, plan.now))):
        return replace(step, ask=Ask(ask.segment.followed_by(segment), plan.now))
    if is_change and _changes_same(ask, Ask(segment, plan.now)):
        return replace(step, ask=Ask(ask.segment.followed_by(segment), plan.now))
    if (completed := with_details(plan, ask, segment)) is not None:
        is_whole = completed.text.endswith(segment.text)
        words = () if is_whole else policy.unexplained(Ask(replace(segment, act=ask.act), plan.now))
        return replace(step, ask=Ask(completed, plan.now), doubt=step.doubt or (policy.unclear(words) if words else ""))
    # "No wait, scratch that, they haven't seen it yet."; "actually wait, don't."
    is_likely_denial = dict(segment.others).get("negated", 0.0) >= MIN_BACKGROUND
    is_scratched = segment.act == "wait" and (
        is_likely_denial or lexicon.is_denying(one.word for one in tokenize(segment.text))
    )
    is_denied = segment.act == "negated" or (segment.act == "no" and segment.probability >= SURE_ANSWER)
    if is_denied or is_scratched:
        # "Draft an email to Ann. Don't send it yet." says nothing about the draft.
        if _denies_sending(plan, ask, segment):
            return step
        # "Move the demo to Friday and inform nobody" says only what not to do beside it.
        denied_words = {one.word for one in tokenize(segment.text)}
        if denied_words & _NOBODY and not denied_words & lexicon.THING_PRONOUNS:
            return step
        # "Set Ann's score to 80 and do not email her" takes nothing back.
        is_of_activity = any(lexicon.activity_type_of(one.word) for one in tokenize(segment.text))
        if ask.act in FIELD_CHANGE_ACTS and is_of_activity:
            return None
        return Step(Ask(replace(segment, act="negated"), plan.now), denied=ask.segment)
    return None


def _goes_on(segment: Segment) -> bool:
    """Return whether a segment after a note in its sentence is a part of it: "note: invoice is open, amount 8,400"."""
    is_plan = segment.act == "create_activity" and any(span.tag == "when" for span in segment.spans)
    is_own = segment.act in READS or is_plan  # "…, and what's her number", "…, follow-up call Monday at 9"
    return not (is_own or begins_as_order(segment) or names_in(segment) or segment.text.rstrip().endswith("?"))


def _with_longer_text(plan: Plan, note: Segment, rest: Segment) -> Segment:
    """Return a note whose text has the segment after it, too."""
    whole = text_between(plan.scene.user_text, note.text, rest.text) or f"{note.text} {rest.text}"
    texts = [span for span in note.spans if span.tag in ("text", "topic")]
    start = texts[0].start if texts else note.text.index(":") + 1
    text = Span("text", whole[start:].strip(), start + len(whole[start:]) - len(whole[start:].lstrip()))
    return replace(note, text=whole, spans=(*(span for span in note.spans if span.end <= start), text))


def _is_made_of(told: Segment, segment: Segment) -> bool:
    """Return whether a segment creates the person whom the one before tells of: "Ann has joined Acme. Add her"."""
    is_person = any(one.word in lexicon.PERSON_PRONOUNS for one in tokenize(segment.text))
    is_unnamed = segment.act == "create_record" and is_person and not names_in(segment)
    return is_unnamed and bool(names_in(told)) and not begins_as_order(told)


def text_between(message: str, first: str, last: str) -> str:
    """Return the part of a message from one text to another; empty if it has not both."""
    start = message.find(first.strip())
    end = message.find(last.strip(), start)
    return message[start : end + len(last.strip())] if 0 <= start <= end else ""


def corrects(step: Step, segment: Segment) -> bool:
    """Return whether a segment only gives another value to the order before it: "scratch that, 85"."""
    tags, first = {span.tag for span in segment.spans} - {"ref"}, tokenize(segment.text)[0].word
    is_same = segment.act in FIELD_CHANGE_ACTS | {step.ask.act}
    if first == "correction" and is_same and step.denied is None:
        return bool(tags & TOLD)  # "Correction, digits transposed: 35,000."
    return first in lexicon.CORRECTING_WORDS and is_same and step.denied is None and bool(tags) and not tags - TOLD


def casts_doubt(segment: Segment) -> bool:
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


def names_only_instead(segment: Segment) -> bool:
    """Return whether a segment only names another record for what was ordered: "take Bo instead"."""
    is_instead = "instead" in {token.word for token in tokenize(segment.text)}
    return (
        is_instead
        and segment.act in WRITES
        and bool(names_in(segment))
        and not {span.tag for span in segment.spans} & (TOLD | {"value"})
    )


def _lacks_value(ask: Ask) -> bool:
    """Return whether an order names only whom it is about."""
    return {span.tag for span in ask.segment.spans} <= {"name", "org", "new"} and not ask.values


def _completes_change(ask: Ask, said: Ask) -> bool:
    """Return whether an order only names the field, or the record, of what was told: "she's buyer now, change that"."""
    tags, values = {span.tag for span in said.segment.spans}, [one for one in ask.segment.spans if one.tag in TOLD]
    is_bare = tags <= {"ref", "field"} and not said.values
    is_told = bool(values) and not any(map(lexicon.values_in, ask.texts("value")))
    is_of_other = bool(ask.texts("field")) and not {*said.fields} <= {*ask.fields}
    return is_bare and is_told and not is_of_other


def _changes_same(ask: Ask, other: Ask) -> bool:
    """Return whether a change is one more of the same record: "move her deal to won and set the amount to 9k"."""
    is_named = bool(names_in(other.segment)) or other.is_plural or bool(other.texts("owner"))
    is_of_person = bool(other.words & lexicon.PERSON_PRONOUNS)
    is_same = {*other.kinds} <= {*ask.kinds} and (not is_of_person or bool(ask.words & lexicon.PERSON_PRONOUNS))
    has_values = all(bool({span.tag for span in one.segment.spans} & TOLD or one.values) for one in (ask, other))
    return has_values and is_same and not is_named and begins_as_order(other.segment)


def _denies_sending(plan: Plan, ask: Ask, segment: Segment) -> bool:
    """Return whether what is denied is that a draft is sent."""
    if ask.act != "draft_email":
        return False
    tokens = tokenize(segment.text)
    denied = max((place for place, token in enumerate(tokens) if token.word in policy.DENIALS), default=-1)
    clause = segment.text[tokens[denied + 1].start :] if denied + 1 < len(tokens) else segment.text
    is_sending = "send" in {token.word for token in tokens[denied + 1 : denied + 2]}
    return is_sending or plan.read(clause).segments[0].act in ("send_email", "take_up")


def of_other_kind(plan: Plan, asked: Segment | None, correction: Segment) -> Segment | None:
    """Return the list or the number asked for, of the kind of records that a correction names: "no wait, contacts"."""
    tokens = [one for one in tokenize(correction.text) if one.kind != "mark"]
    others = [one for one in tokens if not lexicon.kind_named(one)]
    # "Contacts only", "only the contacts please"
    is_only_kind = any(one.word == "only" for one in others) and all(one.word in _AROUND_KINDS for one in others)
    is_correction = correction.act in ("correct", "no") or is_only_kind
    if asked is None or asked.act not in LISTS or not is_correction or correction.spans:
        return None
    nouns = [one for one in tokens if lexicon.kind_named(one)]
    if not nouns or lexicon.kind_named(nouns[-1]) in Ask(asked, plan.now).kinds:
        return None
    if not Ask(asked, plan.now).kinds:
        return asked.followed_by(replace(correction, act=asked.act))  # "Who is in Austin? Contacts only."
    return repeated_ask(plan, asked, Segment(correction.text[nouns[-1].start :], "again"))


def read_anew(ask: Ask, correction: Segment) -> Segment | None:
    """Return a question about whom or what the same message names instead: "who's at Acme, no wait, at Globex?"."""
    fields = [span for span in correction.spans if span.tag == "field"]
    if ask.act == "ask_field" and fields and {span.tag for span in correction.spans} <= {"field", "ref"}:
        # "Ann's phone, no wait, her email": with the words of the field, which say which of two is meant.
        return ask.segment.amended(replace(correction, spans=tuple(fields)))
    asked = [span for span in ask.segment.spans if span.tag in PROPER_NAME_TAGS | TOLD]
    tags = PROPER_NAME_TAGS if any(span.tag in PROPER_NAME_TAGS for span in asked) else {span.tag for span in asked}
    meant = [span for span in correction.spans if span.tag in tags]
    if ask.act not in READS or not (meant and asked):
        return None
    tag = next(span.tag for span in reversed(asked) if span.tag == meant[-1].tag or span.tag in PROPER_NAME_TAGS)
    named = replace(meant[-1], tag=tag)
    return ask.segment.amended(replace(correction, spans=(named,)))
