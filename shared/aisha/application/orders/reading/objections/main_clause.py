"""Judge whether the main clause of a segment is an order, for acts that change a field at once.

"Tell Bob to set Jack to lost", "set Jack to lost when he declines" and "we decided against setting it" have the words
of an order, but order no change now.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import dropwhile, pairwise
from typing import Any

from aisha.application.orders.reading.clauses import (
    CLAUSE_MARKS,
    POLITE_OPENING_WORDS,
    SPEAKER_PRONOUNS,
    acts_in_any_form,
    acts_of,
    base_of,
    has_own_order,
    is_order_verb,
    is_verb,
    request_frame,
    tells_past,
)
from aisha.application.orders.reading.objections.clause_words import clause_start_words, unexpected_words
from aisha.application.orders.reading.objections.delays import delay_reason, first_words, loose_words
from aisha.application.orders.reading.objections.options import DIRECTIONS
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.application.orders.wording import (
    DONE_BY_OTHER,
    FOR_OTHER,
    FUTURE,
    ONLY_MENTIONED,
    OTHER_ORDER,
    PAST,
    REPORTED_BY_SOMEBODY,
    SPOKEN_OF,
)
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, FIELD_CHANGE_ACTS, NAME_TAGS
from aisha.domain.language.tokens import Token

_DESIRE_VERBS = frozenset("want wish hope expect plan intend prefer like love demand need".split())
_THIRD_PERSONS = frozenset("they he she who people everybody everyone".split())
_OBLIGATION_WORDS = frozenset("to should must shall".split())
_WORDS_BEFORE_CAUSATIVE = POLITE_OPENING_WORDS - frozenset("have get need want like".split())
_CAUSATIVE_VERBS = frozenset("have get need want like see".split())
_FUTURE_PHRASES = frozenset((("will", "be"), ("will", "become")))
_PASSIVE_AUXILIARIES = frozenset(("be", "is", "been"))
_PAST_AUXILIARIES = frozenset("was were had wasn't weren't hadn't".split())
_PREDICATE_QUESTIONS = frozenset((("is", "what"), ("was", "what"), ("is", "how"), ("was", "how")))
_WISH_WORDS = frozenset("sure ensure it want need so please like prefer".split())
_DUTY_WORDS = frozenset("should must shall can could will would".split())
_DUTY_VERBS = frozenset("needs has ought".split())
_WORDS_AFTER_DUTY = frozenset("to just also really please now".split())
_SPEAKERS_DETERMINERS = frozenset(("my", "our"))
_STATIVE_VERBS = frozenset("is was are were isn't wasn't seems looks sounds".split())


def doubt_about(
    segment: UtteranceSegment, following: UtteranceSegment | None, arguments: Mapping[str, Any], now: datetime
) -> str:
    """Return why a segment may not order a change now, in words for the user; empty if nothing speaks against it.

    `following` is the segment after it, `arguments` are those of the call.
    """
    if reason := delay_reason(segment, following, arguments, now):
        return reason
    if segment.is_used_by_next:
        return ""
    ask = segment.ask
    reporting_verb = _reporting_verb_in(segment)
    begins_with_order = any(map(is_order_verb, first_words(segment)))
    if reporting_verb is not None and not begins_with_order:
        return "" if has_own_order(ask.tokens, reporting_verb) else REPORTED_BY_SOMEBODY
    tokens = [token for token in ask.tokens if not segment.is_aside_token(token)]
    verbs = [
        place
        for place in range(len(tokens))
        if _is_outside_slots(segment, tokens, place) and _is_verb_of_order(tokens, place)
    ]
    if reason := _statement_reason(segment, tokens, verbs):
        return reason
    if _is_subject(segment):
        return ONLY_MENTIONED
    if verbs:
        return _verb_reason(segment, tokens, verbs)
    if any(one.word == "do" and other.word in lexicon.THING_PRONOUNS for one, other in pairwise(tokens)):
        return ""
    # Without a verb only a name, a value and words between them are an order: "Jack -> warm".
    if any(token.word in ("please", "pls") for token in tokens) or _field_start(segment) is not None:
        return ""
    return ONLY_MENTIONED if any(unexpected_words(segment, tokens)) else ""


def governed_reason(segment: UtteranceSegment, required_acts: frozenset[str]) -> str:
    """Return why the verbs of some acts order nothing: other words govern them, as in "I refuse to log a call".

    What follows the colon after a verb is the text that it is to write: "I forgot to add a task: send the offer".
    """
    if request_frame(segment.ask.tokens):
        return ""
    reporting_verb = _reporting_verb_in(segment)
    if reporting_verb is not None and not any(map(is_order_verb, first_words(segment))):
        return "" if has_own_order(segment.ask.tokens, reporting_verb) else REPORTED_BY_SOMEBODY
    tokens = [token for token in segment.ask.tokens if not segment.is_aside_token(token)]
    if _is_task_of_other(tokens):
        return FOR_OTHER
    verbs = [
        place
        for place, token in enumerate(tokens)
        if required_acts & acts_in_any_form(token)
        and _is_outside_slots(segment, tokens, place)
        and _is_verb_of_order(tokens, place)
    ]
    if not verbs:
        return ""
    text_start = next((at for at in range(verbs[0], len(tokens)) if tokens[at].word == ":"), len(tokens))
    verbs = [place for place in verbs if place < text_start]
    # Dictated without a pause, a story may stand before an imperative: "just left Acme ann was happy note that …".
    is_led = any(
        _is_infinitive(tokens, place) or any(one.word == ":" for one in clause_start_words(tokens, place))
        for place in verbs
    )
    return _governing_reason(segment, tokens, verbs) if is_led else ""


def _governing_reason(segment: UtteranceSegment, tokens: Sequence[Token], verbs: Sequence[int]) -> str:
    """Return why verbs that other words govern order nothing; empty if one of them is free.

    An infinitive says so for certain: "I'm tempted to set him to lost". Before an imperative may stand a story.
    """
    if not all(_is_governed(segment, tokens, place) for place in verbs):
        return ""
    return SPOKEN_OF if any(_is_infinitive(tokens, place) for place in verbs) else ONLY_MENTIONED


def _is_infinitive(tokens: Sequence[Token], place: int) -> bool:
    """Return whether "to" stands right before a verb."""
    return place > 0 and tokens[place - 1].word == "to"


def _is_governed(segment: UtteranceSegment, tokens: Sequence[Token], place: int) -> bool:
    """Return whether words before a verb make it more than an order: "refuse to set", "Carol would like us to set"."""
    if _is_infinitive(tokens, place):
        # "It isn't right to set him to lost": an adjective after a denial is no old value.
        place, tokens = segment.ask.tokens.index(tokens[place]), segment.ask.tokens
        before = clause_start_words(tokens, place)
        if not request_frame(segment.ask.tokens) and _has_subject(segment, before):
            return True
    else:
        before = clause_start_words(tokens, place)
    return any(unexpected_words(segment, before)) or _begins_with_text(segment, before)


def _has_subject(segment: UtteranceSegment, words: Sequence[Token]) -> bool:
    """Return whether a clause begins with somebody's name: "Carol would like us to …"; not "for Carol I want to"."""
    content = [token for token in words if token.kind != "mark" and token.word not in lexicon.INTERJECTIONS]
    names = [span for span in segment.spans if span.tag in ("name", "owner", "org", "new")]
    return bool(content) and any(span.start <= content[0].start < span.end for span in names)


