"""Judge whether the user's own words order a write: this act, on this record, with these values.

`MESSAGE_RULES` look at the whole message, then `ORDER_RULES` at each of its orders. The first rule that has something
against a call decides about it; a call that none has anything against is ordered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from aisha.application.orders import wording
from aisha.application.orders.asking.call import asks_for_call
from aisha.application.orders.case import ORDERED, CallContext, Case, Judgement, value_names
from aisha.application.orders.likelihood import (
    MIN_AGAINST_RULES,
    MarkedMessage,
    least_with_rules,
    marked_message,
    may_be_weighed,
    probability_of_order,
)
from aisha.application.orders.matching.placement import (
    flag_tokens,
    is_switched_on,
    names_given_to_fields,
    new_names_in,
    orders_another,
)
from aisha.application.orders.matching.ranking import is_ranked_first
from aisha.application.orders.matching.targets import (
    RecordMention,
    gives_answer,
    ids_in,
    is_only_one_named,
    is_referred_to,
)
from aisha.application.orders.matching.texts import has_content_word
from aisha.application.orders.matching.values import ValueCheck
from aisha.application.orders.ordering import doubt_about_order, is_act_ordered, is_field_changed, states_change
from aisha.application.orders.reading.addressing import Addressee, addressees_in
from aisha.application.orders.reading.objections.framing import frames_in
from aisha.application.orders.reading.objections.statements import TEXT_ACTS
from aisha.application.orders.reading.quotations import unquoted
from aisha.application.orders.reading.splitting import split_by_record
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import ToolCall

_MAX_ORDERS = 20
"""Orders of one message that a call is compared with: each takes up to 0.2 seconds in the longest messages."""
_PERSON_KINDS = frozenset(("lead", "contact"))
_MAX_NAME_WORDS = 4
"""Words of a name; a longer one is a text."""


def judge(call: ToolCall, utterance: Utterance, context: CallContext) -> Judgement:
    """Return the judgement whether the user ordered a call. Every finding but `ordered` makes it wait.

    The rules judge first, and the trained model weighs what they found. It can make a call wait, and let one run that
    the rules can't tell from a statement, never one whose record or values the user did not say.
    """
    judgement = judge_by_rules(call, utterance, context)
    case = Case(call, utterance, context)
    is_known = not utterance.is_foreign and not utterance.may_deny_in_other_language
    is_uncertain = judgement.is_ordered or judgement.reason in wording.UNCERTAIN
    if not is_uncertain or not is_known:
        return judgement
    marked = marked_message(call, utterance, case.records)
    is_asked_for = utterance.continues_earlier or _only_restricts(call.arguments)
    is_asked_for = is_asked_for or asks_for_call(marked, utterance.message, call, context.user)
    if not may_be_weighed(call, utterance, case.acts):
        return judgement if is_asked_for or not judgement.is_ordered else Judgement("unordered", wording.ONLY_MENTIONED)
    if not judgement.is_ordered and _is_surely_denied(utterance, marked):
        return judgement
    # The text of a note orders nothing else, however much it may look like it.
    utterance = utterance if TEXT_ACTS.intersection(case.acts) else utterance.without_content
    probability = probability_of_order(marked, utterance, case.acts, judgement.finding, judgement.reason)
    if judgement.is_ordered:
        is_likely = probability >= least_with_rules(marked, utterance, case.acts)
        return judgement if is_likely and is_asked_for else Judgement("unordered", wording.ONLY_MENTIONED)
    if probability < MIN_AGAINST_RULES or not is_asked_for:
        return judgement
    orders = _orders_of(case.with_utterance(_affirmed(utterance, marked)))
    judgements = (_first(RULES_BEYOND_DOUBT, order) or ORDERED for order in orders)
    return next((one for one in judgements if one.is_ordered), judgement)


def judge_by_rules(call: ToolCall, utterance: Utterance, context: CallContext) -> Judgement:
    """Return the judgement of the rules alone."""
    case = Case(call, utterance, context)
    return _first(MESSAGE_RULES, case) or _judge_orders(case)


def _judge_orders(case: Case) -> Judgement:
    """Return the judgement on the order of a message that speaks most for a call."""
    orders = _orders_of(
        case if TEXT_ACTS.intersection(case.acts) else case.with_utterance(case.utterance.without_content)
    )
    judgements = [_first(ORDER_RULES, _with_wanted_denial(one)) or ORDERED for one in orders[:_MAX_ORDERS]]
    judgement = next((one for one in judgements if one.is_ordered), judgements[0])
    is_cut = len(orders) > _MAX_ORDERS and not judgement.is_ordered
    return Judgement("unordered", wording.too_many(_MAX_ORDERS)) if is_cut else judgement


def _orders_of(case: Case) -> list[Case]:
    """Return the case once for each order of its message: see `split_by_record`."""
    listed = [value for value in case.call.arguments.values() if isinstance(value, list)]
    companions = frozenset(token.word for text in _texts_in(listed) for token in tokenize(text))
    return [case.with_utterance(one) for one in split_by_record(case.utterance, case.acts, companions)]


def _with_wanted_denial(case: Case) -> Case:
    """Return the case without refusals where these are what orders it: "don't call Ann again"."""
    if not _only_restricts(case.call.arguments) or not (case.utterance.asks_to_stop or _sets_flag(case)):
        return case
    segments = [
        replace(one, denial="") if one.denial == wording.REFUSED else one for one in case.utterance.current_segments
    ]
    return replace(case, utterance=case.utterance.with_segments(segments), is_denied_on_purpose=True)


def _only_restricts(arguments: Mapping[str, Any]) -> bool:
    """Return whether a call only sets flags such as do_not_email."""
    values = list(value_names(arguments))
    return bool(values) and all("not" in name.split("_") and arguments[name] is True for name in values)


def _sets_flag(case: Case) -> bool:
    """Return whether an order names each flag of the call: "We mustn't ring Ann. Put the do-not-call flag on her."."""
    orders = [one for one in case.utterance.current_segments if one.is_commanded]
    names = value_names(case.call.arguments)
    return all(any(is_switched_on(name, flag_tokens(one.ask.text)) for one in orders) for name in names)


def _is_surely_denied(utterance: Utterance, marked: MarkedMessage) -> bool:
    """Return whether a segment denies what it says for a clear reason; a question beside an order denies nothing."""
    return any(
        one.denial not in ("", *wording.UNCERTAIN)
        and (one.denial != wording.ASKED or any(token.word in marked.focus_words for token in one.ask.tokens))
        for one in utterance.current_segments
    )


def _affirmed(utterance: Utterance, marked: MarkedMessage) -> Utterance:
    """Return an utterance without the doubts about the segments that have the call's values."""
    segments = [
        replace(one, denial="") if any(token.word in marked.focus_words for token in one.ask.tokens) else one
        for one in utterance.current_segments
    ]
    return utterance.with_segments(segments)


