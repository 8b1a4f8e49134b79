"""Find out whom a message speaks to: "Bob, set Jack to lost" and "tell Bob: set …" order nothing of the assistant."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile

from msgspec import Struct

from aisha.application.orders.reading.clauses import (
    MODAL_VERBS,
    POLITE_OPENING_WORDS,
    acts_of,
    base_of,
    clause_verbs,
    is_verb,
)
from aisha.application.orders.reading.objections.statements import STATING_VERBS
from aisha.domain.language import lexicon
from aisha.domain.language.courtesies import ASSISTANTS
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.words import corrected, first_names, is_common

_GREETINGS = lexicon.INTERJECTIONS | frozenset(
    "hello dear good morning afternoon evening and so but then nope nah".split()
)
_CORRECT = tuple(sorted(_GREETINGS))
_GROUPS = frozenset("all colleagues everybody everyone folks guys people somebody someone team".split())
_PASSING_VERBS = frozenset("forward pass relay say tell write".split())
_MAX_PASSING = 5
"""Words from a verb of passing on to the name before its colon: "pass this on to Bob: …"."""
_SENTENCE_ENDS = frozenset(".!?;")
_CLAUSE_ENDS = _SENTENCE_ENDS | {",", ":"}
_MARKS_AFTER_NAME = frozenset((",", ":", "-", "–", "—"))
_WORDS_AFTER_SUBJECT = frozenset("who whose whom which from at of with and or but is was has".split())
"""After a name and a comma they go on with what is said of it."""
_WORDS_BEFORE_NOUN = frozenset("the a an our my your his her their".split())
_PREDICATES = STATING_VERBS | frozenset("are must should has have needs goes wants can".split())
_MIN_SENTENCE = 3
_MAX_NAME = 4
"""Words of a name before an order."""


class Addressee(Struct, frozen=True):
    """Somebody to whom a sentence speaks that begins at `start` of the text; `words` are those of the name."""

    name: str
    words: frozenset[str]
    start: int


def addressees_in(text: str, assistant_name: str = "") -> Iterator[Addressee]:
    """Yield those to whom a sentence of a text speaks right before an order, without the assistant."""
    own_names = ASSISTANTS | {token.word for token in tokenize(assistant_name)}
    tokens = tokenize(text)
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        if before is None or before.word in _SENTENCE_ENDS or "\n" in text[before.end : token.start]:
            sentence = tokens[place:]
            name = _addressed_name(sentence) or _recipient(sentence) or _mention(sentence) or _closing_name(sentence)
            words = frozenset(one.word for one in name)
            if name and not words & own_names:
                yield Addressee(text[name[0].start : name[-1].end], words, token.start)


def _addressed_name(sentence: Sequence[Token]) -> Sequence[Token]:
    """Return the name at the beginning of a sentence that goes on as an order to who has it; empty if there is none."""
    lead = [*takewhile(lambda one: one.word in _GREETINGS or one.kind == "mark", sentence)]
    rest = sentence[len(lead) :]
    is_group = bool(rest) and rest[0].word in _GROUPS
    name = rest[:1] if is_group or _may_be_called(rest) else [*takewhile(_is_name, rest[:_MAX_NAME])]
    order = rest[len(name) :]
    has_comma = bool(order) and order[0].word in _MARKS_AFTER_NAME
    if not name or not (has_comma or _begins_request(order)):
        return ()
    content = (one.word for one in order if one.kind != "mark" and one.word not in POLITE_OPENING_WORDS)
    verb = next(content, "")
    is_vocative = (
        has_comma
        and len(name) == 1
        and name[0].word in first_names()
        and not is_verb(name[0].word)
        and _begins_sentence(order[1:])
    )
    return name if is_verb(verb) or acts_of(verb) or is_vocative else ()


def _may_be_called(sentence: Sequence[Token]) -> bool:
    """Return whether a sentence begins with an unknown word and a comma, in lower case, too: "zorblax, set him …"."""
    return [one.word for one in sentence[1:2]] == [","] and _is_unknown(sentence[0].word)


def _begins_sentence(words: Sequence[Token]) -> bool:
    """Return whether words after a name and a comma are a sentence; not of "Bob, our boss, …" and "Bob, Ann and Cy"."""
    clause = [*takewhile(lambda one: one.word not in _CLAUSE_ENDS, words)]
    mark, rest = [one.word for one in words[len(clause) :][:1]], words[len(clause) + 1 :]
    # "Bob, the deal Acme Renewal, please advance it"
    is_before_order = mark == [","] and (_begins_request(rest) or any(is_verb(one.word) for one in rest[:1]))
    if not clause or (clause[0].word in _WORDS_AFTER_SUBJECT and not is_before_order):
        return False
    name = [*takewhile(_is_name, clause)]
    following = clause[len(name) :][:1] or [one for one in rest[:1] if _is_name(one) and not is_verb(one.word)]
    is_list = bool(name and following) and (following[0].word == "and" or len(name) == len(clause))
    is_told = is_before_order or any(_is_predicate(one.word) for one in clause)
    is_apposition = clause[0].word in _WORDS_BEFORE_NOUN and mark == [","] and not is_told
    # "Ann, Acme Ltd." is a signature.
    is_short = len(clause) < _MIN_SENTENCE and mark not in ([","], [":"])
    return not (is_list or is_apposition or is_short)


def _is_predicate(word: str) -> bool:
    """Return whether a word may be the verb of a sentence about something: "the deal closes", "my mail bounced"."""
    return word in _PREDICATES or (word[-1:] == "s" and is_verb(base_of(word))) or word[-2:] == "ed"


def _mention(sentence: Sequence[Token]) -> Sequence[Token]:
    """Return the name after the first "@" of a sentence, as in "can @bob set …"; empty if there is none."""
    words = takewhile(lambda one: one.word not in _SENTENCE_ENDS, sentence)
    return next(([name] for mark, name in pairwise(words) if mark.word == "@" and name.start == mark.end), ())


def _recipient(sentence: Sequence[Token]) -> Sequence[Token]:
    """Return the name of who is to be told what stands after a colon: "forward to Bob: …"; empty if nobody is."""
    words = [*dropwhile(lambda one: one.word in _GREETINGS or one.kind == "mark", sentence)]
    head = [*takewhile(lambda one: one.kind == "word", words)]
    is_passed = bool(head) and head[0].word in _PASSING_VERBS and [one.word for one in words[len(head) :][:1]] == [":"]
    return head[-1:] if is_passed and len(head) <= _MAX_PASSING and _is_name(head[-1]) else ()


def _closing_name(words: Sequence[Token]) -> Sequence[Token]:
    """Return the name with which an order ends, after a comma: "set Jack to lost, Bob"; empty if there is none."""
    sentence = [*takewhile(lambda one: one.word not in _SENTENCE_ENDS, words)]
    marks = [place for place, one in enumerate(sentence) if one.kind == "mark"]
    # "Thanks, Ann" is a signature, and "…, from Ann, Bob" a list.
    is_order = (
        len(marks) == 1 and sentence[marks[0]].word == "," and any(map(is_verb, clause_verbs(sentence[: marks[0]])))
    )
    name = sentence[marks[0] + 1 :] if is_order else []
    return name if len(name) == 1 and _is_name(name[0]) and not is_verb(name[0].word) else ()


def _is_name(token: Token) -> bool:
    """Return whether a word is one of a name, also in lower case and at the beginning of a sentence."""
    return token.word in first_names() or (token.is_capital and _is_unknown(token.word))


def _is_unknown(word: str) -> bool:
    """Return whether a word is no English one, also misspelt."""
    return word.isalpha() and not (word in _GREETINGS or is_common(word) or corrected(word, _CORRECT) != word)


def _begins_request(tokens: Sequence[Token]) -> bool:
    """Return whether words ask whoever stands before them for something: "can you", "please"."""
    words = [one.word for one in tokens[:2]]
    is_modal = words[:1] != [] and words[0] in MODAL_VERBS and words[1:] in (["you"], ["u"])
    return is_modal or words[:1] in (["please"], ["pls"], ["kindly"])
