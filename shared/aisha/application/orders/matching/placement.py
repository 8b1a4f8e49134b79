"""Judge whether a value was stated for a field of a record: as the object of the order, or beside the field's name.

"Set Jack to warm and write to ann@x.example" says no address of Jack's, "I met him with carol" no new owner, and
"email him" no source.
"""

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from aisha.application.orders.reading.clauses import (
    CLAUSE_MARKS,
    POLITE_OPENING_WORDS,
    acts_of,
    is_verb,
    order_clause,
)
from aisha.application.orders.reading.literals import flat
from aisha.application.orders.reading.objections.statements import COPULAR_VERBS
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, FIELD_CHANGE_ACTS, NAME_TAGS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import CORRECTIONS
from aisha.domain.language.tokens import Token, tokenize

_WORDS_BEFORE_OWNER = frozenset("to owner is be as : = - > → by".split())
_WORDS_BEFORE_CHOICE = frozenset("to is as into = :".split())
_VALUE_TAGS = ADDRESS_TAGS | frozenset("value amount when count owner topic text new org".split())
_STAFF_WORDS = frozenset(lexicon.entries("condition_words")["employees"])
_APPROXIMATING_WORDS = lexicon.INTERJECTIONS | frozenset("about around some nearly".split())
_WORDS_BEFORE_NUMBER = frozenset("to at".split())
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_MIN_UNIT = 3
"""Letters of the shortest noun that a number may count."""
_HAVING_VERBS = frozenset("have has employ employs count counts number numbers".split())
_WORDS_BESIDE_FIELD = frozenset("to is as into = : - > the a now becomes down in her his its their".split())
_SENTENCE_WORDS = (
    lexicon.SELF_WORDS
    | lexicon.THING_PRONOUNS
    | lexicon.PERSON_PRONOUNS
    | lexicon.PLURAL_WORDS
    | {"a", "an", "i", "us", "no", "in"}
)
_SUBJECT_WORDS = lexicon.INTERJECTIONS | lexicon.BACK_REFERENCES | lexicon.KIND_NAMES | frozenset(("who", "of", "at"))
"""Words that a record's name or a pronoun for it may stand with as the subject of a sentence."""
_STATEMENT_ACTS = frozenset(("context", "report"))
"""Acts of segments that tell something."""
_MAX_WORDS_AFTER_NEGATION = 4
"""Words from a negation to what it denies: "not to be called"."""
_CORRECTION_LEADS = (
    CORRECTIONS | lexicon.INTERJECTIONS | frozenset("or i we make it that should be is the to a".split())
)
_WORDS_AFTER_CORRECTION = frozenset("and please then instead thanks".split())
_MAX_CORRECTED_WORDS = 4
_NEGATION_WORDS = frozenset("not no never don't stop without".split())
_AUXILIARIES_BEFORE_NEGATION = frozenset("could did does have has had was were is are would will".split())
"""Before a negation they tell, and order nothing: "I could not call him"."""
_EVENT_WORDS = frozenset("came come was were went got happened had did arrived reached today yesterday".split())
"""After a negation they tell: "no calls to her came through"."""
_PERMISSION_VERBS = frozenset("opted opts agreed agrees consented consents allowed allows permitted lifted".split())
_CLEARING_WORDS = frozenset("off false no unset clear remove lift drop reset".split())


def orders_another(segment: UtteranceSegment, acts: Iterable[str]) -> bool:
    """Return whether a segment orders something else than the acts, and names no field: its values go elsewhere."""
    required_acts = frozenset(acts)
    # "Qualify Jack" begins with a value, which no act has for its verb.
    is_value_verb = segment.is_imperative and not segment.verb_acts
    is_own_order = segment.orders(required_acts) or bool(required_acts & segment.verb_acts) or is_value_verb
    is_own_order = is_own_order or segment.saves_antecedent
    is_other_order = segment.is_order and not is_own_order
    if segment.denial or segment.is_used_by_next or not is_other_order:
        return False
    rest = " ".join(token.text for token in segment.ask.tokens if not is_verb(token.word))
    return not segment.ask.texts("field") and not lexicon.fields_in(rest)


