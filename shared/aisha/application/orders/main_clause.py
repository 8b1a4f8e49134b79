"""Say whether the main clause of a segment is the order, for acts that change a field at once.

"Tell Bob to set Jack to lost", "set Jack to lost when he declines" and "we decided against setting it" have the words
of an order, but order no change now.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from aisha.application.orders.denials import POLITE_STARTS, has_own_order
from aisha.application.orders.literals import flat
from aisha.application.orders.part import Part
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

AT_ONCE = frozenset(("update_record", "advance_stage"))
"""Acts that change a field, and have no time of their own."""
_PUTTING_OFF = frozenset(
    "when once whenever until till after before soon nobody somebody anybody someone anyone".split()
)
_DETERMINERS = frozenset("the a an his her its their my our".split())
_NOTHING = frozenset(("nothing", "none", "nobody"))
_TAKING_BACK = frozenset(("no", "wait", "negated"))
_CLAUSE_MARKS = frozenset(",.;!?-–")
_CLAUSE_WORDS = frozenset(("and", "then", "so", "but"))
_COURTESY = frozenset("kind able possible favour favor grateful wondering if see case ask asking".split())
_FILLERS = (
    lexicon.INTERJECTIONS
    | lexicon.LINKS
    | lexicon.KIND_NAMES
    | POLITE_STARTS
    | frozenset(
        "the a an of for to at on in as by with from into over is are be was were 's now today be being been has have "
        "had should must record status stage its it his her their our me this that these those all same too more also "
        "not no longer new old only about around up down out off back s".split()
    )
)


def doubt_about(part: Part, arguments: Mapping[str, Any], now: datetime) -> str:
    """Return why a segment may not order a change now, in words for the user; empty if nothing speaks against it."""
    ask = part.ask
    loose = [token for token in ask.loose if token.kind == "word" and not part.is_aside_token(token)]
    first_verb = next((token.start for token in loose if _is_order_verb(token)), len(ask.text))
    # "Change it before noon" sets a deadline, "before noon, change it" may put it off.
    delays = [token for token in loose if token.word in _PUTTING_OFF]
    delay = next((one for one in delays if one.word != "before" or one.start < first_verb), None)
    if delay is not None:
        return f"you said “{delay.text.lower()}”"
    if later := _later(part, arguments, now):
        return f"you said “{later}”"
    teller = next((token for token in loose if token.word in lexicon.REPORTING), None)
    is_own = any(map(_is_order_verb, _first_words(part))) or (teller is not None and has_own_order(ask.tokens, teller))
    if teller is not None and not is_own:
        return "you told me what somebody said"
    tokens = [token for token in ask.tokens if not part.is_aside_token(token)]
    verbs = [
        place
        for place, token in enumerate(tokens)
        # Not the noun of "add the tag vip".
        if token in ask.loose and _is_order_verb(token) and (place == 0 or tokens[place - 1].word not in _DETERMINERS)
    ]
    # Of "remind me to raise it" the verb that counts is the one that would change something.
    verbs = [place for place in verbs if AT_ONCE & _acts_of(tokens[place])] or verbs
    if verbs:
        if any(two.word in _NOTHING for one, two in pairwise(tokens) if one in ask.loose and _is_order_verb(one)):
            return "you said “nothing”"
        is_governed = all(
            any(_left_over(part, before)) or _begins_with_text(part, before)
            for before in (_clause_before(tokens, place) for place in verbs)
        )
        if not any(token.word == "mind" for token in tokens) and all(_is_gerund(tokens[place]) for place in verbs):
            return "you only spoke of it"
        is_other = all(_has_other_object(part, tokens, place) for place in verbs)
        return "you only spoke of it" if is_governed or is_other or _is_subject(part) else ""
    # Without a verb only a name, a value and words between them are an order: "Jack -> warm".
    if any(token.word in ("please", "pls") for token in tokens) or ask.texts("field"):
        return ""
    return "you only spoke of it" if any(_left_over(part, tokens)) or _is_heading(tokens) else ""


def _begins_with_text(part: Part, tokens: Sequence[Token]) -> bool:
    """Return whether words before the verb are a text, which no order to change a field begins with: "ask Bo to …"."""
    texts = [span for span in part.ask.segment.spans if span.tag in ("text", "topic")]
    return any(span.start <= token.start < span.end for span in texts for token in tokens)


def _is_gerund(token: Token) -> bool:
    return token.word.endswith("ing") and token.word not in lexicon.ORDER_VERBS


def _has_other_object(part: Part, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a verb orders something of its own, beside a clause that tells: "mark my words, he is lost"."""
    end = next((at for at in range(place + 1, len(tokens)) if tokens[at].word in _CLAUSE_MARKS), len(tokens))
    clause, rest = tokens[place + 1 : end], tokens[end:]
    is_about_record = any(token not in part.ask.loose or token.word in _POINTING for token in clause)
    is_told = any(one.word in _TELLING_VERBS and other not in part.ask.loose for one, other in pairwise(rest))
    return is_told and not is_about_record and any(_left_over(part, clause))


