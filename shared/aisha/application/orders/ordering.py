"""Judge whether a message orders the act of a call, by a verb or by stating a new value, and now."""

from itertools import takewhile

from aisha.application.orders.case import CHANGE_OF_TIME, Case, changes_closing_alone
from aisha.application.orders.matching.values import ValueCheck
from aisha.application.orders.reading.objections.delays import delayed_by_neighbours
from aisha.application.orders.reading.objections.denials import CONFIDENT_PROBABILITY
from aisha.application.orders.reading.objections.main_clause import doubt_about, governed_reason
from aisha.application.orders.reading.objections.neighbours import neighbours, questioned_by_next, retracted_by_next
from aisha.application.orders.reading.objections.statements import NEWS_ACTS, TEXT_ACTS
from aisha.application.orders.reading.utterance_segment import MIN_ORDER_PROBABILITY, UtteranceSegment
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import FOREIGN
from aisha.domain.wording import humanise

_GUESSING_WORDS = frozenset("may might could would maybe perhaps".split())
_PRODUCT_STEMS = frozenset(
    token.stem
    for word in (*lexicon.ORDER_VERBS, *lexicon.KIND_NAMES, *lexicon.PLURALS.values(), *lexicon.INTERJECTIONS)
    for token in tokenize(word)
)
_STRICT_ACTS = FIELD_CHANGE_ACTS | {"delete"}
"""Acts that the main clause must order."""
_ACTS_CORRECTED_BY = {"change_activity": ("create_activity", "invite", "remind"), "update_record": ("create_record",)}


def is_act_ordered(case: Case) -> bool:
    """Return whether a segment orders one of the acts; without acts, whether one has the words of the tool's name.

    The values of a call show what was ordered, so that with them the act may be less sure.
    """
    if not case.acts:
        return not case.spec.ordered_by and _is_tool_ordered(case)
    utterance, has_values = case.utterance, case.has_values
    # What corrects a creation changes what was made.
    corrected = [one for act in case.acts for one in _ACTS_CORRECTED_BY.get(act, ())] if utterance.is_correction else []
    required_acts = frozenset((*case.acts, *corrected))
    # An imperative that is rather another change, or nothing that a tool does, is none of these acts.
    other_acts = (WRITES | {"impossible"}) - required_acts - FIELD_CHANGE_ACTS
    min_probability = MIN_ORDER_PROBABILITY if has_values else CONFIDENT_PROBABILITY
    return any(
        segment.orders(required_acts, min_probability)
        or (has_values and segment.is_imperative and segment.ask.act not in other_acts)
        or (has_values and bool(required_acts & segment.verb_acts))
        for segment in utterance.segments
    )


def _is_tool_ordered(case: Case) -> bool:
    """Return whether a segment has the words of a tool's name, or of an example: its values decide the rest."""
    spec, is_foreign = case.spec, case.spec.toolkit in FOREIGN
    wordings = [
        _stems(text) for text in (humanise(spec.name.rpartition("__")[2]), *(() if is_foreign else spec.examples))
    ]
    if is_foreign:
        # Another system's "update_status" is not ordered by words that all orders here have.
        wordings = [frozenset(word for word in wording if not _is_product_word(word)) for wording in wordings]
    for segment in case.utterance.segments:
        stems = {token.stem for token in segment.ask.tokens}
        if segment.denial or segment.is_question or not any(wording & stems for wording in wordings):
            continue
        if (segment.is_order and spec.properties) or any(wording and wording <= stems for wording in wordings):
            return True
    return False


def _is_product_word(stem: str) -> bool:
    """Return whether a word stands in orders of the product's own."""
    return stem in _PRODUCT_STEMS or bool(lexicon.fields_in(stem) or lexicon.values_in(stem))


def _stems(wording: str) -> frozenset[str]:
    """Return the stems of the words of a wording that have more than two letters, without its placeholders."""
    plain = " ".join(word for word in wording.split() if not word.startswith("{"))
    return frozenset(token.stem for token in tokenize(plain) if token.kind == "word" and len(token.word) > 2)


def is_field_changed(case: Case) -> bool:
    """Return whether a field is named whose value is to be kept or changed: "his mail is now j@x.example, save it"."""
    if "update_record" not in case.acts or case.utterance.denial:
        return False
    is_change = any(segment.saves_antecedent for segment in case.utterance.current_segments)
    return is_change and ValueCheck(case.utterance, case.acts, case.spec).are_fields_named(case.call.arguments)


def states_change(case: Case) -> bool:
    """Return whether a message orders a change by stating a field with its value: "her phone is now 555 0123"."""
    utterance, segments = case.utterance, case.utterance.current_segments
    if utterance.ends_as_question or utterance.is_question or "update_record" not in case.acts:
        return False
    other_acts = WRITES.difference(case.acts, NEWS_ACTS)
    if any(segment.orders(other_acts) or _is_uncertain(segment) for segment in segments):
        return False
    return ValueCheck(utterance, case.acts, case.spec).are_fields_named(case.call.arguments)


def _is_uncertain(segment: UtteranceSegment) -> bool:
    """Return whether a segment states no fact: it refuses something, tells what somebody says, or what may be."""
    words = {token.word for token in segment.ask.tokens}
    if segment.ask.act in NEWS_ACTS and words & lexicon.REPORTING_VERBS:
        return True
    is_refusal = segment.ask.act in ("no", "negated", "wait", "hypothetical") and bool(segment.spans)
    return is_refusal or (segment.ask.act in TEXT_ACTS and bool(words & _GUESSING_WORDS))


def doubt_about_order(case: Case) -> str:
    """Return why no segment that orders the act orders it now, in words for the user; empty if one does.

    Of acts that neither change a field nor delete only a condition or a question beside the order counts.
    """
    required_acts = _STRICT_ACTS.intersection(case.acts)
    is_strict = bool(required_acts)
    required_acts = frozenset(required_acts or case.acts)
    if is_strict and changes_closing_alone(case.call.arguments):
        required_acts |= {CHANGE_OF_TIME}
    ordering = [segment for segment in case.utterance.segments if segment.may_order(required_acts)]
    if is_strict and not ordering:
        # An order that only its verb begins: "Today I want …".
        current = case.utterance.current_segments
        ordering = [segment for segment in current if segment.is_order and segment.ask.texts("value")]
    doubts = [_doubt_about_segment(segment, case, required_acts, is_strict=is_strict) for segment in ordering]
    return doubts[0] if doubts and all(doubts) else ""


def _doubt_about_segment(
    segment: UtteranceSegment, case: Case, required_acts: frozenset[str], *, is_strict: bool
) -> str:
    """Return why a segment, with those beside it in its message, orders nothing now; empty if it does."""
    segments = case.utterance.message_segments
    previous, following = neighbours(segment, segments)
    doubt = delayed_by_neighbours(segment, previous, following)
    if not is_strict:
        return doubt or questioned_by_next(segment, following) or governed_reason(segment, required_acts)
    return (
        doubt
        or retracted_by_next(takewhile(lambda one: one is not following, segments), following)
        or questioned_by_next(segment, following)
        or doubt_about(segment, following, case.call.arguments, case.utterance.now)
    )
