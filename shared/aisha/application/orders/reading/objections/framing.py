"""Find what stands around the orders of a message: conditions, and the words that take all before them back."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from aisha.application.orders.reading.clauses import (
    MODAL_VERBS,
    POLITE_OPENING_WORDS,
    SPEAKER_PRONOUNS,
    clause_verbs,
    is_request,
    is_verb,
)
from aisha.application.orders.reading.objections.conditions import condition_in, first_step_in, is_clause_alone
from aisha.application.orders.reading.objections.retractions import takes_back
from aisha.application.orders.reading.quotations import without_quotations
from aisha.application.orders.wording import ASKED, QUOTED, RETRACTED, said
from aisha.domain.language import lexicon
from aisha.domain.language.sentences import Clause, sentences_in
from aisha.domain.language.tokens import Token

_POLITE_WORDS = frozenset("please pls kindly mind".split())
_MAX_RETRACTION = 8
"""Words of a clause that does no more than take back."""
_MAX_AFTER = 3
"""Words after it that belong to it: "on second thought, no"."""


_NO_CLOSINGS = frozenset("before till until when".split())
"""After an order these say by when it is to be done, or tell more of its time: "on Friday, when I am back"."""


_POINTING_WORDS = frozenset("that that's thats this it it's".split())
_SPEECH_VERBS = frozenset("said says wrote writes claimed claims".split())
_INVERTED_LENGTHS = (2, 3)
"""Words of "said Bob" and "said nobody ever"."""
_SPEAKERS = frozenset("nobody everybody somebody someone".split())
_WORDS_OF_SAYINGS = frozenset("what how".split())
_COMPARING_WORDS = frozenset("as like since because what who which and not".split())
"""Before what somebody said they give a reason: "…, as he asked"."""


class Frame(Struct, frozen=True):
    """Words from `start` to `end` of a message by which the orders from `first` to `last` wait.

    With `may_point` those words are about what stands before `first` where the message has the call's values there.
    """

    reason: str
    start: int
    end: int
    first: int
    last: int
    may_point: bool = False


def frames_in(message: str) -> Iterator[Frame]:
    """Yield the conditions of a message, each with its sentence, and what takes back all before it."""
    sentences = list(sentences_in(without_quotations(message)))
    for place, sentence in enumerate(sentences):
        first, last = sentence[0].words[0].start, sentence[-1].end
        alone = _condition_in(sentence[0].words) if len(sentence) == 1 and is_clause_alone(sentence[0].words) else ""
        if alone and "?" not in sentence[0].marks:
            # "When he declines. Set …" and "Set …. Unless he calls."
            around = sentences[max(0, place - 1) : place + 2]
            yield Frame(said(alone), first, last, around[0][0].words[0].start, around[-1][-1].end)
            continue
        # A sentence that an order answers, and a list of orders and questions, are no such question.
        is_apart = any(map(_begins_with_order, sentences[place + 1 : place + 2])) or ")" in sentence[-1].before
        if "?" in sentence[-1].marks and not is_apart and not _may_request(sentence):
            # "I promised her a call on Friday, where is it?"
            yield Frame(ASKED, last, last, first, last)
        if len(sentence) > 1 and (opening := _condition_in(sentence[0].words)):
            yield Frame(said(opening), first, sentence[0].end, first, last)
        elif (closing := _closing_condition(sentence)) is not None:
            start, words = closing
            yield Frame(said(words), start, last, first, last, may_point=_begins_with_order(sentence))
        for clause in sentence[1:]:
            if _attributes(clause.words):
                yield Frame(QUOTED, clause.words[0].start, last, first, clause.words[0].start)
    ends = sentences[-1] if sentences else ()
    for place, clause in enumerate(ends):
        is_whole = clause is not sentences[0][0] and sum(len(one.words) for one in ends[place + 1 :]) <= _MAX_AFTER
        if is_whole and _takes_back(clause):
            start = clause.words[0].start
            yield Frame(RETRACTED, start, len(message), 0, start)


def _condition_in(words: Sequence[Token]) -> str:
    """Return the words with which a clause makes what it belongs to wait; empty if it does not."""
    return (condition_in(words) or first_step_in(words)) if len(words) > 1 else ""


def _closing_condition(sentence: Sequence[Clause]) -> tuple[int, str] | None:
    """Return the start and the first words of a condition that ends a sentence; None if there is none."""
    words = sentence[-1].words
    starts = [0] if len(sentence) > 1 else []
    starts += [place for place, one in enumerate(words[:-1]) if one.word == "only"]
    for place in starts:
        condition = _condition_in(words[place:])
        if condition and not _NO_CLOSINGS.intersection(condition.split()):
            return words[place].start, condition
        if condition and words[place].word in ("only", "but"):
            return words[place].start, condition
    return None


def _begins_with_order(sentence: Sequence[Clause]) -> bool:
    """Return whether a sentence begins with the verb of an order: "enter it, …"."""
    words = (one.word for one in sentence[0].words if one.word not in POLITE_OPENING_WORDS)
    return is_verb(next(words, ""))


def _may_request(sentence: Sequence[Clause]) -> bool:
    """Return whether a question has words of a request: "could you", "please", or the verb of an order.

    "Open question: is she a lead?" has none, as its last clause asks.
    """
    last = [one.word for one in sentence[-1].words]
    if len(last) > _MAX_AFTER and last[0] in lexicon.QUESTION_STARTS and not is_request(sentence[-1].words):
        return False
    words = [one.word for clause in sentence for one in clause.words]
    if any(is_request(clause.words) for clause in sentence):
        return True
    is_asked = any({one, other} & MODAL_VERBS and {one, other} & SPEAKER_PRONOUNS for one, other in pairwise(words))
    is_ordered = any(is_verb(verb) for clause in sentence for verb in clause_verbs(clause.words))
    return is_asked or is_ordered or not _POLITE_WORDS.isdisjoint(words)


def _attributes(words: Sequence[Token]) -> bool:
    """Return whether a clause says whose words stand before it: "that's what Bob wrote", "the old list said"."""
    plain = [one.word for one in words]
    if SPEAKER_PRONOUNS.intersection(plain) or _SPEECH_VERBS.isdisjoint(plain):
        return False
    if plain[0] in _SPEECH_VERBS:
        return len(plain) in _INVERTED_LENGTHS and (words[1].is_capital or plain[1] in _SPEAKERS)
    is_pointing = plain[0] in _POINTING_WORDS and not _WORDS_OF_SAYINGS.isdisjoint(plain[1:3])
    return is_pointing or (plain[-1] in _SPEECH_VERBS and plain[0] not in _COMPARING_WORDS)


def _takes_back(clause: Clause) -> bool:
    """Return whether a clause does nothing but take back what was said: "scratch that", "no wait, don't do that"."""
    return len(clause.words) <= _MAX_RETRACTION and takes_back(clause.words)
