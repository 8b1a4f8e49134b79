"""The pieces of a segment that order no value: what is no longer so, what others want, what tells records apart."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile

from aisha.application.orders.reading.clauses import has_own_order, is_verb
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS
from aisha.domain.language.tokens import Token, tokenize

_LEAVING_PREPOSITIONS = frozenset((("off",), ("out", "of"), ("away", "from")))
_MAX_WORDS_BEFORE_REPORTING_VERB = 3
_CLAUSE_ENDS = frozenset(",;.:")
_SENTENCE_ENDS = frozenset(".;!?")
_DEFINITE_WORDS = frozenset("the my our all these those which".split())
_FORMER_PHRASES = frozenset(
    (("used", "to"), ("formerly",), ("previously",), ("instead", "of"), ("rather", "than"), ("no", "longer"))
)
"""Words before an old value."""
_ARROWS = frozenset(("→", ">"))
_DENYING_PHRASES = frozenset((("isn't",), ("aren't",), ("is", "not"), ("are", "not")))
_OUTDATED_ADJECTIVES = frozenset("old previous former outdated".split())
_WRONG_PREDICATES = frozenset(
    "wrong dead outdated invalid old gone obsolete incorrect disconnected bad stale expired".split()
)
_FAILING_VERBS = frozenset("bounces bounced".split())
_COPULAS = frozenset("is was isn't 's".split())
_ENDS_OF_OUTDATED = frozenset(", ; . with by to into and but".split())
_MAX_OLD_VALUE_WORDS = 8
"""Words of an old value."""
_OLD_VALUE_FRAMES = {
    "from": ("to", "into"),
    "was": (",", "but", ";"),
    "were": (",", "but", ";"),
    "not": (",", "but", ";"),
    "isn't": ("but", ";"),
    "aren't": ("but", ";"),
    "wasn't": ("but", ";"),
    "replace": ("by", "with"),
}
"""The words that an old value stands between."""


@lru_cache(maxsize=64)
def asides_of(text: str, *, is_new: bool = False) -> tuple[str, ...]:
    """Return the pieces of a segment that order no value.

    They are what something is not ("from warm to lost", "was lost, …", "isn't lost", "not a@x but b@x"),
    what somebody else wants ("…, bob asked for it"), and what only tells records apart ("the lost one"). A new record
    has no old values: "add Ann from Acme to my leads".
    """
    return tuple(_asides(text, is_new=is_new))


def _asides(text: str, *, is_new: bool) -> Iterator[str]:
    """Yield the asides of a segment: see `asides_of`."""
    tokens = tokenize(text)
    for place, token in enumerate(tokens):
        # "Do not call, please" forbids, and names no old value.
        is_forbidding = place > 0 and tokens[place - 1].word == "do"
        ends = () if is_new or is_forbidding else _OLD_VALUE_FRAMES.get(token.word, ())
        later = tokens[place + 1 : place + 2 + _MAX_OLD_VALUE_WORDS]
        end = next((one for one in later if one.word in ends or one.word in _SENTENCE_ENDS), None)
        if end is not None and end.word in ends and later[0] is not end:
            old = later[: later.index(end)]
            yield from _replaced_values(text, old) if token.word == "replace" else (text[token.start : end.start],)
        if (old_value := _value_before_arrow(tokens, place)) is not None:
            yield text[old_value.start : token.end]
        if token.word == "not" and place and (end is None or end.word in _SENTENCE_ENDS) and _are_values(later):
            # "Put it at 80, not 99."
            yield text[token.start : later[-1].end]
        words = tuple(one.word for one in tokens[place : place + 2])
        if words in _FORMER_PHRASES or words[:1] in _FORMER_PHRASES:
            stop = _clause_end(tokens, place)
            yield text[token.start : stop.start if stop else len(text)]
        if token.word == "by" and [one.word for one in later[1:2]] == ["to"] and later[0].kind == "number":
            # "Raise it by 10 to 60."
            yield text[token.start : later[0].end]
        if (state := _state_left(tokens, place)) is not None:
            yield text[state[0].start : state[-1].end]
        is_asked = place == 0 or tokens[place - 1].word in lexicon.QUESTION_STARTS
        is_denied = not is_asked and (words in _DENYING_PHRASES or words[:1] in _DENYING_PHRASES)
        if (is_denied or token.word in _OUTDATED_ADJECTIVES) and not is_new:
            stop = next((one for one in tokens[place + 1 :] if one.word in _ENDS_OF_OUTDATED), None)
            yield text[token.start : stop.start if stop else len(text)]
        if token.kind in ADDRESS_TAGS and _is_wrong([one.word for one in later[:3]]) and not is_new:
            yield token.text
        if token.word in _DEFINITE_WORDS and len(later) > 1 and lexicon.values_in(later[0].word) and _is_noun(later[1]):
            yield text[later[0].start : later[0].end]
    yield from _reported_clauses(text, tokens)


def _value_before_arrow(tokens: Sequence[Token], place: int) -> Token | None:
    """Return the value that an arrow at a place replaces by the one after it: "47 -> 52"; None if it is no such one."""
    before = [*dropwhile(lambda one: one.word in ("-", "="), reversed(tokens[:place]))][:1]
    pair = (*before, *tokens[place + 1 : place + 2])
    if tokens[place].word not in _ARROWS or len(pair) < 2:
        return None
    are_numbers = all(one.kind == "number" for one in pair)
    return pair[0] if are_numbers or all([*lexicon.values_in(one.word)] for one in pair) else None


def _are_values(tokens: Sequence[Token]) -> bool:
    """Return whether the words up to the end of a sentence are nothing but a number, an address or a choice."""
    words = [one for one in tokens if one.kind != "mark" and one.word not in lexicon.DETERMINERS]
    is_whole = all(one.kind != "mark" or one.word in _SENTENCE_ENDS for one in tokens)
    return is_whole and len(words) == 1 and (words[0].kind != "word" or bool([*lexicon.values_in(words[0].word)]))


def _is_wrong(words: Sequence[str]) -> bool:
    """Return whether words after an address say that it is not valid: "is dead", "is all wrong", "bounces"."""
    is_predicate = words[:1] != [] and words[0] in _COPULAS and bool(_WRONG_PREDICATES.intersection(words[1:]))
    return is_predicate or bool(_FAILING_VERBS.intersection(words[:1]))


def _reported_clauses(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the later clauses in which somebody else says or wants something, without an order of the user's own."""
    for place, token in enumerate(tokens):
        if token.word not in (",", ";", "as", "because", "since", "although", "but"):
            continue
        clause = tokens[place + 1 : place + 2 + _MAX_WORDS_BEFORE_REPORTING_VERB]
        reporting_verb = next((one for one in clause if one.word in lexicon.REPORTING_VERBS), None)
        is_own = any(one.word in ("i", "we", "please", ",", ";") or is_verb(one.word) for one in clause[:1])
        if reporting_verb is None or reporting_verb is clause[0] or is_own or has_own_order(tokens, reporting_verb):
            continue
        end = _clause_end(tokens, tokens.index(reporting_verb))
        yield text[clause[0].start : end.start if end else len(text)]


