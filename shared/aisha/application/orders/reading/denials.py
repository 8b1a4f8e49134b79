"""Find out why a segment orders nothing: a refusal, a condition, a question, a statement or a retraction.

The reasons are in words for the user, as they end the question that asks for confirmation.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from aisha.application.orders.reading.clauses import (
    JOINING_WORDS,
    MODAL_VERBS,
    SPEAKER_PRONOUNS,
    clause_verbs,
    ends_in_question,
    has_own_order,
    has_request_tag,
    introduces_quoted_text,
    is_request,
    is_verb,
    question_tag,
    request_frame,
)
from aisha.application.orders.reading.reasons import reasons_of
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

CONFIDENT_PROBABILITY = 0.5
"""A segment that asks for information with this probability orders no change."""
TEXT_ACTS = frozenset("create_note create_activity remind remember instruct draft_email send_email invite".split())
"""Acts that carry a text."""
ONLY_MENTIONED = "you only spoke of it"
REFUSED = "you said not to"
_RETRACTED = "you took it back in the same message"
REPORTED = "you told me what somebody else said"
"""This and `ONLY_MENTIONED` are reasons of segments that state something, without a denial or a condition."""
_RETRACTING_ACTS = frozenset(("negated", "no"))
_MIN_RETRACTION_PROBABILITY = 0.6
_CONTACT_VERBS = frozenset("email mail call phone ring text message contact notify invite".split())
_REMAINDER_WORDS = frozenset("rest else others other".split())
_INTERRUPTING_WORDS = frozenset(("no", "nope", "wait"))
_RETRACTING_VERBS = frozenset(
    "forget ignore scratch cancel undo leave skip drop disregard scrap revert withdraw".split()
)
_RETRACTED_OBJECTS = frozenset(("it", "that", "this", "everything", "all"))
_WORDS_AFTER_RETRACTION = frozenset("please again for then as completely altogether all entirely i and".split())
_WORDS_BEFORE_RETRACTION = lexicon.INTERJECTIONS | frozenset(
    "no nope wait actually and but just rather better then well".split()
)
_CONDITIONAL_PHRASES = re.compile(
    r" (?:in case|in the event|(?:as|so) long as|as soon as(?! (?:possible|you can))|on (?:the )?condition"
    r"|depending on|subject to|only when"
    r"|the (?:moment|minute|instant|day) (?:he|she|it|they|we|i|you|the|that|his|her)) "
)
"""Phrases that make an order conditional."""
_IMAGINING_VERBS = frozenset("consider picture say pretend assume guess think compare".split())
_CHECKING_VERBS = frozenset("check verify confirm see look".split())
_LEARNING_VERBS = frozenset("see hear know learn understand".split())
_ACTIVITY_CHANGE_ACTS = frozenset(("complete_activity", "change_activity"))
_DISMISSIVE_WORDS = frozenset("i'd would he'd she'd they'd we'd nobody none could joke nonsense".split())
_WORDS_BEFORE_FLAG = frozenset("as to on the a check flag under off is".split())
_SCHEDULING_ACTS = frozenset(("create_activity", "invite", "remind"))
_PLAN_VERBS = frozenset("is are was were has had have will would isn't wasn't plans meets visits comes".split())
_FORBIDDING_PHRASES = re.compile(
    r" (?:under|on|in|by|at) no (?:circumstances?|account|way|means|event|case|condition|time) "
    r"| (?:keep|leave) (?:\w+ ){1,4}out of | off the record "
    r"| (?:keep|kept|leave|left) .{1,60} as (?:it|they|he|she) (?:is|are) "
)
_STOPPING_VERBS = frozenset("stop quit cease avoid without".split())
_REQUESTING_WORDS = frozenset(
    "should must needs need to be can could would will please let has have had get gets".split()
)
_IRREGULAR_PASTS = frozenset("gave put set made sent wrote took".split())
_INQUIRY_WORDS = frozenset("know see hear learn understand check who what when why how whether".split())
_PROMISE_CONTRACTIONS = frozenset("i'll he'll she'll they'll".split())
_STATING_VERBS = frozenset("is was were will".split())
_REQUEST_WORDS = frozenset("please pls now should must needs".split())
_SHOWING_VERBS = frozenset("show display list view see".split())
"""Verbs that only ask for information."""
_TIME_CONJUNCTIONS = frozenset("once when whenever after until till before".split())
"""At the beginning they put an order off until something else has happened."""
_THINKING_VERBS = frozenset(
    "say think believe know guess imagine agree recommend suggest advise tell explain ever consider reckon call".split()
)
"""Verbs of what the assistant may think: "would you say that …" asks."""
_SUBJECT_PRONOUNS = frozenset("i we he she they who".split())
_ADVERBS = frozenset("just already also then now have had has 've usually always often never only".split())
_INVERTING_WORDS = frozenset(
    "can could shall should may might will would must do did let if before after when once".split()
)
COPULAR_VERBS = frozenset("is was are were isn't wasn't seems looks sounds works worked has had".split())
_HOW_WORDS = frozenset(("how", "where", "when", "why"))
_HOW_TO_WORDS = frozenset("do does did can could would should to is are will".split())
_DELEGATING_VERBS = frozenset("asked told instructed ordered begged reminded".split())
NEWS_ACTS = frozenset("create_note report remember".split())
"""Acts whose orders are often news: "Jack said he likes it, note that"."""
_THANKING_WORDS = frozenset("grateful appreciate great nice lovely glad thankful".split())
_WORDS_AFTER_POLITE_IF = frozenset("can could please would wouldn't don't have get want like may will might".split())
"""After "if you" these words make an order polite; "if you read this" is a condition."""


def retraction_in(ask: Ask, later: Sequence[Ask]) -> str:
    """Return the reason if one of the later segments takes back what a segment orders; empty if none does."""
    own_names = named_in(ask)
    for place, other in enumerate(later):
        words = [token.word for token in other.tokens if token.word not in lexicon.INTERJECTIONS]
        if place == 0 and words[:1] and words[0] in _INTERRUPTING_WORDS and not _has_value(other):
            # "No wait, that's the score of Ann."
            return _RETRACTED
        if _retracts(other.tokens):
            # "Scratch that, Ann told me otherwise": whoever else is named.
            return _RETRACTED
        if _REMAINDER_WORDS & {token.word for token in other.tokens}:
            # "… and leave the rest."
            continue
        is_no = other.act in _RETRACTING_ACTS and other.segment.probability >= _MIN_RETRACTION_PROBABILITY
        verbs = {token.word for token in other.tokens if is_verb(token.word)}
        # "Set Jack to warm and do not email him" takes nothing back, nor does "…, don't touch Ann".
        is_about_contact = bool(verbs) and verbs <= _CONTACT_VERBS and ask.act in FIELD_CHANGE_ACTS
        is_same_record = not named_in(other) or bool(own_names & named_in(other))
        if is_no and not is_about_contact and is_same_record:
            return _RETRACTED
    return ""


def _has_value(ask: Ask) -> bool:
    """Return whether a segment has a value, or an order of its own."""
    tags = ("value", "amount", "when", "owner", "text", "email", "phone", "url", "new", "org")
    return any(span.tag in tags for span in ask.segment.spans) or any(is_verb(one.word) for one in ask.tokens)


def _retracts(tokens: Sequence[Token]) -> bool:
    """Return whether a clause takes back what was said before it: "scratch that", "oh no, forget it", "never mind"."""
    is_start = True
    for place, token in enumerate(tokens):
        following = [one.word for one in tokens[place + 1 : place + 3]]
        is_that = following[:1] and following[0] in _RETRACTED_OBJECTS
        is_whole = len(following) < 2 or not following[1][:1].isalpha() or following[1] in _WORDS_AFTER_RETRACTION
        if is_start and token.word in _RETRACTING_VERBS and is_that and is_whole:
            return True
        is_never_mind = token.word == "nevermind" or (token.word == "never" and following[:1] == ["mind"])
        if is_start and is_never_mind:
            return True
        is_start = token.kind == "mark" or (is_start and token.word in _WORDS_BEFORE_RETRACTION)
    return False


def named_in(ask: Ask) -> set[str]:
    """Return the words of the names that a segment has, in lower case."""
    return {word.lower() for tag in ("name", "new") for text in ask.texts(tag) for word in text.split()}


def denial_of(ask: Ask) -> str:
    """Return why a segment orders nothing, in words for the user; empty if it may order something."""
    words = _SegmentWords(ask)
    return _refusal_reason(words) or _condition_reason(words) or _question_reason(words) or _statement_reason(words)


class _SegmentWords:
    """The words of a segment, without clauses that give reasons, the frame of a request, and the names of flags.

    `content_tokens` are its tokens but for marks, `loose_tokens` those outside of slots, `loose` their words. `first`
    is the first word that is no interjection, `frame` the words of a request such as "could you".
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.frame = request_frame(ask.tokens)
        apart = {token.start for token in (*self.frame, *reasons_of(ask.tokens), *_flag_words(ask.tokens))}
        self.content_tokens = [token for token in ask.tokens if token.kind != "mark" and token.start not in apart]
        self.loose_tokens = [token for token in ask.loose if token.kind != "mark" and token.start not in apart]
        self.loose = [token.word for token in self.loose_tokens]
        self.first = next((token.word for token in self.content_tokens if token.word not in lexicon.INTERJECTIONS), "")
        self.changes_field = ask.act in FIELD_CHANGE_ACTS

    @property
    def second(self) -> str:
        """The word outside of slots after the first one; empty if there is none."""
        place = self.loose.index(self.first) + 1 if self.first in self.loose else len(self.loose)
        return next(iter(self.loose[place:]), "")