def _is_subject(part: Part) -> bool:
    """Return whether the words of an order are what something is said of: "set Jack to lost is what he wants"."""
    ends = {span.end for span in part.ask.segment.spans if span.tag == "value"}
    return any(one.end in ends and other.word in _TELLING_VERBS for one, other in pairwise(part.ask.tokens))


def _is_heading(tokens: Sequence[Token]) -> bool:
    """Return whether a topic follows, and no reason: "Jack to lost: pros and cons"."""
    colon = next((at for at, token in enumerate(tokens) if token.word == ":"), len(tokens))
    before, after = tokens[:colon], tokens[colon + 1 :]
    is_named = sum(token.kind != "mark" for token in before) > 1
    return is_named and bool(after) and not any(token.word in _POINTING | lexicon.SELF for token in after)


_POINTING = lexicon.THING | lexicon.PERSON | lexicon.OF_EITHER
_TELLING_VERBS = frozenset("is was are were isn't wasn't seems looks sounds".split())


def _first_words(part: Part) -> list[Token]:
    rest = [token for token in part.ask.tokens if token.kind != "mark" and token.word not in POLITE_STARTS]
    return rest[:1]


def _is_order_verb(token: Token) -> bool:
    return token.word in lexicon.ORDER_VERBS or bool(_acts_of(token))


def _acts_of(token: Token) -> frozenset[str]:
    return lexicon.acts_of_verb(token.word) | lexicon.acts_of_verb(token.stem)


def goes_on(part: Part, before: Part | None) -> bool:
    """Return whether a segment is the end of the one before, which orders something else: "remind me to raise | it"."""
    if before is None or AT_ONCE & before.verb_acts or before.ask.act in AT_ONCE:
        return False
    last = before.ask.tokens[-1:]
    first = part.ask.tokens[:1]
    marks = _CLAUSE_MARKS | _CLAUSE_WORDS | {":", "also", "please"}
    return before.is_order and not any(token.word in marks for token in (*last, *first))


def put_off_by(before: Part | None) -> str:
    """Return why an order waits that follows a clause such as "after the call tomorrow, …"; empty for any other."""
    first = _first_words(before)[0] if before is not None and _first_words(before) else None
    is_clause = before is not None and not before.ask.text.rstrip().endswith((".", "!", "?", ";"))
    return f"you said “{first.text.lower()}”" if first is not None and is_clause and first.word in _PUTTING_OFF else ""


def taken_back_by(after: Part | None) -> str:
    """Return why an order is none after which the user says no: "set Jack to lost? No way!"; empty for any other."""
    is_bare = after is not None and after.ask.act in _TAKING_BACK and not after.ask.segment.spans
    return f"you said “{after.ask.text.strip()}”" if after is not None and is_bare else ""


def _clause_before(tokens: Sequence[Token], place: int) -> Sequence[Token]:
    marks = _CLAUSE_MARKS | _CLAUSE_WORDS
    start = next((at + 1 for at in range(place - 1, -1, -1) if tokens[at].word in marks), 0)
    return tokens[start:place]


def _left_over(part: Part, tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words outside of slots that are more than politeness and links."""
    loose = part.ask.loose
    for token in tokens:
        is_value = bool(lexicon.values_in(token.word) or lexicon.fields_in(token.word))
        is_adverb = token.word.endswith("ly") or token.word in _COURTESY
        if token.kind == "word" and token in loose and token.word not in _FILLERS and not (is_value or is_adverb):
            yield token


def _later(part: Part, arguments: Mapping[str, Any], now: datetime) -> str:
    """Return a day to come that was said and is no value of the call: the change would be made now."""
    texts = [flat(value) for value in arguments.values() if isinstance(value, str)]
    for span in part.ask.segment.spans:
        if span.tag != "when" or part.is_aside(span) or any(flat(span.text) in text for text in texts):
            continue
        days = [one.moment(now).date() for one in find_times(span.text.lower(), now)]
        if any(day > now.date() and day.isoformat().replace("-", "") not in "".join(texts) for day in days):
            return span.text
    return ""
