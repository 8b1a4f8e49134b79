"""Cut a message into segments, each with what those around it deny, report or save of it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from aisha.application.orders.reading.clauses import (
    JOINING_WORDS,
    POLITE_OPENING_WORDS,
    TEXT_NOUNS,
    acts_of,
    base_of,
    clause_verbs,
    ends_in_question,
    first_word,
    is_verb,
)
from aisha.application.orders.reading.objections.denials import denial_of
from aisha.application.orders.reading.objections.options import lets_other_act
from aisha.application.orders.reading.objections.retractions import retraction_in, takes_back
from aisha.application.orders.reading.quotations import unforwarded, unquoted
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
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
from aisha.domain.language.acts import ADDRESS_TAGS, FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.borders import SALUTATIONS
from aisha.domain.language.notation import spelled_out
from aisha.domain.language.reader import Segment, parts_of, read
from aisha.domain.language.tokens import tokenize

_SENTENCE_ENDS = frozenset((".", "!", "?", ";"))
_DASHES = frozenset(("–", "—"))
REPLACING_WORDS = frozenset("just only instead rather but".split())
_MAX_ANNOUNCING = 6
"""Tokens before a quotation among which the verb stands that announces it: "I told Bob in March:"."""
_VALUE_TAGS = ADDRESS_TAGS | frozenset("value amount when count owner topic text new org".split())
_UNREAL_WORDS = lexicon.NEGATIONS | frozenset(
    "was were had could might may would will should wants want if soon almost nearly probably perhaps maybe".split()
)
_WORDS_BEFORE_CLAUSE_END = frozenset(
    "who which what why when where how whether that to of on with about by than from into".split()
)


def read_segments(message: str, now: datetime, names: Sequence[str]) -> list[UtteranceSegment]:
    """Return the segments of a message, without what it quotes. `names` are those of records that it may name."""
    # The lines of a thread that the user pastes are no list of asks.
    parts = (part for sentence in spelled_out(unforwarded(message)) for part in parts_of(sentence, names))
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
        is_of_order = any(one.denial == RETRACTED and one.ask.act in WRITES for one in segments[:place])
        if is_of_order and takes_back(segment.ask.tokens):
            # "Drop all of it again" orders nothing but that; "oh no! Undo that" does.
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
