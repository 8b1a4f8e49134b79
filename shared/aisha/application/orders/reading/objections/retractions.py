"""Tell whether a message takes back what it ordered."""

from collections.abc import Collection, Sequence
from itertools import dropwhile, pairwise, takewhile

from aisha.application.orders.reading.clauses import CLAUSE_MARKS, is_hurry, is_order_verb, is_verb
from aisha.application.orders.reading.segment_words import CONTACT_VERBS
from aisha.application.orders.wording import RETRACTED, said
from aisha.domain.dates.phrases import words_of_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, NAME_TAGS
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.keeping import keeps_other
from aisha.domain.language.tokens import Token

_RETRACTING_ACTS = frozenset(("negated", "no"))
_MIN_RETRACTION_PROBABILITY = 0.6
_REMAINDER_WORDS = frozenset("rest else others other".split())
_INTERRUPTING_WORDS = frozenset(("no", "nope", "wait"))
_ASSURING_WORDS = tuple([word] for word in "kidding joke doubt problem hurry rush worries question".split())
"""After "no" these take nothing back."""
_RETRACTING_VERBS = frozenset(
    "forget ignore scratch cancel undo leave skip drop disregard scrap revert withdraw strike take".split()
)
_RETRACTED_OBJECTS = frozenset("it that this them everything all".split())
_MAX_CLAUSE = 12
"""Words of a clause that takes something back."""
_UNDOING_ACTS = frozenset(("undo", "correct", "no", "negated"))
"""Acts that a clause of taking back orders: "that was a mistake, undo it"."""
_MAX_LAST_CLAUSE = 7
"""Tokens of a last clause, with the mark before it, that takes all before it back."""
_WORDS_BEFORE_OBJECT = frozenset(("all", "of"))
_JOKING_WORDS = frozenset("jk kidding joking joke psych".split())
_WORDS_OF_JOKES = (
    lexicon.INTERJECTIONS
    | _JOKING_WORDS
    | frozenset("just only was i i'm am im were is a that it this of course totally".split())
)
_REGRETS = tuple(
    tuple(phrase.split())
    for phrase in "never mind,nevermind,on second thought,on second thoughts,nah,changed my mind,better not,"
    "rather not,i'd rather not,maybe not,perhaps not,don't think so,not really,not now,"
    "disagree,don't agree,doubt it".split(",")
)
_TAKING_BACK = frozenset("oops whoops make wrong".split())
_REFUSALS = (("don't",), ("dont",), ("do", "not"), ("never",))
_WORDS_BEFORE_REFUSAL = lexicon.INTERJECTIONS | frozenset("please and but so kindly just no also".split())
_REMINDING_WORDS = frozenset("forget hesitate worry fail mind miss wait".split())
"""After a denial these ask for something all the same: "don't forget to set it"."""
_REFUSING_WORDS = frozenset(("don't", "dont", "not", "never"))
_WORDS_OF_REFUSALS = frozenset(
    "or don't dont do not never that it this so please now yet anything any of after all".split()
)
"""A clause of these alone refuses what was said before it: "don't do that"."""
_PONDERING_VERBS = frozenset("check think ask confirm verify sleep consider discuss".split())
_WAITING_VERBS = frozenset("wait hold hang".split())
_REGRETTING_WORDS = frozenset("i i've have just now".split())
_CORRECTING_WORDS = (
    CORRECTIONS
    | lexicon.INTERJECTIONS
    | frozenset("or make that it i we of course one wrong person the please not whoops nope".split())
)
_FIELDS_OF_CHOICES = {"status", "stage", "type", "priority", "health", "source"}
_WHOLE_OBJECTS = frozenset("anything everything".split())
_WORDS_AFTER_RETRACTION = frozenset(
    "back please again for then as completely altogether all entirely i and a an the to make what it's".split()
)
_WORDS_BEFORE_RETRACTION = lexicon.INTERJECTIONS | frozenset(
    "no nope wait actually and but so just rather better then well".split()
)


