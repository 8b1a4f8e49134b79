"""Find out why a segment only states something: what is, was, or was said by somebody."""

from collections.abc import Sequence
from itertools import pairwise, takewhile

from aisha.application.orders.reading.clauses import (
    CLAUSE_MARKS,
    base_of,
    clause_verbs,
    has_own_order,
    is_request,
    is_verb,
)
from aisha.application.orders.reading.segment_words import SegmentWords
from aisha.application.orders.wording import ONLY_MENTIONED, PAST, REPORTED
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.doing import tells_doing
from aisha.domain.language.tokens import Token

TEXT_ACTS = frozenset("create_note create_activity remind remember instruct draft_email send_email invite".split())
"""Acts that carry a text."""
_IMAGINING_VERBS = frozenset("consider imagine picture say suppose pretend assume guess think compare".split())
_LEARNING_VERBS = frozenset("see hear know learn understand".split())
_SCHEDULING_ACTS = frozenset(("create_activity", "invite", "remind"))
_PLAN_VERBS = frozenset(
    "is are was were has had have will would isn't wasn't may might could plans meets visits comes".split()
)
_REQUESTING_WORDS = frozenset(
    "should must needs need to be can could would will please let has have had get gets".split()
)
_IRREGULAR_PASTS = frozenset("gave put set made sent wrote took".split())
_INQUIRY_WORDS = frozenset("know see hear learn understand check who what when why how whether".split())
_OPINION_CONTRACTIONS = frozenset("i'd we'd he'd she'd they'd".split())
"""Directly before the verb of an order: "I'd set him to lost"; in "I'd like you to set" they are not."""
_PROMISE_CONTRACTIONS = frozenset("i'll he'll she'll they'll".split())
STATING_VERBS = frozenset("is was were will".split())
_REQUEST_WORDS = frozenset("please pls now should must needs".split())
_SUBJECT_PRONOUNS = frozenset("i we he she they who".split())
_ADVERBS = frozenset("just already also then now have had has 've usually always often never only".split())
_INVERTING_WORDS = frozenset(
    "can could shall should may might will would must do did let if before after when once".split()
)
_SEEMING_VERBS = frozenset("seems sounds looks feels".split())
_MIN_VERB = 4
"""Letters of the shortest verb with its "s" by which a sentence is told to have a subject."""
COPULAR_VERBS = frozenset("is was are were isn't wasn't seems looks sounds works worked has had".split())
_UNREAL_MODALS = frozenset("should could would might must shouldn't couldn't wouldn't".split())
_VERBS_OF_SPEECH = frozenset("said says wrote writes".split())
_SPEAKERS = lexicon.NEGATIONS | frozenset("he she they nobody everybody everyone somebody someone".split())
NEWS_ACTS = frozenset("create_note report remember".split())
"""Acts whose orders are often news: "Jack said he likes it, note that"."""


def statement_reason(words: SegmentWords) -> str:
    """Return why a segment only states what is, was or was said by somebody; empty if it does more."""
    ask = words.ask
    tokens = [token for token in ask.tokens if token.kind != "mark"]
    if _is_unreal([token.word for token in tokens]) and not has_own_order(ask.tokens, tokens[0]):
        return PAST
    if words.first in _IMAGINING_VERBS or _is_withdrawn_wish(words) or _is_wish_to_learn(words) or _is_purpose(words):
        return ONLY_MENTIONED
    without_interjections = [token.word for token in words.content_tokens if token.word not in lexicon.INTERJECTIONS]
    is_stated = not words.frame and _is_statement(without_interjections)
    has_subject = _has_noun_subject(ask) or _has_acting_name(ask)
    is_news = is_stated or _is_narrated(_without_reason_after_order(words)) or has_subject or tells_doing(tokens)
    if is_news and not has_own_order(ask.tokens, tokens[0]):
        return ONLY_MENTIONED
    if _is_state(ask, tokens) or _is_reported_event(ask) or _is_opinion(words):
        return ONLY_MENTIONED
    return REPORTED if _is_speaker_line(ask) or _is_reported(ask, tokens) or _is_attributed(ask) else ""


def _is_withdrawn_wish(words: SegmentWords) -> bool:
    """Return whether a request is told as one of the past: "I was going to ask you to set it, but …"."""
    return "was" in [token.word for token in words.frame] and "but" in words.loose


