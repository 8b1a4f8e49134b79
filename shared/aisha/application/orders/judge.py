"""Judge whether the user's own words order a write: this act, on this record, with these values."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.orders.likelihood import (
    MIN_AGAINST_RULES,
    UNCERTAIN_REASONS,
    MarkedMessage,
    least_with_rules,
    marked_message,
    may_be_weighed,
    probability_of_order,
)
from aisha.application.orders.matching.placement import names_given_to_fields, orders_another
from aisha.application.orders.matching.targets import Focus, RecordMention, ids_in, is_referred_to
from aisha.application.orders.matching.texts import has_content_word
from aisha.application.orders.matching.values import ValueCheck
from aisha.application.orders.reading.addressing import Addressee, addressees_in
from aisha.application.orders.reading.delays import delayed_by_neighbours
from aisha.application.orders.reading.denials import CONFIDENT_PROBABILITY, REFUSED
from aisha.application.orders.reading.main_clause import (
    continues_previous,
    doubt_about,
    neighbours,
    questioned_by_next,
    retracted_by_next,
)
from aisha.application.orders.reading.quotations import unquoted
from aisha.application.orders.reading.statements import NEWS_ACTS, NO_CHANGE, ONLY_MENTIONED, TEXT_ACTS, UNSURE
from aisha.application.orders.reading.utterance import Utterance, split_by_record
from aisha.application.orders.reading.utterance_segment import MIN_ORDER_PROBABILITY, UtteranceSegment
from aisha.domain.ids import ENTRY_KINDS
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.tokens import tokenize
from aisha.domain.tools import FOREIGN, ToolCall, ToolSpec
from aisha.domain.wording import humanise

Finding = Literal["ordered", "denied", "unordered", "unread"]
_MAX_ORDERS = 20
"""Orders of one message that a call is compared with: each takes up to 0.2 seconds in the longest messages."""
_NEW_VALUE_WORDS = frozenset("new now becomes".split())
_GUESSING_WORDS = frozenset("may might could would maybe perhaps".split())
_PRODUCT_STEMS = frozenset(
    token.stem
    for word in (*lexicon.ORDER_VERBS, *lexicon.KIND_NAMES, *lexicon.PLURALS.values(), *lexicon.INTERJECTIONS)
    for token in tokenize(word)
)
_STRICT_ACTS = FIELD_CHANGE_ACTS | {"delete"}
"""Acts that the main clause must order."""
_GENERIC_CHANGE_ACTS = frozenset(("update_record", "advance_stage", "change_activity"))
"""Acts between which a verb alone decides nothing: "move him to the sales department"."""
_ACTS_CORRECTED_BY = {"change_activity": ("create_activity", "invite", "remind"), "update_record": ("create_record",)}
_CHANGE_OF_TIME = "change_activity"
_PERSON_KINDS = frozenset(("lead", "contact"))
_MAX_NAME_WORDS = 4
"""Words of a name; a longer one is a text."""
_UNCHECKED_KINDS = frozenset(kind for kind in ENTRY_KINDS if kind in ("receipt",))


class Judgement(Struct, frozen=True):
    """The judgement on one call: `reason` says, in words for the user, why the call waits.

    It is empty for a call that is `ordered`. `denied` means that the user said not to, `unordered` that they ordered
    something else, and `unread` that the message was not understood or that no order was found in it.
    """

    finding: Finding
    reason: str = ""

    @property
    def is_ordered(self) -> bool:
        """True if the call runs without a question."""
        return self.finding == "ordered"


class CallContext(Struct, frozen=True):
    """The facts about a call's records, beside the user's words.

    `focus` has the records that words without a name may refer to. `mention_of` returns the words by which a user may
    name a record, `stored_fields_of` its fields as they are now, both by its id. `user` is the caller's id.
    `untrusted_sources` names, for the user, the kinds of texts by others that the model has seen in this conversation.
    `assistant_name` is what the user calls the assistant.
    """

    focus: Focus
    mention_of: Callable[[str], RecordMention]
    stored_fields_of: Callable[[str], Mapping[str, Any]]
    user: str = ""
    untrusted_sources: Sequence[str] = ()
    assistant_name: str = ""


ORDERED = Judgement("ordered")


def judge(call: ToolCall, utterance: Utterance, context: CallContext) -> Judgement:
    """Return the judgement whether the user ordered a call. Every finding but `ordered` makes it wait.

    The rules judge first, and the trained model weighs what they found. It can make a call wait, and let one run that
    the rules can't tell from a statement, never one whose record or values the user did not say.
    """
    judgement = judge_by_rules(call, utterance, context)
    assert call.spec is not None  # noqa: S101 - a call without a spec can't run
    acts = acts_of(call.spec, call.arguments)
    is_known = not utterance.is_foreign and not utterance.may_deny_in_other_language
    may_change = judgement.is_ordered or (
        judgement.reason in UNCERTAIN_REASONS
        and all(one.denial in ("", *UNCERTAIN_REASONS) for one in utterance.current_segments)
    )
    if not may_change or not is_known or not may_be_weighed(call, utterance, acts):
        return judgement
    marked = marked_message(call, utterance, records_of(call, context))
    # The text of a note orders nothing else, however much it may look like it.
    utterance = utterance if TEXT_ACTS.intersection(acts) else utterance.without_content
    probability = probability_of_order(marked, utterance, acts, judgement.finding, judgement.reason)
    if judgement.is_ordered:
        least = least_with_rules(marked, utterance, acts)
        return judgement if probability >= least else Judgement("unordered", ONLY_MENTIONED)
    if probability < MIN_AGAINST_RULES:
        return judgement
    affirmed = _affirmed(utterance, marked)
    judgements = [_judge_target_and_values(call, order, context, acts) for order in split_by_record(affirmed, acts)]
    return next((one for one in judgements if one.is_ordered), judgement)


def _affirmed(utterance: Utterance, marked: MarkedMessage) -> Utterance:
    """Return an utterance without the doubts about the segments that have the call's values."""
    segments = [
        replace(one, denial="") if any(token.word in marked.focus_words for token in one.ask.tokens) else one
        for one in utterance.current_segments
    ]
    return utterance.with_segments(segments)