def _refusal_reason(words: _SegmentWords) -> str:
    """Return why a segment refuses, imagines or retracts what it names; empty if it doesn't."""
    ask = words.ask
    is_imagined = ask.act == "hypothetical" and not is_request(ask.tokens)
    if (ask.act == "negated" or is_imagined) and ask.segment.probability >= CONFIDENT_PROBABILITY:
        return REFUSED if ask.act == "negated" else ONLY_MENTIONED
    for word, following in pairwise((*words.loose, "")):
        if word in lexicon.NEGATIONS and (following in lexicon.DO_WORDS or is_verb(following)):
            return REFUSED
    if _is_forbidden([token.word for token in words.content_tokens]):
        return REFUSED
    if _retracts_own_order(ask.tokens):
        return _RETRACTED
    clause = _dismissive_clause(ask.tokens)
    return f"you said “{clause}”" if clause else ""


def _condition_reason(words: _SegmentWords) -> str:
    """Return the words of a segment that make its order conditional or put it off; empty if there are none."""
    ask = words.ask
    for place, token in enumerate(words.loose_tokens):
        if token.word in lexicon.HEDGES and not _is_polite_if(words.loose, place):
            return f"you said “{token.text}”"
    words_checked = words.loose if ask.act in TEXT_ACTS else [token.word for token in words.content_tokens]
    if condition := _CONDITIONAL_PHRASES.search(f" {' '.join(words_checked)} "):
        return f"you said “{condition.group().strip()}”"
    delay = next((word for word in words.loose[1:] if word in _TIME_CONJUNCTIONS), "")
    if delay and ask.act in _ACTIVITY_CHANGE_ACTS:
        return f"you said “{delay}”"
    second = [token.word for token in words.content_tokens[1:2]]
    is_again = words.first == "once" and second in (["again"], ["more"])
    is_put_off = words.first in _TIME_CONJUNCTIONS and not is_again and not ends_in_question(ask.text)
    return f"you said “{words.first}”" if is_put_off else ""


