"""Judge whether a text says what the user said, in whose words it is: with its denials, its doubts and who does what.

"He likes golf" is not what "he doesn't like golf" or "he likes golf if Ann plays" says, though all its words were said.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, islice

from aisha.application.orders.reading.objections.statements import COPULAR_VERBS
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token, stem
from aisha.domain.language.words import first_names, is_common

FUNCTION_WORDS = (
    lexicon.DO_WORDS
    | lexicon.DETERMINERS
    | lexicon.BACK_REFERENCES
    | frozenset("does did is are was were be been am has have had will would can could may shall".split())
    | frozenset("any longer more yet really very at all so for and of in on with by from i we us me who there".split())
)
"""Words that say nothing of what is denied."""
_NEGATIONS = lexicon.NEGATIONS | frozenset(
    "not no never false neither nor nobody nothing none nowhere hardly barely scarcely rarely seldom lacks lack "
    "lacking".split()
)
_CHAT_NEGATIONS = frozenset(
    "dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt".split()
)
_NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "non-")
_MIN_PREFIXED = 4
"""Letters of the shortest word whose opposite may begin with one of these: "unfit"."""
_MAX_DENIED = 2
_MAX_SCOPE = 20
"""Words before or after a negation or a doubt among which stands what it is about."""
_DOUBTING_ADVERBS = frozenset("might maybe perhaps possibly probably supposedly allegedly".split())
_CONDITIONS = frozenset("if unless provided providing assuming once until".split())
_POLITE_WORDS = frozenset(("you", "possible", "not"))
"""After "if" these make no condition of what was said: "if you can", "if not done yet"."""
_SUBJECT_PRONOUNS = frozenset("i we he she they it you".split())
_CLAUSE_WORDS = frozenset("but although though while whereas".split())

_OBJECT_PRONOUNS = frozenset("me you us him her them it mine yours".split())

type Denied = tuple[str, ...]


def is_negation(word: str) -> bool:
    """Return whether a word denies what follows it."""
    return word in _NEGATIONS or word.endswith("n't") or word in _CHAT_NEGATIONS


def is_polarity_kept(text: Sequence[Token], message: Sequence[Token]) -> bool:
    """Return whether a text denies only what a message denies, and affirms nothing that the message only denies."""
    own_denied, user_denied = set(_denied(text)), list(_denied(message))
    if not all(any(_is_same(one, other) for other in {*user_denied}) for one in own_denied):
        return False
    stems, user_stems = ([token.stem for token in tokens] for tokens in (text, message))
    if _has_opposite(text, message):
        return False
    user_counts, denied_count = Counter(user_stems), Counter(one for denied in user_denied for one in denied)
    for denied in {*user_denied}:
        used = [one for one in denied if one in stems]
        is_affirmed_too = any(user_counts[one] > denied_count[one] for one in used)
        is_meant = bool(used) and (not is_affirmed_too or set(denied) <= set(stems))
        if is_meant and not any(_is_same(denied, one) for one in own_denied):
            return False
    return True


def is_statement_kept(text: Sequence[Token], message: Sequence[Token]) -> bool:
    """Return whether a statement drops no doubt of a message, and says of nobody what was said of another."""
    doubted = set(_doubted(message))
    stems = [token.stem for token in text]
    has_doubt = any(token.word in _DOUBTING_ADVERBS | _CONDITIONS for token in text) or _has_may(text)
    return (has_doubt or not doubted & set(stems)) and _is_order_kept(text, message)


def _doubted(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the stems of what may be, or is so on a condition: "sign" of "might sign", "golf" of "likes golf if"."""
    clauses = list(_clauses(tokens))
    if len(clauses) > 1 and clauses[-1][0].word in _CONDITIONS:
        clauses[-2:] = [[*clauses[-2], *clauses[-1]]]
    for clause in clauses:
        for place, token in enumerate(clause):
            following = [one.word for one in clause[place + 1 : place + 2]]
            if token.word in _DOUBTING_ADVERBS or _has_may([token]):
                yield from islice(_content_stems(clause[place + 1 : place + _MAX_SCOPE]), 1)
            elif token.word in _CONDITIONS and not _POLITE_WORDS.intersection(following):
                yield from tuple(_content_stems(clause[max(0, place - _MAX_SCOPE) : place]))[-1:]