def is_statement(segment: UtteranceSegment) -> bool:
    """Return whether a segment only tells something, and holds no order of its own."""
    return segment.ask.act in _STATEMENT_ACTS and not FIELD_CHANGE_ACTS & segment.verb_acts


def is_object(name: str, value: str, segments: Sequence[UtteranceSegment]) -> bool:
    """Return whether a text that was said, without its field's name, is what an order changes something to."""
    occurrences = [(segment, place) for segment in segments if not segment.denial for place in _places(segment, value)]
    if not occurrences:
        return True
    is_only_stated = all(is_statement(segment) for segment, _ in occurrences)
    if is_only_stated and not any(segment.acts_on_antecedent for segment in segments):
        # "He wrote from x@acme.example. Save the attachment."
        return False
    if name == "owner":
        return any(_is_new_owner(segment, place) for segment, place in occurrences)
    return not all(
        _is_of_other_act(segment, place) or _is_owner(segment, place) or _is_of_other_subject(segment, place)
        for segment, place in occurrences
    )


def segments_naming_field(
    has_value: Callable[[UtteranceSegment], bool], utterance: Utterance
) -> Iterator[UtteranceSegment]:
    """Yield the segments that may name the field of a value: those that have it, and those before that give no other.

    What corrects a value may have the field of any before it; a value that no segment has, that of any.
    """
    holding = [one for one in utterance.segments if not one.denial and has_value(one)]
    is_correction = any(one.corrects or one.acts_on_antecedent for one in holding)
    # What is corrected may read as an order for another record: "set the company to Acme, no wait, make it Globex".
    current = utterance.message_segments if is_correction else utterance.current_segments
    segments = [*utterance.earlier_segments, *current]
    for segment in segments:
        if holding and segment is holding[0]:
            break
        if is_correction or not (holding and any(span.tag in _VALUE_TAGS for span in segment.spans)):
            yield segment
    yield from holding


def names_given_to_fields(segment: UtteranceSegment, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names that are texts of a call and stand beside a field: "put Chase signature as the next step"."""
    texts = {flat(value) for value in arguments.values() if isinstance(value, str)}
    for one, other in pairwise(sorted(segment.spans, key=lambda span: span.start)):
        name = next((span for span in (one, other) if span.tag in NAME_TAGS), None)
        between = {token.word for token in tokenize(segment.ask.text[one.end : other.start])}
        is_given = bool(between) and between <= _WORDS_BESIDE_FIELD
        if name is not None and "field" in (one.tag, other.tag) and is_given and flat(name.text) in texts:
            yield name.text


def new_names_in(
    segment: UtteranceSegment, arguments: Mapping[str, Any], record_words: Collection[str]
) -> Iterator[str]:
    """Yield the names that a call gives its record, beside what it keeps of the old one: "it's Ann Leigh"."""
    texts = [str(value) for name, value in arguments.items() if "name" in name.split("_")]
    new = {token.word for text in texts for token in tokenize(text)} - {*record_words}
    for span in segment.spans:
        words = {token.word for token in tokenize(span.text) if token.kind != "mark"}
        if span.tag in NAME_TAGS and words & new and words <= new | {*record_words}:
            yield span.text


def is_corrected(value: str, tokens: Sequence[Token]) -> bool:
    """Return whether words put another text in the place of a value wherever they have it: "Acme, no wait, Globex"."""
    words = [token.word for token in tokenize(value) if token.kind != "mark"]
    ends = [
        place + len(words)
        for place in range(len(tokens) - len(words) + 1)
        if words and [one.word for one in tokens[place : place + len(words)]] == words
    ]
    return bool(ends) and all(
        any(_is_corrected_from(tokens, end, start) for start in (end, _clause_end(tokens, end))) for end in ends
    )


def _clause_end(tokens: Sequence[Token], place: int) -> int:
    """Return the place of the mark that ends the clause of a place, or that of the text's end."""
    return next((at for at in range(place, len(tokens)) if tokens[at].word in CLAUSE_MARKS), len(tokens))


def _is_corrected_from(tokens: Sequence[Token], end: int, start: int) -> bool:
    """Return whether words of a correction begin at `start`, and are followed by a text like that up to `end`."""
    later = tokens[start:]
    lead = [*itertools.takewhile(lambda one: one.kind == "mark" or one.word in _CORRECTION_LEADS, later)]
    rest = later[len(lead) :]
    text = [*itertools.takewhile(lambda one: one.kind != "mark" and one.word not in _WORDS_AFTER_CORRECTION, rest)]
    is_joined = bool(lead) and (lead[0].kind == "mark" or lead[0].word in ("or", "no"))
    is_correction = any(one.word in CORRECTIONS for one in lead)
    is_alike = bool(text) and text[0].is_capital == tokens[end - 1].is_capital and len(text) <= _MAX_CORRECTED_WORDS
    return is_joined and is_correction and is_alike


def is_choice_stated(value: str, acts: Iterable[str], segments: Iterable[UtteranceSegment]) -> bool:
    """Return whether an enumerated value is one of a segment that orders the change: "mark Jack as lost".

    The verb of another order is none: "email him" says no source.
    """
    for segment in segments:
        if segment.denial or segment.has_field_in_next or orders_another(segment, acts) or is_statement(segment):
            continue
        tokens = [token for token in _order_words(segment) if _is_of_order(segment, token, value)]
        if lexicon.means_value(tokens, value) or _are_words_in(value, tokens):
            return True
    return False


def is_alternative(value: str, segments: Iterable[UtteranceSegment]) -> bool:
    """Return whether a value was only said as one of two that are left open: "warm or lost"."""
    places = []
    for segment in segments:
        tokens = [] if segment.denial else [one for one in segment.ask.outside if not segment.is_aside_token(one)]
        for place, token in enumerate(tokens):
            if lexicon.means_value([token], value):
                around = [one.word for one in tokens[max(0, place - 2) : place + 3]]
                beside = {one.word for one in (*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 2])}
                places.append("or" in beside and len(list(lexicon.values_in(" ".join(around)))) > 1)
    return bool(places) and all(places)