def _is_polite_if(loose: Sequence[str], place: int) -> bool:
    """Return whether a word begins "if possible", "if you can", or "I'd be grateful if you …"."""
    following = loose[place + 1 : place + 3]
    if loose[place] != "if" or following[:1] == ["possible"]:
        return loose[place] == "if"
    is_able = len(following) < 2 or following[1] in _WORDS_AFTER_POLITE_IF
    return following[:1] == ["you"] and (is_able or bool(_THANKING_WORDS & set(loose[:place])))


def _question_reason(words: _SegmentWords) -> str:
    """Return the reason if a segment asks for information or about a text; empty if it doesn't."""
    ask, first = words.ask, words.first
    if first in lexicon.TEXT_VERBS:
        return "you asked about a text"
    place = words.loose.index(first) + 1 if first in words.loose else 1
    is_how = first in _HOW_WORDS and any(word in _HOW_TO_WORDS for word in words.loose[place : place + 2])
    is_checked = first in _CHECKING_VERBS and words.changes_field and words.second not in ("off", "to")
    if is_how or is_checked or (ask.act not in TEXT_ACTS and _asks_to_show(words)):
        return "you asked about it"
    is_asking = first in lexicon.QUESTION_STARTS or (not words.frame and _is_asking(ask.tokens))
    return "you asked about it" if is_asking and ends_in_question(ask.text) else ""