def retraction_in(ask: Ask, later: Sequence[Ask], earlier: Sequence[Ask] = ()) -> str:
    """Return the reason if one of the later segments takes back what a segment orders; empty if none does.

    The `earlier` ones may name what the segment only points at.
    """
    own_names = named_in(ask)
    for place, other in enumerate(later):
        words = [token.word for token in other.tokens if token.word not in lexicon.INTERJECTIONS]
        is_interruption = words[:1] != [] and words[0] in _INTERRUPTING_WORDS and words[1:2] not in _ASSURING_WORDS
        if place == 0 and is_interruption and not _has_value(other):
            # "No wait, that's the score of Ann."
            return RETRACTED
        if takes_back(other.tokens):
            # "Scratch that, Ann told me otherwise": whoever else is named.
            return RETRACTED
        if own_names and not _gives_text(ask) and _names_other(other, other.tokens, own_names):
            return RETRACTED
        if _puts_off(other.tokens):
            return said("before")
        if _REMAINDER_WORDS & {token.word for token in other.tokens} or keeps_other(other, [*earlier, ask]):
            # "… and leave the rest."
            continue
        if other.act == "negated" and _is_about_other_field(ask, other):
            # "Set Jack to lost. Leave the score alone."
            continue
        is_no = (
            other.act in _RETRACTING_ACTS
            and not _reminds(other.tokens)
            and other.segment.probability >= _MIN_RETRACTION_PROBABILITY
        )
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


def refuses_openly(tokens: Sequence[Token]) -> bool:
    """Return whether words begin as a refusal of what follows: "please don't check it", and not "don't forget to"."""
    words = [*dropwhile(lambda one: one in _WORDS_BEFORE_REFUSAL, (one.word for one in tokens if one.kind != "mark"))]
    size = next((len(one) for one in _REFUSALS if tuple(words[: len(one)]) == one), 0)
    denied = words[size + 2 : size + 3] if words[size : size + 2] == ["let", "me"] else words[size : size + 1]
    return size > 0 and denied != [] and denied[0] not in _REMINDING_WORDS


def _reminds(tokens: Sequence[Token]) -> bool:
    """Return whether words ask for something by a denial: "and don't forget to thank me"."""
    words = [one.word for one in tokens]
    return any(two in _REMINDING_WORDS for one, two in pairwise(words) if one in ("don't", "dont", "not", "never"))


def takes_back(tokens: Sequence[Token]) -> bool:
    """Return whether a clause takes back what was said before it: "scratch that", "oh no, forget it", "jk"."""
    is_start = True
    for place, token in enumerate(tokens):
        clause = tokens[place : place + _MAX_CLAUSE] if is_start else ()
        if clause and (_drops_what_was_said(clause) or _regrets(clause) or _waits(clause)):
            return True
        # "No kidding, he said no" confirms.
        is_denied_joke = any(one.word in _JOKING_WORDS for one in tokens[place + 1 : place + 2])
        is_lead = token.word in _WORDS_BEFORE_RETRACTION and (token.word not in ("no", "not") or not is_denied_joke)
        is_start = token.kind == "mark" or token.word == "but" or (is_start and is_lead)
    return False


def _begins_anew(word: str) -> bool:
    """Return whether a word after "that" is no noun of its own: "scratch that ninety five", not "scratch that task"."""
    return word in _WORDS_AFTER_RETRACTION or lexicon.number_in(word) is not None


def _drops_what_was_said(tokens: Sequence[Token]) -> bool:
    """Return whether a clause begins with an order to drop it all: "drop all of it again", "take that back"."""
    if tokens[0].word not in _RETRACTING_VERBS:
        return False
    following = [*dropwhile(lambda word: word in _WORDS_BEFORE_OBJECT, (one.word for one in tokens[1:6]))]
    if following[:1] == [] and tokens[1:2] and tokens[1].word == "all":
        following = ["all"]
    is_that = bool(following) and following[0] in _RETRACTED_OBJECTS
    is_whole = len(following) < 2 or not following[1][:1].isalpha() or _begins_anew(following[1])
    return is_that and is_whole and (tokens[0].word != "take" or following[1:2] == ["back"])