def _reporting_verb_in(segment: UtteranceSegment) -> Token | None:
    """Return the first verb of a segment that reports what somebody else says or wants."""
    loose = loose_words(segment)
    pairs = pairwise((None, *segment.ask.tokens))
    verbs = (token for before, token in pairs if token in loose and _is_reporting_verb(before, token))
    return next(verbs, None)


def _verb_reason(segment: UtteranceSegment, tokens: Sequence[Token], verbs: Sequence[int]) -> str:
    """Return why the verbs of orders at some places order no change; empty if one of them does."""
    # Of "remind me to raise it" the verb that counts is the one that would change something.
    verbs = [place for place in verbs if FIELD_CHANGE_ACTS & acts_in_any_form(tokens[place])] or verbs
    if governing := _governing_reason(segment, tokens, verbs):
        return governing
    is_request = bool(request_frame(segment.ask.tokens)) or any(token.word == "mind" for token in tokens)
    is_gerund = not is_request and all(_is_gerund(tokens[place]) for place in verbs)
    is_other = all(_has_other_object(segment, tokens, place) for place in verbs)
    return ONLY_MENTIONED if is_gerund or is_other else ""


def _is_outside_slots(segment: UtteranceSegment, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a word is in no slot; in "overwrite it" there is none, whatever the reader took for a name."""
    is_verb_of_it = tokens[place].word in lexicon.ORDER_VERBS or bool(acts_of(tokens[place].word))
    following = [token.word for token in tokens[place + 1 : place + 2]]
    return tokens[place] in segment.ask.loose or (
        is_verb_of_it and bool(lexicon.THING_PRONOUNS.intersection(following))
    )


def _is_reporting_verb(before: Token | None, token: Token) -> bool:
    """Return whether a word tells what somebody else says or wants: "he said", "they want"."""
    return token.word in lexicon.REPORTING_VERBS or (
        token.word in _DESIRE_VERBS and before is not None and before.word in _THIRD_PERSONS
    )


def _is_verb_of_order(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a word is the verb of an order, also as in "is to be moved" and "have it brought forward"."""
    token, before = tokens[place], tokens[place - 1] if place else None
    if before is not None and before.word in lexicon.DETERMINERS:
        # The noun of "add the tag vip".
        return False
    if base_of(token.word) and not (token.word.endswith("ing") or acts_of(token.word)):
        return _is_to_be_done(clause_start_words(tokens, place))
    return is_order_verb(token)


def _is_to_be_done(before: Sequence[Token]) -> bool:
    """Return whether the words before a participle say that something is to be done: "is to be", "have it"."""
    words = [token.word for token in before]
    if words[-1:] == ["be"] and _OBLIGATION_WORDS & set(words[-3:]):
        return True
    first = next((token.word for token in before if token.word not in _WORDS_BEFORE_CAUSATIVE), "")
    return first in _CAUSATIVE_VERBS


def _statement_reason(segment: UtteranceSegment, tokens: Sequence[Token], verbs: Sequence[int]) -> str:
    """Return why the words only tell what is, was or will be; empty if they don't."""
    if _is_reported_fact(segment):
        return OTHER_ORDER
    loose_tokens = segment.ask.loose
    words = [token.word for token in tokens]
    field = _field_start(segment)
    if not any(is_order_verb(tokens[place]) for place in verbs):
        place = next((at for at, token in enumerate(tokens) if field is not None and token.start == field), None)
        if place is not None and _is_embedded(segment, tokens, place):
            return ONLY_MENTIONED
        is_date = {"close_date", "due_date"} & set(segment.ask.fields)
        if field is not None and not is_date and any(pair in _FUTURE_PHRASES for pair in pairwise(words)):
            return FUTURE
    for place in verbs:
        before = clause_start_words(tokens, place)
        if not request_frame(segment.ask.tokens) and any(
            one in loose_tokens and one.word in _PAST_AUXILIARIES for one in before
        ):
            return PAST
    if _names_agent(segment):
        return DONE_BY_OTHER
    if _is_task_of_other(tokens):
        return FOR_OTHER
    if _is_past_of_value(segment):
        return PAST
    main = [token for token in segment.ask.tokens if token.start not in segment.subordinate_starts]
    has_statement = any((one.word, other.word) in _PREDICATE_QUESTIONS for one, other in pairwise(main))
    return ONLY_MENTIONED if has_statement else ""


def _names_agent(segment: UtteranceSegment) -> bool:
    """Return whether a passive has somebody who acts: "it is to be set by Bob"."""
    pairs = list(pairwise(segment.ask.tokens))
    passives = (
        verb.start for auxiliary, verb in pairs if auxiliary.word in _PASSIVE_AUXILIARIES and base_of(verb.word)
    )
    passive = next(passives, None)
    if passive is None:
        return False
    agents = (by for by, agent in pairs if by.word == "by" and by.start > passive and _is_agent(segment, agent))
    # "She was qualified by the team, mark her so."
    return any(not has_own_order(segment.ask.tokens, by) for by in agents)


def _is_embedded(segment: UtteranceSegment, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a field's name stands in what somebody thinks or imagines: "Ann believes Bo's phone is …"."""
    before = clause_start_words(tokens, place)
    is_stated = any(one.word in ("is", "are") for one in (*before, *tokens[place : place + 3]))
    return is_stated and any(unexpected_words(segment, before))


def _is_reported_fact(segment: UtteranceSegment) -> bool:
    """Return whether the value is what somebody is to know: "give Bob a hint that she is lost"."""
    tokens = segment.ask.tokens
    places = [place for place, token in enumerate(tokens) if token.word == "that" and place]
    values = [span.start for span in segment.spans if span.tag in ("value", "amount", *ADDRESS_TAGS)]
    for place in places:
        is_wish = (
            tokens[place - 1].word in _WISH_WORDS or tokens[place - 1].kind == "mark" or is_verb(tokens[place - 1].word)
        )
        end = next((one.start for one in tokens[place:] if one.word in CLAUSE_MARKS), len(segment.ask.text))
        is_stated = any(one.word in ("is", "are", "was", "has") for one in tokens[place:] if one.start < end)
        if not is_wish and is_stated and values and all(tokens[place].start < start < end for start in values):
            return True
    return False


def _is_task_of_other(tokens: Sequence[Token]) -> bool:
    """Return whether a clause says what somebody else is to do: "Bob should set it"; not "Jack should move to lost"."""
    for place, token in enumerate(tokens[:-2]):
        subject = [one.word for one in clause_start_words(tokens, place) if one.word not in lexicon.INTERJECTIONS]
        is_duty = token.word in _DUTY_WORDS or (token.word in _DUTY_VERBS and tokens[place + 1].word == "to")
        if not is_duty or not subject or SPEAKER_PRONOUNS.intersection(subject):
            continue
        later = list(dropwhile(lambda one: one.word in _WORDS_AFTER_DUTY, tokens[place + 1 :]))
        is_order = len(later) > 1 and later[0].word in lexicon.ORDER_VERBS and later[0].word != "get"
        if is_order and later[1].kind != "mark" and later[1].word not in DIRECTIONS:
            return True
    return False


def _is_past_of_value(segment: UtteranceSegment) -> bool:
    """Return whether a value is the verb of what somebody did: "Jack lost his job"."""
    tokens, name_ends = segment.ask.tokens, {span.end for span in segment.spans if span.tag in NAME_TAGS}
    for before, verb, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        is_object = after.word in lexicon.DETERMINERS or after.kind == "number"
        if before.end in name_ends and tells_past([before, verb]) and lexicon.values_in(verb.word) and is_object:
            return True
    return False


def _is_agent(segment: UtteranceSegment, token: Token) -> bool:
    """Return whether a word after "by" begins who does something, and no time or number."""
    names = (span for span in segment.spans if span.tag in ("name", "owner", "org", "new"))
    is_named = any(span.start <= token.start < span.end for span in names)
    return is_named or token.word in lexicon.DETERMINERS


def _field_start(segment: UtteranceSegment) -> int | None:
    """Return the place in its text at which a segment names a field."""
    tagged = (span.start for span in segment.spans if span.tag == "field")
    # A word alone, such as "work", may be a verb.
    phrases = [first for _, first, last in lexicon.placed_in(segment.ask.loose, "fields") if last - first > 1]
    return min((*tagged, *(segment.ask.loose[first].start for first in phrases)), default=None)


def _begins_with_text(segment: UtteranceSegment, tokens: Sequence[Token]) -> bool:
    """Return whether words before the verb are a text, which no order to change a field begins with: "ask Bo to …"."""
    texts = [span for span in segment.spans if span.tag in ("text", "topic")]
    return any(span.start <= token.start < span.end for span in texts for token in tokens)


def _is_gerund(token: Token) -> bool:
    """Return whether a word is the gerund of a verb."""
    return token.word.endswith("ing") and token.word not in lexicon.ORDER_VERBS


def _has_other_object(segment: UtteranceSegment, tokens: Sequence[Token], place: int) -> bool:
    """Return whether a verb orders something of its own: "mark my words", or any beside a clause that tells."""
    end = next((at for at in range(place + 1, len(tokens)) if tokens[at].word in CLAUSE_MARKS), len(tokens))
    clause, rest = tokens[place + 1 : end], tokens[end:]
    is_about_record = any(token not in segment.ask.loose or token.word in lexicon.BACK_REFERENCES for token in clause)
    if (
        [token.word for token in clause[2:3]] == ["of"]
        and clause[0].word in lexicon.DETERMINERS
        and any(unexpected_words(segment, clause[1:2]))
    ):
        # "Raise the topic of her score."
        return True
    around = (*pairwise(tokens[:place]), *pairwise(rest))
    has_statement = any(one.word in _STATIVE_VERBS and other not in segment.ask.loose for one, other in around)
    is_speakers = clause[:1] != [] and clause[0].word in _SPEAKERS_DETERMINERS
    return (has_statement or is_speakers) and not is_about_record and any(unexpected_words(segment, clause))


def _is_subject(segment: UtteranceSegment) -> bool:
    """Return whether the words of an order are what something is said of: "set Jack to lost is what he wants"."""
    ends = {span.end for span in segment.spans if span.tag == "value"}
    after = (
        segment.ask.tokens[place : place + 2] for place, one in enumerate(segment.ask.tokens, 1) if one.end in ends
    )
    words = [[one.word for one in tokens] for tokens in after]
    return any(one[:1] != [] and (one[0] in _STATIVE_VERBS or one == ["would", "be"]) for one in words)
