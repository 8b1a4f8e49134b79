"""Find the words that ask for a call: an imperative, a request, a wish, or a change that is stated and nothing else.

There is no end to the sentences that only speak of a change. Those that order one have few forms, and a call of a
message without any of them waits, whatever else speaks for it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from aisha.application.orders.likelihood import MarkedMessage
from aisha.application.orders.reading.clauses import (
    MODAL_VERBS,
    POLITE_OPENING_WORDS,
    SPEAKER_PRONOUNS,
    TEXT_NOUNS,
    acts_of,
    base_of,
    introduces_order,
    is_name,
    is_passive_request,
    is_request,
    is_verb,
)
from aisha.application.orders.reading.quotations import without_quotations
from aisha.domain.language import lexicon, vocabulary
from aisha.domain.language.models.order_form import FIELD, OTHER_NAME, OTHER_VALUE, TARGET, VALUE
from aisha.domain.language.sentences import Clause, sentences_in
from aisha.domain.language.tokens import Token
from aisha.domain.language.words import first_names

_JOINING_WORDS = frozenset("and so then but please pls also now anyway kindly just therefore meantime or".split())
"""Before these a new clause may begin, also without a mark."""
_OPENING_WORDS = (
    POLITE_OPENING_WORDS
    | _JOINING_WORDS
    | frozenset(
        "again right well alright good great yes no only rather instead first last next finally lastly oh cheers mate "
        "folks lads guys dear morning afternoon evening remember sure here quickly be cheers".split()
    )
)
"""Words before the verb of an order at the beginning of a clause."""
_WISHING_VERBS = frozenset("want need like request require appreciate".split())
_WORDS_AFTER_WISH = frozenset("to would could will".split())
_DUTIES = frozenset("should must shall needs ought has wants".split())
_LINKING_WORDS = (
    lexicon.LINK_WORDS
    | lexicon.INTERJECTIONS
    | lexicon.DETERMINERS
    | lexicon.BACK_REFERENCES
    | frozenset(lexicon.KIND_NAMES)
    | _OPENING_WORDS
    | _DUTIES
    | frozenset(
        "as by into over are be were been had goes go going moves becomes become gets reads read say says show shows "
        "equals stays belongs no not but longer new old only regarding re concerning up down out off back being status "
        "stage record today from effect immediate i'm that's needs instead there's another me us correction change "
        "update fix to-do carries while".split()
    )
)
"""Words that a change may be stated with: "Ann's score goes to 80 now"."""
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
_HEADING_WORDS = (
    lexicon.DETERMINERS
    | _OPENING_WORDS
    | frozenset(
        "for from per on re regarding about before as with quick one two three four five short small urgent important "
        "action result data todo task tasks request another more once thing things voice".split()
    )
)
"""A heading of the user's own begins with one of these: "quick one before lunch: …"."""
_NOUNS_OF_ORDERS = frozenset("task tasks todo reminder thing things note title order orders subject message".split())
_FOREIGN_TEXT_NOUNS = TEXT_NOUNS - _NOUNS_OF_ORDERS
_REPORTING_PRONOUNS = frozenset("he she they it who somebody someone".split())
_POLITE_WORDS = frozenset("please pls kindly".split())
_ORDERS_OF_IT = (("do", "it"), ("do", "that"), ("do", "so"), ("see", "to"), ("make", "it"))
_ENTRY_NOUNS = frozenset("memo minute note reminder stickynote sticky opportunity deal".split())
_WORDS_BEFORE_ENTRY = lexicon.DETERMINERS | frozenset("new another quick short small one sticky for please".split())
_WORDS_AFTER_ENTRY = frozenset("for on about with under to please pls in at next".split())
_MAX_ENTRY = 4
_POINTING_WORDS = lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS | {"me", "us"}
_OWN_DOING = frozenset(("myself", "ourselves"))
_IMAGINING_OPENINGS = frozenset("he'd she'd they'd it'd that'd".split())
_OBJECT_WORDS = lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS | lexicon.DETERMINERS | {"me", "us"}
_THANKS = re.compile(r"\b(?:grateful|glad|happy|obliged|appreciate it) if (?:you|u)\b")
_ENDINGS = ("ed", "ing", "s", "'d", "'ll", "n't", "ly")
_MIN_INFLECTED = 4
_FIELD_WORDS = frozenset(
    word
    for key, names in lexicon.entries("fields").items()
    for name in (key, *names)
    for word in re.split(r"[\W_]+", name)
)
_MAX_LATER = 2
"""Sentences after the one with the value in which it may be ordered: "She is 45 now. I checked. Fix it."."""
_MAX_ORDER_ALONE = 12
"""Words of such an order."""


