"""Find out why a segment orders nothing: a refusal, a condition, a question, a statement or a retraction.

The reasons are in words for the user, as they end the question that asks for confirmation.
"""

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from aisha.application.orders.reading.clauses import (
    JOINING_WORDS,
    MODAL_VERBS,
    SPEAKER_PRONOUNS,
    clause_verbs,
    ends_in_question,
    has_own_order,
    has_request_tag,
    is_order_verb,
    is_request,
    is_verb,
    question_tag,
)
from aisha.application.orders.reading.objections.conditions import (
    condition_in,
    first_step_in,
    inversion_in,
    is_courtesy,
)
from aisha.application.orders.reading.objections.options import option_reason, tag_question_in
from aisha.application.orders.reading.objections.retractions import refuses_openly, retracts_own_order
from aisha.application.orders.reading.objections.statements import TEXT_ACTS, statement_reason
from aisha.application.orders.reading.segment_words import SegmentWords
from aisha.application.orders.wording import ASKED, ASKED_ABOUT_TEXT, ONLY_MENTIONED, REFUSED, RETRACTED, said
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

CONFIDENT_PROBABILITY = 0.5
"""A segment that asks for information with this probability orders no change."""
_CONDITIONAL_PHRASES = re.compile(
    r" (?:in case|in the event|(?:as|so) long as|as soon as(?! (?:possible|you can))|on (?:the )?condition"
    r"|depending on|subject to|only when|providing that|pending|conditional on"
    r"|(?:the (?:moment|minute|instant|day)|next time) (?:he|she|it|they|we|i|you|the|that|his|her)) "
)
"""Phrases that make an order conditional."""
_CHECKING_VERBS = frozenset("check verify confirm see look".split())
_ACTIVITY_CHANGE_ACTS = frozenset(("complete_activity", "change_activity"))
_KEEPING_VERBS = frozenset(("keep", "leave"))
"""At the beginning they order no change: "leave his title as Director"."""
_IGNORING_VERBS = frozenset("forget ignore disregard".split())
_OWN_SUBJECTS = frozenset("i i'm we we're".split())
_WORDS_BEFORE_DECLINING = _OWN_SUBJECTS | {"am", "are", "do", "will", "would"}
_DECLINING_WORDS = frozenset("don't won't wouldn't never".split())
_DISMISSIVE_WORDS = frozenset("i'd would he'd she'd they'd we'd nobody none could joke nonsense".split())
_FORBIDDING_PHRASES = re.compile(
    r" (?:under|on|in|by|at) no (?:circumstances?|account|way|means|event|case|condition|time) "
    r"| (?:keep|leave) (?:\w+ ){1,4}out of | off the record "
    r"| (?:keep|kept|leave|left) .{1,60} as (?:it|they|he|she) (?:is|are) "
)
_EMPTY_OBJECTS = frozenset(("nothing", "none", "nobody"))
_REASONS_ASKED = lexicon.QUESTION_STARTS & frozenset("why who whose what which where how whether".split())
"""After "remind me" these ask; "remind me when he calls" orders a reminder."""
_SHOWING_VERBS = frozenset("show display list view see".split())
"""Verbs that only ask for information."""
_DELAYING_CONJUNCTIONS = frozenset("once when whenever after until till before".split())
_THINKING_VERBS = frozenset(
    "say think believe know guess imagine agree recommend suggest advise tell explain ever consider reckon call".split()
)
"""Verbs of what the assistant may think: "would you say that …" asks."""
_AUXILIARIES = frozenset("am are is was were do does did have has had".split())
_POLITE_WORDS = frozenset(("please", "pls", "kindly"))
_SUBJECT_PRONOUNS = frozenset("i we he she they".split())
"""After an auxiliary at the beginning they ask, also without a question mark: "am i free on Friday"."""
_HOW_WORDS = frozenset(("how", "where", "when", "why"))
_HOW_TO_WORDS = frozenset("do does did can could would should to is are will".split())
_THANKING_WORDS = frozenset("grateful appreciate great nice lovely glad thankful".split())


def denial_of(ask: Ask) -> str:
    """Return why a segment orders nothing, in words for the user; empty if it may order something."""
    words = SegmentWords(ask)
    return (
        _refusal_reason(words)
        or _condition_reason(words)
        or _question_reason(words)
        or option_reason(ask)
        or statement_reason(words)
    )