def _asks_to_show(words: _SegmentWords) -> bool:
    """Return whether a segment begins with a verb of showing, and not with "see to it that"."""
    is_joined = words.first in JOINING_WORDS | {"but"}
    verb = next(iter(words.loose[1:]), "") if is_joined else words.first
    is_seen_to = "to it that" in " ".join(token.word for token in words.content_tokens)
    return not is_seen_to and verb in _SHOWING_VERBS


def _statement_reason(words: _SegmentWords) -> str:
    """Return why a segment only states what is, was or was said by somebody; empty if it does more."""
    ask = words.ask
    tokens = [token for token in ask.tokens if token.kind != "mark"]
    if words.first in _IMAGINING_VERBS or _is_withdrawn_wish(words) or _is_wish_to_learn(words) or _is_purpose(words):
        return ONLY_MENTIONED
    without_interjections = [token.word for token in words.content_tokens if token.word not in lexicon.INTERJECTIONS]
    is_stated = not words.frame and _is_statement(without_interjections)
    is_news = is_stated or _is_narrated(ask.loose) or _has_noun_subject(ask)
    if is_news and not has_own_order(ask.tokens, tokens[0]):
        return ONLY_MENTIONED
    if _is_state(ask, tokens) or _is_reported_event(ask):
        return ONLY_MENTIONED
    if _is_delegated(ask, words.content_tokens):
        return "you told me what you asked somebody else"
    is_spoken = (ask.act not in TEXT_ACTS and introduces_quoted_text(ask.tokens)) or _is_speaker_line(ask)
    return REPORTED if is_spoken or _is_reported(ask, tokens) else ""


def _is_withdrawn_wish(words: _SegmentWords) -> bool:
    """Return whether a request is told as one of the past: "I was going to ask you to set it, but …"."""
    return "was" in [token.word for token in words.frame] and "but" in words.loose


def _is_wish_to_learn(words: _SegmentWords) -> bool:
    """Return whether a segment wants to know about a change: "I'd like to hear that he is moved"."""
    verb = next((place for place, word in enumerate(words.loose) if is_verb(word)), len(words.loose))
    before_verb = pairwise(words.loose[:verb])
    return words.changes_field and any(one == "to" and two in _LEARNING_VERBS for one, two in before_verb)


def _is_purpose(words: _SegmentWords) -> bool:
    """Return whether a segment is an infinitive: "to set him to lost"."""
    return [token.word for token in words.content_tokens[:1]] == ["to"] and is_verb(words.second)