def _state_left(tokens: Sequence[Token], place: int) -> Sequence[Token] | None:
    """Return the words of a state that a record is to leave: "off qualified", "out of lost", "away from warm"."""
    words = tuple(one.word for one in tokens[place : place + 2])
    size = next((size for size in (2, 1) if words[:size] in _LEAVING_PREPOSITIONS), 0)
    later = tokens[place + size : place + size + 2]
    for count in (2, 1):
        phrase = " ".join(one.word for one in later[:count])
        if size and len(later) >= count and len(list(lexicon.values_in(phrase))) == 1 and phrase in _value_phrases():
            return later[:count]
    return None


def _replaced_values(text: str, object_: Sequence[Token]) -> Iterator[str]:
    """Yield what is to be replaced: of "Ann's email a@x.example" the address, of "Ann's email" nothing."""
    addresses = [one for one in object_ if one.kind in ADDRESS_TAGS or one.kind == "number"]
    if not lexicon.fields_in(" ".join(one.word for one in object_)):
        addresses = list(object_)
    if addresses:
        yield text[addresses[0].start : addresses[-1].end]


@lru_cache(maxsize=1)
def _value_phrases() -> frozenset[str]:
    """Return the ways to say an enumerated value."""
    values = lexicon.entries("values")
    return frozenset(
        (*(key.replace("_", " ") for key in values), *(phrase for phrases in values.values() for phrase in phrases))
    )


def _clause_end(tokens: Sequence[Token], place: int) -> Token | None:
    """Return the mark that ends a clause after a place; None if the text ends it."""
    return next((one for one in tokens[place + 1 :] if one.word in _CLAUSE_ENDS), None)


def _is_noun(token: Token) -> bool:
    """Return whether a word is a kind of record, or "one"."""
    return token.word in ("one", "ones") or lexicon.kind_named(token) is not None
