"""Say whether the main clause of a segment is the order, for acts that change a field at once.

"Tell Bob to set Jack to lost", "set Jack to lost when he declines" and "we decided against setting it" have the words
of an order, but order no change now.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from aisha.application.orders.reading.clauses import (
    POLITE_STARTS,
    acts_of,
    base_of,
    has_own_order,
    is_clause_end,
    request_frame,
)
from aisha.application.orders.reading.literals import flat
from aisha.application.orders.reading.part import Part
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token

AT_ONCE = frozenset(("update_record", "advance_stage"))
"""Acts that change a field, and have no time of their own."""
_PUTTING_OFF = frozenset(
    "when once whenever until till after before soon nobody somebody anybody someone anyone".split()
)
_NOTHING = frozenset(("nothing", "none", "nobody"))
_TAKING_BACK = frozenset(("no", "wait", "negated"))
_CLAUSE_MARKS = frozenset(",.;!?-–")
_CLAUSE_WORDS = frozenset(("and", "then", "so", "but", "please"))
_COURTESY = frozenset("kind able possible favour favor grateful wondering if see case ask asking".split())
_FILLERS = (
    lexicon.INTERJECTIONS
    | lexicon.LINKS
    | lexicon.KIND_NAMES
    | POLITE_STARTS
    | frozenset(
        "the a an of for to at on in as by with from into over is are be was were 's now today be being been has have "
        "had should must record status stage its it his her their our me this that these those all same too more also "
        "quick one short urgent "
        "not no longer new old only about around up down out off back s needs ought got".split()
    )
)


def doubt_about(part: Part, after: Part | None, arguments: Mapping[str, Any], now: datetime) -> str:
    """Return why a segment may not order a change now, in words for the user; empty if nothing speaks against it.

    `after` is the segment after it.
    """
    ask = part.ask
    loose = [token for token in ask.loose if token.kind == "word" and not part.is_aside_token(token)]
    first_verb = next((token.start for token in loose if _is_order_verb(token)), len(ask.text))
    loose = [token for token in loose if not _is_once_more(ask.tokens, token)]
    # "Change it before noon" sets a deadline, "before noon, change it" may put it off.
    delays = [token for token in loose if token.word in _PUTTING_OFF]
    delay = next((one for one in delays if one.word != "before" or one.start < first_verb), None)
    if delay is not None:
        return f"you said “{delay.text.lower()}”"
    is_corrected = after is not None and after.corrects and bool(after.ask.texts("when"))
    if not is_corrected and (later := _later(part, arguments, now)):
        return f"you said “{later}”"
    if part.is_taken_up:
        return ""
    teller = next((two for one, two in pairwise((None, *ask.tokens)) if two in loose and _is_teller(one, two)), None)
    is_own = any(map(_is_order_verb, _first_words(part)))
    if teller is not None and not is_own:
        return "" if has_own_order(ask.tokens, teller) else "you told me what somebody said"
    tokens = [token for token in ask.tokens if not part.is_aside_token(token)]
    verbs = [place for place in range(len(tokens)) if _is_outside(part, tokens, place) and _orders(tokens, place)]
    if told := _told_by(part, tokens, verbs):
        return told
    # Of "remind me to raise it" the verb that counts is the one that would change something.
    verbs = [place for place in verbs if AT_ONCE & _acts_of(tokens[place])] or verbs
    if verbs:
        if any(two.word in _NOTHING for one, two in pairwise(tokens) if one in ask.loose and _is_order_verb(one)):
            return "you said “nothing”"
        is_governed = all(
            any(_left_over(part, before)) or _begins_with_text(part, before)
            for before in (_clause_before(tokens, place) for place in verbs)
        )
        if (
            not request_frame(ask.tokens)
            and not any(one.word == "mind" for one in tokens)
            and all(_is_gerund(tokens[place]) for place in verbs)
        ):
            return "you only spoke of it"
        is_other = all(_has_other_object(part, tokens, place) for place in verbs)
        return "you only spoke of it" if is_governed or is_other or _is_subject(part) else ""
    if any(one.word == "do" and other.word in lexicon.THING for one, other in pairwise(tokens)):
        return ""
    # Without a verb only a name, a value and words between them are an order: "Jack -> warm".
    if any(token.word in ("please", "pls") for token in tokens) or _named_field(part) is not None:
        return ""
    return "you only spoke of it" if any(_left_over(part, tokens)) or _is_heading(tokens) else ""


def _is_outside(part: Part, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a word is in no slot; in "overwrite it" there is none, whatever the reader took for a name."""
    is_verb_of_it = tokens[place].word in lexicon.ORDER_VERBS or bool(acts_of(tokens[place].word))
    following = [token.word for token in tokens[place + 1 : place + 2]]
    return tokens[place] in part.ask.loose or (is_verb_of_it and bool(lexicon.THING.intersection(following)))