def judge_by_rules(call: ToolCall, utterance: Utterance, context: CallContext) -> Judgement:
    """Return the judgement of the rules alone."""
    spec = call.spec
    assert spec is not None  # noqa: S101 - a call without a spec can't run
    if utterance.may_deny_in_other_language:
        return Judgement("denied", "you may have said not to")
    if utterance.is_foreign:
        return _judge_unread(call, utterance, context, "I could not read your message as an order")
    if (addressee := _other_addressee(call, utterance, context)) is not None:
        # "Set Ann to lost. Bob, call her, please": what stands before it is said to the assistant.
        judgement = judge_by_rules(call, utterance.up_to(addressee.start), context)
        return judgement if judgement.is_ordered else Judgement("unordered", f"you asked {addressee.name} for it")
    acts = acts_of(spec, call.arguments)
    whole_utterance = utterance
    if not TEXT_ACTS.intersection(acts):
        utterance = utterance.without_content
    orders = split_by_record(utterance, acts)
    judgements = [_judge_order(call, order, context, acts) for order in orders[:_MAX_ORDERS]]
    judgement = next((one for one in judgements if one.is_ordered), judgements[0])
    if len(orders) > _MAX_ORDERS and not judgement.is_ordered:
        return Judgement("unordered", f"your message has more than the {_MAX_ORDERS} orders that I compare it with")
    is_final = judgement.is_ordered or utterance is whole_utterance
    if is_final or spec.ordered_by or spec.toolkit in FOREIGN:
        return judgement
    # The text of an order in a tool's own words is its value: "create a goal: close 10 deals".
    has_order_verb = _is_act_ordered(spec, acts, utterance, is_grounded=any(_value_names(call.arguments)))
    return _judge_target_and_values(call, whole_utterance, context, acts) if has_order_verb else judgement