def is_custom_choice_stated(name: str, value: str, segments: Iterable[UtteranceSegment]) -> bool:
    """Return whether a value that only this field has is said whole, and not as one that is no longer, or not, meant.

    One that reads as a word of the sentence, such as "A" or "US", must stand behind the field's name or what gives it.
    """
    words = [token.word for token in tokenize(value) if token.kind != "mark"]
    field = {token.word for token in tokenize(name.replace("_", " "))}
    for segment in segments:
        tokens = [] if segment.denial else [token for token in segment.ask.tokens if not segment.is_aside_token(token)]
        for place in range(len(tokens) - len(words) + 1):
            before = tokens[max(0, place - 2) : place]
            if [token.word for token in tokens[place : place + len(words)]] != words:
                continue
            is_given = bool(before) and before[-1].word in _WORDS_BEFORE_CHOICE | field
            is_clear = is_given or not _SENTENCE_WORDS.issuperset(words)
            denials = lexicon.placed_in(before, "denied_values")
            if is_clear and not any(last == len(before) for _, _, last in denials):
                return True
    return False


def _order_words(segment: UtteranceSegment) -> Sequence[Token]:
    """Return the words of a segment; of one that tells something only those of the order at its end."""
    tokens = segment.ask.tokens
    return order_clause(tokens, FIELD_CHANGE_ACTS) if segment.ask.act in _STATEMENT_ACTS else tokens


def _flag_stems(name: str) -> set[str]:
    """Return the stems of what a flag is about: "call" of do_not_call."""
    return {token.stem for word in name.split("_") if word not in ("do", "not") for token in tokenize(word)}


def staff_counts(tokens: Sequence[Token]) -> Iterator[float]:
    """Yield the numbers of people that somebody has: "they have around 220 people", not "220 people came"."""
    words = [token for token in tokens if token.word not in _APPROXIMATING_WORDS]
    for verb, number, noun, after in zip(words, words[1:], words[2:], (*words[3:], None), strict=False):
        is_count = number.kind == "number" and number.word.isdecimal() and noun.word in _STAFF_WORDS
        if is_count and verb.word in _HAVING_VERBS and (after is None or after.kind == "mark" or after.word == "now"):
            yield float(number.word)


