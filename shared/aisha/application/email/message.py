"""Turn what the user wants an email to say, ask or request into its sentence. Pure functions."""

import re

from msgspec import Struct

_SAYING = re.compile(
    r"(?:to )?(?:(?:say|tell|inform|mention|writ|explain|confirm|announc|remind)(?:e|ing|s)?|let(?:ting)?)\b"
    r"(?: (?:him|her|them|everyone|you)(?= (?:that|know|we|i|our|my|the|it)\b))?(?: know)?(?: that\b)?"
    r"|that\b",
    re.IGNORECASE,
)
_ASKING = re.compile(r"(?:to |and )?ask(?:ing|s)?\b(?: (?:him|her|them)\b)?(?! about\b)", re.IGNORECASE)
_WHETHER = re.compile(r"(?:whether|if|when|what|how|which|who|where)\b", re.IGNORECASE)
_REQUESTING = re.compile(r"for (?=(?:the|his|her|their|your|a copy|an update)\b)", re.IGNORECASE)
_WANTING = re.compile(r"to (?=\w)", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\A(?:(?:i|we|it|he|she|they|you|there|this|that)\b(?:['’](?:m|re|s|ll|ve|d))? \S+"
    r"|(?:the|our|my|his|her|their|your|all|both)\b(?:(?!\b(?:that|which|who|i|we|you)\b)[^.?!])*?"
    r"\b(?:is|are|was|were|will|has|have|had|can|can['’]t|won['’]t|could|should|would|must|may|does|did"
    r"|isn['’]t|aren['’]t|doesn['’]t|goes|comes|ships|moves|starts|ends)\b)",
    re.IGNORECASE,
)
"""The beginning of a sentence, in contrast to a topic such as "the renewal"."""
_SUBJECT_AND_VERB = re.compile(r"\b(?:s?he) (?P<verb>[a-z'’]+)", re.IGNORECASE)
_HER = re.compile(
    r"\bher(?=$|[.,;!?]| (?:by|on|at|in|to|for|from|about|with|before|after|until|when|and|or|if|as|tomorrow|today"
    r"|next|this|the|a|an|our|my|soon|again)\b)",
    re.IGNORECASE,
)
"""The object "her", which is no possessive."""
_THIRD_PERSON = re.compile(r"\b(?:s?he['’]s|s?he|him|his|hers?)\b", re.IGNORECASE)
_SECOND_PERSON = {
    **dict.fromkeys(("he's", "she's", "he’s", "she’s"), "you're"),
    **dict.fromkeys(("he", "she", "him"), "you"),
    "his": "your",
    "her": "your",
    "hers": "yours",
}
_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "isn't": "aren't", "doesn't": "don't"}


class Message(Struct, frozen=True):
    """The sentence that an email is to carry. `subject` is None where its first words are the subject."""

    text: str
    subject: str | None = None


def message_of(purpose: str, *, is_person: bool) -> Message | None:
    """Return what the purpose says that the email shall say, ask or request; None for a purpose that is only a topic.

    The third person of a recipient who is a person becomes the second: "whether she has had time" asks "whether you
    have had time".
    """
    match = _SAYING.match(purpose)
    words = purpose[match.end() :].strip(" ,:;-") if match else purpose.strip()
    if asking := _ASKING.match(words):
        words = words[asking.end() :].strip(" ,:;-")
        if wish := _WANTING.match(words):
            text = _addressed(words[wish.end() :].rstrip(" .?"), is_person)
            return Message(f"Could you please {text}?", "A request")
        if requested := _REQUESTING.match(words):
            text = _addressed(words[requested.end() :].rstrip(" .?"), is_person)
            return Message(f"I would like to ask you for {text}.", "A request")
        if not _WHETHER.match(words):
            return None
    if _WHETHER.match(words):
        return Message(f"I wanted to ask {_addressed(words.rstrip(' .?'), is_person)}.", "A quick question")
    is_clause = _CLAUSE.match(words) is not None
    if not (match and match[0].lower().endswith("that")) and not is_clause:
        return None
    text = _addressed(words.rstrip(" ."), is_person)
    return Message(f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('!', '?')) else '.'}")


def _addressed(text: str, is_person: bool) -> str:
    """Return a text about its reader as one to the reader."""
    if not is_person:
        return text
    text = _SUBJECT_AND_VERB.sub(lambda match: f"you {_plural_verb(match['verb'])}", text)
    text = _HER.sub("you", text)
    return _THIRD_PERSON.sub(lambda match: _SECOND_PERSON[match[0].lower()], text)


def _plural_verb(verb: str) -> str:
    """Return the verb after "she" as it is after "you": "has" is "have", "wants" is "want"."""
    if (form := _VERBS.get(verb.lower())) is not None:
        return form
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
