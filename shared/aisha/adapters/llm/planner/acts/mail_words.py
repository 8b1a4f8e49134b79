"""Find the words of an order that say what an email is to tell, and mark them as its text."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from aisha.application.email.message import starts_point
from aisha.domain.language import lexicon
from aisha.domain.language.acts import MAIL_ACTS
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize

_NAMING = frozenset(("name", "new", "org", "email", "ref", "owner"))
_DAY = r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = rf"\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}\b"
_CLOCK = r"\b\d{1,2}(?::\d\d)?\s?[ap]\.?m\b|\b\d{1,2}:\d\d\b"
_BEFORE_POINTS = frozenset("and , to . ; : - – then please by but also".split())
_NOUNS = frozenset("email e-mail mail message line note letter".split())
_VERBS = frozenset("write draft compose email e-mail mail send shoot drop".split())
_ASKING = frozenset("ask asking if whether".split())
_ABOUT = frozenset(("about", "regarding", "concerning"))
_INSTEAD = re.compile(
    r"(?:[^.?]{0,60}\s)?['‘“\"]?(?P<new>[\w:-]{1,40})['’”\"]?,? (?:instead of|rather than) "
    r"['‘“\"]?(?P<old>[\w:-]{1,40})['’”\"]?(?:,? please)?",
    re.IGNORECASE,
)
"""Matches a word that is wished for another one: "he'd like Wednesday rather than Tuesday"."""
_SWAP = re.compile(
    r"(?:\w+ )?(?:change|replace|swap|make) (?:the )?[\"“]?(?P<old>[^\"”]{2,60}?)[\"”]? (?:to|with|into|by) "
    r"[\"“]?(?P<new>[^\"”]{1,120})[\"”]?",
    re.IGNORECASE,
)
_KINDS = {
    "thank": "thank you",
    "thank-you": "thank you",
    "thanks": "thank you",
    "follow": "follow up",
    "follow-up": "follow up",
    "followup": "follow up",
    "reminder": "remind you",
    "apology": "apologise",
    "invitation": "invite you",
    "confirmation": "confirm",
}
"""The purpose of an email that is called so: "a thank-you mail for the tour"."""
_BY_MAIL = re.compile(
    r"(?<!\s)\s*\b(?:by|via|in|with|through)\s+(?:an?\s+)?(?:short\s+)?(?:e-?mail|mail)\b", re.IGNORECASE
)
_BEFORE_NAME = re.compile(r"(?<!\s)\s*\b(?:to|for)\s*$", re.IGNORECASE)


def with_message(segment: Segment) -> Segment:
    """Return an order for an email with all that it is to tell as its one text; any other segment as it is."""
    if segment.act not in MAIL_ACTS:
        return segment
    segment = _with_reader_first(segment)
    tokens = tokenize(segment.text)
    start, kinded = min(_starts(segment, tokens), default=None), _with_kind(segment, tokens)
    is_kind_first = kinded is not segment and re.search(r"\b(?:apology|thank\S*)\s+for\b", segment.text[:start], re.I)
    if start is None or is_kind_first:
        return kinded
    is_asked = ":" not in segment.text[:start] and tokens[0].word in ("can", "could", "would", "will")
    # "Can you write to Ann that we ship?" asks nothing of Ann.
    text = segment.text[start:].rstrip(" ,;")
    if is_asked or not _is_question(text):
        text = text.rstrip("?")
        segment = replace(segment, text=segment.text[:start] + text)
    spans = tuple(one for one in segment.spans if one.end <= start and one.tag != "text")
    return replace(segment, spans=(*spans, Span("text", text, start)))


def _is_question(text: str) -> bool:
    """Return whether what an email is to tell ends with a question: "we can meet then. Is that fine?"."""
    words = [one.word for one in tokenize(re.split(r"[.!?;,]\s+", text.rstrip(" ?"))[-1])]
    return bool(words) and (words[0] in lexicon.QUESTION_STARTS or not _ASKING.isdisjoint(words))


def with_correction(order: Segment, correction: Segment) -> Segment | None:
    """Return an order for an email with another day or hour in what it tells; None where that is not clear."""
    times = [one for one in correction.spans if one.tag == "when"]
    text = next((one for one in order.spans if one.tag == "text"), None)
    if order.act not in MAIL_ACTS or text is None or len(times) != 1:
        return None
    for form in (_DAY, _DATE, _CLOCK):
        old, new = (list(re.finditer(form, one, re.IGNORECASE)) for one in (text.text, times[0].text))
        # "By Tuesday" is the day alone.
        if len(old) == len(new) == 1 and new[0].group() in (times[0].text, times[0].text.split(maxsplit=1)[-1]):
            place = text.start + old[0].start()
            corrected_text = order.text[:place] + new[0].group().capitalize() + order.text[text.start + old[0].end() :]
            return with_message(replace(order, text=corrected_text))
    return None


def swapped(text: str, wish: str) -> str | None:
    """Return a text with the words that a wish puts in place of others: "change Thursday to Friday"; else None."""
    wished = _SWAP.fullmatch(wish.strip(" .!")) or _INSTEAD.fullmatch(wish.strip(" .!"))
    if wished is None or not (old := re.search(rf"\b{re.escape(wished['old'])}\b", text, re.IGNORECASE)):
        return None
    return text[: old.start()] + wished["new"] + text[old.end() :]


def _starts(segment: Segment, tokens: Sequence[Token]) -> Iterator[int]:
    """Yield where what the email is to tell may begin: after a colon, with a verb of telling, with "that", "about"."""
    head = _end_of_head(segment, tokens)
    quotes = (segment.text.find(one, head) for one in ('"', "“"))
    yield from (one for one in quotes if one >= 0)
    yield from (one.start for one in segment.spans if one.tag == "text" and one.start >= head)
    for before, token, after in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
        if token.start < head:
            continue
        if token.word == ":" and after is not None:
            yield after.start
        is_open = before.word in _BEFORE_POINTS or before.end <= head or token.word.endswith("ing")
        if is_open and starts_point(segment.text[token.start :]) and (after is None or after.word not in _NOUNS):
            yield token.start
        is_noun = after is None or lexicon.kind_named(after) is not None or before.word in _ABOUT
        if (token.word == "that" and not is_noun) or token.word in _ABOUT:
            yield token.start
        if token.word == "subject":
            yield before.start if before.word in ("the", "with") else token.start


def _end_of_head(segment: Segment, tokens: Sequence[Token]) -> int:
    """Return the place after the words that order the email: its first verb or noun, and whom it is for."""
    verb = next((one.end for one in tokens if one.word in _VERBS | _NOUNS), 0)
    named = next((one for one in segment.spans if one.tag in _NAMING), None)
    return max(verb, named.end) if named is not None and named.start <= verb + 1 else verb


def _with_reader_first(segment: Segment) -> Segment:
    """Return an order with whom the email is for before what it tells: "tell Ann by mail that …", "… to thank Ann"."""
    tokens = tokenize(segment.text)
    named = next((one for one in segment.spans if one.tag in _NAMING), None)
    word_before = [one for one in tokens if named is not None and one.end <= named.start][-1:]
    is_told = bool(word_before) and word_before[0].word not in _VERBS and starts_point(f"{word_before[0].text} him")
    if named is not None and named.tag in ("name", "new") and is_told:
        opening = f"{segment.text[: word_before[0].start]}email "
        head = f"{opening}{named.text} "
        text = f"{head}{word_before[0].text} you{_BY_MAIL.sub('', segment.text[named.end :], count=1)}"
        spans = (replace(named, start=len(opening)), Span("text", text[len(head) :].rstrip(), len(head)))
        return replace(segment, text=text, spans=spans)
    starts = list(_starts(segment, tokens))
    named = next((one for one in segment.spans if one.tag in ("name", "new", "email")), None)
    if not starts or named is None or named.start < min(starts) or not _BEFORE_NAME.search(segment.text[: named.start]):
        return segment if named or not starts else _with_pronoun(segment, min(starts))
    start, about = min(starts), _BEFORE_NAME.sub("", segment.text[min(starts) : named.start])
    head = f"{segment.text[:start]}to {named.text} "
    text = f"{head}{about}{segment.text[named.end :]}"
    spans = (replace(named, start=start + len("to ")), Span("text", text[len(head) :].rstrip(), len(head)))
    return replace(segment, text=text, spans=spans)


def _with_pronoun(segment: Segment, start: int) -> Segment:
    """Return an order that names its reader only in what it tells with that pronoun before it: "… thanking him"."""
    named = next((one for one in segment.spans if one.tag in _NAMING), None)
    if named is None or named.tag != "ref" or named.start < start:
        return segment
    head = f"{segment.text[:start]}to {named.text} "
    text = head + segment.text[start:]
    spans = (Span("ref", named.text, start + len("to ")), Span("text", text[len(head) :].rstrip(), len(head)))
    return replace(segment, text=text, spans=spans)


def _with_kind(segment: Segment, tokens: Sequence[Token]) -> Segment:
    """Return an order that names what kind of email it is with that as its text: "a thank-you mail for the tour"."""
    noun = next((one for one in tokens if one.word in _KINDS), None)
    kind = _KINDS[noun.word] if noun is not None else None
    head = max([_end_of_head(segment, tokens), *(one.end for one in segment.spans if one.tag in _NAMING - {"ref"})])
    # "Write Ann an apology for the delay."
    rest = segment.text[noun.end if noun is not None and noun.start > head else head :].strip(" .!,")
    if kind is None or not rest or not re.match(r"(?:for|on|to|that|of)\b", rest):
        return segment
    opening = segment.text[:head].rstrip() + " "
    spans = tuple(one for one in segment.spans if one.end <= head and one.tag not in ("text", "topic"))
    return replace(
        segment, text=f"{opening}{kind} {rest}", spans=(*spans, Span("text", f"{kind} {rest}", len(opening)))
    )
