"""A segment of the user's words as the reader understands it: what it orders, denies or asks about."""

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from aisha.application.orders.reading.asides import asides_of
from aisha.application.orders.reading.clauses import (
    acts_of,
    clause_verbs,
    ends_in_question,
    first_word,
    is_request,
    is_verb,
    verbs_of_pronouns,
)
from aisha.application.orders.reading.objections.denials import CONFIDENT_PROBABILITY
from aisha.application.orders.reading.objections.statements import TEXT_ACTS
from aisha.application.orders.reading.reasons import reasons_of
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, FIELD_CHANGE_ACTS, NAME_TAGS, READS, WRITES
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token
from aisha.domain.language.tones import TONES

MIN_ORDER_PROBABILITY = 0.2
"""A segment is an order of an act from this probability on, if no reading that orders nothing is as probable."""
_MAX_TONE_WORDS = 10
"""Words of a wish for another tone."""
CONTINUING_ACTS = frozenset("yes choose more take_up correct again wait".split())
"""Acts that go on with what was ordered before."""
_SAVING_VERBS = frozenset("save enter record store put update set add note log".split())
_STORING_VERBS = frozenset("save enter record store put add".split())
_ASSIGNING_VERBS = frozenset(verb for verb in lexicon.ORDER_VERBS if "update_record" in acts_of(verb)) | {"drop", "cut"}
_OBLIGATION_WORDS = frozenset(("should", "must", "shall"))
_USING_VERBS = frozenset("use take do".split())
_RELATIVE_PRONOUNS = frozenset("which who whom whose where unlike".split())
_NON_ORDER_ACTS = frozenset("negated hypothetical report context".split())


