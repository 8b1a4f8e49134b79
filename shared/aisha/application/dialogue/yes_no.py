"""Yes, no and not yet: reading a user's decision from the answer to a question."""

import re
from typing import Literal

_WORD = re.compile(r"[\w']+")
YES = frozenset(
    "yes y yep yeah yup ya sure ok okay confirm confirmed approve approved proceed absolutely definitely certainly "
    "affirmative alright ja oui si sí sim".split()
)
_SOFT = frozenset("sure ok okay yeah ya alright".split())
"""Words that open a sentence as often as they agree: "ok, no, leave her"."""
YES_PHRASES = ("go ahead", "do it", "go for it", "of course", "please do", "make it so", "that's right")
NO = frozenset("no n nope nah not don't dont never cancel stop abort reject rejected keep leave nein non não".split())
NO_PHRASES = (
    "change of mind", "changed my mind", "changing my mind", "change my mind", "second thought", "second thoughts",
    "forget it", "forget about it", "forget that", "scratch that", "skip it",
    "skip that", "never mind", "nevermind", "better not", "rather not", "let it be", "let him be", "let her be",
    "let them be", "take it back", "take that back", "undo that",
)  # fmt: skip
"""A no in several words. "drop it" is not one of them: after "Delete her?" it may mean either."""
LATER_PHRASES = (
    "not yet", "not sure yet", "not sure", "not certain", "no idea", "don't know yet", "don't know", "dont know",
    "hold on", "hang on", "hold off", "hold your horses", "let me think", "let me check", "have to think",
    "need to think", "one moment", "just a moment", "a moment", "one minute", "a minute", "one second", "a second",
    "one sec", "a sec", "no rush", "no hurry",
)  # fmt: skip
"""Words that neither agree nor refuse unless a no is beside them: "hold on" waits, "hold on, leave it" refuses."""
LATER = frozenset("wait later maybe perhaps unsure undecided".split())
Answer = Literal["yes", "no", "later"]
_FILLERS = frozenset(
    "please thanks thank you i am i'm want to the a it him her them that this those now just and go ahead do for of "
    "course sounds good make so right that's all is fine with my mind anymore anything nevermind let's really very "
    "much sir aisha lead contact account opportunity deal record activity note one delete remove convert send erase "
    "deletion removal conversion sending then well actually oh um uh hmm hm er ah he she they me us we on ma'am pls "
    "plz honestly quite".split()
)
_NO_FILLERS = _FILLERS | frozenset(
    "have has had been i've i'd i'll it's but anyway sorry all still after too yet here there in alone as was were be "
    "up off would could can may will think thought rather again for your instead either".split()
)
"""Words that may accompany a no, but not a yes: "not now" is clear, "yes, after that" is another request."""
_LATER_FILLERS = _NO_FILLERS | frozenset(
    "about before bit check first give know let little more need only over second sec see sleep soon sure till time "
    "tomorrow until while".split()
)
_PRAISE = frozenset("fine good great perfect nice lovely cool excellent".split())
"""Words that agree with what is shown beside the verb of the question: "fine, send", "perfect, send it"."""
_APPROVAL = re.compile(
    r" (?:(?:it|that|this) )?(?:looks|sounds|reads|seems) (?:(?:very|really|pretty|quite) )?"
    rf"(?:{'|'.join(sorted(_PRAISE))})(?: (?:to|for) me)?(?= )"
)
"""An opinion of what is shown that agrees: "looks good", "that reads really nice to me"."""
# "don't do it", "please do not go ahead": a phrase of agreement that is denied.
_DENIED_YES = re.compile(
    r" (?:don't|dont|do not|not|never|can't|cannot)(?: (?:please|you|just))* (?:do it|go ahead|please do)(?= )"
)


def read_decision(text: str, question: str) -> bool | None:
    """Return True for a yes in words, False for a no, None for anything else.

    A decision may contain fillers and words of the question itself beside yes or no: "yes, delete Jack Russel" is a
    yes, "yes but not Jack" and "delete John too" are no decisions. "ok, but not now" is a no, and a yes that is itself
    a question ("ok?") is no decision.
    """
    return {"yes": True, "no": False}.get(str(_read(text, question)))


