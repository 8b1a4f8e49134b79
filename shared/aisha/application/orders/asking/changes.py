"""Tell whether a sentence states a change and nothing else, as people note it: "Ann: score 80", "Acme to won"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from aisha.application.orders.asking.commands import OPENING_WORDS
from aisha.application.orders.asking.marks import Marks, has_mark
from aisha.application.orders.reading.clauses import base_of, is_verb
from aisha.domain.language import lexicon
from aisha.domain.language.models.order_form import FIELD, OTHER_NAME, OTHER_VALUE, TARGET, VALUE
from aisha.domain.language.tokens import Token

DUTIES = frozenset("should must shall needs ought has wants".split())
"""With these a record or a field is said to need a change."""
_LINKING_WORDS = (
    lexicon.LINK_WORDS
    | lexicon.INTERJECTIONS
    | lexicon.DETERMINERS
    | lexicon.BACK_REFERENCES
    | lexicon.KIND_NAMES
    | OPENING_WORDS
    | DUTIES
    | frozenset(
        "as by into over are be were been had got goes go going moves becomes become gets reads read say says show "
        "shows equals stays belongs no not but longer new old only regarding re concerning up down out off back "
        "being status stage record today from effect immediate i'm that's needs instead there's another me us "
        "correction change update fix to-do carries while other others".split()
    )
)
"""Words that a change may be stated with: "Ann's score goes to 80 now"."""
_FIELD_WORDS = frozenset(
    word
    for key, names in lexicon.entries("fields").items()
    for name in (key, *names)
    for word in re.split(r"[\W_]+", name)
)
_IMAGINING_WORDS = frozenset("he'd she'd they'd it'd that'd".split())


def states_change_alone(clauses: Sequence[Sequence[Token]], marks: Marks, field_words: frozenset[str]) -> bool:
    """Return whether the clauses of a sentence with its record and value say no more than the change.

    `field_words` are those of the call's fields, which may be a team's own.
    """
    if any(map(_imagines, clauses)):
        return False
    value = VALUE if VALUE in marks.values() else OTHER_VALUE
    valued = [words for words in clauses if has_mark(words, marks, value)]
    topics = [words for words in clauses if has_mark(words, marks, TARGET, FIELD) or _points_to_record(words)]
    is_of_no_record = not topics and TARGET not in marks.values()
    if is_of_no_record or any(_proposes(words, marks) for words in valued):
        return False
    if any(words in topics and _says_no_more(words, marks, field_words) for words in valued):
        return True
    # "Camille -> contacted, and what's Olga's email?"
    pairs = [(one, other) for one, other in pairwise(clauses) if one in topics and other in valued]
    together = ([one for words in parts for one in words] for parts in (*pairs, (*valued, *topics)) if valued)
    return any(_says_no_more(words, marks, field_words) for words in together)


def _points_to_record(words: Sequence[Token]) -> bool:
    """Return whether words mean a record by its kind: "the other lead", "this deal"."""
    kinds = (place for place, one in enumerate(words) if lexicon.kind_named(one) in lexicon.KINDS)
    return any(one.word in lexicon.DETERMINERS for place in kinds for one in words[max(0, place - 2) : place])


def _says_no_more(words: Sequence[Token], marks: Marks, field_words: frozenset[str]) -> bool:
    """Return whether words are those of a change alone: its record, field and value, and what links them."""
    # "Jack should move to lost" says what is to be; "Bob should move him" what somebody else is to do.
    is_duty = not DUTIES.isdisjoint(one.word for one in words) and not has_mark(words, marks, OTHER_NAME)
    more = (one for one in words if one.word not in field_words and not (is_duty and is_verb(one.word)))
    return not any(_is_more(one, marks) for one in more)


def _is_more(token: Token, marks: Marks) -> bool:
    """Return whether a word is neither of a record or a value nor one that a change is stated with."""
    is_link = token.kind != "word" or token.word in _LINKING_WORDS or token.word.endswith("ly") or base_of(token.word)
    is_of_change = token.word in _FIELD_WORDS or lexicon.values_in(token.word) or lexicon.activity_type_of(token.word)
    return token.start not in marks and not is_link and not is_of_change


def _proposes(words: Sequence[Token], marks: Marks) -> bool:
    """Return whether a record stands before "for" and a value: "Ann for president"; "score 80 for Ann" is a change."""
    marked = [marks.get(one.start, one.word) for one in words]
    return any(marked[at : at + 3] == [TARGET, "for", VALUE] for at in range(len(marked)))


def _imagines(words: Sequence[Token]) -> bool:
    """Return whether words say what somebody would think: "he'd love that"."""
    plain = [one.word for one in words[:2]]
    is_conditional = plain[1:] == ["would"] and plain[0] in lexicon.BACK_REFERENCES
    return plain[0] in _IMAGINING_WORDS or is_conditional