class UtteranceSegment(Struct, frozen=True, dict=True):
    """A segment of the user's words: what it orders, denies or states.

    `ask` has its words and slots. `denial` says, in words for the user, why it orders nothing though it names an act;
    it is empty for others. `is_used_by_next` is True if the next segment orders to save what this one states, and
    `has_field_in_next` if that names the field: the value is for no other.
    """

    ask: Ask
    denial: str = ""
    is_used_by_next: bool = False
    has_field_in_next: bool = False

    @property
    def spans(self) -> tuple[Span, ...]:
        """The slots that the reader has tagged, in order."""
        return self.ask.segment.spans

    @property
    def act_probabilities(self) -> dict[str, float]:
        """The probabilities of the acts that the segment may be."""
        segment = self.ask.segment
        return dict(((segment.act, segment.probability), *segment.others))

    def may_order(self, acts: frozenset[str]) -> bool:
        """Return whether the segment orders one of the acts, or begins with a verb that may."""
        return self.orders(acts) or bool(acts & self.verb_acts) or self.is_imperative

    def orders(self, acts: frozenset[str], min_probability: float = MIN_ORDER_PROBABILITY) -> bool:
        """Return whether the segment orders one of the acts.

        Their probability must be at least `min_probability`, and more than that of a question and of no order.
        """
        probability = self.probability_of(acts)
        alternative = max(self.probability_of(_NON_ORDER_ACTS), self.probability_of(READS))
        return not self.denial and probability >= min_probability and probability > alternative

    def probability_of(self, acts: frozenset[str]) -> float:
        """Return the probability that the segment is one of some acts."""
        return sum(probability for act, probability in self.act_probabilities.items() if act in acts)

    @property
    def asides(self) -> tuple[str, ...]:
        """The pieces that hold no new values: they tell what was, what others want, or which record is meant."""
        return asides_of(self.ask.text, is_new=self.ask.act == "create_record")

    @property
    def names(self) -> list[Span]:
        """The slots of names, without those of asides, and of words that are a part of a field's name: "est value"."""
        names = [span for span in self.spans if span.tag in NAME_TAGS and not self.is_aside(span)]
        fields = {span.start: span.text for span in self.spans if span.tag == "field"}
        return [one for one in names if not lexicon.is_field(f"{one.text} {fields.get(one.end + 1)}".lower())]

    def is_aside(self, span: Span) -> bool:
        """Return whether a slot stands in an aside."""
        text = self.ask.text
        places = ((at, at + len(piece)) for piece in self.asides if (at := text.find(piece)) >= 0)
        return any(start <= span.start and span.end <= end for start, end in places)

    def is_aside_token(self, token: Token) -> bool:
        """Return whether a token of the segment stands in an aside."""
        return self.is_aside(Span("", token.text, token.start))

    @cached_property
    def subordinate_starts(self) -> frozenset[int]:
        """The starts of the words in clauses that give a reason or describe somebody: "…, who sits at Acme"."""
        tokens = self.ask.tokens
        starts = {token.start for token in reasons_of(tokens)}
        for place, (mark, token) in enumerate(pairwise(tokens)):
            if mark.word == "," and token.word in _RELATIVE_PRONOUNS:
                rest = tokens[place + 1 :]
                end = next((at for at, one in enumerate(rest) if one.word in (".", ";", "!", "?")), len(rest))
                starts.update(one.start for one in rest[:end])
        return frozenset(starts)

    @property
    def verb_acts(self) -> frozenset[str]:
        """The acts of the verbs that begin its clauses: "…, mark it", "could you set …"."""
        if self.denial:
            return frozenset()
        is_asked = self.is_question and not is_request(self.ask.tokens) and not self._is_assignment
        verbs = verbs_of_pronouns(self.ask.tokens) if is_asked else clause_verbs(self.ask.tokens)
        assigned = ("update_record",) if self._is_assignment else ()
        return frozenset((*assigned, *(act for verb in verbs for act in acts_of(verb))))

    @property
    def _is_assignment(self) -> bool:
        """True if a verb gives a field its value: "drop the score to 5", "save 555 0123 as her phone"."""
        loose = " ".join(token.word for token in self.ask.loose)
        is_asked = ends_in_question(self.ask.text) and not is_request(self.ask.tokens)
        if is_asked or not (self.ask.texts("field") or lexicon.fields_in(loose)):
            return False
        verbs = {*clause_verbs(self.ask.tokens)}
        starts = {span.start for span in self.spans if span.tag in ("value", "amount", "when")}
        is_to = any(word.word in ("to", "by") and value.start in starts for word, value in pairwise(self.ask.tokens))
        # What is saved may be a record or a note, too.
        is_other = bool(self.ask.texts("new")) or self.probability_of(TEXT_ACTS) >= MIN_ORDER_PROBABILITY
        is_saved = not is_other and any(span.tag in ADDRESS_TAGS or span.start in starts for span in self.spans)
        return bool((verbs & _ASSIGNING_VERBS and is_to) or (verbs & _STORING_VERBS and is_saved))

    @property
    def _says_what_should_be(self) -> bool:
        """True if a field is to have a value: "the next step for Acme should be 'Legal review'"."""
        words = [token.word for token in self.ask.tokens]
        place = next(
            (at for at, pair in enumerate(pairwise(words)) if pair[0] in _OBLIGATION_WORDS and pair[1] == "be"), 0
        )
        subject = words[:place]
        is_reported = bool(lexicon.REPORTING_VERBS.intersection(subject)) or subject[:1] in (["i"], ["we"], ["you"])
        is_asked = not lexicon.QUESTION_STARTS.isdisjoint(subject[:1])
        return bool(lexicon.fields_in(" ".join(subject))) and not is_reported and not is_asked

    @property
    def saves_antecedent(self) -> bool:
        """True if a pronoun for what was said is the object of a verb of saving: "…, save it", "…, put that in"."""
        return not self.denial and any(verb in _SAVING_VERBS for verb in self._verbs_of_antecedent())

    @property
    def corrects(self) -> bool:
        """True if its value takes the place of one that was said before: "sorry, 78", "make it 86"."""
        if self.act_probabilities.get("correct", 0.0) >= CONFIDENT_PROBABILITY or first_word(self.ask) in CORRECTIONS:
            return True
        return any("update_record" in acts_of(verb) for verb in self._verbs_of_antecedent())

    @property
    def says_only_tone(self) -> bool:
        """True if it says of an email only how it shall sound: "make it shorter"."""
        words = [token.word for token in self.ask.tokens if token.kind != "mark"]
        is_bare = {span.tag for span in self.spans} <= {"ref", "value"} and len(words) <= _MAX_TONE_WORDS
        return is_bare and self.ask.act not in FIELD_CHANGE_ACTS and any(word in TONES for word in words)

    def _verbs_of_antecedent(self) -> Iterator[str]:
        """Yield the words before a pronoun for what was said: "save" of "save it"."""
        return (verb.word for verb, object_ in pairwise(self.ask.tokens) if object_.word in lexicon.THING_PRONOUNS)

    @property
    def acts_on_antecedent(self) -> bool:
        """True if a pronoun for what was said is the object of a verb of orders: "update it", "use that"."""
        verbs = self._verbs_of_antecedent()
        return not self.denial and any(verb in _USING_VERBS or is_verb(verb) for verb in verbs)

    @property
    def is_imperative(self) -> bool:
        """True if the reader is not sure of a segment that begins with a verb of orders: "Qualify Jack"."""
        is_sure = self.ask.segment.probability >= CONFIDENT_PROBABILITY and self.ask.act not in CONTINUING_ACTS
        if self.denial or is_sure or ends_in_question(self.ask.text):
            return False
        first = first_word(self.ask)
        return is_verb(first) or (bool(lexicon.values_in(first)) and first not in lexicon.ADJECTIVES)

    @property
    def is_commanded(self) -> bool:
        """True if a verb of orders begins one of its clauses."""
        return self.is_imperative or bool(self.verb_acts)

    @property
    def is_order(self) -> bool:
        """True if it orders a change."""
        return self.orders(WRITES) or self.is_commanded

    @property
    def is_question(self) -> bool:
        """True if it asks for information, or imagines, denies or reports something.

        A sentence that begins with the verb of a change asks nothing, where the reader is not sure that it does.
        """
        acts = WRITES.intersection(acts_of(first_word(self.ask)))
        is_change = self.probability_of(acts) >= MIN_ORDER_PROBABILITY or self._says_what_should_be
        is_change = is_change and not ends_in_question(self.ask.text)
        return self.probability_of(READS | _NON_ORDER_ACTS) >= CONFIDENT_PROBABILITY and not is_change