class _Part(Struct, frozen=True):
    """The words of a clause, or of a piece of one that a conjunction begins; `clause` is its place in the sentence."""

    words: Sequence[Token]
    clause: int


class _Sentence(Struct, frozen=True):
    """The parts of a sentence; `asks` tells of each whether it is an order, `has_focus` whether it says a value."""

    clauses: Sequence[Clause]
    parts: Sequence[_Part]
    asks: Sequence[bool]
    has_focus: bool

    @property
    def size(self) -> int:
        return sum(len(part.words) for part in self.parts)


def asks_for_call(marked: MarkedMessage, message: str, argument_names: Iterable[str] = ()) -> bool:
    """Return whether a message asks for the call whose words are marked in it."""
    field_words = frozenset(word for name in argument_names for word in name.lower().split("_"))
    marks = {token.start: mark for token, mark in zip(marked.tokens, marked.marks, strict=True) if mark}
    focus = marked.focus_starts
    sentences = [_read(one, marks, focus) for one in sentences_in(without_quotations(message))]
    for place, sentence in enumerate(sentences):
        if focus and not sentence.has_focus:
            continue
        later = sentences[place + 1 : place + 1 + _MAX_LATER]
        before = sentences[place - 1 : place] if place else []
        if (
            any(sentence.asks)
            or any(any(one.asks) and not one.has_focus and one.size <= _MAX_ORDER_ALONE for one in later)
            or any(any(one.asks) and not one.has_focus for one in before)
            or _states_change_alone(sentence, marks, field_words)
        ):
            return True
    return False


def _read(clauses: Sequence[Clause], marks: Mapping[int, str], focus: Sequence[int]) -> _Sentence:
    parts = [_Part(words, place) for place, clause in enumerate(clauses) for words in _split(clause.words)]
    asks = [
        not _is_introduced_as_text(clauses, part.clause, marks)
        and (
            is_request(clauses[part.clause].words)
            or _begins_order(part.words, marks)
            or _has_order_within(part.words, marks)
        )
        for part in parts
    ]
    start, end = clauses[0].words[0].start - len(clauses[0].before), clauses[-1].end
    return _Sentence(clauses, parts, asks, any(start <= one < end for one in focus))