def _is_wish_to_learn(words: SegmentWords) -> bool:
    """Return whether a segment wants to know about a change: "I'd like to hear that he is moved"."""
    verb = next((place for place, word in enumerate(words.loose) if is_verb(word)), len(words.loose))
    before_verb = pairwise(words.loose[:verb])
    return words.changes_field and any(one == "to" and two in _LEARNING_VERBS for one, two in before_verb)


def _is_purpose(words: SegmentWords) -> bool:
    """Return whether a segment is an infinitive: "to set him to lost"."""
    return [token.word for token in words.content_tokens[:1]] == ["to"] and is_verb(words.second)


def _is_reported_event(ask: Ask) -> bool:
    """Return whether a segment tells what somebody else has planned: "Ann is calling me on Friday"."""
    if (
        ask.act not in _SCHEDULING_ACTS
        or any(is_verb(verb) for verb in clause_verbs(ask.tokens))
        or is_request(ask.tokens)
    ):
        return False
    tokens = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS]
    names = [span for span in ask.segment.spans if span.tag in ("name", "new", "org", "owner", "ref")]
    subject = next((span for span in names if tokens and span.start <= tokens[0].start < span.end), None)
    later = [token for token in tokens if subject is not None and token.start >= subject.end]
    while len(later) > 1 and (later[0].word == "and" or any(one.start <= later[0].start < one.end for one in names)):
        # "Ann and Bob are meeting."
        later = later[1:]
    if not later or later[0].text in ("'s", "’s"):
        return False
    return later[0].word in _PLAN_VERBS or (later[0].word.endswith("s") and is_verb(later[0].word[:-1]))


def _has_noun_subject(ask: Ask) -> bool:
    """Return whether something does what the verb says to a record: "our import set Ann's score to 15"."""
    tokens = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS]
    if not tokens or tokens[0].word not in lexicon.DETERMINERS:
        return False
    for place in range(2, len(tokens)):
        token, before = tokens[place], tokens[place - 1]
        if token.kind == "mark" or token.word in _REQUESTING_WORDS:
            return False
        if is_verb(token.word) and before.word not in lexicon.DETERMINERS and token in ask.loose:
            names = [span for span in ask.segment.spans if span.tag in ("name", "ref")]
            return any(span.start > token.start for span in names) and not any(span.end < token.start for span in names)
    return False


def _has_acting_name(ask: Ask) -> bool:
    """Return whether somebody who is named does something to a record: "Wikipedia gives Acme 275 employees"."""
    tokens = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS]
    names = [span for span in ask.segment.spans if span.tag in ("name", "new", "org", "owner")]
    subject = next((span for span in names if tokens and span.start <= tokens[0].start < span.end), None)
    later = [token for token in tokens if subject is not None and token.start >= subject.end]
    if len(later) < 2:
        return False
    verb, object_ = later[:2]
    if verb.is_capital or not verb.word.endswith("s") or len(verb.word) < _MIN_VERB:
        return False
    if verb.word in lexicon.REPORTING_VERBS:
        # "Bob says Ann's number is …": see `_is_reported`.
        return False
    is_named = any(span.start == object_.start for span in names if span is not subject)
    return is_named or object_.word in lexicon.PERSON_PRONOUNS


def _without_reason_after_order(words: SegmentWords) -> Sequence[Token]:
    """Return the words outside of slots, up to the clause after an order: "tick off the quote, I mailed it"."""
    clause = [*takewhile(lambda one: one.word not in CLAUSE_MARKS, words.ask.loose)]
    is_order = is_verb(words.first) and not words.frame and not any(one.word in COPULAR_VERBS for one in clause)
    return clause if is_order else words.ask.loose


def _is_narrated(loose: Sequence[Token]) -> bool:
    """Return whether somebody has done what the verb says: "yesterday I moved it"."""
    words = [token.word for token in loose]
    return any(
        one in _SUBJECT_PRONOUNS and _is_done(other) and loose[place].end + 1 == loose[place + 1].start
        for place, (one, other) in enumerate(pairwise(words))
        if not (place and words[place - 1] in _INVERTING_WORDS)
    )


def _is_done(word: str) -> bool:
    """Return whether a word is the past of a verb of orders: "moved"."""
    return word in _IRREGULAR_PASTS or (word.endswith("ed") and any(is_verb(word[:-cut]) for cut in (1, 2, 3)))