def counted(tokens: Sequence[Token], nouns: Collection[str]) -> Iterator[float]:
    """Yield the numbers that count one of some nouns: "77 points"."""
    pairs = pairwise(tokens)
    return (amount.value for number, noun in pairs if noun.word in nouns for amount in find_amounts(number.text))


def given_numbers(segments: Iterable[UtteranceSegment]) -> Iterator[float]:
    """Yield the numbers that a verb of changes gives in its own clause: "set Acme to 41,000", not "… to 40 seats"."""
    for segment in segments:
        tokens = [] if segment.denial else [one for one in segment.ask.tokens if not segment.is_aside_token(one)]
        clauses = [
            list(group) for is_mark, group in groupby(tokens, lambda one: one.text in CLAUSE_MARKS) if not is_mark
        ]
        # "It comes down to 130,000, adjust that"
        is_adopted = segment.is_used_by_next or (segment.acts_on_antecedent and FIELD_CHANGE_ACTS & segment.verb_acts)
        for clause in clauses:
            verb = next((at for at, one in enumerate(clause) if FIELD_CHANGE_ACTS & acts_of(one.word)), len(clause))
            for before, number, after in zip(clause, clause[1:], (*clause[2:], None), strict=False):
                is_given = before.word in _WORDS_BEFORE_NUMBER and (is_adopted or clause.index(before) > verb)
                if is_given and (after is None or not _is_unit(after)):
                    yield from (amount.value for amount in find_amounts(number.text))


def _is_unit(token: Token) -> bool:
    """Return whether a word may be what a number counts: "seats"."""
    return token.kind == "word" and len(token.word) > _MIN_UNIT and token.word.endswith("s")


def is_only_field_for(name: str, value: float, properties: Mapping[str, Any]) -> bool:
    """Return whether the range of each other field of numbers excludes a number: 41,000 is no probability."""
    fields = [
        (field, kind.get("minimum", value) <= value <= kind.get("maximum", value))
        for field, schema in properties.items()
        for kind in (schema, *schema.get("anyOf", ()))
        if kind.get("type") in ("number", "integer")
    ]
    return len(fields) > 1 and [field for field, is_fitting in fields if is_fitting] == [name]


def flag_tokens(text: str) -> list[Token]:
    """Return the tokens of a text, with the names of flags in their words: "the do-not-call flag"."""
    return tokenize(_HYPHEN.sub(" ", text))


def is_switched_on(name: str, tokens: Sequence[Token]) -> bool:
    """Return whether a flag such as do_not_call is ordered: a denial stands before what is no longer to be done."""
    flag_stems = _flag_stems(name)
    words = [token for token in tokens if token.kind != "mark" or token.text in "-,"]
    for place, token in enumerate(words):
        before = [one.word for one in words[max(0, place - 2) : place] if one.text != ","]
        is_statement_clause = bool(before) and (before[-1] in _AUXILIARIES_BEFORE_NEGATION or before[0] in ("i", "we"))
        pairs = pairwise(_scope_of_negation(words[place:]))
        after = {two.stem for one, two in pairs if one.word not in lexicon.DETERMINERS}
        clause = itertools.takewhile(lambda one: one.text != ",", words[place + 1 :])
        is_statement_clause = is_statement_clause or any(one.word in _EVENT_WORDS for one in clause)
        if token.word in _NEGATION_WORDS and not is_statement_clause and flag_stems <= after:
            return True
    return False


def _scope_of_negation(words: Sequence[Token]) -> Sequence[Token]:
    """Return a negation and the words that it denies; a comma ends them unless a list goes on after it."""
    comma = next((at for at, one in enumerate(words) if one.text == ","), len(words))
    rest = list(itertools.takewhile(lambda one: one.text != ",", words[comma + 1 :]))
    is_list = any(one.word in ("or", "nor") for one in rest) and not any(one.word in COPULAR_VERBS for one in rest)
    kept = words if is_list else words[:comma]
    return [one for one in kept if one.text != ","][: _MAX_WORDS_AFTER_NEGATION + 1]


