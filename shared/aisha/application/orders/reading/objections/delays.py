"""Find what puts an order off: a condition, a time to come, or a clause such as "when he declines"."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Any

from aisha.application.orders.reading.clauses import (
    CLAUSE_MARKS,
    JOINING_WORDS,
    POLITE_OPENING_WORDS,
    is_hurry,
    is_order_verb,
    tells_past,
)
from aisha.application.orders.reading.literals import flat
from aisha.application.orders.reading.objections.conditions import (
    CONDITIONS,
    condition_in,
    first_step_in,
    is_clause_alone,
    is_courtesy,
)
from aisha.application.orders.reading.objections.statements import TEXT_ACTS
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.application.orders.wording import said
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

_WAITING_SUBJECTS = frozenset("somebody anybody someone anyone".split())
_DELAYING_WORDS = frozenset(
    "when once whenever until till after before soon nobody somebody anybody someone anyone".split()
)
_SUBJECT_WORDS = lexicon.PERSON_PRONOUNS | {"i", "we"}


def delay_reason(
    segment: UtteranceSegment, following: UtteranceSegment | None, arguments: Mapping[str, Any], now: datetime
) -> str:
    """Return the words that put an order off, such as "when he declines" or "tomorrow"; empty if there are none."""
    candidates = [*loose_words(segment), *_text_openings(segment)]
    candidates = [token for token in candidates if token.start not in segment.subordinate_starts]
    verb = next((token for token in candidates if is_order_verb(token)), None)
    tokens = segment.ask.tokens
    delays = (
        token
        for token in candidates
        if token.word in _DELAYING_WORDS and not _is_courtesy(tokens, token) and not _has_acted(tokens, token)
    )
    delay = next((token for token in delays if verb is None or not _is_beside_order(tokens, token, verb)), None)
    if delay is not None:
        return said(delay.text.lower())
    is_corrected = following is not None and following.corrects and bool(following.ask.texts("when"))
    future_day = "" if is_corrected else _future_day(segment, arguments, now)
    return said(future_day) if future_day else ""


def _has_acted(tokens: Sequence[Token], subject: Token) -> bool:
    """Return whether a word is the subject of what was done: "someone typed it wrong"."""
    place = tokens.index(subject)
    return subject.word in _WAITING_SUBJECTS and tells_past(tokens[place : place + 2])


def _is_courtesy(tokens: Sequence[Token], delay: Token) -> bool:
    """Return whether a delaying word begins a courtesy: "when you get a chance", "as soon as possible"."""
    later = [token.word for token in tokens if token.start > delay.start]
    return is_courtesy(later[1:] if delay.word == "soon" and later[:1] == ["as"] else later)


def _is_beside_order(tokens: Sequence[Token], delay: Token, verb: Token) -> bool:
    """Return whether a delaying word is no part of the clause of an order whose first verb is `verb`.

    It stands in what gives the order's reason: "nobody minds, so set it", "set it, he calmed down after my visit".
    """
    place, order = tokens.index(delay), tokens.index(verb)
    if place > order:
        # "Change it before noon" sets a deadline, "before noon, change it" may put it off.
        is_other = delay.word in _WAITING_SUBJECTS and tokens[place - 1].word in JOINING_WORDS
        return delay.word == "before" or is_other or _is_in_statement(tokens[order:place])
    between = [token.word for token in tokens[place:order]]
    return "so" in between or is_hurry(tokens[place:]) or (delay.word == "before" and ":" in between)


def _is_in_statement(tokens: Sequence[Token]) -> bool:
    """Return whether words after an order go on with a clause that tells of somebody: "…, she calmed down", "(he …"."""
    starts = [place + 1 for place, token in enumerate(tokens) if token.word in CLAUSE_MARKS | {"("}]
    clause = [token.word for token in tokens[starts[-1] :]] if starts else []
    subject = clause[0].partition("'")[0] if clause else ""
    is_aside = bool(starts) and tokens[starts[-1] - 1].word == "("
    is_told = subject in _SUBJECT_WORDS and (len(clause) > 1 or "'" in clause[0])
    return is_aside or (is_told and not lexicon.THING_PRONOUNS & {*clause})


def delayed_by_neighbours(
    segment: UtteranceSegment, previous: UtteranceSegment | None, following: UtteranceSegment | None
) -> str:
    """Return the words by which the clause before or after an order makes it wait: "when he declines. Set …".

    A sentence of its own does so if it is nothing but that clause. Empty if none does.
    """
    reason = ""
    if previous is not None and (not _ends_sentence(previous) or is_clause_alone(previous.ask.tokens)):
        # "Nobody minds, so set it": the clause is the reason.
        is_reason = [token.word for token in segment.ask.tokens[:1]] == ["so"]
        is_deadline = previous.ask.text.rstrip().endswith(":") and not _ends_sentence(previous)
        subjects = frozenset[str]() if _ends_sentence(previous) else _WAITING_SUBJECTS
        reason = "" if is_reason else _condition_of(previous, subjects)
        if is_deadline and reason.lower() == "before":
            reason = ""
    if not reason and following is not None and not following.is_order:
        is_joined = not _ends_sentence(segment)
        if is_joined or is_clause_alone(following.ask.tokens):
            joined_words = lexicon.HEDGE_WORDS | _WAITING_SUBJECTS if is_joined else frozenset[str]()
            reason = _condition_of(following, joined_words)
    return said(reason) if reason else ""


def _condition_of(segment: UtteranceSegment, waiting_words: frozenset[str] = _WAITING_SUBJECTS) -> str:
    """Return the words by which a clause makes the order beside it wait, also one of `waiting_words`; empty if none."""
    first = next(iter(first_words(segment)), None)
    condition = condition_in(segment.ask.tokens) or first_step_in(segment.ask.tokens)
    is_waiting = first is not None and first.word in waiting_words - CONDITIONS
    return first.text if not condition and is_waiting and first is not None else condition


def _future_day(segment: UtteranceSegment, arguments: Mapping[str, Any], now: datetime) -> str:
    """Return a day to come that was said and is no value of the call: the change would be made now."""
    texts = [flat(value) for value in arguments.values() if isinstance(value, str)]
    tokens = segment.ask.tokens
    order = next((place for place, token in enumerate(tokens) if is_order_verb(token)), len(tokens))
    for span in segment.spans:
        before = [token for token in tokens[order:] if token.start < span.start]
        is_told = _is_in_statement(before) or (not before and _opens_with_statement(tokens[:order], span.start))
        is_of_order = span.tag == "when" and not segment.is_aside(span) and not is_told
        if not is_of_order or any(flat(span.text) in text for text in texts):
            continue
        if span.text.lower().startswith("later"):
            return span.text
        corrected_days = {one.moment(now).date() for one in segment.ask.times}
        days = [one.moment(now).date() for one in find_times(span.text.lower(), now)]
        if corrected_days and not corrected_days.intersection(days):
            # It was corrected: "on Thursday, sorry, Friday".
            continue
        if any(day > now.date() and day.isoformat().replace("-", "") not in "".join(texts) for day in days):
            return span.text
    return ""


def _opens_with_statement(tokens: Sequence[Token], start: int) -> bool:
    """Return whether words before an order tell of somebody in a clause with a day: "I'm off on Friday, give …"."""
    clause = [*takewhile(lambda one: one.word not in CLAUSE_MARKS, tokens)]
    is_told = len(clause) > 1 and clause[0].word.partition("'")[0] in _SUBJECT_WORDS
    return is_told and len(clause) < len(tokens) and clause[-1].end > start


def loose_words(segment: UtteranceSegment) -> list[Token]:
    """Return the words outside of slots and asides, without the "once" of "once more"."""
    tokens = segment.ask.tokens
    loose = (token for token in segment.ask.loose if token.kind == "word" and not segment.is_aside_token(token))
    return [token for token in loose if not _means_again(tokens, token)]


def _text_openings(segment: UtteranceSegment) -> list[Token]:
    """Return the first word of each text in an order that sends none: "when" of "…, when he agrees"."""
    starts = {span.start for span in segment.spans if span.tag == "text" and segment.ask.act not in TEXT_ACTS}
    return [token for token in segment.ask.tokens if token.start in starts]


def _means_again(tokens: Sequence[Token], token: Token) -> bool:
    """Return whether a word is the "once" of "once more", or the "after" of "after all"."""
    later = next((one.word for one in tokens if one.start > token.start), "")
    return (token.word, later) in (("once", "again"), ("once", "more"), ("after", "all"))


def first_words(segment: UtteranceSegment) -> list[Token]:
    """Return the first word of a segment after words of politeness; none if it has no other."""
    rest = [token for token in segment.ask.tokens if token.kind != "mark" and token.word not in POLITE_OPENING_WORDS]
    return rest[:1]


def _ends_sentence(segment: UtteranceSegment) -> bool:
    """Return whether a segment ends with the mark of a sentence."""
    return segment.ask.text.rstrip().endswith((".", "!", "?", ";"))