def _refusal_reason(words: SegmentWords) -> str:
    """Return why a segment refuses, imagines or retracts what it names; empty if it doesn't."""
    ask = words.ask
    is_imagined = ask.act == "hypothetical" and not is_request(ask.tokens)
    if (ask.act == "negated" or is_imagined) and ask.segment.probability >= CONFIDENT_PROBABILITY:
        return REFUSED if ask.act == "negated" else ONLY_MENTIONED
    if refuses_openly(words.content_tokens) or _declines(ask.tokens):
        return REFUSED
    for token, following in pairwise(words.content_tokens):
        # Of "58k not 52, fix it" a value is denied.
        is_denied = token.word in lexicon.NEGATIONS and (following.word in lexicon.DO_WORDS or is_verb(following.word))
        # "No, undo that" refuses what was done, and orders.
        is_denied = is_denied and (token.word != "no" or not ask.text[token.end : following.start].strip())
        if is_denied and following in words.loose_tokens:
            return REFUSED
    if _is_forbidden([token.word for token in words.content_tokens]) or _orders_nothing(ask):
        return REFUSED
    if words.changes_field and words.first in _KEEPING_VERBS:
        return REFUSED
    if words.first in _IGNORING_VERBS and not has_own_order(ask.tokens, ask.tokens[0]):
        return REFUSED
    if retracts_own_order(ask):
        return RETRACTED
    clause = _dismissive_clause(ask.tokens)
    return said(clause) if clause else ""


def _declines(tokens: Sequence[Token]) -> bool:
    """Return whether the user says that they will not do it: "I'm not going to set it", "I don't think we should"."""
    verb = next((place for place, token in enumerate(tokens) if is_order_verb(token)), 0)
    for place, (one, two) in enumerate(pairwise(tokens[:verb])):
        is_own = bool(_OWN_SUBJECTS.intersection(token.word for token in tokens[max(0, place - 1) : place + 1]))
        is_clause = not any(token.kind == "mark" for token in tokens[place:verb])
        is_denied = two.word in _DECLINING_WORDS or (two.word == "not" and one.word in _WORDS_BEFORE_DECLINING)
        if is_own and is_clause and is_denied:
            return not has_own_order(tokens, one)
    return False


def _condition_reason(words: SegmentWords) -> str:
    """Return the words of a segment that make its order conditional or put it off; empty if there are none."""
    ask = words.ask
    for place, token in enumerate(words.loose_tokens):
        is_mere_form = _is_polite_if(words.loose, place) or _is_afterthought(ask.tokens, token)
        if token.word in lexicon.HEDGE_WORDS and not is_mere_form:
            return said(token.text)
    words_checked = words.loose if ask.act in TEXT_ACTS else [token.word for token in words.content_tokens]
    if condition := _CONDITIONAL_PHRASES.search(f" {' '.join(words_checked)} "):
        return said(condition.group().strip())
    delay = next((word for word in words.loose[1:] if word in _DELAYING_CONJUNCTIONS), "")
    if delay and ask.act in _ACTIVITY_CHANGE_ACTS:
        return said(delay)
    waiting = condition_in(words.content_tokens_with_marks) or first_step_in(ask.tokens)
    if waiting and not ends_in_question(ask.text):
        return said(waiting)
    inversion = "" if ask.act in TEXT_ACTS and ask.texts("text") else inversion_in(ask.tokens)
    return said(inversion) if inversion else ""


def _is_polite_if(loose: Sequence[str], place: int) -> bool:
    """Return whether a word begins "if possible", "if you can", or "I'd be grateful if you …"."""
    is_thanked = loose[place + 1 : place + 2] == ["you"] and bool(_THANKING_WORDS & set(loose[:place]))
    return loose[place] == "if" and (is_thanked or is_courtesy(loose[place + 1 :]))


def _is_afterthought(tokens: Sequence[Token], token: Token) -> bool:
    """Return whether a word ends a clause with "I": "source other, I suppose" orders it all the same."""
    place = tokens.index(token)
    following = tokens[place + 1 : place + 2]
    is_end = not following or following[0].kind == "mark"
    return is_end and place > 1 and tokens[place - 1].word == "i"