def _other_addressee(call: ToolCall, utterance: Utterance, context: CallContext) -> Addressee | None:
    """Return the first one to whom the message speaks, if it is neither the assistant nor a topic of the call.

    "Jack, mark him as lost" names the record first. Who is to own it is no topic: "Bob, set Jack to lost" gives Bob
    nothing.
    """
    addressees = list(addressees_in(unquoted(utterance.message), context.assistant_name))
    if not addressees:
        return None
    own_words = {word for record in records_of(call, context) for word in record.all_words}
    values = {name: value for name, value in call.arguments.items() if name != "owner"}
    own_words |= {token.word for text in _texts_in(values) for token in tokenize(text)}
    return next((one for one in addressees if not one.words & own_words), None)


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts at any depth of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(item)


def _judge_order(call: ToolCall, utterance: Utterance, context: CallContext, acts: Sequence[str]) -> Judgement:
    """Return the judgement whether one order of a message, without those of other records, orders a call."""
    spec = call.spec
    assert spec is not None  # noqa: S101 - see judge
    if _only_restricts(call.arguments) and utterance.asks_to_stop:
        # "Don't call Ann again": the refusal names her.
        segments = [replace(one, denial="") if one.denial == REFUSED else one for one in utterance.current_segments]
        utterance = utterance.with_segments(segments)
        return _judge_target_and_values(call, utterance, context, acts)
    kind = call.name.removeprefix("create_")
    if kind in _PERSON_KINDS and kind not in utterance.kinds and _PERSON_KINDS & utterance.kinds:
        return Judgement("unordered", "you asked for something else")
    is_grounded = any(_value_names(call.arguments))
    is_act_ordered = _is_act_ordered(spec, acts, utterance, is_grounded=is_grounded)
    if not is_act_ordered and not _is_field_changed(call, utterance, acts):
        return _judge_without_order(call, utterance, context, acts)
    if doubt := _doubt_about_segments(call, utterance, acts):
        return Judgement("unordered", doubt)
    return _judge_target_and_values(call, utterance, context, acts)


def _judge_without_order(call: ToolCall, utterance: Utterance, context: CallContext, acts: Sequence[str]) -> Judgement:
    """Return the judgement on a message without a verb that orders the call: it may still state a field's value."""
    if utterance.denial:
        return Judgement("denied", utterance.denial)
    if _states_change(call, utterance, acts):
        return _judge_target_and_values(call, utterance, context, acts)
    if any(segment.is_order for segment in utterance.current_segments):
        return Judgement("unordered", "you asked for something else")
    if utterance.is_question:
        return Judgement("unread", NO_CHANGE)
    return _judge_unread(call, utterance, context, UNSURE)


def _states_change(call: ToolCall, utterance: Utterance, acts: Sequence[str]) -> bool:
    """Return whether a message orders a change by stating a field with its value: "her phone is now 555 0123"."""
    segments = utterance.current_segments
    is_asked = utterance.is_question and not any(map(_states_new_value, segments))
    if utterance.ends_as_question or is_asked or "update_record" not in acts:
        return False
    other_acts = WRITES.difference(acts, NEWS_ACTS)
    if any(segment.orders(other_acts) or _is_uncertain(segment) for segment in segments):
        return False
    return _is_value_stated(call, utterance, acts)


def _states_new_value(segment: UtteranceSegment) -> bool:
    """Return whether a segment tells a new value, whatever it was read as: "the new score for Ann is 64"."""
    words = [token.word for token in segment.ask.tokens if token.word not in lexicon.INTERJECTIONS]
    is_asked = not words or words[0] in lexicon.QUESTION_STARTS
    is_valued = any(span.tag in ("value", "phone", "email", "amount", "owner") for span in segment.spans)
    return is_valued and not is_asked and bool(_NEW_VALUE_WORDS.intersection(words))


