"""Whether a sentence says yes or no to a question."""

import re

_WORD = re.compile(r"[\w']+")
YES = frozenset(
    "yes y yep yeah yup ya sure ok okay confirm confirmed approve approved proceed absolutely definitely certainly "
    "affirmative alright ja oui si sí sim".split()
)
_SOFT = frozenset("sure ok okay yeah ya alright".split())
"""Open a sentence as often as they agree: "ok, no, leave her"."""
YES_PHRASES = ("go ahead", "do it", "go for it", "of course", "please do", "make it so", "sounds good", "that's right")
NO = frozenset(
    "no n nope nah not don't dont never cancel stop abort reject rejected wait keep leave nein non não".split()
)
NO_PHRASES = (
    "change of mind", "changed my mind", "changing my mind", "change my mind", "second thought", "second thoughts", "hold on",
    "hang on", "hold off", "forget it", "forget about it", "forget that", "scratch that", "skip it", "skip that", "never mind",
    "nevermind", "better not", "rather not", "let it be", "let him be", "let her be", "let them be", "take it back",
    "take that back", "undo that",
)  # fmt: skip
"""A no in several words. "drop it" is none: after "Delete her?" it may mean either."""
_FILLERS = frozenset(
    "please thanks thank you i am i'm want to the a it him her them that this those now just and go ahead do for of "
    "course sounds good make so right that's all is fine with my mind anymore anything nevermind let's really very "
    "much sir aisha lead contact account opportunity deal record activity note one delete remove convert send erase "
    "then well actually oh um uh hmm hm er ah he she they me us we on ma'am pls plz honestly quite".split()
)
_BESIDE_NO = _FILLERS | frozenset(
    "have has had been i've i'd i'll it's but anyway sorry all still after too yet here there in alone as was were be up "
    "off would could can may will think thought rather again for your instead either".split()
)
"""What a no bears and a yes does not: "not yet" is clear, "yes, after that" is another wish."""
_DENIED_YES = re.compile(
    r" (?:don't|dont|do not|not|never|can't|cannot)(?: (?:please|you|just))* (?:do it|go ahead|please do)(?= )"
)


def decision_in(text: str, question: str) -> bool | None:
    """True for a yes in words, False for a no, None for anything else.

    Besides yes or no there may be only fillers and words of the question itself: "yes, delete Jack Russel" is one, "yes
    but not Jack" and "delete John too" are not. "ok, but not now" is a no, and a yes that asks ("ok?") is none.
    """
    words = _WORD.findall(text.lower().replace("’", "'"))
    said = _DENIED_YES.sub(" no", f" {' '.join(words)} ".replace(" get rid of ", " delete "))
    for phrase in NO_PHRASES:
        said = said.replace(f" {phrase} ", " no ")
    says_no = any(word in NO for word in said.split())
    agreed = [word for word in said.split() if word in YES]
    says_yes = bool(agreed) or any(f" {phrase} " in said for phrase in YES_PHRASES)
    beside = _BESIDE_NO if says_no else _FILLERS
    if set(said.split()) - YES - NO - beside - set(_WORD.findall(question.lower())):
        return None
    if says_yes and says_no:
        return False if set(agreed) <= _SOFT and not _agrees_last(said) else None
    if says_yes:
        return None if text.rstrip().endswith("?") else True
    return False if says_no else None


def _agrees_last(said: str) -> bool:
    """Whether the last word that decides is a yes: "no wait, go ahead"."""
    places = {said.rfind(f" {word} "): True for word in (*YES, *YES_PHRASES)}
    places |= {said.rfind(f" {word} "): False for word in NO}
    return places[max(places)]
