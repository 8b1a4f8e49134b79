"""Find clauses that make an order wait, by the words that they begin with: "if he calls", "should he decline"."""

from collections.abc import Sequence
from itertools import takewhile

from aisha.application.orders.reading.clauses import (
    CLAUSE_MARKS,
    is_hurry,
    is_verb,
    tells_past,
)
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

CONDITIONS = frozenset("if unless provided providing assuming supposing failing barring whenever".split())
_TIME_CONJUNCTIONS = frozenset("once when whenever after until till before".split())
"""At the beginning they put an order off until something else has happened."""
_PAST_CONJUNCTIONS = frozenset(("when", "after", "given"))
"""With a past tense they tell what was: "when I called, he declined"."""
_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "as soon as,as long as,so long as,in case,in the event,on condition,on the condition,depending on,subject to,"
        "the moment,the minute,the instant,the day,the next time,next time,pending,conditional on,given that"
    ).split(",")
)
_WORDS_BEFORE_CONJUNCTION = frozenset("only but just and even so or then".split()) | lexicon.INTERJECTIONS
_WORDS_AFTER_COURTESY = frozenset(
    "can could please would wouldn't don't have get got want like may will might find need are".split()
)
"""After "if you" these words make an order polite; "if you read this" is a condition."""
_COURTESIES = frozenset("ok okay fine alright possible convenient trouble bother problem suits works".split())
_PRONOUNS = lexicon.PERSON_PRONOUNS | frozenset("i we you it they this that somebody someone anybody anyone".split())
_PARTICIPLES = frozenset(
    "told said paid come gone got made sent put set bought sold met left signed been done found lost won".split()
)
_WORDS_AFTER_MODAL = frozenset("be have not also now already still i we".split())
_FACT_VERBS = frozenset("is are was were has have had isn't aren't hasn't haven't".split())
_MAIN_VERBS = frozenset("will would am".split())
_FIRST_STEPS = frozenset(("let", "i'll", "i", "we'll", "we"))


def condition_in(tokens: Sequence[Token]) -> str:
    """Return the words by which a clause makes an order wait that goes with it; empty if it does not.

    A courtesy is none ("if you can", "when you have a minute"), and neither is what tells the past ("when I called").
    """
    words = [token for token in tokens if token.kind != "mark" or token.word == ","]
    lead = len([*takewhile(lambda one: one.word in _WORDS_BEFORE_CONJUNCTION or one.kind == "mark", words)])
    if [one.word for one in words[lead : lead + 2]] in (["once", "again"], ["once", "more"], ["once", "and"]):
        return ""
    words = words[lead:]
    clause = [*takewhile(lambda one: one.word not in CLAUSE_MARKS, words)]
    opening = _opening(clause)
    if not opening or is_courtesy([one.word for one in clause[len(opening) :]]) or is_hurry(clause):
        return ""
    is_past = opening[0].word in _PAST_CONJUNCTIONS and tells_past(clause[1:])
    # "Given that he has declined" tells a fact.
    is_past = is_past or (opening[0].word == "given" and any(one.word in _FACT_VERBS for one in clause))
    is_question = opening[0].word in ("were", "had") and len(clause) == len(words)
    return "" if is_past or is_question else " ".join(one.text.lower() for one in opening)


def is_clause_alone(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence is one subordinate clause, with no order, question or statement of its own."""
    clauses = " ".join("," if one.kind == "mark" else "x" for one in tokens).strip(" ,").split(",")
    # "If she brings cake I will forgive it" has a main clause, too.
    has_main = any(one.word in _MAIN_VERBS or one.word.endswith(("'ll", "'d", "'m")) for one in tokens)
    is_question = any(one.word == "?" for one in tokens)
    return len(clauses) == 1 and len(clauses[0].split()) > 2 and not has_main and not is_question


def inversion_in(tokens: Sequence[Token]) -> str:
    """Return the words that begin a condition after an order: "…, should he decline", "… had Bob agreed"."""
    for place in range(1, len(tokens)):
        before, inverted = tokens[place - 1], tokens[place : place + 2]
        is_subject_before = before.word in _PRONOUNS or before.word in lexicon.QUESTION_STARTS
        is_person = len(inverted) > 1 and (inverted[1].word in _PRONOUNS - {"you"} or inverted[1].is_capital)
        is_condition = (inverted[0].word == "should" and is_person) or (
            inverted[0].word in ("had", "were") and bool(_inverted(tokens[place:]))
        )
        if is_condition and not is_subject_before:
            return " ".join(one.text for one in inverted)
    return ""


def first_step_in(tokens: Sequence[Token]) -> str:
    """Return the words of a clause that says what comes before an order: "wait for his answer, then …"."""
    words = [one for one in tokens if one.kind != "mark" and one.word not in lexicon.INTERJECTIONS]
    words = words[1:] if [one.word for one in words[:1]] == ["first"] else words
    if [one.word for one in words[:1]] == ["wait"] and [one.word for one in words[1:2]] in (
        ["for"],
        ["until"],
        ["till"],
    ):
        return " ".join(one.word for one in words[:2])
    clause = [*takewhile(lambda one: one.word not in CLAUSE_MARKS, words)]
    is_own = bool(clause) and clause[0].word in _FIRST_STEPS
    return "first" if is_own and any(one.word == "first" for one in clause) else ""


def _opening(clause: Sequence[Token]) -> Sequence[Token]:
    """Return the words with which a clause begins that is no main clause."""
    words = [one.word for one in clause]
    phrase = next((one for one in _PHRASES if tuple(words[: len(one)]) == one), ())
    if phrase:
        is_possible = words[len(phrase) : len(phrase) + 1] == ["possible"]
        return () if is_possible else clause[: len(phrase)]
    if words[:1] and words[0] in CONDITIONS | _TIME_CONJUNCTIONS:
        return clause[:1]
    return _inverted(clause)


def _inverted(clause: Sequence[Token]) -> Sequence[Token]:
    """Return the verb that begins a condition without a conjunction: "had the board agreed"."""
    if len(clause) < 3:
        return ()
    verb, subject = clause[0].word, clause[1]
    is_determined = subject.word in lexicon.DETERMINERS
    end = 3 if is_determined else 2
    while not is_determined and end < len(clause) and subject.is_capital and clause[end].is_capital:
        end += 1
    is_person = is_determined or subject.is_capital or subject.word in _PRONOUNS
    rest = [one.word for one in clause[end:]]
    if verb == "should":
        is_inverted = subject.word not in _WORDS_AFTER_MODAL and not is_verb(subject.word) and bool(rest)
    elif verb == "had":
        is_inverted = is_person and rest[:1] != [] and (rest[0].endswith("ed") or rest[0] in _PARTICIPLES)
    else:
        is_inverted = verb == "were" and is_person and "to" in rest
    return clause[:1] if is_inverted else ()


def is_courtesy(words: Sequence[str]) -> bool:
    """Return whether the words after "if" or "when" only make an order polite."""
    if words[:3] in (["at", "all", "possible"], ["you", "ask", "me"]) or words[:2] == ["you'd", "be"]:
        return True
    if words[:1] in (["you"], ["u"]):
        return len(words) < 2 or words[1] in _WORDS_AFTER_COURTESY
    is_impersonal = words[:1] != [] and words[0] in ("it", "that", "this", "it's", "that's")
    return words[:1] == ["possible"] or (is_impersonal and bool(_COURTESIES & {*words}))
