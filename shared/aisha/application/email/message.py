"""Turn what the user wants an email to say, in the user's words, into sentences to its reader. Pure functions.

"Thank him for the tour and ask whether he can start in May" becomes "Thank you for the tour. Can you start in May?".
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from aisha.application.email.reader_address import addressed, question_to
from aisha.application.email.subjects import subject_of
from aisha.domain.language.tones import TONES, Tone

_TELLING = "tell inform let say mention explain announce write add notify state note".split()
_TO_READER = (*"thank ask tell inform let remind invite congratulate wish welcome notify assure warn".split(), "offer")
"""Verbs with the reader as their object: "thank him"."""
_SPOKEN = (*_TELLING, *_TO_READER, *"apologise confirm request propose suggest".split(), "follow up")
_SENTENCES = frozenset((*_TELLING, "ask", "thank"))
"""Verbs whose clause is a sentence by itself; of all others "I would like to …" makes one."""
_PLEDGE = r"(?:(?:please|also|then|to|just|by|kindly)\s+)*"
_READER = r"(?:him|her|them|everyone|you)"
_JOINT = r"(?:\s*[,;&–-]\s*(?:and|but|then|plus)?|\s+(?:and|but|then|plus|as well as))\s+"
_QUESTION_WORD = r"(?:whether|if|when|what|how|which|who|where|why)\b"
_MANNER = re.compile(
    r"(?:^|[,.;!?–-]|\b(?:and|but)\b)\s*(?:(?:please|just|also)\s+)*(?:keep|make|write|word|phrase)\s+"
    r"(?:it|this|that|the\s+(?:e-?mail|mail|message|tone|text))\s+(?:[\w-]+\s+){0,3}?"
    rf"(?P<tone>{'|'.join(TONES)})\b(?:\s+and\s+\w+)?(?:,?\s+please)?(?=\W|$)"
    rf"|[,.;]\s*(?:\w+\s+and\s+)?(?P<wish>{'|'.join(TONES)}),?\s+please\b",
    re.IGNORECASE,
)
"""An instruction on the tone: "keep it short"."""
_SENDING = re.compile(
    r"(?<=[.!?])\s*(?:(?:please|just|so|now|then|do not|don['’]t)\s+)*send (?:it|this|that)\b[^.!?]*[.!]?\s*$",
    re.IGNORECASE,
)
"""An instruction to send the email, or not to, after what it says."""


def _forms(verb: str) -> str:
    """Return a pattern of the forms of a verb in which an order has it: "thank", "thanks", "thanking"."""
    first, _, particle = verb.partition(" ")
    if verb == "apologise":
        return r"apologi(?:[sz]es?|[sz]ing|es)"  # "Apologies" is what the correction of slips makes of it.
    stem = {"let": "lett"}.get(first, first.removesuffix("e"))
    return rf"(?:{first}s?|{stem}ing)" + (rf"[\s-]{particle}" if particle else "")


_ANY = "|".join(map(_forms, _SPOKEN))
_ASKED_TO_SAY = re.compile(
    rf"\A{_PLEDGE}(?P<verb>{_ANY})\b(?P<reader>\s+(?:to\s+)?{_READER}\b)?(?P<know>\s+know\b)?(?:\s*:)?\s*",
    re.IGNORECASE,
)
"""The opening of a point: "and to let her know"."""
_NEXT_POINT = re.compile(
    rf"\A{_PLEDGE}(?:(?:{_ANY})\s+(?:to\s+)?{_READER}\b"
    rf"|(?:{'|'.join(map(_forms, ('say', 'mention', 'explain', 'add', 'ask', 'tell', 'remind')))})\s+"
    rf"(?:that\b|for\b|about\b|{_QUESTION_WORD})"
    rf"|(?:{'|'.join(map(_forms, ('apologise', 'follow up', 'offer', 'propose')))})\b)",
    re.IGNORECASE,
)
"""The opening of a point after "and": with its reader or with what it is followed by."""
_LETTER = re.compile(r"\w")
_OPENING = re.compile(r"^\W*(?:(?:and|but|then|plus|also)\b\W*)*", re.IGNORECASE)
_NEXT_FORM = re.compile(rf"\A{_PLEDGE}(?P<verb>{_ANY})\b(?!\s+(?:me|us|you)\b)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b[DM]r\.)(?<!\bM[rs]s\.)(?<!\bMs\.)\s+|\n+|;\s+")
_SUBJECT = re.compile(
    r"(?:^|[,.;!?]|\b(?:and|with)\b)\s*(?:(?:please|use|put|set|make|change|the|a|as|an|with)\s+)*subject(?:\s+line)?\b"
    r"(?:\s+(?:is|be|should\s+be|of|to|as|reads?|line))*\s*[:=]?\s*"
    rf"(?P<subject>[“\"][^”\"]+[”\"]|[^.,:;!?\n]{{2,120}}?)(?=[.,:;!?\n]|\s+(?:and\s+)?(?:the\s+)?(?:body|text|{_ANY})\b|\s+that\b|$)",
    re.IGNORECASE,
)
_BODY = re.compile(
    r"\A\W*(?:and\s+)?(?:the\s+)?(?:body|text)\b(?:\s+(?:is|should be|should say|says|reads))?\s*[:=]?\s*", re.I
)
"""Words that introduce the text of an email: "and the body:"."""
_TOPIC = re.compile(r"(?:about|regarding|concerning|re)\b:?\s+(?P<topic>[^.:;!?\n]{2,120})(?P<rest>.*)", re.I | re.S)
_SAID = ((r"(?:many )?thank(?:s| you)\b", "thank"), (r"(?:i['’]?a?m )?sorry (?=for\b)", "apologise"))
"""Texts said with a verb of their own: "say thank you"."""
_GREETING = re.compile(r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:him|her|them|it|this|that|me|us)\b", re.IGNORECASE)
_LINE = re.compile(
    r"^(?:a|one|another)\s+(?:\w+\s+)?(?:line|sentence|word|paragraph)\s+(?:saying\s+)?(?:that\s+)?", re.I
)
_CLAUSE = re.compile(
    r"\A(?:(?:i|we|it|he|she|they|you|there|this|that)\b(?:['’](?:m|re|s|ll|ve|d))? \S+"
    r"|(?:the|our|my|his|her|their|your|all|both)\b(?:(?!\b(?:that|which|who|i|we|you)\b)[^.?!])*?"
    r"\b(?:is|are|was|were|will|has|have|had|can|can['’]t|won['’]t|could|should|would|must|may|does|did"
    r"|isn['’]t|aren['’]t|doesn['’]t|goes|comes|ships|moves|starts|ends)\b)",
    re.IGNORECASE,
)
"""The beginning of a sentence, in contrast to a topic such as "the renewal"."""


class Message(Struct, frozen=True):
    """The sentences of an email, and its subject. `tone` is what the user said of it; `is_asking`: for an answer."""

    text: str
    subject: str
    tone: Tone | None = None
    is_asking: bool = False


class Point(Struct, frozen=True):
    """One thing to say: the base form of its verb, and the words after it. No verb: the words themselves."""

    verb: str
    words: str
    names_reader: str = ""


def starts_point(text: str, *, is_first: bool = True) -> bool:
    """Return whether a text begins with something to tell the reader of an email: "and thank her for …"."""
    text = _OPENING.sub("", text)
    is_verb = _ASKED_TO_SAY.match(text) if is_first else _NEXT_POINT.match(text)
    return is_verb is not None and not re.match(rf"{_PLEDGE}\w+\s+(?:me|us)\b", text, re.IGNORECASE)


def is_clause(text: str) -> bool:
    """Return whether a text is a statement, in contrast to a topic."""
    return _CLAUSE.match(text.strip()) is not None


def is_of_manner(text: str) -> bool:
    """Return whether a text is only about the email's tone or subject."""
    return not _without_manner(text)[0].strip(" .!,")