def _is_uncertain(segment: UtteranceSegment) -> bool:
    """Return whether a segment states no fact: it refuses something, tells what somebody says, or what may be."""
    words = {token.word for token in segment.ask.tokens}
    if segment.ask.act in NEWS_ACTS and words & lexicon.REPORTING_VERBS:
        return True
    is_refusal = segment.ask.act in ("no", "negated", "wait", "hypothetical") and bool(segment.spans)
    return is_refusal or (segment.ask.act in TEXT_ACTS and bool(words & _GUESSING_WORDS))


def _doubt_about_segments(call: ToolCall, utterance: Utterance, acts: Sequence[str]) -> str:
    """Return why none of the segments that order a change or a deletion orders it now; empty if one does.

    Of other acts only a condition before the order counts.
    """
    required_acts = _STRICT_ACTS.intersection(acts)
    if not required_acts:
        return _doubt_about_condition(utterance, acts)
    if _changes_closing_alone(call.arguments):
        required_acts |= {_CHANGE_OF_TIME}
    ordering = [segment for segment in utterance.segments if segment.may_order(required_acts)]
    if not ordering:
        # An order that only its verb begins: "Today I want …".
        ordering = [
            segment for segment in utterance.current_segments if segment.is_order and segment.ask.texts("value")
        ]
    doubts = [_doubt_about_segment(segment, utterance, call.arguments) for segment in ordering]
    return doubts[0] if doubts and all(doubts) else ""


def _doubt_about_condition(utterance: Utterance, acts: Sequence[str]) -> str:
    """Return the condition or question beside every segment that orders one of the acts: "if he calls, note …"."""
    ordering = [segment for segment in utterance.segments if segment.may_order(frozenset(acts))]
    doubts = []
    for segment in ordering:
        previous, following = neighbours(segment, utterance.message_segments)
        doubts.append(delayed_by_neighbours(segment, previous, following) or questioned_by_next(segment, following))
    return doubts[0] if doubts and all(doubts) else ""


def _doubt_about_segment(segment: UtteranceSegment, utterance: Utterance, arguments: Mapping[str, Any]) -> str:
    """Return why a segment, with those beside it in its message, orders no change now; empty if it does."""
    previous, following = neighbours(segment, utterance.message_segments)
    return (
        delayed_by_neighbours(segment, previous, following)
        or retracted_by_next(takewhile(lambda one: one is not following, utterance.message_segments), following)
        or questioned_by_next(segment, following)
        or (ONLY_MENTIONED if continues_previous(segment, previous) else "")
        or doubt_about(segment, following, arguments, utterance.now)
    )


def _is_field_changed(call: ToolCall, utterance: Utterance, acts: Sequence[str]) -> bool:
    """Return whether a field is named whose value is to be kept or changed: "his mail is now j@x.example, save it"."""
    assert call.spec is not None  # noqa: S101 - see judge
    if "update_record" not in acts or utterance.denial:
        return False
    is_change = any(
        segment.saves_antecedent or (_is_generic_change(segment) and not segment.denial)
        for segment in utterance.current_segments
    )
    return is_change and ValueCheck(utterance, acts, call.spec).are_fields_named(call.arguments)


def _is_generic_change(segment: UtteranceSegment) -> bool:
    """Return whether a verb of changes begins a clause, and no activity is what it may change."""
    return bool(_GENERIC_CHANGE_ACTS & segment.verb_acts) and not segment.ask.activity_types


def _is_value_stated(call: ToolCall, utterance: Utterance, acts: Sequence[str]) -> bool:
    """Return whether each value is an address, or has its field's name beside it: "phone is 555 0123"."""
    assert call.spec is not None  # noqa: S101 - see judge
    if ValueCheck(utterance, acts, call.spec).are_fields_named(call.arguments):
        return True
    # An address needs no name of a field, but what orders something else states none: "call him on 555 0123".
    statements = utterance.without([segment for segment in utterance.current_segments if segment.is_order])
    return ValueCheck(statements, acts, call.spec).are_addresses_stated(call.arguments)