def _dismissive_clause(tokens: Sequence[Token]) -> str:
    """Return the words by which a clause after the order makes it none: ", which is the last thing I'd do"."""
    for place, (mark, token) in enumerate(pairwise(tokens)):
        later = tokens[place + 1 :]
        end = next((at for at, one in enumerate(later) if one.word in (".", ";", "!", "?")), len(later))
        words = [one.word for one in later[:end]]
        if mark.word == "," and token.word == "which" and set(words) & (_DISMISSIVE_WORDS | lexicon.NEGATIONS):
            return " ".join(words[:4])
    return ""


def _flag_words(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words of flags that are named, as in "flag her as do not call": they deny nothing."""
    for place in range(1, len(tokens) - 2):
        flag = tokens[place : place + 3]
        is_flag = flag[0].word == "do" and flag[1].word in ("not", "-") and flag[2].word in _CONTACT_VERBS
        if is_flag and (tokens[place - 1].word in _WORDS_BEFORE_FLAG or is_verb(tokens[place - 1].word)):
            yield from flag


def _retracts_own_order(tokens: Sequence[Token]) -> bool:
    """Return whether a segment takes back what it orders: "set Ann to warm... cancel that"."""
    ordered = next((place for place, token in enumerate(tokens) if is_verb(token.word)), len(tokens))
    breaks = [
        place for place in range(ordered + 1, len(tokens)) if tokens[place].word in (".", ",", ";", "-", "–", "!")
    ]
    return any(_retracts(tokens[place:]) for place in breaks[:1])


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


def _is_forbidden(words: Sequence[str]) -> bool:
    """Return whether words forbid what they name: "under no circumstances", "stop changing", "keep this out of it"."""
    text = f" {' '.join(words)} "
    if _FORBIDDING_PHRASES.search(text):
        return True
    # "Stop calling her" is an order of its own.
    return any(verb in _STOPPING_VERBS and _is_gerund_of_order(gerund) for verb, gerund in pairwise(words))


def _is_gerund_of_order(gerund: str) -> bool:
    """Return whether a word is the gerund of a verb of orders: "changing", "putting"."""
    bases = (gerund[:-3], f"{gerund[:-3]}e", gerund[:-4])
    return gerund.endswith("ing") and any(map(lexicon.acts_of_verb, bases))


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
    if before and before[-1] in _PROMISE_CONTRACTIONS:
        return True
    if len(before) > 1 and before[-1] in _STATING_VERBS:
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
    return any(one.word in _STATING_VERBS and other.start in starts for one, other in pairwise(tokens))


def _is_asking(tokens: Sequence[Token]) -> bool:
    """Return whether words before a question mark ask for information: "wasn't Jack set to lost?".

    A request has "can you" or "please", or begins with a verb.
    """
    words = [token.word for token in tokens if token.word not in lexicon.INTERJECTIONS]
    if not words or "please" in words or "pls" in words or has_request_tag(tokens):
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


def _is_reported(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether a segment begins with somebody else who says or wants something: "Jack said we should …"."""
    for place, token in enumerate(tokens[:6]):
        if token.word in lexicon.REPORTING:
            before = [one for one in tokens[:place] if one.word not in lexicon.INTERJECTIONS]
            is_own = any(one.word in ("i", "we", "i'd", "we'd", "please", "i'll") for one in before)
            if before and not is_own and not is_verb(before[0].word) and ask.act not in NEWS_ACTS:
                return not has_own_order(ask.tokens, token)
    return False


def _is_delegated(ask: Ask, tokens: Sequence[Token]) -> bool:
    """Return whether somebody else was asked to do it: "I asked Bob to set …"; "I told you to set …" is an order."""
    for (one, reporting_verb), other in zip(pairwise(tokens), (*tokens[2:], None), strict=False):
        is_other = other is not None and other.word not in ("you", "u")
        if one.word in ("i", "we", "i've", "we've") and reporting_verb.word in _DELEGATING_VERBS and is_other:
            return ask.act not in TEXT_ACTS | NEWS_ACTS and not has_own_order(ask.tokens, reporting_verb)
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