def _question_reason(words: SegmentWords) -> str:
    """Return the reason if a segment asks for information or about a text; empty if it doesn't."""
    ask, first = words.ask, words.first
    if first in lexicon.TEXT_VERBS:
        return ASKED_ABOUT_TEXT
    place = words.loose.index(first) + 1 if first in words.loose else 1
    is_how = first in _HOW_WORDS and any(word in _HOW_TO_WORDS for word in words.loose[place : place + 2])
    content = (token.word for token in words.content_tokens if token.word not in lexicon.INTERJECTIONS)
    is_inverted = first in _AUXILIARIES and [*islice(content, 2)][-1] in _SUBJECT_PRONOUNS
    is_checked = first in _CHECKING_VERBS and words.changes_field and words.second not in ("off", "to")
    is_asked = words.asks_speaker and (words.changes_field or not _REASONS_ASKED.isdisjoint(words.loose[:4]))
    if is_asked or is_how or is_inverted or is_checked or (ask.act not in TEXT_ACTS and _asks_to_show(words)):
        return ASKED
    if tag_question_in(ask.text, ask.tokens):
        return ASKED
    # "Could her score go to 64 please?"
    is_wish = first in MODAL_VERBS and not _POLITE_WORDS.isdisjoint(words.loose)
    is_asking = not is_wish and (first in lexicon.QUESTION_STARTS or (not words.frame and _is_asking(ask.tokens)))
    return ASKED if is_asking and ends_in_question(ask.text) else ""


def _asks_to_show(words: SegmentWords) -> bool:
    """Return whether a segment begins with a verb of showing, and not with "see to it that"."""
    is_joined = words.first in JOINING_WORDS | {"but"}
    verb = next(iter(words.loose[1:]), "") if is_joined else words.first
    is_seen_to = "to it that" in " ".join(token.word for token in words.content_tokens)
    return not is_seen_to and verb in _SHOWING_VERBS


def _dismissive_clause(tokens: Sequence[Token]) -> str:
    """Return the words by which a clause after the order makes it none: ", which is the last thing I'd do"."""
    for place, (mark, token) in enumerate(pairwise(tokens)):
        later = tokens[place + 1 :]
        end = next((at for at, one in enumerate(later) if one.word in (".", ";", "!", "?")), len(later))
        words = [one.word for one in later[:end]]
        if mark.word == "," and token.word == "which" and set(words) & (_DISMISSIVE_WORDS | lexicon.NEGATIONS):
            return " ".join(words[:4])
    return ""


def _is_forbidden(words: Sequence[str]) -> bool:
    """Return whether words forbid what they name: "under no circumstances", "stop changing", "keep this out of it"."""
    return _FORBIDDING_PHRASES.search(f" {' '.join(words)} ") is not None


def _orders_nothing(ask: Ask) -> bool:
    """Return whether the verbs of a segment have no object but "nothing": "draft nothing and save nothing about …"."""
    objects = {following.word for verb, following in pairwise(ask.tokens) if verb in ask.loose and is_order_verb(verb)}
    return bool(objects) and _EMPTY_OBJECTS.issuperset(objects)


def _is_asking(tokens: Sequence[Token]) -> bool:
    """Return whether words before a question mark ask for information: "wasn't Jack set to lost?".

    A request has "can you", or begins with a verb.
    """
    words = [token.word for token in tokens if token.word not in lexicon.INTERJECTIONS]
    if not words or has_request_tag(tokens):
        return False
    # The last word of "…, correct?" orders nothing.
    verbs = list(clause_verbs(tokens))
    verbs = verbs[:-1] if verbs[-1:] == [question_tag(tokens)] else verbs
    if words[0] not in SPEAKER_PRONOUNS and any(map(is_verb, verbs)):
        return False
    pairs = zip(words, words[1:], (*words[2:], ""), strict=False)
    requests = (verb for one, other, verb in pairs if _are_modal_and_pronoun({one, other}))
    return all(verb in _THINKING_VERBS for verb in requests)


def _are_modal_and_pronoun(words: set[str]) -> bool:
    """Return whether two words are a modal verb and its pronoun: "can you"."""
    return bool(words & SPEAKER_PRONOUNS) and bool(words & MODAL_VERBS)