def tone_of(purpose: str) -> Tone | None:
    """Return the tone that a purpose names: "about the renewal, keep it short"."""
    return _without_manner(purpose)[1]


def message_of(purpose: str, *, is_person: bool) -> Message | None:
    """Return what the email is to say, ask or request by its purpose; None for a purpose that is only a topic.

    The third person of a recipient who is a person becomes the second: "whether she has had time" asks "Have you had
    time?".
    """
    words, tone, subject = _without_manner(purpose)
    if (topic := _TOPIC.match(words)) and not _PRONOUN.match(topic["topic"]):
        name, rest = _parted_topic(topic["topic"])
        name = re.sub(r"^(?:the|an?) (?=\w)", "", name, flags=re.IGNORECASE)
        subject, words = subject or name, f"{rest}{topic['rest']}".lstrip(" ,.:;!?–-").rstrip()
        if words and not starts_point(words):
            words = f"say that {words}"
    points = list(_points(words))
    is_said = [_says_something(point) for point in points]
    if not any(is_said):
        return None
    sentences = [_sentence(point, is_person=is_person) for point in points]
    first = points[is_said.index(True)]
    spoken = sentences[is_said.index(True)]
    subject = subject or subject_of(first.verb, addressed(first.words, is_person=is_person), spoken)
    text = " ".join(sentences)
    return Message(text, _capital(subject), tone, any(point.verb == "ask" for point in points))


def _says_something(point: Point) -> bool:
    """Return whether a point has something to say: not "follow up", "say hello" or a topic."""
    if not point.verb:
        return is_clause(point.words)
    return bool(point.words.strip(" .!")) and not is_greeting(point.words)


def _without_manner(purpose: str) -> tuple[str, Tone | None, str]:
    """Return the purpose without instructions on the email itself, and the tone and the subject that these name."""
    tones = [TONES[(match["tone"] or match["wish"]).lower()] for match in _MANNER.finditer(purpose)]
    tone = tones[-1] if tones else None
    words = _MANNER.sub("", _SENDING.sub("", purpose))
    subjects = [match["subject"].strip(' "“”') for match in _SUBJECT.finditer(words)]
    words = _BODY.sub("say ", _SUBJECT.sub(".", words)).strip(" ,:;.-–") if subjects else words.strip()
    return words, tone, "".join(subjects[-1:])