def _waits(tokens: Sequence[Token]) -> bool:
    """Return whether a clause says to wait for something: "wait until he calls", "let me check first"."""
    if [one.word for one in tokens[:2]] in (["let", "me"], ["let", "us"]):
        return any(one.word in _PONDERING_VERBS for one in tokens[2:4])
    return tokens[0].word in _WAITING_VERBS and any(one.word in ("until", "till", "for") for one in tokens[1:3])


def _regrets(tokens: Sequence[Token]) -> bool:
    """Return whether a clause says that the user was joking or thinks otherwise: "just kidding", "never mind"."""
    clause = [one.word for one in takewhile(lambda one: one.kind != "mark", tokens)]
    if _REFUSING_WORDS.intersection(clause[:2]) and _WORDS_OF_REFUSALS.issuperset(clause):
        return True
    if _JOKING_WORDS.intersection(clause) and _WORDS_OF_JOKES.issuperset(clause):
        return True
    if clause[:1] == ["not"] and len(clause) > 1 and words_of_times().issuperset(clause[1:]):
        # "… but not today."
        return True
    words = [*dropwhile(lambda word: word in _REGRETTING_WORDS, clause)]
    phrase = next((one for one in _REGRETS if tuple(words[: len(one)]) == one), ())
    # "I changed my mind about the price" regrets something else.
    return bool(phrase) and (phrase[0] in ("never", "nevermind", "on") or len(words) == len(phrase))


def _names_other(ask: Ask, tokens: Sequence[Token], own_names: Collection[str]) -> bool:
    """Return whether words have nothing but another name than those before, as a correction: "sorry, I meant Ann"."""
    spans = [span for span in ask.segment.spans if tokens and tokens[0].start <= span.start < tokens[-1].end]
    names = [span for span in spans if span.tag in NAME_TAGS]
    rest = [one.word for one in tokens if not any(span.start <= one.start < span.end for span in names)]
    words = {word.lower() for span in names for word in span.text.split()}
    is_correction = any(word in CORRECTIONS | _TAKING_BACK for word in rest)
    is_bare = all(not word[:1].isalnum() or word in _CORRECTING_WORDS for word in rest)
    return is_correction and is_bare and bool(words) and not words & {*own_names} and len(spans) == len(names)


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


def _gives_text(ask: Ask) -> bool:
    """Return whether an order gives a field a text, which a name may correct: "set the company to Acme"."""
    return bool(ask.texts("field")) and not lexicon.values_in(" ".join(ask.texts("value")))


def retracts_own_order(ask: Ask) -> bool:
    """Return whether a segment takes back what it orders: "set Ann to warm... cancel that", "…, I mean Bo"."""
    tokens = ask.tokens
    ordered = next((place for place, token in enumerate(tokens) if is_verb(token.word)), len(tokens))
    breaks = [place for place in range(ordered + 1, len(tokens)) if tokens[place].word in CLAUSE_MARKS | {"but"}]
    # "Ann's mobile is 555 0188 now - scratch that" has no verb of orders before it.
    marks = [place for place in range(1, len(tokens) - 1) if tokens[place].word in CLAUSE_MARKS]
    ends = [place for place in marks[-1:] if len(tokens) - place <= _MAX_LAST_CLAUSE and ask.act not in _UNDOING_ACTS]
    if any(takes_back(tokens[place:]) for place in (*breaks[:1], *ends)) or _ends_as_joke(tokens[ordered:]):
        return True
    for place in breaks:
        before = [span for span in ask.segment.spans if span.tag in NAME_TAGS and span.end <= tokens[place].start]
        own_names = {word.lower() for span in before for word in span.text.split()}
        if own_names and not _gives_text(ask) and _names_other(ask, tokens[place + 1 :], own_names):
            return True
    return False


def _ends_as_joke(tokens: Sequence[Token]) -> bool:
    """Return whether the last words after an order say that it was a joke, without a mark: "… haha jk"."""
    words = [one.word for one in tokens if one.kind != "mark"]
    return words[-1:] == ["jk"] or (len(words) > 2 and words[-1] in _JOKING_WORDS and words[-2] in ("just", "only"))
