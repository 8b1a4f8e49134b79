"""The user's message of a turn as the reader understands it: what it orders, denies, asks about and quotes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property

from aisha.application.orders.reading.clauses import ends_in_question, is_verb
from aisha.application.orders.reading.contents import content_start
from aisha.application.orders.reading.exceptions import is_excluded
from aisha.application.orders.reading.literals import as_typed
from aisha.application.orders.reading.objections.retractions import takes_back
from aisha.application.orders.reading.quotations import unforwarded
from aisha.application.orders.reading.segmenting import read_segments
from aisha.application.orders.reading.utterance_segment import (
    CONTINUING_ACTS,
    MIN_ORDER_PROBABILITY,
    UtteranceSegment,
)
from aisha.application.orders.wording import REFUSED
from aisha.domain.dates.durations import find_durations
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import languages, lexicon
from aisha.domain.language.acts import NAME_TAGS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.courtesies import without_courtesies
from aisha.domain.language.marks import plain_text
from aisha.domain.language.tokens import Token, tokenize

_MAX_EARLIER_MESSAGES = 3
"""Earlier messages of the user to which an answer may belong."""
_MAX_FRAGMENT_WORDS = 8
"""A longer message is no mere answer to a question."""
_MIN_ORDERING_NAME = 3
"""Words of a record's name from which on it may read as an order."""
_CONTENT_ENDS = ("\n\n", ". Also ", ". Then ", ". And ", ". Please ", "; also ", "; then ")
_FOREIGN_NEGATIONS = frozenset(
    "kein keine keinen keiner nicht nie niemals ne pas jamais aucun aucune rien no nunca jamás ningún não nenhum non "
    "mai niet geen nooit inte aldrig ikke aldri ingen nie żaden nem ne není yok değil не нет ни нельзя".split()
)
_NEGATIONS_THAT_ARE_ENGLISH_WORDS = frozenset("no non mai pas rien aucun".split())
"""Denials of other languages that are words or names in English."""
_NEGATIONS_WITHOUT_WORD_BREAKS = (
    "不",
    "别",
    "別",
    "没",
    "沒",
    "勿",
    "ない",
    "ません",
    "지 마",
    "하지",
    "않",
    "안 ",
    "لا ",
    "לא ",
    "नहीं",
    "मत ",
)
_ACCEPTING_ACTS = frozenset(("yes", "take_up"))
_CLOSING_ACTS = frozenset("thanks goodbye greeting smalltalk no".split())
"""Acts that go on with nothing."""
_POSSESSIVE_PRONOUNS = frozenset("his hers its theirs".split())
_MAIL_ACTS = {"draft_email", "send_email"}
_MIN_STOP_PROBABILITY = 0.45
"""A wish for less only restricts, so that it may be less sure than other orders."""
_STOP_ACTS = frozenset("update_record instruct negated".split())
_WORD = re.compile(r"[^\W_]+")