# --- rules on a whole message


def may_be_denied_in_another_language(case: Case) -> Judgement | None:
    """Object if a word of the message denies in another language."""
    return Judgement("denied", wording.MAY_BE_DENIED) if case.utterance.may_deny_in_other_language else None


def is_in_another_language(case: Case) -> Judgement | None:
    """Object to a message in a language that the reader does not know, unless it has all values of a harmless call."""
    return _judge_unread(case, wording.UNREADABLE) if case.utterance.is_foreign else None


def takes_text_from_offer(case: Case) -> Judgement | None:
    """Object to words that only the offer of a model has that has read texts of others: they may be theirs."""
    utterance = case.utterance
    if utterance.is_offer_own or not utterance.offer_segments:
        return None
    own_words = ValueCheck(utterance.without(utterance.offer_segments), (), case.spec)
    has_foreign_text = own_words.has_foreign_text(case.call.arguments)
    reason = wording.after_reading(wording.UNSURE, case.context.untrusted_sources)
    return Judgement("unread", reason) if has_foreign_text else None


def speaks_to_somebody_else(case: Case) -> Judgement | None:
    """Object if the message speaks to a colleague: "Bob, set Jack to lost". What stands before that may order it."""
    addressee = _other_addressee(case)
    if addressee is None:
        return None
    judgement = judge_by_rules(case.call, case.utterance.up_to(addressee.start), case.context)
    return judgement if judgement.is_ordered else Judgement("unordered", wording.speaks_to(addressee.name))