def is_postponed(text: str, question: str) -> bool:
    """Return whether the text leaves the decision for later: "hold on", "not yet", "maybe, let me think"."""
    return _read(text, question) == "later"


def says_no(text: str) -> bool:
    """Return whether there is a no in the text, even one with other words around it: "no, show me his notes first"."""
    words = _words(text)
    return bool(NO & set(words)) or any(f" {phrase} " in f" {' '.join(words)} " for phrase in NO_PHRASES)


_ASKING = frozenset("ask asking asked confirm confirming confirmation question questions sure permission wait".split())
_MAX_WHY_WORDS = 9


def asks_why(text: str) -> bool:
    """Return whether the text asks for the reason of the assistant's question: "why do you ask?"."""
    words = _words(text)
    return (
        len(words) <= _MAX_WHY_WORDS
        and "why" in words[:3]
        and bool({"you", "do", "does"} & set(words))
        and (bool(_ASKING & set(words)))
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def _read(text: str, question: str) -> Answer | None:
    answer = _read_plain(text, question)
    return answer if answer is not None else _read_with_reason(text, question)


def _read_plain(text: str, question: str) -> Answer | None:
    answer = _DENIED_YES.sub(" no", f" {' '.join(_words(text))} ".replace(" get rid of ", " delete "))
    answer = _APPROVAL.sub(" yes", answer)
    if _DELETES.search(question):
        answer = _KILL.sub(" delete", answer)
    for phrase in LATER_PHRASES:
        answer = answer.replace(f" {phrase} ", " later ")
    for phrase in NO_PHRASES:
        answer = answer.replace(f" {phrase} ", " no ")
    words = set(answer.split())
    says_no, says_later = bool(words & NO), bool(words & LATER)
    yes_words = words & YES
    says_yes = bool(yes_words) or any(f" {phrase} " in answer for phrase in YES_PHRASES)
    if _repeats_order(answer.split(), question):
        return None if text.rstrip().endswith("?") else "yes"
    fillers = _LATER_FILLERS if says_later else _NO_FILLERS if says_no else _FILLERS
    # Any word beyond these may be a condition or another request, so the answer decides nothing.
    if words - YES - NO - LATER - fillers - set(_WORD.findall(question.lower())):
        return None
    if says_yes and (says_no or says_later):
        # "ok, no" is a no, as "ok" only opens the sentence; "yes, no" and "wait, yes" are unclear.
        is_opening = yes_words <= _SOFT and not _agrees_last(answer)
        return ("no" if says_no else "later") if is_opening else None
    if says_yes:
        return None if text.rstrip().endswith("?") else "yes"
    return "no" if says_no else "later" if says_later else None


def _repeats_order(words: list[str], question: str) -> bool:
    """Return whether an answer is the verb of "Shall I send …?" for all that was asked about: "send it please"."""
    match = _ASKED_VERB.search(question)
    return match is not None and match["verb"].lower() in words and {*words} <= {match["verb"].lower(), *_WHOLE}


_ASKED_VERB = re.compile(r"\bshall I (?P<verb>\w+)", re.IGNORECASE)
_WHOLE = _PRAISE | frozenset("it this that them please pls now then just ahead go so".split())
_DELETES = re.compile(r"\bdelete\b", re.IGNORECASE)
# Colloquial verbs that mean "delete" only where deletion was the question: "bin it".
_KILL = re.compile(r" (?:kill|bin|trash|wipe|scrap|nuke|drop)(?= (?:it|him|her|them|that|this) )")
# The parts of an answer, at punctuation or a dash between spaces: "yes - he left, delete him".
_PARTS = re.compile(r"[,.;!–—]+\s*|\s{1,8}-\s+")
_BECAUSE = r"(?:because|cause|since|as|and|so)\s+"
_SUBJECT = r"(?:he|she|it|they|i|we|you|there|somebody|someone|my\s+\w+|our\s+\w+|the\s+\w+)"
_PREDICATE = (
    r"(?:is|are|was|were|has|have|had|does|do|did|will|never|still|may|might|asked|checked|talked|spoke|agreed|agrees|"
    r"said|says|knows|told|called|left|moved|confirmed|wants|fine|okay|ok|gone|sure|dead|\w+ing|\w+ed|no|not|a|an|in|"
    r"on|with)\b"
)
# A clause that states something: "because my manager is fine with it".
_REASON = re.compile(
    rf"^(?:{_BECAUSE})*{_SUBJECT}"
    r"(?:['’](?:s|re|ve|ll|d|m)\b|n['’]t\b|\s+(?:just|still|already|also|really)\b)*"
    rf"\s*{_PREDICATE}",
    re.IGNORECASE,
)
# More than a reason: a condition, a correction or another request.
_ASKS_MORE = re.compile(
    r"\?|\b(?:but|except|unless|if|instead|rather|meant|mean|other|another|wrong|different|first|second|third|also|too|"
    r"only|until|after|before|later|once|can|could|would|should|need|show|list|tell|find|give|create|add|schedule|book|"
    r"update|change|make|put|set|move|note|convert|mark|assign|remind)\b",
    re.IGNORECASE,
)
# A reason whose end supports a yes: "he is a duplicate", "I checked".
_SUPPORTS_YES = re.compile(
    r"\b(?:fine|ok|okay|agreed|agrees|approved|confirmed|gone|sure|duplicate|useless|dead|certain|checked)"
    r"(?:\s+(?:with|about|to|of)\s+(?:it|that|this))?\W*$",
    re.IGNORECASE,
)


def _read_with_reason(text: str, question: str) -> Answer | None:
    """Return the decision of an answer with its reason, None when it is not clear.

    "Yes, my manager is fine with it, delete it" is a yes, "Hold on, he is in talks with us, so no" a no. A yes has to
    come first and either be repeated or have a reason that supports it; a request for anything more is no decision.
    """
    parts = [part.strip() for part in _PARTS.split(text.replace("’", "'")) if part.strip()]
    if len(parts) < 2 or _ASKS_MORE.search(text):
        return None
    answers = [_read_part(part, question) for part in parts]
    reasons = [part for part, answer in zip(parts, answers, strict=True) if answer is None]
    if answers[0] is None or not all(_REASON.match(part) for part in reasons):
        return None
    if any(_names_other(part, question) for part in reasons):
        return None  # "No, I took the wrong one, it is Ann Lee that must go."
    if "no" in answers or "later" in answers:
        # A wrong no only costs a question, a wrong yes cannot always be undone: a no beside a soft yes counts.
        has_firm_yes = any(answer == "yes" and not _is_soft(part) for part, answer in zip(parts, answers, strict=True))
        return None if has_firm_yes else "no" if "no" in answers else "later"
    is_repeated = answers.count("yes") > 1
    is_clear = is_repeated or all(_SUPPORTS_YES.search(part) for part in reasons)
    # "Yes, my manager is not fine with it": a reason with a denial does not support the yes.
    denies = any(set(_WORD.findall(part.lower())) & NO or "n't" in part.lower() for part in reasons)
    return "yes" if is_clear and not denies and not _is_soft(parts[0]) else None


def _names_other(part: str, question: str) -> bool:
    """Return whether a part of an answer has a capitalised word, not its first, that the question does not have."""
    named = (word for word in _WORD.findall(part)[1:] if word[:1].isupper() and word.partition("'")[0] != "I")
    return any(word.lower() not in question.lower() for word in named)


def _read_part(part: str, question: str) -> Answer | None:
    """Return the decision of one part of an answer; the question's own words again ("delete it") are a yes."""
    # "so no" is a no: the conjunction at the beginning decides nothing.
    shorter = re.sub(rf"^(?:{_BECAUSE})+", "", part, flags=re.IGNORECASE)
    if (decision := _read_plain(shorter, question)) is not None:
        return decision
    return _read_plain(f"yes {shorter}", question) if _ACTS.match(shorter) else None


_ACTS = re.compile(r"(?:delete|remove|erase|convert|send|kill|bin|trash|wipe|get\s+rid\s+of)\b", re.IGNORECASE)


def _is_soft(part: str) -> bool:
    return set(_WORD.findall(part.lower())) <= _SOFT


def _agrees_last(answer: str) -> bool:
    """Return True when the last deciding word is a yes: "no wait, go ahead"."""
    positions = {answer.rfind(f" {word} "): True for word in (*YES, *YES_PHRASES)}
    positions |= {answer.rfind(f" {word} "): False for word in NO | LATER}
    return positions[max(positions)]