def _split(words: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the pieces of a clause that conjunctions begin: "she is keen | so mark her | and call me"."""
    start = 0
    for place in range(1, len(words)):
        if words[place].word in _JOINING_WORDS and words[place - 1].word not in _JOINING_WORDS:
            yield words[start:place]
            start = place
    yield words[start:]


def _begins_order(words: Sequence[Token], marks: Mapping[int, str]) -> bool:
    """Return whether words are a request or a wish, or begin with the verb of an order or a new entry."""
    plain = [one.word for one in words]
    if is_request(words) or is_passive_request(words) or _is_tagged(plain) or not _POLITE_WORDS.isdisjoint(plain):
        return True
    lead = next(
        (at for at, one in enumerate(words) if one.start in marks or one.word not in _OPENING_WORDS), len(words)
    )
    opening, rest = plain[:lead], plain[lead:]
    if _wishes(plain) or tuple(rest[:2]) in _ORDERS_OF_IT or _is_entry(words[lead:]):
        return True
    following = words[lead : lead + 1]
    if opening[-1:] in (["have"], ["get"]) and opening[-2:-1] not in (["i"], ["we"]):
        # "Have it changed", "can we get her reassigned"
        return bool(following) and _is_object(following[0], marks)
    if opening[-1:] in (["i"], ["we"], ["to"], ["i'll"], ["we'll"]):
        return opening[-1] == "to" and not (_WISHING_VERBS | _DUTIES).isdisjoint(opening)
    return lead < len(words) and _is_imperative(words[lead:], marks)


def _is_tagged(words: Sequence[str]) -> bool:
    """Return whether words end with "would you"."""
    return len(words) > 2 and words[-2] in MODAL_VERBS and words[-1] in ("you", "u", "ya")


def _is_entry(words: Sequence[Token]) -> bool:
    """Return whether words name a new entry, as in a list: "new lead Ann Lee", "note on Acme", "quick call with Bo"."""
    nouns = [one for one in words[:_MAX_ENTRY] if one.word not in _WORDS_BEFORE_ENTRY]
    is_new = any(one.word in ("new", "another") for one in words[:_MAX_ENTRY])
    noun = nouns[0] if nouns else None
    if noun is None:
        return False
    is_kind = lexicon.kind_named(noun) is not None or bool(lexicon.activity_type_of(noun.word))
    after = next((one.word for one in words if one.start > noun.start), "")
    return (is_kind or noun.word in _ENTRY_NOUNS) and (is_new or after in _WORDS_AFTER_ENTRY)


def _wishes(words: Sequence[str]) -> bool:
    """Return whether words say what the user wants: "I want his score at 80"; not "I wish Bob would set it"."""
    subject = next((at for at, one in enumerate(words) if one in ("i", "we", "i'd", "we'd", "i'll")), None)
    if subject is None or not _OPENING_WORDS.issuperset(words[:subject]):
        return False
    if words[subject + 1 : subject + 2] == ["must"] or _THANKS.search(" ".join(words)):
        return True
    verb = next((at for at, one in enumerate(words[: subject + 3]) if one in _WISHING_VERBS), None)
    return verb is not None and verb > subject and not _WORDS_AFTER_WISH.intersection(words[verb + 1 : verb + 2])


def _is_imperative(words: Sequence[Token], marks: Mapping[int, str]) -> bool:
    """Return whether words begin with their verb: a known one, or any before an object of the call."""
    verb, following = words[0], words[1:2]
    # "Score of 90", "put him on warm myself, this morning"
    if [one.word for one in following] == ["of"] or not _OWN_DOING.isdisjoint(one.word for one in words):
        return False
    if is_verb(verb.word) or acts_of(verb.word):
        return True
    is_of_record = marks.get(verb.start) in (TARGET, VALUE, FIELD) or verb.word in first_names()
    is_about_call = any(marks.get(one.start) in (TARGET, VALUE, FIELD) or one.word in _POINTING_WORDS for one in words)
    is_verbal = not is_of_record and is_about_call and _may_be_bare_verb(verb)
    return is_verbal and bool(following) and _is_object(following[0], marks)


def _may_be_bare_verb(token: Token) -> bool:
    """Return whether a word may be an imperative that nobody has listed: "chuck", "whack", "reclassify"."""
    is_inflected = token.word.endswith(_ENDINGS) and len(token.word) > _MIN_INFLECTED and token.word[-2:] != "ss"
    is_function = token.stem in vocabulary.load().neutral or token.word in _GOVERNING_WORDS
    return token.kind == "word" and not is_inflected and not is_function


def _is_object(token: Token, marks: Mapping[int, str]) -> bool:
    """Return whether a word may begin the object of a verb."""
    is_object = token.word in _OBJECT_WORDS or token.kind == "number" or lexicon.kind_named(token) is not None
    return is_object or marks.get(token.start) in (TARGET, FIELD, VALUE)


def _has_order_within(words: Sequence[Token], marks: Mapping[int, str]) -> bool:
    """Return whether an imperative follows other words without a mark, as people dictate: "nice call mark him warm"."""
    for place in range(1, len(words) - 1):
        before, verb, following = words[place - 1 : place + 2]
        if not is_verb(verb.word) or verb.start in marks or before.word in _GOVERNING_WORDS:
            continue
        is_own = _CAUSING_WORDS.isdisjoint(one.word for one in words[:place])
        if is_own and _is_object(following, marks):
            return True
    return False


def _is_introduced_as_text(clauses: Sequence[Clause], place: int, marks: Mapping[int, str]) -> bool:
    """Return whether a colon before a clause introduces it as what others say or do, or as a mere example."""
    colon = next((at for at, one in enumerate(clauses[:place]) if ":" in one.marks), None)
    if colon is None:
        return False
    head = [token for clause in clauses[: colon + 1] for token in clause.words]
    head = [token for token in head if token.word not in lexicon.INTERJECTIONS]
    words = {token.word for token in head}
    if "    " in clauses[colon].marks:
        # What is quoted stands there.
        return False
    if not head or lexicon.REPORTING_VERBS & words or _FOREIGN_TEXT_NOUNS & words:
        return bool(head)
    if any(marks.get(one.start) == OTHER_NAME or (one.start not in marks and is_name(one)) for one in head):
        return not any(marks.get(one.start) in (TARGET, FIELD) for one in head)
    if any(marks.get(one.start) in (TARGET, VALUE, FIELD) for one in head):
        return False
    is_own = head[0].word in _HEADING_WORDS or bool({"i", "we", "i've", "we've", "i'm"} & words)
    is_own = is_own or lexicon.kind_named(head[0]) is not None or is_verb(head[0].word)
    following = clauses[colon + 1].words if colon + 1 < len(clauses) else ()
    return not (is_own or introduces_order([*head, *following], len(head) - 1))


def _states_change_alone(sentence: _Sentence, marks: Mapping[int, str], field_words: frozenset[str]) -> bool:
    """Return whether the clauses with the record and the value say no more than the change: "Ann: score 80"."""
    parts = [part for part in sentence.parts if not _is_introduced_as_text(sentence.clauses, part.clause, marks)]
    value = VALUE if VALUE in marks.values() else OTHER_VALUE
    valued = [part for part in parts if _has_mark(part, marks, (value,))]
    if not any(_has_mark(part, marks, (TARGET, FIELD)) for part in valued):
        valued += [part for part in parts if _has_mark(part, marks, (TARGET, FIELD))]
    words = [token for part in valued for token in part.words]
    if any(_imagines(part.words) for part in parts):
        return False
    # "Jack should move to lost" says what is to be; "Bob should move him" what somebody else is to do.
    is_duty = any(one.word in _DUTIES for one in words) and OTHER_NAME not in {marks.get(one.start) for one in words}
    more = (one for one in words if one.word not in field_words and not (is_duty and is_verb(one.word)))
    return bool(words) and not any(_is_more(one, marks) for one in more)


def _imagines(words: Sequence[Token]) -> bool:
    """Return whether words say what somebody would think: "he'd love that"."""
    plain = [one.word for one in words[:2]]
    is_conditional = plain[1:] == ["would"] and plain[0] in lexicon.BACK_REFERENCES
    return plain[0] in _IMAGINING_OPENINGS or is_conditional


def _has_mark(part: _Part, marks: Mapping[int, str], wanted: Sequence[str]) -> bool:
    return any(marks.get(one.start) in wanted for one in part.words)


def _is_more(token: Token, marks: Mapping[int, str]) -> bool:
    """Return whether a word is neither of a record or a value nor one that a change is stated with."""
    is_link = token.kind != "word" or token.word in _LINKING_WORDS or token.word.endswith("ly") or base_of(token.word)
    is_of_change = token.word in _FIELD_WORDS or lexicon.values_in(token.word) or lexicon.activity_type_of(token.word)
    return token.start not in marks and not is_link and not is_of_change
