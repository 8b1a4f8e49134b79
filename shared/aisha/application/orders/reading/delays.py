"""Find what puts an order off: a condition, a time to come, or a clause such as "when he declines"."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from aisha.application.orders.reading.clauses import CLAUSE_MARKS, POLITE_OPENING_WORDS, is_hurry, is_order_verb
from aisha.application.orders.reading.literals import flat
from aisha.application.orders.reading.statements import TEXT_ACTS
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

_CONDITION_WORDS = frozenset(("if", "unless", "should", "whenever"))
_POLITE_CONDITIONS = frozenset("you possible ok okay that's it's that".split())
_DELAYING_WORDS = frozenset(
    "when once whenever until till after before soon nobody somebody anybody someone anyone".split()
)
_SUBJECT_WORDS = lexicon.PERSON_PRONOUNS | {"i", "we"}


def delay_reason(
    segment: UtteranceSegment, following: UtteranceSegment | None, arguments: Mapping[str, Any], now: datetime
) -> str:
    """Return the words that put an order off, such as "when he declines" or "tomorrow"; empty if there are none."""
    candidates = [*loose_words(segment), *_text_openings(segment)]
    verb = next((token for token in candidates if is_order_verb(token)), None)
    tokens = segment.ask.tokens
    delays = (token for token in candidates if token.word in _DELAYING_WORDS)
    delay = next((token for token in delays if verb is None or not _is_beside_order(tokens, token, verb)), None)
    if delay is not None:
        return f"you said “{delay.text.lower()}”"
    is_corrected = following is not None and following.corrects and bool(following.ask.texts("when"))
    future_day = "" if is_corrected else _future_day(segment, arguments, now)
    return f"you said “{future_day}”" if future_day else ""


def _is_beside_order(tokens: Sequence[Token], delay: Token, verb: Token) -> bool:
    """Return whether a delaying word is no part of the clause of an order whose first verb is `verb`.

    It stands in what gives the order's reason: "nobody minds, so set it", "set it, he calmed down after my visit".
    """
    place, order = tokens.index(delay), tokens.index(verb)
    if place > order:
        # "Change it before noon" sets a deadline, "before noon, change it" may put it off.
        return delay.word == "before" or _is_in_statement(tokens[order:place])
    between = [token.word for token in tokens[place:order]]
    return "so" in between or is_hurry(tokens[place:]) or (delay.word == "before" and ":" in between)


def _is_in_statement(tokens: Sequence[Token]) -> bool:
    """Return whether words after an order go on with a clause that tells of somebody: "…, she calmed down"."""
    starts = [place + 1 for place, token in enumerate(tokens) if token.word in CLAUSE_MARKS]
    clause = [token.word for token in tokens[starts[-1] :]] if starts else []
    return (
        clause[:1] != [] and clause[0] in _SUBJECT_WORDS and len(clause) > 1 and not lexicon.THING_PRONOUNS & {*clause}
    )


def delayed_by_previous(segment: UtteranceSegment, previous: UtteranceSegment | None) -> str:
    """Return why an order waits that follows a clause such as "after the call tomorrow, …"; empty for any other."""
    words = first_words(previous) if previous is not None else []
    if previous is None or not words or words[0].word not in _DELAYING_WORDS or _ends_sentence(previous):
        return ""
    # "Nobody minds, so set it": the clause is the reason.
    is_reason = [token.word for token in segment.ask.tokens[:1]] == ["so"] or is_hurry(words)
    is_deadline = words[0].word == "before" and previous.ask.text.rstrip().endswith(":")
    return "" if is_reason or is_deadline else f"you said “{words[0].text.lower()}”"


def condition_of(previous: UtteranceSegment | None) -> str:
    """Return that a clause before an order is its condition, as in "if he calls while I'm away, …"; empty for others.

    "If you have a minute, …" is none.
    """
    words = first_words(previous) if previous is not None else []
    is_condition = previous is not None and bool(words) and words[0].word in _CONDITION_WORDS
    is_clause = previous is not None and not _ends_sentence(previous)
    is_polite = previous is not None and any(one.word in _POLITE_CONDITIONS for one in previous.ask.tokens[1:4])
    return f"you said “{words[0].text.lower()}”" if is_condition and is_clause and not is_polite else ""


def delayed_by_next(segment: UtteranceSegment, following: UtteranceSegment | None) -> str:
    """Return why an order waits that goes on with a clause such as "only once the papers are in"; empty for others."""
    if following is None or _ends_sentence(segment):
        return ""
    words = [token.word for token in following.ask.tokens if token.kind != "mark"]
    first = next((word for word in words if word not in ("only", "but", "just", "and")), "")
    is_when = first in _DELAYING_WORDS - {"before", "soon", "nobody"} or first in lexicon.HEDGE_WORDS
    return f"you said “{first}”" if is_when and not following.is_order else ""


def _future_day(segment: UtteranceSegment, arguments: Mapping[str, Any], now: datetime) -> str:
    """Return a day to come that was said and is no value of the call: the change would be made now."""
    texts = [flat(value) for value in arguments.values() if isinstance(value, str)]
    for span in segment.spans:
        if span.tag != "when" or segment.is_aside(span) or any(flat(span.text) in text for text in texts):
            continue
        corrected_days = {one.moment(now).date() for one in segment.ask.times}
        days = [one.moment(now).date() for one in find_times(span.text.lower(), now)]
        if corrected_days and not corrected_days.intersection(days):
            # It was corrected: "on Thursday, sorry, Friday".
            continue
        if any(day > now.date() and day.isoformat().replace("-", "") not in "".join(texts) for day in days):
            return span.text
    return ""


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
    """Return whether a word is the "once" of "once more"."""
    later = next((one.word for one in tokens if one.start > token.start), "")
    return token.word == "once" and later in ("again", "more")


def first_words(segment: UtteranceSegment) -> list[Token]:
    """Return the first word of a segment after words of politeness; none if it has no other."""
    rest = [token for token in segment.ask.tokens if token.kind != "mark" and token.word not in POLITE_OPENING_WORDS]
    return rest[:1]


def _ends_sentence(segment: UtteranceSegment) -> bool:
    """Return whether a segment ends with the mark of a sentence."""
    return segment.ask.text.rstrip().endswith((".", "!", "?", ";"))