def _is_once_more(tokens: Sequence[Token], token: Token) -> bool:
    later = next((one.word for one in tokens if one.start > token.start), "")
    return token.word == "once" and later in ("again", "more")


def _is_teller(before: Token | None, token: Token) -> bool:
    """Return whether a word tells what somebody else says or wants: "he said", "they want"."""
    return token.word in lexicon.REPORTING or (token.word in _DESIRES and before is not None and before.word in _OTHERS)


_DESIRES = frozenset("want wish hope expect plan intend prefer like love demand need".split())
_OTHERS = frozenset("they he she who people everybody everyone".split())


def _orders(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a word is the verb of an order, also as in "is to be moved" and "have it brought forward"."""
    token, before = tokens[place], tokens[place - 1] if place else None
    if before is not None and before.word in lexicon.DETERMINERS:
        # The noun of "add the tag vip".
        return False
    if base_of(token.word) and not (token.word.endswith("ing") or _acts_of_word(token)):
        return _is_to_be_done(_clause_before(tokens, place))
    return _is_order_verb(token)


def _is_to_be_done(before: Sequence[Token]) -> bool:
    """Return whether the words before a participle say that something is to be done: "is to be", "have it"."""
    words = [token.word for token in before]
    if words[-1:] == ["be"] and _OBLIGING & set(words[-3:]):
        return True
    first = next((token.word for token in before if token.word not in _BEFORE_CAUSATIVE), "")
    return first in _CAUSATIVES


_OBLIGING = frozenset("to should must shall".split())
_BEFORE_CAUSATIVE = POLITE_STARTS - frozenset("have get need want like".split())
_CAUSATIVES = frozenset("have get need want like see".split())


def _told_by(part: Part, tokens: Sequence[Token], verbs: Sequence[int]) -> str:
    """Return why the words only tell what is, was or will be; empty if they don't."""
    loose = part.ask.loose
    words = [token.word for token in tokens]
    field = _named_field(part)
    if not any(_is_order_verb(tokens[place]) for place in verbs):
        place = next((at for at, token in enumerate(tokens) if field is not None and token.start == field), None)
        if place is not None and _is_embedded(part, tokens, place):
            return "you only spoke of it"
        is_date = {"close_date", "due_date"} & set(part.ask.fields)
        if field is not None and not is_date and any(pair in _TO_COME for pair in pairwise(words)):
            return "you spoke of what will be"
    for place in verbs:
        before = _clause_before(tokens, place)
        if not request_frame(part.ask.tokens) and any(one in loose and one.word in _PAST for one in before):
            return "you spoke of what was"
    every = part.ask.tokens
    passive = next(
        (two.start for one, two in pairwise(every) if one.word in ("be", "is", "been") and base_of(two.word)), None
    )
    agents = (two for one, two in pairwise(every) if one.word == "by" and passive is not None and one.start > passive)
    if any(_is_agent(part, one) for one in agents):
        return "you said who does it"
    if _is_content(part):
        return "you only spoke of it"
    if _is_of_agent(part):
        return "you spoke of what somebody else should do"
    main = [token for token in every if token.start not in part.subordinate]
    is_told = any((one.word, other.word) in _SAID_OF for one, other in pairwise(main))
    return "you only spoke of it" if is_told else ""


def _is_embedded(part: Part, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a field's name stands in what somebody thinks or imagines: "Ann believes Bo's phone is …"."""
    before = _clause_before(tokens, place)
    is_stated = any(one.word in ("is", "are") for one in (*before, *tokens[place : place + 3]))
    return _has_subject(part, before) or (is_stated and any(_left_over(part, before)))


def _has_subject(part: Part, tokens: Sequence[Token]) -> bool:
    """Return whether words tell what somebody does."""
    said = [token for token in tokens if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    if not said:
        return False
    spans = (span for span in part.ask.segment.spans if span.tag in ("name", "owner", "org", "new", "ref"))
    is_subject = any(span.start <= said[0].start < span.end for span in spans) or said[0].word in _SUBJECTS
    return is_subject and any(_left_over(part, said[1:]))


_SUBJECTS = lexicon.DETERMINERS | _OTHERS | frozenset("it this that somebody someone nobody".split())
_TO_COME = frozenset((("will", "be"), ("will", "become")))
_PAST = frozenset("was were had wasn't weren't hadn't".split())
_SAID_OF = frozenset((("is", "what"), ("was", "what"), ("is", "how"), ("was", "how")))


def _is_content(part: Part) -> bool:
    """Return whether the value is what somebody is to know: "give Bob a hint that she is lost"."""
    tokens = part.ask.tokens
    places = [place for place, token in enumerate(tokens) if token.word == "that" and place]
    values = [span.start for span in part.ask.segment.spans if span.tag in ("value", "amount")]
    for place in places:
        is_wish = tokens[place - 1].word in _WISHED or tokens[place - 1].kind == "mark"
        end = next((one.start for one in tokens[place:] if one.word in _CLAUSE_MARKS), len(part.ask.text))
        is_stated = any(one.word in ("is", "are", "was", "has") for one in tokens[place:] if one.start < end)
        if not is_wish and is_stated and values and all(tokens[place].start < start < end for start in values):
            return True
    return False


_WISHED = frozenset("sure ensure it want need so please like prefer".split())


def _is_of_agent(part: Part) -> bool:
    """Return whether a wish is that somebody else does it: "I want Bob to set …"; not "I want Jack to be set …"."""
    tokens, spans = part.ask.tokens, part.ask.segment.spans
    for wish, after in pairwise(tokens):
        span = next((one for one in spans if one.tag in ("name", "owner") and one.start == after.start), None)
        if wish.word in _WISHING and span is not None:
            rest = [token for token in tokens if token.start >= span.end]
            return len(rest) > 1 and rest[0].word == "to" and (_is_order_verb(rest[1]) or rest[1].word == "have")
    return False


_WISHING = frozenset("want need like let have get".split())


def _is_agent(part: Part, token: Token) -> bool:
    """Return whether a word after "by" begins who does something, and no time or number."""
    names = (span for span in part.ask.segment.spans if span.tag in ("name", "owner", "org", "new"))
    is_named = any(span.start <= token.start < span.end for span in names)
    return is_named or token.word in lexicon.DETERMINERS


def _named_field(part: Part) -> int | None:
    """Return the place in its text at which a segment names a field."""
    tagged = (span.start for span in part.ask.segment.spans if span.tag == "field")
    # A word alone, such as "work", may be a verb.
    found = [first for _, first, last in lexicon.placed_in(part.ask.loose, "fields") if last - first > 1]
    return min((*tagged, *(part.ask.loose[first].start for first in found)), default=None)


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
    if (
        [token.word for token in clause[2:3]] == ["of"]
        and clause[0].word in lexicon.DETERMINERS
        and any(_left_over(part, clause[1:2]))
    ):
        # "Raise the topic of her score."
        return True
    around = (*pairwise(tokens[:place]), *pairwise(rest))
    is_told = any(one.word in _TELLING_VERBS and other not in part.ask.loose for one, other in around)
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
    is_own = any(token.word in _POINTING | lexicon.SELF or token.kind in ("phone", "email", "url") for token in after)
    return is_named and bool(after) and not is_own


_POINTING = lexicon.THING | lexicon.PERSON | lexicon.OF_EITHER
_TELLING_VERBS = frozenset("is was are were isn't wasn't seems looks sounds".split())


def _first_words(part: Part) -> list[Token]:
    rest = [token for token in part.ask.tokens if token.kind != "mark" and token.word not in POLITE_STARTS]
    return rest[:1]


def _is_order_verb(token: Token) -> bool:
    return token.word in lexicon.ORDER_VERBS or bool(_acts_of(token))


def _acts_of_word(token: Token) -> frozenset[str]:
    return acts_of(token.word)


def _acts_of(token: Token) -> frozenset[str]:
    return acts_of(token.word) | lexicon.acts_of_verb(token.stem) | acts_of(base_of(token.word))


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


def put_off_after(part: Part, after: Part | None) -> str:
    """Return why an order waits that goes on with a clause such as "only once the papers are in"; empty for others."""
    if after is None or part.ask.text.rstrip().endswith((".", "!", "?", ";")):
        return ""
    words = [token.word for token in after.ask.tokens if token.kind != "mark"]
    first = next((word for word in words if word not in ("only", "but", "just", "and")), "")
    is_when = first in _PUTTING_OFF - {"before", "soon", "nobody"} or first in lexicon.HEDGES
    return f"you said “{first}”" if is_when and not after.is_order else ""


def taken_back_by(after: Part | None) -> str:
    """Return why an order is none after which the user says no: "set Jack to lost? No way!"; empty for any other."""
    is_bare = after is not None and after.ask.act in _TAKING_BACK and not after.ask.segment.spans
    return f"you said “{after.ask.text.strip()}”" if after is not None and is_bare else ""


def _clause_before(tokens: Sequence[Token], place: int) -> Sequence[Token]:
    ends = (at for at in range(place - 1, -1, -1) if tokens[at].word in _CLAUSE_WORDS or is_clause_end(tokens, at))
    start = next((at + 1 for at in ends if [one.word for one in tokens[at - 1 : at + 1]] != ["to", "please"]), 0)
    return tokens[start:place]


def _left_over(part: Part, tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words outside of slots that are more than politeness and links."""
    loose, frame = part.ask.loose, request_frame(part.ask.tokens)
    for token in tokens:
        if token in frame:
            continue
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
        kept = {one.moment(now).date() for one in part.ask.times}
        days = [one.moment(now).date() for one in find_times(span.text.lower(), now)]
        if kept and not kept.intersection(days):
            # It was corrected: "on Thursday, sorry, Friday".
            continue
        if any(day > now.date() and day.isoformat().replace("-", "") not in "".join(texts) for day in days):
            return span.text
    return ""
