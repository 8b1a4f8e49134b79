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
    "deletion removal conversion sending then well actually oh um uh hmm hm er ah he she they me us we on ma'am pls plz honestly quite".split()
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
    plain = _decision(text, question)
    return plain if plain is not None else _with_its_reason(text, question)


def _decision(text: str, question: str) -> bool | None:
    words = _WORD.findall(text.lower().replace("’", "'"))
    said = _DENIED_YES.sub(" no", f" {' '.join(words)} ".replace(" get rid of ", " delete "))
    if _DELETES.search(question):
        said = _KILL.sub(" delete", said)
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


_DELETES = re.compile(r"\bdelete\b", re.IGNORECASE)
_KILL = re.compile(r" (?:kill|bin|trash|wipe|scrap|nuke|drop)(?= (?:it|him|her|them|that|this) )")
_PARTS = re.compile(r"[,.;!–—]+\s*|\s+-\s+")
_BECAUSE = r"(?:because|cause|since|as|and|so)\s+"
_REASON = re.compile(
    rf"^(?:{_BECAUSE})*(?:he|she|it|they|i|we|you|there|somebody|someone|my\s+\w+|our\s+\w+|the\s+\w+)(?:['’](?:s|re|ve|ll|d|m)\b|n['’]t\b|\s+(?:just|still|already|also|really)\b)*"
    r"\s*(?:is|are|was|were|has|have|had|does|do|did|will|never|still|may|might|asked|checked|talked|spoke|agreed|agrees|said|says|knows|told|called|left|moved|confirmed|wants|fine|okay|ok|gone|sure|dead|\w+ing|\w+ed|no|not|a|an|in|on|with)\b",
    re.IGNORECASE,
)
_ASKS_MORE = re.compile(
    r"\?|\b(?:but|except|unless|if|instead|rather|meant|mean|other|another|wrong|different|first|second|third|also|too|only|until|after|before|later|once|"
    r"can|could|would|should|need|show|list|tell|find|give|create|add|schedule|book|update|change|make|put|set|move|note|convert|mark|assign|remind)\b",
    re.IGNORECASE,
)
"""More than a reason: a condition, a correction, or another request."""
_TOLD_WHY = re.compile(
    r"\b(?:fine|ok|okay|agreed|agrees|approved|confirmed|gone|sure|duplicate|useless|dead|certain|checked)(?:\s+(?:with|about|to|of)\s+(?:it|that|this))?\W*$",
    re.IGNORECASE,
)


def _with_its_reason(text: str, question: str) -> bool | None:
    """ "Yes, my manager is fine with it, delete it", "Hold on, he is in talks with us, so no": the answer beside its reason.

    A yes has to come first and to be said again, or its reason to agree; anything that asks for more leaves it open.
    """
    parts = [part.strip() for part in _PARTS.split(text.replace("’", "'")) if part.strip()]
    if len(parts) < 2 or _ASKS_MORE.search(text):
        return None
    answers = [_answer_of(part, question) for part in parts]
    reasons = [part for part, answer in zip(parts, answers, strict=True) if answer is None]
    if answers[0] is None or not all(_REASON.match(part) for part in reasons):
        return None
    if False in answers:
        agreed = [part for part, answer in zip(parts, answers, strict=True) if answer and not _is_soft(part)]
        return None if agreed else False
    says_it_again = len([answer for answer in answers if answer]) > 1
    clear = says_it_again or all(_TOLD_WHY.search(part) for part in reasons)
    denies = any(set(_WORD.findall(part.lower())) & NO or "n't" in part.lower() for part in reasons)
    return True if clear and not denies and not _is_soft(parts[0]) else None


def _answer_of(part: str, question: str) -> bool | None:
    """What a part says by itself: yes, no, or the question's own words again ("delete it")."""
    shorter = re.sub(rf"^(?:{_BECAUSE})+", "", part, flags=re.IGNORECASE)
    if (said := _decision(shorter, question)) is not None:
        return said
    return _decision(f"yes {shorter}", question) if _ACTS.match(shorter) else None


_ACTS = re.compile(r"(?:delete|remove|erase|convert|send|kill|bin|trash|wipe|get\s+rid\s+of)\b", re.IGNORECASE)


def _is_soft(part: str) -> bool:
    """ "ok", which opens a sentence as often as it agrees."""
    return set(_WORD.findall(part.lower())) <= _SOFT


def _agrees_last(said: str) -> bool:
    """Whether the last word that decides is a yes: "no wait, go ahead"."""
    places = {said.rfind(f" {word} "): True for word in (*YES, *YES_PHRASES)}
    places |= {said.rfind(f" {word} "): False for word in NO}
    return places[max(places)]