def _parted_topic(topic: str) -> tuple[str, str]:
    """Return the topic, and what is to be said besides: "the renewal and ask her for a date"."""
    cuts = (cut for cut in re.finditer(_JOINT, topic) if starts_point(topic[cut.end() :]))
    cut = next(cuts, None)
    return (topic[: cut.start()].strip(), topic[cut.end() :]) if cut else (topic.strip(" ,\"'"), "")


def _points(words: str) -> Iterator[Point]:
    """Yield what the email is to say, in order."""
    for sentence in _SENTENCE_END.split(_OPENING.sub("", words)):
        yield from (point for text in _clauses(sentence) if _LETTER.search(text) and (point := _point(text)))


def _clauses(sentence: str) -> Iterator[str]:
    """Yield the parts of a sentence that begin with a verb of their own, or go on with "and that", "and whether"."""
    start, is_ing = 0, _is_ing(sentence)
    verb = _point(sentence).verb
    for joint in re.finditer(_JOINT, sentence):
        rest, clause = sentence[joint.end() :], sentence[start : joint.start()]
        form = _NEXT_FORM.match(rest)
        is_alike = form is not None and _is_ing(rest) == is_ing and (is_ing or not re.search(r"\bto\s+\w", clause))
        is_next = _NEXT_POINT.match(rest) is not None and (_is_ing(rest) == is_ing or not _is_ing(rest))
        more = _QUESTION_WORD if verb == "ask" else r"that\s"
        is_more = verb in (*_TELLING, "thank", "apologise", "ask") and re.match(more, rest) is not None
        if clause.strip() and (is_next or is_more or (verb and is_alike)):
            yield clause
            # What follows "and whether" belongs to the verb of the point that it began.
            start, verb = joint.end(), _point(rest).verb
    yield sentence[start:]


def _is_ing(text: str) -> bool:
    match = _ASKED_TO_SAY.match(text)
    return match is not None and match["verb"].split()[0].lower().endswith("ing")


def _point(text: str) -> Point:
    text = text.strip(" ,:;–-")
    match = _ASKED_TO_SAY.match(text)
    if match is None:
        if re.match(_QUESTION_WORD, text, re.IGNORECASE) and "?" not in text:
            return Point("ask", text)
        is_more = re.match(r"that\s", text) is not None
        return Point("say", text) if is_more else Point("", text)
    verb = next(spoken for spoken in _SPOKEN if re.fullmatch(_forms(spoken), match["verb"], re.IGNORECASE))
    rest = text[match.end() :]
    for words, named in _SAID if verb in _TELLING else ():
        if opening_match := re.match(words, rest, re.IGNORECASE):
            return Point(named, rest[opening_match.end() :].strip())
    if verb in _TO_READER or not (match["reader"] or "").strip() or match["reader"].strip().startswith("to "):
        return Point(verb, rest, (match["reader"] or "").strip().lower())
    return Point(verb, f"{match['reader'].strip()} {rest}")  # "Confirm her appointment."


def _sentence(point: Point, *, is_person: bool) -> str:
    """Return a point as a sentence to the reader."""
    words = point.words.strip(" ,;:").rstrip(".")
    clause = addressed(words, is_person=is_person, is_plural=point.names_reader.endswith("them"))
    if point.verb == "ask":
        return question_to(words, clause)
    if point.verb == "thank":
        return f"Thank you {clause}".rstrip(" .!") + "."
    if point.verb and point.verb not in _SENTENCES:
        reader = " you" if point.verb in _TO_READER else ""
        return f"I would like to {point.verb}{reader} {clause}".rstrip(" .") + "."
    clause = re.sub(r"^that\s+", "", clause, flags=re.IGNORECASE)
    if point.verb:
        clause = _LINE.sub("", clause)
        # "Tell him to sign" becomes "Please sign".
        if re.match(r"(?:not )?to\s+\w", clause):
            wish = re.sub(r"^to\s+", "", clause)
            return f"Please {re.sub(r'^not to', 'do not', wish)}.".replace("..", ".")
        # "Inform her of the delay" becomes "I am writing about the delay".
        if re.match(r"(?:about|of)\s", clause):
            return f"I am writing {re.sub(r'^of', 'about', clause)}."
        if re.match(_QUESTION_WORD, clause) and "?" not in clause:
            return f"I would like to tell you {clause}."
        if point.verb in ("mention", "explain", "announce") and not (is_clause(words) or words.startswith("that ")):
            return f"I would like to {point.verb} {clause}."
    return _capital(clause) + ("" if clause.endswith(("!", "?")) or not clause else ".")


def is_greeting(text: str) -> bool:
    """Return whether a text begins with a greeting, as a whole email does."""
    return _GREETING.match(text) is not None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
