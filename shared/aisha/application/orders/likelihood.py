"""Weigh what speaks for a call and against it: the form of the message, the reader's acts and the rules' judgement.

The rules know what denies, delays and reports, but one word is no proof: "after" puts "after he has paid, close it"
off, and nothing of "close it, he calmed down after my visit". A small model, trained on messages that order a call and
on others in the same words, weighs them together. `infra/orders/train.py` trains it.
"""

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from aisha.application.orders.matching.marking import marks_for
from aisha.application.orders.matching.targets import RecordMention
from aisha.application.orders.reading.clauses import acts_of, first_word, is_request, is_verb
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.wording import UNCERTAIN, without_sources
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, NAME_TAGS, WRITES
from aisha.domain.language.models import linear
from aisha.domain.language.models.order_form import ORDER, TARGET, VALUE, score
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.tools import ToolCall

MIN_AGAINST_RULES = 0.65
"""A call that the rules doubt, for a reason that is none of the clear ones, runs from this probability on."""
MIN_WITH_RULES = 0.6
"""A change of a field that the rules find ordered waits below this probability."""
MIN_CREATING = 0.5
"""A creation that the rules find ordered waits below this one: "meeting with Ann tomorrow at 11" has no verb."""
MIN_PLAIN = 0.2
"""A call that an imperative or a request orders waits below this one: "could you set Ann to lost?"."""
WEIGHED_ACTS = frozenset(
    "update_record advance_stage create_note create_activity change_activity complete_activity create_record".split()
)
"""The acts of calls that messages are labelled for."""
_CONJUNCTIONS = frozenset(("and", "then"))
_READING_VERBS = frozenset("show list find tell give get".split())
_MAX_LENGTH = 6000
"""Characters; a longer message is left to the rules."""
_FORM_STEPS = range(-6, 7)
_ACT_STEPS = (0.1, 0.2, 0.35, 0.5, 0.7, 0.9)


class MarkedMessage(Struct, frozen=True, dict=True):
    """The tokens of a message, and a mark for each: see `marks_for`."""

    tokens: Sequence[Token]
    marks: Sequence[str]

    @cached_property
    def _focus(self) -> tuple[Token, ...]:
        """The tokens that say a value of the call, or name its record where it has none."""
        mark = next((one for one in (VALUE, TARGET) if one in self.marks), None)
        return tuple(one for one, own in zip(self.tokens, self.marks, strict=True) if own == mark)

    @property
    def focus_words(self) -> frozenset[str]:
        """The words that say a value of the call, or name its record where it has none."""
        return frozenset(one.word for one in self._focus)

    @property
    def focus_starts(self) -> list[int]:
        """The places in the message of these words."""
        return [one.start for one in self._focus]


def marked_message(call: ToolCall, utterance: Utterance, records: Sequence[RecordMention]) -> MarkedMessage:
    """Return the user's message of this turn with the words of a call marked."""
    names = [span.text for one in utterance.message_segments for span in one.spans if span.tag in NAME_TAGS]
    tokens = tokenize(utterance.message)
    marks = marks_for(
        tokens,
        utterance.message,
        call.arguments,
        target_words=frozenset(token.word for one in records for token in tokenize(one.name) if token.kind != "mark"),
        name_words=frozenset(token.word for name in names for token in tokenize(name) if token.kind != "mark"),
        now=utterance.now,
    )
    return MarkedMessage(tokens, marks)


def least_with_rules(marked: MarkedMessage, utterance: Utterance, acts: Sequence[str]) -> float:
    """Return the probability below which a call waits that the rules find ordered."""
    required_acts = frozenset(acts)
    is_change = bool(FIELD_CHANGE_ACTS & required_acts)
    # The text of "log that | I called Ann" is a segment of its own.
    is_led = not is_change and any(
        is_verb(first_word(one.ask)) and required_acts & one.verb_acts for one in utterance.current_segments
    )
    if is_led or is_plain_order(marked, utterance):
        return MIN_PLAIN
    return MIN_WITH_RULES if is_change else MIN_CREATING


def is_plain_order(marked: MarkedMessage, utterance: Utterance) -> bool:
    """Return whether the segment that names the call's values is an imperative or a request; without values any is."""
    words, is_plain = marked.focus_words, False
    for segment in utterance.current_segments:
        ask = segment.ask
        if first_word(ask) in _CONJUNCTIONS and is_plain:
            # "Show me my warm leads and create a call for each": what goes on with an order is one, too.
            ask = ask.without(0, next(one.end for one in ask.tokens if one.word in _CONJUNCTIONS))
        is_plain = is_request(ask.tokens) or is_verb(first_word(ask)) or bool(WRITES & acts_of(first_word(ask)))
        if is_plain and (not words or any(token.word in words for token in ask.tokens)):
            return True
        is_plain = is_plain or first_word(ask) in _READING_VERBS
    return False


def may_be_weighed(call: ToolCall, utterance: Utterance, acts: Sequence[str]) -> bool:
    """Return whether the model knows messages and calls of this kind.

    It does not know those of several records, nor an answer that goes on with an earlier order.
    """
    is_short = len(utterance.message) < _MAX_LENGTH
    is_single = not any(isinstance(value, list | dict) for value in call.arguments.values())
    is_whole = not any(one.is_order for one in utterance.earlier_segments)
    return bool(WEIGHED_ACTS.intersection(acts)) and is_short and is_single and is_whole


def probability_of_order(
    marked: MarkedMessage, utterance: Utterance, acts: Sequence[str], finding: str, reason: str
) -> float:
    """Return the probability that the user ordered a call, given the rules' finding and reason."""
    form = score(marked.tokens, marked.marks)
    features = features_of(form, marked, utterance, acts, finding, reason)
    return linear.load("verdicts").probabilities(features)[ORDER]


def features_of(
    form: float, marked: MarkedMessage, utterance: Utterance, acts: Sequence[str], finding: str, reason: str
) -> list[str]:
    """Return what the model weighs; `form` is the score of the message's form."""
    required_acts = frozenset(acts)
    segments = utterance.current_segments
    act = max((segment.probability_of(required_acts) for segment in segments), default=0.0)
    row = [f"form>{step}" for step in _FORM_STEPS if form > step] + [f"act>{step}" for step in _ACT_STEPS if act > step]
    row += [f"finding={finding}", f"reason={UNCERTAIN.get(without_sources(reason), '')}"]
    row += ["plain"] * is_plain_order(marked, utterance)
    row += ["verb"] * any(required_acts & segment.verb_acts for segment in segments)
    row += ["imperative"] * any(segment.is_imperative for segment in segments)
    row += ["no act"] * (not any(segment.may_order(required_acts) for segment in segments))
    return row