class Utterance:
    """The user's message of this turn as the reader understands it, with the earlier messages that it continues.

    Arguments: `earlier` are the user's messages before this one, the latest first. `is_answer` is True when the
    assistant's last reply ended with a question. `offer_text` is a text of the product's own, such as an offer, that
    the message may accept; with `needs_yes` only a message that says yes does. `is_offer_own` is False if a model that
    has seen texts of others made the offer. `known_names` are the names of the records of the conversation.

    `current_segments` are those of this message, `earlier_segments` those of the `earlier_message_count` messages that
    it continues, and `offer_segments` those of the offer that it accepts. `message_segments` has all segments of this
    message, also where `without` has left some out. `question_before` is the user's message before this one, if that
    is a question whose field this one points at.
    """

    def __init__(
        self,
        message: str,
        now: datetime,
        *,
        earlier: Sequence[str] = (),
        is_answer: bool = False,
        offer_text: str = "",
        needs_yes: bool = False,
        is_offer_own: bool = True,
        known_names: Iterable[str] = (),
    ) -> None:
        names = tuple(known_names)
        # A name is data, also one that reads as an order: a button may have put it into the message.
        ordering = [name for name in names if len(name.split()) >= _MIN_ORDERING_NAME and _reads_as_order(name)]
        message, offer_text = blank_out(message, ordering), blank_out(offer_text, ordering)
        earlier = [blank_out(text, ordering) for text in earlier]
        self._texts = [unforwarded(message)]
        message = without_courtesies(message)
        self.message, self.now = message, now
        # "What is Ann's score?" names the field for "make it 72" and "change hers to 72".
        words = {token.word for token in tokenize(message)}
        is_pointing = not words.isdisjoint(lexicon.THING_PRONOUNS | _POSSESSIVE_PRONOUNS)
        self.question_before = earlier[0] if earlier and is_pointing and ends_in_question(earlier[0]) else ""
        self._names = names
        self.is_foreign = languages.detect(message).code != languages.ENGLISH.code
        self.current_segments = list(read_segments(message, now, names))
        self.message_segments = tuple(self.current_segments)
        self.continues_earlier = self._continues_earlier(is_answer=is_answer)
        self.earlier_segments: list[UtteranceSegment] = []
        self.earlier_message_count = 0
        self.offer_segments: tuple[UtteranceSegment, ...] = ()
        self.is_offer_own = is_offer_own
        if self.continues_earlier:
            for text in earlier[:_MAX_EARLIER_MESSAGES]:
                segments = list(read_segments(text, now, names))
                self.earlier_segments += segments
                self.earlier_message_count += 1
                self._texts.append(unforwarded(text))
                if any(segment.is_order and not segment.says_only_tone for segment in segments):
                    break
            if self.restyles and not any(segment.ask.act in _MAIL_ACTS for segment in self.earlier_segments):
                self.earlier_segments = []
            is_yes = any(segment.ask.act in _ACCEPTING_ACTS for segment in self.current_segments)
            # "Yes, what about him?" and "yes, but it isn't won yet" accept nothing.
            is_accepted = is_yes and not self.denial and not self.ends_as_question
            if offer_text and (is_accepted or not needs_yes):
                self.offer_segments = tuple(read_segments(offer_text, now, names))
                self.earlier_segments += self.offer_segments
                self._texts.append(offer_text)

    def _continues_earlier(self, *, is_answer: bool) -> bool:
        """Return whether the message goes on with an earlier one: "yes", "make it 4pm", or a short answer."""
        if any(segment.is_order for segment in self.current_segments if segment.ask.act not in CONTINUING_ACTS):
            return self.restyles or self.current_segments[0].ask.act in CONTINUING_ACTS
        acts = {segment.ask.act for segment in self.current_segments}
        words = [token for segment in self.current_segments for token in segment.ask.tokens if token.kind != "mark"]
        # "The second one sounds good, but let me sleep on it": an answer that orders nothing yet.
        if acts <= _CLOSING_ACTS or takes_back(self.current_segments[-1].ask.tokens):
            return False
        is_question = any(segment.is_question for segment in self.current_segments)
        is_short_answer = is_answer and len(words) <= _MAX_FRAGMENT_WORDS and not is_question
        return bool(acts & CONTINUING_ACTS) or is_short_answer or self.restyles

    def without(self, segments: Sequence[UtteranceSegment]) -> "Utterance":
        """Return the utterance without some of its segments."""
        rest = Utterance.__new__(Utterance)
        rest.message, rest.now, rest._names = self.message, self.now, self._names
        rest.is_foreign, rest.continues_earlier = self.is_foreign, self.continues_earlier
        rest.message_segments, rest.earlier_message_count = self.message_segments, self.earlier_message_count
        rest.offer_segments, rest.is_offer_own = self.offer_segments, self.is_offer_own
        rest.question_before = self.question_before
        rest.current_segments = [segment for segment in self.current_segments if segment not in segments]
        rest.earlier_segments = [segment for segment in self.earlier_segments if segment not in segments]
        rest._texts = [
            blank_out(text, [as_typed(segment.ask.text, text) for segment in segments]) for text in self._texts
        ]
        return rest

    def with_segments(self, segments: Sequence[UtteranceSegment]) -> "Utterance":
        """Return the utterance with other segments of its message in place of its own."""
        rest = self.without([])
        rest.current_segments = list(segments)
        rest.message_segments = tuple(segments)
        return rest

    def up_to(self, end: int) -> "Utterance":
        """Return the utterance with the message's text before a place alone."""
        return self._with_text(self.message[:end])

    def _with_text(self, text: str) -> "Utterance":
        """Return the utterance with another text in place of its message's."""
        rest = self.without([])
        rest.message, rest._texts = text, [text, *self._texts[1:]]
        rest.current_segments = list(read_segments(text, self.now, self._names))
        rest.message_segments = tuple(rest.current_segments)
        return rest

    @cached_property
    def without_content(self) -> "Utterance":
        """The utterance without the text that a note, a task or an email is to have: it orders nothing else."""
        place = content_start(self.message, self.current_segments)
        if place is None:
            return self
        end = next((at for mark in _CONTENT_ENDS if (at := self.message.find(mark, place)) >= 0), len(self.message))
        return self._with_text(self.message[:place] + " " * (end - place) + self.message[end:])

    @cached_property
    def excluded_names(self) -> tuple[str, ...]:
        """The names of those whom the user excepts or compares with: "all but Ann", "the same as Ann"."""
        spans = ((segment, span) for segment in self.segments for span in segment.spans if span.tag in NAME_TAGS)
        return tuple(span.text for segment, span in spans if is_excluded(segment.ask.text, span.text, span.end))

    @property
    def messages(self) -> tuple[str, ...]:
        """The user's messages, the earliest first."""
        return tuple(reversed(self._texts))

    @property
    def segments(self) -> list[UtteranceSegment]:
        """The segments of this message and of the earlier ones that it continues."""
        return [*self.current_segments, *self.earlier_segments]

    def segments_ordering(
        self, acts: Iterable[str], min_probability: float = MIN_ORDER_PROBABILITY
    ) -> list[UtteranceSegment]:
        """Return the segments that order one of the acts, with a probability of at least `min_probability`."""
        required_acts = frozenset(acts)
        return [segment for segment in self.segments if segment.orders(required_acts, min_probability)]

    @cached_property
    def denial(self) -> str:
        """The reason why the message orders nothing though it names an act, if one of its segments does so."""
        return next((segment.denial for segment in self.current_segments if segment.denial), "")

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of records said."""
        return frozenset(kind for token in self.tokens if (kind := lexicon.kind_named(token)))

    @property
    def may_deny_in_other_language(self) -> bool:
        """True if the message has a word of denial of another language."""
        words = {token.word for token in tokenize(self.message) if token.text != "NE"}
        denials = _FOREIGN_NEGATIONS if self.is_foreign else _FOREIGN_NEGATIONS - _NEGATIONS_THAT_ARE_ENGLISH_WORDS
        return bool(words & denials) or any(sign in self.message for sign in _NEGATIONS_WITHOUT_WORD_BREAKS)

    @cached_property
    def is_plural(self) -> bool:
        """True if it speaks of several: "each of them", "the first two", "all my warm leads"."""
        tokens = [token for segment in self.segments for token in segment.ask.tokens]
        is_counted = any((segment.ask.count or 0) > 1 for segment in self.segments)
        names_several = any(lexicon.kind_named(token) and token.word.endswith("s") for token in tokens)
        return is_counted or names_several or any(token.word in lexicon.PLURAL_WORDS for token in tokens)

    @property
    def restyles(self) -> bool:
        """True if it says of an email only how it shall sound: "make it shorter"."""
        return bool(self.current_segments) and all(segment.says_only_tone for segment in self.current_segments)

    @property
    def is_correction(self) -> bool:
        """True if it corrects what was ordered before: "make that 4pm"."""
        return self.continues_earlier and any(segment.ask.act == "correct" for segment in self.current_segments)

    @property
    def asks_to_stop(self) -> bool:
        """True if it asks for something not to be done from now on: "no more emails to her", "never call Jack"."""
        # A denial is what orders it; a delay or a condition is not.
        segments = [one for one in self.current_segments if one.denial in ("", REFUSED)]
        is_asked = any(segment.probability_of(_STOP_ACTS) >= _MIN_STOP_PROBABILITY for segment in segments)
        return is_asked and not self.ends_as_question

    @property
    def ends_as_question(self) -> bool:
        """True if it ends as a question."""
        return ends_in_question(self.message)

    @property
    def is_question(self) -> bool:
        """True if the message was understood, and orders no change."""
        segments = self.current_segments
        return bool(segments) and not self.is_foreign and all(segment.is_question for segment in segments)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The user's messages, without what they deny or imagine."""
        ignored = [segment.ask.text for segment in self.segments if segment.denial]
        ignored += [piece for segment in self.segments if not segment.denial for piece in segment.asides]
        return tuple(blank_out(text, (as_typed(piece, text) for piece in ignored)) for text in self._texts)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the texts."""
        return tuple(token for text in self.texts for token in tokenize(text))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems and normal forms of all words said."""
        forms = {form for token in self.tokens for form in (token.stem, token.word, *_word_pieces(token.word))}
        return frozenset(forms)

    @cached_property
    def times(self) -> tuple[TimeSpan, ...]:
        """The times said: those of each segment as it corrects itself, and those of the whole texts."""
        spans = [span for segment in self.segments if not segment.denial for span in segment.ask.times]
        for text in self.texts:
            plain, _ = plain_text(tokenize(text))
            spans_in_text = find_times(plain, self.now)
            spans += [span for span in spans_in_text if span not in spans]
        return tuple(spans)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The amounts, counts, lengths in minutes and plain numbers said."""
        numbers: set[float] = set()
        for text in self.texts:
            plain, _ = plain_text(tokenize(text))
            numbers |= {amount.value for amount in find_amounts(plain)}
            numbers |= {float(minutes) for _, _, minutes in find_durations(plain)}
        numbers |= {float(span.minutes) for span in self.times if span.minutes}
        exact = (span.exact for span in self.times if span.exact is not None)
        numbers |= {round((moment - self.now).total_seconds() / 60, 2) for moment in exact}
        for token in self.tokens:
            digits = token.word.strip("$€£%").replace(",", "")
            if token.kind == "number" and digits.replace(".", "", 1).isdecimal():
                numbers.add(float(digits))
            elif token.word in lexicon.NUMBERS:
                numbers.add(float(lexicon.NUMBERS[token.word]))
        return frozenset(numbers)

    @cached_property
    def increments(self) -> frozenset[float]:
        """The numbers by which something is to change, and that are no value themselves: "raise it by 5"."""
        return frozenset(number for text in self.texts for number in _increments_in(text))

    @cached_property
    def values(self) -> frozenset[str]:
        """The enumerated values and types of activities said."""
        words = " ".join(token.word for token in self.tokens)
        types = {
            kind
            for token in self.tokens
            for form in (token.word, token.stem)
            if (kind := lexicon.activity_type_of(form))
        }
        return frozenset((*lexicon.values_in(words), *types))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names said, of the segments that deny nothing: those of main clauses, or the others if there are none."""
        segments = [segment for segment in self.segments if not segment.denial]
        mentions = [(segment, span) for segment in segments for span in segment.names]
        in_main_clause = tuple(span.text for segment, span in mentions if span.start not in segment.subordinate_starts)
        return in_main_clause or tuple(span.text for _, span in mentions)

    @cached_property
    def subordinate_names(self) -> tuple[str, ...]:
        """The names said in passing: "Ann, who works with Bo", "because Bo has left"."""
        segments = [segment for segment in self.segments if not segment.denial]
        subordinate = [
            span.text for segment in segments for span in segment.names if span.start in segment.subordinate_starts
        ]
        return tuple(text for text in subordinate if text not in self.names)


def _increments_in(text: str) -> Iterator[float]:
    """Yield the amount after "by", if a text has no other: "raise it by 5"."""
    plain, _ = plain_text(tokenize(text))
    for amount in find_amounts(plain):
        before = plain[: amount.start].split()
        if before and before[-1] == "by" and len(find_amounts(plain)) == 1:
            yield amount.value


def blank_out(text: str, pieces: Iterable[str]) -> str:
    """Return a text with blanks in place of some pieces of it."""
    for piece in pieces:
        at = text.lower().find(piece.lower()) if piece.strip() else -1
        while at >= 0:
            text = text[:at] + " " * len(piece) + text[at + len(piece) :]
            at = text.lower().find(piece.lower())
    return text


def _reads_as_order(name: str) -> bool:
    """Return whether a name has a verb of orders: "Call Back Ltd"."""
    return any(is_verb(token.word) for token in tokenize(name))


def _word_pieces(word: str) -> Iterator[str]:
    """Yield the pieces of a compound word: "follow" and "up" of "follow-up"."""
    if "-" in word or "/" in word or "'" in word:
        yield from (piece for piece in _WORD.findall(word))