def is_switched_off(name: str, segments: Iterable[UtteranceSegment]) -> bool:
    """Return whether a segment lifts a flag such as do_not_call: "he may be called again", "clear do not call"."""
    flag_stems = _flag_stems(name)
    for segment in segments:
        tokens = [token for token in flag_tokens(segment.ask.text) if token.kind != "mark"]
        if segment.denial or not flag_stems <= {token.stem for token in tokens}:
            continue
        words = {token.word for token in tokens}
        is_passive = any(one.word == "be" and other.stem in flag_stems for one, other in pairwise(tokens))
        is_named = is_switched_on(name, tokens) and bool(words & _CLEARING_WORDS)
        if is_named or ((is_passive or words & _PERMISSION_VERBS) and not is_switched_on(name, tokens)):
            return True
    return False


def _places(segment: UtteranceSegment, value: str) -> Iterator[int]:
    """Yield the places in a segment's text at which a value begins."""
    text, lowered_value = segment.ask.text.lower(), value.lower()
    at = text.find(lowered_value) if lowered_value else -1
    while at >= 0:
        yield at
        at = text.find(lowered_value, at + 1)


def _is_new_owner(segment: UtteranceSegment, place: int) -> bool:
    """Return whether who stands at a place is to have the record: "give him to bob", "bob takes over", "assign bob"."""
    before = [token.word for token in segment.ask.tokens if token.end <= place]
    last = next((word for word in reversed(before) if word == "to" or word not in POLITE_OPENING_WORDS), None)
    return last is None or last in _WORDS_BEFORE_OWNER or is_verb(last)


def _is_owner(segment: UtteranceSegment, place: int) -> bool:
    """Return whether who stands at a place is tagged as an owner, and is to have the record."""
    owners = (span for span in segment.spans if span.tag == "owner")
    return any(span.start <= place < span.end for span in owners) and _is_new_owner(segment, place)


def _is_of_other_act(segment: UtteranceSegment, place: int) -> bool:
    """Return whether the verb before a place orders no change of a field: "write to ann@x.example"."""
    verbs = [token for token in segment.ask.loose if token.end <= place and lexicon.acts_of_verb(token.word)]
    return bool(verbs) and not FIELD_CHANGE_ACTS & lexicon.acts_of_verb(verbs[-1].word)


def _is_of_other_subject(segment: UtteranceSegment, place: int) -> bool:
    """Return whether a value is said of somebody without a name: "his boss is Managing Director"."""
    before = [token for token in segment.ask.tokens if token.end <= place and token.word not in lexicon.DETERMINERS]
    while before and before[-1].word in lexicon.INTERJECTIONS | {"now"}:
        before.pop()
    if not before or before[-1].word not in COPULAR_VERBS:
        return False
    subject = list(itertools.takewhile(lambda one: one.kind != "mark" and one.word != "and", reversed(before[:-1])))
    return any(one in segment.ask.loose and one.word not in _SUBJECT_WORDS for one in subject)


def _is_of_order(segment: UtteranceSegment, token: Token, value: str) -> bool:
    """Return whether a word is no aside and no verb of another order, such as an "email" to be sent."""
    if segment.is_aside_token(token):
        return False
    if token not in segment.ask.loose:
        return True
    if token.word == value:
        return not is_verb(token.word) and not _is_verb_of_other_act(token)
    # "Cancel the call" orders the value itself.
    return lexicon.means_value([token], value) or not _is_verb_of_other_act(token)


def _is_verb_of_other_act(token: Token) -> bool:
    """Return whether a word is the verb of orders that change no field."""
    acts = lexicon.acts_of_verb(token.word)
    return bool(acts) and not FIELD_CHANGE_ACTS & acts


def _are_words_in(value: str, tokens: Sequence[Token]) -> bool:
    """Return whether all words of a value stand among tokens, in any order."""
    return {token.stem for token in tokenize(value.replace("_", " "))} <= {token.stem for token in tokens}
