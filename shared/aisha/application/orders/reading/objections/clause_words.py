"""Tell which words of a clause are more than an order needs."""

from collections.abc import Iterator, Sequence

from aisha.application.orders.reading.clauses import (
    POLITE_OPENING_WORDS,
    is_clause_end,
    request_frame,
)
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

_CLAUSE_OPENERS = frozenset(("and", "then", "so", "but", "please"))
_COURTESY_WORDS = frozenset("kind able possible favour favor grateful wondering if see case ask asking".split())
_FILLER_WORDS = (
    lexicon.INTERJECTIONS
    | lexicon.LINK_WORDS
    | lexicon.KIND_NAMES
    | POLITE_OPENING_WORDS
    | frozenset(
        "the a an of for to at on in as by with from into over is are be was were 's now today be being been has have "
        "had should must record status stage its it his her their our me this that these those all same too more also "
        "quick one short urgent sticky note reminder "
        "not no longer new old only regarding concerning about around up down out off back s needs ought got".split()
    )
)
_OWN_WISHES = (["i", "wish", "to"], ["we", "wish", "to"])


def clause_start_words(tokens: Sequence[Token], place: int) -> Sequence[Token]:
    """Return the words of a clause before a place in it."""
    ends = (at for at in range(place - 1, -1, -1) if tokens[at].word in _CLAUSE_OPENERS or is_clause_end(tokens, at))
    start = next((at + 1 for at in ends if [one.word for one in tokens[at - 1 : at + 1]] != ["to", "please"]), 0)
    return tokens[start:place]


def unexpected_words(segment: UtteranceSegment, tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words outside of slots that are more than politeness and links."""
    loose_tokens, frame = segment.ask.loose, request_frame(segment.ask.tokens)
    words = [token.word for token in tokens]
    for place, token in enumerate(tokens):
        if token in frame or words[max(0, place - 1) : place + 2] in _OWN_WISHES:
            continue
        is_value = bool(
            lexicon.values_in(token.word) or lexicon.fields_in(token.word) or lexicon.activity_type_of(token.word)
        )
        is_adverb = token.word.endswith("ly") or token.word in _COURTESY_WORDS
        if (
            token.kind == "word"
            and token in loose_tokens
            and (token.word not in _FILLER_WORDS or token.word.endswith("n't"))
            and not (is_value or is_adverb)
        ):
            yield token
