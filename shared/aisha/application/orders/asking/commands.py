"""Find the orders in the clauses of a message: imperatives, requests, wishes and new entries."""

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile

from aisha.application.orders.asking.marks import Marks, has_mark
from aisha.application.orders.reading.clauses import (
    MODAL_VERBS,
    PASTS,
    POLITE_OPENING_WORDS,
    SPEAKER_PRONOUNS,
    acts_of,
    is_passive_request,
    is_request,
    is_verb,
)
from aisha.domain.language import lexicon, vocabulary
from aisha.domain.language.models.order_form import FIELD, TARGET, VALUE
from aisha.domain.language.tokens import Token
from aisha.domain.language.words import first_names

JOINING_WORDS = frozenset("and so then but please pls also now anyway kindly just therefore meantime or".split())
"""Before these a new clause may begin, also without a mark."""
OPENING_WORDS = (
    POLITE_OPENING_WORDS
    | JOINING_WORDS
    | frozenset(
        "again right well alright good great yes no only rather instead first last next finally lastly oh cheers mate "
        "folks lads guys dear morning afternoon evening sure here quickly be cheers".split()
    )
)
"""Words before the verb of an order at the beginning of a clause."""
_POLITE_WORDS = frozenset("please pls kindly".split())
_WISHING_VERBS = frozenset("want need like request require appreciate".split())
_WORDS_AFTER_WISH = frozenset("to would could will".split())
_NEEDS = frozenset("should must shall needs ought has wants".split())
_THANKS = re.compile(r"\b(?:grateful|glad|happy|obliged|appreciate it) if (?:you|u)\b")
_ORDERS_OF_IT = (("do", "it"), ("do", "that"), ("do", "so"), ("do", "me"), ("see", "to"), ("make", "it"))
_GOVERNING_WORDS = (
    MODAL_VERBS
    | SPEAKER_PRONOUNS
    | lexicon.PERSON_PRONOUNS
    | lexicon.DETERMINERS
    | lexicon.REPORTING_VERBS
    | lexicon.NEGATIONS
    | lexicon.QUESTION_STARTS
    | frozenset(
        "to must let lets say saying write always usually never be being been i'd i'll we'd we'll he'd he'll she'd "
        "she'll they'd they'll me us them that which of with by a an new whether if because".split()
    )
)
"""Right before a verb within a clause they make it none of the user's orders."""
_CAUSING_WORDS = lexicon.REPORTING_VERBS | frozenset(
    "let help helps remind reminds ask tell want wish wishes wished wonder somebody someone nobody everybody whoever "
    "anybody anyone".split()
)
"""Before a verb in the same clause they make somebody else's act of it."""
_OTHER_SUBJECTS = lexicon.PERSON_PRONOUNS | {"you", "u", "who"}
_POINTING_WORDS = lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS | {"me", "us"}
_OBJECT_WORDS = _POINTING_WORDS | lexicon.DETERMINERS
_OWN_DOING = frozenset(("myself", "ourselves"))
"""With these an imperative tells what the user did: "put him on warm myself this morning"."""
_ENDINGS = ("ed", "ing", "s", "'d", "'ll", "n't", "ly")
_MIN_INFLECTED = 5
"""Letters of the shortest word with an ending: "ping" has none."""
_INDEFINITE_WORDS = frozenset("a an another one some".split())
_PARTICLES = frozenset("up out in back off over down base".split())
_PREPOSITIONS = frozenset("with to on about for".split())
_NOUNS_OF_ENTRIES = frozenset("memo minute note reminder stickynote sticky".split())
_WORDS_BEFORE_ENTRY = lexicon.DETERMINERS | frozenset("new another quick short small one for please".split())
_WORDS_AFTER_ENTRY = frozenset("for on about with under to please pls in at next".split())
_MAX_ENTRY = 4
"""Words among which a new entry is said to be one."""


def begins_order(words: Sequence[Token], marks: Marks) -> bool:
    """Return whether words are a request or a wish, or begin with the verb of an order or a new entry."""
    plain = [one.word for one in words]
    own = [*dropwhile(lambda one: one.word in JOINING_WORDS, words)]
    if is_request(own) or is_passive_request(own) or _is_tagged(plain) or not _POLITE_WORDS.isdisjoint(plain):
        return True
    lead = next((at for at, one in enumerate(words) if one.start in marks or one.word not in OPENING_WORDS), len(words))
    opening, rest = plain[:lead], plain[lead:]
    if _wishes(plain) or tuple(rest[:2]) in _ORDERS_OF_IT or _is_entry(words[lead:]):
        return True
    following = words[lead : lead + 1]
    if {"you", "u"}.intersection(opening) and MODAL_VERBS.intersection(opening) and rest[:1] != ["do"]:
        # "Can you keep on file that …"
        return bool(following) and (may_be_bare_verb(following[0]) or _is_imperative(words[lead:], marks))
    if opening[-1:] in (["need"], ["want"]) and _OTHER_SUBJECTS.isdisjoint(opening):
        # "Need a mail to Ann"
        return bool(following) and _is_object(following[0], marks)
    if rest[:1] == ["do"] and len(rest) > 1:
        # "Do put a call in the book.", "do a scan of the pipeline"
        return words[lead + 1].word in _INDEFINITE_WORDS or _is_imperative(words[lead + 1 :], marks)
    if opening[-1:] in (["have"], ["get"]) and opening[-2:-1] not in (["i"], ["we"]):
        # "Have it changed", "can we get her reassigned"
        return bool(following) and _is_object(following[0], marks)
    if opening[-1:] in (["i"], ["we"], ["to"], ["i'll"], ["we'll"]):
        # "I wish to assign …"
        return rest[:2] == ["wish", "to"] or (opening[-1] == "to" and not (_WISHING_VERBS | _NEEDS).isdisjoint(opening))
    return lead < len(words) and _is_imperative(words[lead:], marks)