def _is_statement(words: Sequence[str]) -> bool:
    """Return whether words say what somebody does, did or will do, or what something is.

    Such as "yesterday I set …", "undo is …", "I will mark …" and "his advice was mark …".
    """
    if len(words) > 1 and is_verb(words[0]) and words[1] in COPULAR_VERBS:
        return True
    place = next((place for place, word in enumerate(words) if is_verb(word)), 0)
    before = [word for word in words[:place] if word not in _ADVERBS]
    if before[:1] == ["i"] and before[1:2] in (["want"], ["need"]) and not _INQUIRY_WORDS & set(before):
        # "I want that he is put to lost."
        return False
    if before and before[-1] in _PROMISE_CONTRACTIONS | _OPINION_CONTRACTIONS:
        return True
    if len(before) > 1 and before[-1] in STATING_VERBS | {"would"}:
        return before[-2] not in _INVERTING_WORDS
    is_subject = bool(before) and before[-1] in _SUBJECT_PRONOUNS
    return is_subject and not (len(before) > 1 and before[-2] in _INVERTING_WORDS)


def _is_state(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a segment says in which state a record is, and orders nothing: "Jack is lost"."""
    words = [token.word for token in tokens]
    if ask.texts("field") or _REQUEST_WORDS & set(words) or any(lexicon.acts_of_verb(word) for word in words):
        return False
    values = (span for span in ask.segment.spans if span.tag == "owner" or lexicon.values_in(span.text))
    starts = {span.start for span in values if span.tag in ("value", "owner")}
    return any(one.word in STATING_VERBS and other.start in starts for one, other in pairwise(tokens))


def _is_opinion(words: SegmentWords) -> bool:
    """Return whether a segment tells how something seems, and orders nothing: "Ann at 90 sounds too good"."""
    pairs = pairwise(token.word for token in words.content_tokens)
    is_seeming = any(verb in _SEEMING_VERBS and before not in lexicon.DETERMINERS for before, verb in pairs)
    is_ordered = any(map(is_verb, clause_verbs(words.ask.tokens))) or bool(_REQUEST_WORDS & set(words.loose))
    return is_seeming and not is_ordered


def _is_reported(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a segment begins with somebody else who says or wants something: "Jack said we should …"."""
    for place, token in enumerate(tokens[:6]):
        if token.word in lexicon.REPORTING_VERBS:
            before = [one for one in tokens[:place] if one.word not in lexicon.INTERJECTIONS]
            is_own = any(one.word in ("i", "we", "i'd", "we'd", "please", "i'll") for one in before)
            is_field = bool(before) and any(
                before[-1].end == span.end for span in ask.segment.spans if span.tag == "field"
            )
            passes_on = [one.word for one in tokens[place + 1 : place + 3]] in (["me", "to"], ["us", "to"])
            is_news = ask.act in NEWS_ACTS and not passes_on
            if before and not is_own and not is_field and not is_verb(before[0].word) and not is_news:
                return not has_own_order(ask.tokens, token)
    return False


def _is_attributed(ask: Ask) -> bool:
    """Return whether a segment says at its end who says it: "set Ann to lost, said Bob", "… - says no one ever"."""
    return any(
        mark.word in CLAUSE_MARKS and verb.word in _VERBS_OF_SPEECH and (one.is_capital or one.word in _SPEAKERS)
        for mark, verb, one in zip(ask.tokens, ask.tokens[1:], ask.tokens[2:], strict=False)
    )


def _is_unreal(words: Sequence[str]) -> bool:
    """Return whether words tell what should have been: "you should never have put her back"."""
    for place, word in enumerate(words):
        later = [one for one in words[place + 1 : place + 5] if one not in lexicon.NEGATIONS | _ADVERBS - {"have"}]
        if word in _UNREAL_MODALS and later[:1] == ["have"] and later[1:2] != [] and base_of(later[1]):
            return True
    return False


def _is_speaker_line(ask: Ask) -> bool:
    """Return whether a segment is what somebody says, as in a thread: "Bob: set Ann to lost"."""
    spans = sorted(
        (span for span in ask.segment.spans if span.tag in ("name", "new", "owner")), key=lambda one: one.start
    )
    if len(spans) < 2 or spans[0].start > 0:
        return False
    later = [token for token in ask.tokens if token.start >= spans[0].end]
    is_label = len(later) > 1 and later[0].word == ":" and is_verb(later[1].word)
    words = {word.lower() for word in spans[0].text.split()}
    return is_label and any(one.tag != "owner" and not words & {*one.text.lower().split()} for one in spans[1:])