def acts_of(spec: ToolSpec, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the acts that order a call: those of its tool, and those of its action or status."""
    action = arguments.get("action") or arguments.get("status")
    # An entry is "act", or "action:act" for calls with this action or status.
    entries = [entry.partition(":") for entry in spec.ordered_by]
    acts = tuple(act if colon else prefix for prefix, colon, act in entries if not colon or prefix == action)
    # A deal is put off in the words of an activity: "postpone it to Friday".
    return (*acts, _CHANGE_OF_TIME) if _changes_closing_alone(arguments) and _CHANGE_OF_TIME not in acts else acts


def _changes_closing_alone(arguments: Mapping[str, Any]) -> bool:
    """Return whether a call only changes the day on which a deal closes."""
    return list(_value_names(arguments)) == ["close_date"]


def _is_act_ordered(spec: ToolSpec, acts: Sequence[str], utterance: Utterance, *, is_grounded: bool) -> bool:
    """Return whether a segment orders one of the acts; without acts, whether one has the words of the tool's name.

    `is_grounded` is True for a call with values: these show what was ordered, so that the act may be less sure.
    """
    if acts:
        min_probability = MIN_ORDER_PROBABILITY if is_grounded else CONFIDENT_PROBABILITY
        if utterance.is_correction:
            # What corrects a creation changes what was made.
            acts = [*acts, *(one for act in acts for one in _ACTS_CORRECTED_BY.get(act, ()))]
        required_acts = frozenset(acts)
        # An imperative that is rather another change, or nothing that a tool does, is none of these acts.
        other_acts = (WRITES | {"impossible"}) - required_acts - FIELD_CHANGE_ACTS
        has_order_verb = any(
            (segment.is_imperative and segment.ask.act not in other_acts) or required_acts & segment.verb_acts
            for segment in utterance.segments
        )
        return bool(utterance.segments_ordering(acts, min_probability)) or (is_grounded and has_order_verb)
    if spec.ordered_by:
        return False
    # A tool that names no acts is ordered in words of its own name, or of an example: its values decide the rest.
    name = humanise(spec.name.rpartition("__")[2])
    wordings = [_stems(wording) for wording in (name, *(() if spec.toolkit in FOREIGN else spec.examples))]
    if spec.toolkit in FOREIGN:
        # Another system's "update_status" is not ordered by words that all orders here have.
        wordings = [frozenset(word for word in wording if not _is_product_word(word)) for wording in wordings]
    for segment in utterance.segments:
        stems = {token.stem for token in segment.ask.tokens}
        if segment.denial or segment.is_question or not any(wording & stems for wording in wordings):
            continue
        if (segment.is_order and spec.properties) or any(wording and wording <= stems for wording in wordings):
            return True
    return False


def _is_product_word(stem: str) -> bool:
    """Return whether a word stands in orders of the product's own."""
    return stem in _PRODUCT_STEMS or bool(lexicon.fields_in(stem) or lexicon.values_in(stem))


def _only_restricts(arguments: Mapping[str, Any]) -> bool:
    """Return whether a call only sets flags such as do_not_email: "no more emails to her" orders it by a denial."""
    values = list(_value_names(arguments))
    return bool(values) and all("not" in name.split("_") and arguments[name] is True for name in values)


def _value_names(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the arguments that are no record, action or kind."""
    for name in arguments:
        if name not in ("entity_type", "action") and not name.endswith("_id"):
            yield name


def _stems(wording: str) -> frozenset[str]:
    """Return the stems of the words of a wording that have more than two letters, without its placeholders."""
    plain = " ".join(word for word in wording.split() if not word.startswith("{"))
    return frozenset(token.stem for token in tokenize(plain) if token.kind == "word" and len(token.word) > 2)


def _judge_target_and_values(
    call: ToolCall, utterance: Utterance, context: CallContext, acts: Sequence[str]
) -> Judgement:
    """Return the judgement on a call whose act is ordered: each of its records and values must be the user's."""
    assert call.spec is not None  # noqa: S101 - see judge
    records = records_of(call, context)
    # Whom a note is about is named before its text.
    naming_utterance = utterance.without_content if utterance.without_content.names else utterance
    naming_utterance = _without_statements(naming_utterance, acts)
    named_values = [text for one in utterance.segments for text in names_given_to_fields(one, call.arguments)]
    for record in records:
        if not is_referred_to(record, naming_utterance, context.focus, named_values):
            return Judgement("unordered", _reason_not_mentioned(record, utterance))
    nameable = [record for record in records if len(record.words) <= _MAX_NAME_WORDS]
    name_words = {word for record in nameable for word in record.all_words - lexicon.ORDER_VERBS}
    name_stems = frozenset(token.stem for word in name_words for token in tokenize(word))
    target_argument = f"{call.name.partition('_')[2]}_id"
    target = call.arguments.get(target_argument)
    stored = context.stored_fields_of(target) if isinstance(target, str) else {}
    record_words = frozenset(word for record in records for word in record.all_words)
    if FIELD_CHANGE_ACTS.intersection(acts):
        # "… and invite bob@abc.example": no new address of the record.
        utterance = utterance.without([segment for segment in utterance.segments if orders_another(segment, acts)])
    values = ValueCheck(utterance, acts, call.spec, name_stems, stored, context.user, record_words)
    for name, _ in values.unstated(call.arguments):
        # Without the value: it may be secret, and the question shows it.
        return Judgement("unordered", f"you did not say the {humanise(name)}")
    return ORDERED


def records_of(call: ToolCall, context: CallContext) -> list[RecordMention]:
    """Return the records that a call is about."""
    ids = [one for one in ids_in(call.arguments) if one.partition("_")[0].lower() not in _UNCHECKED_KINDS]
    return [context.mention_of(record_id) for record_id in ids]


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


def _reason_not_mentioned(record: RecordMention, utterance: Utterance) -> str:
    """Return that the user did not mention a record, or did so in a part of the message that orders nothing of it."""
    if not record.name:
        return "you did not mention that record"
    name = {token.word for token in tokenize(record.name) if token.kind != "mark"}
    # A single word may be one of another's name.
    is_named = len(name) > 1 and name <= {token.word for token in tokenize(utterance.message)}
    return (
        f"you mentioned “{record.name}”, but did not ask for this there"
        if is_named
        else f"you did not mention “{record.name}”"
    )


def _judge_unread(call: ToolCall, utterance: Utterance, context: CallContext, reason: str) -> Judgement:
    """Return the judgement on a message in which the reader found no order.

    It waits if the model has seen texts by others. Otherwise a call without records runs if all its values are
    literally in the message.
    """
    assert call.spec is not None  # noqa: S101 - see judge
    if context.untrusted_sources:
        return Judgement("unread", f"{reason}, and I have just read {_join_names(context.untrusted_sources)}")
    if not call.arguments or utterance.is_question or utterance.ends_as_question:
        return Judgement("unread", reason)
    check = ValueCheck(utterance, (), call.spec, user=context.user)
    is_literal = has_content_word(call.arguments, utterance.stems) and not any(check.unstated(call.arguments))
    return ORDERED if is_literal and not ids_in(call.arguments) else Judgement("unread", reason)


def _join_names(names: Iterable[str]) -> str:
    """Return names as an enumeration, each once: "records, mails and notes"."""
    unique = list(dict.fromkeys(names))
    return f"{', '.join(unique[:-1])} and {unique[-1]}" if len(unique) > 1 else "".join(unique)
