"""Address a text about the reader of an email to the reader: "he" becomes "you", and "whether he can" "Can you?"."""

import re

from aisha.domain.language.words import first_names

_SUBJECT_AND_VERB = re.compile(
    r"\b(?P<subject>s?he) (?P<adverb>(?:(?:always|also|really|still|just|never|often|only|\w+ly) )?)(?P<verb>[a-z'’]+)",
    re.IGNORECASE,
)
_HER = re.compile(
    r"\bher(?=$|[.,;!?]| (?:by|on|at|in|to|for|from|about|with|before|after|until|when|and|or|if|as|tomorrow|today"
    r"|next|this|the|a|an|our|my|soon|again)\b)",
    re.IGNORECASE,
)
"""The object "her", which is no possessive."""
_HAS = re.compile(r"\b(s?he)['’]s (?=(?:had|been|got|done|seen|sent|paid|taken|received|\w+ed to)\b)", re.IGNORECASE)
_SINGULAR = {
    **dict.fromkeys(("he's", "she's", "he’s", "she’s"), "you're"),
    **dict.fromkeys(("he'll", "she'll", "he’ll", "she’ll"), "you'll"),
    **dict.fromkeys(("he'd", "she'd", "he’d", "she’d"), "you'd"),
    **dict.fromkeys(("he", "she", "him"), "you"),
    **dict.fromkeys(("himself", "herself"), "yourself"),
    "his": "your",
    "her": "your",
    "hers": "yours",
}
_PLURAL = {"they": "you", "them": "you", "their": "your", "theirs": "yours", "themselves": "yourselves"}
_THIRD_PERSON = re.compile(rf"\b(?:{'|'.join(sorted(_SINGULAR, key=len, reverse=True))})\b", re.IGNORECASE)
_THIRD_PERSONS = re.compile(rf"\b(?:{'|'.join(_PLURAL)})\b", re.IGNORECASE)
_PLURAL_NOUN = re.compile(r"\b(?!(?:his|this|is|was|has|does|as|us|yes)\b)[a-z]{3,}s\b|\bpeople\b", re.IGNORECASE)
_OTHER_PERSON = re.compile(
    r"\b(?:my|our|your|his|her|the|a|an)\s(?:\w+\s)?(?:boss|colleague|technician|engineer|manager|director|assistant"
    r"|partner|wife|husband|driver|consultant|lawyer|accountant|specialist|expert|son|daughter|brother|sister|trainer)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\b[A-Z][a-z]+\b")
_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "isn't": "aren't", "doesn't": "don't"}
_VERBS |= {"wasn't": "weren't", "hasn't": "haven't", "this": "this"}
_AUXILIARIES = frozenset(
    "can could will would shall should may might must is are am was were has have had do does did".split()
)
_PARTICIPLE = re.compile(
    r"\b(?:(?:already|ever|yet|now|just|really|not)\s+)?"
    r"(?:\w+(?:ed|en|wn|ne)|had|been|got|made|sent|read|met|paid|found|heard"
    r"|thought|brought|bought|left|begun|put|set|told|kept|lost|spent|come|become)\b"
)
_SUBJECTS = frozenset("i we you they it there the our my your this that these those his her their a an".split())
_SHORT = {"'ll": " will", "'d": " would", "'ve": " have", "'re": " are", "'m": " am"}


def addressed(text: str, *, is_person: bool, is_plural: bool = False) -> str:
    """Return a text about its reader as one to the reader, who is "they" in it if `is_plural`.

    After another person, "he" may be that one: such words stay as they are, as does "their" after a plural.
    """
    if is_plural and not _PLURAL_NOUN.search(text.partition(" the")[0]):
        text = _THIRD_PERSONS.sub(lambda match: _after_plural(text, match), text)
    if not is_person:
        return text
    text = _HAS.sub(r"\1 has ", re.sub(r"\b(s?he)s\b", r"\1's", text, flags=re.IGNORECASE))
    other = _other_person(text)
    head, tail = (text[:other], text[other:]) if other is not None else (text, "")
    head = _SUBJECT_AND_VERB.sub(
        lambda match: f"you {match['adverb']}{_plural_verb(match['verb'])}", _HER.sub("you", head)
    )
    tail = re.sub(r"\bhim\b", "you", _HER.sub("you", tail), flags=re.IGNORECASE)
    return _THIRD_PERSON.sub(lambda match: _SINGULAR[match[0].lower()], head) + tail