def _is_tagged(words: Sequence[str]) -> bool:
    """Return whether words end with "would you"."""
    return len(words) > 2 and words[-2] in MODAL_VERBS and words[-1] in ("you", "u", "ya")


def _is_entry(words: Sequence[Token]) -> bool:
    """Return whether words name a new entry, as in a list: "new lead Ann Lee", "note on Acme", "quick call with Bo"."""
    is_new = any(one.word in ("new", "another") for one in words[:_MAX_ENTRY])
    bare = [*dropwhile(lambda one: one.word in _WORDS_BEFORE_ENTRY or lexicon.number_in(one.word), words)]
    nouns = [*takewhile(_is_noun_of_entry, bare)]
    is_record = any(lexicon.kind_named(one) in lexicon.KINDS for one in nouns)
    after = [one.word for one in bare[len(nouns) :]][:2]
    # "Two leads to enter", but not "lead to Bob".
    is_to_be_made = after[:1] == ["to"] and any(map(is_verb, after[1:]))
    is_entry = not is_record and (not after or after[0] in _WORDS_AFTER_ENTRY)
    return bool(nouns) and (is_new or is_to_be_made or is_entry)


def _is_noun_of_entry(token: Token) -> bool:
    is_kind = lexicon.kind_named(token) is not None or bool(lexicon.activity_type_of(token.stem))
    return is_kind or token.word in _NOUNS_OF_ENTRIES


def _wishes(words: Sequence[str]) -> bool:
    """Return whether words say what the user wants: "I want his score at 80"; not "I wish Bob would set it"."""
    subject = next((at for at, one in enumerate(words) if one in ("i", "we", "i'd", "we'd", "i'll")), None)
    if subject is None or not OPENING_WORDS.issuperset(words[:subject]):
        return False
    if words[subject + 1 : subject + 2] == ["must"] or _THANKS.search(" ".join(words)):
        return True
    verb = next((at for at, one in enumerate(words[: subject + 3]) if one in _WISHING_VERBS), None)
    return verb is not None and verb > subject and not _WORDS_AFTER_WISH.intersection(words[verb + 1 : verb + 2])


def _is_imperative(words: Sequence[Token], marks: Marks) -> bool:
    """Return whether words begin with their verb: a known one, or any before an object of the call."""
    verb, following = words[0], words[1:2]
    # "Score of 90" has a noun.
    if [one.word for one in following] == ["of"] or not _OWN_DOING.isdisjoint(one.word for one in words):
        return False
    if is_verb(verb.word) or acts_of(verb.word) or _is_phrasal(words):
        return True
    is_of_record = marks.get(verb.start) in (TARGET, VALUE, FIELD) or verb.word in first_names()
    is_about_call = has_mark(words, marks, TARGET, VALUE, FIELD) or any(one.word in _POINTING_WORDS for one in words)
    is_verbal = not is_of_record and is_about_call and may_be_bare_verb(verb)
    return is_verbal and bool(following) and _is_object(following[0], marks)


def _is_phrasal(words: Sequence[Token]) -> bool:
    """Return whether words begin with a verb, its particle and a preposition: "follow up with Ann", "reach out to"."""
    verb, *after = [one.word for one in words[:3]]
    is_verb_with_particle = len(after) > 1 and after[0] in _PARTICLES and after[1] in _PREPOSITIONS
    return is_verb_with_particle and not _is_inflected(verb) and verb not in _GOVERNING_WORDS | PASTS


def _is_inflected(word: str) -> bool:
    return word.endswith(_ENDINGS) and len(word) >= _MIN_INFLECTED and word[-2:] != "ss"


def may_be_bare_verb(token: Token) -> bool:
    """Return whether a word may be an imperative that nobody has listed: "chuck", "whack", "reclassify"."""
    is_function = token.stem in vocabulary.load().neutral or token.word in _GOVERNING_WORDS | PASTS
    return token.kind == "word" and not _is_inflected(token.word) and not is_function


def _is_object(token: Token, marks: Marks) -> bool:
    """Return whether a word may begin the object of a verb."""
    is_object = token.word in _OBJECT_WORDS or token.kind == "number" or lexicon.kind_named(token) is not None
    return is_object or marks.get(token.start) in (TARGET, FIELD, VALUE)


def has_order_within(words: Sequence[Token], marks: Marks) -> bool:
    """Return whether an imperative follows other words without a mark, as people dictate: "nice call mark him warm"."""
    for place in range(1, len(words) - 1):
        before, verb, following = words[place - 1 : place + 2]
        if not is_verb(verb.word) or verb.start in marks or before.word in _GOVERNING_WORDS:
            continue
        is_own = _CAUSING_WORDS.isdisjoint(one.word for one in words[:place])
        if is_own and _is_object(following, marks):
            return True
    return False
