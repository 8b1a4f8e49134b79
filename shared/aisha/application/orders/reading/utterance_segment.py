"""A segment of the user's words as the reader understands it: what it orders, denies or asks about."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.orders.reading.asides import asides_of
from aisha.application.orders.reading.clauses import (
    JOINING_WORDS,
    POLITE_OPENING_WORDS,
    TEXT_NOUNS,
    acts_of,
    base_of,
    clause_verbs,
    ends_in_question,
    first_word,
    is_request,
    is_verb,
    verbs_of_pronouns,
)
from aisha.application.orders.reading.objections.denials import CONFIDENT_PROBABILITY, denial_of
from aisha.application.orders.reading.objections.options import lets_other_act
from aisha.application.orders.reading.objections.retractions import retraction_in, takes_back
from aisha.application.orders.reading.objections.statements import TEXT_ACTS
from aisha.application.orders.reading.quotations import unquoted
from aisha.application.orders.reading.reasons import reasons_of
from aisha.application.orders.wording import (
    FOR_OTHER,
    ONLY_MENTIONED,
    OPTION,
    PLAN,
    QUOTED,
    REPORTED,
    RETRACTED,
    UNCERTAIN,
)
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, FIELD_CHANGE_ACTS, NAME_TAGS, READS, WRITES
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.borders import SALUTATIONS
from aisha.domain.language.notation import spelled_out
from aisha.domain.language.reader import Segment, Span, parts_of, read
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.tones import TONES

_SENTENCE_ENDS = frozenset((".", "!", "?", ";"))
_DASHES = frozenset(("–", "—"))
MIN_ORDER_PROBABILITY = 0.2
"""A segment is an order of an act from this probability on, if no reading that orders nothing is as probable."""
_MAX_TONE_WORDS = 10
"""Words of a wish for another tone."""
CONTINUING_ACTS = frozenset("yes choose more take_up correct again wait".split())
"""Acts that go on with what was ordered before."""
_SAVING_VERBS = frozenset("save enter record store put update set add note log".split())
_STORING_VERBS = frozenset("save enter record store put add".split())
_ASSIGNING_VERBS = frozenset(verb for verb in lexicon.ORDER_VERBS if "update_record" in acts_of(verb)) | {"drop", "cut"}
REPLACING_WORDS = frozenset("just only instead rather but".split())
_MAX_ANNOUNCING = 6
"""Tokens before a quotation among which the verb stands that announces it: "I told Bob in March:"."""
_OBLIGATION_WORDS = frozenset(("should", "must", "shall"))
_USING_VERBS = frozenset("use take do".split())
_RELATIVE_PRONOUNS = frozenset("which who whom whose where unlike".split())
_VALUE_TAGS = ADDRESS_TAGS | frozenset("value amount when count owner topic text new org".split())
_UNREAL_WORDS = lexicon.NEGATIONS | frozenset(
    "was were had could might may would will should wants want if soon almost nearly probably perhaps maybe".split()
)
_NON_ORDER_ACTS = frozenset("negated hypothetical report context".split())
_WORDS_BEFORE_CLAUSE_END = frozenset(
    "who which what why when where how whether that to of on with about by than from into".split()
)


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


def read_segments(message: str, now: datetime, names: Sequence[str]) -> list[UtteranceSegment]:
    """Return the segments of a message, without what it quotes. `names` are those of records that it may name."""
    # The lines of a thread that the user pastes are no list of asks.
    parts = (part for sentence in spelled_out(message) for part in parts_of(sentence, names))
    return [segment for part in parts for segment in _read_unquoted(part, now, names)]


def _read_unquoted(part: str, now: datetime, names: Sequence[str]) -> list[UtteranceSegment]:
    """Return the segments of a part without what it quotes; words that only announce a quotation order nothing."""
    own = unquoted(part)
    segments = _read_part(own, now, names)
    last = [token.word for token in tokenize(own)[-_MAX_ANNOUNCING:]]
    announces = own != part and last[-1:] == [":"] and not lexicon.REPORTING_VERBS.isdisjoint(last)
    if announces and segments and not (segments[-1].is_commanded or segments[-1].denial):
        segments[-1] = replace(segments[-1], denial=QUOTED)
    return segments


def _read_part(text: str, now: datetime, names: Sequence[str]) -> list[UtteranceSegment]:
    segments = _read_text(text, now, names)
    if any(segment.is_order or segment.denial for segment in segments):
        return segments
    # "Read me the notes and add the lead Lee" is sometimes read as one question.
    pieces = list(_pieces_at_verbs(text))
    return [segment for piece in pieces for segment in _read_text(piece, now, names)] if len(pieces) > 1 else segments


def _read_text(text: str, now: datetime, names: Sequence[str]) -> list[UtteranceSegment]:
    """Return the segments of a text, each with what the segments after it deny or save of it."""
    read_whole = [piece for segment in read(text, names).segments for piece in _sentences_of(segment, names)]
    asks = [Ask(segment, now) for segment in _with_end_marks(read_whole)]
    segments = [
        UtteranceSegment(ask, denial_of(ask) or retraction_in(ask, asks[place + 1 :], asks[:place]))
        for place, ask in enumerate(asks)
    ]
    for place, segment in enumerate(segments):
        if takes_back(segment.ask.tokens) and any(one.denial == RETRACTED for one in segments[:place]):
            # "Drop all of it again" orders nothing but that.
            segments[place] = replace(segment, denial=RETRACTED)
    for place, (segment, following) in enumerate(pairwise(segments)):
        is_no_order = bool(segment.denial) or not segment.is_order or lets_other_act(segment.ask)
        is_no_order = is_no_order or _begins_text(segment.ask)
        is_split = _is_split_clause(segment.ask, following.ask) or _is_joined(segment, following.ask)
        is_split = is_split or _goes_on(segment, following)
        if is_no_order and not following.denial and is_split:
            # "Hold off on setting | Ann to lost" is one clause, whatever the reader made of it.
            doubt = FOR_OTHER if lets_other_act(segment.ask) else ONLY_MENTIONED
            segments[place + 1] = replace(following, denial=segment.denial or doubt)
        is_statement = segment.denial in ("", ONLY_MENTIONED, REPORTED)
        if is_statement and _saves_statement(following, segment):
            # "He wrote from x@acme.example. Save it as his email."
            has_field = not segment.is_commanded and _names_field(following) and not _has_value(following)
            segments[place] = replace(segment, denial="", is_used_by_next=True, has_field_in_next=has_field)
    return segments


def _is_split_clause(ask: Ask, following: Ask) -> bool:
    """Return whether a clause goes on in the next segment.

    The first ends with a verb without its object, with "say" or "who", or it begins a text: "the rule is: …".
    """
    if not ask.tokens or not following.tokens:
        return False
    last = ask.tokens[-1].word
    is_gerund = last.endswith("ing") and is_verb(base_of(last))
    is_speech = last in lexicon.REPORTING_VERBS | {"say"} and is_verb(following.tokens[0].word)
    return is_gerund or is_speech or last in _WORDS_BEFORE_CLAUSE_END or _begins_text(ask)


def _begins_text(ask: Ask) -> bool:
    """Return whether a clause ends in a text that its first words announce: "the rule is: no answer in 30 days"."""
    words = [token.word for token in ask.tokens]
    colon = words.index(":") if ":" in words else 0
    is_announced = words[colon - 1 : colon] in (["is"], ["was"]) and bool(TEXT_NOUNS.intersection(words[:colon]))
    return is_announced and not ask.text.rstrip().endswith(tuple(_SENTENCE_ENDS))


def _is_joined(segment: UtteranceSegment, following: Ask) -> bool:
    """Return whether "and" joins a clause to one that orders nothing, so that it does not either.

    Such as "let Bob call her | and mark her as lost", "she was set to warm | and then to lost".
    """
    words = [token.word for token in following.tokens]
    if words[:1] not in (["and"], ["or"]) or segment.ask.text.rstrip().endswith((*_SENTENCE_ENDS, ",")):
        return False
    is_imagined = bool(segment.denial) and segment.ask.act == "hypothetical"
    if is_imagined or segment.denial in (FOR_OTHER, OPTION, PLAN) or lets_other_act(segment.ask):
        return "please" not in words
    is_fragment = not any(map(is_verb, clause_verbs(following.tokens))) and not following.texts("name")
    return segment.denial in (ONLY_MENTIONED, REPORTED) and is_fragment and "to" in words[1:3]


def _goes_on(segment: UtteranceSegment, following: UtteranceSegment) -> bool:
    """Return whether words without a verb of orders go on with a clause that clearly orders nothing.

    Such as "remind me why we wanted to correct Ann's phone |, it is 555 0123": a statement may go on with an order.
    """
    is_clear = segment.denial not in ("", REPORTED, *UNCERTAIN)
    # "Delete nothing, only set him to lost."
    is_own = following.is_commanded or first_word(following.ask) in REPLACING_WORDS
    return is_clear and not is_own and not segment.ask.text.rstrip().endswith(tuple(_SENTENCE_ENDS))


def _saves_statement(segment: UtteranceSegment, statement: UtteranceSegment) -> bool:
    """Return whether a segment orders to save what a statement before it says: "save it as his email".

    It must name the field, or change what the statement gives a value: "he is lost, update it". Without a pronoun it
    must have no value of its own, and the statement must tell what is: "Acme is a customer now. Change the type".
    """
    is_change = bool(FIELD_CHANGE_ACTS & segment.verb_acts)
    if not (segment.saves_antecedent or segment.acts_on_antecedent):
        is_bare = is_change and not _has_value(segment) and _tells_fact(statement)
        return is_bare and (_names_field(segment) or (_has_value(statement) and _is_verb_alone(segment)))
    has_value = statement.denial == ONLY_MENTIONED and bool(
        statement.ask.texts("value") or statement.ask.texts("amount")
    )
    return _names_field(segment) or (is_change and has_value)


def _is_verb_alone(segment: UtteranceSegment) -> bool:
    """Return whether a segment is a verb with nothing but a pronoun: "mark him", "please adjust"."""
    words = [one.word for one in segment.ask.tokens if one.kind != "mark" and one.word not in POLITE_OPENING_WORDS]
    return len(words) == 1 or (len(words) == 2 and words[1] in lexicon.BACK_REFERENCES)


def _has_value(segment: UtteranceSegment) -> bool:
    """Return whether a segment says a value."""
    return any(span.tag in _VALUE_TAGS for span in segment.spans)


def _names_field(segment: UtteranceSegment) -> bool:
    """Return whether a segment names a field, apart from its verbs, such as "close"."""
    verbs = frozenset(clause_verbs(segment.ask.tokens))
    return bool(lexicon.fields_in(" ".join(token.word for token in segment.ask.tokens if token.word not in verbs)))


def _tells_fact(segment: UtteranceSegment) -> bool:
    """Return whether a segment tells what is, and not what was, may be, is denied or asked."""
    words = {token.word for token in segment.ask.tokens}
    is_unreal = words & _UNREAL_WORDS or any(word.endswith("n't") for word in words)
    return not segment.is_commanded and not is_unreal and not ends_in_question(segment.ask.text)


def _sentences_of(segment: Segment, names: Sequence[str]) -> Iterator[Segment]:
    """Yield the sentences of a segment, each read by itself: "He has 41. Make it 52.", "Delete Ann? No.".

    What is to be done in place of something else is one, too: "don't delete her, just mark her as lost".
    """
    words = [token for token in tokenize(segment.text) if token.kind != "mark"]
    texts = [span for span in segment.spans if span.tag in ("text", "topic")]
    is_denied = bool(words) and words[0].word in lexicon.NEGATIONS
    is_change = bool(FIELD_CHANGE_ACTS & acts_of(next(clause_verbs(tokenize(segment.text)), "")))
    value_starts = [span.start for span in segment.spans if span.tag in _VALUE_TAGS]
    cuts = []
    for before, word, following in zip(words, words[1:], (*words[2:], None), strict=False):
        gap = segment.text[before.end : word.start].rstrip("\"'”’ ")
        is_in_text = any(span.start < word.start < span.end for span in texts)
        # "Please update Jack. He is lost.": what follows has the value.
        is_wanting = is_change and not any(start < word.start for start in value_starts)
        is_continued = is_in_text or is_wanting or gap.endswith("..")
        is_end = gap[-1:] in _SENTENCE_ENDS and segment.text[word.start - 1].isspace()
        is_sentence = is_end and before.word not in SALUTATIONS and (is_verb(word.word) or not is_continued)
        is_replacing = word.word in REPLACING_WORDS and following is not None and is_verb(following.word)
        if is_sentence or (gap[-1:] in _DASHES and is_verb(word.word)) or (is_denied and gap and is_replacing):
            cuts.append(word.start)
    if not cuts:
        yield segment
        return
    for start, end in pairwise((0, *cuts, len(segment.text))):
        yield from read(segment.text[start:end], names).segments


def _with_end_marks(segments: Sequence[Segment]) -> list[Segment]:
    """Return segments, the marks at the end of each with it: "Ann lost!" and "? Who says so?"."""
    joined: list[Segment] = []
    for segment in segments:
        bare = segment.text.lstrip("?!")
        if joined and bare.strip() and bare != segment.text:
            cut = len(segment.text) - len(bare)
            joined[-1] = replace(joined[-1], text=joined[-1].text + segment.text[:cut])
            cut += len(bare) - len(bare.lstrip())
            spans = tuple(replace(span, start=span.start - cut) for span in segment.spans if span.start >= cut)
            segment = replace(segment, text=bare.lstrip(), spans=spans)
        joined.append(segment)
    return joined


def _pieces_at_verbs(text: str) -> Iterator[str]:
    """Yield the text in pieces, each but the first beginning with a verb of orders: "… and add …"."""
    tokens, start = tokenize(text), 0
    for before, token in pairwise(tokens):
        if before.word in JOINING_WORDS and is_verb(token.word):
            yield text[start : before.start]
            start = token.start
    yield text[start:]