def _other_addressee(case: Case) -> Addressee | None:
    """Return the first one to whom the message speaks, if it is neither the assistant nor a topic of the call.

    "Jack, mark him as lost" names the record first. Who is to own it is no topic: "Bob, set Jack to lost" gives Bob
    nothing.
    """
    addressees = list(addressees_in(unquoted(case.utterance.message), case.context.assistant_name))
    if not addressees:
        return None
    # Not of the company it belongs to: others write it.
    own_words = {word for record in case.records for word in record.words}
    values = {name: value for name, value in case.call.arguments.items() if name != "owner"}
    own_words |= {token.word for text in _texts_in(values) for token in tokenize(text)}
    return next((one for one in addressees if not one.words & own_words), None)


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts at any depth of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(item)


# --- rules on one order of a message


def is_conditional_or_taken_back(case: Case) -> Judgement | None:
    """Object if a condition stands around what the call's values are said in, or a later clause takes it back.

    Words that a text of the call has are a part of that: "note that he buys, but only if we are quick".
    """
    marked = marked_message(case.call, case.utterance, case.records)
    focus = marked.focus_starts or [token.start for token in marked.tokens]
    for frame in frames_in(case.utterance.message):
        has_values = any(frame.first <= start < frame.last for start in focus)
        first = 0 if frame.may_point and not has_values else frame.first
        is_outside = not any(frame.start <= start < frame.end for start in focus)
        if is_outside and all(first <= start < frame.last for start in focus):
            return Judgement("unordered", frame.reason)
    return None


def creates_another_kind(case: Case) -> Judgement | None:
    """Object if the call creates a contact and the message speaks of a lead, or the other way round."""
    kind, kinds = case.call.name.removeprefix("create_"), case.utterance.kinds
    is_other = kind in _PERSON_KINDS and kind not in kinds and bool(_PERSON_KINDS & kinds)
    return Judgement("unordered", wording.OTHER_ORDER) if is_other else None


def orders_no_such_act(case: Case) -> Judgement | None:
    """Object if no verb orders the act, and no new value is stated: the message denies, asks or orders another act."""
    utterance = case.utterance
    if case.is_denied_on_purpose or is_act_ordered(case) or is_field_changed(case):
        return None
    if utterance.denial:
        return Judgement("denied", utterance.denial)
    if states_change(case):
        return None
    if any(segment.is_order for segment in utterance.current_segments):
        return Judgement("unordered", wording.OTHER_ORDER)
    if utterance.is_question:
        return Judgement("unread", wording.NO_CHANGE)
    return _judge_unread(case, wording.UNSURE)


def is_put_off_or_reported(case: Case) -> Judgement | None:
    """Object if what orders the act is put off, reported, asked about or taken back by the words around it."""
    if case.is_denied_on_purpose or not (is_act_ordered(case) or is_field_changed(case)):
        return None
    doubt = doubt_about_order(case)
    return Judgement("unordered", doubt) if doubt else None


def means_another_record(case: Case) -> Judgement | None:
    """Object if the order means none or another of the records of the call."""
    utterance, context = case.utterance, case.context
    # Whom a note is about is named before its text.
    naming_utterance = utterance.without_content if utterance.without_content.names else utterance
    naming_utterance = _without_statements(naming_utterance, case.acts)
    if utterance.offer_segments and gives_answer(utterance):
        # "Done deal, do it" accepts what was offered, whatever a record is called.
        naming_utterance = naming_utterance.without(utterance.current_segments)
    record_words = frozenset(word for record in case.records for word in record.words)
    values = [text for one in utterance.segments for text in new_names_in(one, case.call.arguments, record_words)]
    values += [text for one in utterance.segments for text in names_given_to_fields(one, case.call.arguments)]
    for record in case.records:
        is_meant = (
            is_referred_to(record, naming_utterance, context.focus, values)
            or is_only_one_named(record, utterance)
            or is_ranked_first(record, utterance, context.focus, context.stored_fields_of)
        )
        if not is_meant:
            return Judgement("unordered", wording.not_meant(record.name, is_mentioned=_is_mentioned(record, utterance)))
    return None