def _has_may(tokens: Sequence[Token]) -> bool:
    """Return whether a token is the verb "may", and not the month."""
    return any(token.text == "may" for token in tokens)


def _is_order_kept(text: Sequence[Token], message: Sequence[Token]) -> bool:
    """Return whether each clause of a text has words of one clause of a message, or words in the message's order."""
    user_words = list(_content_stems(message))
    clauses = list(_clauses(message))
    user_clauses = [set(_content_stems(clause)) for clause in clauses]
    for clause in _clauses(text):
        stems = [one for one in _content_stems(clause) if one in user_words]
        rest = iter(user_words)
        if not all(one in rest for one in stems) and not any({*stems} <= one for one in user_clauses):
            return False
        if any(_is_taken_from(stems, place, clauses) for place in range(1, len(clauses))):
            return False
    return True


def _is_taken_from(stems: Sequence[str], place: int, clauses: Sequence[Sequence[Token]]) -> bool:
    """Return whether words are told of somebody else than the clause at a place, which only it has, names first."""
    subject = clauses[place][0]
    others = {stem for at, clause in enumerate(clauses) if at != place for stem in _content_stems(clause)}
    own = {*_content_stems(clauses[place])} - others
    is_named = subject.is_capital and (subject.word in first_names() or not is_common(subject.word))
    return is_named and bool(own.intersection(stems)) and subject.stem not in stems


def _clauses(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the words of each clause."""
    joints = {
        one.start
        for one, subject, verb in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if one.word == "and" and _begins_clause(subject, verb)
    }

    def is_end(token: Token) -> bool:
        return token.kind == "mark" or token.word in _CLAUSE_WORDS or token.start in joints

    return (list(group) for is_mark, group in groupby(tokens, is_end) if not is_mark)


def _begins_clause(subject: Token, verb: Token) -> bool:
    """Return whether two words begin a clause of its own: "Bob likes", "she will"; not "tea and Bob's coffee"."""
    is_subject = subject.is_capital or subject.word in _SUBJECT_PRONOUNS
    return (
        is_subject
        and verb.kind == "word"
        and (verb.word in COPULAR_VERBS or verb.word[-1:] == "s" or verb.word[-2:] == "ed")
    )


def _is_same(one: Denied, other: Denied) -> bool:
    """Return whether two denials are of the same words, as far as both go."""
    return all(mine == theirs for mine, theirs in zip(one, other, strict=False))


def _denied(tokens: Sequence[Token]) -> Iterator[Denied]:
    """Yield the stems of the words that each negation denies: those after it in its clause, or else the one before."""
    for clause in _clauses(tokens):
        for place, token in enumerate(clause):
            if is_negation(token.word):
                later = tuple(islice(_content_stems(clause[place + 1 : place + _MAX_SCOPE]), _MAX_DENIED))
                earlier = tuple(_content_stems(clause[max(0, place - _MAX_SCOPE) : place]))
                is_of_person = any(one.word in _OBJECT_PRONOUNS for one in clause[place + 1 : place + 2])
                if later or (earlier and not is_of_person):
                    # "The owner is Bob, not me" denies nothing of Bob.
                    yield later or earlier[-1:]


def _content_stems(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the stems of the words that say what is denied."""
    return (one.stem for one in tokens if one.word not in FUNCTION_WORDS and not is_negation(one.word))


def _has_opposite(text: Sequence[Token], message: Sequence[Token]) -> bool:
    """Return whether a word of a text is one of a message with or without a negative prefix: "happy", "unhappy"."""
    words, user_words = ({token.word for token in tokens} for tokens in (text, message))
    added, missing = words - user_words, user_words - words
    return _has_prefixed(added, missing) or _has_prefixed(missing, added)


def _has_prefixed(words: Collection[str], others: Collection[str]) -> bool:
    """Return whether one of some words has its opposite, with a negative prefix, among others."""
    stems = {stem(word) for word in words}
    bare = (word.removeprefix(one) for word in others for one in _NEGATIVE_PREFIXES if word.startswith(one))
    return any(len(word) >= _MIN_PREFIXED and stem(word) in stems for word in bare)