def _after_plural(text: str, match: re.Match[str]) -> str:
    is_of_noun = _PLURAL_NOUN.search(text[: match.start()]) is not None
    return match[0] if is_of_noun else _PLURAL[match[0].lower()]


def _other_person(text: str) -> int | None:
    """Return where another person than the reader is named; None if nobody is."""
    names = (match.end() for match in _WORD.finditer(text) if match[0].lower() in first_names())
    return min([*names, *(match.end() for match in _OTHER_PERSON.finditer(text))], default=None)


def _plural_verb(verb: str) -> str:
    """Return the verb after "she" as it is after "you": "has" is "have", "wants" is "want"."""
    if (form := _VERBS.get(verb.lower())) is not None:
        return form
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("shes", "ches", "sses", "xes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def question_to(words: str, clause: str) -> str:
    """Return the question of what follows "ask him"; `clause` is the same to the reader.

    A question whose form can't be told is asked indirectly: "I wanted to ask whether your manager liked it."
    """
    clause = clause.rstrip(" ?")
    if clause.endswith("?") or "?" in clause:
        return f"{clause[:1].upper()}{clause[1:]}?"
    if re.match(r"not to\s", clause):
        return f"Please do {re.sub(r'^not to', 'not', clause)}."
    if re.match(r"to\s+\w", clause):
        return f"Could you please {clause[3:].strip()}?"
    whether = re.match(r"(?:whether|if)\s+(?:or not\s+)?", clause, re.IGNORECASE)
    open_word = re.match(r"(?:when|what|how|which|who|where|why)\b", clause, re.IGNORECASE)
    if not (whether or open_word):
        return f"I would like to ask you {clause}."
    question = _inverted(clause[whether.end() :] if whether else clause, words, is_open=open_word is not None)
    return f"{question[:1].upper()}{question[1:]}?" if question else f"I wanted to ask {clause}."


def _inverted(clause: str, words: str, *, is_open: bool) -> str:
    """Return a clause as a question: "you can come" is "can you come"; empty if its verb can't be told."""
    for short, whole in _SHORT.items():
        clause = re.sub(rf"\b(you|we|i|they|it){short.replace(chr(39), '[’' + chr(39) + ']')}\b", rf"\1{whole}", clause)
    parts = clause.split()
    lower = [word.lower().strip(",") for word in parts]
    subjects = (at for at, word in enumerate(lower[:-1]) if at and word in _SUBJECTS)
    first = next(subjects, len(parts)) if is_open else 0
    if is_open and first == len(parts):
        # The question word is the subject: "who is coming".
        return "" if "to" in lower[1:3] else clause
    verb = next((at for at, word in enumerate(lower) if at > first and word in _AUXILIARIES), None)
    if verb is not None and lower[verb] == "have" and not _PARTICIPLE.match(" ".join(lower[verb + 1 :])):
        return " ".join((*parts[:first], "do", *parts[first:]))  # "Do you have questions?"
    if verb is not None and not {"that", "which", "who"} & {*lower[first + 1 : verb]}:
        return " ".join((*parts[:first], parts[verb], *parts[first:verb], *parts[verb + 1 :]))
    if lower[first] == "you" and re.search(r"\bs?he (?:\w+ly )?\w+s\b", words, re.IGNORECASE):
        return " ".join((*parts[:first], "do", *parts[first:]))
    return ""
