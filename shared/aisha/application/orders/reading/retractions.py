"""Tell whether a message takes back what it ordered."""

from collections.abc import Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import is_hurry, is_order_verb, is_verb
from aisha.application.orders.reading.segment_words import CONTACT_VERBS
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS
from aisha.domain.language.ask import Ask
from aisha.domain.language.keeping import keeps_other
from aisha.domain.language.tokens import Token

RETRACTED = "you took it back in the same message"
_RETRACTING_ACTS = frozenset(("negated", "no"))
_MIN_RETRACTION_PROBABILITY = 0.6
_REMAINDER_WORDS = frozenset("rest else others other".split())
_INTERRUPTING_WORDS = frozenset(("no", "nope", "wait"))
_RETRACTING_VERBS = frozenset(
    "forget ignore scratch cancel undo leave skip drop disregard scrap revert withdraw".split()
)
_RETRACTED_OBJECTS = frozenset(("it", "that", "this", "everything", "all"))
_FIELDS_OF_CHOICES = {"status", "stage", "type", "priority", "health", "source"}
_WHOLE_OBJECTS = frozenset("anything everything".split())
_WORDS_AFTER_RETRACTION = frozenset(
    "please again for then as completely altogether all entirely i and a an the to make what it's".split()
)
_WORDS_BEFORE_RETRACTION = lexicon.INTERJECTIONS | frozenset(
    "no nope wait actually and but just rather better then well".split()
)


def retraction_in(ask: Ask, later: Sequence[Ask], earlier: Sequence[Ask] = ()) -> str:
    """Return the reason if one of the later segments takes back what a segment orders; empty if none does.

    The `earlier` ones may name what the segment only points at.
    """
    own_names = named_in(ask)
    for place, other in enumerate(later):
        words = [token.word for token in other.tokens if token.word not in lexicon.INTERJECTIONS]
        if place == 0 and words[:1] and words[0] in _INTERRUPTING_WORDS and not _has_value(other):
            # "No wait, that's the score of Ann."
            return RETRACTED
        if _retracts(other.tokens):
            # "Scratch that, Ann told me otherwise": whoever else is named.
            return RETRACTED
        if _puts_off(other.tokens):
            return "you said “before”"
        if _REMAINDER_WORDS & {token.word for token in other.tokens} or keeps_other(other, [*earlier, ask]):
            # "… and leave the rest."
            continue
        if other.act == "negated" and _is_about_other_field(ask, other):
            # "Set Jack to lost. Leave the score alone."
            continue
        is_no = other.act in _RETRACTING_ACTS and other.segment.probability >= _MIN_RETRACTION_PROBABILITY
        verbs = {token.word for token in other.tokens if is_verb(token.word)}
        # "Set Jack to warm and do not email him" takes nothing back, nor does "…, don't touch Ann".
        is_about_contact = bool(verbs) and verbs <= CONTACT_VERBS and ask.act in FIELD_CHANGE_ACTS
        is_same_record = not named_in(other) or bool(own_names & named_in(other))
        if is_no and not is_about_contact and is_same_record:
            return RETRACTED
    return ""


def _has_value(ask: Ask) -> bool:
    """Return whether a segment has a value, or an order of its own."""
    tags = ("value", "amount", "when", "owner", "text", "email", "phone", "url", "new", "org")
    return any(span.tag in tags for span in ask.segment.spans) or any(is_verb(one.word) for one in ask.tokens)


def _retracts(tokens: Sequence[Token]) -> bool:
    """Return whether a clause takes back what was said before it: "scratch that", "oh no, forget it", "never mind"."""
    is_start = True
    for place, token in enumerate(tokens):
        following = [one.word for one in tokens[place + 1 : place + 3]]
        is_that = following[:1] and following[0] in _RETRACTED_OBJECTS
        is_whole = len(following) < 2 or not following[1][:1].isalpha() or _begins_anew(following[1])
        if is_start and token.word in _RETRACTING_VERBS and is_that and is_whole:
            return True
        is_never_mind = token.word == "nevermind" or (token.word == "never" and following[:1] == ["mind"])
        if is_start and is_never_mind:
            return True
        is_start = token.kind == "mark" or (is_start and token.word in _WORDS_BEFORE_RETRACTION)
    return False


def _begins_anew(word: str) -> bool:
    """Return whether a word after "that" is no noun of its own: "scratch that ninety five", not "scratch that task"."""
    return word in _WORDS_AFTER_RETRACTION or lexicon.number_in(word) is not None


def _is_about_other_field(ask: Ask, other: Ask) -> bool:
    """Return whether a refusal names fields, and none of those of an order. A choice is one of a status or stage."""
    own, refused = ({*lexicon.fields_in(" ".join(token.word for token in one.tokens))} for one in (ask, other))
    if not own and lexicon.values_in(" ".join(token.word for token in ask.tokens)):
        own = _FIELDS_OF_CHOICES
    is_whole = bool(named_in(other)) or any(token.word in ("that", "all", "everything") for token in other.tokens)
    return bool(own) and bool(refused) and not refused & own and not is_whole


def _puts_off(tokens: Sequence[Token]) -> bool:
    """Return whether words say that something else comes before any change: "ask Bob before we touch anything"."""
    words = [token.word for token in tokens]
    if "before" not in words or is_hurry(tokens[words.index("before") :]):
        return False
    clause = tokens[words.index("before") + 1 :]
    verbs = (two.word for one, two in pairwise(clause) if is_order_verb(one))
    return any(word in _WHOLE_OBJECTS for word in verbs)


def named_in(ask: Ask) -> set[str]:
    """Return the words of the names that a segment has, in lower case."""
    return {word.lower() for tag in ("name", "new") for text in ask.texts(tag) for word in text.split()}


def retracts_own_order(tokens: Sequence[Token]) -> bool:
    """Return whether a segment takes back what it orders: "set Ann to warm... cancel that"."""
    ordered = next((place for place, token in enumerate(tokens) if is_verb(token.word)), len(tokens))
    breaks = [
        place for place in range(ordered + 1, len(tokens)) if tokens[place].word in (".", ",", ";", "-", "–", "!")
    ]
    return any(_retracts(tokens[place:]) for place in breaks[:1])