def has_value_that_was_not_said(case: Case) -> Judgement | None:
    """Object if the user did not say a value of the call, or said it for another field or record."""
    call, utterance, records = case.call, case.utterance, case.records
    nameable = [record for record in records if len(record.words) <= _MAX_NAME_WORDS]
    name_words = {word for record in nameable for word in record.all_words - lexicon.ORDER_VERBS}
    name_stems = frozenset(token.stem for word in name_words for token in tokenize(word))
    target = call.arguments.get(f"{call.name.partition('_')[2]}_id")
    stored = case.context.stored_fields_of(target) if isinstance(target, str) else {}
    record_words = frozenset(word for record in records for word in record.all_words)
    if case.changes_field:
        # "… and invite bob@abc.example": no new address of the record.
        utterance = utterance.without([segment for segment in utterance.segments if orders_another(segment, case.acts)])
    values = ValueCheck(utterance, case.acts, case.spec, name_stems, stored, case.context.user, record_words)
    unstated = next(values.unstated(call.arguments), None)
    if unstated is None:
        return None
    name, value = unstated
    return Judgement("unordered", wording.not_found(name, is_mentioned=values.is_mentioned(value)))


type Rule = Callable[[Case], Judgement | None]
MESSAGE_RULES: Sequence[Rule] = (
    may_be_denied_in_another_language,
    is_in_another_language,
    takes_text_from_offer,
    speaks_to_somebody_else,
)
RULES_BEYOND_DOUBT: Sequence[Rule] = (
    is_conditional_or_taken_back,
    means_another_record,
    has_value_that_was_not_said,
)
"""Those that no probability outweighs."""
ORDER_RULES: Sequence[Rule] = (
    creates_another_kind,
    orders_no_such_act,
    is_put_off_or_reported,
    *RULES_BEYOND_DOUBT,
)


def _first(rules: Iterable[Rule], case: Case) -> Judgement | None:
    """Return the judgement of the first rule that has one."""
    return next((judgement for rule in rules if (judgement := rule(case)) is not None), None)


def _judge_unread(case: Case, reason: str) -> Judgement:
    """Return the judgement on a message in which the reader found no order.

    It waits if the model has seen texts by others. Otherwise a call without records runs if all its values are
    literally in the message.
    """
    call, utterance = case.call, case.utterance
    if case.context.untrusted_sources:
        return Judgement("unread", wording.after_reading(reason, case.context.untrusted_sources))
    if not call.arguments or utterance.is_question or utterance.ends_as_question:
        return Judgement("unread", reason)
    check = ValueCheck(utterance, (), case.spec, user=case.context.user)
    is_literal = has_content_word(call.arguments, utterance.stems) and not any(check.unstated(call.arguments))
    return ORDERED if is_literal and not ids_in(call.arguments) else Judgement("unread", reason)


def _without_statements(utterance: Utterance, acts: Sequence[str]) -> Utterance:
    """Return an utterance without statements on other records, where the order itself names one.

    "Make Ann inactive. Bo has left nothing, that was a rumour." orders nothing of Bo.
    """
    required_acts = frozenset(acts)
    ordering = [segment for segment in utterance.segments if segment.may_order(required_acts)]
    words = frozenset(word for segment in ordering for word in segment.ask.words)
    is_pointing = not words.isdisjoint(lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS | lexicon.PLURAL_WORDS)
    if utterance.continues_earlier or is_pointing or not any(segment.names for segment in ordering):
        return utterance
    statements = [one for one in utterance.segments if one not in ordering and one.names and not one.is_order]
    return utterance.without(statements) if statements else utterance


def _is_mentioned(record: RecordMention, utterance: Utterance) -> bool:
    """Return whether the whole name of a record stands in the message; a single word may be one of another's name."""
    name = {token.word for token in tokenize(record.name) if token.kind != "mark"}
    return len(name) > 1 and name <= {token.word for token in tokenize(utterance.message)}
