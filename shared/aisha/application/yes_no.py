"""Whether a sentence says yes or no to a question."""

import re

_WORD = re.compile(r"[\w']+")
YES = frozenset(
    "yes y yep yeah yup ya sure ok okay confirm confirmed approve approved proceed absolutely definitely certainly "
    "affirmative ja oui si sí sim".split()
)
YES_PHRASES = ("go ahead", "do it", "go for it", "of course", "please do", "make it so", "sounds good", "that's right")
NO = frozenset(
    "no n nope nah not don't dont never cancel stop abort reject rejected wait keep leave nein non não".split()
)
_FILLERS = frozenset(
    "please thanks thank you i am i'm want to the a it him her them that this those now just and go ahead do for of "
    "course sounds good make so right that's all is fine with my mind anymore anything nevermind let's really very "
    "much sir aisha lead contact account opportunity deal record activity note one delete remove convert send".split()
)


def decision_in(text: str, question: str) -> bool | None:
    """True for a yes in words, False for a no, None for anything else.

    Besides yes or no there may be only fillers and words of the question itself: "yes, delete Jack Russel" is one, "yes
    but not Jack" and "delete John too" are not.
    """
    lowered = " ".join(_WORD.findall(text.lower().replace("’", "'")))
    words = lowered.split()
    rest = set(words) - YES - NO - _FILLERS - set(_WORD.findall(question.lower()))
    if rest or not words:
        return None
    says_no = any(word in NO for word in words)
    says_yes = any(word in YES for word in words) or any(phrase in lowered for phrase in YES_PHRASES)
    if says_yes and says_no:
        return None
    return False if says_no else True if says_yes else None
